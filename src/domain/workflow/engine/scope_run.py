"""One instance of a scope while it runs: counters, outputs, and what belongs to it."""

import asyncio
from collections.abc import Mapping
from typing import Protocol

from domain.workflow.engine.call import Call
from domain.workflow.engine.scope import RunnableScope
from domain.workflow.engine.scope_input import Place
from domain.workflow.engine.state import NodeError, NodePath, NodeProgress, Outcome, ScopeRecord
from domain.workflow.engine.stream import Feed
from domain.workflow.graph import ANSWERS
from domain.workflow.value import Value

WAITING, STARTED, DECIDED = 0, 1, 2


class Owner(Protocol):
    """Whoever started a scope and goes on when it is over."""

    def ended(self, scope: "ScopeRun", error: NodeError | None) -> None:
        """Take note that the scope is over, or failed."""
        ...

    def interrupted(self) -> None:
        """Take note that a node inside asks the user."""
        ...


class Target(Protocol):
    """Takes the answer of a child piece by piece."""

    def push(self, text: str) -> None:
        """Add a piece."""
        ...


class ScopeRun:
    """State of a scope instance that is not part of the checkpoint, and its part of that."""

    __slots__ = (
        "alive",
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
        "outcomes",
        "outer",
        "output_feed",
        "owner",
        "parent",
        "path",
        "plan",
        "record",
        "serial",
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
        output_feed: Target | None = None,
    ) -> None:
        self.plan = plan
        self.record = record
        self.outcomes: dict[str, Outcome] = record.outcomes
        self.owner = owner
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
        self.output_feed = output_feed
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
