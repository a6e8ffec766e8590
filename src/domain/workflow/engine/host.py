"""What nodes can do to their run: send messages, fill streams, run other workflows."""

import asyncio
from collections.abc import Awaitable, Mapping, Sequence
from typing import Protocol

from domain.workflow.engine.call import Call
from domain.workflow.engine.control_flow import ControlFlow
from domain.workflow.engine.error import RecursionLimit
from domain.workflow.engine.event import MessageChunk, Observer
from domain.workflow.engine.scheduler_global import own_variables
from domain.workflow.engine.scheduler_log import RunLog, open_record
from domain.workflow.engine.scheduler_work import ScopeFailed
from domain.workflow.engine.scope import Runnable, make_runnable
from domain.workflow.engine.scope_run import ScopeRun, output_of, said_in
from domain.workflow.engine.state import NodeError, NodePath, NodeProgress, Outcome, RunState
from domain.workflow.engine.stream import Feed
from domain.workflow.graph import AttachedTool, Program
from domain.workflow.limit import WorkflowLimits
from domain.workflow.plan import compile_program
from domain.workflow.port import Child, Ports, RunContext
from domain.workflow.value import Value


class RunScheduler(Protocol):
    """The scheduler, as far as nodes reach into it."""

    state: RunState
    log: RunLog
    ports: Ports
    context: RunContext
    limits: WorkflowLimits
    observer: Observer | None
    runnables: dict[str, Runnable]
    control: ControlFlow

    def rest(self) -> None:
        """Note that a task waits for a scope that it started itself."""
        ...

    def resume_work(self) -> None:
        """Note that such a task goes on."""
        ...


class RunHost:
    """Implements ``Host`` for the calls of one run."""

    def __init__(self, scheduler: RunScheduler) -> None:
        self._scheduler = scheduler
        self.ports = scheduler.ports
        self.context = scheduler.context
        self.limits = scheduler.limits
        self.run_id = scheduler.state.run_id

    def say(
        self,
        call: Call,
        text: str,
        *,
        is_last: bool,
        writes_history: bool = True,
        is_reasoning: bool = False,
    ) -> None:
        """Send a piece of the node's message."""
        number = call.messages
        call.messages += 1
        if self._scheduler.observer is None or call.scope.is_silent:
            return
        node = call.node
        self._scheduler.log.emit(
            MessageChunk(
                path=call.path,
                node_id=node.id,
                node_title=node.title,
                kind=node.kind,
                text=text,
                number=number,
                is_last=is_last,
                writes_history=writes_history,
                is_reasoning=is_reasoning,
                tool_path=call.scope.tool_path,
            )
        )

    async def speak(self, call: Call, text: str, *, is_reasoning: bool = False) -> None:
        """Send a piece of an answer while it is written; waits while the readers are behind."""
        if text and self._scheduler.observer is not None:
            self.say(call, text, is_last=False, is_reasoning=is_reasoning)
            await self._scheduler.observer.drain()

    async def write(self, call: Call, output: str, text: str) -> None:
        """Add a piece to an output; waits while the readers are behind."""
        scope = call.scope
        if not isinstance(scope, ScopeRun) or scope.is_over or not text:
            return
        runnable = scope.plan.nodes[scope.plan.plan.index_of[call.node.id]]
        if not runnable.has_early_readers:
            return
        key = (runnable.position, output)
        feed = scope.feeds.get(key)
        if feed is None:
            feed = scope.feeds[key] = Feed()
            feed.push(text)
            call.has_written = True
            self._scheduler.control.resolve_early(scope, runnable.position)
        else:
            call.has_written = True
            feed.push(text)
        if self._scheduler.observer is not None:
            await self._scheduler.observer.drain()

    async def together(
        self, call: Call, works: Sequence[Awaitable[Value]]
    ) -> list[Value | Exception]:
        """Do several things at once for a node; what one raises is its result.

        Each counts as work of its own, so that the run is known to be idle when all of them wait
        for children that were interrupted.
        """
        left = len(works)
        for _ in works[1:]:
            self._scheduler.resume_work()

        async def one(work: Awaitable[Value]) -> Value | Exception:
            nonlocal left
            try:
                return await work
            except Exception as error:  # noqa: BLE001 - the caller looks at it
                return error
            finally:
                left -= 1
                if left:
                    self._scheduler.rest()

        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(one(work)) for work in works]
        return [task.result() for task in tasks]

    def remember(self, call: Call) -> None:
        """Make the memory of a node part of the state before it is done."""
        scope = call.scope
        if call.progress is None or not isinstance(scope, ScopeRun):
            return
        scope.record.open.setdefault(call.node.id, call.progress)
        self._scheduler.log.remembered(call)

    def loop_path(self, call: Call, hops: int) -> NodePath:
        """Find the loop around a node, ``hops`` composites further out."""
        place = call.scope
        for _ in range(hops):
            if isinstance(place, ScopeRun) and isinstance(place.outer, ScopeRun):
                place = place.outer
        return place.loop_path if isinstance(place, ScopeRun) else ()

    def nearest_loop(self, call: Call) -> NodePath:
        """Find the nearest loop around a node."""
        place = call.scope
        while isinstance(place, ScopeRun):
            if place.loop is not None:
                return place.loop_path
            if not isinstance(place.outer, ScopeRun):
                break
            place = place.outer
        return ()

    async def run_child(
        self,
        call: Call,
        key: str,
        child: Child,
        inputs: Mapping[str, Value],
        *,
        is_tool: bool,
        is_silent: bool = False,
    ) -> dict[str, Value]:
        """Run another workflow inside this node; parks the node if the child is interrupted.

        Raises:
            RecursionLimit: workflows are nested too deeply, and are not to end silently there.
            ScopeFailed: the child failed.
        """
        scope = self._scope_of(call)
        try:
            ended = await self._run(
                call,
                key,
                child.program,
                inputs,
                tool_path=scope.tool_path or (call.path if is_tool else ()),
                output_feed=None if is_tool else self._output_feed(scope, call),
                is_silent=is_silent,
            )
        except ScopeFailed as failure:
            raise failure.inside(child.name) from failure
        if ended is None:
            return {}
        if not is_tool and not is_silent:
            call.answered(said_in(ended))
        return dict(output_of(ended))

    async def run_attached(
        self, call: Call, key: str, tool: AttachedTool, inputs: Mapping[str, Value]
    ) -> dict[str, Outcome]:
        """Run a part of the canvas inside this node; return what its nodes did, in their order.

        Its messages and questions are those of the canvas: no tool stands between.

        Raises:
            RecursionLimit: as for other workflows.
            ScopeFailed: a node of the tool failed.
        """
        scope = self._scope_of(call)
        ended = await self._run(call, key, tool.program, inputs, tool_path=scope.tool_path)
        if ended is None:
            return {}
        call.answered(said_in(ended))
        return dict(ended.outcomes)

    @staticmethod
    def _scope_of(call: Call) -> ScopeRun:
        if not isinstance(call.scope, ScopeRun):
            raise TypeError("The call belongs to another engine.")
        return call.scope

    async def _run(
        self,
        call: Call,
        key: str,
        program: Program,
        inputs: Mapping[str, Value],
        *,
        tool_path: NodePath,
        output_feed: "StreamTarget | None" = None,
        is_silent: bool = False,
    ) -> ScopeRun | None:
        """Run a program to its end; None if it is nested too deeply to run, and silent there."""
        scope = self._scope_of(call)
        limit = self.limits.nesting
        if limit and scope.depth >= limit:
            if scope.flags.fastgpt_silent_depth:
                return None
            raise RecursionLimit(f"recursion limit {limit}: workflows are nested too deeply.")
        if call.progress is None:
            call.progress = NodeProgress(inputs=call.given)
        progress = scope.record.open.setdefault(call.node.id, call.progress)
        record = open_record(progress, key)
        path = (*call.path, key)
        own = own_variables(program, inputs)
        record.variables = {**own, **record.variables}
        done: asyncio.Future[ScopeRun] = asyncio.get_running_loop().create_future()
        run = ScopeRun(
            plan=self._runnable(program).root,
            record=record,
            owner=_ChildOwner(self._scheduler, scope, done),
            path=path,
            serial=self._scheduler.control.next_serial(),
            depth=scope.depth + 1,
            parent=scope,
            values=dict(inputs),
            variables=record.variables if own else scope.variables,
            variables_path=path if own else scope.variables_path,
            keeps_variables=bool(own) or scope.keeps_variables,
            tool_path=tool_path,
            is_silent=is_silent or scope.is_silent,
            output_feed=output_feed,
        )
        self._scheduler.control.begin(run)
        self._scheduler.rest()
        try:
            return await done
        except asyncio.CancelledError:
            if not done.done() or done.cancelled():
                self._scheduler.resume_work()
            self._scheduler.control.close(run)
            raise

    def _runnable(self, program: Program) -> Runnable:
        known = self._scheduler.runnables
        runnable = known.get(program.version_hash)
        if runnable is None:
            runnable = make_runnable(compile_program(program))
            known[program.version_hash] = runnable
        return runnable

    def _output_feed(self, scope: ScopeRun, call: Call) -> "StreamTarget | None":
        if "output" not in call.node.streams.produces:
            return None
        return StreamTarget(self._scheduler, scope, call)


class StreamTarget:
    """Where the exit of a child writes its answer: an output of the node that runs the child."""

    def __init__(self, scheduler: RunScheduler, scope: ScopeRun, call: Call) -> None:
        self._scheduler = scheduler
        self._scope = scope
        self._call = call

    def push(self, text: str) -> None:
        """Add a piece."""
        scope, call = self._scope, self._call
        if scope.is_over or not text:
            return
        runnable = scope.plan.nodes[scope.plan.plan.index_of[call.node.id]]
        if not runnable.has_early_readers:
            return
        call.has_written = True
        key = (runnable.position, "output")
        feed = scope.feeds.get(key)
        if feed is not None:
            feed.push(text)
            return
        feed = scope.feeds[key] = Feed()
        feed.push(text)
        self._scheduler.control.resolve_early(scope, runnable.position)


class _ChildOwner:
    """Wakes the node that waits for its child."""

    def __init__(
        self,
        scheduler: RunScheduler,
        parent: ScopeRun,
        done: "asyncio.Future[ScopeRun]",
    ) -> None:
        self._scheduler = scheduler
        self._parent = parent
        self._done = done

    def ended(self, scope: ScopeRun, error: NodeError | None) -> None:
        """Hand over what is over, or the failure."""
        if self._done.done():
            return
        self._scheduler.resume_work()
        if error is not None:
            self._done.set_exception(ScopeFailed(error))
            return
        self._done.set_result(scope)

    def interrupted(self) -> None:
        """Tell the composites around the node."""
        self._parent.owner.interrupted()
