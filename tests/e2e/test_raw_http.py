"""Bytes that no client would send, over a real socket: always refused, in the API's own words."""

import gzip
import json
import select
import socket
import uuid
from collections.abc import Iterator

import httpx
import pytest

from tests.support.process.server import TOKEN, RunningServer
from tests.support.wait import until

PATIENCE_S = 60.0
HOST = b"Host: localhost\r\n"
KNOWN = HOST + f"Authorization: Bearer {TOKEN}\r\n".encode()
POST = b"POST /v3/chat HTTP/1.1\r\n" + KNOWN
JSON = b"Content-Type: application/json\r\n"
CHUNKED = POST + JSON + b"Transfer-Encoding: chunked\r\n\r\n"
END = b"0\r\n\r\n"


def body(data: bytes, *, extra: bytes = JSON, surface: bytes = b"/v3/chat") -> bytes:
    """A request whose frame is right, whatever its body is."""
    start = b"POST " + surface + b" HTTP/1.1\r\n" + KNOWN + extra
    return start + b"Content-Length: %d\r\n\r\n" % len(data) + data


NO_REQUESTS = {
    "a zero byte": b"\0",
    "a TLS handshake": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    "HTTP/2": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "an unknown version": b"GET /healthz HTTP/9.9\r\n\r\n",
    "a zero byte in the method": b"G\0T /healthz HTTP/1.1\r\n" + HOST + b"\r\n",
    "a zero byte in the path": b"GET /heal\0thz HTTP/1.1\r\n" + HOST + b"\r\n",
    "a zero byte in a header": b"GET /healthz HTTP/1.1\r\n" + HOST + b"X: a\0b\r\n\r\n",
    "a header without a colon": b"GET /healthz HTTP/1.1\r\nHost x\r\n\r\n",
    "a space before the colon": b"GET /healthz HTTP/1.1\r\nHost : x\r\n\r\n",
    "a folded header": b"GET /healthz HTTP/1.1\r\n" + HOST + b"X: a\r\n b\r\n\r\n",
    "line feeds alone": b"GET /healthz HTTP/1.1\nHost: localhost\n\n",
    "no host": b"GET /healthz HTTP/1.1\r\n\r\n",
    "two hosts": b"GET /healthz HTTP/1.1\r\n" + HOST + b"Host: y\r\n\r\n",
    "a proxy's method": b"CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n",
    "an endless path": b"GET /" + b"a" * 70_000 + b" HTTP/1.1\r\n" + HOST + b"\r\n",
    "endless headers": b"GET /healthz HTTP/1.1\r\n" + HOST + b"X: " + b"a" * 70_000 + b"\r\n\r\n",
    "a length below zero": POST + JSON + b"Content-Length: -1\r\n\r\n{}",
    "a length in words": POST + JSON + b"Content-Length: two\r\n\r\n{}",
    "a length beyond all": POST + JSON + b"Content-Length: " + b"9" * 30 + b"\r\n\r\n{}",
    "two lengths": POST + JSON + b"Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}",
    "a length and chunks": POST
    + JSON
    + b"Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n"
    + END,
    "an unknown transfer": POST + JSON + b"Transfer-Encoding: xchunked\r\n\r\n" + END,
    "no end of the body": POST + JSON + b"\r\n{}",
    "a chunk of no number": CHUNKED + b"zz\r\n{}\r\n" + END,
    "a chunk below zero": CHUNKED + b"-2\r\n{}\r\n" + END,
    "a chunk beyond all": CHUNKED + b"f" * 18 + b"\r\n{}\r\n",
    "a chunk that goes on": CHUNKED + b"2\r\n{}XX" + END,
}
NO_BODIES = {
    "nothing": b"",
    "a zero byte": b"\0",
    "half an object": b'{"bot_id":"1"',
    "no UTF-8": b'{"bot_id":"\xff"}',
    "half a character": b'{"bot_id":"\xe4\xbd"}',
    "a surrogate": b'{"bot_id":"\xed\xa0\x80"}',
    "a byte order mark": b"\xef\xbb\xbf{}",
    "UTF-16": '{"bot_id":"1"}'.encode("utf-16"),
    "a number beyond all": b'{"bot_id":1e400,"user_id":"u"}',
    "less than nothing": b'{"bot_id":-0,"user_id":"u"}',
    "no number": b'{"bot_id":NaN}',
    "a key twice": b'{"bot_id":"0","bot_id":"1"}',
    "65 levels": b'{"messages":' + b"[" * 65 + b"]" * 65 + b"}",
    "100,000 levels": b"[" * 100_000,
    "two objects": b"{}{}",
}


TOO_EARLY = {
    "without a token": (b"/v3/chat", HOST, 2 * 1024 * 1024, b"401"),
    "too long": (b"/admin/v1/tokens", KNOWN, 8 * 1024 * 1024, b"413"),
    "a head that is none": (b"/v3/chat", KNOWN + b"Content-Length: 1\r\n", 1024 * 1024, b"400"),
}
"""Requests that are refused before their bodies come: where, by whom, how long, with what."""


def exchange(server: RunningServer, data: bytes) -> bytes:
    """Send bytes and return everything that comes until the server closes."""
    url = httpx.URL(server.url)
    with socket.create_connection((url.host, url.port or 80), PATIENCE_S) as connection:
        connection.sendall(data)
        received = bytearray()
        try:
            while part := connection.recv(65_536):
                received += part
                if _is_whole(bytes(received)):
                    break
        except ConnectionResetError:  # it closed while we were still sending
            pass
        return bytes(received)


def _is_whole(received: bytes) -> bool:
    head, found, rest = received.partition(b"\r\n\r\n")
    lengths = [
        int(line.partition(b":")[2])
        for line in head.split(b"\r\n")
        if line.lower().startswith(b"content-length:")
    ]
    return bool(found and lengths and len(rest) >= lengths[0])


def refusal(received: bytes) -> tuple[int, str]:
    """Status and message of an error body of the Coze surface."""
    head, _, rest = received.partition(b"\r\n\r\n")
    told = json.loads(rest)
    assert b"application/json" in head
    assert told["detail"]["logid"]
    return int(head.split()[1]), told["msg"]


@pytest.fixture
def unbroken(server: RunningServer) -> Iterator[RunningServer]:
    """The server, which has to be as it was after the test."""
    before = len(server.log)
    yield server
    assert httpx.get(f"{server.url}/healthz", timeout=60).json() == {"status": "ok"}
    assert not [line for line in server.log[before:] if '"level":"error"' in line]


@pytest.mark.parametrize("data", NO_REQUESTS.values(), ids=NO_REQUESTS)
def test_what_is_no_request_is_refused(unbroken: RunningServer, data: bytes) -> None:
    status, message = refusal(exchange(unbroken, data))

    assert status in {400, 413, 414, 431}
    assert message


@pytest.mark.parametrize("data", NO_BODIES.values(), ids=NO_BODIES)
def test_what_is_no_body_is_refused(unbroken: RunningServer, data: bytes) -> None:
    whole = exchange(unbroken, body(data))
    pieces = b"".join(b"1\r\n" + data[at : at + 1] + b"\r\n" for at in range(min(len(data), 200)))
    cut = exchange(unbroken, CHUNKED + pieces + END)

    assert refusal(whole)[0] in {400, 413}  # too deep, or too much of it
    assert refusal(cut)[0] == 400


@pytest.mark.parametrize(
    ("extra", "data"),
    [
        (JSON + b"Content-Encoding: gzip\r\n", gzip.compress(b"{}", mtime=0)),
        (b"Content-Type: application/json; charset=utf-16\r\n", "{}".encode("utf-16")),
        (b"Content-Type: application/json; charset=latin-1\r\n", b'{"bot_id":"\xe9"}'),
        (b"Content-Type: text/plain\r\n", b"{}"),
        (b"", b"{}"),
    ],
)
def test_bodies_in_another_form_are_refused(
    unbroken: RunningServer, extra: bytes, data: bytes
) -> None:
    assert refusal(exchange(unbroken, body(data, extra=extra)))[0] in {400, 415}


def test_the_openai_surface_refuses_in_its_own_words(unbroken: RunningServer) -> None:
    start = b"POST /v1/chat/completions HTTP/1.1\r\n" + KNOWN + JSON
    received = exchange(unbroken, start + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n")

    assert json.loads(received.partition(b"\r\n\r\n")[2])["error"]["type"]


def test_requests_on_one_connection_are_answered_in_order(unbroken: RunningServer) -> None:
    health = b"GET /healthz HTTP/1.1\r\n" + HOST + b"\r\n"
    last = b"GET /version HTTP/1.1\r\n" + HOST + b"Connection: close\r\n\r\n"
    url = httpx.URL(unbroken.url)
    with socket.create_connection((url.host, url.port or 80), PATIENCE_S) as connection:
        connection.sendall(body(b"{") + health + body(b"\xff") + last)
        received = b"".join(iter(lambda: connection.recv(65_536), b""))

    statuses = [int(part[:3]) for part in received.split(b"HTTP/1.1 ")[1:]]
    assert statuses == [400, 200, 400, 200]


@pytest.mark.parametrize("garbage", [b"{}", b"\0\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n"])
def test_what_follows_a_request_and_is_none_ends_both(
    unbroken: RunningServer, garbage: bytes
) -> None:
    path = f"/{uuid.uuid4().hex}"
    asked = b"GET " + path.encode() + b" HTTP/1.1\r\n" + HOST + b"\r\n"

    received = exchange(unbroken, asked + garbage)

    assert refusal(received)[0] == 400
    until(lambda: any(path in line for line in unbroken.log))
    assert received.count(b"HTTP/1.1") == 1


def test_a_request_that_breaks_off_is_dropped(unbroken: RunningServer) -> None:
    url = httpx.URL(unbroken.url)
    for cut in (POST[:20], POST + JSON + b"Content-Length: 100\r\n\r\n{", CHUNKED + b"10\r\n{}"):
        with socket.create_connection((url.host, url.port or 80), PATIENCE_S) as connection:
            connection.sendall(cut)
            connection.shutdown(socket.SHUT_WR)
            assert connection.recv(65_536) == b""


@pytest.mark.parametrize("name", TOO_EARLY)
def test_an_answer_before_the_body_outlives_it(unbroken: RunningServer, name: str) -> None:
    path, sender, size, status = TOO_EARLY[name]
    head = b"POST " + path + b" HTTP/1.1\r\n" + sender + JSON + b"Connection: close\r\n"
    url = httpx.URL(unbroken.url)
    with socket.create_connection((url.host, url.port or 80), PATIENCE_S) as client:
        client.sendall(head + b"Content-Length: %d\r\n\r\n" % size)
        assert select.select([client], [], [], PATIENCE_S)[0], "There is no answer."

        client.sendall(b" " * size)

        answer = b""
        while piece := client.recv(65536):
            answer += piece
    assert answer.startswith(b"HTTP/1.1 " + status), answer[:200]
    assert answer.endswith(b"}")
