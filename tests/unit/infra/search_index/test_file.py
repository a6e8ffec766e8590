"""Threads and processes in which the embedded indexes work."""

import asyncio
import multiprocessing
import sqlite3
import threading
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

import pytest

from domain.shared.capacity.processor import ProcessorShare, SharedThreads
from domain.shared.error import Unavailable
from infra.contract.storage.search_index import CollectionDiffers, CollectionNotFound
from infra.impl.search_index.embedded.file import SqliteFile, SqliteFiles, counter, set_meta
from tests.support.wait import until_so


def files(folder: Path) -> SqliteFiles:
    return SqliteFiles(folder, kind="text", schema=())


def in_own_loop(work: Coroutine[Any, Any, None]) -> None:
    """Run on a loop whose threads are shared by workspaces, as those of a server are."""

    async def served() -> None:
        share = ProcessorShare(switch=lambda _: None)
        asyncio.get_running_loop().set_default_executor(SharedThreads(share))
        await work

    asyncio.run(served())


def test_indexes_work_in_the_threads_that_workspaces_share(tmp_path: Path) -> None:
    async def work() -> None:
        index = files(tmp_path)
        await index.start()
        thread = await index.run(threading.current_thread)
        await index.aclose()

        assert thread.name.startswith("shared")

    in_own_loop(work())


def test_indexes_are_closed_when_what_nobody_awaits_any_more_is_done(tmp_path: Path) -> None:
    async def work() -> None:
        index, begun, gate = files(tmp_path), threading.Event(), threading.Event()
        await index.start()

        def slow() -> None:
            begun.set()
            gate.wait(60)

        left = asyncio.ensure_future(index.run(slow))
        await until_so(begun.is_set)
        left.cancel()
        closing = asyncio.ensure_future(index.aclose())
        await until_so(left.done)
        was_closed = closing.done()
        gate.set()
        await closing

        assert not was_closed

    in_own_loop(work())


def create_together(folder: Path, numbers: range, start: Any) -> None:
    """Make collections at the same time as another process; its threads have the same numbers."""
    index = files(folder)
    for number in numbers:
        start.wait(60)
        index.create(f"collection{number}", {"analyzer": "words"})


def test_forked_processes_create_the_same_collections(tmp_path: Path) -> None:
    forking, numbers = multiprocessing.get_context("forkserver"), range(40)
    start = forking.Barrier(2)
    processes = [
        forking.Process(target=create_together, args=(tmp_path, numbers, start)) for _ in range(2)
    ]
    for process in processes:
        process.start()
    for process in processes:
        process.join(60)

    assert [process.exitcode for process in processes] == [0, 0]
    assert files(tmp_path).names("") == sorted(f"collection{number}" for number in numbers)
    assert not [*tmp_path.glob("*.new*")]


def test_a_dropped_collection_leaves_nothing_of_a_process_that_was_killed(tmp_path: Path) -> None:
    index = files(tmp_path)
    index.create("kept", {})
    index.create("dropped", {})
    for name in ("kept", "dropped"):
        (tmp_path / f"{name}.text.db.0123.new").touch()
        (tmp_path / f"{name}.text.db.0123.new-wal").touch()

    index.drop("dropped")

    assert not [*tmp_path.glob("dropped*")]
    assert len([*tmp_path.glob("kept*")]) == 3


async def test_a_collection_is_usable_after_what_could_not_be_committed(tmp_path: Path) -> None:
    index = files(tmp_path)
    index.create("one", {})

    def spoil(file: SqliteFile) -> None:
        with file.writing() as connection:
            set_meta(connection, "number", 1)
            connection.execute("COMMIT")  # so that the commit of the block fails

    def count(file: SqliteFile) -> int:
        with file.writing() as connection:
            set_meta(connection, "number", counter(connection, "number") + 1)
        with file.reading() as connection:
            return counter(connection, "number")

    with pytest.raises(Unavailable) as refusal:
        await index.on("one", spoil)
    assert isinstance(refusal.value.__cause__, sqlite3.OperationalError)
    assert await index.on("one", count) == 2
    await index.aclose()


async def test_what_is_open_needs_no_thread_to_be_found(tmp_path: Path) -> None:
    index = files(tmp_path)
    for _ in range(2):
        await index.ensure("one", {"analyzer": "words"})

    for coroutine in (index.open("one"), index.ensure("one", {"analyzer": "words"})):
        with pytest.raises(StopIteration):
            coroutine.send(None)
    with pytest.raises(CollectionDiffers):
        await index.ensure("one", {"analyzer": "letters"})
    files(tmp_path).drop("one")
    with pytest.raises(CollectionNotFound):
        await index.open("one")
