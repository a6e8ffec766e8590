"""Collections leave the memory when they are idle, and come back by one load for all who ask."""

import asyncio

import pytest

from infra.impl.search_index.milvus.calls import LoadedCollections
from tests.support.wait import until_so

IDLE_S = 60.0


class Server:
    """What is in its memory; loads take until they are told to end."""

    def __init__(self) -> None:
        self.now = 0.0
        self.loaded: set[str] = set()
        self.loads: list[asyncio.Future[None]] = []
        self.is_away = False

    async def load(self, name: str) -> asyncio.Future[None]:
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        future.add_done_callback(lambda done: self._loaded(name, done))
        self.loads.append(future)
        return future

    def _loaded(self, name: str, done: asyncio.Future[None]) -> None:
        if done.exception() is None:
            self.loaded.add(name)

    async def release(self, name: str) -> None:
        if self.is_away:
            raise ConnectionError
        self.loaded.discard(name)


@pytest.fixture
def server() -> Server:
    return Server()


@pytest.fixture
def collections(server: Server) -> LoadedCollections:
    return LoadedCollections(
        load=server.load, release=server.release, idle_s=IDLE_S, monotonic=lambda: server.now
    )


async def reading(collections: LoadedCollections, server: Server, name: str = "kb") -> None:
    """Read as a search does: load what is not there."""
    with collections.use(name) as loads:
        if name not in server.loaded:
            await collections.load(name, seen=loads)
        assert name in server.loaded


async def test_many_readers_cause_one_load(collections: LoadedCollections, server: Server) -> None:
    async with asyncio.TaskGroup() as group:
        for _ in range(50):
            group.create_task(reading(collections, server))
        await until_so(lambda: bool(server.loads), pause_s=0)
        for _ in range(10):
            await asyncio.sleep(0)
        server.loads[0].set_result(None)

    assert len(server.loads) == 1


async def test_a_load_goes_on_when_its_readers_give_up(
    collections: LoadedCollections, server: Server
) -> None:
    for _ in range(3):
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.01):
                await reading(collections, server)
    async with asyncio.TaskGroup() as group:
        group.create_task(reading(collections, server))
        await asyncio.sleep(0)
        server.loads[0].set_result(None)

    assert len(server.loads) == 1


async def test_a_load_that_fails_is_told_and_tried_again(
    collections: LoadedCollections, server: Server
) -> None:
    async with asyncio.TaskGroup() as group:
        first = group.create_task(_failing(collections, server))
        await until_so(lambda: bool(server.loads), pause_s=0)
        server.loads[0].set_exception(ConnectionError())
        await first
        second = group.create_task(reading(collections, server))
        await until_so(lambda: len(server.loads) == 2, pause_s=0)
        server.loads[1].set_result(None)
        await second


async def _failing(collections: LoadedCollections, server: Server) -> None:
    with pytest.raises(ConnectionError):
        await reading(collections, server)


async def test_only_what_is_idle_is_released(
    collections: LoadedCollections, server: Server
) -> None:
    server.loaded = {"used", "idle", "busy", "unknown"}
    for name in ("used", "idle", "busy"):
        await reading(collections, server, name)
    server.now = IDLE_S - 1
    await reading(collections, server, "used")
    server.now = IDLE_S
    with collections.use("busy"):
        assert await collections.release_idle() == ["idle"]

    assert server.loaded == {"used", "busy", "unknown"}
    assert await collections.release_idle() == []


async def test_a_server_that_is_away_is_asked_again(
    collections: LoadedCollections, server: Server
) -> None:
    server.loaded = {"kb"}
    await reading(collections, server)
    server.now, server.is_away = IDLE_S, True
    with pytest.raises(ConnectionError):
        await collections.release_idle()

    server.is_away = False
    assert await collections.release_idle() == ["kb"]


async def test_without_a_limit_everything_stays(server: Server) -> None:
    collections = LoadedCollections(
        load=server.load, release=server.release, idle_s=0, monotonic=lambda: server.now
    )
    server.loaded = {"kb"}
    await reading(collections, server)
    server.now = 10 * IDLE_S

    assert await collections.release_idle() == []
