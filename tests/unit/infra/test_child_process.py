"""Child processes that are started beside a running event loop."""

import asyncio
import mmap
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Final, TypeVar

import psutil
import pytest
import uvloop

from infra.impl.child_process import ChildProcess

T = TypeVar("T")

_MEMORY_BYTES: Final = 64 * 1024 * 1024
_PIPE: Final = subprocess.PIPE
pytestmark = pytest.mark.parametrize("loop", [asyncio.new_event_loop, uvloop.new_event_loop])


def run(loop: Callable[[], asyncio.AbstractEventLoop], work: Awaitable[T]) -> T:
    async def main() -> T:
        async with asyncio.timeout(60):
            return await work

    with asyncio.Runner(loop_factory=loop) as runner:
        return runner.run(main())


async def started(
    code: str, *, stdin: int = _PIPE, on_start: Callable[[int], object] | None = None
) -> ChildProcess:
    return await ChildProcess.start(
        *(sys.executable, "-I", "-S", "-c", code),
        env={},
        stdin=stdin,
        stdout=_PIPE,
        stderr=_PIPE,
        on_start=on_start,
    )


def open_files() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def test_a_start_copies_nothing_of_a_large_process(
    loop: Callable[[], asyncio.AbstractEventLoop],
) -> None:
    memory = mmap.mmap(-1, _MEMORY_BYTES, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    pages = range(0, _MEMORY_BYTES, mmap.PAGESIZE)

    def write_to_each_page() -> int:
        before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
        for place in pages:
            memory[place] = 1
        return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before

    async def main() -> int:
        write_to_each_page()
        child = await started("")
        faults = write_to_each_page()  # after a fork, each is shared until somebody writes to it
        await child.wait()
        child.close()
        return faults

    assert run(loop, main()) < len(pages) / 10


def test_what_goes_in_comes_out(loop: Callable[[], asyncio.AbstractEventLoop]) -> None:
    async def main() -> tuple[bytes, bytes, int]:
        child = await started(
            "import sys; d = sys.stdin.read(); print(d); sys.stderr.write('e'); sys.exit(len(d))"
        )
        assert child.stdin is not None
        assert child.stdout is not None
        assert child.stderr is not None
        child.stdin.write(b"seven..")
        child.stdin.close()
        return await child.stdout.read(), await child.stderr.read(), await child.wait()

    files = open_files()
    assert run(loop, main()) == (b"seven..\n", b"e", 7)
    assert open_files() == files


def test_the_end_is_known_though_nobody_reads(
    loop: Callable[[], asyncio.AbstractEventLoop],
) -> None:
    async def main() -> tuple[int, int | None, bool]:
        child = await started("print('x' * 60_000)")
        status = await child.wait()
        child.close()
        return status, child.returncode, child.is_running

    files = open_files()
    assert run(loop, main()) == (0, 0, False)
    assert open_files() == files


def test_a_grandchild_with_the_pipes_does_not_hold_up_the_end(
    loop: Callable[[], asyncio.AbstractEventLoop],
) -> None:
    code = (
        "import os, sys, time\nif pid := os.fork(): print(pid, flush=True)\nelse: time.sleep(600)"
    )

    async def main() -> tuple[int, int]:
        child = await started(code)
        assert child.stdout is not None
        grandchild = int(await child.stdout.readline())
        status = await child.wait()
        child.close()
        os.kill(grandchild, signal.SIGKILL)
        return status, child.pid

    files = open_files()
    assert run(loop, main())[0] == 0
    assert open_files() == files


def test_a_kill_leaves_the_true_end(loop: Callable[[], asyncio.AbstractEventLoop]) -> None:
    async def main() -> list[int]:
        ends = []
        for _ in range(5):
            child = await started("input()")
            assert child.is_running
            child.kill()
            child.kill()
            ends.append(await child.wait())
            child.kill()
            child.close()
        return ends

    assert run(loop, main()) == [-signal.SIGKILL] * 5


def test_a_program_that_is_not_there_is_refused(
    loop: Callable[[], asyncio.AbstractEventLoop],
) -> None:
    async def main() -> None:
        with pytest.raises(FileNotFoundError):
            await ChildProcess.start("/nowhere/program", env={}, stdout=_PIPE)

    files = open_files()
    run(loop, main())
    assert open_files() == files


def test_a_start_that_is_cancelled_leaves_nothing(
    loop: Callable[[], asyncio.AbstractEventLoop],
) -> None:
    async def main() -> list[int]:
        inside = asyncio.get_running_loop()
        reader, writer = os.pipe()
        numbers: list[int] = []

        def on_start(pid: int) -> None:
            numbers.append(pid)
            inside.call_soon_threadsafe(task.cancel)

        task = asyncio.ensure_future(started("input()", stdin=reader, on_start=on_start))
        with pytest.raises(asyncio.CancelledError):
            await task
        os.close(reader)
        os.close(writer)
        return numbers

    files = open_files()
    (pid,) = run(loop, main())
    assert not psutil.pid_exists(pid)
    assert open_files() == files
