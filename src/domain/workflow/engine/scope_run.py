"""Scope instances while they run, and the log that keeps the state of their run."""

import asyncio
from collections.abc import Callable, Mapping
from time import perf_counter_ns
from types import MappingProxyType
from typing import Final, Literal, Protocol

from domain.shared.chat import Usage
from domain.shared.tracing.span import NOTHING, Span, SpanKind, SpanLog, SpanStatus, current
from domain.workflow.engine.call import Call
from domain.workflow.engine.checkpoint import drop_interrupts, raise_interrupt
from domain.workflow.engine.event import (
    Asked,
    InterruptRaised,
    IterationFinished,
    Journal,
    JournalEntry,
    MemorySaved,
    NodeBegan,
    NodeEnded,
    NodeFinished,
    NodeOpened,
    Observer,
    RunEvent,
    VariablesSet,
)
from domain.workflow.engine.interrupt import Interrupt
from domain.workflow.engine.scope import NOT_PLAIN, RunnableNode, RunnableScope
from domain.workflow.engine.scope_input import Place
from domain.workflow.engine.state import (
    Iteration,
    NodeError,
    NodePath,
    NodeProgress,
    Outcome,
    RunState,
    ScopeRecord,
)
from domain.workflow.engine.stream import Feed
from domain.workflow.graph import ANSWERS, PLAIN_PORT
from domain.workflow.value import Value

WAITING, STARTED, DECIDED = 0, 1, 2
"""What is known of a node."""
EDGE_WAITING, EDGE_TAKEN, EDGE_NOT_TAKEN = 0, 1, 2
"""What is known of an edge, where edges form cycles."""


_SPAN_STATUS: Final = {
    "success": SpanStatus.OK,
    "failed": SpanStatus.ERROR,
    "cancelled": SpanStatus.CANCELLED,
    "interrupted": SpanStatus.INTERRUPTED,
}


NO_MOCKS: Final[Mapping[str, dict[str, Value]]] = MappingProxyType({})


class Owner(Protocol):
    """Whoever started a scope and goes on when it is over.

    The nodes of the scope stand below its ``span`` in the trace of the run.
    """

    span: Span

    def ended(self, scope: "ScopeRun", error: NodeError | None) -> None:
        """Take note that the scope is over, or failed."""
        ...

    def interrupted(self) -> None:
        """Take note that a node inside asks the user."""
        ...


class ScopeRun:
    """State of a scope instance that is not part of the checkpoint, and its part of that."""

    __slots__ = (
        "alive",
        "answer",
        "batch_index",
        "calls",
        "children",
        "depth",
        "early",
        "edges",
        "elements",
        "entered",
        "feeds",
        "flags",
        "index",
        "input",
        "is_over",
        "is_root",
        "is_silent",
        "is_strict",
        "keeps_variables",
        "loop",
        "loop_path",
        "mocks",
        "outcomes",
        "outer",
        "owner",
        "parent",
        "path",
        "plan",
        "record",
        "serial",
        "span",
        "status",
        "tasks",
        "tool_path",
        "undecided",
        "variables",
        "variables_path",
        "waiting",
    )

    def __init__(
        self,
        *,
        plan: RunnableScope,
        record: ScopeRecord,
        owner: Owner,
        path: NodePath,
        serial: int,
        depth: int = 1,
        outer: "ScopeRun | None" = None,
        parent: "ScopeRun | None" = None,
        elements: Mapping[str, Value] | None = None,
        index: int = 0,
        loop: NodeProgress | None = None,
        loop_path: NodePath = (),
        values: dict[str, Value] | None = None,
        variables: dict[str, Value],
        variables_path: NodePath = (),
        keeps_variables: bool = False,
        is_strict: bool = False,
        tool_path: NodePath = (),
        is_silent: bool = False,
        answer: Callable[[str], object] | None = None,
        mocks: Mapping[str, dict[str, Value]] = NO_MOCKS,
    ) -> None:
        self.plan = plan
        self.record = record
        self.outcomes: dict[str, Outcome] = record.outcomes
        self.owner = owner
        self.span = owner.span
        self.path = path
        self.serial = serial
        self.depth = depth
        self.outer: Place | None = outer
        """Scope around a body, whose outputs it can read."""
        self.parent = parent
        """Scope that ends this one when it ends."""
        self.elements: Mapping[str, Value] = elements or {}
        self.index = index
        self.batch_index = index if outer is not None else None
        self.loop = loop
        self.loop_path = loop_path
        self.input: dict[str, Value] = values if values is not None else {}
        self.variables = variables
        """Global variables as the run keeps them; those of the application and the path to them."""
        self.variables_path = variables_path
        self.keeps_variables = keeps_variables
        """The program has no other variables than these."""
        self.is_strict = is_strict
        self.is_root = depth == 1
        self.tool_path = tool_path
        self.is_silent = is_silent
        """Messages of its nodes do not reach the user."""
        self.answer = answer
        """Takes the answer of a child piece by piece."""
        self.mocks = mocks
        """Outputs of nodes of this canvas that are not run, by id; programs inside have none."""
        self.flags = plan.flags
        self.waiting = list(plan.waiting)
        self.alive = bytearray(len(plan.nodes))
        self.status = bytearray(len(plan.nodes))
        self.undecided = len(plan.nodes)
        self.is_over = False
        self.children: set[ScopeRun] = set()
        self.calls: dict[int, Call] = {}
        """Nodes that are running."""
        self.tasks: dict[int, asyncio.Task[None]] = {}
        self.feeds: dict[tuple[int, str], Feed] = {}
        self.edges: list[int] = []
        self.entered: dict[int, dict[int, int]] = {}
        """Where edges form cycles: states of the edges that led to nodes that are running."""
        self.early: set[tuple[int, int]] = set()
        """Waits (source, target) that ended before the source was done."""


def said_in(scope: ScopeRun) -> str:
    """Return what the nodes of a scope answered the user."""
    return "\n".join(scope.record.said)


def output_of(scope: ScopeRun) -> dict[str, Value]:
    """Return the output of a program whose scope is over: that of its exit, or its answers."""
    if scope.plan.end is None:
        return {ANSWERS: said_in(scope)}
    outcome = scope.outcomes.get(scope.plan.nodes[scope.plan.end].node.id)
    return {} if outcome is None else outcome.output


def _leave(scope: ScopeRun, runnable: RunnableNode, outcome: Outcome) -> tuple[int, ...]:
    """Set the edges a node leaves by; return all edges as they are to be saved.

    What led to a node that still runs is saved as it was: after a crash the node runs again.
    There is nothing to save where there are no cycles.
    """
    if not scope.plan.is_cyclic:
        return ()
    choose_edges(scope, runnable.plan.outgoing, outcome.port)
    scope.entered.pop(runnable.position, None)
    saved = list(scope.edges)
    for edges in scope.entered.values():
        for number, state in edges.items():
            saved[number] = state
    return tuple(saved)


def choose_edges(scope: ScopeRun, numbers: tuple[int, ...], port: str) -> None:
    """Take the edges of a port, and no other of these."""
    for number in numbers:
        wanted = scope.plan.plan.edges[number].port
        is_taken = wanted == port or (wanted == PLAIN_PORT and port not in NOT_PLAIN)
        scope.edges[number] = EDGE_TAKEN if is_taken else EDGE_NOT_TAKEN


class RunLog:
    """The only writer of the state of a run."""

    def __init__(
        self, state: RunState, *, journal: Journal | None, observer: Observer | None
    ) -> None:
        self.state = state
        self._journal = journal
        self._observer = observer
        around = current()
        self._trace = None if around is None else around.log

    def emit(self, event: RunEvent) -> None:
        """Tell the observer, if there is one."""
        if self._observer is not None:
            self._observer.take(event)

    def began(self, call: Call, *, is_brief: bool = False) -> None:
        """Tell that a node starts; ``is_brief``: it ends at once, and nothing runs inside of it."""
        call.began_ns = perf_counter_ns()
        trace = self._trace
        if trace is not None and not (is_brief and not trace.watchers):
            self._open(call, trace)
        if self._observer is not None:
            self._observer.take(
                NodeBegan(
                    path=call.path,
                    node_id=call.node.id,
                    node_title=call.node.title,
                    kind=call.node.kind,
                    inputs=_recorded(call),
                    index=call.index,
                    type_name=call.node.source.type_name,
                )
            )

    def opened(self, scope: ScopeRun, node_id: str, given: dict[str, Value]) -> NodeProgress:
        """Make the inputs of a node part of the state; what it did before is forgotten.

        Raises:
            NotStorable: nothing is committed.
        """
        if self._journal is not None:
            # The journal first, here and below: what it refuses must not have changed the state.
            self._record(NodeOpened(path=(*scope.path, node_id), inputs=given))
        if self.state.pending:
            drop_interrupts(self.state, (*scope.path, node_id))
        progress = NodeProgress(inputs=given)
        scope.record.open[node_id] = progress
        return progress

    def finished(
        self, scope: ScopeRun, runnable: RunnableNode, call: Call, outcome: Outcome
    ) -> None:
        """Commit what a node produced, with the variables it set.

        Raises:
            NotStorable: nothing is committed.
        """
        state, node_id = self.state, runnable.node.id
        edges = _leave(scope, runnable, outcome)
        if self._journal is not None:
            sets = (VariablesSet(path=path, values=values) for path, values in call.assigned)
            self._record(*sets, NodeFinished(path=call.path, outcome=outcome, edges=edges))
        scope.record.edges = edges
        scope.outcomes[node_id] = outcome
        if outcome.said:
            scope.record.said.append(outcome.said)
        scope.record.open.pop(node_id, None)
        state.executed += 1
        state.input_tokens += outcome.input_tokens
        state.output_tokens += outcome.output_tokens
        if call.assigned:
            self._assign(scope, call)
        if state.pending:
            drop_interrupts(state, call.path)
        if self._observer is not None or self._trace is not None:
            self.ended(call, "success", outcome=outcome)

    def ended(
        self,
        call: Call,
        status: Literal["success", "failed", "cancelled", "interrupted"],
        *,
        outcome: Outcome | None = None,
        error: NodeError | None = None,
    ) -> None:
        """Tell that a node is over, whatever its fate."""
        ended_ns = perf_counter_ns()
        trace = self._trace
        if trace is not None:
            # A node that was brief and went well is told in one piece.
            if (
                call.span is NOTHING
                and outcome is not None
                and outcome.error is None
                and not (call.input_tokens or call.output_tokens)
            ):
                trace.leaf(
                    call.scope.span.id,
                    call.node,
                    call.began_ns,
                    ended_ns,
                    call.index,
                    outcome.port,
                    _recorded(call) if call.node.secrets else call.inputs,
                    outcome.output,
                )
            else:
                self._end(call, trace, status, outcome, error if outcome is None else outcome.error)
        if self._observer is None:
            return
        self._observer.take(
            NodeEnded(
                path=call.path,
                node_id=call.node.id,
                node_title=call.node.title,
                kind=call.node.kind,
                status=status,
                output=None if outcome is None else outcome.output,
                raw_output=call.raw_output,
                port="" if outcome is None else outcome.port,
                error=error if outcome is None else outcome.error,
                warnings=tuple(call.warnings),
                duration_ms=(ended_ns - call.began_ns) / 1_000_000,
                input_tokens=call.input_tokens,
                output_tokens=call.output_tokens,
                is_estimated=call.is_estimated,
                extra=call.extra,
                index=call.index,
                type_name=call.node.source.type_name,
            )
        )

    def dropped(self, call: Call) -> None:
        """Show in the trace that a node ran whose output is too much to be kept."""
        if self._trace is not None:
            self._end(call, self._trace, "cancelled", None, None)

    def iterated(
        self, path: NodePath, progress: NodeProgress, index: int, iteration: Iteration
    ) -> None:
        """Commit an iteration; its nodes are forgotten. Raises as ``finished``."""
        if self._journal is not None:
            self._record(IterationFinished(path=path, index=index, iteration=iteration))
        progress.iterations[index] = iteration
        progress.scopes.pop(str(index), None)

    def set_variables(
        self, path: NodePath, progress: NodeProgress, values: dict[str, Value]
    ) -> None:
        """Commit variables of a loop; raises as ``finished``."""
        if self._journal is not None:
            self._record(VariablesSet(path=path, values=values))
        progress.variables.update(values)

    def remembered(self, call: Call) -> None:
        """Commit the memory of a node that is still running."""
        if self._journal is not None:
            self._record(MemorySaved(path=call.path, memory=dict(call.memory)))

    def asked(self, call: Call, interrupt: Interrupt, *, is_first: bool) -> None:
        """Commit a question."""
        raise_interrupt(self.state, interrupt, is_first=is_first)
        if self._journal is not None:
            memory = dict(call.memory)
            self._record(InterruptRaised(interrupt=interrupt, memory=memory, is_first=is_first))
        self.ended(call, "interrupted")
        self.emit(Asked(interrupt=interrupt))

    @staticmethod
    def _open(call: Call, trace: SpanLog) -> None:
        """Begin the span of a node, below the node that it runs inside of."""
        node = call.node
        span = trace.open(SpanKind.NODE, node.title or node.id, parent=call.scope.span)
        call.span = span
        if not span.is_on:
            return
        facts = span.attributes = {"node_id": node.id, "kind": node.kind}
        if call.index is not None:
            facts["index"] = call.index
        if span.keeps_content:
            span.given(_recorded(call))

    def _end(
        self,
        call: Call,
        trace: SpanLog,
        status: str,
        outcome: Outcome | None,
        error: NodeError | None,
    ) -> None:
        """End the span of a node; one that was brief has its span only now."""
        if call.span is NOTHING:
            if trace.is_closed:
                return
            self._open(call, trace)
            call.span.began_ns = call.began_ns
        span = call.span
        if outcome is not None:
            span.gave(outcome.output)
            if outcome.port:
                span.note(port=outcome.port)
        if error is not None:
            span.fail(error.message, code=error.code)
        span.status = _SPAN_STATUS[status] if error is None else SpanStatus.ERROR
        if call.input_tokens or call.output_tokens:
            span.used(Usage(input_tokens=call.input_tokens, output_tokens=call.output_tokens))
        span.end()

    def _assign(self, scope: ScopeRun, call: Call) -> None:
        for path, values in call.assigned:
            if path == scope.variables_path:
                scope.variables.update(values)
                continue
            place = scope
            while place.loop is None or place.loop_path != path:
                if not isinstance(place.outer, ScopeRun):
                    return
                place = place.outer
            place.loop.variables.update(values)

    def _record(self, *entries: JournalEntry) -> None:
        if self._journal is not None:
            self._journal.record(*entries)
            self.state.sequence += len(entries)


def _recorded(call: Call) -> dict[str, Value]:
    secrets = call.node.secrets
    if not secrets:
        return call.inputs
    return {name: "***" if name in secrets else value for name, value in call.inputs.items()}


def open_record(progress: NodeProgress, key: str) -> ScopeRecord:
    """Return the part of the state that belongs to a scope inside a node."""
    return progress.scopes.setdefault(key, ScopeRecord())
