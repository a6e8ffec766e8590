"""Takes what one stretch of a run tells, and hands it to its followers and to the writer."""

import asyncio
from collections.abc import Callable
from copy import copy
from typing import Final, Protocol

import msgspec

from application.run.log import RunLog
from application.workflow.run.event import (
    RunEnded,
    RunEvent,
    RunPaused,
    RunRecord,
    encode_records,
)
from domain.shared.chat import ModelCall, Usage
from domain.shared.error import AppError, Unavailable
from domain.workflow.engine.checkpoint import encode_entry, encode_state
from domain.workflow.engine.error import JournalClosed, LeaseLost, RunNotRecorded
from domain.workflow.engine.event import JournalEntry
from domain.workflow.engine.state import RunState
from domain.workflow.limit import WorkflowLimits
from domain.workflow.run.repository import LogBatch, RunWrite, Snapshot, StoredState
from domain.workflow.run.workflow_run import WorkflowRun

_SNAPSHOT_BYTES: Final = 64 * 1024
_AHEAD_EVENTS: Final = 2048
"""How far a stream may run ahead of the log before its producer waits."""

_CAUSE_CHARS: Final = 200

_EMPTY: Final = StoredState(snapshot=None, batches=(), last_number=0, last_seq=0, last_call=0)


class Writer(Protocol):
    """Makes what recorders hold durable, many at once."""

    def touch(self, recorder: "RunRecorder") -> None:
        """Say that there is something to write, soon."""
        ...

    async def flush(self, recorder: "RunRecorder") -> None:
        """Return when everything the recorder took so far is durable."""
        ...


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
        writer: Writer,
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
        self._next_call = stored.last_call + 1
        self._number = stored.last_number
        self._saves = run.revision == 0
        self._room: Callable[[], bool] = lambda: len(self._records) < _AHEAD_EVENTS

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
        if not self._room():
            await self._writer.flush(self)

    def count(self, call: ModelCall) -> None:
        """Take a model call into the ledger."""
        self._calls.append(call)
        self.usage += call.usage

    # The end of the stretch

    async def settle(self, ending: RunEvent | None, *, keeps_state: bool = False) -> None:
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
        first_call, self._next_call = self._next_call, self._next_call + len(calls)
        return RunWrite(
            run=copy(self.run) if saves else self.run,
            revision=self.run.revision,
            saves=saves,
            batch=self._batch(entries, records),
            snapshot=self._snapshot(saves=saves),
            first_call=first_call,
            calls=tuple(calls),
            events=tuple(self.run.pull_events()),
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
