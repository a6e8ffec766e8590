"""Keeps the state of a run, and tells its journal and its observer about every change."""

from time import perf_counter
from typing import Literal

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
from domain.workflow.engine.scheduler_cyclic import leave
from domain.workflow.engine.scope import RunnableNode
from domain.workflow.engine.scope_run import ScopeRun
from domain.workflow.engine.state import (
    Iteration,
    NodeError,
    NodePath,
    NodeProgress,
    Outcome,
    RunState,
    ScopeRecord,
)
from domain.workflow.value import Value


class RunLog:
    """The only writer of the state of a run."""

    def __init__(
        self, state: RunState, *, journal: Journal | None, observer: Observer | None
    ) -> None:
        self.state = state
        self._journal = journal
        self._observer = observer

    def emit(self, event: RunEvent) -> None:
        """Tell the observer, if there is one."""
        if self._observer is not None:
            self._observer.take(event)

    def began(self, call: Call) -> None:
        """Tell that a node starts."""
        call.started = perf_counter()
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
        edges = leave(scope, runnable, outcome)
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
        if self._observer is not None:
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
                duration_ms=(perf_counter() - call.started) * 1000,
                input_tokens=call.input_tokens,
                output_tokens=call.output_tokens,
                is_estimated=call.is_estimated,
                extra=call.extra,
                index=call.index,
                type_name=call.node.source.type_name,
            )
        )

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
