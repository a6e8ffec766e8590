"""Control flow: which nodes are decided, which may run, and which scopes are over."""

import asyncio
import heapq
from collections import deque

from domain.workflow.engine import scheduler_cyclic
from domain.workflow.engine.scheduler_log import RunLog
from domain.workflow.engine.scheduler_stream import close_feeds
from domain.workflow.engine.scope import RunnableNode
from domain.workflow.engine.scope_run import DECIDED, ScopeRun
from domain.workflow.engine.state import NodeError, Outcome
from domain.workflow.graph import DEFAULT_PORT

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
            scheduler_cyclic.begin(self, scope)
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

    def make_ready(self, scope: ScopeRun, position: int) -> None:
        """Let a node run."""
        heapq.heappush(self.ready, (scope.serial, position, scope))

    def scope_is_over(self, scope: ScopeRun) -> None:
        """Take note that nothing is left to do in a scope."""
        self.over.append(scope)

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
