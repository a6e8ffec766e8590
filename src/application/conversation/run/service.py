"""Use cases on runs: start, follow, wait, look up, cancel."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import AsyncExitStack, aclosing
from dataclasses import replace
from functools import partial
from typing import Final

import msgspec

from application.conversation.dto import (
    FlowTarget,
    MessageView,
    RunResult,
    RunView,
    StartRun,
    SubmitOutputs,
)
from application.conversation.run.acceptance import Repeated, RunAcceptor
from application.conversation.run.admission_queue import AdmissionQueue, Slot, Visitor
from application.conversation.run.event import (
    EVENTS,
    TERMINAL,
    MessageCompleted,
    RunCreated,
    RunRecord,
    RunStarted,
)
from application.conversation.run.executor import RunExecutor
from application.conversation.run.live import ChatRegistry, LiveRun
from application.conversation.run.preparation import PreparedRun, RunPreparation
from application.conversation.run.replay import RunReplay
from application.conversation.signal import RUN_CANCEL
from application.conversation.view import message_views, run_view
from application.run.log import RunLog
from application.run.registry import Stop, Work
from application.shared.rate import RateLimiter
from application.shared.traffic import ShedReason
from crossdomain.agent.contract import AgentDefinition, Handling
from crossdomain.file.contract import Files
from crossdomain.usage.contract import BudgetExceeded, Budgets
from domain.conversation.error import RunNotCancelable, RunNotFound
from domain.conversation.repository import ConversationStore
from domain.conversation.run import Run
from domain.conversation.value import MessageKind, RunStatus
from domain.shared.access import Permission, Principal, TenantScope
from domain.shared.error import RateLimited, Unavailable
from domain.shared.id_generator import IdGenerator
from domain.shared.ids import RunId, SpaceId
from domain.shared.limits import Limits
from infra.contract.clock import Clock
from infra.contract.messaging.signal import Signals

_POLL_S: Final = 0.1
_PRODUCED: Final = frozenset(MessageKind) - {MessageKind.QUESTION}


class RunService:
    """Starts runs and lets any number of callers follow them; a caller that leaves changes nothing.

    The one exception: a run started with ``cancel_on_disconnect`` is cancelled once nobody has
    followed it for ``limits.disconnect_grace_s``.
    """

    def __init__(
        self,
        *,
        store: ConversationStore,
        registry: ChatRegistry,
        admission: AdmissionQueue,
        preparation: RunPreparation,
        acceptor: RunAcceptor,
        executor: RunExecutor,
        replay: RunReplay,
        signals: Signals,
        files: Files,
        clock: Clock,
        ids: IdGenerator,
        limits: Limits,
        budgets: Budgets | None = None,
    ) -> None:
        self._budgets = budgets
        self._store = store
        self._registry = registry
        self._admission = admission
        self._preparation = preparation
        self._acceptor = acceptor
        self._executor = executor
        self._files = files
        self._replay = replay
        self._signals = signals
        self._clock = clock
        self._ids = ids
        self._limits = limits
        self._rate = RateLimiter(
            per_minute=limits.end_user_runs_per_min, size=limits.auth_cache_entries, name="runs"
        )

    async def start(self, principal: Principal, command: StartRun) -> RunView:
        """Store the question, launch the run, and return it with status ``in_progress``.

        A repeated idempotency key returns the run of the first request.

        Raises:
            InvalidRequest: a limit is exceeded, or there is nothing to answer (4000).
            NotFound: unknown agent, unpublished agent, unknown conversation or file (4200).
            Forbidden: the token or role may not chat here (4101).
            ConversationBusy: another run is active in the conversation (4016).
            RateLimited: too many runs in this process or space, or of this end user (4013).
            BudgetExceeded: a budget that the run would count for is used up (4028).
            ShuttingDown: the process takes no new work (5002).
        """
        visitor = self._admitted(principal)
        prepared = await self._preparation.prepare(principal, command)
        space_id = prepared.definition.space_id
        if self._budgets is not None:
            try:
                await self._budgets.require(space_id, prepared.account)
            except BudgetExceeded:
                # A request that was accepted before gets its run, whatever has become of the
                # budget.
                if (repeated := await self._acceptor.repeated(prepared)) is None:
                    raise
                return run_view(repeated)
        # Before it takes a place: who is to be refused for the line must not keep others from a
        # run.
        self._admission.require_short(space_id)
        async with AsyncExitStack() as stack:
            try:
                slot = await stack.enter_async_context(self._admission.slot(space_id, visitor))
            except RateLimited:
                self._admission.refused(ShedReason.RUNS)
                raise
            await stack.enter_async_context(self._admission.turn(space_id))
            return await self._launch(prepared, command, slot)

    async def handling(self, principal: Principal, command: StartRun) -> Handling:
        """Tell what a run will make of what the request changes; errors as ``start``."""
        if not command.overrides.settings:
            return Handling()
        return await self._preparation.handling(principal, command)

    async def answerer(self, principal: Principal, command: StartRun) -> AgentDefinition:
        """Return who would answer; errors as ``start``."""
        return await self._preparation.load(principal, command)

    async def _launch(self, prepared: PreparedRun, command: StartRun, slot: Slot) -> RunView:
        """Return the run once it is stored."""
        live = LiveRun(
            RunId(command.run_id or self._ids.next_id()),
            scope=prepared.owner,
            space_id=prepared.definition.space_id,
            agent_id=prepared.definition.agent_id,
            log=RunLog(EVENTS, clock=self._clock, limits=self._limits),
            cancel_on_disconnect=command.cancel_on_disconnect,
            grace_s=self._limits.disconnect_grace_s,
        )
        # The task belongs to the process from here on: a caller that hangs up while the run is
        # being stored leaves a run behind that goes on, or is cancelled by its policy.
        self._admission.launch(live, partial(self._accept, prepared, live), slot=slot)
        return await live.accepted

    async def submit(self, principal: Principal, command: SubmitOutputs) -> RunView:
        """Let a waiting run go on with outputs of the client; it is in progress again.

        Whoever follows it then sees what comes after the outputs.

        Raises:
            RunNotFound: no such run of the caller in this conversation (4200).
            RunNotWaiting: it waits for nothing, or for other outputs (4105).
            Forbidden: the token or role may not chat here (4101).
            RateLimited: too many runs in this process or space (4013).
            ShuttingDown: the process takes no new work (5002).
        """
        principal.require_token(Permission.CHAT)  # before anything is told of the run's state
        visitor = self._admitted(principal)
        run = await self._acceptor.find_waiting(principal.scope, command)
        principal.require(Permission.CHAT, run.space_id)
        definition = await self._preparation.load(principal, _as_started(run))
        scope = replace(principal.scope, end_user_id=run.end_user_id)
        # The client may answer faster than the last steps of the part before are over.
        await self._registry.vacancy(run.id)
        live = LiveRun(
            run.id,
            scope=scope,
            space_id=run.space_id,
            agent_id=run.agent_id,
            log=RunLog(
                EVENTS,
                clock=self._clock,
                limits=self._limits,
                begins_after=run.waits_for.last_event if run.waits_for else 0,
            ),
            cancel_on_disconnect=False,
            grace_s=self._limits.disconnect_grace_s,
        )
        async with self._admission.slot(run.space_id, visitor) as slot:
            work = partial(
                self._resume, principal.scope, definition, command, live, is_saved=run.is_saved
            )
            self._admission.launch(live, work, slot=slot)
        return await live.accepted

    def _admitted(self, principal: Principal) -> Visitor | None:
        """Return whom the token is fixed to, who may ask so often; None for other tokens."""
        if not principal.end_user_id:
            return None
        visitor = principal.user_id, principal.end_user_id
        if wait_s := self._rate.take(visitor, now=self._clock.now()):
            raise RateLimited(
                f"You asked more than {self._limits.end_user_runs_per_min} times within a minute; "
                "wait a moment.",
                retry_after_s=wait_s,
                limit="end_user_runs_per_min",
            )
        return visitor

    def follow(
        self, principal: Principal, run_id: int, *, after: int = 0
    ) -> AsyncGenerator[list[RunRecord], None]:
        """Yield the events after number ``after`` in batches; the last one is terminal.

        Iterate inside ``aclosing``. Works for live runs, for runs of other processes and for ended
        ones. Raises ``RunNotFound`` on the first step.
        """
        scope = principal.scope
        live = self._visible(scope, run_id)
        if live is None:
            return self._replay.follow(scope, RunId(run_id), after)
        if live.ended.is_set() and live.is_waiting:
            return self._follow_waiting(scope, live, after)
        return self._follow_live(scope, live, after)

    async def follow_part(
        self, principal: Principal, run_id: int, *, after: int
    ) -> AsyncGenerator[list[RunRecord], None]:
        """Yield the events after number ``after`` up to the next that ends the run or parks it.

        What came before a run waited is told as well, unlike by ``follow``, even if it went on
        since. Iterate inside ``aclosing``.
        """
        live = self._visible(principal.scope, run_id)
        if live is not None and after < live.log.begins_after:
            events = self._replay.follow(principal.scope, RunId(run_id), after)
        else:
            events = self.follow(principal, run_id, after=after)
        async with aclosing(events) as batches:
            async for batch in batches:
                news = [record for record in batch if record.seq > after]
                for at, record in enumerate(news, start=1):
                    if isinstance(record.event, TERMINAL):
                        yield news[:at]
                        return
                if news:
                    yield news

    def _follow_live(
        self, scope: TenantScope, live: LiveRun, after: int
    ) -> AsyncGenerator[list[RunRecord], None]:
        after = max(after, live.log.begins_after)
        if live.log.is_ended:  # even who has seen the end gets to see it again
            after = min(after, live.log.last_seq - 1)
        return live.log.follow(
            after,
            stored=partial(self._replay.logged, scope, live.run_id),
            rest=partial(self._replay.follow, scope, live.run_id),
            visit=live.followed,
        )

    async def _follow_waiting(
        self, scope: TenantScope, live: LiveRun, after: int
    ) -> AsyncGenerator[list[RunRecord], None]:
        """Follow a run that waited here and may have gone on in another process."""
        async with self._store.snapshot() as uow:
            run = await uow.runs.get(scope, live.run_id)
        waits_for = run.waits_for  # it may have gone on elsewhere, and wait there once more
        if waits_for is not None and waits_for.last_event == live.log.last_seq:
            events = self._follow_live(scope, live, after)
        else:
            events = self._replay.follow(scope, live.run_id, after)
        async with aclosing(events) as batches:
            async for batch in batches:
                yield batch

    async def has_log(self, principal: Principal, run_id: int) -> bool:
        """Tell whether the events of a run are known from the first on; messages last longer."""
        if self._visible(principal.scope, run_id) is not None:
            return True
        async with self._store.snapshot() as uow:
            run = await uow.runs.get(principal.scope, RunId(run_id))
            batches = await uow.events.read(principal.scope, run.id, after=0, limit=1)
        return not run.is_terminal or (bool(batches) and batches[0].first_seq == 1)

    async def wait(self, principal: Principal, run_id: int) -> RunView:
        """Return the run once it is terminal; counts as following it."""
        return (await self.collect(principal, run_id)).run

    async def collect(self, principal: Principal, run_id: int) -> RunResult:
        """Wait and return the run with its answers; for unsaved runs too, right after ``start``."""
        messages: list[MessageView] = []
        async with aclosing(self.follow(principal, run_id)) as batches:
            async for batch in batches:
                for record in batch:
                    event = record.event
                    if isinstance(event, TERMINAL):
                        return RunResult(run=event.run, answers=_answers(messages))
                    if isinstance(event, MessageCompleted):
                        messages.append(event.message)
        raise Unavailable("The run was lost; look it up later.", run_id=run_id)

    async def get(
        self, principal: Principal, run_id: int, *, conversation_id: int | None = None
    ) -> RunView:
        """Return a run; raise ``RunNotFound``, also if it is not in ``conversation_id``."""
        live = self._visible(principal.scope, run_id)
        if live is not None and live.view is not None and not live.is_waiting:
            view = live.view
        else:
            async with self._store.snapshot() as uow:
                view = run_view(await uow.runs.get(principal.scope, RunId(run_id)))
        if conversation_id not in {None, view.conversation_id}:
            raise RunNotFound(f"No run {run_id} in this conversation.", run_id=run_id)
        principal.require(Permission.CHAT, SpaceId(view.space_id))
        return view

    async def messages(
        self, principal: Principal, run_id: int, *, conversation_id: int | None = None
    ) -> tuple[MessageView, ...]:
        """Return what the run produced, all kinds but questions, in order."""
        view = await self.get(principal, run_id, conversation_id=conversation_id)
        async with self._store.snapshot() as uow:
            stored = await uow.messages.of_run(principal.scope, RunId(run_id), _PRODUCED)
        context = set(view.inserted_message_ids)
        produced = [message for message in stored if message.id not in context]
        return await message_views(produced, files=self._files, scope=principal.scope)

    async def answers(self, principal: Principal, run_id: int) -> tuple[MessageView, ...]:
        """Return the stored answers of a run, in order."""
        return _answers(await self.messages(principal, run_id))

    async def cancel(
        self, principal: Principal, run_id: int, *, conversation_id: int | None = None
    ) -> RunView:
        """Stop a run and return it; waits up to three seconds for its terminal state.

        Raises:
            RunNotFound: no such run of the caller (4200).
            RunNotCancelable: the run is not running (4104).
        """
        view = await self.get(principal, run_id, conversation_id=conversation_id)
        _require_cancelable(view)
        live = self._visible(principal.scope, run_id)
        if live is None or live.ended.is_set():
            return await self._cancel_elsewhere(principal, RunId(run_id))
        live.stop(Stop.REQUESTED)
        try:
            async with asyncio.timeout(self._limits.cancel_wait_s):
                await live.ended.wait()
        except TimeoutError:
            return live.view or view
        final = live.view or view
        if final.status is not RunStatus.CANCELED:
            _require_cancelable(final)
        return final

    async def _cancel_elsewhere(self, principal: Principal, run_id: RunId) -> RunView:
        """Leave word for the owner and wait for the row to change."""
        async with self._store.transaction() as uow:
            await uow.runs.request_cancel(principal.scope, run_id, now=self._clock.now())
            await uow.commit()
        # After the row: whoever is woken looks there, and must find the request.
        self._signals.send(RUN_CANCEL, str(run_id))
        view = await self.get(principal, run_id)
        loop = asyncio.get_running_loop()
        deadline = loop.time() + self._limits.cancel_wait_s
        while not view.is_terminal and loop.time() < deadline:
            await asyncio.sleep(_POLL_S)
            view = await self.get(principal, run_id)
        if view.status is not RunStatus.CANCELED and view.is_terminal:
            _require_cancelable(view)
        return view

    async def _accept(self, prepared: PreparedRun, live: LiveRun) -> Work | None:
        """Store a run; the rest of its life follows in the same task of the process."""
        with live.sealed():
            accepted = await self._acceptor.accept(prepared, live.run_id)
        if isinstance(accepted, Repeated):
            live.accept(run_view(accepted.run))
            return None
        for run_id in accepted.superseded:
            if (earlier := self._registry.find(run_id)) is not None:
                earlier.stop(Stop.SUPERSEDED)
        for waits_for in accepted.abandoned:
            await self._executor.abandon(prepared.scope, waits_for)
        view = run_view(accepted.job.run)
        created = msgspec.structs.replace(view, status=RunStatus.CREATED)
        # Before the caller is answered: whoever follows at once finds the run's beginning.
        live.log.emit(RunCreated(created))
        live.log.emit(RunStarted(view))
        live.accept(view)
        live.watch_departure()
        return partial(self._executor.execute, accepted.job, live)

    async def _resume(
        self,
        scope: TenantScope,
        definition: AgentDefinition,
        command: SubmitOutputs,
        live: LiveRun,
        *,
        is_saved: bool,
    ) -> Work:
        """Claim a run that waited; the rest of its life follows in the same task."""
        with live.sealed():
            job = await self._acceptor.resume(scope, definition, command, is_saved=is_saved)
        view = run_view(job.run)
        live.log.emit(RunStarted(view))
        live.accept(view)
        return partial(self._executor.execute, job, live)

    def _visible(self, scope: TenantScope, run_id: int) -> LiveRun | None:
        live = self._registry.find(run_id)
        return live if live is not None and live.is_visible_to(scope) else None


def _as_started(run: Run) -> StartRun:
    """Return the request whose agent or workflow is to go on with the run."""
    flow = None
    if run.waits_for is not None and run.waits_for.workflow_id and run.workflow_run_id:
        flow = FlowTarget(
            workflow_id=run.waits_for.workflow_id,
            version=run.agent_version,
            is_draft=run.request.is_draft,
        )
    return StartRun(
        agent_id=run.agent_id,
        end_user_id=run.end_user_id,
        messages=(),
        connector_id=run.connector_id,
        use_draft=run.request.is_draft,
        agent_version=run.request.version,
        flow=flow,
    )


def _answers(messages: Sequence[MessageView]) -> tuple[MessageView, ...]:
    return tuple(message for message in messages if message.kind is MessageKind.ANSWER)


def _require_cancelable(view: RunView) -> None:
    if view.status not in {RunStatus.CREATED, RunStatus.IN_PROGRESS}:
        raise RunNotCancelable(
            f"The run is {view.status.value} and cannot be cancelled.", run_id=view.id
        )
