"""Scheduler: runs the nodes that control flow lets run, at once or as tasks."""

import asyncio
import heapq
import logging
from collections import deque
from collections.abc import MutableMapping
from time import perf_counter
from typing import Any, Final, Literal

import msgspec

from domain.shared.error import AppError, ErrorKind
from domain.shared.id_generator import IdGenerator
from domain.shared.tracing.span import NOTHING, current, within
from domain.workflow.engine.call import Call
from domain.workflow.engine.composite import CompositeRun
from domain.workflow.engine.control_flow import ControlFlow, WorkSlots
from domain.workflow.engine.error import (
    JournalClosed,
    NodeBudgetExceeded,
    NodeFailed,
    NodeTimeout,
    internal_code_of,
    message_of,
)
from domain.workflow.engine.event import Journal, Observer
from domain.workflow.engine.global_variable import GlobalReader, own_variables
from domain.workflow.engine.host import RunHost, begin_stream, reread
from domain.workflow.engine.interrupt import Ask
from domain.workflow.engine.outcome import NodeEnds, unhandled
from domain.workflow.engine.scope import Runnable, RunnableNode
from domain.workflow.engine.scope_input import GlobalKey, Globals, collect
from domain.workflow.engine.scope_run import STARTED, RunLog, ScopeRun, output_of
from domain.workflow.engine.state import NodeError, RunState
from domain.workflow.graph import Node
from domain.workflow.limit import WorkflowLimits
from domain.workflow.node import NODE_TYPES, Result
from domain.workflow.port import Ports, RunContext
from domain.workflow.value import Value
from infra.contract.egress import EgressFailed

_BUSY_S: Final = 0.005
"""Longest stretch of computing before other runs of the process get their turn."""
_NO_EXIT: Final = NodeError(code=NodeFailed.internal_code, message="exit not reachable")
_DEFECT: Final = NodeError(
    code=NodeFailed.internal_code, message="The engine failed for an internal reason."
)

_logger: Final = logging.getLogger(__name__)


class _Fetched(msgspec.Struct, frozen=True):
    """Global variables are there; the node can be run at once."""

    values: dict[GlobalKey, Any]


Done = Result | Exception | _Fetched


class Scheduler:
    """One run of a program in this process, from a state to its end or its next question."""

    def __init__(
        self,
        *,
        state: RunState,
        ports: Ports,
        ids: IdGenerator,
        context: RunContext,
        limits: WorkflowLimits,
        max_concurrent: int,
        observer: Observer | None,
        journal: Journal | None,
        durability: Literal["sync", "batched", "off"],
        can_interrupt: bool,
        runnables: MutableMapping[str, Runnable],
    ) -> None:
        journal = journal if durability != "off" else None
        self.state = state
        self.span = current() or NOTHING
        self.limits = limits
        log = RunLog(state, journal=journal, observer=observer)
        self.output: dict[str, Value] | None = None
        self.error: NodeError | None = None
        self._wake = asyncio.Event()
        self.control = ControlFlow(log, self._wake)
        self._slots = WorkSlots(self.control, most=max_concurrent)
        self._ends = NodeEnds(
            log=log, control=self.control, limits=limits, ids=ids, can_interrupt=can_interrupt
        )
        self._globals = GlobalReader(state=state, ports=ports, context=context)
        self._host = RunHost(
            log=log,
            control=self.control,
            slots=self._slots,
            ports=ports,
            context=context,
            limits=limits,
            observer=observer,
            runnables=runnables,
        )
        self._journal = journal
        self._is_sync = durability == "sync"
        self._completed: deque[tuple[ScopeRun, RunnableNode, Call | None, Done]] = deque()
        self._is_stopping = False
        self._group: asyncio.TaskGroup | None = None
        self._lost: JournalClosed | None = None

    async def drive(self, runnable: Runnable, *, is_strict: bool) -> None:
        """Run until the program ends, fails, or only waits for answers."""
        own = own_variables(runnable.plan.program, self.state.input)
        self.state.app_variables = {**own, **self.state.app_variables}
        root = self._ends.root = ScopeRun(
            plan=runnable.root,
            record=self.state.root,
            owner=self,
            path=(),
            serial=0,
            values=self.state.input,
            variables=self.state.app_variables,
            keeps_variables=bool(own),
            is_strict=is_strict,
            mocks=self.state.mocks,
        )
        try:
            async with asyncio.TaskGroup() as group:
                self._group = group
                try:
                    await self._until_quiet(root)
                finally:
                    self.control.close(root)
        finally:
            self._group = self._ends.root = None  # the root refers to its owner
        if self._lost is not None:
            raise self._lost

    def stop(self) -> None:
        """Make ``drive`` return soon; running nodes are cancelled."""
        self._is_stopping = True
        self._wake.set()

    # Called by the root scope, by composites, streams and children

    def ended(self, scope: ScopeRun, error: NodeError | None) -> None:
        """Take note that the root scope is over."""
        if error is not None:
            self.error = error
            return
        self.output = output_of(scope)

    def interrupted(self) -> None:
        """Nothing is to be done at the root."""

    # The work loop

    async def _until_quiet(self, root: ScopeRun) -> None:
        try:
            self.control.begin(root)
            while not self._is_done(root):
                await self._pump(root)
                if self._is_done(root):
                    return
                if self._is_idle():
                    if not self.state.pending:
                        self.control.fail(root, _NO_EXIT)
                    return
                await self._wake.wait()
                self._wake.clear()
        except JournalClosed as error:
            self._lost = error
        except AppError as error:
            text = message_of(error)[: self.limits.error_chars or None]
            self.control.fail(root, NodeError(code=internal_code_of(error), message=text))
        except Exception:
            _logger.exception("Run %s ended because of a defect.", self.state.run_id)
            self.control.fail(root, _DEFECT)

    def _is_done(self, root: ScopeRun) -> bool:
        return root.is_over or self._is_stopping

    def _is_idle(self) -> bool:
        control = self.control
        return not (
            self._slots.working
            or control.ready
            or control.over
            or self._completed
            or self._host.read_all
        )

    async def _pump(self, root: ScopeRun) -> None:
        """Do everything that can be done without waiting."""
        ready, over, read_all = self.control.ready, self.control.over, self._host.read_all
        deadline = perf_counter() + _BUSY_S
        while not self._is_done(root):
            if self._completed:
                self._take_completed(*self._completed.popleft())
            elif read_all:
                self._finish_reader(*read_all.popleft())
            elif over:
                self._end(over.popleft())
            elif ready:
                _, position, scope = heapq.heappop(ready)
                if not scope.is_over:
                    self._start(scope, scope.plan.nodes[position])
            else:
                return
            if self._is_sync and self._journal is not None:
                await self._journal.flush()
            if perf_counter() > deadline:  # one node alone may have taken that long
                await asyncio.sleep(0)
                deadline = perf_counter() + _BUSY_S

    def _end(self, scope: ScopeRun) -> None:
        if scope.is_over:
            return
        end = scope.plan.end
        if end is not None and scope.plan.nodes[end].node.id not in scope.outcomes:
            self.control.fail(scope, unhandled(scope) or _NO_EXIT)
            return
        failed = unhandled(scope)
        if failed is not None:
            self.control.fail(scope, failed)
            return
        self.control.close(scope)
        scope.owner.ended(scope, None)

    def _start(self, scope: ScopeRun, runnable: RunnableNode) -> None:
        """Start a node, unless it is done already, waits for an answer, or has to queue."""
        node = runnable.node
        outcome = scope.outcomes.get(node.id)
        # It was done before the crash or the question. In a cycle each visit is a new execution.
        if outcome is not None and not scope.plan.is_cyclic:
            self.control.settle(scope, runnable, outcome)
            return
        scope.status[runnable.position] = STARTED
        if scope.mocks and (fixed := scope.mocks.get(node.canvas_id)) is not None:
            self._mock(scope, runnable, fixed)
            return
        progress = scope.record.open.get(node.id)
        # It has asked in an earlier stretch and waits for its own answer; that of another brought
        # us here.
        if progress is not None and progress.asked and progress.answer is None:
            return
        is_task = runnable.is_work or self._globals.must_fetch(scope, runnable)
        if is_task and not self._slots.take(scope, runnable.position):
            return
        limit = self.limits.node_executions
        if limit and self.state.executed >= limit:
            error = NodeBudgetExceeded(f"The run executes more than {limit} nodes.")
            self._ends.raised(scope, runnable, self._host.bare_call(scope, runnable), error)
        elif is_task:
            self._spawn(scope, runnable)
        else:
            self._run_now(scope, runnable, self._globals.known(scope, runnable))

    def _mock(self, scope: ScopeRun, runnable: RunnableNode, output: dict[str, Value]) -> None:
        """End a node with what was given for it; its inputs are not read."""
        call = self._host.bare_call(scope, runnable)
        call.extra["mocked"] = True
        self._ends.finish(scope, runnable, call, Result(output=dict(output)))

    def _run_now(self, scope: ScopeRun, runnable: RunnableNode, values: Globals) -> None:
        call: Call | None = None
        try:
            if runnable.feeds and begin_stream(self._host, scope, runnable, values):
                return
            is_composite = bool(runnable.runner.composite)
            call = self._host.prepare(scope, runnable, values, is_brief=not is_composite)
            if is_composite:
                scope.calls[runnable.position] = call
                CompositeRun(self._ends, scope, runnable, call).begin()
                return
            result = runnable.step(call)
        except Ask as ask:
            self._ends.park(scope, runnable, call or self._host.bare_call(scope, runnable), ask)
        except Exception as error:  # noqa: BLE001 - whatever a node raises is its failure
            self._ends.raised(scope, runnable, call or self._host.bare_call(scope, runnable), error)
        else:
            self._ends.finish(scope, runnable, call, result)

    # Tasks

    def _spawn(self, scope: ScopeRun, runnable: RunnableNode) -> None:
        if self._group is not None:
            self._slots.begin()
            task = self._group.create_task(self._work(scope, runnable))
            scope.tasks[runnable.position] = task

    async def _work(self, scope: ScopeRun, runnable: RunnableNode) -> None:
        call: Call | None = None
        done: Done
        try:
            values = await self._globals.fetch(scope, runnable)
            if not runnable.is_work:
                done = _Fetched(dict(values))
            else:
                call = self._host.prepare(scope, runnable, values)
                scope.calls[runnable.position] = call
                # What led here is durable before anything changes outside, so that a crash repeats
                # this node alone, with the key that it had.
                if runnable.node.effects == "write" and self._journal is not None:
                    await self._journal.flush()
                with within(call.span):
                    done = await _attempts(runnable, call, self.limits)
        except JournalClosed as error:
            self._lost = done = error
            self.stop()
        except Exception as error:  # noqa: BLE001 - whatever a node raises is its failure
            done = error
        finally:
            scope.tasks.pop(runnable.position, None)
            self._slots.end()
        # Only noted: the loop alone changes the state, between two of its steps.
        self._completed.append((scope, runnable, call, done))

    def _take_completed(
        self, scope: ScopeRun, runnable: RunnableNode, call: Call | None, done: Done
    ) -> None:
        if scope.is_over:
            return
        if isinstance(done, _Fetched):
            self._run_now(scope, runnable, done.values)
            return
        scope.calls.pop(runnable.position, None)
        call = call or self._host.bare_call(scope, runnable)
        if isinstance(done, Result):
            self._ends.finish(scope, runnable, call, done)
        elif isinstance(done, Ask):
            self._ends.park(scope, runnable, call, done)
        else:
            self._ends.raised(scope, runnable, call, done)

    def _finish_reader(self, scope: ScopeRun, runnable: RunnableNode, call: Call) -> None:
        """Compute the output of a node whose sources were not done when it began."""
        if scope.is_over:
            return
        scope.calls.pop(runnable.position, None)
        try:
            given = collect(runnable.inputs, scope, call.globals, call.warnings)
            reread(call, runnable, given)
            result = runnable.step(call)
        except Exception as error:  # noqa: BLE001 - whatever a node raises is its failure
            self._ends.raised(scope, runnable, call, error)
        else:
            self._ends.finish(scope, runnable, call, result)


async def _attempts(runnable: RunnableNode, call: Call, limits: WorkflowLimits) -> Result:
    """Run a node until it succeeds, its attempts are used up, or its time is over.

    What reached a reader of a stream cannot be taken back, so there is no attempt after that.
    """
    work = runnable.runner.work
    assert work is not None  # noqa: S101 - checked when the plan was made
    policy = call.node.policy
    scope = call.timer = asyncio.timeout(_time_limit_s(call.node, limits))
    try:
        async with scope:
            for number in range(max(policy.attempts, 1)):
                call.number = number
                try:
                    return await work(call)
                except Ask:
                    raise
                except Exception as error:
                    is_last = number + 1 >= policy.attempts
                    if is_last or (call.has_written and runnable.has_early_readers):
                        raise
                    call.next_attempt(is_definite=_is_definite(error))
                    await asyncio.sleep(policy.backoff_ms / 1000)
    except TimeoutError:
        # A timeout inside of the node, which is an error like others.
        if not scope.expired():
            raise
        raise NodeTimeout("node timeout") from None
    raise NodeTimeout("node timeout")


def _is_definite(error: Exception) -> bool:
    """Tell whether the attempt surely had no effect that a repetition would double."""
    uncertain = {ErrorKind.TIMEOUT, ErrorKind.UNAVAILABLE}
    if isinstance(error, EgressFailed) or not isinstance(error, AppError):
        return False
    return error.kind not in uncertain


def _time_limit_s(node: Node, limits: WorkflowLimits) -> float | None:
    """Seconds for all attempts of a node together; None for no limit."""
    if node.policy.timeout_ms > 0:
        return node.policy.timeout_ms / 1000
    defaults = {
        "model": limits.model_node_s,
        "remote": limits.remote_node_s,
        "code": limits.code_node_s,
    }
    kind = NODE_TYPES.get(node.kind).time_limit
    return defaults.get(kind, 0.0) or None
