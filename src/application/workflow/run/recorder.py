"""Journal of runs: what one stretch tells, and the group commit that makes it durable."""

import asyncio
import logging
from collections.abc import Sequence
from contextlib import AsyncExitStack
from copy import copy
from typing import Final

import msgspec

from application.run.log import RunLog
from application.workflow.run.event import RunEnded, RunEvent, RunPaused, RunRecord, encode_records
from application.workflow.run.signal import WORKFLOW_EVENT
from domain.shared.chat import ModelCall, Usage
from domain.shared.crashpoint import crashpoint
from domain.shared.error import AppError, Unavailable
from domain.shared.ids import RunId
from domain.shared.settlement import SettlementPart
from domain.workflow.engine.checkpoint import encode_entry, encode_state
from domain.workflow.engine.error import JournalClosed, LeaseLost, RunNotRecorded
from domain.workflow.engine.event import JournalEntry
from domain.workflow.engine.state import RunState
from domain.workflow.limit import WorkflowLimits
from domain.workflow.run.repository import (
    LogBatch,
    RunWrite,
    Snapshot,
    StoredState,
    WorkflowRunStore,
)
from domain.workflow.run.workflow_run import WorkflowRun
from infra.contract.messaging.signal import Signals
from infra.contract.storage.database import priority_scope

_SNAPSHOT_BYTES: Final = 64 * 1024
_AHEAD_EVENTS: Final = 2048
"""How far a stream may run ahead of the log before its producer waits."""

_CAUSE_CHARS: Final = 200

_EMPTY: Final = StoredState(snapshot=None, batches=(), last_number=0, last_seq=0, last_call=0)


class RunRecorder:
    """Journal and observer of one stretch of a run.

    A snapshot is due when as much was journalled since the last one as that one was large, so
    that recovery reads at most twice the state and writing costs a constant factor.
    """

    def __init__(
        self,
        run: WorkflowRun,
        state: RunState,
        *,
        log: RunLog[RunEvent],
        writer: "RunWriter",
        limits: WorkflowLimits,
        stored: StoredState = _EMPTY,
        snapshot_first: bool = False,
    ) -> None:
        self.run = run
        self.usage = Usage()
        self.failure: JournalClosed | None = None
        """Why nothing more can be written."""
        self.waiters: list[asyncio.Future[None]] = []
        self._state = state
        self._log = log
        self._writer = writer
        self._limits = limits
        self._entries: list[bytes] = []
        self._entries_after = state.sequence
        self._entry_bytes = 0
        self._snapshot_bytes = _SNAPSHOT_BYTES
        self._wants_snapshot = snapshot_first
        self._records: list[RunRecord] = []
        self._calls: list[ModelCall] = []
        self._drawn: tuple[list[RunRecord], list[ModelCall]] = ([], [])
        """What the writer has in hands; comes back if it cannot be written."""
        self._parts: tuple[SettlementPart, ...] = ()
        """Stored with the end of the stretch."""
        self._next_call = stored.last_call + 1
        self._number = stored.last_number
        # A new run has no row yet: its first write makes it.
        self._saves = run.revision == 0

    # Journal

    def record(self, *entries: JournalEntry) -> None:
        """Take entries that become durable all together."""
        encoded = [encode_entry(entry) for entry in entries]
        self._entries += encoded
        self._entry_bytes += sum(map(len, encoded))
        self._writer.touch(self)

    async def flush(self) -> None:
        """Return when everything so far is durable; raise ``JournalClosed`` if that cannot be."""
        await self._writer.flush(self)

    # Observer

    def take(self, event: RunEvent) -> None:
        """Number an event, show it, and log it with the next write."""
        self._records.append(self._log.emit(event))
        self._writer.touch(self)

    async def drain(self) -> None:
        """Wait while the log is far behind."""
        if len(self._records) >= _AHEAD_EVENTS:
            await self._writer.flush(self)

    def count(self, call: ModelCall) -> None:
        """Take a model call into the ledger, without waiting for what its node tells next.

        A minute after its end nobody remembers a call that is not stored, so that it would be in
        no sum if this process died while a tool takes longer.
        """
        self._calls.append(call)
        self.usage += call.usage
        self._writer.touch(self)

    # The end of the stretch

    async def settle(
        self,
        ending: RunEvent | None,
        *,
        keeps_state: bool = False,
        parts: Sequence[SettlementPart] = (),
    ) -> None:
        """Store the changed run with everything before it, then show its ending.

        Raises:
            LeaseLost: another worker has the run, or the storage does not answer.
            RunNotRecorded: the storage refuses what the run did.
        """
        record = None if ending is None else self._log.number(ending)
        if record is not None:
            self._records.append(record)
        self._saves = True
        self._wants_snapshot = keeps_state
        self._parts = tuple(parts)
        await self._writer.flush(self)
        if record is not None:
            self._log.emit(record.event, record)

    def start_over(self, *, keeps_log: bool) -> None:
        """Let a run that could not be recorded end: its state goes, with it what is still open.

        ``keeps_log``: its events and calls are written once more, else nothing but its end.
        """
        records, calls = self._drawn
        kept = [*records, *self._records] if keeps_log else []
        self._records = [each for each in kept if not isinstance(each.event, RunEnded | RunPaused)]
        self._calls = [*calls, *self._calls] if keeps_log else []
        self._drawn = ([], [])
        self._entries = []
        self.failure = None

    # For the writer

    def draw(self) -> RunWrite | None:
        """Hand over what is to be written; None if there is nothing."""
        if self.failure is not None:
            return None
        entries, self._entries = self._entries, []
        records, self._records = self._records, []
        calls, self._calls = self._calls, []
        saves, self._saves = self._saves, False
        self._drawn = (records, calls)
        if not (entries or records or calls or saves):
            return None
        # Numbered when drawn: a write that is repeated must find the calls that it may have stored
        # already.
        first_call, self._next_call = self._next_call, self._next_call + len(calls)
        return RunWrite(
            # A copy, because the run goes on while the transaction commits.
            run=copy(self.run) if saves else self.run,
            revision=self.run.revision,
            saves=saves,
            batch=self._batch(entries, records),
            snapshot=self._snapshot(saves=saves),
            first_call=first_call,
            calls=tuple(calls),
            events=tuple(self.run.pull_events()),
            parts=self._parts,
        )

    def written(self, write: RunWrite) -> None:
        """Take note that a write is durable."""
        self._drawn = ([], [])
        if write.saves:
            self.run.revision = write.revision + 1

    def lost(self, failure: Exception | None = None) -> None:
        """Take note that nothing can be written any more.

        Storage that does not answer costs the lease: whoever takes it next goes on. What storage
        refuses it would refuse the next one, too.
        """
        run_id = self.run.id
        match failure:
            case None:
                self.failure = LeaseLost("Another worker goes on with this run.", run_id=run_id)
            case Unavailable() | TimeoutError():
                self.failure = LeaseLost("Storage does not answer.", run_id=run_id)
            case _:
                text = f"What the run did cannot be stored: {cause_of(failure)}"
                self.failure = RunNotRecorded(text, run_id=run_id)
        self.failure.__cause__ = failure

    def _batch(self, entries: list[bytes], records: list[RunRecord]) -> LogBatch | None:
        if not (entries or records):
            return None
        self._number += 1
        after, self._entries_after = self._entries_after, self._entries_after + len(entries)
        return LogBatch(
            number=self._number,
            entries_after=after,
            entries_to=self._entries_after,
            entries=msgspec.msgpack.encode(entries) if entries else b"",
            first_seq=records[0].seq if records else 0,
            last_seq=records[-1].seq if records else 0,
            events=encode_records(records, field_bytes=self._limits.record_field_bytes),
        )

    def _snapshot(self, *, saves: bool) -> Snapshot | None:
        is_due = self._entry_bytes > self._snapshot_bytes and not self.run.is_final
        if not (is_due or self._wants_snapshot):
            return None
        if saves and self.run.is_final and not self._wants_snapshot:
            return None
        self._wants_snapshot = False
        data = encode_state(self._state)
        self._entry_bytes = 0
        self._snapshot_bytes = max(_SNAPSHOT_BYTES, len(data))
        return Snapshot(sequence=self._state.sequence, state=data)


def cause_of(failure: BaseException) -> str:
    """Describe a failure in a line; what drivers add about their statement stays in the log."""
    if isinstance(failure, AppError):
        return failure.message
    cause = getattr(failure, "orig", None) or failure
    line = next(iter(str(cause).splitlines()), "")
    return f"{type(cause).__name__}: {line[:_CAUSE_CHARS]}"


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
        # Runs wait for what it writes, so it goes before new requests at the database.
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
            # Before the write: a flush that comes during it makes the next one urgent.
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
        # Before anything is drawn: whoever begins to wait from here on waits for the next write.
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
            # A commit without an answer may have worked: from now on rows that are there already
            # are no conflict.
            is_repeated = True
            await asyncio.sleep(pause_s)
        raise Unavailable("The database does not take what runs did.")
