"""Processor share: whoever used least goes first, nobody starves, and nothing else changes."""

import asyncio
import threading
import time
from collections.abc import AsyncGenerator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.shared.capacity.fair_share import OF_THE_DEPLOYMENT
from domain.shared.capacity.processor import (
    ProcessorShare,
    SharedThreads,
    Steps,
    in_turn,
    preferred,
    unthrottled,
    work_for,
    working_for,
)
from domain.shared.capacity.share_meter import ShareFigures
from infra.contract.observability.metrics import Metrics
from tests.support.wait import until_so

FLOODER, OTHER, THIRD = 10, 11, 12


def never() -> float:
    return 0.0


class Bench:
    """A share whose time is told, and the order in which steps were done."""

    def __init__(self, *, tick_s: float = 0.0002) -> None:
        self.now = 0.0
        self._tick_s = tick_s
        self.switched: list[float] = []
        self.metrics = Metrics()
        self.share = ProcessorShare(
            clock=self._clock,
            processor=never,
            switch=self.switched.append,
            figures=ShareFigures(self.metrics),
        )
        self.done: list[int] = []
        self.tasks: list[asyncio.Task[Any]] = []

    def _clock(self) -> float:
        self.now += self._tick_s
        return self.now

    def use(self, **seconds: float) -> None:
        """Have workspaces use so much, in a second in which the process was busy."""
        for name, each in seconds.items():
            space = {"flooder": FLOODER, "other": OTHER, "third": THIRD}[name]
            self.share.asked(space)
            self.share.charge(space, each)
        self.share.look(elapsed_s=1.0, used_s=1.0)

    def start(self, space: int, work: Callable[[], Coroutine[Any, Any, Any]]) -> asyncio.Task[Any]:
        async def tagged() -> Any:
            work_for(space)
            await asyncio.sleep(0)
            return await work()

        task = asyncio.get_running_loop().create_task(Steps(tagged(), self.share))
        self.tasks.append(task)
        return task

    def steps(self, space: int, count: int, *, cost_s: float = 0.0) -> asyncio.Task[Any]:
        async def work() -> None:
            for _ in range(count):
                self.now += cost_s
                self.done.append(space)
                await asyncio.sleep(0)

        return self.start(space, work)


def test_nobody_is_heavy_while_there_is_enough_for_all() -> None:
    bench = Bench()
    for space, seconds in ((FLOODER, 0.1), (OTHER, 0.001)):
        bench.share.asked(space)
        bench.share.charge(space, seconds)

    bench.share.look(elapsed_s=1.0, used_s=0.1)

    assert not bench.share.is_busy
    assert bench.share.heavy == frozenset()


def test_a_workspace_alone_is_never_heavy() -> None:
    bench = Bench()

    bench.use(flooder=1.0)

    assert not bench.share.is_busy
    assert bench.share.heavy == frozenset()


def test_who_uses_as_much_as_the_others_is_not_heavy() -> None:
    bench = Bench()

    bench.use(flooder=0.4, other=0.3, third=0.3)

    assert bench.share.heavy == frozenset()


def test_who_uses_much_more_than_the_others_is_heavy_until_that_is_long_ago() -> None:
    bench = Bench()
    bench.use(flooder=0.9, other=0.01)
    assert bench.share.heavy == {FLOODER}

    for _ in range(100):
        bench.share.charge(OTHER, 0.01)
        bench.share.look(elapsed_s=0.1, used_s=0.1)

    assert FLOODER not in bench.share.heavy


def test_threads_give_way_sooner_only_as_long_as_several_share_a_busy_process() -> None:
    bench = Bench()
    bench.use(flooder=0.5)
    assert bench.switched == []

    bench.use(flooder=0.5, other=0.1)
    bench.use(flooder=0.5, other=0.1)
    (soon,) = bench.switched
    bench.share.look(elapsed_s=1.0, used_s=0.0)

    own = 0.005  # of the interpreter, unless somebody sets another one
    assert bench.switched == [soon, own]
    assert soon < own


async def test_threads_that_wait_often_share_a_core_until_there_is_little_to_do() -> None:
    told: list[bool] = []
    used = waited = 0.0

    def compute() -> float:
        nonlocal used
        used += work
        return used

    def wait() -> int:
        nonlocal waited
        waited += work / 0.00005
        return int(waited)

    share = ProcessorShare(processor=compute, waits=wait, keep_together=told.append, switch=print)
    share.serve(asyncio.get_running_loop())
    work = 60.0  # longer than any look comes late
    share.begin(FLOODER)
    await until_so(lambda: told == [True])
    work = 0.0
    await until_so(lambda: told == [True, False])


def test_threads_of_a_process_that_serves_nobody_are_left_alone() -> None:
    told: list[bool] = []
    share = ProcessorShare(keep_together=told.append)

    share.look(elapsed_s=1.0, used_s=0.9, waits=20_000)

    assert told == []


async def test_a_step_of_others_waits_for_one_step_of_a_flood() -> None:
    bench = Bench()
    bench.use(flooder=0.9, other=0.01)
    for _ in range(50):
        _ = bench.steps(FLOODER, 20)
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    bench.done.clear()

    await bench.steps(OTHER, 20)

    assert bench.done.count(FLOODER) <= 2 * bench.done.count(OTHER)
    await asyncio.gather(*bench.tasks)


async def test_while_others_do_step_after_step_a_flood_does_one_now_and_then() -> None:
    bench = Bench(tick_s=0.0)  # whatever others did, they did it just now
    bench.use(flooder=0.9, other=0.01)
    for _ in range(5):
        _ = bench.steps(FLOODER, 5)
    await bench.steps(OTHER, 1)
    bench.done.clear()
    began = time.perf_counter()

    async def goes_on() -> None:
        for _ in range(50):
            await asyncio.sleep(0.0005)

    await bench.start(OTHER, goes_on)

    assert bench.done.count(FLOODER) <= (time.perf_counter() - began) / 0.03 + 2
    async with asyncio.timeout(60):
        await asyncio.gather(*bench.tasks)


async def test_while_others_have_work_in_threads_a_flood_does_a_step_now_and_then() -> None:
    bench = Bench(tick_s=1.0)  # whatever others did on the loop, that was long ago
    bench.use(flooder=0.9, other=0.01)
    goes_on = threading.Event()
    async with threads(bench.share) as pool:
        loop = asyncio.get_running_loop()
        work_for(OTHER)
        work = loop.run_in_executor(pool, goes_on.wait)
        _ = [bench.steps(FLOODER, 1) for _ in range(40)]
        began = time.perf_counter()
        for _ in range(50):
            await asyncio.sleep(0.001)
        done, took_s = bench.done.count(FLOODER), time.perf_counter() - began
        goes_on.set()
        await work
        async with asyncio.timeout(60):
            await asyncio.gather(*bench.tasks)

    assert done <= took_s / 0.03 + 2
    assert bench.done.count(FLOODER) == 40
    assert not bench.share.away
    work_for(OF_THE_DEPLOYMENT)


async def test_while_others_wait_for_a_process_a_flood_does_a_step_now_and_then() -> None:
    bench = Bench(tick_s=1.0)
    bench.use(flooder=0.9, other=0.01)
    with bench.share.absence(OTHER):
        _ = [bench.steps(FLOODER, 1) for _ in range(40)]
        began = time.perf_counter()
        for _ in range(50):
            await asyncio.sleep(0.001)
        done, took_s = bench.done.count(FLOODER), time.perf_counter() - began
    async with asyncio.timeout(60):
        await asyncio.gather(*bench.tasks)

    assert done <= took_s / 0.03 + 2
    assert bench.done.count(FLOODER) == 40
    assert not bench.share.away


def test_a_flood_does_not_wait_for_its_own_processes() -> None:
    bench = Bench(tick_s=1.0)
    bench.use(flooder=0.9, other=0.01)

    with bench.share.absence(FLOODER):
        assert not bench.share.are_others_near()


async def test_of_heavy_ones_who_used_least_goes_first_and_nobody_starves() -> None:
    bench = Bench()
    bench.use(flooder=0.9, other=0.6, third=0.0006)
    bench.share.heavy = frozenset({FLOODER, OTHER})
    for _ in range(10):
        _ = bench.steps(FLOODER, 40, cost_s=0.01)
        _ = bench.steps(OTHER, 40, cost_s=0.01)

    await asyncio.gather(*bench.tasks)

    early, late = bench.done[:25], bench.done[100:200]
    assert early.count(OTHER) >= 20
    assert abs(late.count(FLOODER) - late.count(OTHER)) <= 4


async def test_what_others_wait_for_is_done_without_waiting() -> None:
    bench = Bench()
    bench.use(flooder=0.9, other=0.01)
    order: list[str] = []

    async def holding() -> None:
        with unthrottled():
            assert working_for() == FLOODER
            for _ in range(3):
                order.append("held")
                await asyncio.sleep(0)
        order.append("free")

    for _ in range(50):
        _ = bench.steps(FLOODER, 5)
    await bench.start(FLOODER, holding)

    assert order == ["held", "held", "held", "free"]
    await asyncio.gather(*bench.tasks)


async def test_what_its_own_workspace_waits_for_is_done_before_all_else_of_it() -> None:
    bench = Bench()
    bench.use(flooder=0.9, other=0.01)

    async def holding() -> int:
        with preferred():
            await asyncio.sleep(0)
            bench.done.clear()
            for _ in range(3):
                await asyncio.sleep(0)
            return len(bench.done)

    for _ in range(50):
        _ = bench.steps(FLOODER, 20)

    assert await bench.start(FLOODER, holding) <= 6
    await asyncio.gather(*bench.tasks)


@settings(deadline=None)
@given(
    st.lists(
        st.tuples(st.sampled_from((FLOODER, OTHER, THIRD)), st.integers(0, 6), st.booleans()),
        max_size=20,
    ),
    st.integers(0, 12),
)
async def test_whoever_is_cancelled_gives_the_turn_back(
    works: list[tuple[int, int, bool]], after: int
) -> None:
    bench = Bench()
    bench.share.charge(FLOODER, 0.9)
    bench.use(other=0.01)
    bench.share.heavy = frozenset({FLOODER, OTHER})
    tasks = [(bench.steps(space, count), is_hit) for space, count, is_hit in works]
    for _ in range(after):
        await asyncio.sleep(0)

    for task, is_hit in tasks:
        if is_hit:
            task.cancel()
    async with asyncio.timeout(60):
        results = await asyncio.gather(*bench.tasks, return_exceptions=True)

    for (_, is_hit), result in zip(tasks, results, strict=True):
        assert result is None or (is_hit and isinstance(result, asyncio.CancelledError))
    await until_so(lambda: bench.share.is_idle)


async def test_results_and_errors_come_through() -> None:
    bench = Bench()
    bench.use(flooder=0.9, other=0.01)

    async def fails() -> None:
        await asyncio.sleep(0)
        raise ValueError("wrong")

    async def gives() -> int:
        with pytest.raises(ValueError, match="wrong"):
            await bench.start(FLOODER, fails)
        async with asyncio.timeout(60):
            await asyncio.sleep(0.001)
        return 7

    assert await bench.start(FLOODER, gives) == 7


@asynccontextmanager
async def threads(share: ProcessorShare) -> AsyncGenerator[SharedThreads, None]:
    pool = SharedThreads(share)
    try:
        yield pool
    finally:
        await asyncio.to_thread(pool.shutdown)


async def test_threads_are_left_for_others() -> None:
    bench = Bench()
    gate = threading.Event()
    loop = asyncio.get_running_loop()
    async with threads(bench.share) as pool:
        work_for(FLOODER)
        flood = [loop.run_in_executor(pool, gate.wait) for _ in range(100)]
        work_for(OTHER)
        other = loop.run_in_executor(pool, threading.get_ident)

        async with asyncio.timeout(60):
            await other
        assert not any(each.done() for each in flood)
        gate.set()
        await asyncio.gather(*flood)
    work_for(OF_THE_DEPLOYMENT)


async def test_every_thread_is_prepared_before_it_works() -> None:
    prepared: set[int] = set()
    share = ProcessorShare(prepare=lambda: prepared.add(threading.get_ident()), switch=print)
    loop = asyncio.get_running_loop()
    async with threads(share) as pool:
        for _ in range(20):
            thread = await loop.run_in_executor(pool, threading.get_ident)
            assert thread in prepared


async def test_a_heavy_workspace_has_one_thread() -> None:
    bench = Bench()
    bench.use(flooder=0.9, other=0.01)
    most, running = 0, 0
    lock = threading.Lock()
    loop = asyncio.get_running_loop()

    def work() -> None:
        nonlocal most, running
        with lock:
            running += 1
            most = max(most, running)
        with lock:
            running -= 1

    async with threads(bench.share) as pool:
        work_for(FLOODER)
        await asyncio.gather(*(loop.run_in_executor(pool, work) for _ in range(50)))
    work_for(OF_THE_DEPLOYMENT)

    assert most == 1


def compute(*, for_s: float) -> None:
    began = time.thread_time()
    while time.thread_time() - began < for_s:
        pass


async def test_what_a_flood_computes_in_a_thread_goes_between_the_work_of_others() -> None:
    bench = Bench(tick_s=1.0)  # whatever others did on the loop, that was long ago
    bench.use(flooder=0.9, other=0.01)
    goes_on, done = threading.Event(), 0
    loop = asyncio.get_running_loop()

    def pieces() -> None:
        nonlocal done
        for _ in in_turn(range(20)):
            compute(for_s=0.003)
            done += 1

    async with threads(bench.share) as pool:
        work_for(OTHER)
        others = loop.run_in_executor(pool, goes_on.wait)
        work_for(FLOODER)
        began = time.perf_counter()
        flood = loop.run_in_executor(pool, pieces)
        await asyncio.sleep(0.1)  # others are at work meanwhile; how long it took is measured
        beside, took_s = done, time.perf_counter() - began
        goes_on.set()
        await others
        async with asyncio.timeout(60):
            await flood
    work_for(OF_THE_DEPLOYMENT)

    assert beside <= took_s / 0.03 + 1
    assert done == 20


async def test_others_and_the_event_loop_compute_without_looking_who_is_at_work() -> None:
    bench = Bench()
    bench.use(flooder=0.9, other=0.01)
    looked_at = bench.now
    loop = asyncio.get_running_loop()

    def pieces() -> int:
        for _ in in_turn(range(5)):
            compute(for_s=0.003)
        return threading.get_ident()

    async with threads(bench.share) as pool:
        for space in (OTHER, OF_THE_DEPLOYMENT):
            work_for(space)
            assert await loop.run_in_executor(pool, pieces) != threading.get_ident()
        work_for(FLOODER)
        assert pieces() == threading.get_ident()
    work_for(OF_THE_DEPLOYMENT)

    assert bench.now == looked_at


async def test_waits_are_told() -> None:
    bench = Bench()
    bench.use(flooder=0.9, other=0.01)
    gate = threading.Event()
    loop = asyncio.get_running_loop()
    steps = [bench.steps(FLOODER, 3) for _ in range(2)]
    async with threads(bench.share) as pool:
        work_for(FLOODER)
        jobs = [loop.run_in_executor(pool, gate.wait) for _ in range(3)]
        during = bench.metrics.render().decode()
        gate.set()
        await asyncio.gather(*jobs, *steps)
    work_for(OF_THE_DEPLOYMENT)

    after = bench.metrics.render().decode().splitlines()
    assert 'coterie_share_waiting{resource="threads"} 2' in during
    assert 'coterie_share_waiting{resource="threads"} 0' in after
    assert 'coterie_share_wait_seconds_count{resource="threads"} 2' in after
    (waits,) = (line for line in after if "seconds_count" in line and "processor" in line)
    assert float(waits.split()[1]) > 0


async def test_work_that_is_cancelled_in_the_line_is_not_done() -> None:
    bench = Bench()
    bench.use(flooder=0.9, other=0.01)
    gate = threading.Event()
    done: list[int] = []
    loop = asyncio.get_running_loop()
    async with threads(bench.share) as pool:
        work_for(FLOODER)
        first = loop.run_in_executor(pool, gate.wait)
        rest = [loop.run_in_executor(pool, done.append, number) for number in range(4)]
        rest[1].cancel()
        await asyncio.sleep(0)
        gate.set()
        await first
        await asyncio.gather(*rest, return_exceptions=True)
    work_for(OF_THE_DEPLOYMENT)

    assert done == [0, 2, 3]
