"""Threads that are kept on one core, and those that run anywhere whatever the others do."""

import asyncio
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from infra.impl.child_process import ChildProcess
from infra.impl.table_store.sqlite import in_own_thread
from infra.impl.thread_affinity import RoamingThread, keep_together, processors, waits


@pytest.fixture(autouse=True)
def anywhere() -> Iterator[None]:
    if len(processors()) == 1:
        pytest.skip("There is one processor.")
    yield
    keep_together(False)


def mine() -> frozenset[int]:
    return frozenset(os.sched_getaffinity(0))


def in_roaming_thread() -> frozenset[int]:
    found = []
    thread = RoamingThread(target=lambda: found.append(mine()))
    thread.start()
    thread.join()
    return found[0]


def test_all_threads_share_the_core_of_the_caller_until_they_are_let_go() -> None:
    with ThreadPoolExecutor(1) as earlier, ThreadPoolExecutor(1) as later:
        earlier.submit(mine).result()

        keep_together(True)
        together = {mine(), earlier.submit(mine).result(), later.submit(mine).result()}
        keep_together(False)
        apart = {mine(), earlier.submit(mine).result(), later.submit(mine).result()}

    (shared,) = together
    assert len(shared) == 1
    assert apart == {processors()}


def test_the_processors_of_the_process_are_known_whatever_the_threads_do() -> None:
    keep_together(True)

    assert len(processors()) > len(mine())


def test_roaming_threads_run_anywhere() -> None:
    goes_on, found = threading.Event(), []

    def run() -> None:
        goes_on.wait(60)
        found.append(mine())

    earlier = RoamingThread(target=run)
    earlier.start()

    keep_together(True)
    goes_on.set()
    earlier.join()

    assert found == [processors()]
    assert in_roaming_thread() == processors()


async def test_statements_of_tenants_run_anywhere() -> None:
    keep_together(True)

    assert await in_own_thread(mine) == processors()


async def test_child_processes_run_anywhere() -> None:
    keep_together(True)

    child = await ChildProcess.start(
        *(sys.executable, "-I", "-S", "-c", "import os; print(len(os.sched_getaffinity(0)))"),
        env={},
        stdout=subprocess.PIPE,
    )
    assert child.stdout is not None
    async with asyncio.timeout(60):
        assert int(await child.stdout.read()) == len(processors())
        assert await child.wait() == 0


def test_waits_of_all_threads_are_counted() -> None:
    before = waits()

    with ThreadPoolExecutor(1) as pool:
        for _ in range(50):
            pool.submit(mine).result()

    assert waits() - before >= 50
