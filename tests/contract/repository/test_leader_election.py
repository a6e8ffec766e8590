"""Who does what is to be done once, on SQLite and PostgreSQL."""

import asyncio
from datetime import UTC, datetime

from application.shared.leader import scheduled
from infra.impl.repository.sql.engine.database import Database
from infra.impl.repository.sql.operation.leader_election import SqlLeaderElection
from tests.support.clock import FrozenClock

NOW = datetime(2030, 5, 1, 9, 0, tzinfo=UTC)


async def test_a_duty_has_one_holder_who_keeps_it(database: Database) -> None:
    clock = FrozenClock(NOW)
    one, two = (SqlLeaderElection(database, clock=clock, owner=name) for name in ("one", "two"))

    taken = await asyncio.gather(one.take("a", for_s=10), two.take("a", for_s=10))
    holder, other = (one, two) if taken[0] else (two, one)

    assert sorted(taken) == [False, True]
    assert await holder.take("a", for_s=10)
    assert not await other.take("a", for_s=10)
    assert await other.take("b", for_s=10)


async def test_a_duty_goes_on_with_another_holder(database: Database) -> None:
    clock = FrozenClock(NOW)
    one, two = (SqlLeaderElection(database, clock=clock, owner=name) for name in ("one", "two"))
    await one.take("lost", for_s=10)
    await one.take("given up", for_s=10)

    clock.advance(seconds=11)
    assert await two.take("lost", for_s=10)
    assert not await one.take("lost", for_s=10)

    await two.aclose()
    assert await one.take("lost", for_s=10)


async def test_duties_are_told_by_who_holds_them_now(database: Database) -> None:
    clock = FrozenClock(NOW)
    one, two = (SqlLeaderElection(database, clock=clock, owner=name) for name in ("one", "two"))
    await one.take("short", for_s=10)
    await one.take("b", for_s=60)
    await one.take("a", for_s=60)
    await two.take("c", for_s=60)

    clock.advance(seconds=11)

    assert await one.held() == await two.held() == {"one": ["a", "b"], "two": ["c"]}


async def test_scheduled_steps_are_done_by_one_of_two(database: Database) -> None:
    clock, done = FrozenClock(NOW), asyncio.Queue[str](maxsize=1000)
    elections = [SqlLeaderElection(database, clock=clock, owner=name) for name in ("one", "two")]

    def step(name: str) -> None:
        done.put_nowait(name)

    async def as_one() -> None:
        step("one")

    async def as_two() -> None:
        step("two")

    loops = [
        scheduled(work, name="a", interval_s=0.01, election=election)
        for work, election in zip((as_one, as_two), elections, strict=True)
    ]
    for loop in loops:
        await loop.start()
    async with asyncio.timeout(60):
        found = {await done.get() for _ in range(5)}
    for loop in loops:
        await loop.aclose()

    assert len(found) == 1
