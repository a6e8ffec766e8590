"""Partial answers, event logs and model calls of all runs, written together every 100 ms."""

import logging
from collections.abc import Mapping, Set
from dataclasses import dataclass
from datetime import timedelta
from time import monotonic
from typing import Final

import msgspec

from application.conversation.run.ending import is_over
from application.conversation.run.event import RunEvent
from application.conversation.run.job import CallLedger, NumberedCalls, RunJob
from application.conversation.run.meter import RunMeter
from application.conversation.run.recorder import AnswerRecorder
from application.conversation.signal import FOLLOWED_S, LOG_LAG_S, RUN_EVENT, RUN_FOLLOWED
from application.run.log import EventsDropped, RunLog
from application.shared.background import Background
from domain.conversation.message import Message
from domain.conversation.repository import ConversationStore, ConversationUnitOfWork
from domain.conversation.run_repository import EventBatch
from domain.conversation.value import MessageStatus
from domain.shared.crashpoint import crashpoint
from domain.shared.error import AppError
from domain.shared.limits import Limits
from infra.contract.clock import Clock
from infra.contract.messaging.signal import Signals

_LATE: Final = timedelta(seconds=LOG_LAG_S / 2)
"""So long after somebody else ended a run its log may still get what came before."""
_ATTEMPTS: Final = 20
"""So often what a defect keeps from being written is tried, a second apart, in case it is none."""
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
    saved has its model calls written, and events only of what follows outputs of its client.

    The log never has a gap. A batch that could not be written may be stored all the same, so it is
    written again as it was; a log that can not go on ends where it is.
    """

    def __init__(
        self,
        job: RunJob,
        *,
        log: RunLog[RunEvent],
        answer: AnswerRecorder,
        ledger: CallLedger,
        limits: Limits,
    ) -> None:
        self.job = job
        self._log = log
        self._answer = answer
        self._ledger = ledger
        self._limits = limits
        self._stored = 0
        self._logged_seq = log.begins_after
        self._unsure: EventBatch | None = None
        self._is_cut = False
        self._failures = 0
        self._due_at = monotonic() + limits.partial_interval_s
        self._followed_until = 0.0

    @property
    def is_drained(self) -> bool:
        """Tell whether the run is over and nothing of it is left to write."""
        return self._log.is_ended and not self.unwritten and self._ledger.is_written

    def follow(self, *, until: float) -> None:
        """Have the event log written each time until a moment of the monotonic clock."""
        self._followed_until = until

    @property
    def unwritten(self) -> int:
        """How many events are in memory only."""
        return self._log.last_seq - self._logged_seq if self._has_log else 0

    @property
    def _has_log(self) -> bool:
        return self.job.is_logged and not self._is_cut and not self.job.is_unsettled

    def due(self, now: float) -> Checkpoint | None:
        """Return what should be written now; ``confirm`` or ``reject`` it afterwards."""
        # After a defect once a second only, even if somebody follows: twenty tries shall be twenty
        # seconds.
        if self._failures and now < self._due_at:
            return None
        draft = self._answer.draft
        fresh = draft.written - self._stored if draft else 0
        is_time = now >= self._due_at or self._log.is_ended
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
            events=self._events() if self._has_log and (is_time or is_followed) else None,
            calls=self._ledger.take() if is_time else (),
        )

    @property
    def is_settled(self) -> bool:
        """Tell whether the run ended here, or was parked: then its log is complete as it is."""
        job = self.job
        return is_over(job.run) and not job.is_lost and not job.is_settling

    def confirm(self, checkpoint: Checkpoint) -> None:
        self._stored = checkpoint.written
        self._failures = 0
        self._unsure = None
        if checkpoint.events:
            self._logged_seq = checkpoint.events.last_seq

    def reject(self, checkpoint: Checkpoint) -> None:
        self._ledger.give_back(checkpoint.calls)
        self._unsure = checkpoint.events or self._unsure

    def cut(self) -> None:
        """Write no more events: what is told of the run elsewhere is not what it says here."""
        self._is_cut = True

    def fail(self) -> bool:
        """Note that a defect kept a checkpoint from being written; tell whether to give it up."""
        self._failures += 1
        if self._failures < _ATTEMPTS:
            return False
        self.cut()
        return True

    def _events(self) -> EventBatch | None:
        if self._unsure:
            # Not what came since as well: if the batch is stored after all, the same bytes do no
            # harm.
            return self._unsure
        try:
            records = self._log.since(self._logged_seq)
        except EventsDropped as exc:
            records = self._log.since(exc.resume_after)
        if not records:
            return None
        return EventBatch(
            run_id=self.job.run.id,
            space_id=self.job.run.space_id,
            first_seq=self._logged_seq + 1,
            last_seq=records[-1].seq,
            payload=msgspec.json.encode(records),
        )


_Due = Mapping[CheckpointSource, Checkpoint]


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
        if any(source.unwritten for source in self._sources):
            await self.write_due()  # first came what was being written when the loop ended

    def watch(self, source: CheckpointSource) -> None:
        """Take care of a run until it is over and everything of it is written."""
        self._sources.add(source)
        self._by_run[str(source.job.run.id)] = source

    async def write_due(self) -> None:
        """Write what is due now; what cannot be written is tried again later."""
        now = monotonic()
        due = {s: found for s in self._sources if (found := s.due(now)) is not None}
        written: set[CheckpointSource] = set()
        try:
            written = await self._write(due)
        except (AppError, TimeoutError):
            _logger.warning("Checkpoints could not be written.", exc_info=True)
        except Exception:  # a defect in one of them must not keep the others from being written
            _logger.exception("Checkpoints could not be written together.")
            for source, checkpoint in due.items():
                written |= await self._write_alone(source, checkpoint)
        finally:
            # Also when the write was cancelled: the ledger has given its calls away and must have
            # them back.
            self._conclude(due, written)

    def _conclude(self, due: _Due, written: Set[CheckpointSource]) -> None:
        for source, checkpoint in due.items():
            if source not in written:
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

    async def _write_alone(
        self, source: CheckpointSource, checkpoint: Checkpoint
    ) -> set[CheckpointSource]:
        run_id = source.job.run.id
        try:
            return await self._write({source: checkpoint})
        except (AppError, TimeoutError):
            _logger.warning("A checkpoint of run %d could not be written.", run_id, exc_info=True)
        except Exception:
            is_given_up = source.fail()
            what = "is given up" if is_given_up else "is tried again"
            _logger.exception("A checkpoint of run %d %s.", run_id, what)
            if is_given_up:
                return {source}
        return set()

    async def _write(self, due: _Due) -> set[CheckpointSource]:
        """Write it all; return whose is written.

        Those are put off whose runs somebody else changes just now, or whose end is being stored.
        To a run that somebody else has ended nothing is added: its end has been told.
        """
        written = set(due)
        if not any(c.partial or c.events or c.calls for c in due.values()):
            return written
        now = self._clock.now()
        held = {
            s: s.job.run.id for s, c in due.items() if not s.is_settled and (c.partial or c.events)
        }
        batches: list[EventBatch] = []
        async with self._store.transaction() as uow:
            # Rows that somebody else holds are passed over: one of them must not hold up the texts
            # of all runs.
            ends = await uow.recovery.hold(set(held.values()), waits=False)
            for source, checkpoint in due.items():
                job = source.job
                ended_at = None if source.is_settled else ends.get(job.run.id)
                is_changing = source in held and job.run.id not in ends
                if is_changing or (ended_at and job.is_settling):
                    written.discard(source)
                    continue
                if checkpoint.partial and ended_at is None:
                    await uow.messages.put(job.scope, [checkpoint.partial])
                # Followers elsewhere read the log for ``LOG_LAG_S`` after the end; later nobody
                # would see it.
                if ended_at and now - ended_at >= _LATE:
                    source.cut()
                elif checkpoint.events:
                    batches.append(checkpoint.events)
                await write_calls(uow, job, checkpoint.calls)
            await uow.events.append(batches, now=now)
            crashpoint("chat.checkpoint.before_commit")
            await uow.commit()
        crashpoint("chat.checkpoint.committed")
        return written


async def write_calls(uow: ConversationUnitOfWork, job: RunJob, calls: NumberedCalls) -> None:
    """Write ledger rows, each under its own number."""
    await uow.model_calls.put(job.run.space_id, job.run.id, calls, job.account)
