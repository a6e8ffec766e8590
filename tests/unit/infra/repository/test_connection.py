"""Limiter of connections: who gets one next."""

import asyncio

import pytest

from domain.shared.capacity.fair_share import OF_THE_DEPLOYMENT
from domain.shared.capacity.processor import _IS_PREFERRED, _WORKING_FOR, work_for
from domain.shared.error import RateLimited, Unavailable
from infra.contract.storage.database import priority_scope
from infra.impl.repository.sql.engine.connection import ConnectionLimiter
from tests.support.wait import until_so

LONG_S = 60.0


def turns(
    count: int = 1,
    *,
    longest_s: float = LONG_S,
    stuck_s: float = LONG_S,
    most_waiting: int = 100,
    kept: int = 0,
) -> ConnectionLimiter:
    return ConnectionLimiter(
        count, longest_s=longest_s, stuck_s=stuck_s, most_waiting=most_waiting, kept=kept
    )


async def until_waiting(line: ConnectionLimiter, count: int) -> None:
    await until_so(lambda: line.waiting == count, pause_s=0)


async def test_as_many_as_there_are_turns_go_on_together() -> None:
    line = turns(3)

    async with line.turn(), line.turn(), line.turn():
        assert line.waiting == 0


async def test_who_came_first_is_first_and_work_under_way_before_all() -> None:
    line = turns()
    order: list[str] = []

    async def newcomer(name: str) -> None:
        async with line.turn():
            order.append(name)

    async def going_on(name: str) -> None:
        with priority_scope():
            await newcomer(name)

    async with asyncio.TaskGroup() as group, line.turn():
        for at, work in enumerate((newcomer("a"), newcomer("b"), going_on("c"), going_on("d"))):
            group.create_task(work)
            await until_waiting(line, at + 1)

    assert order == ["c", "d", "a", "b"]
    assert line.waiting == 0


async def test_what_is_kept_from_one_workspace_is_there_for_the_next() -> None:
    line = turns(3, kept=1)

    async with line.turn(), line.turn(), asyncio.TaskGroup() as group:
        third = group.create_task(line.turn().__aenter__())
        await until_waiting(line, 1)
        work_for(2)
        async with line.turn():
            assert line.waiting == 1
        work_for(OF_THE_DEPLOYMENT)
        third.cancel()


async def test_who_has_one_is_preferred_and_hurried_if_it_is_the_last_or_none_is_kept() -> None:
    def is_hurried() -> bool:
        return _WORKING_FOR.get() < 0

    work_for(2)
    line, all_alike = turns(3, kept=1), turns(3)

    async with line.turn():
        assert _IS_PREFERRED.get()
        assert not is_hurried()
        async with line.turn():
            work_for(3)
            async with line.turn():
                assert is_hurried()
    async with all_alike.turn():
        assert is_hurried()
    work_for(OF_THE_DEPLOYMENT)


async def test_tasks_of_accepted_work_are_under_way_too() -> None:
    line = turns()
    order: list[str] = []

    async def enter(name: str) -> None:
        async with line.turn():
            order.append(name)

    async with asyncio.TaskGroup() as group, line.turn():
        group.create_task(enter("new"))
        await until_waiting(line, 1)
        with priority_scope():
            group.create_task(enter("part"))
        await until_waiting(line, 2)

    assert order == ["part", "new"]


async def test_a_line_that_stands_still_is_an_outage() -> None:
    line = turns(stuck_s=0.02)
    async with line.turn():
        with pytest.raises(Unavailable):
            await line.turn().__aenter__()

    async with line.turn():
        assert line.waiting == 0


async def test_a_line_that_moves_too_slowly_is_too_many_requests() -> None:
    line = turns(2, longest_s=0.05)

    async def churn(over: asyncio.Event) -> None:
        with priority_scope():
            while not over.is_set():
                async with line.turn():
                    await asyncio.sleep(0.001)

    over = asyncio.Event()
    async with asyncio.TaskGroup() as group:
        for _ in range(4):
            group.create_task(churn(over))
        await until_waiting(line, 2)
        with pytest.raises(RateLimited) as refused:
            await line.turn().__aenter__()
        over.set()

    assert refused.value.retry_after_s
    assert line.waiting == 0


async def test_newcomers_are_refused_at_once_beyond_a_length() -> None:
    line = turns(most_waiting=1)
    async with asyncio.TaskGroup() as group, line.turn():
        first = group.create_task(pass_through(line))
        await until_waiting(line, 1)
        with pytest.raises(RateLimited):
            await pass_through(line)
        with priority_scope():
            urgent = group.create_task(pass_through(line))
        await until_waiting(line, 2)

    assert first.done()
    assert urgent.done()


async def test_who_leaves_the_line_takes_no_turn() -> None:
    line = turns()
    async with line.turn():
        tasks = [asyncio.ensure_future(pass_through(line)) for _ in range(5)]
        await until_waiting(line, 5)
        tasks[0].cancel()
        tasks[3].cancel()
    # The turn was given to the first one, which was cancelled in the same moment.
    results = await asyncio.gather(*tasks, return_exceptions=True)

    gone = [isinstance(result, asyncio.CancelledError) for result in results]
    assert gone == [True, False, False, True, False]
    async with line.turn():
        assert line.waiting == 0


async def pass_through(line: ConnectionLimiter) -> None:
    async with line.turn():
        await asyncio.sleep(0)
