"""Runs workflows: from the start, or from a state that a run left behind."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import msgspec
from cachetools import LRUCache

from domain.shared.id_generator import IdGenerator
from domain.workflow.engine.checkpoint import answer_interrupt
from domain.workflow.engine.error import NodeFailed, RunTimeout, external_code_of
from domain.workflow.engine.event import InterruptAnswered, Journal, Observer
from domain.workflow.engine.interrupt import Interrupt, select_pending
from domain.workflow.engine.kept_variables import KeptVariables, keep_variables
from domain.workflow.engine.scheduler import Scheduler
from domain.workflow.engine.scope import Runnable, make_runnable
from domain.workflow.engine.state import NodeError, RunState, RunStatus
from domain.workflow.error import NotCompilable
from domain.workflow.limit import WorkflowLimits
from domain.workflow.plan import Plan
from domain.workflow.port import Ports, RunContext
from domain.workflow.value import Value

Durability = Literal["sync", "batched", "off"]

_CACHED = 256


class RunResult(msgspec.Struct, frozen=True, kw_only=True):
    """How a stretch of a run ended; ``code`` is what clients see, ``error`` what records hold."""

    status: RunStatus
    output: dict[str, Value] | None = None
    error: NodeError | None = None
    code: int = 0
    pending: tuple[Interrupt, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOptions:
    """How a run is carried out.

    ``durability``: ``sync`` makes every node durable before the next one starts, ``batched``
    those before a node that changes something outside, ``off`` keeps no journal.
    """

    durability: Durability = "batched"
    can_interrupt: bool = True
    is_background: bool = False
    max_seconds: float | None = None
    """None for the limit of the deployment, 0 for none."""


class Execution:
    """One stretch of a run: ``run`` once, ``cancel`` from anywhere in the same loop."""

    def __init__(
        self, scheduler: Scheduler, runnable: Runnable, *, is_strict: bool, max_seconds: float
    ) -> None:
        self._scheduler = scheduler
        self._runnable = runnable
        self._is_strict = is_strict
        self._max_seconds = max_seconds
        self._is_cancelled = False

    @property
    def state(self) -> RunState:
        """State so far; complete in itself between any two turns of the event loop."""
        return self._scheduler.state

    @property
    def variables(self) -> KeptVariables | None:
        """Variables that the program keeps by itself, as they are now."""
        return keep_variables(
            self._runnable.plan.program,
            self.state.app_variables,
            max_bytes=self._scheduler.limits.kept_variables_bytes,
        )

    async def run(self) -> RunResult:
        """Run until the end, or until only answers are missing.

        What the journal took last is not flushed: it belongs into one transaction with the end.

        Cancelling the task leaves a state that another worker can go on with; ``cancel`` ends
        the run for good.

        Raises:
            JournalClosed: another worker took over, or nothing can be stored any more.
        """
        limit = asyncio.timeout(self._max_seconds or None)
        try:
            async with limit:
                await self._scheduler.drive(self._runnable, is_strict=self._is_strict)
        except TimeoutError:
            # It was a timeout of something inside, not that of the run.
            if not limit.expired():
                raise
            return self._timed_out()
        return self._result()

    def cancel(self) -> None:
        """End the run for good; its nodes are cancelled, its questions are dropped."""
        self._is_cancelled = True
        self._scheduler.stop()

    def _result(self) -> RunResult:
        scheduler = self._scheduler
        if scheduler.output is not None:
            scheduler.state.pending.clear()
            return RunResult(status="success", output=scheduler.output)
        if scheduler.error is not None:
            error = scheduler.error
            scheduler.state.pending.clear()
            return RunResult(
                status="failed",
                error=error,
                code=external_code_of(error.code, is_callers=error.is_callers),
            )
        if self._is_cancelled:
            scheduler.state.pending.clear()
            return RunResult(status="cancelled", code=777777777)
        if scheduler.state.pending:
            return RunResult(status="interrupted", pending=tuple(scheduler.state.pending))
        error = NodeError(code=NodeFailed.internal_code, message="The run stopped.")
        return RunResult(status="failed", error=error, code=error.code)

    def _timed_out(self) -> RunResult:
        code = RunTimeout.internal_code
        text = f"The run took longer than {self._max_seconds:g} s."
        self._scheduler.state.pending.clear()
        return RunResult(
            status="failed",
            error=NodeError(code=code, message=text),
            code=external_code_of(code),
        )


class Engine:
    """Starts and continues runs; holds what all of them share."""

    def __init__(self, *, ports: Ports, ids: IdGenerator, limits: WorkflowLimits) -> None:
        self._ports = ports
        self._ids = ids
        self._limits = limits
        self._runnables: LRUCache[str, Runnable] = LRUCache(_CACHED)

    def new_state(self, plan: Plan, *, run_id: str, values: Mapping[str, Value]) -> RunState:
        """Make the state of a run that has not begun."""
        return RunState(run_id=run_id, version_hash=plan.version_hash, input=dict(values))

    def start(
        self,
        plan: Plan,
        state: RunState,
        context: RunContext,
        *,
        options: RunOptions | None = None,
        observer: Observer | None = None,
        journal: Journal | None = None,
    ) -> Execution:
        """Prepare a run from a state: a new one, one after a crash, or one with answers.

        Raises:
            NotCompilable: the state belongs to another version, or a kind of node cannot run.
        """
        options = options or RunOptions()
        # The state names nodes by their ids: another version may know none of them, or mean others.
        if state.version_hash != plan.version_hash:
            raise NotCompilable("The run belongs to another version of the workflow.")
        scheduler = Scheduler(
            state=state,
            ports=self._ports,
            ids=self._ids,
            context=context,
            limits=self._limits,
            max_concurrent=plan.program.max_concurrent_nodes or self._limits.concurrent_nodes,
            observer=observer,
            journal=journal,
            durability=options.durability,
            can_interrupt=options.can_interrupt,
            runnables=self._runnables,
        )
        runnable = self._runnable(plan)
        default = self._limits.run_foreground_s
        if options.is_background:
            default = self._limits.run_background_s
        return Execution(
            scheduler,
            runnable,
            is_strict=context.strict_input,
            max_seconds=default if options.max_seconds is None else options.max_seconds,
        )

    def answer(
        self,
        state: RunState,
        interrupt_id: str,
        answer: str,
        *,
        journal: Journal | None = None,
        strict_fifo: bool = False,
    ) -> Interrupt:
        """Put the answer to a question into the state; ``start`` then goes on from there.

        Raises:
            ResumedTwice: nothing is open.
            InvalidResume: the id is none of the open ones.
        """
        interrupt = select_pending(state.pending, interrupt_id, strict_fifo=strict_fifo)
        answer_interrupt(state, interrupt.id, answer)
        if journal is not None:
            state.sequence += 1
            journal.record(InterruptAnswered(interrupt_id=interrupt.id, answer=answer))
        return interrupt

    def _runnable(self, plan: Plan) -> Runnable:
        known = self._runnables
        runnable = known.get(plan.version_hash)
        if runnable is None:
            runnable = make_runnable(plan)
            known[plan.version_hash] = runnable
        return runnable
