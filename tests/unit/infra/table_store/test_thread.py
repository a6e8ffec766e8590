"""Threads of statements: what takes long leaves the processor to others, and ends when told."""

import asyncio
import os
import sqlite3
import sys
import threading

import pytest

from infra.impl.table_store.sqlite import in_own_thread
from infra.impl.table_store.sqlite_file import Stop

ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT COUNT(*) FROM n"
LOWEST = 19


def priority() -> int:
    return os.getpriority(os.PRIO_PROCESS, threading.get_native_id())


async def test_results_and_errors_come_through() -> None:
    assert await in_own_thread(max, 3, 5) == 5
    with pytest.raises(ZeroDivisionError):
        await in_own_thread(lambda: 1 // 0)


@pytest.mark.skipif(sys.platform != "linux", reason="threads have a priority of their own there")
async def test_long_work_gets_the_lowest_priority_and_short_work_keeps_its_own() -> None:
    release = threading.Event()
    numbers: list[int] = []

    def work() -> int:
        numbers.append(threading.get_native_id())
        release.wait()
        return priority()

    task = asyncio.ensure_future(in_own_thread(work))
    async with asyncio.timeout(60):
        while not numbers or os.getpriority(os.PRIO_PROCESS, numbers[0]) != LOWEST:  # noqa: ASYNC110 - the kernel tells nobody
            await asyncio.sleep(0.01)
    release.set()

    assert await task == LOWEST
    assert await in_own_thread(priority) == priority()


async def test_a_statement_ends_when_it_is_stopped() -> None:
    stop, begun = Stop(), threading.Event()

    def work() -> None:
        connection = sqlite3.connect(":memory:")
        connection.set_progress_handler(lambda: begun.set(), 1000)  # noqa: PLW0108 - returns None
        with stop.reaching(connection):
            connection.execute(ENDLESS).fetchall()

    task = asyncio.ensure_future(in_own_thread(work))
    async with asyncio.timeout(60):
        await asyncio.to_thread(begun.wait)
        stop.set()
        with pytest.raises(sqlite3.OperationalError, match="interrupted"):
            await task


def test_stopping_without_a_statement_is_remembered() -> None:
    stop = Stop()

    stop.set()

    assert stop.is_set
