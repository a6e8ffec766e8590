"""Disconnects: work for one caller alone leaves its line, or its place, with the client."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any, Final

import pytest
from litestar import Litestar, get, post
from litestar.params import JSONBody

from api.disconnect import EndsWithClient
from api.error import CLIENT_GONE, EXCEPTION_HANDLERS
from domain.shared.capacity.fair_share import FairShare
from tests.support.wait import until_so

OURS: Final = 7


class Place:
    """A resource with one place, whose holders work until they are let go."""

    def __init__(self) -> None:
        self.share = FairShare("places", capacity=1, waiting=8, wait_s=60.0)
        self.begun = 0
        self.may_end = asyncio.Event()

    async def work(self) -> str:
        async with self.share.hold(OURS):
            self.begun += 1
            await self.may_end.wait()
            return "done"


class Client:
    """Sends one request, and leaves when it is told to."""

    def __init__(self, app: Litestar, method: str, path: str) -> None:
        self.leaves = asyncio.Event()
        self.messages: list[Any] = []
        self._body = [b"{}"]
        self._app = app
        self._scope: Any = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": method,
            "path": path,
            "raw_path": path.encode(),
            "query_string": b"",
            "root_path": "",
            "headers": [(b"content-type", b"application/json"), (b"content-length", b"2")],
            "client": ("192.0.2.1", 1),
            "server": ("127.0.0.1", 80),
            "scheme": "http",
            "state": {},
            "extensions": {},
        }

    async def ask(self) -> int:
        await self._app(self._scope, self._receive, self._send)
        return int(self.messages[0]["status"])

    async def _receive(self) -> Any:
        if self._body:
            return {"type": "http.request", "body": self._body.pop(), "more_body": False}
        await self.leaves.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: Any) -> None:
        self.messages.append(message)
        if message["type"] == "http.response.start":
            self.leaves.set()  # a server tells of it, too, once the answer is out


def serve(place: Place) -> Litestar:
    @post("/taken", middleware=[EndsWithClient])
    async def taken(data: JSONBody[dict[str, int]]) -> str:
        return await place.work()

    @post("/bodiless", middleware=[EndsWithClient])
    async def bodiless() -> str:
        return await place.work()

    @get("/read", middleware=[EndsWithClient])
    async def read() -> str:
        return await place.work()

    @post("/settled")
    async def settled(data: JSONBody[dict[str, int]]) -> str:
        return await place.work()

    return Litestar(
        route_handlers=[taken, bodiless, read, settled],
        exception_handlers=dict(EXCEPTION_HANDLERS),
        openapi_config=None,
        logging_config=None,
    )


ROUTES: Final = [("POST", "/taken"), ("POST", "/bodiless"), ("GET", "/read")]


@asynccontextmanager
async def asking(client: Client) -> AsyncGenerator[asyncio.Task[int], None]:
    async with asyncio.TaskGroup() as tasks:
        task = tasks.create_task(client.ask())
        yield task


@pytest.mark.parametrize(("method", "path"), ROUTES)
async def test_who_leaves_while_waiting_leaves_the_line(method: str, path: str) -> None:
    place = Place()
    client = Client(serve(place), method, path)
    await place.share.acquire(OURS)
    async with asking(client) as asked:
        await until_so(lambda: place.share.waiting == 1)
        client.leaves.set()
        status = await asked

    assert (status, place.share.waiting, place.begun) == (CLIENT_GONE, 0, 0)


@pytest.mark.parametrize(("method", "path"), ROUTES)
async def test_who_leaves_meanwhile_gives_the_place_to_the_next(method: str, path: str) -> None:
    place = Place()
    app = serve(place)
    first, second = Client(app, method, path), Client(app, method, path)
    async with asking(first) as one, asking(second) as other:
        await until_so(lambda: (place.begun, place.share.waiting) == (1, 1))
        first.leaves.set()
        await until_so(lambda: place.begun == 2)
        place.may_end.set()
        statuses = await one, await other

    assert statuses[0] == CLIENT_GONE
    assert statuses[1] < 300
    assert place.share.is_idle


@pytest.mark.parametrize(("method", "path"), ROUTES)
async def test_who_stays_is_answered(method: str, path: str) -> None:
    place = Place()
    place.may_end.set()
    client = Client(serve(place), method, path)
    async with asyncio.timeout(60):
        status = await client.ask()

    assert status < 300
    assert client.messages[-1]["body"] == b"done"


async def test_a_route_that_does_not_say_so_goes_on() -> None:
    place = Place()
    client = Client(serve(place), "POST", "/settled")
    async with asking(client) as asked:
        await until_so(lambda: place.begun == 1)
        client.leaves.set()
        for _ in range(20):
            await asyncio.sleep(0)
        assert not asked.done()
        place.may_end.set()
        status = await asked

    assert status < 300
