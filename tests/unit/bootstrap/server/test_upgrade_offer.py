"""Requests that offer another protocol: answered in HTTP/1.1, body and successors included."""

import asyncio
import json
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from typing import Any

import pytest
from litestar import HttpMethod, Litestar, Request, route
from litestar.params import FromPath

from bootstrap.server.listener import listen, port_of
from bootstrap.server.serve import make_server
from domain.shared.limits import Limits

PATIENCE_S = 60.0
OFFERS = {
    "none": b"",
    "h2c": b"Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n",
    "websocket": b"Connection: keep-alive\r\nconnection: upgrade\r\nUPGRADE: websocket\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n",
    "several": b"Upgrade: TLS/1.0, HTTP/2.0\r\nConnection: Upgrade\r\n",
}
BODY = b'{"text": "' + bytes(range(97, 123)) * 10 + b'"}'
METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
FRAMES = ("none", "length", "chunked")
CUTS = ("one segment", "head apart", "in the body", "byte by byte")
LAST = b"GET /last HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"


@route("/{name:str}", http_method=[HttpMethod(method) for method in METHODS], status_code=200)
async def echo(name: FromPath[str], request: Request[Any, Any, Any]) -> dict[str, str]:
    body = await request.body()
    return {"method": request.method, "name": name, "body": body.decode()}


@asynccontextmanager
async def serving() -> AsyncGenerator[int, None]:
    app = Litestar([echo], openapi_config=None, logging_config=None)
    server = make_server(app, limits=Limits(), trusted_proxies=())
    listener = listen("127.0.0.1", 0)
    async with asyncio.TaskGroup() as group:
        group.create_task(server.serve(sockets=[listener]))
        try:
            yield port_of(listener)
        finally:
            server.should_exit = True


def head(method: str, offer: str, framing: bytes = b"") -> bytes:
    return b"%s /first HTTP/1.1\r\nHost: x\r\n%s%s\r\n" % (method.encode(), OFFERS[offer], framing)


def asked(method: str, offer: str, frame: str) -> tuple[bytes, bytes, str]:
    """Head and body of a request as they are sent, and the text of the body."""
    if frame == "none":
        return head(method, offer), b"", ""
    if frame == "length":
        return head(method, offer, b"Content-Length: %d\r\n" % len(BODY)), BODY, BODY.decode()
    chunks = b"".join(b"%x\r\n%s\r\n" % (len(one), one) for one in (BODY[:9], BODY[9:]))
    body = chunks + b"0\r\nX-Trailer: of the body\r\n\r\n"
    return head(method, offer, b"Transfer-Encoding: chunked\r\n"), body, BODY.decode()


def segments(head: bytes, body: bytes, cut: str) -> Sequence[bytes]:
    whole = head + body
    match cut:
        case "one segment":
            return [whole]
        case "head apart":
            return [head, body]
        case "in the body":
            return [whole[: len(head) + 5], whole[len(head) + 5 :]]
        case _:
            return [whole[at : at + 1] for at in range(len(whole))]


class Client:
    """One connection, over which segments go one by one."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    async def send(self, parts: Sequence[bytes]) -> None:
        for part in parts:
            self._writer.write(part)
            await self._writer.drain()
            await asyncio.sleep(0)  # the server's turn, in the same loop

    async def answer(self) -> tuple[int, dict[str, str]]:
        async with asyncio.timeout(PATIENCE_S):
            received = await self._reader.readuntil(b"\r\n\r\n")
            lines = received.lower().split(b"\r\n")
            length = next(line for line in lines if line.startswith(b"content-length:"))
            body = await self._reader.readexactly(int(length.partition(b":")[2]))
        return int(received.split()[1]), json.loads(body)

    async def rest(self) -> bytes:
        async with asyncio.timeout(PATIENCE_S):
            return await self._reader.read()


@asynccontextmanager
async def connected(port: int) -> AsyncGenerator[Client, None]:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        yield Client(reader, writer)
    finally:
        writer.close()


@pytest.mark.parametrize("offer", OFFERS)
async def test_an_offer_is_ignored_and_the_request_answered(offer: str) -> None:
    async with serving() as port:
        for method in METHODS:
            for frame in FRAMES:
                start, body, text = asked(method, offer, frame)
                expected = 200, {"method": method, "name": "first", "body": text}
                for cut in CUTS:
                    async with connected(port) as client:
                        for _ in range(2):  # the connection stays as it was
                            await client.send(segments(start, body, cut))
                            assert await client.answer() == expected, (method, frame, cut)


@pytest.mark.parametrize("frame", FRAMES)
async def test_requests_behind_an_offer_are_answered_in_order(frame: str) -> None:
    last = 200, {"method": "GET", "name": "last", "body": ""}
    async with serving() as port:
        for cut in ("one segment", "byte by byte"):
            sent, expected = b"", []
            for offer in [*OFFERS, *OFFERS]:
                start, body, text = asked("POST", offer, frame)
                sent += start + body
                expected.append((200, {"method": "POST", "name": "first", "body": text}))
            async with connected(port) as client:
                await client.send(segments(sent, LAST, cut))
                answers = [await client.answer() for _ in range(len(expected) + 1)]
                assert answers == [*expected, last]
                assert await client.rest() == b""


async def test_an_offer_with_close_ends_the_connection_after_the_answer() -> None:
    start, body, text = asked("POST", "h2c", "length")
    closing = start[:-2] + b"Connection: close\r\n\r\n"
    async with serving() as port, connected(port) as client:
        await client.send([closing, body])
        assert await client.answer() == (200, {"method": "POST", "name": "first", "body": text})
        assert await client.rest() == b""


@pytest.mark.parametrize(
    "broken",
    [
        head("POST", "h2c", b"Transfer-Encoding: chunked\r\n") + b"zz\r\n",
        head("POST", "h2c", b"Content-Length: 2\r\nTransfer-Encoding: chunked\r\n") + b"0\r\n\r\n",
        head("POST", "h2c", b"Content-Length: 2\r\nContent-Length: 3\r\n") + b"{}",
        head("POST", "h2c", b"Content-Length: 2\r\n") + b"{}\0\0",
        b"CONNECT x:80 HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}",
    ],
)
async def test_what_is_no_request_is_refused_behind_an_offer_too(broken: bytes) -> None:
    async with serving() as port, connected(port) as client:
        await client.send([broken])
        received = await client.rest()

    assert b"HTTP/1.1 400 " in received
    assert b"Invalid HTTP request" in received
