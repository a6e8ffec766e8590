"""Hits are written in time, and none twice."""

import asyncio
from contextlib import asynccontextmanager
from typing import Any

from application.knowledge.retrieval.hits import HitCounter
from application.knowledge.retrieval.settings import RetrievalSettings
from domain.knowledge.value import SliceId
from domain.shared.error import Unavailable
from tests.support.knowledge.library import Library
from tests.support.knowledge.sample import SCOPE, SPACE
from tests.support.knowledge.world import World


class AwayStore:
    """A database that cannot be written for the first calls."""

    def __init__(self, store: Any, *, failures: int) -> None:
        self._store = store
        self.left = failures

    @asynccontextmanager
    async def transaction(self) -> Any:
        if self.left > 0:
            self.left -= 1
            raise Unavailable("The database is away.")
        async with self._store.transaction() as uow:
            yield uow


async def hits_of(world: World, *slice_ids: int) -> list[int]:
    async with world.store.snapshot() as uow:
        found = await uow.slices.get_many(SCOPE, [SliceId(one) for one in slice_ids])
    return [item.hit_count for item in found]


async def counted(world: World, hits: dict[int, int]) -> None:
    """Wait until so many hits are written."""
    async with asyncio.timeout(60):
        while True:
            if await hits_of(world, *hits) == list(hits.values()):
                return
            await asyncio.sleep(0.01)


async def test_many_hits_are_written_at_once(world: World) -> None:
    library = Library(world)
    await library.shelve(await library.base(1), 11, "one", "two")
    settings = RetrievalSettings(hits=3, hits_flush_s=3600.0)
    counter = HitCounter(store=world.store, settings=settings)
    await counter.start()
    counter.add(SPACE, [1101, 1102])
    counter.add(SPACE, [1101, 404])
    await counted(world, {1101: 2, 1102: 1})
    await counter.aclose()
    assert await hits_of(world, 1101, 1102) == [2, 1]


async def test_hits_wait_for_a_database_that_is_away(world: World) -> None:
    library = Library(world)
    await library.shelve(await library.base(1), 11, "one")
    store = AwayStore(world.store, failures=2)
    settings = RetrievalSettings(hits_flush_s=0.01)
    counter = HitCounter(store=store, settings=settings)  # type: ignore[arg-type]
    await counter.start()
    counter.add(SPACE, [1101])
    await counted(world, {1101: 1})
    await counter.aclose()
    assert (await hits_of(world, 1101), store.left) == ([1], 0)
