"""Keeps locked worker processes at hand, and replaces those that are used up."""

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Final

from domain.shared.capacity.fair_share import RECENT_S, FairShare, Refusal, ShareRefused
from domain.shared.capacity.share_meter import ShareFigures
from infra.impl.sandbox.jail import Ending, JailBroken, JailedProcess

_NOT_STARTED: Final = -1
"""Stands for a workspace that has all places until there are workers."""

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
        self.holder: int | None = None
        """The workspace whose place it takes; it pays for the next worker, too."""
        self.retired = asyncio.Event()

    def retire(self) -> None:
        """End it; it runs nothing any more."""
        self.process.kill()
        self.retired.set()

    @property
    def is_fit(self) -> bool:
        return self.process.is_running and not self.retired.is_set()


class WorkerPool:
    """Holds as many workers as there are ``places``, and lends them to whose turn it is.

    A place is given back when a worker is ready for the next one. So who uses workers up waits for
    new ones himself, and whoever has a place finds a worker.
    """

    def __init__(
        self,
        start_worker: Callable[[], Awaitable[JailedProcess]],
        *,
        size: int,
        waiting: int,
        wait_s: float,
        figures: ShareFigures | None = None,
        label: str = "code",
    ) -> None:
        """``start_worker`` returns a process that is ready, or raises ``NoWorker``."""
        self._start_worker = start_worker
        self._size = size
        self._wait_s = wait_s
        self.places = FairShare(
            "sandboxes for code",
            capacity=size,
            kept=min(1, size - 1),
            waiting=waiting,
            wait_s=wait_s,
            recent_s=RECENT_S,
        )
        self.places.try_acquire(_NOT_STARTED, size)
        if figures is not None:
            figures.show(label, self.places)
        self._idle: deque[Worker] = deque()
        self._offered = asyncio.Event()
        self._has_begun = asyncio.Event()
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

    async def begun(self) -> None:
        """Return when the first worker is there, or it is known why there is none."""
        await self._has_begun.wait()

    @asynccontextmanager
    async def lease(
        self, space: int, *, max_wait_s: float | None = None
    ) -> AsyncGenerator[Worker, None]:
        """Lend a worker; it comes back unless it was retired, or the block failed.

        Raises:
            NoWorker: nobody is free in time.
        """
        worker = await self._take(space, max_wait_s)
        try:
            yield worker
        except BaseException:
            worker.retire()
            raise
        if worker.is_fit:
            worker.holder = None
            self._offer(worker, space)
        else:
            worker.retire()

    async def _take(self, space: int, max_wait_s: float | None) -> Worker:
        if self._is_broken:
            raise NoWorker(self.out_of_order)
        try:
            await self.places.acquire(space, max_wait_s=max_wait_s)
        except ShareRefused as exc:
            if exc.refusal is Refusal.FULL:
                raise NoWorker("Too much code runs at this time; try again later.") from exc
            raise self._late() from exc
        try:
            async with asyncio.timeout(self._wait_s):
                worker = await self._find()
        except BaseException as exc:
            self.places.release(space)
            if isinstance(exc, TimeoutError):
                raise self._late() from None
            raise
        worker.holder = space
        return worker

    async def _find(self) -> Worker:
        """Return an idle worker; waits only where one died unused and is being replaced."""
        while True:
            while self._idle:
                if (worker := self._idle.popleft()).is_fit:
                    return worker
            if self._is_broken:
                raise NoWorker(self.out_of_order)
            self._offered.clear()
            await self._offered.wait()

    def _late(self) -> NoWorker:
        return NoWorker(
            self.out_of_order
            or "No sandbox became free in time; try again. After a first start or an update "
            "the interpreters are made first, which takes up to a minute."
        )

    async def _keep(self) -> None:
        """Care for one place in the pool: fill it, wait until its worker is used up, repeat."""
        failures = 0
        holder: int | None = _NOT_STARTED
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
                self._offer(worker, holder)
                await _used_up(worker)
                holder = worker.holder

    def _offer(self, worker: Worker, holder: int | None) -> None:
        """Keep a worker for the next one, and give back the place that it stood for."""
        self._idle.append(worker)
        self._offered.set()
        self._has_begun.set()
        if holder is not None:
            self.places.release(holder)

    def _report(self, trouble: NoWorker, *, lasts: bool) -> None:
        """Tell about a worker that did not start; let nobody wait for what will not come."""
        if lasts:
            self.out_of_order = str(trouble)
            self._has_begun.set()
        if not isinstance(trouble, SandboxBroken):
            return
        self._is_broken = True
        self._offered.set()
        self.places.refuse_all(lambda: NoWorker(str(trouble)))


async def _used_up(worker: Worker) -> None:
    async with asyncio.TaskGroup() as group:
        ends = [
            group.create_task(worker.process.ended()),
            group.create_task(worker.retired.wait()),
        ]
        await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
        for end in ends:
            end.cancel()
    if worker.holder is not None:
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
