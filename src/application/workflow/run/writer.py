"""Group commit: what many runs have to write goes into one transaction."""

import asyncio
import logging
from collections.abc import Sequence
from contextlib import AsyncExitStack
from typing import Final

from application.workflow.run.recorder import RunRecorder
from application.workflow.run.signal import WORKFLOW_EVENT
from domain.shared.crashpoint import crashpoint
from domain.shared.error import Unavailable
from domain.shared.ids import RunId
from domain.workflow.run.repository import RunWrite, WorkflowRunStore
from infra.contract.database import priority_scope
from infra.contract.signal import Signals

_logger: Final = logging.getLogger(__name__)

_GATHER_S: Final = 0.02
"""How long writing waits while nobody waits for it."""
_BATCH: Final = 256
_TIMEOUT_S: Final = 30.0
_PAUSES_S: Final = (0.05, 0.2, 1.0)

Pair = tuple[RunRecorder, RunWrite]


class RunWriter:
    """One loop for all runs of the process; while a transaction commits, the next one fills."""

    def __init__(self, *, store: WorkflowRunStore, signals: Signals) -> None:
        self._store = store
        self._signals = signals
        self._dirty: dict[RunRecorder, None] = {}
        self._has_work = asyncio.Event()
        self._is_urgent = asyncio.Event()
        self._is_closing = False
        self._stack = AsyncExitStack()

    async def start(self) -> None:
        group = await self._stack.enter_async_context(asyncio.TaskGroup())
        with priority_scope():
            group.create_task(self._loop(), name="workflow run writer")

    async def aclose(self) -> None:
        """Write what is left, then stop."""
        self._is_closing = True
        self._has_work.set()
        self._is_urgent.set()
        await self._stack.aclose()

    def touch(self, recorder: RunRecorder) -> None:
        """Write what the recorder holds within some milliseconds."""
        self._dirty[recorder] = None
        self._has_work.set()

    async def flush(self, recorder: RunRecorder) -> None:
        """Return when it is written; raise ``JournalClosed`` if it never will be."""
        if recorder.failure is None:
            waiter: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            recorder.waiters.append(waiter)
            self.touch(recorder)
            self._is_urgent.set()
            await waiter
        if recorder.failure is not None:
            raise recorder.failure

    async def _loop(self) -> None:
        while not (self._is_closing and not self._dirty):
            await self._has_work.wait()
            if not self._is_urgent.is_set():
                await self._pause()
            self._is_urgent.clear()
            recorders = list(self._dirty)[:_BATCH]
            for recorder in recorders:
                del self._dirty[recorder]
            if self._dirty:
                self._is_urgent.set()
            elif not self._is_closing:
                self._has_work.clear()
            await self._write(recorders)

    async def _pause(self) -> None:
        try:
            async with asyncio.timeout(_GATHER_S):
                await self._is_urgent.wait()
        except TimeoutError:
            return

    async def _write(self, recorders: Sequence[RunRecorder]) -> None:
        waiting = [(recorder, recorder.waiters) for recorder in recorders]
        pairs: list[Pair] = []
        for recorder in recorders:
            recorder.waiters = []
            write = self._draw(recorder)
            if write is not None:
                pairs.append((recorder, write))
        await self._store_all(pairs)
        for _, waiters in waiting:
            for waiter in waiters:
                if not waiter.done():
                    waiter.set_result(None)

    @staticmethod
    def _draw(recorder: RunRecorder) -> RunWrite | None:
        """Ask a recorder what to write; one that cannot tell must not take the others along."""
        try:
            return recorder.draw()
        except Exception as exc:
            _logger.exception("What run %d did cannot be written.", recorder.run.id)
            recorder.lost(exc)
            return None

    async def _store_all(self, pairs: list[Pair]) -> None:
        if not pairs:
            return
        try:
            lost = await self._commit([write for _, write in pairs])
        except Exception as exc:
            if len(pairs) == 1:
                _logger.exception("What run %d did is not stored.", pairs[0][0].run.id)
                pairs[0][0].lost(exc)
                return
            for pair in pairs:  # one run must not take the others along
                await self._store_all([pair])
            return
        for recorder, write in pairs:
            if write.run.id in lost:
                recorder.lost()
            else:
                recorder.written(write)
                self._signals.send(WORKFLOW_EVENT, str(write.run.id))

    async def _commit(self, writes: list[RunWrite]) -> set[RunId]:
        is_repeated = False
        for pause_s in (*_PAUSES_S, 0.0):
            try:
                async with asyncio.timeout(_TIMEOUT_S), self._store.transaction() as uow:
                    lost = await uow.queue.write(writes, is_repeated=is_repeated)
                    crashpoint("workflow.journal.before_commit")
                    await uow.commit()
                    crashpoint("workflow.journal.committed")
                    return lost
            except (Unavailable, TimeoutError):
                if not pause_s:
                    raise
            is_repeated = True
            await asyncio.sleep(pause_s)
        raise Unavailable("The database does not take what runs did.")
