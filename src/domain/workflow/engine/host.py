"""What nodes can do to their run: send messages, fill and read streams, run other workflows."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Mapping, MutableMapping, Sequence

from domain.shared.crashpoint import crashpoint
from domain.shared.tracing.span import Span
from domain.workflow.engine.call import Call
from domain.workflow.engine.control_flow import ControlFlow, WorkSlots
from domain.workflow.engine.error import RecursionLimit
from domain.workflow.engine.event import MessageChunk, Observer
from domain.workflow.engine.global_variable import own_variables
from domain.workflow.engine.outcome import ScopeFailed
from domain.workflow.engine.scope import Runnable, RunnableNode, make_runnable
from domain.workflow.engine.scope_input import ABSENT, Globals, collect, complete, shown
from domain.workflow.engine.scope_run import (
    NO_MOCKS,
    RunLog,
    ScopeRun,
    open_record,
    output_of,
    said_in,
)
from domain.workflow.engine.state import NodeError, NodePath, NodeProgress, Outcome
from domain.workflow.engine.stream import Feed, TemplateWriter
from domain.workflow.graph import AttachedTool, Program, Template
from domain.workflow.limit import WorkflowLimits
from domain.workflow.plan import compile_program
from domain.workflow.port import Child, Ports, RunContext
from domain.workflow.value import Value


class RunHost:
    """Implements ``Host`` for the calls of one run."""

    def __init__(
        self,
        *,
        log: RunLog,
        control: ControlFlow,
        slots: WorkSlots,
        ports: Ports,
        context: RunContext,
        limits: WorkflowLimits,
        observer: Observer | None,
        runnables: MutableMapping[str, Runnable],
    ) -> None:
        self.ports = ports
        self.context = context
        self.limits = limits
        self.run_id = log.state.run_id
        self.read_all: deque[tuple[ScopeRun, RunnableNode, Call]] = deque()
        """Nodes that read streams and have all of them now."""
        self._log = log
        self.control = control
        self._slots = slots
        self._observer = observer
        self._runnables = runnables

    def prepare(
        self,
        scope: ScopeRun,
        runnable: RunnableNode,
        values: Globals,
        *,
        is_brief: bool = False,
    ) -> Call:
        """Read the inputs of a node; those of a node that waited are read from the state."""
        node = runnable.node
        warnings: list[str] = []
        progress = scope.record.open.get(node.id)
        if progress is not None and progress.inputs is not None:
            given: dict[str, Value] = progress.inputs
        else:
            given = collect(runnable.inputs, scope, values, warnings)
            if runnable.keeps_inputs:
                progress = self._log.opened(scope, node.id, given)
        inputs = complete(runnable.inputs, given, fills_zero=node.zero_fill)
        call = Call(
            host=self,
            scope=scope,
            node=node,
            inputs=inputs,
            given=shown(runnable.inputs, given, inputs),
            progress=progress,
        )
        call.globals = values
        call.warnings = warnings
        call.index = scope.batch_index
        self._log.began(call, is_brief=is_brief)
        crashpoint("workflow.node.began")
        return call

    def bare_call(self, scope: ScopeRun, runnable: RunnableNode) -> Call:
        """Make a call for a node that failed before its inputs were read."""
        call = Call(host=self, scope=scope, node=runnable.node, inputs={}, given={}, progress=None)
        call.index = scope.batch_index
        self._log.began(call, is_brief=True)
        return call

    def complete_early(self, scope: ScopeRun, runnable: RunnableNode, call: Call) -> None:
        """Finish a node that read streams, now that it has all of them."""
        if not scope.is_over:
            self.read_all.append((scope, runnable, call))
            self.control.wake()

    def deliver(self, scope: ScopeRun, call: Call, text: str) -> None:
        """Send a piece of a node's message: to the user, or to the node that runs this child."""
        if call.node.kind == "exit" and not scope.is_root:
            if scope.answer is not None:
                scope.answer(text)
        elif text:
            self.say(call, text, is_last=False)

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
        if self._observer is None or call.scope.is_silent:
            return
        node = call.node
        self._log.emit(
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
        if text and self._observer is not None:
            self.say(call, text, is_last=False, is_reasoning=is_reasoning)
            await self._observer.drain()

    async def write(self, call: Call, output: str, text: str) -> None:
        """Add a piece to an output; waits while the readers are behind."""
        scope = call.scope
        if not isinstance(scope, ScopeRun) or not self._push(scope, call, output, text):
            return
        if self._observer is not None:
            await self._observer.drain()

    def _push(self, scope: ScopeRun, call: Call, output: str, text: str) -> bool:
        """Add a piece to an output; tell whether anybody reads it."""
        if scope.is_over or not text:
            return False
        runnable = scope.plan.nodes[scope.plan.plan.index_of[call.node.id]]
        if not runnable.has_early_readers:
            return False
        call.has_written = True
        key = (runnable.position, output)
        feed = scope.feeds.get(key)
        if feed is not None:
            feed.push(text)
            return True
        feed = scope.feeds[key] = Feed()
        feed.push(text)
        self.control.resolve_early(scope, runnable.position)
        return True

    async def together(
        self, call: Call, works: Sequence[Awaitable[Value]]
    ) -> list[Value | Exception]:
        """Do several things at once for a node; what one raises is its result.

        Each counts as work of its own, so that the run is known to be idle when all of them wait
        for children that were interrupted.
        """
        left = len(works)
        for _ in works[1:]:
            self._slots.begin()

        async def one(work: Awaitable[Value]) -> Value | Exception:
            nonlocal left
            try:
                return await work
            except Exception as error:  # noqa: BLE001 - the caller looks at it
                return error
            finally:
                # The place of the last one is the node's own, which it gives back itself.
                left -= 1
                if left:
                    self._slots.end()

        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(one(work)) for work in works]
        return [task.result() for task in tasks]

    def remember(self, call: Call) -> None:
        """Make the memory of a node part of the state before it is done."""
        scope = call.scope
        if call.progress is None or not isinstance(scope, ScopeRun):
            return
        scope.record.open.setdefault(call.node.id, call.progress)
        self._log.remembered(call)

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
                answer=None if is_tool else self._answer_of(scope, call),
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
        ended = await self._run(
            call, key, tool.program, inputs, tool_path=scope.tool_path, mocks=scope.mocks
        )
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
        answer: Callable[[str], object] | None = None,
        is_silent: bool = False,
        mocks: Mapping[str, dict[str, Value]] = NO_MOCKS,
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
            owner=_ChildOwner(self._slots, scope, done, span=call.span),
            path=path,
            serial=self.control.next_serial(),
            depth=scope.depth + 1,
            parent=scope,
            values=dict(inputs),
            variables=record.variables if own else scope.variables,
            variables_path=path if own else scope.variables_path,
            keeps_variables=bool(own) or scope.keeps_variables,
            tool_path=tool_path,
            is_silent=is_silent or scope.is_silent,
            answer=answer,
            mocks=mocks,
        )
        # Its place for work is free while it waits: children that need one would wait for it for
        # ever.
        self.control.begin(run)
        self._slots.end()
        try:
            return await done
        except asyncio.CancelledError:
            # Unless the child's owner has taken the place back already, when the child ended.
            if not done.done() or done.cancelled():
                self._slots.begin()
            self.control.close(run)
            raise

    def _runnable(self, program: Program) -> Runnable:
        known = self._runnables
        runnable = known.get(program.version_hash)
        if runnable is None:
            runnable = make_runnable(compile_program(program))
            known[program.version_hash] = runnable
        return runnable

    def _answer_of(self, scope: ScopeRun, call: Call) -> Callable[[str], object] | None:
        """Return where the exit of a child writes: an output of the node that runs the child."""
        if "output" not in call.node.streams.produces:
            return None
        return lambda text: self._push(scope, call, "output", text)


class _ChildOwner:
    """Wakes the node that waits for its child."""

    def __init__(
        self,
        slots: WorkSlots,
        parent: ScopeRun,
        done: "asyncio.Future[ScopeRun]",
        *,
        span: Span,
    ) -> None:
        self.span = span
        self._slots = slots
        self._parent = parent
        self._done = done

    def ended(self, scope: ScopeRun, error: NodeError | None) -> None:
        """Hand over what is over, or the failure."""
        if self._done.done():
            return
        self._slots.begin()
        if error is not None:
            self._done.set_exception(ScopeFailed(error))
            return
        self._done.set_result(scope)

    def interrupted(self) -> None:
        """Tell the composites around the node."""
        self._parent.owner.interrupted()


def begin_stream(host: RunHost, scope: ScopeRun, runnable: RunnableNode, values: Globals) -> bool:
    """Start a node before its sources are done, if some are still producing; tell whether."""
    feeds = {
        name: feed
        for name, key in runnable.feeds.items()
        if (feed := scope.feeds.get(key)) is not None and not feed.is_closed
    }
    if not feeds:
        return False
    if runnable.runner.choose is not None:
        return _Forwarding(host, scope, runnable, feeds).begin(values)
    message = runnable.runner.message
    template = None if message is None else message(runnable.node)
    if template is None:
        return False
    call = host.prepare(scope, runnable, values)
    scope.calls[runnable.position] = call
    _Writing(host, scope, runnable, call, template=template, feeds=feeds).advance()
    return True


class _Writing:
    """A node that writes a template as its parts arrive."""

    def __init__(
        self,
        host: RunHost,
        scope: ScopeRun,
        runnable: RunnableNode,
        call: Call,
        *,
        template: Template,
        feeds: dict[str, Feed],
    ) -> None:
        self._host = host
        self._scope = scope
        self._runnable = runnable
        self._call = call
        self._is_over = False
        self._writer = TemplateWriter(
            template,
            values=call.given,
            feeds=feeds,
            emit=lambda text: host.deliver(scope, call, text),
        )
        for feed in feeds.values():
            feed.listen(self.advance)

    def advance(self) -> None:
        """Write what has arrived; when all has, the node can be finished."""
        if self._scope.is_over or self._is_over:
            return
        self._writer.advance()
        if self._writer.is_done:
            self._is_over = True
            self._call.is_streamed = True
            self._host.complete_early(self._scope, self._runnable, self._call)


class _Forwarding:
    """A node whose outputs are streams of others, chosen before these are complete."""

    def __init__(
        self, host: RunHost, scope: ScopeRun, runnable: RunnableNode, feeds: dict[str, Feed]
    ) -> None:
        self._host = host
        self._scope = scope
        self._runnable = runnable
        self._feeds = feeds
        self._open: list[tuple[Feed, Feed]] = []
        self._call: Call | None = None

    def begin(self, values: Globals) -> bool:
        """Choose, and open the outputs; tell whether any of them is still being produced."""
        choose = self._runnable.runner.choose
        if choose is None:
            return False
        settled: dict[str, Value] = {}
        has_value: dict[str, bool] = {}
        for plan in self._runnable.inputs:
            if plan.name in self._feeds:
                has_value[plan.name] = True
                continue
            found = plan.read(self._scope, values)
            has_value[plan.name] = found is not ABSENT and found is not None
            if found is not ABSENT:
                settled[plan.name] = found  # type: ignore[assignment]  # it is not ABSENT
        chosen = choose(self._runnable.node, has_value)
        if not any(name in self._feeds for name in chosen.values() if name is not None):
            return False
        self._call = self._host.prepare(self._scope, self._runnable, values)
        self._scope.calls[self._runnable.position] = self._call
        for output, name in chosen.items():
            source = self._feeds.get(name) if name is not None else None
            feed = Feed() if source is not None else Feed.settled(settled.get(name or ""))
            self._scope.feeds[self._runnable.position, output] = feed
            if source is not None:
                self._open.append((source, feed))
                source.listen(self.advance)
        self._host.control.resolve_early(self._scope, self._runnable.position)
        self.advance()
        return True

    def advance(self) -> None:
        """Pass on what has arrived."""
        if self._scope.is_over or self._call is None:
            return
        for source, feed in self._open:
            for piece in source.pieces[len(feed.pieces) :]:
                feed.push(piece)
        if all(source.is_closed for source, _ in self._open):
            call, self._call = self._call, None
            self._host.complete_early(self._scope, self._runnable, call)


def reread(call: Call, runnable: RunnableNode, given: dict[str, Value]) -> None:
    """Give a node that read streams its complete inputs."""
    call.inputs = complete(runnable.inputs, given, fills_zero=call.node.zero_fill)
    call.given = shown(runnable.inputs, given, call.inputs)
