"""Decides which nodes run, and runs them: at once where they only compute, as tasks otherwise."""

import asyncio
import heapq
import logging
from collections import deque
from collections.abc import Mapping
from time import perf_counter
from typing import Any, Final, Literal

import msgspec

from domain.shared.error import AppError
from domain.workflow import scheduler_cyclic
from domain.workflow.convert import null_fill
from domain.workflow.execution_call import Call
from domain.workflow.execution_error import (
    InterruptInSyncRun,
    LeaseLost,
    NodeBudgetExceeded,
    NodeFailed,
    internal_code_of,
    message_of,
)
from domain.workflow.execution_event import Journal, Observer
from domain.workflow.graph import DEFAULT_PORT, ERROR_PORT, GlobalKind
from domain.workflow.interrupt import Ask, Interrupt
from domain.workflow.limit import WorkflowLimits
from domain.workflow.port import Ports, RunContext
from domain.workflow.run import Result
from domain.workflow.scheduler_composite import CompositeRun
from domain.workflow.scheduler_host import RunHost
from domain.workflow.scheduler_log import RunLog
from domain.workflow.scheduler_scope import DECIDED, STARTED, ScopeRun
from domain.workflow.scheduler_stream import begin_stream, close_feeds, reread
from domain.workflow.scheduler_work import ScopeFailed, attempts
from domain.workflow.scope import NO_PORT, Runnable, RunnableNode
from domain.workflow.scope_input import GlobalKey, Globals, collect, complete, shown
from domain.workflow.state import NodeError, Outcome, RunState
from domain.workflow.state_weight import weight
from domain.workflow.value import Value
from infra.contract.id_generator import IdGenerator

_BUSY_S: Final = 0.005
"""Longest stretch of computing before other runs of the process get their turn."""
_CHECK_EVERY: Final = 32
_NO_EXIT: Final = NodeError(code=NodeFailed.internal_code, message="exit not reachable")
_NO_GLOBALS: Final[Globals] = {}

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
        self.runnables = runnables
        self.state = state
        self.limits = limits
        self.context = context
        self.ports = ports
        self.log = RunLog(state, journal=journal, observer=observer)
        self.observer = observer
        self.output: dict[str, Value] | None = None
        self.error: NodeError | None = None
        self.host = RunHost(self)
        self._ids = ids
        self._journal = journal if durability != "off" else None
        self._is_sync = durability == "sync"
        self._can_interrupt = can_interrupt
        self._max_working = max_concurrent
        self._ready: list[tuple[int, int, ScopeRun]] = []
        self._over: deque[ScopeRun] = deque()
        self._completed: deque[tuple[ScopeRun, RunnableNode, Call | None, Done]] = deque()
        self._blocked: deque[tuple[int, int, ScopeRun]] = deque()
        self._working = 0
        self._serial = 0
        self._weight = 0
        self._is_stopping = False
        self._wake = asyncio.Event()
        self._group: asyncio.TaskGroup | None = None
        self._root: ScopeRun | None = None
        self._lost: LeaseLost | None = None

    async def drive(self, runnable: Runnable, *, is_strict: bool) -> None:
        """Run until the program ends, fails, or only waits for answers."""
        root = ScopeRun(
            plan=runnable.root,
            record=self.state.root,
            owner=self,
            path=(),
            serial=0,
            values=self.state.input,
            is_strict=is_strict,
        )
        self._root = root
        try:
            async with asyncio.TaskGroup() as group:
                self._group = group
                self.begin(root)
                try:
                    await self._until_quiet(root)
                finally:
                    self.close(root)
        finally:
            self._group = None
        if self._lost is not None:
            raise self._lost

    def stop(self) -> None:
        """Make ``drive`` return soon; running nodes are cancelled."""
        self._is_stopping = True
        self._wake.set()

    # What scopes, composites and children call

    def ended(self, scope: ScopeRun, error: NodeError | None) -> None:
        """Take note that the root scope is over."""
        if error is not None:
            self.error = error
            return
        end = scope.plan.end
        node_id = "" if end is None else scope.plan.nodes[end].node.id
        outcome = scope.outcomes.get(node_id)
        self.output = {} if outcome is None else outcome.output

    def interrupted(self) -> None:
        """Nothing is to be done at the root."""

    def wake(self) -> None:
        """Go on with what can be done now."""
        self._wake.set()

    def next_serial(self) -> int:
        """Number the next scope; earlier scopes go first."""
        self._serial += 1
        return self._serial

    def begin(self, scope: ScopeRun) -> None:
        """Let control enter a scope."""
        if scope.parent is not None:
            scope.parent.children.add(scope)
        if scope.plan.is_cyclic:
            scheduler_cyclic.begin(self, scope)
            self._wake.set()
            return
        for target in scope.plan.start:
            scope.alive[target] = 1
            self._decide(scope, target)
        if scope.undecided == 0:
            self._over.append(scope)
        self._wake.set()

    def make_ready(self, scope: ScopeRun, position: int) -> None:
        """Let a node run."""
        heapq.heappush(self._ready, (scope.serial, position, scope))

    def scope_is_over(self, scope: ScopeRun) -> None:
        """Take note that nothing is left to do in a scope."""
        self._over.append(scope)

    def close(self, scope: ScopeRun) -> None:
        """Cancel everything in a scope that is over."""
        if scope.is_over:
            return
        scope.is_over = True
        if scope.parent is not None:
            scope.parent.children.discard(scope)
        for child in tuple(scope.children):
            self.close(child)
        for task in tuple(scope.tasks.values()):
            task.cancel()
        for call in scope.calls.values():
            self.log.ended(call, "cancelled")
        scope.calls.clear()

    def fail_scope(self, scope: ScopeRun, error: NodeError) -> None:
        """End a scope whose node failed without being handled."""
        if not scope.is_over:
            self.close(scope)
            scope.owner.ended(scope, error)
            self._wake.set()

    def finish(self, scope: ScopeRun, runnable: RunnableNode, call: Call, result: Result) -> None:
        """Commit the result of a node and let control go on."""
        node = runnable.node
        output, port = result.output, result.port
        if node.null_fill:
            outputs = node.outputs
            if runnable.has_structures or any(field.name not in output for field in outputs):
                output = null_fill(output, outputs)
        if node.policy.on_error != "throw":
            output = {**output, "isSuccess": True}
            if not port and node.policy.on_error == "branch":
                port = DEFAULT_PORT
        if not self._has_room(scope, runnable, call, output):
            return
        outcome = Outcome(
            output=output,
            port=port,
            input_tokens=call.input_tokens,
            output_tokens=call.output_tokens,
        )
        self._commit(scope, runnable, call, outcome)

    def _has_room(
        self, scope: ScopeRun, runnable: RunnableNode, call: Call, output: dict[str, Value]
    ) -> bool:
        """Tell whether an output fits into the limits; fail the node or the run if it does not."""
        size = weight(output)
        self._weight += size
        limits = self.limits
        if limits.state_bytes and self._weight > limits.state_bytes and self._root is not None:
            text = f"The run holds more than {limits.state_bytes} bytes of values."
            self.fail_scope(self._root, NodeError(code=NodeFailed.internal_code, message=text))
            return False
        if limits.value_bytes and size > limits.value_bytes:
            text = f"The output is larger than {limits.value_bytes} bytes."
            self._fail_with(scope, runnable, call, NodeFailed(text))
            return False
        return True

    def fail(self, scope: ScopeRun, runnable: RunnableNode, call: Call, error: NodeError) -> None:
        """Handle the failure of a node as its policy says."""
        node = runnable.node
        policy = node.policy
        output: dict[str, Value] = {}
        if policy.on_error == "throw":
            if scope.plan.plan.scope.on_error == "fail":
                scope.calls.pop(runnable.position, None)
                self.log.ended(call, "failed", error=error)
                self.fail_scope(scope, error)
                return
            port = NO_PORT
            output["error"] = error.message
        else:
            if policy.has_default and isinstance(policy.default, dict):
                output.update(policy.default)
            output = null_fill(output, node.outputs)
            output["isSuccess"] = False
            output["errorBody"] = {"errorMessage": error.message, "errorCode": error.code}
            port = ERROR_PORT if policy.on_error == "branch" else ""
            if node.ports and policy.on_error == "default":
                port = DEFAULT_PORT
        outcome = Outcome(
            output=output,
            port=port,
            error=error,
            input_tokens=call.input_tokens,
            output_tokens=call.output_tokens,
        )
        self._commit(scope, runnable, call, outcome)

    def resolve_early(self, scope: ScopeRun, source: int) -> None:
        """Let readers of a stream start: its source has begun to produce."""
        runnable = scope.plan.nodes[source]
        success = DEFAULT_PORT if runnable.node.policy.on_error == "branch" else ""
        for successor in runnable.successors:
            pair = (source, successor.target)
            if not successor.is_early or pair in scope.early:
                continue
            if successor.ports and not successor.is_taken(success):
                continue
            scope.early.add(pair)
            if successor.ports:
                scope.alive[successor.target] = 1
            self._decide(scope, successor.target)
        self._wake.set()

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
            self.host.say(call, text, is_last=False)

    def rest(self) -> None:
        """Note that a task waits for a scope that it started itself."""
        self._working -= 1
        self._unblock()
        self._wake.set()

    def resume_work(self) -> None:
        """Note that such a task goes on."""
        self._working += 1

    # Control flow

    def _decide(self, scope: ScopeRun, target: int) -> None:
        """Count one thing less to wait for; skipped nodes pass that on at once."""
        skipped = self._count_down(scope, target)
        while skipped:
            source = skipped.pop()
            for successor in scope.plan.nodes[source].successors:
                skipped.extend(self._count_down(scope, successor.target))
            scope.undecided -= 1
            scope.status[source] = DECIDED

    def _count_down(self, scope: ScopeRun, target: int) -> list[int]:
        waiting = scope.waiting
        waiting[target] -= 1
        if waiting[target]:
            return []
        if scope.alive[target]:
            self.make_ready(scope, target)
            return []
        return [target]

    def _settle(self, scope: ScopeRun, runnable: RunnableNode, outcome: Outcome) -> None:
        """Pass control on from a node that is done."""
        if scope.plan.is_cyclic:
            scheduler_cyclic.settle(self, scope, runnable)
            return
        position, port = runnable.position, outcome.port
        scope.status[position] = DECIDED
        scope.undecided -= 1
        early = scope.early
        for successor in runnable.successors:
            target = successor.target
            if early and (position, target) in early:
                continue
            if successor.is_taken(port):
                scope.alive[target] = 1
            self._decide(scope, target)
        if scope.feeds:
            close_feeds(scope, runnable, outcome)
        if position == scope.plan.end or scope.undecided == 0:
            self._over.append(scope)

    # The work loop

    async def _until_quiet(self, root: ScopeRun) -> None:
        while not self._is_done(root):
            await self._pump(root)
            if self._is_done(root):
                return
            if self._is_idle():
                if not self.state.pending:
                    self.fail_scope(root, _NO_EXIT)
                return
            await self._wake.wait()
            self._wake.clear()

    def _is_done(self, root: ScopeRun) -> bool:
        return root.is_over or self._is_stopping

    def _is_idle(self) -> bool:
        return not (self._working or self._ready or self._over or self._completed)

    async def _pump(self, root: ScopeRun) -> None:
        """Do everything that can be done without waiting."""
        deadline = perf_counter() + _BUSY_S
        turns = 0
        while not self._is_done(root):
            if self._completed:
                self._take_completed(*self._completed.popleft())
            elif self._over:
                self._end(self._over.popleft())
            elif self._ready:
                _, position, scope = heapq.heappop(self._ready)
                if not scope.is_over:
                    self._start(scope, scope.plan.nodes[position])
            else:
                return
            if self._is_sync and self._journal is not None:
                await self._journal.flush()
            turns += 1
            if turns % _CHECK_EVERY == 0 and perf_counter() > deadline:
                await asyncio.sleep(0)
                deadline = perf_counter() + _BUSY_S

    def _end(self, scope: ScopeRun) -> None:
        if scope.is_over:
            return
        end = scope.plan.end
        if end is not None and scope.plan.nodes[end].node.id not in scope.outcomes:
            self.fail_scope(scope, _NO_EXIT)
            return
        self.close(scope)
        scope.owner.ended(scope, None)

    def _start(self, scope: ScopeRun, runnable: RunnableNode) -> None:
        node = runnable.node
        outcome = scope.outcomes.get(node.id)
        if outcome is not None and not scope.plan.is_cyclic:
            self._settle(scope, runnable, outcome)
            return
        progress = scope.record.open.get(node.id)
        if progress is not None and progress.asked and progress.answer is None:
            scope.status[runnable.position] = STARTED
            return
        is_task = runnable.is_work or self._missing_globals(runnable)
        if is_task and self._max_working and self._working >= self._max_working:
            self._blocked.append((scope.serial, runnable.position, scope))
            return
        scope.status[runnable.position] = STARTED
        limit = self.limits.node_executions
        if limit and self.state.executed >= limit:
            error = NodeBudgetExceeded(f"The run executes more than {limit} nodes.")
            self._fail_with(scope, runnable, self._bare_call(scope, runnable), error)
        elif is_task:
            self._spawn(scope, runnable)
        else:
            self._run_now(scope, runnable, self._globals(runnable))

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
            step = runnable.runner.step
            assert step is not None  # noqa: S101 - checked when the plan was made
            result = step(call)
        except Ask as ask:
            self._park(scope, runnable, call or self._bare_call(scope, runnable), ask)
        except Exception as error:  # noqa: BLE001 - whatever a node raises is its failure
            self._fail_with(scope, runnable, call or self._bare_call(scope, runnable), error)
        else:
            self.finish(scope, runnable, call, result)

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
            host=self.host,
            scope=scope,
            node=node,
            inputs=inputs,
            given=shown(given, inputs),
            progress=progress,
        )
        call.warnings = warnings
        call.index = scope.batch_index
        self.log.began(call)
        return call

    def _bare_call(self, scope: ScopeRun, runnable: RunnableNode) -> Call:
        call = Call(
            host=self.host, scope=scope, node=runnable.node, inputs={}, given={}, progress=None
        )
        call.index = scope.batch_index
        self.log.began(call)
        return call

    # Tasks

    def _spawn(self, scope: ScopeRun, runnable: RunnableNode) -> None:
        if self._group is None:
            return
        self._working += 1
        task = self._group.create_task(self._work(scope, runnable))
        scope.tasks[runnable.position] = task

    async def _work(self, scope: ScopeRun, runnable: RunnableNode) -> None:
        call: Call | None = None
        done: Done
        try:
            values = await self._fetch_globals(runnable)
            if not runnable.is_work:
                done = _Fetched(dict(values))
            else:
                call = self.prepare(scope, runnable, values)
                scope.calls[runnable.position] = call
                if runnable.node.effects == "write" and self._journal is not None:
                    await self._journal.flush()
                done = await attempts(runnable, call, self.limits)
        except LeaseLost as error:
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
            heapq.heappush(self._ready, self._blocked.popleft())

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
            given = collect(runnable.inputs, scope, self._globals(runnable), call.warnings)
            reread(call, runnable, given)
            step = runnable.runner.step
            assert step is not None  # noqa: S101 - kinds that read streams have a step
            result = step(call)
        except Exception as error:  # noqa: BLE001 - whatever a node raises is its failure
            self._fail_with(scope, runnable, call, error)
        else:
            self.finish(scope, runnable, call, result)

    def _missing_globals(self, runnable: RunnableNode) -> bool:
        return any(not self._is_assigned(key) for key in runnable.globals)

    def _is_assigned(self, key: GlobalKey) -> bool:
        return key[0] is GlobalKind.APP and key[1] in self.state.app_variables

    def _globals(self, runnable: RunnableNode) -> Globals:
        if not runnable.globals:
            return _NO_GLOBALS
        return {key: self.state.app_variables.get(key[1]) for key in runnable.globals}

    async def _fetch_globals(self, runnable: RunnableNode) -> Mapping[GlobalKey, Value]:
        found: dict[GlobalKey, Value] = {}
        for key in runnable.globals:
            if not self._is_assigned(key) and self.ports.variables is not None:
                found[key] = await self.ports.variables.read(self.context, *key)
        for key in runnable.globals:
            if self._is_assigned(key):
                found[key] = self.state.app_variables[key[1]]
        return found

    # Outcomes

    def _commit(
        self, scope: ScopeRun, runnable: RunnableNode, call: Call, outcome: Outcome
    ) -> None:
        scope.calls.pop(runnable.position, None)
        self.log.finished(scope, runnable, call, outcome)
        self._settle(scope, runnable, outcome)

    def _fail_with(
        self, scope: ScopeRun, runnable: RunnableNode, call: Call, error: Exception
    ) -> None:
        node = runnable.node
        if isinstance(error, ScopeFailed):
            self.fail(scope, runnable, call, error.error)
            return
        if not isinstance(error, AppError):
            _logger.error("Node %s of kind %s failed.", node.id, node.kind, exc_info=error)
        text = message_of(error)
        limit = self.limits.error_chars
        cause = text[:limit] if limit else text
        self.fail(
            scope,
            runnable,
            call,
            NodeError(
                code=internal_code_of(error),
                message=cause,
                path=call.path,
                node_id=node.id,
                node_title=node.title,
            ),
        )

    def _park(self, scope: ScopeRun, runnable: RunnableNode, call: Call, ask: Ask) -> None:
        if not self._can_interrupt:
            self.log.ended(call, "interrupted")
            self.fail_scope(
                self._root or scope,
                NodeError(
                    code=InterruptInSyncRun.internal_code,
                    message=f"{call.node.title} ({call.node.id}) asks for input in a run that "
                    "nobody can answer; run it asynchronously or as a stream.",
                    path=call.path,
                    node_id=call.node.id,
                    node_title=call.node.title,
                ),
            )
            return
        progress = call.progress or self.log.opened(scope, runnable.node.id, call.given)
        interrupt = Interrupt(
            id=str(self._ids.next_id()),
            kind=ask.kind,
            path=call.path,
            node_id=runnable.node.id,
            node_title=runnable.node.title,
            data=ask.data,
            tool_path=scope.tool_path,
        )
        is_first = bool(progress.asked)
        progress.asked = interrupt.id
        progress.answer = None
        self.log.asked(call, interrupt, is_first=is_first)
        scope.owner.interrupted()
