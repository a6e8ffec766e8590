"""Runs the nodes that control flow lets run: at once where they only compute, else as tasks."""

import asyncio
import heapq
import logging
from collections import deque
from time import perf_counter
from typing import Any, Final, Literal

import msgspec

from domain.shared.crashpoint import crashpoint
from domain.shared.error import AppError
from domain.workflow.engine.call import Call
from domain.workflow.engine.composite import CompositeRun
from domain.workflow.engine.control_flow import ControlFlow, Ready
from domain.workflow.engine.error import (
    InterruptInSyncRun,
    InvalidResume,
    JournalClosed,
    NodeBudgetExceeded,
    NodeFailed,
    NotStorable,
    internal_code_of,
    message_of,
)
from domain.workflow.engine.event import Journal, Observer
from domain.workflow.engine.host import RunHost
from domain.workflow.engine.interrupt import Ask, Interrupt
from domain.workflow.engine.scheduler_global import GlobalReader, own_variables
from domain.workflow.engine.scheduler_log import RunLog
from domain.workflow.engine.scheduler_outcome import handled, succeeded, unhandled
from domain.workflow.engine.scheduler_stream import begin_stream, reread
from domain.workflow.engine.scheduler_work import ScopeFailed, attempts
from domain.workflow.engine.scope import Runnable, RunnableNode
from domain.workflow.engine.scope_input import GlobalKey, Globals, collect, complete, shown
from domain.workflow.engine.scope_run import STARTED, ScopeRun, output_of
from domain.workflow.engine.state import NodeError, Outcome, RunState
from domain.workflow.engine.state_weight import weight
from domain.workflow.limit import WorkflowLimits
from domain.workflow.node import Result
from domain.workflow.port import Ports, RunContext
from domain.workflow.value import Value
from infra.contract.id_generator import IdGenerator

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


class _ReadAll(msgspec.Struct, frozen=True):
    """All streams that the node reads have ended."""


Done = Result | Exception | _Fetched | _ReadAll


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
        runnables: dict[str, Runnable],
    ) -> None:
        journal = journal if durability != "off" else None
        self.state = state
        self.limits = limits
        self.context = context
        self.ports = ports
        self.runnables = runnables
        self.observer = observer
        self.log = RunLog(state, journal=journal, observer=observer)
        self.output: dict[str, Value] | None = None
        self.error: NodeError | None = None
        self._wake = asyncio.Event()
        self.control = ControlFlow(self.log, self._wake)
        self._globals = GlobalReader(state=state, ports=ports, context=context)
        self._host = RunHost(self)
        self._ids = ids
        self._journal = journal
        self._is_sync = durability == "sync"
        self._can_interrupt = can_interrupt
        self._max_working = max_concurrent
        self._completed: deque[tuple[ScopeRun, RunnableNode, Call | None, Done]] = deque()
        self._blocked: deque[Ready] = deque()
        self._working = 0
        self._weight = 0
        self._is_stopping = False
        self._group: asyncio.TaskGroup | None = None
        self._root: ScopeRun | None = None
        self._lost: JournalClosed | None = None

    async def drive(self, runnable: Runnable, *, is_strict: bool) -> None:
        """Run until the program ends, fails, or only waits for answers."""
        own = own_variables(runnable.plan.program, self.state.input)
        self.state.app_variables = {**own, **self.state.app_variables}
        root = self._root = ScopeRun(
            plan=runnable.root,
            record=self.state.root,
            owner=self,
            path=(),
            serial=0,
            values=self.state.input,
            variables=self.state.app_variables,
            keeps_variables=bool(own),
            is_strict=is_strict,
        )
        try:
            async with asyncio.TaskGroup() as group:
                self._group = group
                try:
                    await self._until_quiet(root)
                finally:
                    self.control.close(root)
        finally:
            self._group = None
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

    def wake(self) -> None:
        """Go on with what can be done now."""
        self._wake.set()

    def finish(self, scope: ScopeRun, runnable: RunnableNode, call: Call, result: Result) -> None:
        """Commit the result of a node and let control go on."""
        outcome = succeeded(runnable, call, result)
        if self._has_room(scope, runnable, call, outcome.output):
            self._commit(scope, runnable, call, outcome)

    def fail(self, scope: ScopeRun, runnable: RunnableNode, call: Call, error: NodeError) -> None:
        """Handle the failure of a node as its policy says."""
        goes_on = scope.plan.plan.scope.on_error == "skip_out"
        outcome = handled(runnable, call, error, goes_on=goes_on)
        if outcome is not None:
            self._commit(scope, runnable, call, outcome)
            return
        scope.calls.pop(runnable.position, None)
        self.log.ended(call, "failed", error=error)
        self.control.fail(scope, error)

    def prepare(self, scope: ScopeRun, runnable: RunnableNode, values: Globals) -> Call:
        """Read the inputs of a node; those of a node that waited are read from the state."""
        node = runnable.node
        warnings: list[str] = []
        progress = scope.record.open.get(node.id)
        if progress is not None and progress.inputs is not None:
            given: dict[str, Value] = progress.inputs
        else:
            given = collect(runnable.inputs, scope, values, warnings)
            if runnable.keeps_inputs:
                progress = self.log.opened(scope, node.id, given)
        inputs = complete(runnable.inputs, given, fills_zero=node.zero_fill)
        call = Call(
            host=self._host,
            scope=scope,
            node=node,
            inputs=inputs,
            given=shown(runnable.inputs, given, inputs),
            progress=progress,
        )
        call.globals = values
        call.warnings = warnings
        call.index = scope.batch_index
        self.log.began(call)
        crashpoint("workflow.node.began")
        return call

    def complete_early(self, scope: ScopeRun, runnable: RunnableNode, call: Call) -> None:
        """Finish a node that read streams, now that it has all of them."""
        if not scope.is_over:
            self._completed.append((scope, runnable, call, _ReadAll()))
            self._wake.set()

    def deliver(self, scope: ScopeRun, call: Call, text: str) -> None:
        """Send a piece of a node's message: to the user, or to the node that runs this child."""
        if call.node.kind == "exit" and not scope.is_root:
            if scope.output_feed is not None:
                scope.output_feed.push(text)
        elif text:
            self._host.say(call, text, is_last=False)

    def rest(self) -> None:
        """Note that a task waits for a scope that it started itself."""
        self._working -= 1
        self._unblock()
        self._wake.set()

    def resume_work(self) -> None:
        """Note that such a task goes on."""
        self._working += 1

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
        return not (self._working or control.ready or control.over or self._completed)

    async def _pump(self, root: ScopeRun) -> None:
        """Do everything that can be done without waiting."""
        ready, over = self.control.ready, self.control.over
        deadline = perf_counter() + _BUSY_S
        while not self._is_done(root):
            if self._completed:
                self._take_completed(*self._completed.popleft())
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
        if outcome is not None and not scope.plan.is_cyclic:
            self.control.settle(scope, runnable, outcome)
            return
        scope.status[runnable.position] = STARTED
        progress = scope.record.open.get(node.id)
        if progress is not None and progress.asked and progress.answer is None:
            return
        is_task = runnable.is_work or self._globals.must_fetch(scope, runnable)
        if is_task and self._max_working and self._working >= self._max_working:
            self._blocked.append((scope.serial, runnable.position, scope))
            return
        limit = self.limits.node_executions
        if limit and self.state.executed >= limit:
            error = NodeBudgetExceeded(f"The run executes more than {limit} nodes.")
            self._fail_with(scope, runnable, self._bare_call(scope, runnable), error)
        elif is_task:
            self._spawn(scope, runnable)
        else:
            self._run_now(scope, runnable, self._globals.known(scope, runnable))

    def _run_now(self, scope: ScopeRun, runnable: RunnableNode, values: Globals) -> None:
        call: Call | None = None
        try:
            if runnable.feeds and begin_stream(self, scope, runnable, values):
                return
            call = self.prepare(scope, runnable, values)
            if runnable.runner.composite:
                scope.calls[runnable.position] = call
                CompositeRun(self, scope, runnable, call).begin()
                return
            result = runnable.step(call)
        except Ask as ask:
            self._park(scope, runnable, call or self._bare_call(scope, runnable), ask)
        except Exception as error:  # noqa: BLE001 - whatever a node raises is its failure
            self._fail_with(scope, runnable, call or self._bare_call(scope, runnable), error)
        else:
            self.finish(scope, runnable, call, result)

    def _bare_call(self, scope: ScopeRun, runnable: RunnableNode) -> Call:
        """Make a call for a node that failed before its inputs were read."""
        call = Call(
            host=self._host, scope=scope, node=runnable.node, inputs={}, given={}, progress=None
        )
        call.index = scope.batch_index
        self.log.began(call)
        return call

    # Tasks

    def _spawn(self, scope: ScopeRun, runnable: RunnableNode) -> None:
        if self._group is not None:
            self._working += 1
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
                call = self.prepare(scope, runnable, values)
                scope.calls[runnable.position] = call
                if runnable.node.effects == "write" and self._journal is not None:
                    await self._journal.flush()
                done = await attempts(runnable, call, self.limits)
        except JournalClosed as error:
            self._lost = done = error
            self.stop()
        except Exception as error:  # noqa: BLE001 - whatever a node raises is its failure
            done = error
        finally:
            self._working -= 1
            scope.tasks.pop(runnable.position, None)
            self._unblock()
            self._wake.set()
        self._completed.append((scope, runnable, call, done))

    def _unblock(self) -> None:
        if self._blocked:
            heapq.heappush(self.control.ready, self._blocked.popleft())

    def _take_completed(
        self, scope: ScopeRun, runnable: RunnableNode, call: Call | None, done: Done
    ) -> None:
        if scope.is_over:
            return
        if isinstance(done, _Fetched):
            self._run_now(scope, runnable, done.values)
            return
        scope.calls.pop(runnable.position, None)
        call = call or self._bare_call(scope, runnable)
        if isinstance(done, Result):
            self.finish(scope, runnable, call, done)
        elif isinstance(done, _ReadAll):
            self._finish_reader(scope, runnable, call)
        elif isinstance(done, Ask):
            self._park(scope, runnable, call, done)
        else:
            self._fail_with(scope, runnable, call, done)

    def _finish_reader(self, scope: ScopeRun, runnable: RunnableNode, call: Call) -> None:
        """Compute the output of a node whose sources were not done when it began."""
        try:
            given = collect(runnable.inputs, scope, call.globals, call.warnings)
            reread(call, runnable, given)
            result = runnable.step(call)
        except Exception as error:  # noqa: BLE001 - whatever a node raises is its failure
            self._fail_with(scope, runnable, call, error)
        else:
            self.finish(scope, runnable, call, result)

    # Outcomes

    def _commit(
        self, scope: ScopeRun, runnable: RunnableNode, call: Call, outcome: Outcome
    ) -> None:
        scope.calls.pop(runnable.position, None)
        try:
            self.log.finished(scope, runnable, call, outcome)
        except NotStorable as error:
            self._fail_with(scope, runnable, call, error)
            return
        crashpoint("workflow.node.ended")
        self.control.settle(scope, runnable, outcome)

    def _has_room(
        self, scope: ScopeRun, runnable: RunnableNode, call: Call, output: dict[str, Value]
    ) -> bool:
        """Tell whether an output fits into the limits; fail the node or the run if it does not."""
        size = weight(output)
        self._weight += size
        limits = self.limits
        if limits.state_bytes and self._weight > limits.state_bytes and self._root is not None:
            text = f"The run holds more than {limits.state_bytes} bytes of values."
            self.control.fail(self._root, NodeError(code=NodeFailed.internal_code, message=text))
            return False
        if limits.value_bytes and size > limits.value_bytes:
            text = f"The output is larger than {limits.value_bytes} bytes."
            self._fail_with(scope, runnable, call, NodeFailed(text))
            return False
        return True

    def _fail_with(
        self, scope: ScopeRun, runnable: RunnableNode, call: Call, error: Exception
    ) -> None:
        if isinstance(error, ScopeFailed):
            self.fail(scope, runnable, call, error.error)
            return
        if not isinstance(error, AppError):
            node = runnable.node
            _logger.error("Node %s of kind %s failed.", node.id, node.kind, exc_info=error)
        text = message_of(error)[: self.limits.error_chars or None]
        failure = call.error(internal_code_of(error), text)
        if isinstance(error, InvalidResume) or (scope.is_root and runnable.node.kind == "entry"):
            failure = msgspec.structs.replace(failure, is_callers=True)
        self.fail(scope, runnable, call, failure)

    def _park(self, scope: ScopeRun, runnable: RunnableNode, call: Call, ask: Ask) -> None:
        node = runnable.node
        if not self._can_interrupt:
            self.log.ended(call, "interrupted")
            text = (
                "It asks for input in a run that nobody can answer; run it asynchronously or as "
                "a stream."
            )
            error = call.error(InterruptInSyncRun.internal_code, text)
            self.control.fail(self._root or scope, error)
            return
        progress = call.progress or self.log.opened(scope, node.id, call.given)
        interrupt = Interrupt(
            id=str(self._ids.next_id()),
            kind=ask.kind,
            path=call.path,
            node_id=node.id,
            node_title=node.title,
            data=ask.data,
            tool_path=scope.tool_path,
        )
        is_first = bool(progress.asked)
        progress.asked = interrupt.id
        progress.answer = None
        self.log.asked(call, interrupt, is_first=is_first)
        scope.owner.interrupted()
