"""Bodies that stop or trickle: given up, whatever their type, and whether or not they are read."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest
from litestar import Litestar, Request, post

from bootstrap.server import protocol
from bootstrap.server.listener import listen, port_of
from bootstrap.server.serve import make_server
from domain.shared.limits import Limits

QUICK = Limits(upload_idle_s=0.2, body_bytes_per_s=1000)
HEAD = b"POST %s HTTP/1.1\r\nHost: x\r\nContent-Type: %s\r\n%s\r\n"
LENGTH, CHUNKED = b"Content-Length: 1000000\r\n", b"Transfer-Encoding: chunked\r\n"
TYPES = [b"application/json", b"multipart/form-data; boundary=b", b"text/plain"]


@pytest.fixture(autouse=True)
def short_farewell(monkeypatch: pytest.MonkeyPatch) -> None:
    """These clients never stop sending by themselves."""
    monkeypatch.setattr(protocol, "LINGER_S", 0.2)


@post("/read", status_code=200)
async def read(request: Request[Any, Any, Any]) -> str:
    return str(len(await request.body()))


@post("/unread", status_code=200)
async def unread() -> str:
    return "done"


@asynccontextmanager
async def serving(limits: Limits) -> AsyncGenerator[int, None]:
    app = Litestar([read, unread], openapi_config=None, logging_config=None)
    server = make_server(app, limits=limits, trusted_proxies=())
    listener = listen("127.0.0.1", 0)
    async with asyncio.timeout(60), asyncio.TaskGroup() as group:
        group.create_task(server.serve(sockets=[listener]))
        yield port_of(listener)
        server.should_exit = True


async def drip(writer: asyncio.StreamWriter, piece: bytes) -> None:
    """Send a little, again and again, until the other side has had enough."""
    try:
        while True:
            writer.write(piece)
            await writer.drain()
            await asyncio.sleep(0.02)
    except ConnectionError:
        pass


async def talk(port: int, sent: bytes, then: Callable[[asyncio.StreamWriter], Any] | None) -> bytes:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(sent)
    dripping = asyncio.ensure_future(then(writer)) if then else None
    answer = bytearray()
    try:
        while piece := await reader.read(1000):
            answer += piece
    except ConnectionError:  # with bytes in flight, closing is a reset
        pass
    if dripping:
        await dripping
    writer.close()
    return bytes(answer)


@pytest.mark.parametrize("type_", TYPES)
@pytest.mark.parametrize(
    ("framing", "piece"), [(LENGTH, b"x"), (CHUNKED, b"1\r\nx\r\n")], ids=["length", "chunked"]
)
async def test_a_body_that_stops_or_trickles_is_given_up(
    type_: bytes, framing: bytes, piece: bytes
) -> None:
    head = HEAD % (b"/read", type_, framing)
    async with serving(QUICK) as port:
        stopped, trickling = await asyncio.gather(
            talk(port, head + piece, None), talk(port, head, lambda writer: drip(writer, piece))
        )

    assert stopped.startswith(b"HTTP/1.1 408 ")
    assert b"too slowly" in stopped
    assert trickling == b"" or trickling.startswith(b"HTTP/1.1 408 ")


async def test_a_body_that_nobody_reads_does_not_keep_its_connection() -> None:
    head = HEAD % (b"/unread", b"text/plain", LENGTH)
    async with serving(QUICK) as port:
        answer = await talk(port, head, lambda writer: drip(writer, b"x"))

    assert answer.startswith(b"HTTP/1.1 200 ")


async def test_pauses_are_no_harm_while_the_rate_is_kept() -> None:
    limits = Limits(upload_idle_s=60.0, body_bytes_per_s=1)
    head = HEAD % (b"/read", b"text/plain", b"Content-Length: 9\r\nConnection: close\r\n")

    async def slowly(writer: asyncio.StreamWriter) -> None:
        for _ in range(9):
            writer.write(b"x")
            await asyncio.sleep(0.01)

    async with serving(limits) as port:
        answer = await talk(port, head, slowly)

    assert answer.endswith(b"9")
