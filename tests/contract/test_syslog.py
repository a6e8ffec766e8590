"""The audit log at a syslog receiver: framing, fields, connections that break, certificates."""

import asyncio
import re
import ssl
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from bootstrap.compose.adapters import audit_receiver
from bootstrap.settings import AuditSettings
from domain.shared.error import SettingsInvalid, Unavailable
from infra.contract.observability.audit_receiver import AuditRecord
from infra.impl.syslog.stream import message
from tests.support.wait import until_so

AT = datetime(2026, 11, 24, 3, 4, 5, 6789, UTC)
MESSAGE = re.compile(
    rb"<(\d+)>1 (\S+) (\S+) coterie (\d+) (\S+) \[audit@32473( .*?)?\] \xef\xbb\xbf(.*)", re.DOTALL
)


def record(**changes: object) -> AuditRecord:
    values = {"at": AT, "action": "agent.deleted", "is_refusal": False, "fields": {}, "text": "{}"}
    return AuditRecord(**{**values, **changes})  # type: ignore[arg-type]


class Receiver:
    """Reads messages by their octet counts."""

    def __init__(self) -> None:
        self.messages: list[bytes] = []
        self.writers: list[asyncio.StreamWriter] = []
        self.port = 0

    async def take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.writers.append(writer)
        try:
            while True:
                count = int(await reader.readuntil(b" "))
                self.messages.append(await reader.readexactly(count))
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()


@asynccontextmanager
async def receiving(
    *, port: int = 0, tls: ssl.SSLContext | None = None
) -> AsyncGenerator[Receiver, None]:
    receiver = Receiver()
    server = await asyncio.start_server(receiver.take, "127.0.0.1", port, ssl=tls)
    receiver.port = server.sockets[0].getsockname()[1]
    try:
        yield receiver
    finally:
        server.close()
        for writer in receiver.writers:
            writer.close()


def test_a_message_has_the_parts_of_the_standard() -> None:
    said = message(
        record(fields={"actor": "7", "resource": 'a"b]c\\d'}, text='{"ä": 1}'), origin="höst 1"
    )

    found = MESSAGE.fullmatch(said)

    assert found is not None
    assert found[1] == b"109"
    assert found[2] == b"2026-11-24T03:04:05.006789Z"
    assert found[3] == b"h_st_1"
    assert found[5] == b"agent.deleted"
    assert found[6] == rb' actor="7" resource="a\"b\]c\\d"'
    assert found[7].decode() == '{"ä": 1}'
    refused = message(record(is_refusal=True, action="x" * 40), origin="")
    assert refused.startswith(b"<108>1 ")
    assert b" - coterie " in refused
    assert b" " + b"x" * 32 + b" " in refused


async def test_a_receiver_that_comes_back_gets_the_rest() -> None:
    async with receiving() as first:
        port = first.port
        stream = audit_receiver(AuditSettings(syslog=f"tcp://127.0.0.1:{port}"))
        await stream.send([record(action="one"), record(action="two")])
        await until_so(lambda: len(first.messages) == 2)
    with suppress(Unavailable):  # a first write into a connection that broke may pass
        await stream.send([record(action="lost")])
    await asyncio.sleep(0.01)
    with pytest.raises(Unavailable):
        await stream.send([record(action="lost")])

    async with receiving(port=port) as second:
        await stream.send([record(action="three")])
        await until_so(lambda: len(second.messages) == 1)
    await stream.aclose()

    assert b" three [" in second.messages[0]


async def test_only_a_known_authority_is_trusted(tmp_path: Path) -> None:
    served, ca = certificate(tmp_path)
    async with receiving(tls=served) as receiver:
        address = f"tls://localhost:{receiver.port}"
        stream = audit_receiver(AuditSettings(syslog=address, syslog_ca=str(ca)))
        await stream.send([record()])
        await until_so(lambda: len(receiver.messages) == 1)
        await stream.aclose()
        stranger = audit_receiver(AuditSettings(syslog=address))
        with pytest.raises(Unavailable):
            await stranger.send([record()])
        await stranger.aclose()


@pytest.mark.parametrize("address", ["udp://host:514", "tls://", "host:514", "tcp://host:x"])
def test_an_address_that_is_none_is_refused(address: str) -> None:
    with pytest.raises(SettingsInvalid, match=r"audit\.syslog"):
        audit_receiver(AuditSettings(syslog=address))


def certificate(folder: Path) -> tuple[ssl.SSLContext, Path]:
    """Return the context of a server that is localhost, and the file of who says so."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    shown, secret = folder / "cert.pem", folder / "key.pem"
    shown.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    secret.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(shown, secret)
    return context, shown
