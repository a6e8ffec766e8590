"""Executes accepted runs: history, agent, storage, and exactly one end."""

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import Final, assert_never

import msgspec

from application.conversation.run.checkpoint import CheckpointSource, CheckpointWriter
from application.conversation.run.ending import (
    NOT_STORED,
    Canceled,
    Completed,
    Ending,
    Failed,
    Lost,
    Suspended,
    ending_of_error,
    ending_of_stop,
    settled,
)
from application.conversation.run.event import (
    MessageCompleted,
    VariablesUpdated,
    event_of,
    event_of_member,
    event_of_node,
    event_of_switch,
    terminal_event,
)
from application.conversation.run.job import CallLedger, RunJob
from application.conversation.run.live import LiveRun
from application.conversation.run.meter import RunMeter
from application.conversation.run.recorder import AnswerRecorder, NoteWriter
from application.conversation.run.settlement import end_of, facts_of
from application.conversation.run.storage import (
    Kept,
    RunSettledElsewhere,
    RunStorage,
    nothing_kept,
)
from application.conversation.view import ANSWER_SEPARATOR, message_view, run_view
from application.run.registry import Stop
from crossdomain.agent.contract import (
    AgentEvent,
    AgentOutcome,
    Agents,
    AgentSwitched,
    AgentTurn,
    AgentWarned,
    AnswerCompleted,
    AnswerDelta,
    AnswerReplaced,
    AnswerStarted,
    FlowNode,
    FlowVariables,
    FollowUpsSuggested,
    MemberActed,
    OpenQuestion,
    Round,
    ToolAnswering,
    ToolEnded,
    ToolsRequested,
)
from crossdomain.agent.contract import KnowledgeRecalled as AgentKnowledgeRecalled
from crossdomain.agent.contract import StepEnded as AgentStepEnded
from crossdomain.agent.contract import StepStarted as AgentStepStarted
from crossdomain.agent.contract import ToolStarted as AgentToolStarted
from domain.conversation.client_wait import ClientWait
from domain.conversation.dialogue import answer_digest, question_id
from domain.conversation.history import PastMessage, build_rounds
from domain.conversation.message import Message
from domain.conversation.repository import ConversationStore
from domain.conversation.run import Run
from domain.conversation.value import MessageKind, MessageStatus, WaitingFor
from domain.shared.access import TenantScope
from domain.shared.account import originate
from domain.shared.call import CallContext
from domain.shared.chat import Usage
from domain.shared.crashpoint import crashpoint
from domain.shared.error import AppError
from domain.shared.id_generator import IdGenerator
from domain.shared.limits import Limits
from domain.shared.settlement import NoTracing, RunFacts, RunTracing, SettlementPart
from domain.shared.tracing.span import NOTHING, SpanLog, within
from infra.contract.clock import Clock
from infra.contract.storage.database import priority_scope

_logger: Final = logging.getLogger(__name__)


class RunExecutor:
    """Carries runs to their terminal states, one per call; keeps nothing between them."""

    def __init__(
        self,
        *,
        store: ConversationStore,
        agents: Agents,
        writer: CheckpointWriter,
        clock: Clock,
        ids: IdGenerator,
        limits: Limits,
        meter: RunMeter,
        tracing: RunTracing | None = None,
    ) -> None:
        self._meter = meter
        self._tracing = tracing or NoTracing()
        self._storage = RunStorage(store=store, clock=clock)
        self._agents = agents
        self._writer = writer
        self._clock = clock
        self._ids = ids
        self._limits = limits

    async def abandon(self, scope: TenantScope, waits_for: WaitingFor) -> None:
        """End what a run waited with that had to make way; a failure leaves it to its deadline."""
        question = question_of(waits_for)
        if question is None:
            return
        try:
            await self._agents.abandon(scope, question)
        except AppError:
            _logger.warning("A waiting workflow could not be ended.", exc_info=True)

    async def execute(self, job: RunJob, live: LiveRun) -> None:
        """Run the agent and settle the run, whatever happens."""
        originate(job.origin)  # what the run begins is asked for through the same
        with self._meter.active(), priority_scope():
            execution = self._begin(job, live)
            facts = facts_of(job)
            trace: SpanLog | None = None
            loop = asyncio.get_running_loop()
            wall = loop.call_later(self._limits.run_wall_s, live.stop, Stop.TIMED_OUT)
            usage = nested = Usage()
            ending: Ending
            try:
                # From here on a cancel ends the run: nothing before may wait.
                trace = await self._tracing.begin(facts)
                turn = await execution.turn()
                with within(trace.root if trace else NOTHING):
                    outcome = await self._agents.run(
                        execution.context(), job.definition, turn, execution.take
                    )
                ending, usage = ending_of_outcome(outcome), outcome.usage
                nested = outcome.nested_usage
            except asyncio.CancelledError:
                ending = ending_of_stop(live.stopped_by)
            except RunSettledElsewhere:
                ending = Lost()
            except AppError as exc:
                ending = ending_of_error(exc)
            except Exception as exc:
                _logger.exception("Run %d failed by a defect.", job.run.id)
                ending = ending_of_error(exc)
            finally:
                wall.cancel()
            # From here on no stop interrupts: the end is being stored, and there is exactly one.
            await live.settle()
            await execution.settle(
                ending,
                usage,
                nested=nested,
                limits=self._limits,
                kept=partial(self._kept, trace, facts) if trace else nothing_kept,
            )
            execution.progress.end()
        self._meter.ended(job, now=self._clock.now())

    async def _kept(self, trace: SpanLog, facts: RunFacts, run: Run) -> Sequence[SettlementPart]:
        """Return what else is stored with the end of a run."""
        return await self._tracing.settle(trace, facts, end_of(run, now=self._clock.now()))

    def _begin(self, job: RunJob, live: LiveRun) -> "_Execution":
        before = job.resumed_from
        ledger = CallLedger(
            count=before.model_calls if before else 0, usage=job.run.usage if before else None
        )
        answer = AnswerRecorder(job, live.log, clock=self._clock, ids=self._ids)
        self._writer.watch(
            CheckpointSource(job, log=live.log, answer=answer, ledger=ledger, limits=self._limits)
        )
        return _Execution(
            job,
            live,
            storage=self._storage,
            ledger=ledger,
            answer=answer,
            notes=NoteWriter(job, clock=self._clock, ids=self._ids),
            meter=self._meter,
            clock=self._clock,
        )


class _Execution:
    """One run being executed: takes the agent's events and tells log and storage."""

    def __init__(
        self,
        job: RunJob,
        live: LiveRun,
        *,
        storage: RunStorage,
        ledger: CallLedger,
        answer: AnswerRecorder,
        notes: NoteWriter,
        meter: RunMeter,
        clock: Clock,
    ) -> None:
        self._meter = meter
        self.progress = meter.progress()
        self._clock = clock
        self._notes = notes
        self._noting = asyncio.Lock()
        self._job = job
        self._live = live
        self._log = live.log
        self._storage = storage
        self._ledger = ledger
        self._answer = answer
        self._is_marked = False
        self._said: list[str] = []
        """Answers since the client was told last."""
        self._answered: Completed | None = None
        """How the run ends once its answer is stored: whatever stops its extras."""

    async def settle(
        self,
        ending: Ending,
        usage: Usage,
        *,
        nested: Usage,
        limits: Limits,
        kept: Kept,
    ) -> None:
        """Store the end, then announce it: nothing is reported that was not stored."""
        if self._answered is not None and not isinstance(ending, Lost):
            ending = self._answered
        # The turn's own sum counts only where no call was recorded, or each would be counted twice.
        spent = self._ledger.usage if self._ledger.has_recorded else self._ledger.usage + usage
        usage = spent + nested
        self.progress.finishing()
        if isinstance(ending, Lost):
            self._meter.lost()
        last = self._last_messages(ending)
        updated = self._updated_variables(ending)
        if isinstance(ending, Suspended):
            # Counted ahead: the number is stored with the row, and the events are told only after
            # that.
            to_come = len(last) + (updated is not None) + 1
            ending = self._numbered(ending, limits, to_come=to_come)
        crashpoint("chat.finish.before_commit")
        try:
            async with asyncio.timeout(limits.run_finalise_s):
                if isinstance(ending, Lost):
                    self._job.is_lost = True
                    await self._storage.reload(self._job)
                else:
                    await self._storage.settle(
                        self._job,
                        ending,
                        last,
                        self._ledger,
                        usage=usage,
                        waits=self._waits(ending, last, usage),
                        kept=kept,
                    )
            self._answer.close()
        except RunSettledElsewhere:
            last = []
        except (AppError, TimeoutError):  # the lease runs out, and the sweeper settles it
            self._job.is_unsettled = True
            _logger.exception("The end of run %d is not stored.", self._job.run.id)
            failed = Failed(error=NOT_STORED)
            self._announce(settled(self._job.run, failed, usage, self._job.run.created_at))
            return
        crashpoint("chat.finish.committed")
        # What was said before somebody stopped it is stored, but no client is told that it is
        # complete.
        if not isinstance(ending, Canceled):
            for message in last:
                self._log.emit(MessageCompleted(message_view(message)))
        if updated is not None:
            self._log.emit(updated)
        self._announce(self._job.run)

    def _updated_variables(self, ending: Ending) -> VariablesUpdated | None:
        """Return the variables that the conversation keeps, for those who want to know."""
        job, left = self._job, self._job.flow_variables
        if not isinstance(ending, Completed | Suspended):
            return None
        if left is None and (job.variables is None or isinstance(ending, Suspended)):
            return None
        return VariablesUpdated(values={**(job.variables or {}), **(left or {})})

    def _numbered(self, ending: Suspended, limits: Limits, *, to_come: int) -> Suspended:
        """Note where the run stands, for whoever goes on with it; ``to_come`` events follow."""
        waits_for = msgspec.structs.replace(
            ending.waits_for,
            last_event=self._log.last_seq + to_come,
            model_calls=self._ledger.count,
        )
        until = self._clock.now() + timedelta(seconds=limits.action_wait_s)
        return Suspended(waits_for=waits_for, until=until)

    def _waits(
        self, ending: Ending, last: Sequence[Message], usage: Usage
    ) -> tuple[ClientWait, ...]:
        """Return the calls, or the question, that the client is to answer with its next request."""
        job, run = self._job, self._job.run
        if not isinstance(ending, Suspended) or not job.takes_calls:
            return ()
        said = [*self._said, *(message_view(m).text for m in last if m.kind is MessageKind.ANSWER)]
        waits_for = ending.waits_for
        answer = answer_digest(ANSWER_SEPARATOR.join(filter(None, said)), waits_for.calls)
        now = self._clock.now()
        asked = ClientWait(
            call_id=question_id(
                *(run.creator_id, run.end_user_id, run.agent_id, waits_for.workflow_id),
                history=job.history,
                answer=answer,
            ),
            run_id=run.id,
            ordinal=job.waited + 1,
            space_id=run.space_id,
            agent_id=run.agent_id,
            creator_id=run.creator_id,
            end_user_id=run.end_user_id,
            conversation_id=run.conversation_id if run.is_saved else None,
            name="",
            upstream_id="",
            history=job.history,
            answer=answer,
            last_event=waits_for.last_event,
            usage=usage,
            created_at=now,
            expires_at=ending.until or now,
        )
        if not waits_for.calls:
            return (asked,)
        return tuple(
            replace(asked, call_id=call.id, name=call.name, upstream_id=call.upstream_id)
            for call in waits_for.calls
        )

    async def turn(self) -> AgentTurn:
        """Gather what the agent gets to know."""
        job = self._job
        return AgentTurn(
            history=await self._history(),
            summary=await self._storage.summary(job),
            question=job.question,
            variables=job.run.request.variables,
            extra_system=job.extra_system,
            overrides=job.overrides,
            shortcut=job.shortcut,
            wants_follow_ups=job.wants_follow_ups,
            answers=question_of(job.answers),
            conversation_id=job.run.conversation_id,
            parameters=job.parameters,
            kept=await self._storage.flow_variables(job),
            workflow_run_id=job.run.workflow_run_id,
            outputs=job.outputs,
            takes_outputs=job.takes_outputs,
            takes_calls=job.takes_calls,
            steps=job.steps,
            active=await self._storage.active_path(job),
        )

    async def _history(self) -> tuple[Round, ...]:
        job = self._job
        past: list[PastMessage] = []
        if job.has_past:
            stored = await self._storage.past(job)
            past = [entry for entry in stored if entry.message.id != job.run.question_id]
        past += [PastMessage(message=message) for message in job.context]
        return build_rounds(past, limit=job.definition.history_rounds)

    def context(self) -> CallContext:
        """Name whom the agent acts for, and where its calls are counted."""
        run = self._job.run
        return CallContext(
            scope=self._job.scope,
            space_id=run.space_id,
            connector_id=run.connector_id,
            end_user_id=run.end_user_id,
            run_id=run.id,
            log_id=self._job.log_id,
            record_call=self._ledger.record,
            account=self._job.account,
        )

    async def take(self, event: AgentEvent) -> None:
        """Tell, and store if need be, what the agent does."""
        if isinstance(event, AnswerDelta):  # first, because nearly all events are deltas
            self._answer.delta(event.text, event.reasoning)
            return
        self.progress.take(event)
        match event:
            case AnswerStarted(is_written=is_written):
                # An answer takes its number when it begins, without waiting; so there must be one.
                await self._storage.reserve(self._job)
                self._answer.begin(is_written=is_written)
            case AnswerReplaced(text=text, reasoning=reasoning):
                self._answer.replace(text, reasoning)
            case AnswerCompleted():
                await self._complete_answer(event)
            case AgentStepStarted() | AgentStepEnded() | AgentToolStarted() | AgentWarned():
                self._log.emit(event_of(event))
            case AgentKnowledgeRecalled() | ToolEnded():
                await self._note(event)
                self._log.emit(event_of(event))
            case ToolsRequested() | ToolAnswering() | FollowUpsSuggested():
                await self._note(event)
            case MemberActed():
                self._log.emit(event_of_member(event))
            case FlowNode() | FlowVariables():
                await self._take_flow(event)
            case AgentSwitched():
                await self._switch(event)
            case _:
                assert_never(event)

    async def _take_flow(self, event: FlowNode | FlowVariables) -> None:
        """Note what the workflow that answers tells of itself."""
        if isinstance(event, FlowVariables):
            self._job.flow_variables = event.values
            return
        if event.remark:
            await self._note(event)
        if self._job.surface == "fastgpt":  # nobody else is told, and there can be many
            self._log.emit(event_of_node(event))

    async def _switch(self, event: AgentSwitched) -> None:
        """Let another agent answer, also in the turns to come if that lasts."""
        self._job.speaks(event.agent_id, event.name)
        if event.lasts:
            await self._storage.activate(self._job, event.path)
        self._log.emit(event_of_switch(event))

    async def _complete_answer(self, event: AnswerCompleted) -> None:
        message = self._answer.finish(
            event.text,
            event.reasoning,
            finish_reason=event.finish_reason,
            citations=event.citations,
        )
        if message is None:
            self._answer.close()
            return
        if not event.is_last:
            self._said.append(message_view(message).text)
        if not event.is_kept:
            self._answer.close()
            self._log.emit(MessageCompleted(message_view(message)))
            return
        if event.is_last:
            return  # stored together with the end of the run: one transaction instead of two
        messages = [message]
        with self._live.sealed():
            if event.is_interim:
                await self._storage.keep(self._job, messages, self._ledger)
            else:
                messages += self._mark()
                reason = event.finish_reason.value
                await self._storage.finish_answer(
                    self._job, messages, self._ledger, finish_reason=reason
                )
                crashpoint("chat.answer.committed")
                self._answered = Completed(finish_reason=reason)
            self._answer.close()
            for stored in messages:
                self._log.emit(MessageCompleted(message_view(stored)))

    async def _note(
        self,
        event: AgentKnowledgeRecalled
        | ToolsRequested
        | ToolAnswering
        | ToolEnded
        | FollowUpsSuggested
        | FlowNode,
    ) -> None:
        """Store and tell what happened besides the answers; tools end at the same time."""
        if isinstance(event, ToolEnded) and event.is_noted:
            return
        async with self._noting:
            # Reserving waits for the database: beside each other two tools would both reserve.
            await self._storage.reserve(self._job)
            match event:
                case AgentKnowledgeRecalled():
                    messages = [self._notes.recalled(event)]
                case FlowNode(remark=remark):
                    messages = [self._notes.remark(remark)]
                case ToolsRequested(calls):
                    messages = [self._notes.tool_calls(calls)]
                case FollowUpsSuggested(questions):
                    messages = [self._notes.follow_up(question) for question in questions]
                case ToolAnswering(call_id=call_id, text=text):
                    messages = [self._notes.tool_result(call_id, text)]
                case ToolEnded(call=call, text=text, is_error=is_error):
                    messages = [self._notes.tool_result(call.id, text, is_error=is_error)]
                    self._answer.follow_tools()
                case _:
                    assert_never(event)
            with self._live.sealed():
                await self._storage.keep(self._job, messages, self._ledger)
                for message in messages:
                    self._log.emit(MessageCompleted(message_view(message)))

    def _last_messages(self, ending: Ending) -> list[Message]:
        """Return what is still to be stored of the answers."""
        match ending:
            case Completed():
                rest = self._answer.unstored(MessageStatus.AVAILABLE)
                return [*([rest] if rest else []), *self._mark()]
            case Suspended(waits_for=waits_for):
                rest = self._answer.unstored(MessageStatus.AVAILABLE)
                mark = [] if waits_for.calls else [self._notes.interrupted_mark()]
                return [*([rest] if rest else []), *mark]
            case Lost():
                return []
            case _:
                partial = self._answer.unstored(MessageStatus.BROKEN)
                return [partial] if partial else []

    def _mark(self) -> list[Message]:
        """Return the message that ends the answers, the first time."""
        if self._is_marked:
            return []
        self._is_marked = True
        return [self._notes.finished_mark()]

    def _announce(self, run: Run) -> None:
        """Emit the terminal event of the run."""
        view = run_view(run)
        self._live.view = view
        end = terminal_event(view)
        if end is None:  # still leased by somebody: followers wait for its row
            self._log.close()
        else:
            self._log.emit(end)


def ending_of_outcome(outcome: AgentOutcome) -> Completed | Suspended:
    """Tell how a turn that did not fail leaves its run."""
    question = outcome.question
    if question is None:
        return Completed(finish_reason=outcome.finish_reason.value)
    return Suspended(
        waits_for=WaitingFor(
            workflow_run_id=question.workflow_run_id,
            question_id=question.question_id,
            kind=question.kind,
            workflow_id=question.workflow_id,
            state=question.state,
            calls=question.calls,
            asked=question.asked,
        )
    )


def question_of(waits_for: WaitingFor | None) -> OpenQuestion | None:
    """Return what an earlier run waits for, as the agent knows it."""
    if waits_for is None:
        return None
    return OpenQuestion(
        workflow_run_id=waits_for.workflow_run_id,
        question_id=waits_for.question_id,
        kind=waits_for.kind,
        workflow_id=waits_for.workflow_id,
        state=waits_for.state,
        calls=waits_for.calls,
    )
