"""Partial answers, event logs and model calls of all runs, written together every 100 ms."""

import asyncio
import logging
from dataclasses import dataclass
from datetime import timedelta
from time import monotonic
from typing import Final

import msgspec

from application.conversation.channel import EventsDropped, RunChannel
from application.conversation.job import RunJob
from application.conversation.ledger import CallLedger, NumberedCalls
from application.conversation.meter import RunMeter
from application.conversation.recorder import AnswerRecorder
from application.conversation.signal import FOLLOWED_S, LOG_LAG_S, RUN_EVENT, RUN_FOLLOWED
from application.shared.background import Background
from domain.conversation.message import Message
from domain.conversation.repository import ConversationStore, ConversationUnitOfWork
from domain.conversation.run_repository import EventBatch
from domain.conversation.value import MessageStatus
from domain.shared.crashpoint import crashpoint
from domain.shared.error import AppError
from domain.shared.limits import Limits
from infra.contract.clock import Clock
from infra.contract.signal import Signals

_LATE: Final = timedelta(seconds=LOG_LAG_S / 2)
"""So long after the end of a run its log may still get what came before."""
_logger: Final = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Checkpoint:
    """What one run wants written at a moment."""

    partial: Message | None
    written: int
    events: EventBatch | None
    calls: NumberedCalls


class CheckpointSource:
    """Decides for one run what is due: every second, or after 2 KiB of new text.

    The event log of a run that another process follows is written each time. A run that is not
    saved has its model calls written and nothing else.
    """

    def __init__(
        self,
        job: RunJob,
        *,
        channel: RunChannel,
        answer: AnswerRecorder,
        ledger: CallLedger,
        limits: Limits,
    ) -> None:
        self.job = job
        self._channel = channel
        self._answer = answer
        self._ledger = ledger
        self._limits = limits
        self._stored = 0
        self._logged_seq = channel.begins_after
        self._due_at = monotonic() + limits.partial_interval_s
        self._followed_until = 0.0

    @property
    def is_drained(self) -> bool:
        """Tell whether the run is over and nothing of it is left to write."""
        is_logged = not self.job.run.is_saved or self._logged_seq >= self._channel.last_seq
        return self._channel.is_ended and is_logged and self._ledger.is_written

    def follow(self, *, until: float) -> None:
        """Have the event log written each time until a moment of the monotonic clock."""
        self._followed_until = until

    @property
    def unwritten(self) -> int:
        """How many events are in memory only."""
        return self._channel.last_seq - self._logged_seq if self.job.run.is_saved else 0

    def due(self, now: float) -> Checkpoint | None:
        """Return what should be written now; ``confirm`` or ``reject`` it afterwards."""
        draft = self._answer.draft
        fresh = draft.written - self._stored if draft else 0
        is_time = now >= self._due_at or self._channel.is_ended
        is_followed = now < self._followed_until
        is_partial_due = is_time or fresh >= self._limits.partial_bytes
        if not is_partial_due and not is_followed:
            return None
        is_saved = self.job.run.is_saved
        partial = None
        if is_partial_due:
            self._due_at = now + self._limits.partial_interval_s
            if fresh and is_saved:
                partial = self._answer.unstored(MessageStatus.STREAMING)
        return Checkpoint(
            partial=partial,
            written=(draft.written if draft else 0) if is_partial_due else self._stored,
            events=self._events() if is_saved and (is_time or is_followed) else None,
            calls=self._ledger.take() if is_time else (),
        )

    @property
    def is_settled(self) -> bool:
        """Tell whether the run was brought to its end here, so that nobody else can have."""
        return self.job.run.is_terminal and not self.job.is_lost

    def confirm(self, checkpoint: Checkpoint) -> None:
        self._stored = checkpoint.written
        if checkpoint.events:
            self._logged_seq = checkpoint.events.last_seq

    def reject(self, checkpoint: Checkpoint) -> None:
        self._ledger.give_back(checkpoint.calls)

    def _events(self) -> EventBatch | None:
        try:
            records = self._channel.since(self._logged_seq)
        except EventsDropped as exc:
            records = self._channel.since(exc.resume_after)
        if not records:
            return None
        return EventBatch(
            run_id=self.job.run.id,
            space_id=self.job.run.space_id,
            first_seq=self._logged_seq + 1,
            last_seq=records[-1].seq,
            payload=msgspec.json.encode(records),
        )


_Due = tuple[CheckpointSource, Checkpoint]


class CheckpointWriter:
    """The one writer of a process: many runs, one transaction; then it tells who follows them."""

    def __init__(
        self,
        *,
        store: ConversationStore,
        signals: Signals,
        clock: Clock,
        limits: Limits,
        meter: RunMeter,
    ) -> None:
        self._store = store
        self._signals = signals
        self._clock = clock
        self._sources: set[CheckpointSource] = set()
        self._by_run: dict[str, CheckpointSource] = {}
        signals.listen(RUN_FOLLOWED, self._followed)
        meter.watch_log(lambda: sum(source.unwritten for source in self._sources))
        self._loop = Background(
            self.write_due, name="checkpoints", interval_s=limits.checkpoint_interval_s
        )

    async def start(self) -> None:
        await self._loop.start()

    async def aclose(self) -> None:
        await self._loop.aclose()
        await self.write_due()

    def watch(self, source: CheckpointSource) -> None:
        """Take care of a run until it is over and everything of it is written."""
        self._sources.add(source)
        self._by_run[str(source.job.run.id)] = source

    async def write_due(self) -> None:
        """Write what is due now; what cannot be written is tried again later."""
        now = monotonic()
        due = [(s, found) for s in self._sources if (found := s.due(now)) is not None]
        put_off: set[CheckpointSource] = set()
        try:
            put_off = await self._write(due)
        except (AppError, TimeoutError):
            _reject(due)
            _logger.warning("Checkpoints could not be written.", exc_info=True)
            return
        except asyncio.CancelledError:
            _reject(due)
            raise
        except Exception:  # a defect in one of them must not keep the others from being written
            _logger.exception("Checkpoints could not be written together.")
            for one in due:
                await self._write_alone(one)
        for source, checkpoint in due:
            if source in put_off:
                source.reject(checkpoint)
                continue
            source.confirm(checkpoint)
            if checkpoint.events:
                self._signals.send(RUN_EVENT, str(source.job.run.id))
            if source.is_drained:
                self._forget(source)

    def _followed(self, key: str) -> None:
        if (source := self._by_run.get(key)) is not None:
            source.follow(until=monotonic() + FOLLOWED_S)

    def _forget(self, source: CheckpointSource) -> None:
        self._sources.discard(source)
        key = str(source.job.run.id)
        if self._by_run.get(key) is source:  # the run may have gone on meanwhile
            del self._by_run[key]

    async def _write_alone(self, one: _Due) -> None:
        try:
            await self._write([one])
        except Exception:
            _logger.exception("A checkpoint of run %d is given up.", one[0].job.run.id)

    async def _write(self, due: list[_Due]) -> set[CheckpointSource]:
        """Write it all; return those whose runs somebody else changes just now, for another time.

        To a run that somebody else has ended nothing is added: its end has been told.
        """
        if not any(c.partial or c.events or c.calls for _, c in due):
            return set()
        now = self._clock.now()
        held = {s.job.run.id: s for s, c in due if not s.is_settled and (c.partial or c.events)}
        batches: list[EventBatch] = []
        async with self._store.transaction() as uow:
            ends = await uow.recovery.hold(held.keys(), waits=False)
            put_off = {source for run_id, source in held.items() if run_id not in ends}
            for source, checkpoint in due:
                if source in put_off:
                    continue
                ended_at = ends.get(source.job.run.id)
                if checkpoint.partial and ended_at is None:
                    await uow.messages.put(source.job.scope, [checkpoint.partial])
                if checkpoint.events and (ended_at is None or now - ended_at < _LATE):
                    batches.append(checkpoint.events)
                await write_calls(uow, source.job, checkpoint.calls)
            await uow.events.append(batches, now=now)
            crashpoint("chat.checkpoint.before_commit")
            await uow.commit()
        crashpoint("chat.checkpoint.committed")
        return put_off


def _reject(due: list[_Due]) -> None:
    for source, checkpoint in due:
        source.reject(checkpoint)


async def write_calls(uow: ConversationUnitOfWork, job: RunJob, calls: NumberedCalls) -> None:
    """Write ledger rows, each under its own number."""
    for number, call in calls:
        await uow.model_calls.append(job.run.space_id, job.run.id, number, [call])
