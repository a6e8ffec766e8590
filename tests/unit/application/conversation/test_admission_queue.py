"""The line of runs that wait to be stored: few at a time, in order, and not for long."""

import asyncio

import pytest

from application.conversation.run.admission_queue import AdmissionQueue
from application.conversation.run.live import chat_registry
from application.shared.traffic import ShedMeter
from domain.shared.error import RateLimited
from domain.shared.limits import Limits
from infra.contract.observability.metrics import Metrics

SPACE = 1


def line(**limits: float) -> AdmissionQueue:
    found = Limits(**{"run_starts": 1, **limits})  # type: ignore[arg-type]
    registry = chat_registry(found)
    return AdmissionQueue(registry=registry, limits=found, meter=ShedMeter(metrics=Metrics()))


class Crowd:
    """Runs that begin when they may and stay until they are told to go."""

    def __init__(self, start: AdmissionQueue) -> None:
        self.begun: list[int] = []
        self.may_go = asyncio.Event()
        self._line = start

    async def run(self, number: int, *, space: int = SPACE) -> None:
        async with self._line.turn(space):
            self.begun.append(number)
            await self.may_go.wait()

    async def come(self, *numbers: int) -> list[asyncio.Task[None]]:
        tasks = [asyncio.ensure_future(self.run(number)) for number in numbers]
        await asyncio.sleep(0)
        return tasks


async def test_few_begin_at_a_time_in_the_order_they_came() -> None:
    crowd = Crowd(line(run_starts=2))
    tasks = await crowd.come(*range(5))
    assert crowd.begun == [0, 1]

    crowd.may_go.set()
    await asyncio.gather(*tasks)

    assert crowd.begun == [0, 1, 2, 3, 4]


async def test_who_comes_is_refused_while_the_line_does_not_move() -> None:
    start = line(run_wait_s=0.01)
    crowd = Crowd(start)
    tasks = await crowd.come(0, 1, 2, 3)
    await asyncio.sleep(0.05)
    start.require_short(SPACE)  # few may wait however long it takes
    tasks += await crowd.come(4)

    with pytest.raises(RateLimited) as refused:
        start.require_short(SPACE)
    with pytest.raises(RateLimited):
        await crowd.run(5)

    assert refused.value.retry_after_s
    crowd.may_go.set()
    await asyncio.gather(*tasks)
    start.require_short(SPACE)
    assert crowd.begun == [0, 1, 2, 3, 4]


async def test_a_line_of_twice_the_runs_is_full() -> None:
    crowd = Crowd(line(runs_per_process=2))
    tasks = await crowd.come(0, 1, 2, 3, 4)

    with pytest.raises(RateLimited):
        await crowd.run(5)

    crowd.may_go.set()
    await asyncio.gather(*tasks)


async def test_nobody_waits_for_ever() -> None:
    crowd = Crowd(line(run_wait_max_s=0.01))
    first, second = await crowd.come(1, 2)

    with pytest.raises(RateLimited):
        await second

    crowd.may_go.set()
    await first


async def test_who_leaves_the_line_loses_no_turn() -> None:
    crowd = Crowd(line())
    first, second, third = await crowd.come(1, 2, 3)

    second.cancel()
    crowd.may_go.set()
    await asyncio.gather(first, third)

    assert crowd.begun == [1, 3]


async def test_who_gave_up_is_passed_over() -> None:
    start = line()
    crowd = Crowd(start)
    crowd.may_go.set()
    async with start.turn(SPACE):
        second, third = await crowd.come(2, 3)
        second.cancel()  # it has not noticed yet when the turn is passed on

    await asyncio.wait([second, third])

    assert second.cancelled()
    assert crowd.begun == [3]


async def test_a_turn_that_comes_while_its_owner_leaves_goes_on() -> None:
    start = line()
    crowd = Crowd(start)
    crowd.may_go.set()
    async with start.turn(SPACE):
        second, third = await crowd.come(2, 3)
    second.cancel()  # nothing ran since the turn was given to it

    await asyncio.wait([second, third])

    assert second.cancelled()
    assert crowd.begun == [3]


async def test_a_crowd_of_one_workspace_holds_no_other_up() -> None:
    crowd = Crowd(line(run_wait_s=0.0))
    tasks = await crowd.come(*range(5))
    with pytest.raises(RateLimited):
        await crowd.run(9)
    other = asyncio.ensure_future(crowd.run(100, space=SPACE + 1))
    await asyncio.sleep(0)

    crowd.may_go.set()
    await asyncio.gather(other, *tasks)

    assert crowd.begun.index(100) <= 2
