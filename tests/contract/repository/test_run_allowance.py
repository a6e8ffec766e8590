"""Runs of workspaces with limits of their own, counted over processes, on SQLite and PostgreSQL."""

import asyncio
from collections import Counter
from collections.abc import Mapping
from datetime import UTC, datetime

import pytest

from application.run.allowance import RunAllowance
from domain.shared.capacity.space_limits import NONE_OF_ITS_OWN, SpaceLimits
from domain.shared.error import RateLimited
from domain.shared.ids import SpaceId
from infra.contract.storage.run_count import RunKind
from infra.impl.repository.sql.engine.database import Database
from infra.impl.repository.sql.operation.run_count import SqlRunCounts
from tests.support.clock import FrozenClock

NOW = datetime(2030, 5, 1, 9, 0, tzinfo=UTC)
LIMITED, OTHER = SpaceId(7), SpaceId(8)


class Process:
    """A process as far as it counts runs."""

    def __init__(
        self,
        database: Database,
        name: str,
        limits: Mapping[int, SpaceLimits],
        clock: FrozenClock,
        *,
        is_alone: bool = False,
    ) -> None:
        self.places: dict[RunKind, Counter[SpaceId]] = {kind: Counter() for kind in RunKind}
        self.allowance = RunAllowance(
            counts=SqlRunCounts(database, owner=name),
            clock=clock,
            limits_of=lambda space: limits.get(space, NONE_OF_ITS_OWN),
            limited=limits.keys,
            begins_alone=is_alone,
        )
        for kind, places in self.places.items():
            self.allowance.watch(kind, places.__getitem__)

    async def begin(self, kind: RunKind = RunKind.CHAT, space_id: SpaceId = LIMITED) -> bool:
        """Begin a run; False if it is refused."""
        try:
            async with self.allowance.admission(space_id, kind):
                self.places[kind][space_id] += 1
        except RateLimited:
            return False
        return True

    async def end(self, kind: RunKind = RunKind.CHAT) -> None:
        self.places[kind][LIMITED] -= 1
        await self.allowance.tend()


@pytest.fixture
def clock() -> FrozenClock:
    return FrozenClock(NOW)


@pytest.fixture
def limits(monkeypatch: pytest.MonkeyPatch) -> dict[int, SpaceLimits]:
    monkeypatch.setattr("application.run.allowance._LOOK_S", 0.0)
    return {int(LIMITED): SpaceLimits(runs=3)}


async def test_processes_together_hold_as_many_as_the_workspace_may_have(
    database: Database, limits: dict[int, SpaceLimits], clock: FrozenClock
) -> None:
    one, two = (Process(database, name, limits, clock) for name in ("one", "two"))

    begun = await asyncio.gather(*(each.begin() for each in (one, two) for _ in range(10)))
    assert sum(begun) == 3
    assert one.places[RunKind.CHAT][LIMITED] + two.places[RunKind.CHAT][LIMITED] == 3
    assert await one.begin(RunKind.WORKFLOW), "Workflows are counted apart."
    assert await two.begin(space_id=OTHER), "It has no limits of its own."

    busy, other = (one, two) if one.places[RunKind.CHAT][LIMITED] else (two, one)
    await busy.end()
    assert await other.begin()
    assert not await busy.begin()


async def test_a_refused_run_says_why_and_when_to_come_back(
    database: Database, limits: dict[int, SpaceLimits], clock: FrozenClock
) -> None:
    limits[int(LIMITED)] = SpaceLimits(runs=1, runs_per_min=2)
    one, two = (Process(database, name, limits, clock) for name in ("one", "two"))
    assert await one.begin()
    with pytest.raises(RateLimited) as refused:
        async with two.allowance.admission(LIMITED, RunKind.CHAT):
            pytest.fail("One is in progress.")
    assert refused.value.context["limit"] == "runs"
    assert refused.value.retry_after_s


async def test_processes_together_begin_as_many_within_a_minute_as_the_workspace_may(
    database: Database, limits: dict[int, SpaceLimits], clock: FrozenClock
) -> None:
    limits[int(LIMITED)] = SpaceLimits(runs_per_min=4)
    one, two = (Process(database, name, limits, clock) for name in ("one", "two"))

    begun = await asyncio.gather(*(each.begin() for each in (one, two) for _ in range(10)))
    assert sum(begun) == 4
    with pytest.raises(RateLimited) as refused:
        async with two.allowance.admission(LIMITED, RunKind.WORKFLOW):
            pytest.fail("Four have begun.")
    assert refused.value.context["limit"] == "runs_per_min"
    assert refused.value.retry_after_s == pytest.approx(15)

    clock.advance(seconds=15)
    assert await two.begin(RunKind.WORKFLOW)
    assert not await one.begin()


async def test_what_a_dead_process_held_is_not_counted_for_long(
    database: Database, limits: dict[int, SpaceLimits], clock: FrozenClock
) -> None:
    dead, alive = (Process(database, name, limits, clock) for name in ("dead", "alive"))
    for _ in range(2):
        assert await dead.begin()
    assert await alive.begin()
    assert not await alive.begin()

    clock.advance(seconds=40)
    await alive.allowance.tend()
    assert not await alive.begin(), "It may only be slow."
    clock.advance(seconds=40)
    await alive.allowance.tend()
    assert [await alive.begin() for _ in range(3)] == [True, True, False]


async def test_a_process_that_closes_holds_nothing(
    database: Database, limits: dict[int, SpaceLimits], clock: FrozenClock
) -> None:
    one, two = (Process(database, name, limits, clock) for name in ("one", "two"))
    await one.allowance.start()
    for _ in range(3):
        assert await one.begin()
    assert not await two.begin()

    await one.allowance.aclose()
    assert await two.begin()


async def test_a_process_that_begins_alone_counts_nobody_else(
    database: Database, limits: dict[int, SpaceLimits], clock: FrozenClock
) -> None:
    killed = Process(database, "killed", limits, clock)
    for _ in range(3):
        assert await killed.begin()

    again = Process(database, "again", limits, clock, is_alone=True)
    await again.allowance.start()
    assert await again.begin()
    await again.allowance.aclose()


async def test_runs_that_began_before_the_limit_count(
    database: Database, limits: dict[int, SpaceLimits], clock: FrozenClock
) -> None:
    own = limits.pop(int(LIMITED))
    one, two = (Process(database, name, limits, clock) for name in ("one", "two"))
    for _ in range(3):
        assert await one.begin()

    limits[int(LIMITED)] = own
    await one.allowance.tend()
    assert not await two.begin()


async def test_a_run_that_finds_no_place_is_counted_no_more(
    database: Database, limits: dict[int, SpaceLimits], clock: FrozenClock
) -> None:
    one, two = (Process(database, name, limits, clock) for name in ("one", "two"))
    for _ in range(5):
        with pytest.raises(KeyError):
            async with one.allowance.admission(LIMITED, RunKind.CHAT):
                raise KeyError
    await one.allowance.tend()
    assert [await two.begin() for _ in range(3)] == [True, True, True]
