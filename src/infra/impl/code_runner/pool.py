"""Keeps locked worker processes at hand, and replaces those that are used up."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Final

from infra.impl.sandbox.jail import Ending, JailBroken, JailedProcess

_FIRST_PAUSE_S: Final = 0.05
_LONGEST_PAUSE_S: Final = 30.0
_READY_BYTES: Final = 16


class NoWorker(Exception):
    """No worker is free and the queue is full, or none can be started; the message says which."""


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
        self._waiting_max = waiting
        self._waiting = 0
        self._wait_s = wait_s
        self._idle = asyncio.Queue[Worker](maxsize=size)
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
        worker.is_lent = True
        try:
            yield worker
        except BaseException:
            worker.retire()
            raise
        worker.is_lent = False
        if worker.is_fit:
            self._offer(worker)
        else:
            worker.retire()

    async def _take(self) -> Worker:
        if self.out_of_order and self._idle.empty():
            raise NoWorker(self.out_of_order)
        if self._waiting >= self._waiting_max and self._idle.empty():
            raise NoWorker("Too much code runs at this time; try again later.")
        self._waiting += 1
        try:
            async with asyncio.timeout(self._wait_s):
                while True:
                    worker = await self._idle.get()
                    if worker.is_fit:
                        return worker
        except TimeoutError:
            raise NoWorker(self.out_of_order or "No sandbox became free in time.") from None
        finally:
            self._waiting -= 1

    async def _keep(self) -> None:
        """Care for one place in the pool: fill it, wait until its worker is used up, repeat."""
        failures = 0
        while True:
            try:
                process = await self._start_worker()
            except NoWorker as exc:
                failures += 1
                self.out_of_order = str(exc)
                await asyncio.sleep(min(_FIRST_PAUSE_S * 2**failures, _LONGEST_PAUSE_S))
                continue
            failures, self.out_of_order = 0, ""
            async with process:
                worker = Worker(process)
                self._offer(worker)
                await _used_up(worker)

    def _offer(self, worker: Worker) -> None:
        # A dead worker may still hold a place in the queue; fit ones always find room.
        while self._idle.full():
            other = self._idle.get_nowait()
            if other.is_fit:
                self._idle.put_nowait(other)
        self._idle.put_nowait(worker)


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
        NoWorker: it did not come up; the message is for the operator.
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
    what = "does not hold here" if end.ending is Ending.NOT_LOCKED else "does not start"
    raise NoWorker(f"The sandbox {what}: {cause[-1] if cause else end.ending.value}")
