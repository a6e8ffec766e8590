"""Events of runs that are not in this process's memory: from the log, then from the rows."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from typing import Final

import msgspec

from application.conversation.run.event import (
    DELTAS,
    TERMINAL,
    MessageCompleted,
    RunCreated,
    RunEvent,
    RunRecord,
    RunRequiresAction,
    RunStarted,
    terminal_event,
)
from application.conversation.signal import LOG_LAG_S, RUN_EVENT, RUN_FOLLOWED
from application.conversation.view import message_view, run_view
from application.run.log import parted
from application.shared.wakeup import Wakeups
from domain.conversation.message import Message
from domain.conversation.repository import ConversationStore
from domain.conversation.run import Run
from domain.conversation.run_repository import EventBatch
from domain.conversation.value import MessageKind, RunStatus
from domain.shared.access import TenantScope
from domain.shared.ids import RunId
from infra.contract.clock import Clock
from infra.contract.messaging.signal import Signals

_BATCHES: Final = 16
"""Read at a time: each holds the events of a second or less."""

_PRODUCED: Final = frozenset(MessageKind) - {MessageKind.QUESTION}
_DECODER: Final = msgspec.json.Decoder(list[RunRecord])


class RunReplay:
    """Reads what executors left behind, and what those of other processes write meanwhile.

    Make it before the signals start: they tell when to look.
    """

    def __init__(self, *, store: ConversationStore, signals: Signals, clock: Clock) -> None:
        self._store = store
        self._signals = signals
        self._wakeups = Wakeups(signals, subject=RUN_EVENT)
        self._clock = clock

    async def logged(
        self, scope: TenantScope, run_id: RunId, after: int
    ) -> AsyncGenerator[list[RunRecord], None]:
        """Yield the logged events after number ``after``, a part at a time: logs are long."""
        while True:
            async with self._store.snapshot() as uow:
                batches = await uow.events.read(scope, run_id, after=after, limit=_BATCHES)
            records = [
                part
                for batch in batches
                for record in _DECODER.decode(batch.payload)
                if record.seq > after
                for part in (
                    parted(record, DELTAS, after=after) if record.first_seq <= after else (record,)
                )
                if part.seq > after
            ]
            if records:
                after = records[-1].seq
                yield records
            if len(batches) < _BATCHES:
                return

    async def follow(
        self, scope: TenantScope, run_id: RunId, after: int
    ) -> AsyncGenerator[list[RunRecord], None]:
        """Yield logged events until the run is over, then what the log does not tell.

        Raises:
            RunNotFound: no such run of the scope's owner.
        """
        seen: set[int] = set()
        has_parked = False
        # Taken before the first look: what is stored between a look and the pause has to wake it.
        with self._wakeups.waiter(run_id) as waiter:
            while True:
                run, produced = await self._state(scope, run_id)  # first: the log only knows more
                is_over = run_view(run).is_over
                last: RunEvent | None = None
                async with aclosing(self.logged(scope, run_id, after)) as parts:
                    async for records in parts:
                        after = records[-1].seq
                        seen.update(_completed(records))
                        yield records
                        last = records[-1].event
                if last is not None:
                    has_parked = isinstance(last, RunRequiresAction)
                    if has_parked:
                        continue  # the row tells whether it still waits
                    if isinstance(last, TERMINAL):
                        return
                elif has_parked and run.status is RunStatus.REQUIRES_ACTION:
                    return
                if is_over and self._may_lag(run):
                    await waiter.pause(LOG_LAG_S / 2)
                elif is_over:
                    # What was completed before ``after`` is not told again; only the log from its
                    # beginning says what.
                    if after:
                        async with aclosing(self.logged(scope, run_id, 0)) as parts:
                            async for records in parts:
                                seen.update(_completed(records))
                    missing = [message for message in produced if message.id not in seen]
                    yield self._epilogue(run, missing, after=after)
                    return
                else:
                    # Its owner writes the log more often for a while; unasked it would be once a
                    # second.
                    self._signals.send(RUN_FOLLOWED, str(run_id))
                    await waiter.pause()

    def _may_lag(self, run: Run) -> bool:
        """Tell whether the end of the log may still be on its way; unsaved runs have none."""
        ended_at = run.completed_at or run.failed_at or run.canceled_at
        is_logged = run.is_saved or run.attempt > 1  # as of runs that went on after they waited
        if not is_logged or ended_at is None:
            return False
        return (self._clock.now() - ended_at).total_seconds() < LOG_LAG_S

    async def _state(self, scope: TenantScope, run_id: RunId) -> tuple[Run, Sequence[Message]]:
        async with self._store.snapshot() as uow:
            run = await uow.runs.get(scope, run_id)
            produced: Sequence[Message] = ()
            if run_view(run).is_over and run.is_saved:
                context = set(run.inserted_message_ids)
                stored = await uow.messages.of_run(scope, run_id, _PRODUCED)
                produced = [message for message in stored if message.id not in context]
        return run, produced

    def _epilogue(self, run: Run, missing: Sequence[Message], *, after: int) -> list[RunRecord]:
        """Tell the rest of a run whose log ended early or is gone."""
        view = run_view(run)
        events: list[RunEvent] = []
        if after == 0:
            begun = msgspec.structs.replace(view, status=RunStatus.CREATED)
            running = msgspec.structs.replace(view, status=RunStatus.IN_PROGRESS)
            events = [RunCreated(begun), RunStarted(running)]
        events += [MessageCompleted(message_view(message)) for message in missing]
        if (end := terminal_event(view)) is not None:
            events.append(end)
        at_ms = int(self._clock.now().timestamp() * 1000)
        return [
            RunRecord(seq=after + offset, at_ms=at_ms, event=event)
            for offset, event in enumerate(events, start=1)
        ]


def _completed(records: Sequence[RunRecord]) -> set[int]:
    return {
        record.event.message.id for record in records if isinstance(record.event, MessageCompleted)
    }


def decoded(batches: Sequence[EventBatch]) -> list[RunRecord]:
    """Return the events of stored batches."""
    return [record for batch in batches for record in _DECODER.decode(batch.payload)]
