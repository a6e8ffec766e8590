"""Keeps locked worker processes at hand, and replaces those that are used up."""

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Final

from infra.impl.sandbox.jail import Ending, JailBroken, JailedProcess

_FIRST_PAUSE_S: Final = 0.05
_LONGEST_PAUSE_S: Final = 30.0
_READY_BYTES: Final = 16
_CHANCES: Final = 3
"""Starts in a row that may fail for a passing cause, before the pool calls itself broken."""


class NoWorker(Exception):
    """No worker is free and the queue is full, or none can be started; the message says which."""


class SandboxBroken(NoWorker):
    """No worker will start before something is put right on this machine."""


class Worker:
    """A process that is locked and waits for work."""

    def __init__(self, process: JailedProcess) -> None:
        self.process = process
        self.runs = 0
        self.is_lent = False
        self.retired = asyncio.Event()

    def retire(self) -> None:
        """End it; it runs nothing any more."""
        self.process.kill()
        self.retired.set()

    @property
    def is_fit(self) -> bool:
        return self.process.is_running and not self.retired.is_set()


class WorkerPool:
    """Holds ``size`` workers; who finds none waits in a queue of ``waiting``, for ``wait_s``."""

    def __init__(
        self,
        start_worker: Callable[[], Awaitable[JailedProcess]],
        *,
        size: int,
        waiting: int,
        wait_s: float,
    ) -> None:
        """``start_worker`` returns a process that is ready, or raises ``NoWorker``."""
        self._start_worker = start_worker
        self._size = size
        self._waiting = waiting
        self._wait_s = wait_s
        self._idle: deque[Worker] = deque()
        self._waiters: deque[asyncio.Future[Worker]] = deque()
        self._is_broken = False
        self._stack = AsyncExitStack()
        self._keepers: list[asyncio.Task[None]] = []
        self.out_of_order = ""
        """Why the last worker did not start; empty while they do."""

    async def start(self) -> None:
        """Begin to fill the pool; returns before it is full."""
        group = await self._stack.enter_async_context(asyncio.TaskGroup())
        self._keepers = [group.create_task(self._keep()) for _ in range(self._size)]

    async def aclose(self) -> None:
        """End all workers, whatever they do."""
        for keeper in self._keepers:
            keeper.cancel()
        await self._stack.aclose()

    @asynccontextmanager
    async def lease(self) -> AsyncGenerator[Worker, None]:
        """Lend a worker; it comes back unless it was retired, or the block failed.

        Raises:
            NoWorker: nobody is free in time.
        """
        worker = await self._take()
        try:
            yield worker
        except BaseException:
            worker.retire()
            raise
        if worker.is_fit:
            self._offer(worker)
        else:
            worker.retire()

    async def _take(self) -> Worker:
        while self._idle:
            if (worker := self._idle.popleft()).is_fit:
                worker.is_lent = True
                return worker
        if self._is_broken:
            raise NoWorker(self.out_of_order)
        if len(self._waiters) >= self._waiting:
            raise NoWorker("Too much code runs at this time; try again later.")
        turn: asyncio.Future[Worker] = asyncio.get_running_loop().create_future()
        self._waiters.append(turn)
        try:
            async with asyncio.timeout(self._wait_s):
                return await turn
        except BaseException as exc:
            if turn.done() and not turn.cancelled() and turn.exception() is None:
                self._offer(turn.result())
            if isinstance(exc, TimeoutError):
                message = self.out_of_order or (
                    "No sandbox became free in time; try again. After a first start or an update "
                    "the interpreters are made first, which takes up to a minute."
                )
                raise NoWorker(message) from None
            raise
        finally:
            if turn in self._waiters:
                self._waiters.remove(turn)

    async def _keep(self) -> None:
        """Care for one place in the pool: fill it, wait until its worker is used up, repeat."""
        failures = 0
        while True:
            try:
                process = await self._start_worker()
            except NoWorker as exc:
                failures += 1
                self._report(exc, lasts=isinstance(exc, SandboxBroken) or failures >= _CHANCES)
                await asyncio.sleep(min(_FIRST_PAUSE_S * 2**failures, _LONGEST_PAUSE_S))
                continue
            failures = 0
            self.out_of_order, self._is_broken = "", False
            async with process:
                worker = Worker(process)
                self._offer(worker)
                await _used_up(worker)

    def _offer(self, worker: Worker) -> None:
        """Hand to who waits longest, or keep for the next."""
        while self._waiters:
            turn = self._waiters.popleft()
            if not turn.done():
                worker.is_lent = True
                turn.set_result(worker)
                return
        worker.is_lent = False
        self._idle.append(worker)

    def _report(self, trouble: NoWorker, *, lasts: bool) -> None:
        """Tell about a worker that did not start; let nobody wait for what will not come."""
        if lasts:
            self.out_of_order = str(trouble)
        if not isinstance(trouble, SandboxBroken):
            return
        self._is_broken = True
        while self._waiters:
            turn = self._waiters.popleft()
            if not turn.done():
                turn.set_exception(NoWorker(str(trouble)))


async def _used_up(worker: Worker) -> None:
    async with asyncio.TaskGroup() as group:
        ends = [
            group.create_task(worker.process.ended()),
            group.create_task(worker.retired.wait()),
        ]
        await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
        for end in ends:
            end.cancel()
    if worker.is_lent:
        # The borrower still reads what the process wrote before it ended.
        await worker.retired.wait()
    worker.retired.set()


async def expect_ready(process: JailedProcess, *, within_s: float) -> None:
    """Wait for the first frame of a new worker, sent when it is locked.

    Raises:
        SandboxBroken: a lock does not hold; the message is for the operator.
        NoWorker: it did not come up.
    """
    ready = False
    try:
        async with asyncio.timeout(within_s):
            ready = await process.receive_frame(limit_bytes=_READY_BYTES) is not None
    except (TimeoutError, JailBroken):
        ready = False
    except BaseException:
        process.kill()
        await process.wait()
        raise
    if ready:
        return
    process.kill()
    end = await process.wait()
    cause = end.diagnostics.strip().splitlines()
    told = cause[-1] if cause else end.ending.value
    if end.ending is Ending.NOT_LOCKED:
        raise SandboxBroken(f"The sandbox does not hold here: {told}")
    raise NoWorker(f"The sandbox does not start: {told}")
