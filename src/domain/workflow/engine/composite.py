"""Loops and batches: run the body of a node again and again, and collect what comes out."""

import asyncio

from domain.workflow.convert import convert
from domain.workflow.engine.call import BROKEN, Call
from domain.workflow.engine.error import NodeFailed, NodeTimeout, RecursionLimit
from domain.workflow.engine.outcome import NodeEnds
from domain.workflow.engine.scope import RunnableNode
from domain.workflow.engine.scope_input import ABSENT, Globals
from domain.workflow.engine.scope_run import ScopeRun, open_record, said_in
from domain.workflow.engine.state import Iteration, NodeError, NodeProgress
from domain.workflow.error import WorkflowFailure
from domain.workflow.graph import GlobalKind
from domain.workflow.node import Result
from domain.workflow.node.control.batch import BatchConfig
from domain.workflow.node.control.loop import LoopConfig
from domain.workflow.value import Value


class CompositeRun:
    """A composite while it runs; starts iterations and takes note of their ends."""

    def __init__(self, ends: NodeEnds, scope: ScopeRun, runnable: RunnableNode, call: Call) -> None:
        self._ends = ends
        self._scope = scope
        self._runnable = runnable
        self._call = call
        self.span = call.span
        self._progress = call.progress or NodeProgress()
        self._is_loop = runnable.runner.composite == "loop"
        self._running: set[ScopeRun] = set()
        self._next = 0
        self._attempts = 0
        self._is_timed_out = False
        self._timer: asyncio.TimerHandle | None = None
        self._is_halted = False
        """A question came up in this stretch of the run, so no further item of a batch starts."""
        self._lists, self._count, self._width = self._read()

    def begin(self) -> None:
        """Start, or go on where the state says that it was."""
        limit = self._ends.limits.nesting
        if limit and self._scope.depth >= limit:
            if not self._scope.flags.fastgpt_silent_depth:
                text = f"recursion limit {limit}: too many composites inside each other."
                raise RecursionLimit(text)
            self._count = 0
        milliseconds = self._runnable.node.policy.timeout_ms
        if milliseconds > 0:
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(milliseconds / 1000, self._time_out)
        self._set_initial()
        if self._progress.iterations and self._is_loop:
            last = max(self._progress.iterations)
            self._next = last + 1
            if self._progress.iterations[last].is_last:
                self._count = self._next
        self._go_on()

    def ended(self, scope: ScopeRun, error: NodeError | None) -> None:
        """Take what an iteration left behind, and start the next one."""
        self._running.discard(scope)
        if error is not None:
            self._fail(error)
            return
        is_last = self._is_loop and self._progress.variables.get(BROKEN) is True
        try:
            iteration = Iteration(
                collected=self._collect(scope), is_last=is_last, said=said_in(scope)
            )
            self._ends.log.iterated(self._call.path, self._progress, scope.index, iteration)
        except WorkflowFailure as failure:
            self._fail_with(failure)
            return
        self._is_halted = self._is_halted and self._has_question()
        if is_last:
            self._count = self._next
        self._go_on()

    def interrupted(self) -> None:
        """Let the running items go on, but start no new one."""
        self._is_halted = True
        self._scope.owner.interrupted()

    def _has_question(self) -> bool:
        path = self._call.path
        return any(each.path[: len(path)] == path for each in self._ends.log.state.pending)

    def _read(self) -> tuple[dict[str, list[Value]], int, int]:
        """Read lists, the number of iterations, and how many may run at once."""
        config = self._runnable.node.config
        inputs, limits = self._call.inputs, self._ends.limits
        if not isinstance(config, LoopConfig | BatchConfig):
            raise TypeError(f"{self._runnable.node.id} is no composite.")
        lists = {name: _as_list(inputs.get(name)) for name in config.lists}
        shortest = min((len(items) for items in lists.values()), default=0)
        if isinstance(config, BatchConfig):
            size = _number(inputs.get(config.size)) or limits.batch_size
            width = _number(inputs.get(config.concurrency)) or limits.batch_concurrency
            size = min(size, limits.batch_size_max or size)
            if shortest > size:
                self._call.warn(f"Only the first {size} of {shortest} items are processed.")
            return lists, min(shortest, size), min(width, limits.batch_concurrency_max or width)
        if config.mode == "count":
            return lists, _number(inputs.get(config.count)), 1
        if config.mode == "infinite":
            return lists, -1, 1
        return lists, shortest, 1

    def _set_initial(self) -> None:
        config = self._runnable.node.config
        if not isinstance(config, LoopConfig) or not config.variables:
            return
        missing = {
            each.name: self._call.inputs.get(each.initial)
            for each in config.variables
            if each.name not in self._progress.variables
        }
        if missing:
            self._ends.log.set_variables(self._call.path, self._progress, missing)

    def _go_on(self) -> None:
        if self._scope.is_over:
            return
        while len(self._running) < self._width and self._has_next():
            index = self._next
            self._next += 1
            self._start(index)
        if not self._running and not self._has_next() and not self._is_halted:
            self._finish()

    def _has_next(self) -> bool:
        iterations = self._progress.iterations
        while self._next in iterations:
            self._next += 1
        limit = self._ends.limits.loop_iterations
        if self._count < 0 and limit and self._next >= limit:
            return False
        is_open = self._count < 0 or self._next < self._count
        was_open = str(self._next) in self._progress.scopes
        return is_open and (was_open or not self._is_halted)

    def _start(self, index: int) -> None:
        body = self._runnable.body
        if body is None:
            raise TypeError(f"{self._runnable.node.id} has no body.")
        scope = ScopeRun(
            plan=body,
            record=open_record(self._progress, str(index)),
            owner=self,
            path=(*self._call.path, str(index)),
            serial=self._ends.control.next_serial(),
            depth=self._scope.depth + 1,
            outer=self._scope,
            parent=self._scope,
            elements={name: items[index] for name, items in self._lists.items()},
            index=index,
            loop=self._progress if self._is_loop else None,
            loop_path=self._call.path,
            variables=self._scope.variables,
            variables_path=self._scope.variables_path,
            keeps_variables=self._scope.keeps_variables,
            tool_path=self._scope.tool_path,
            is_silent=self._scope.is_silent,
            mocks=self._scope.mocks,
        )
        self._running.add(scope)
        self._ends.control.begin(scope)

    def _collect(self, scope: ScopeRun) -> dict[int, Value]:
        found: dict[int, Value] = {}
        values = self._globals()
        for place, output in enumerate(scope.plan.collected):
            if output.variable:
                continue
            value = output.read(scope, values)
            if value is not ABSENT:
                found[place] = value  # type: ignore[assignment]  # it is not ABSENT
        return found

    def _globals(self) -> Globals:
        """Return global variables as they are now: what the run assigned, else as they were."""
        if not self._runnable.globals:
            return self._call.globals
        kept = self._scope.variables
        return {
            (kind, name): kept[name] if kind is GlobalKind.APP and name in kept else before
            for (kind, name), before in self._call.globals.items()
        }

    def _time_out(self) -> None:
        if not self._scope.is_over:
            self._is_timed_out = True
            self._fail_with(NodeTimeout("node timeout"))
            self._ends.control.wake()

    def _fail_with(self, error: WorkflowFailure) -> None:
        self._fail(self._call.error(error.internal_code, error.message))

    def _fail(self, error: NodeError) -> None:
        for other in tuple(self._running):
            self._ends.control.close(other)
        self._running.clear()
        self._attempts += 1
        if self._attempts < self._runnable.node.policy.attempts and not self._is_timed_out:
            self._again()
            return
        self._stop_timer()
        self._ends.fail(self._scope, self._runnable, self._call, error)

    def _again(self) -> None:
        """Forget what was done, and start with the same inputs."""
        log, node_id = self._ends.log, self._runnable.node.id
        self._progress = log.opened(self._scope, node_id, self._progress.inputs or {})
        self._call.progress = self._progress
        self._next, self._is_halted = 0, False
        self._lists, self._count, self._width = self._read()
        self._set_initial()
        self._go_on()
        self._ends.control.wake()

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _finish(self) -> None:
        limit = self._ends.limits.loop_iterations
        if self._count < 0 and limit and self._next >= limit:
            text = f"The loop did not end within {limit} iterations."
            self._fail_with(NodeFailed(text))
            return
        self._stop_timer()
        iterations = self._progress.iterations
        said = (iterations[index].said for index in sorted(iterations))
        self._call.said = "\n".join(filter(None, said))
        self._ends.finish(self._scope, self._runnable, self._call, Result(self._output()))

    def _output(self) -> dict[str, Value]:
        body = self._runnable.body
        output: dict[str, Value] = {}
        iterations = self._progress.iterations
        for place, each in enumerate(body.collected if body is not None else ()):
            collected = each.collected
            value: Value
            if each.variable:
                value = self._progress.variables.get(each.variable)
            elif self._is_loop:
                value = [
                    iterations[index].collected[place]
                    for index in sorted(iterations)
                    if place in iterations[index].collected
                ]
            else:
                value = [
                    iterations[index].collected.get(place) if index in iterations else None
                    for index in range(self._count)
                ]
            conversion = convert(value, collected.type, path=collected.name)
            for problem in conversion.problems:
                self._call.warn(str(problem))
            output[collected.name] = conversion.value
        return output


def _as_list(value: Value) -> list[Value]:
    return value if isinstance(value, list) else []


def _number(value: Value) -> int:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return max(int(value), 0) if is_number and isinstance(value, int | float) else 0
