"""Scopes whose edges form cycles: a node runs again when its edges are taken again."""

from typing import Final, Protocol

from domain.workflow.engine.scope import NOT_PLAIN, RunnableNode
from domain.workflow.engine.scope_run import ScopeRun
from domain.workflow.engine.state import Outcome
from domain.workflow.graph import PLAIN_PORT
from domain.workflow.plan import BOUNDARY

WAITING: Final = 0
TAKEN: Final = 1
NOT_TAKEN: Final = 2


class CyclicHost(Protocol):
    """The scheduler, as far as cycles need it."""

    def make_ready(self, scope: ScopeRun, position: int) -> None:
        """Let a node run."""
        ...

    def scope_is_over(self, scope: ScopeRun) -> None:
        """Take note that nothing is left to do in a scope."""
        ...


def begin(host: CyclicHost, scope: ScopeRun) -> None:
    """Let control enter, or go on with the edges as they were saved.

    ``undecided`` counts the nodes that run or are about to.
    """
    plan = scope.plan.plan
    if not scope.record.edges:
        scope.record.edges = (WAITING,) * len(plan.edges)
        scope.edges = list(scope.record.edges)
        if plan.start == BOUNDARY:
            _choose(scope, plan.start_edges, PLAIN_PORT)
    else:
        scope.edges = list(scope.record.edges)
    scope.undecided = 0
    if plan.start != BOUNDARY and not scope.outcomes:
        _run(host, scope, plan.start)
    _go_on(host, scope)


def settle(host: CyclicHost, scope: ScopeRun, runnable: RunnableNode) -> None:
    """Pass control on from a node that is done, on the edges that were chosen."""
    scope.undecided -= 1
    if runnable.position == scope.plan.end:
        host.scope_is_over(scope)
        return
    _go_on(host, scope)


def leave(scope: ScopeRun, runnable: RunnableNode, outcome: Outcome) -> tuple[int, ...]:
    """Set the edges a node leaves by; return all edges as they are to be saved.

    What led to a node that still runs is saved as it was: after a crash the node runs again.
    There is nothing to save where there are no cycles.
    """
    if not scope.plan.is_cyclic:
        return ()
    _choose(scope, runnable.plan.outgoing, outcome.port)
    scope.entered.pop(runnable.position, None)
    saved = list(scope.edges)
    for edges in scope.entered.values():
        for number, state in edges.items():
            saved[number] = state
    return tuple(saved)


def _choose(scope: ScopeRun, numbers: tuple[int, ...], port: str) -> None:
    for number in numbers:
        wanted = scope.plan.plan.edges[number].port
        is_taken = wanted == port or (wanted == PLAIN_PORT and port not in NOT_PLAIN)
        scope.edges[number] = TAKEN if is_taken else NOT_TAKEN


def _go_on(host: CyclicHost, scope: ScopeRun) -> None:
    """Start what can run; when nothing runs, pass on what was skipped, and look again."""
    while True:
        for node in scope.plan.nodes:
            if node.position not in scope.entered and _can_run(scope, node):
                _run(host, scope, node.position)
        if scope.undecided:
            return
        skipped = [node for node in scope.plan.nodes if _is_skipped(scope, node)]
        if not skipped:
            host.scope_is_over(scope)
            return
        for node in skipped:
            for number in node.plan.incoming:
                scope.edges[number] = WAITING
            for number in node.plan.outgoing:
                scope.edges[number] = NOT_TAKEN


def _run(host: CyclicHost, scope: ScopeRun, position: int) -> None:
    incoming = scope.plan.nodes[position].plan.incoming
    scope.entered[position] = {number: scope.edges[number] for number in incoming}
    for number in incoming:
        scope.edges[number] = WAITING
    scope.undecided += 1
    host.make_ready(scope, position)


def _can_run(scope: ScopeRun, node: RunnableNode) -> bool:
    """Tell whether a group of edges is decided and leads here (all groups and edges: if strict)."""
    groups = [[scope.edges[number] for number in group] for group in node.plan.groups]
    if scope.flags.fastgpt_join_all:
        return bool(groups) and all(set(group) == {TAKEN} for group in groups)
    return any(WAITING not in group and TAKEN in group for group in groups)


def _is_skipped(scope: ScopeRun, node: RunnableNode) -> bool:
    states = [scope.edges[number] for number in node.plan.incoming]
    if scope.flags.fastgpt_join_all:
        return NOT_TAKEN in states
    return bool(states) and set(states) == {NOT_TAKEN}
