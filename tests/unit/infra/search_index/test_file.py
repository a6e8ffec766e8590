"""Threads in which the embedded indexes work."""

import asyncio
import threading
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

from domain.shared.processor import ProcessorShare, SharedThreads
from infra.impl.search_index.embedded.file import SqliteFiles
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
