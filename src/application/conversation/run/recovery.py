"""Recovery of runs that lost their process, and of their traces; removal of what had its time."""

import logging
from collections.abc import Awaitable, Callable, Sequence
from datetime import timedelta
from functools import partial
from typing import Final

from application.conversation.run.ending import ACCOUNT_DISABLED, EXPIRED, INTERRUPTED
from application.conversation.run.event import (
    AgentActed,
    AgentEnded,
    AgentStarted,
    KnowledgeRecalled,
    RunRecord,
    StepEnded,
    StepStarted,
    ToolCompleted,
    ToolStarted,
)
from application.conversation.run.replay import decoded
from application.conversation.run.settlement import end_of, facts_of_run
from application.conversation.signal import RUN_EVENT
from application.run.recovery import disabled_account, in_batches
from application.run.span_replay import SpanReplay
from application.shared.background import Background
from crossdomain.agent.contract import SEARCH_TOOL
from crossdomain.privacy.contract import LegalHolds
from domain.conversation.client_wait import WaitState
from domain.conversation.repository import ConversationStore, ConversationUnitOfWork
from domain.conversation.run import Run
from domain.conversation.value import RunError, RunStatus
from domain.shared.access import TenantScope
from domain.shared.crashpoint import crashpoint
from domain.shared.error import StaleRevision
from domain.shared.ids import RunId
from domain.shared.limits import Limits
from domain.shared.settlement import NoTracing, RunTracing, SettlementPart
from domain.shared.tracing.span import Span, SpanKind, SpanLog
from infra.contract.clock import Clock
from infra.contract.messaging.event_bus import Delivery
from infra.contract.messaging.signal import Signals

_BATCHES: Final = 100
"""Of stored events that a trace is rebuilt from."""
_logger: Final = logging.getLogger(__name__)

_Lane = tuple[str, ...]
"""The calls by which an agent was called, outermost first; empty for the one that was asked."""
_Told = StepStarted | StepEnded | KnowledgeRecalled | ToolStarted | ToolCompleted


class RunRecoveryService:
    """Runs in every process. ``is_alone`` says that no other used the database when it began.

    Then whatever was running before this process began is lost, and is settled by ``start``.
    ``is_here`` tells which runs are in progress in this process. Those it never settles: their
    leases may seem to have run out because the clock was set.
    """

    def __init__(
        self,
        *,
        store: ConversationStore,
        signals: Signals,
        clock: Clock,
        limits: Limits,
        owner: str,
        is_alone: bool,
        is_here: Callable[[RunId], bool],
        holds: LegalHolds,
        tracing: RunTracing | None = None,
    ) -> None:
        self._holds = holds
        self._tracing = tracing or NoTracing()
        self._store = store
        self._signals = signals
        self._clock = clock
        self._limits = limits
        self._owner = owner
        self._is_alone = is_alone
        self._is_here = is_here
        self._loop = Background(
            self.sweep, name="sweeper of runs", interval_s=limits.sweep_interval_s
        )

    async def start(self) -> None:
        if self._is_alone:
            await self.recover_abandoned()
        await self._loop.start()

    async def aclose(self) -> None:
        await self._loop.aclose()

    async def sweep(self) -> None:
        """Settle runs without a lease, then purge."""
        await self.recover_expired()
        await self.purge()

    async def recover_abandoned(self) -> int:
        """Fail the runs of all earlier processes; return how many."""
        return await self._recover(
            lambda uow: uow.recovery.abandoned(self._owner, limit=self._limits.sweep_batch)
        )

    async def recover_expired(self) -> int:
        """Fail the runs whose lease ran out; return how many."""
        return await self._recover(
            lambda uow: uow.recovery.expired(now=self._clock.now(), limit=self._limits.sweep_batch)
        )

    async def end_account(self, delivery: Delivery) -> None:
        """Handle that an account was disabled: its runs that wait for answers get none."""
        user_id = disabled_account(delivery)
        await self._recover(
            lambda uow: uow.recovery.waiting(user_id, limit=self._limits.sweep_batch),
            error=ACCOUNT_DISABLED,
        )

    async def purge(self) -> None:
        """Remove old logs, idempotency keys and responses, and the content of what was deleted."""
        limits, now = self._limits, self._clock.now()
        # A log is kept for its time after the end of its run, and a run may take its own time.
        logs_before = now - timedelta(seconds=limits.event_log_ttl_s + limits.run_wall_s)
        keys_before = now - timedelta(seconds=limits.idempotency_ttl_s)
        held = await self._holds.held()
        deleted_before = now - timedelta(seconds=limits.conversation_purge_delay_s)
        for purge in (
            lambda uow: uow.recovery.purge_events(before=logs_before, limit=limits.sweep_batch),
            lambda uow: uow.recovery.purge_requests(before=keys_before, limit=limits.sweep_batch),
            lambda uow: uow.client_waits.purge(before=now, limit=limits.sweep_batch),
            lambda uow: uow.responses.purge(now=now, limit=limits.sweep_batch),
            lambda uow: uow.recovery.purge_conversations(
                before=deleted_before, limit=limits.sweep_batch, but=held
            ),
        ):
            await in_batches(partial(self._purge, purge))

    async def _purge(self, purge: Callable[[ConversationUnitOfWork], Awaitable[int]]) -> int:
        async with self._store.transaction() as uow:
            purged = await purge(uow)
            await uow.commit()
        return purged

    async def _recover(
        self,
        find: Callable[[ConversationUnitOfWork], Awaitable[list[Run]]],
        *,
        error: RunError | None = None,
    ) -> int:
        count = 0
        while True:
            async with self._store.transaction() as uow:
                found = await find(uow)
                lost = [run for run in found if not self._is_here(run.id)]
                settled = [run for run in lost if await self._settle(uow, run, error)]
                if settled:
                    crashpoint("chat.sweep.before_commit")
                await uow.commit()
            if settled:
                crashpoint("chat.sweep.committed")
            for run in settled:
                # After the commit: who is woken reads the row.
                self._signals.send(RUN_EVENT, str(run.id))
            count += len(settled)
            # If none could be settled the next look would find the same ones, for ever.
            if len(found) < self._limits.sweep_batch or not settled:
                return count

    async def _settle(self, uow: ConversationUnitOfWork, run: Run, error: RunError | None) -> bool:
        now = self._clock.now()
        is_waiting = run.status is RunStatus.REQUIRES_ACTION
        if run.is_finishing:  # the answer is whole; what was lost are extras
            run.complete(now=now, usage=run.usage, finish_reason=run.finish_reason)
        elif is_waiting:
            run.fail(error or EXPIRED, now=now)
        else:
            run.fail(INTERRUPTED, now=now)
        try:
            await uow.recovery.save(run)
        except StaleRevision:  # its owner was faster
            return False
        await uow.settle(await self._recovered_parts(uow, run, is_waiting=is_waiting))
        await uow.recovery.break_partials(run.id, now=now)
        await uow.client_waits.end(run.id, WaitState.EXPIRED)
        _logger.warning("Run %d was interrupted; it is %s now.", run.id, run.status.value)
        return True

    async def _recovered_parts(
        self, uow: ConversationUnitOfWork, run: Run, *, is_waiting: bool
    ) -> Sequence[SettlementPart]:
        """Return what is kept of a lost run: as much as its stored events tell."""
        facts = facts_of_run(run, is_resumed=is_waiting)
        log = await self._tracing.begin(facts)
        if log is None:
            return ()
        if not is_waiting:  # what it had done before it waited is stored
            scope = TenantScope(run.creator_id, frozenset({run.space_id}), run.end_user_id)
            batches = await uow.events.read(scope, run.id, after=0, limit=_BATCHES)
            try:
                _rebuild(log, decoded(batches), name=str(run.agent_id or run.id))
            except Exception:  # the run is to end, whatever its events are
                _logger.exception("What run %d told cannot be read.", run.id)
        return await self._tracing.settle(log, facts, end_of(run, now=self._clock.now()))


def _rebuild(log: SpanLog, records: Sequence[RunRecord], *, name: str) -> None:
    """Tell a log as much of a lost run's tree as events tell; what has no end in them is lost."""
    log.is_rebuilt = True
    if not records:
        return
    replay = _Replay(log, SpanReplay(log, began_ms=records[0].at_ms), name)
    for record in records:
        replay.take(record)
    replay.end()


class _Replay:
    """Makes spans of events: of each agent its steps, and below the last one its calls."""

    def __init__(self, log: SpanLog, spans: SpanReplay, name: str) -> None:
        self._spans = spans
        self._agents: dict[_Lane, Span] = {(): self._open(SpanKind.AGENT, name, log.root)}
        self._steps: dict[_Lane, Span] = {}
        self._models: dict[_Lane, Span] = {}
        self._tools: dict[_Lane, Span] = {}

    def take(self, record: RunRecord) -> None:
        self._spans.at(record.at_ms)
        event = record.event
        match event:
            case (
                StepStarted() | StepEnded() | KnowledgeRecalled() | ToolStarted() | ToolCompleted()
            ):
                self._act((), event)
            case AgentStarted(agent_path=path, task=task):
                lane = tuple(each.call_id for each in path)
                above = self._tools.get(lane) or self._agents[()]
                agent = self._agents[lane] = self._open(SpanKind.AGENT, path[-1].name, above)
                agent.given(task)
            case AgentActed(agent_path=path, event=acted):
                lane = tuple(each.call_id for each in path)
                if lane in self._agents and isinstance(acted, _Told):
                    self._act(lane, acted)
            case AgentEnded(agent_path=path):
                lane = tuple(each.call_id for each in path)
                self._close(self._steps.pop(lane, None))
                if (done := self._agents.get(lane)) is not None:
                    done.gave(event.text)
                    if event.is_error:
                        done.fail(event.text)
                    self._close(done)
            case _:
                pass  # tells of no step

    def end(self) -> None:
        self._spans.end()

    def _act(self, lane: _Lane, event: _Told) -> None:
        match event:
            case StepStarted(step=step, model=model):
                self._close(self._steps.pop(lane, None))
                above = self._steps[lane] = self._open(
                    SpanKind.STEP, f"step {step}", self._agents[lane]
                )
                self._models[lane] = self._open(SpanKind.MODEL, model, above)
            case StepEnded():
                if (asked := self._models.pop(lane, None)) is not None:
                    asked.used(event.usage)
                    asked.note(finish_reason=event.finish_reason)
                    self._close(asked)
            case KnowledgeRecalled():
                found = self._spans.open(
                    SpanKind.RETRIEVAL,
                    "retrieval",
                    parent=self._searching(lane) or self._place(lane),
                    since_ms=event.duration_ms,
                )
                found.given(event.query)
                found.gave(event.chunks)
                found.note(count=len(event.chunks))
                if event.is_failed:
                    found.fail("The search failed.")
                self._close(found)
            case ToolStarted(call_id=call_id, name=name, arguments=arguments):
                called = self._open(SpanKind.TOOL, name, self._place(lane))
                called.given(arguments)
                called.note(call_id=call_id)
                self._tools[(*lane, call_id)] = called
            case ToolCompleted(call_id=call_id):
                done = self._tools.get((*lane, call_id))
                if done is not None:
                    done.gave(event.result)
                    done.link(event.workflow_run_id)
                    if event.is_error:
                        done.fail(event.result)
                    self._close(done)

    def _searching(self, lane: _Lane) -> Span | None:
        """Return the call that a search is of, as far as there is only one."""
        open_calls = [
            span
            for path, span in self._tools.items()
            if path[:-1] == lane and span.name == SEARCH_TOOL and not span.ended_ns
        ]
        return open_calls[0] if len(open_calls) == 1 else None

    def _place(self, lane: _Lane) -> Span:
        return self._steps.get(lane) or self._agents[lane]

    def _open(self, kind: SpanKind, name: str, parent: Span) -> Span:
        return self._spans.open(kind, name, parent=parent)

    def _close(self, *spans: Span | None) -> None:
        self._spans.close(*spans)
