"""Carries a run on from its state to its end or its next question."""

import asyncio
import logging
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from typing import Final

from application.workflow.meter import WorkflowMeter
from application.workflow.run.event import RunBegan, RunEnded, RunEvent, RunPaused
from application.workflow.run.live import LiveRun
from application.workflow.run.recorder import RunRecorder, RunWriter, cause_of
from application.workflow.run.settlement import SPAN_STATUSES, end_of, facts_of
from application.workflow.run.state import RunPrograms
from application.workflow.run_mark import TestRunMark
from domain.shared.call import CallContext
from domain.shared.capacity.fair_share import MAX_WAIT_S
from domain.shared.crashpoint import crashpoint
from domain.shared.error import AppError, Unavailable
from domain.shared.settlement import NoTracing, RunFacts, RunTracing, SettlementPart
from domain.shared.tracing.span import SpanKind, SpanLog, begun, within
from domain.workflow.engine.error import LeaseLost, NodeFailed, RunNotRecorded
from domain.workflow.engine.execution import Engine, RunOptions, RunResult
from domain.workflow.engine.kept_variables import KeptVariables
from domain.workflow.engine.state import NodeError, RunState
from domain.workflow.limit import WorkflowLimits
from domain.workflow.plan import Plan
from domain.workflow.port import RunContext
from domain.workflow.run.repository import StoredState
from domain.workflow.run.workflow_run import RunFault, RunKind, RunMode, RunPhase, WorkflowRun
from domain.workflow.text import encode_json
from infra.contract.clock import Clock
from infra.contract.storage.database import priority_scope

_logger: Final = logging.getLogger(__name__)

_FOREVER: Final = 0.0
_NEVER_STORED: Final = "The storage did not answer, so the run left no trace; try again."


@dataclass(frozen=True, slots=True, kw_only=True)
class RunJob:
    """What a worker carries on; ``stored`` None for a run that is new."""

    run: WorkflowRun
    plan: Plan
    state: RunState
    stored: StoredState | None = None
    keeps_first_state: bool = False
    """The state begins with results of another run, or is no mere input."""


class RunExecutor:
    """One call per stretch of a run; keeps nothing in between."""

    def __init__(
        self,
        *,
        engine: Engine,
        programs: RunPrograms,
        writer: RunWriter,
        mark: TestRunMark,
        meter: WorkflowMeter,
        clock: Clock,
        limits: WorkflowLimits,
        tracing: RunTracing | None = None,
    ) -> None:
        self._tracing = tracing or NoTracing()
        self._meter = meter
        self._engine = engine
        self._programs = programs
        self._writer = writer
        self._mark = mark
        self._clock = clock
        self._limits = limits

    def recorder(self, job: RunJob, live: LiveRun) -> RunRecorder:
        """Make the journal of a stretch."""
        stored = {} if job.stored is None else {"stored": job.stored}
        return RunRecorder(
            job.run,
            job.state,
            log=live.log,
            writer=self._writer,
            limits=self._limits,
            snapshot_first=job.keeps_first_state,
            **stored,
        )

    async def execute(self, job: RunJob, live: LiveRun, recorder: RunRecorder) -> None:
        """Run, and store how it ended; a cancelled task hands the run on to another worker."""
        with self._meter.active(), priority_scope():
            await self._execute(job, live, recorder)

    async def _execute(self, job: RunJob, live: LiveRun, recorder: RunRecorder) -> None:
        run, nodes_before = job.run, job.state.executed
        recorder.take(RunBegan(attempt=run.attempt))
        tokens = (
            max(run.input_tokens, job.state.input_tokens),
            max(run.output_tokens, job.state.output_tokens),
        )
        ending: RunEvent | None = None
        facts = facts_of(run, is_resumed=job.stored is not None)
        trace: SpanLog | None = None
        try:
            try:
                # From here on a cancelled task hands the run on: nothing before may wait.
                trace = await self._tracing.begin(facts)
                if trace is not None:
                    facts = replace(facts, name=await self._programs.known_name(run))
                with within(trace.root) if trace else nullcontext():
                    result = await self._traced(job, live, recorder, facts)
            except asyncio.CancelledError:
                run.release(now=self._clock.now())
            else:
                self._count(job, recorder, tokens)
                name = await self._programs.name(run) if result.error is not None else ""
                ending = self._end(live, result, name=name)
                is_whole = run.kind is RunKind.DEBUG and not job.state.mocks
                if run.phase is RunPhase.SUCCESS and is_whole:
                    await self._mark.passed(run)
            crashpoint("workflow.finish.before_commit")
            parts: Sequence[SettlementPart] = ()
            if trace is not None:
                parts = await self._tracing.settle(trace, facts, end_of(run, now=self._clock.now()))
            await recorder.settle(ending, keeps_state=not run.is_final, parts=parts)
            crashpoint("workflow.finish.committed")
        except LeaseLost as exc:
            self._leave(live, exc)
            return
        except Exception as exc:
            _logger.exception("Workflow run %d cannot be recorded.", run.id)
            if not await self._give_up(live, recorder, exc):
                return
        live.is_settled = run.is_over
        if run.is_over:
            nodes = job.state.executed - nodes_before
            self._meter.ended(run, nodes=nodes, now=self._clock.now())

    def _leave(self, live: LiveRun, cause: LeaseLost) -> None:
        """Take note that the run goes on elsewhere, or nowhere if nobody else knows of it."""
        run = live.run
        _logger.warning("Workflow run %d stops here: %s", run.id, cause.message)
        self._meter.lost()
        if not run.revision:
            live.failure = Unavailable(_NEVER_STORED, run_id=run.id, retry_after_s=1.0)
            live.failure.__cause__ = cause

    async def _give_up(self, live: LiveRun, recorder: RunRecorder, cause: Exception) -> bool:
        """Let a run that cannot be recorded end as failed, if need be with nothing but that.

        Tell whether at least this could be stored.
        """
        run = live.run
        text = cause.message if isinstance(cause, AppError) else f"A defect: {cause_of(cause)}"
        # Those of the end that could not be stored; another one follows.
        run.pull_events()
        run.fail(RunFault.internal(RunNotRecorded.internal_code, text), now=self._clock.now())
        events = run.pull_events()
        for keeps_log in (True, False):
            for event in events:
                run.record(event)
            recorder.start_over(keeps_log=keeps_log)
            try:
                await recorder.settle(run_ended(run))
            except LeaseLost as exc:
                self._leave(live, exc)
                return False
            except RunNotRecorded as exc:
                live.failure = exc
            else:
                live.failure = None
                return True
        return False

    async def _traced(
        self, job: RunJob, live: LiveRun, recorder: RunRecorder, facts: RunFacts
    ) -> RunResult:
        """Run below a span of the workflow."""
        with begun(SpanKind.WORKFLOW, facts.name or str(facts.workflow_id)) as span:
            span.note(workflow_id=str(facts.workflow_id), version=facts.version)
            span.given(job.run.input)
            result = await self._run(job, live, recorder)
            span.gave(result.output)
            if result.error is not None:
                span.fail(result.error.message, code=result.code)
            else:
                span.status = SPAN_STATUSES[result.status]
            return result

    async def _run(self, job: RunJob, live: LiveRun, recorder: RunRecorder) -> RunResult:
        run, limits = job.run, self._limits
        if limits.durability == "off" and run.attempt > 1:
            text = "The process ended while it kept the run in memory only (durability off)."
            return _failed(text)
        seconds_left = run.seconds_left(self._clock.now())
        execution = self._engine.start(
            job.plan,
            job.state,
            self._context(run, recorder),
            options=RunOptions(
                durability=limits.durability,
                can_interrupt=run.mode is not RunMode.SYNC,
                is_background=run.mode is RunMode.ASYNC,
                max_seconds=_FOREVER if seconds_left is None else seconds_left,
            ),
            observer=recorder,
            journal=recorder,
        )
        live.execution = execution
        # It may have been cancelled while the trace began, when there was no execution to tell.
        if live.is_cancelled:
            execution.cancel()
        return await execution.run()

    def _context(self, run: WorkflowRun, recorder: RunRecorder) -> RunContext:
        # The parameter by which clients of Coze name the conversation of a chat flow.
        name = run.input.get("CONVERSATION_NAME", "")
        return RunContext(
            call=CallContext(
                scope=run.scope,
                space_id=run.space_id,
                connector_id=run.connector_id,
                end_user_id=run.end_user_id,
                run_id=run.id,
                log_id=run.log_id,
                record_call=recorder.count,
                account=run.account,
                egress_hosts=run.egress_hosts,
                max_wait_s=MAX_WAIT_S,
            ),
            workflow_id=str(run.workflow_id),
            app_id=_text(run.app_id),
            agent_id=_text(run.agent_id),
            conversation_id=_text(run.conversation_id),
            conversation_name=name if isinstance(name, str) else "",
            is_chat_flow=bool(run.conversation_id),
            is_debug=run.is_debug,
            strict_input=not run.is_debug,
        )

    @staticmethod
    def _count(job: RunJob, recorder: RunRecorder, before: tuple[int, int]) -> None:
        """Count what the stretch cost; calls of nodes that failed or asked count, too."""
        run, state, usage = job.run, job.state, recorder.usage
        run.executed = state.executed
        run.input_tokens = max(before[0] + usage.input_tokens, state.input_tokens)
        run.output_tokens = max(before[1] + usage.output_tokens, state.output_tokens)

    def _end(self, live: LiveRun, result: RunResult, *, name: str) -> RunEvent:
        run, now = live.run, self._clock.now()
        variables = live.execution.variables if live.execution else None
        match result.status:
            case "success":
                run.succeed(encode_json(result.output or {}), now=now)
            case "failed":
                run.fail(self._fault(result, name), now=now)
            case "cancelled" if live.fault is not None:
                run.fail(live.fault, now=now)
            case "cancelled":
                run.cancel(now=now)
            case "interrupted":
                run.interrupt(result.pending, now=now, ttl_s=self._limits.interrupt_ttl_s)
                crashpoint("workflow.interrupt.before_commit")
                return RunPaused(pending=run.pending, variables=variables)
        return run_ended(run, variables)

    def _fault(self, result: RunResult, name: str) -> RunFault:
        """Describe a failure for whoever has nothing but this: node, way to it, and cause."""
        error = result.error or NodeError(code=NodeFailed.internal_code, message="The run failed.")
        return RunFault(
            code=result.code or error.code,
            internal_code=error.code,
            message=error.described(name)[: self._limits.error_chars or None],
            node_id=error.node_id,
            node_title=error.node_title,
        )


def run_ended(run: WorkflowRun, variables: KeptVariables | None = None) -> RunEnded:
    """Tell how a run ended."""
    return RunEnded(
        phase=run.phase,
        output=run.output,
        answers=run.answers,
        fault=run.fault,
        input_tokens=run.input_tokens,
        output_tokens=run.output_tokens,
        variables=variables,
    )


def _failed(message: str) -> RunResult:
    code = NodeFailed.internal_code
    return RunResult(status="failed", error=NodeError(code=code, message=message), code=code)


def _text(number: int) -> str:
    return str(number) if number else ""
