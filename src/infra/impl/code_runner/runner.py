"""Runs users' code in a pool of sandboxed workers, whatever the sandbox is made of."""

import asyncio
import signal
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import Final, Protocol

import msgspec

from domain.shared.capacity.share_meter import ShareFigures
from infra.contract.code_runner import CodeError, CodeLanguage, CodeRequest, CodeResult, CodeStatus
from infra.impl.code_runner.pool import NoWorker, Worker, WorkerPool
from infra.impl.code_runner.wire import REPLY_BYTES, BadReply, decode_reply, encode_request
from infra.impl.sandbox.jail import (
    LOOK_S,
    Ending,
    JailBroken,
    JailedProcess,
    JailExit,
    OutputTooLarge,
)

_MIB: Final = 1024 * 1024
_OUTCOME_BYTES: Final = 1024
_LARGE_BYTES: Final = 64 * 1024
"""Replies from this size are read off the event loop."""
_FAREWELL_S: Final = 1.0
_RUNS: Final = 1000
_RESIDENT_BYTES: Final = 200 * _MIB
_QUEUE_PER_WORKER: Final = 4
_QUEUE_WAIT_S: Final = 30.0

_TOO_LARGE: Final = (CodeStatus.OUTPUT_TOO_LARGE, "ResultTooLarge", "The result is too long.")
_STOPPED: Final = {
    "interrupted": (CodeStatus.TIMEOUT, "Timeout", "The code took too long."),
    "forbidden": (CodeStatus.FORBIDDEN, "Forbidden", "The code tried to leave the sandbox."),
    "stack": (CodeStatus.USER_ERROR, "RecursionError", "The code calls itself too deeply."),
    "crashed": (CodeStatus.USER_ERROR, "Crash", "The code broke the interpreter."),
}
_ENDED: Final = {
    Ending.OK: (CodeStatus.USER_ERROR, "Exit", "The code ended the process."),
    Ending.FAILED: (CodeStatus.USER_ERROR, "Exit", "The code ended the process."),
    Ending.CRASHED: _STOPPED["crashed"],
    Ending.TIMEOUT: _STOPPED["interrupted"],
    Ending.OUT_OF_MEMORY: (CodeStatus.OOM, "MemoryError", "Out of memory."),
    Ending.OUTPUT_TOO_LARGE: _TOO_LARGE,
    Ending.NOT_LOCKED: (CodeStatus.UNAVAILABLE, "Unavailable", "The sandbox does not hold."),
}


class Sandbox(Protocol):
    """Makes locked workers for some languages."""

    @property
    def languages(self) -> frozenset[CodeLanguage]: ...

    @property
    def reuses_workers(self) -> bool:
        """Whether a worker isolates one run from the next."""
        ...

    @property
    def grace_s(self) -> float:
        """How long after its deadline a worker is given to stop the run itself."""
        ...

    def engine(self, language: CodeLanguage) -> str:
        """Name what runs the language."""
        ...

    async def start_worker(self) -> JailedProcess:
        """Return a worker that has proved to be locked; raise ``NoWorker`` with the cause."""
        ...


class _Outcome(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """First frame of an answer: whether the guest replied, and what it cost."""

    stopped: str
    cpu_ms: float
    peak_mb: float


class LongRuns:
    """Workspaces whose last run went behind others.

    Without it the next one would have its first tenth of a second, too, and code that never ends
    would take the processor so long from others as often as it is started.
    """

    def __init__(
        self, *, remembered: int = 1000, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._spaces: set[int] = set()
        self._remembered = remembered
        self._clock = clock

    @contextmanager
    def noted(self, space: int, went_behind: Callable[[], bool]) -> Generator[bool, None, None]:
        """Tell whether a run is expected to take long; watch whether it does."""
        began = self._clock()
        try:
            yield space in self._spaces
        finally:
            self._spaces.discard(space)
            if went_behind() and self._clock() - began > LOOK_S:
                if len(self._spaces) >= self._remembered:
                    self._spaces.clear()  # whoever is forgotten gets one more chance
                self._spaces.add(space)


class SandboxedCodeRunner:
    """Lends a worker to each run; kills workers that are late, broken or suspicious."""

    def __init__(
        self,
        sandbox: Sandbox,
        *,
        workers: int,
        queue_wait_s: float = _QUEUE_WAIT_S,
        figures: ShareFigures | None = None,
        label: str = "code",
    ) -> None:
        self._sandbox = sandbox
        self._pool = WorkerPool(
            sandbox.start_worker,
            size=workers,
            waiting=_QUEUE_PER_WORKER * workers,
            wait_s=queue_wait_s,
            figures=figures,
            label=label,
        )
        self._long_runs = LongRuns()

    async def start(self) -> None:
        """Begin to start workers; runs wait for them."""
        await self._pool.start()

    async def aclose(self) -> None:
        """Kill all workers."""
        await self._pool.aclose()

    @property
    def disabled_reason(self) -> str:
        return self._pool.out_of_order

    async def run(self, request: CodeRequest) -> CodeResult:
        if request.language not in self._sandbox.languages:
            message = f"This sandbox does not run {request.language.value}."
            return self._unavailable(request, message)
        body = await asyncio.to_thread(encode_request, request)
        started = time.perf_counter()
        try:
            await self._pool.begun()
            lease = self._pool.lease(request.space_id, max_wait_s=request.max_wait_s)
            async with lease as worker:
                started = time.perf_counter()
                engine = self._sandbox.engine(request.language)
                result = await self._run_in(worker, request, body, engine)
        except NoWorker as exc:
            return self._unavailable(request, str(exc))
        return replace(result, duration_ms=(time.perf_counter() - started) * 1000)

    def _unavailable(self, request: CodeRequest, message: str) -> CodeResult:
        engine = self._sandbox.engine(request.language)
        return _failed(engine, CodeStatus.UNAVAILABLE, "Unavailable", message)

    async def _run_in(
        self, worker: Worker, request: CodeRequest, body: bytes, engine: str
    ) -> CodeResult:
        worker.runs += 1
        is_wanted = partial(self._pool.places.is_wanted_by_others, request.space_id)
        try:
            with (
                self._long_runs.noted(
                    request.space_id, lambda: worker.process.has_yielded
                ) as is_long,
                worker.process.yielding(is_wanted, is_long=is_long),
            ):
                async with asyncio.timeout(request.timeout_ms / 1000 + self._sandbox.grace_s):
                    outcome, reply = await _exchange(worker.process, request, body)
            result = await _result(outcome, reply, engine)
        except TimeoutError:
            worker.retire()
            return _failed(engine, *_STOPPED["interrupted"])
        except (BadReply, OutputTooLarge) as exc:
            worker.retire()
            too_large = isinstance(exc, OutputTooLarge)
            return _failed(engine, *(_TOO_LARGE if too_large else _STOPPED["forbidden"]))
        except JailBroken:
            end = await _end(worker.process)
            worker.retire()
            return _ended(engine, end)
        if outcome.stopped or not self._sandbox.reuses_workers or _is_worn(worker):
            worker.retire()
        return result


async def _exchange(
    process: JailedProcess, request: CodeRequest, body: bytes
) -> tuple[_Outcome, bytes]:
    asked = {
        "language": request.language.value,
        "timeout_ms": request.timeout_ms,
        "memory_bytes": request.memory_mb * _MIB,
        "now_ms": request.now_ms,
    }
    await process.send_frame(msgspec.json.encode(asked))
    await process.send_frame(body)
    outcome = await process.receive_frame(limit_bytes=_OUTCOME_BYTES)
    reply = await process.receive_frame(limit_bytes=REPLY_BYTES)
    if outcome is None or reply is None:
        raise JailBroken("The worker ended without an answer.")
    try:
        return msgspec.json.decode(outcome, type=_Outcome), reply
    except msgspec.DecodeError as exc:
        raise BadReply("The worker does not keep to the protocol.") from exc


async def _result(outcome: _Outcome, reply: bytes, engine: str) -> CodeResult:
    if outcome.stopped:
        result = _failed(engine, *_STOPPED.get(outcome.stopped, _STOPPED["crashed"]))
    elif len(reply) > _LARGE_BYTES:
        result = await asyncio.to_thread(decode_reply, reply, engine=engine)
    else:
        result = decode_reply(reply, engine=engine)
    return replace(result, cpu_ms=max(0.0, outcome.cpu_ms), peak_mb=max(0.0, outcome.peak_mb))


def _is_worn(worker: Worker) -> bool:
    return (
        worker.process.has_yielded
        or worker.runs >= _RUNS
        or worker.process.resident_bytes() > _RESIDENT_BYTES
    )


async def _end(process: JailedProcess) -> JailExit:
    """Learn how a worker came to the end that its silence announced; make sure of it."""
    try:
        async with asyncio.timeout(_FAREWELL_S):
            return await process.wait()
    except TimeoutError:
        # It only closed its pipes.
        process.kill(Ending.FAILED)
        return await process.wait()


def _ended(engine: str, end: JailExit) -> CodeResult:
    # SIGKILL comes from outside, from the kernel short of memory or from an operator.
    if end.status == -signal.SIGKILL and end.ending is Ending.CRASHED:
        message = "The sandbox was killed; try again."
        return _failed(engine, CodeStatus.UNAVAILABLE, "Unavailable", message)
    return _failed(engine, *_ENDED[end.ending])


def _failed(engine: str, status: CodeStatus, kind: str, message: str) -> CodeResult:
    return CodeResult(status=status, engine=engine, error=CodeError(type=kind, message=message))
