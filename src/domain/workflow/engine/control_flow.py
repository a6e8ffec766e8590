"""Control flow: which nodes are decided, which may run, and which scopes are over."""

import asyncio
import heapq
from collections import deque

from domain.workflow.engine.scope import RunnableNode
from domain.workflow.engine.scope_run import (
    DECIDED,
    EDGE_NOT_TAKEN,
    EDGE_TAKEN,
    EDGE_WAITING,
    RunLog,
    ScopeRun,
    choose_edges,
)
from domain.workflow.engine.state import NodeError, Outcome
from domain.workflow.graph import DEFAULT_PORT, PLAIN_PORT
from domain.workflow.plan import BOUNDARY

Ready = tuple[int, int, ScopeRun]


class ControlFlow:
    """Edges and joins of one run; runs nothing itself.

    ``ready`` is a heap of nodes that may start: earlier scopes first, then the order of the
    canvas. ``over`` are scopes whose end has come and that nobody has looked at yet.
    """

    def __init__(self, log: RunLog, wake: asyncio.Event) -> None:
        self.ready: list[Ready] = []
        self.over: deque[ScopeRun] = deque()
        self._log = log
        self._wake = wake
        self._serial = 0

    def wake(self) -> None:
        """Go on with what can be done now."""
        self._wake.set()

    def next_serial(self) -> int:
        """Number the next scope; earlier scopes go first."""
        self._serial += 1
        return self._serial

    def begin(self, scope: ScopeRun) -> None:
        """Let control enter a scope."""
        self._wake.set()
        if scope.parent is not None:
            scope.parent.children.add(scope)
        if scope.plan.is_cyclic:
            _begin_cyclic(self, scope)
            return
        self._skip(scope, [*scope.plan.orphans])
        for target in scope.plan.start:
            scope.alive[target] = 1
            self._decide(scope, target)
        if scope.undecided == 0:
            self.over.append(scope)

    def settle(self, scope: ScopeRun, runnable: RunnableNode, outcome: Outcome) -> None:
        """Pass control on from a node that is done."""
        if scope.plan.is_cyclic:
            _settle_cyclic(self, scope, runnable)
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
            _close_feeds(scope, runnable, outcome)
        if position == scope.plan.end or scope.undecided == 0:
            self.over.append(scope)

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

    def fail(self, scope: ScopeRun, error: NodeError) -> None:
        """End a scope whose node failed without being handled."""
        if not scope.is_over:
            self.close(scope)
            scope.owner.ended(scope, error)
            self._wake.set()

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
            self._log.ended(call, "cancelled")
        scope.calls.clear()

    def _decide(self, scope: ScopeRun, target: int) -> None:
        """Count one thing less to wait for; skipped nodes pass that on at once."""
        self._skip(scope, [*self._count_down(scope, target)])

    def _skip(self, scope: ScopeRun, skipped: list[int]) -> None:
        while skipped:
            source = skipped.pop()
            for successor in scope.plan.nodes[source].successors:
                skipped.extend(self._count_down(scope, successor.target))
            scope.undecided -= 1
            scope.status[source] = DECIDED

    def _count_down(self, scope: ScopeRun, target: int) -> tuple[int, ...]:
        waiting = scope.waiting
        waiting[target] -= 1
        if waiting[target]:
            return ()
        if scope.alive[target]:
            heapq.heappush(self.ready, (scope.serial, target, scope))
            return ()
        return (target,)


class WorkSlots:
    """Nodes that wait for something outside the engine, as many at a time as ``most``; 0: all."""

    def __init__(self, control: ControlFlow, *, most: int) -> None:
        self._control = control
        self._most = most
        self._queue: deque[Ready] = deque()
        self.working = 0

    def take(self, scope: ScopeRun, position: int) -> bool:
        """Tell whether a node may begin to wait; if not it is ready again once one is done."""
        if self._most and self.working >= self._most:
            self._queue.append((scope.serial, position, scope))
            return False
        return True

    def begin(self) -> None:
        """Note that a task works, or goes on after a rest."""
        self.working += 1

    def end(self) -> None:
        """Note that a task is done, or waits for a scope that it started itself."""
        self.working -= 1
        if self._queue:
            heapq.heappush(self._control.ready, self._queue.popleft())
        self._control.wake()


def _begin_cyclic(control: ControlFlow, scope: ScopeRun) -> None:
    """Let control enter, or go on with the edges as they were saved.

    ``undecided`` counts the nodes that run or are about to.
    """
    plan = scope.plan.plan
    if not scope.record.edges:
        scope.record.edges = (EDGE_WAITING,) * len(plan.edges)
        scope.edges = list(scope.record.edges)
        if plan.start == BOUNDARY:
            choose_edges(scope, plan.start_edges, PLAIN_PORT)
    else:
        scope.edges = list(scope.record.edges)
    scope.undecided = 0
    if plan.start != BOUNDARY and not scope.outcomes:
        _enter(control, scope, plan.start)
    _go_on_cyclic(control, scope)


def _settle_cyclic(control: ControlFlow, scope: ScopeRun, runnable: RunnableNode) -> None:
    """Pass control on from a node that is done, on the edges that were chosen."""
    scope.undecided -= 1
    if runnable.position == scope.plan.end:
        control.over.append(scope)
        return
    _go_on_cyclic(control, scope)


def _go_on_cyclic(control: ControlFlow, scope: ScopeRun) -> None:
    """Start what can run; when nothing runs, pass on what was skipped, and look again."""
    while True:
        for node in scope.plan.nodes:
            if node.position not in scope.entered and _can_run(scope, node):
                _enter(control, scope, node.position)
        if scope.undecided:
            return
        skipped = [node for node in scope.plan.nodes if _is_skipped(scope, node)]
        if not skipped:
            control.over.append(scope)
            return
        for node in skipped:
            for number in node.plan.incoming:
                scope.edges[number] = EDGE_WAITING
            for number in node.plan.outgoing:
                scope.edges[number] = EDGE_NOT_TAKEN


def _enter(control: ControlFlow, scope: ScopeRun, position: int) -> None:
    incoming = scope.plan.nodes[position].plan.incoming
    scope.entered[position] = {number: scope.edges[number] for number in incoming}
    for number in incoming:
        scope.edges[number] = EDGE_WAITING
    scope.undecided += 1
    heapq.heappush(control.ready, (scope.serial, position, scope))


def _can_run(scope: ScopeRun, node: RunnableNode) -> bool:
    """Tell whether a group of edges is decided and leads here (all groups and edges: if strict)."""
    groups = [[scope.edges[number] for number in group] for group in node.plan.groups]
    if scope.flags.fastgpt_join_all:
        return bool(groups) and all(set(group) == {EDGE_TAKEN} for group in groups)
    return any(EDGE_WAITING not in group and EDGE_TAKEN in group for group in groups)


def _is_skipped(scope: ScopeRun, node: RunnableNode) -> bool:
    states = [scope.edges[number] for number in node.plan.incoming]
    if scope.flags.fastgpt_join_all:
        return EDGE_NOT_TAKEN in states
    return bool(states) and set(states) == {EDGE_NOT_TAKEN}


def _close_feeds(scope: ScopeRun, runnable: RunnableNode, outcome: Outcome) -> None:
    """Tell the readers of a node that it is done."""
    for key in [key for key in scope.feeds if key[0] == runnable.position]:
        scope.feeds[key].close(outcome.output.get(key[1]))
