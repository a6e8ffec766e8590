"""Interpreters of code nodes are made soon after the start, by one process at a time."""

import asyncio
import os
import sys
import threading
import time
from pathlib import Path
from typing import Final

import psutil
import pytest

from infra.contract.code_runner import CodeLanguage
from infra.impl.code_runner.by_language import CodeRunnerByLanguage
from infra.impl.code_runner.jail.sandbox import JailSandbox
from infra.impl.code_runner.off import NoCodeRunner
from infra.impl.code_runner.on_demand import CodeRunnerOnDemand, ManagedRunner
from infra.impl.code_runner.runner import SandboxedCodeRunner
from infra.impl.code_runner.wasm.images import ImagesUnavailable, _alone, prepare
from infra.impl.code_runner.wasm.making import make_early
from infra.impl.sandbox.jail import JailedProcess
from tests.support.sandbox import python

PATIENCE_S: Final = 60.0


class Preparation:
    """Something that takes until it is stopped."""

    def __init__(self, error: OSError | None = None) -> None:
        self.begun, self.stopped = asyncio.Event(), asyncio.Event()
        self._error = error

    async def __call__(self) -> str:
        self.begun.set()
        if self._error is not None:
            raise self._error
        try:
            await asyncio.Event().wait()
            return ""
        finally:
            self.stopped.set()


def sandbox() -> ManagedRunner:
    return CodeRunnerByLanguage({each: NoCodeRunner() for each in CodeLanguage})


async def test_what_is_prepared_stops_with_the_process() -> None:
    preparation = Preparation()
    runner = CodeRunnerOnDemand(sandbox, prepare=preparation, pause_s=0)
    async with asyncio.timeout(PATIENCE_S):
        await runner.start()
        await preparation.begun.wait()
        await runner.aclose()

    assert preparation.stopped.is_set()


async def test_a_process_that_cannot_prepare_works_on(caplog: pytest.LogCaptureFixture) -> None:
    preparation = Preparation(OSError("No room."))
    runner = CodeRunnerOnDemand(sandbox, prepare=preparation, pause_s=0)
    async with asyncio.timeout(PATIENCE_S):
        await runner.start()
        await preparation.begun.wait()
        await asyncio.sleep(0)
        await runner.aclose()

    assert "cannot be prepared" in caplog.text


async def test_a_sandbox_that_does_not_hold_is_told_before_it_is_used() -> None:
    tested = asyncio.Event()

    async def test() -> str:
        tested.set()
        return "There is no Landlock."

    runner = CodeRunnerOnDemand(sandbox, prepare=test, pause_s=0)
    async with asyncio.timeout(PATIENCE_S):
        await runner.start()
        await tested.wait()
        await asyncio.sleep(0)
        await runner.aclose()

    assert runner.disabled_reason == "There is no Landlock."


async def test_a_process_that_ends_leaves_no_compiler_behind(tmp_path: Path) -> None:
    making = asyncio.create_task(make_early(tmp_path / "images"))
    await asyncio.to_thread(_await_begin, tmp_path)
    makers = [each for each in psutil.process_iter() if _makes(each, tmp_path)]
    children = [child for each in makers for child in each.children(recursive=True)]
    sessions = {os.getsid(each.pid) for each in makers}
    priorities = {os.getpriority(os.PRIO_PROCESS, each.pid) for each in makers}

    making.cancel()
    with pytest.raises(asyncio.CancelledError):
        await making

    assert makers
    assert sessions == {os.getsid(0)}  # priorities count within a session
    assert priorities == {19}
    _, alive = await asyncio.to_thread(psutil.wait_procs, [*makers, *children], timeout=PATIENCE_S)
    assert not alive


def test_processes_that_share_a_folder_take_turns(tmp_path: Path) -> None:
    order: list[str] = []

    def second() -> None:
        with _alone(tmp_path):
            order.append("second")

    with _alone(tmp_path):
        other = threading.Thread(target=second)
        other.start()
        other.join(timeout=0.5)
        order.append("first")
    other.join(timeout=PATIENCE_S)

    assert order == ["first", "second"]


def test_the_next_build_removes_what_a_killed_one_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    left = tmp_path / ".making-abc" / "images"
    left.mkdir(parents=True)
    (left / "python.cwasm").write_bytes(b"half")
    old = tmp_path / "0123456789abcdef"
    old.mkdir()
    monkeypatch.setattr(sys, "executable", "/bin/false")  # compiling takes a minute

    with pytest.raises(ImagesUnavailable):
        prepare(tmp_path)

    assert [*tmp_path.glob("[!.]*")] == [old]
    assert not [*tmp_path.glob(".making-*")]


class Unmade(JailSandbox):
    """A sandbox that has to be made first."""

    def __init__(self) -> None:
        super().__init__()
        self.made = asyncio.Event()

    async def start_worker(self) -> JailedProcess:
        await self.made.wait()
        return await super().start_worker()


async def test_nobody_is_refused_because_a_sandbox_is_being_made() -> None:
    sandbox = Unmade()
    runner = SandboxedCodeRunner(sandbox, workers=1, queue_wait_s=0.001)
    await runner.start()
    running = asyncio.create_task(runner.run(python("def main(args): return {'n': 7}")))
    done, _ = await asyncio.wait([running], timeout=0.2)
    sandbox.made.set()
    try:
        async with asyncio.timeout(PATIENCE_S):
            result = await running
    finally:
        await runner.aclose()

    assert not done
    assert result.result == {"n": 7}, result.error


def _await_begin(folder: Path) -> None:
    until = time.monotonic() + PATIENCE_S
    while not [*folder.glob("images/.making-*")]:
        assert time.monotonic() < until
        time.sleep(0.05)


def _makes(process: psutil.Process, folder: Path) -> bool:
    try:
        return any(str(folder) in part for part in process.cmdline())
    except psutil.Error:
        return False
