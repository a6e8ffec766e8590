"""Egress: tenants reach the public network only, and a hostile server cannot hurt."""

import asyncio
import gzip
import socket
import ssl
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from domain.shared.limits import Limits
from domain.shared.tracing.span import SpanKind, SpanLog, within
from infra.contract.egress import (
    EgressDenied,
    EgressFailed,
    EgressPolicy,
    EgressRecord,
    EgressRequest,
    EgressResponse,
)
from infra.impl.egress.http import HttpEgress
from infra.impl.http.gateway import HttpGateway

Writer = asyncio.StreamWriter
Handler = Callable[[bytes, Writer], Awaitable[None]]

DENIED = """
127.0.0.1 127.1 2130706433 0x7f000001 0x7f.1 017700000001 0 localhost localhost. LOCALHOST [::1]
[::] [::ffff:127.0.0.1] [::ffff:7f00:1] [::127.0.0.1] [64:ff9b::7f00:1] [64:ff9b::a9fe:a9fe]
[fe80::1] [fe80::1%25eth0] [fd00:ec2::254] [fec0::1] [2002:7f00:1::] [2001:0:7f00:1::]
[::ffff:0:127.0.0.1] 169.254.169.254 100.100.100.200 192.0.0.192 168.63.129.16 10.0.0.1
172.31.255.255 192.168.1.1 100.64.0.1 0.0.0.0 224.0.0.1 255.255.255.255 198.18.0.1 user@127.0.0.1
good@127.0.0.1 127.0.0.1#@good 127.0.0.1%00.good good.example:22 good.example:5432
\u2460\u2461\u2466.0.0.1 127\u30020\u30020\u30021 good\\@127.0.0.1 /127.0.0.1
""".split()  # noqa: SIM905
SCHEMES = ["ftp", "file", "gopher", "dict", ""]


class Server:
    """A local server that answers raw bytes and remembers what it was asked."""

    def __init__(self, handler: Handler) -> None:
        self._handler = handler
        self.heads: list[bytes] = []
        self.peers: list[tuple[str, int]] = []
        self.port = 0

    async def accept(self, reader: asyncio.StreamReader, writer: Writer) -> None:
        self.peers.append(writer.get_extra_info("peername")[:2])
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                for line in head.lower().split(b"\r\n"):
                    if line.startswith(b"content-length:"):
                        head += await reader.readexactly(int(line.split(b":")[1]))
                self.heads.append(head)
                await self._handler(head, writer)
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()


@asynccontextmanager
async def serving(
    handler: Handler, *, tls: ssl.SSLContext | None = None, host: str = "127.0.0.1"
) -> AsyncGenerator[Server, None]:
    server = Server(handler)
    listener = await asyncio.start_server(server.accept, host, 0, ssl=tls)
    server.port = listener.sockets[0].getsockname()[1]
    try:
        yield server
    finally:
        listener.close()


def answering(raw: bytes) -> Handler:
    async def answer(head: bytes, writer: Writer) -> None:
        writer.write(raw)

    return answer


def plain(body: bytes, *headers: str, status: str = "200 OK") -> bytes:
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", *headers]
    return ("\r\n".join(lines) + "\r\n\r\n").encode() + body


@asynccontextmanager
async def egress(
    *ports: int, limits: Limits | None = None, **options: object
) -> AsyncGenerator[HttpEgress, None]:
    """Egress for which ``local.test`` and the given ports are the operator's exceptions."""
    pairs = [f"{host}:{port}" for port in ports for host in ("local.test", "other.test")]
    gateway = HttpGateway(
        limits=limits or Limits(),
        allow_private=pairs,
        resolve=options.pop("resolve", to_loopback),  # type: ignore[arg-type]
        **options,  # type: ignore[arg-type]
    )
    try:
        yield HttpEgress(gateway=gateway, limits=limits or Limits())
    finally:
        await gateway.aclose()


async def to_loopback(host: str, port: int) -> Sequence[str]:
    found = await asyncio.get_running_loop().getaddrinfo(
        "127.0.0.1" if host.endswith(".test") else host, port, type=socket.SOCK_STREAM
    )
    return [str(address[0]) for *_, address in found]


async def fetch(
    client: HttpEgress,
    url: str,
    *,
    method: str = "GET",
    headers: dict[str, str] | None = None,
    body: bytes = b"",
    policy: EgressPolicy | None = None,
) -> EgressResponse:
    request = EgressRequest(url=url, method=method, headers=headers or {}, body=body)
    return await client.request(request, policy or EgressPolicy())


@pytest.mark.parametrize("keeps_content", [True, False])
@pytest.mark.parametrize("has_record", [True, False])
async def test_a_trace_tells_of_a_request_what_its_maker_shows(
    *, keeps_content: bool, has_record: bool
) -> None:
    def shown(response: EgressResponse) -> object:
        return {"status": response.status}

    log = SpanLog(1, keeps_content=keeps_content, began_at=datetime.now(UTC))
    record = EgressRecord(request={"url": "***"}, reply=shown) if has_record else None
    async with serving(answering(plain(b"secret"))) as server, egress(server.port) as client:
        address = f"http://local.test:{server.port}/secret"
        with within(log.root):
            await client.request(EgressRequest(url=address, record=record), EgressPolicy())

    (span,) = log.spans
    facts = {"method": "GET", "port": server.port, "sent": 0, "status": 200, "received": 6}
    assert (span.kind, span.name, span.attributes) == (SpanKind.HTTP, "local.test", facts)
    is_told = keeps_content and has_record
    assert span.input == ({"url": "***"} if is_told else None)
    assert span.output == ({"status": 200} if is_told else None)


@pytest.mark.parametrize("profile", ["tenant", "provider_tenant"])
@pytest.mark.parametrize("target", DENIED)
async def test_no_form_of_a_private_address_is_reached(target: str, profile: str) -> None:
    async with egress() as client:
        for scheme in ("http", "https"):
            with pytest.raises(EgressDenied):
                await fetch(client, f"{scheme}://{target}/", policy=EgressPolicy(profile=profile))  # type: ignore[arg-type]


@pytest.mark.parametrize("scheme", SCHEMES)
async def test_only_http_and_https_are_spoken(scheme: str) -> None:
    async with egress() as client:
        with pytest.raises(EgressDenied):
            await fetch(client, f"{scheme}://good.example/")


async def test_a_name_that_turns_private_is_refused_when_connecting() -> None:
    answers = [["93.184.216.34", "127.0.0.1"], ["127.0.0.1"]]

    async def rebinding(host: str, port: int) -> Sequence[str]:
        return answers.pop(0)

    async with egress(resolve=rebinding) as client:
        for _ in range(2):
            with pytest.raises(EgressDenied):
                await fetch(client, "http://rebind.example/")
    assert answers == []


async def test_an_excepted_origin_is_reached_and_its_answer_returned() -> None:
    async with serving(answering(plain(b"hello", "X-A: b"))) as server, egress(server.port) as out:
        response = await fetch(out, f"http://local.test:{server.port}/path?q=1#fragment")

    assert (response.status, response.body, response.headers["x-a"]) == (200, b"hello", "b")
    head = server.heads[0].decode().lower()
    assert head.startswith("get /path?q=1 http/1.1\r\n")
    assert f"host: local.test:{server.port}" in head
    assert "accept-encoding: identity" in head
    assert "cookie" not in head


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
@pytest.mark.parametrize(
    "location",
    [
        "http://127.0.0.1/",
        "http://[::1]/",
        "http://2130706433/",
        "http://169.254.169.254/latest/meta-data",
        "http://localhost/",
        "//127.0.0.1/",
        "file:///etc/passwd",
        "http://good.example:22/",
        "http://user:pw@good.example/",
        "http://good\\@127.0.0.1/",
    ],
)
async def test_redirects_pass_the_whole_policy_again(status: int, location: str) -> None:
    answer = plain(b"", f"Location: {location}", status=f"{status} Moved")
    async with serving(answering(answer)) as server, egress(server.port) as out:
        with pytest.raises(EgressDenied):
            await fetch(out, f"http://local.test:{server.port}/")
    assert len(server.heads) == 1


async def test_redirects_end_after_three() -> None:
    answer = plain(b"", "Location: /again", status="302 Found")
    async with serving(answering(answer)) as server, egress(server.port) as out:
        with pytest.raises(EgressFailed):
            await fetch(out, f"http://local.test:{server.port}/")
    assert len(server.heads) == 4


async def test_without_redirects_the_answer_itself_is_returned() -> None:
    answer = plain(b"", "Location: /again", status="302 Found")
    async with serving(answering(answer)) as server, egress(server.port) as out:
        policy = EgressPolicy(max_redirects=0)
        response = await fetch(out, f"http://local.test:{server.port}/", policy=policy)

    assert response.status == 302


@pytest.mark.parametrize(
    ("status", "method", "then"), [(302, "POST", "GET"), (303, "PUT", "GET"), (307, "POST", "POST")]
)
async def test_credentials_stay_with_their_origin(status: int, method: str, then: str) -> None:
    async def answer(head: bytes, writer: Writer) -> None:
        if b"/end" in head:
            writer.write(plain(b"done"))
        else:
            location = f"Location: http://other.test:{server.port}/end"
            writer.write(plain(b"", location, status=f"{status} Moved"))

    async with serving(answer) as server, egress(server.port) as out:
        response = await fetch(
            out,
            f"http://local.test:{server.port}/start",
            method=method,
            headers={
                "Authorization": "Bearer s",
                "X-Api-Key": "s",
                "Cookie": "s=1",
                "Accept": "a/b",
            },
            body=b"body",
            policy=EgressPolicy(allow_methods=frozenset({"GET", "POST", "PUT"})),
        )

    first, second = (head.decode().lower() for head in server.heads)
    assert response.url.endswith("/end")
    assert "authorization: bearer s" in first
    for name in ("authorization", "x-api-key", "cookie"):
        assert name not in second
    assert "accept: a/b" in second
    assert second.startswith(then.lower())
    assert second.endswith("body") == (then == "POST")


async def test_a_redirect_may_not_introduce_a_forbidden_method() -> None:
    answer = plain(b"", "Location: /x", status="303 See Other")
    policy = EgressPolicy(allow_methods=frozenset({"POST"}))
    async with serving(answering(answer)) as server, egress(server.port) as out:
        with pytest.raises(EgressDenied):
            await fetch(out, f"http://local.test:{server.port}/", method="POST", policy=policy)


async def endless(head: bytes, writer: Writer) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\n\r\n")
    while True:
        writer.write(b"x" * 65536)
        await writer.drain()


async def trickle(head: bytes, writer: Writer) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n")
    while True:
        writer.write(b"x")
        await asyncio.sleep(0.05)


async def endless_head(head: bytes, writer: Writer) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\n")
    for number in range(1_000_000):
        writer.write(b"X-%d: y\r\n" % number)
        await writer.drain()


async def silent(head: bytes, writer: Writer) -> None:
    await asyncio.sleep(30)


async def interim_forever(head: bytes, writer: Writer) -> None:
    while True:
        writer.write(b"HTTP/1.1 100 Continue\r\n\r\n")
        await asyncio.sleep(0.01)


async def endless_extension(head: bytes, writer: Writer) -> None:
    writer.write(CHUNKED + b"5;")
    while True:
        writer.write(b"e" * 65536)
        await writer.drain()
        await asyncio.sleep(0.01)


async def endless_nothing(head: bytes, writer: Writer) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n" + gzip.compress(b"x"))
    while True:
        writer.write(b"\0" * 65536)
        await writer.drain()


CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
BOMB = gzip.compress(b"\0" * 50_000_000)


@pytest.mark.parametrize(
    "handler",
    [
        endless,
        trickle,
        endless_head,
        endless_nothing,
        silent,
        interim_forever,
        answering(plain(BOMB, "Content-Encoding: gzip")),
        answering(plain(b"not gzip", "Content-Encoding: gzip")),
        answering(plain(b"x", "Content-Encoding: gzip, gzip")),
        answering(plain(b"x", "Content-Encoding: br")),
        answering(plain(b"", *[f"Set-Cookie: c{n}=v" for n in range(10_000)])),
        answering(plain(b"", "X-Long: " + "y" * 100_000)),
        answering(plain(b"", *[f"X-{n}: " + "y" * 1000 for n in range(90)])),
        answering(CHUNKED + b"FFFFFFFFFFFFFFFF\r\nx"),
        endless_extension,
        answering(b"HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n"),
        answering(b"nonsense\r\n\r\n"),
    ],
    ids=lambda handler: getattr(handler, "__name__", "answer"),
)
async def test_a_hostile_server_meets_a_cap(handler: Handler) -> None:
    policy = EgressPolicy(max_bytes=100_000, max_seconds=0.5)
    async with serving(handler) as server, egress(server.port) as out:
        with pytest.raises(EgressFailed):
            await fetch(out, f"http://local.test:{server.port}/", policy=policy)


async def test_an_answer_shorter_than_it_claims_fails() -> None:
    async def lie(head: bytes, writer: Writer) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort")
        writer.close()

    async with serving(lie) as server, egress(server.port) as out:
        with pytest.raises(EgressFailed):
            await fetch(out, f"http://local.test:{server.port}/")


async def test_a_second_answer_in_the_first_is_never_used() -> None:
    smuggled = plain(b"one") + plain(b"SMUGGLED")
    async with serving(answering(smuggled)) as server, egress(server.port) as out:
        bodies = []
        for _ in range(2):
            response = await fetch(out, f"http://local.test:{server.port}/")
            bodies.append(response.body)

    assert bodies == [b"one", b"one"]


@pytest.mark.parametrize("limits", [Limits(egress_first_byte_s=0.1), Limits(egress_idle_s=0.1)])
async def test_silence_ends_before_the_total_time(limits: Limits) -> None:
    async def stall(head: bytes, writer: Writer) -> None:
        if limits.egress_idle_s < 1:
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nx")
        await asyncio.sleep(3600)  # what nothing will wake would be collected as garbage

    policy = EgressPolicy(max_seconds=3600)
    async with serving(stall) as server, egress(server.port, limits=limits) as out:
        async with asyncio.timeout(60):
            with pytest.raises(EgressFailed):
                await fetch(out, f"http://local.test:{server.port}/", policy=policy)


async def test_slow_servers_of_one_workspace_leave_connections_to_others() -> None:
    silent = asyncio.Event()

    async def answer(head: bytes, writer: Writer) -> None:
        if b"/slow" in head:
            await silent.wait()
        writer.write(plain(b"quick"))

    limits = Limits(egress_connections=4)
    async with serving(answer) as server, egress(server.port, limits=limits) as out:
        url = f"http://local.test:{server.port}"
        async with asyncio.TaskGroup() as group:
            mine, others = EgressPolicy(space_id=1), EgressPolicy(space_id=2)
            flood = [group.create_task(fetch(out, f"{url}/slow", policy=mine)) for _ in range(20)]
            await asyncio.sleep(0)

            bodies = [(await fetch(out, url, policy=others)).body for _ in range(3)]

            assert not any(task.done() for task in flood)
            silent.set()
    assert bodies == [b"quick"] * 3


async def test_a_compressed_answer_is_decoded() -> None:
    answer = plain(gzip.compress(b"text" * 100), "Content-Encoding: gzip")
    async with serving(answering(answer)) as server, egress(server.port) as out:
        response = await fetch(out, f"http://local.test:{server.port}/")

    assert response.body == b"text" * 100


@pytest.mark.parametrize(
    "name",
    [
        "Host",
        "Connection",
        "Content-Length",
        "Transfer-Encoding",
        "TE",
        "Upgrade",
        "Proxy-Authorization",
        "X-Forwarded-For",
        "Forwarded",
        "Metadata-Flavor",
        "Metadata",
        "X-aws-ec2-metadata-token",
        "Bad Name",
        "Bad\r\nName",
        "",
    ],
)
async def test_headers_that_are_ours_cannot_be_set(name: str) -> None:
    async with serving(answering(plain(b""))) as server, egress(server.port) as out:
        with pytest.raises(EgressDenied):
            await fetch(out, f"http://local.test:{server.port}/", headers={name: "x"})
    assert server.heads == []


@pytest.mark.parametrize("value", ["a\r\nX: y", "a\nb", "nul\x00", "del\x7f"])
async def test_header_values_cannot_break_the_line(value: str) -> None:
    async with serving(answering(plain(b""))) as server, egress(server.port) as out:
        with pytest.raises(EgressDenied):
            await fetch(out, f"http://local.test:{server.port}/", headers={"X-A": value})
    assert server.heads == []


async def test_hosts_and_methods_of_the_policy_are_exact() -> None:
    async with serving(answering(plain(b""))) as server, egress(server.port) as out:
        url = f"http://local.test:{server.port}/"
        for policy in (
            EgressPolicy(allow_hosts=frozenset({"test"})),
            EgressPolicy(deny_hosts=frozenset({"local.test"})),
            EgressPolicy(allow_methods=frozenset({"POST"})),
        ):
            with pytest.raises(EgressDenied):
                await fetch(out, url, policy=policy)
        assert server.heads == []
        allowed = EgressPolicy(allow_hosts=frozenset({"local.test"}))
        assert (await fetch(out, url, policy=allowed)).status == 200


async def test_two_profiles_never_share_a_connection() -> None:
    async with serving(answering(plain(b""))) as server, egress(server.port) as out:
        url = f"http://local.test:{server.port}/"
        for profile in ("tenant", "tenant", "provider_tenant"):
            await fetch(out, url, policy=EgressPolicy(profile=profile))

    assert len(server.heads) == 3
    assert len(server.peers) == 2


@pytest.mark.parametrize("address", ["127.0.0.1", "::1"])
async def test_certificates_are_checked_against_the_name(address: str, tmp_path: Path) -> None:
    served, trusted = certificate_for("local.test", tmp_path)
    names: list[str | None] = []
    served.sni_callback = lambda _socket, name, _context: names.append(name)

    async def resolve(host: str, port: int) -> Sequence[str]:
        return [address]

    async with (
        serving(answering(plain(b"ok")), tls=served, host=address) as server,
        egress(server.port, resolve=resolve, tls=trusted) as out,
    ):
        response = await fetch(out, f"https://local.test:{server.port}/")
        assert response.body == b"ok"
        assert names == ["local.test"]
        with pytest.raises(EgressFailed):
            await fetch(out, f"https://other.test:{server.port}/")


async def test_environment_proxies_are_ignored(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    async with serving(answering(plain(b"direct"))) as server, egress(server.port) as out:
        assert (await fetch(out, f"http://local.test:{server.port}/")).body == b"direct"


def certificate_for(name: str, folder: Path) -> tuple[ssl.SSLContext, ssl.SSLContext]:
    """Return contexts of a server that is ``name`` and of a client that trusts it."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    path = folder / "server.pem"
    path.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
        + certificate.public_bytes(serialization.Encoding.PEM)
    )
    served = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    served.load_cert_chain(path)
    trusted = ssl.create_default_context(cafile=str(path))
    return served, trusted
