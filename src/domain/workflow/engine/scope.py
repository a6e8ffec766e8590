"""Plans made executable: each node with its runner, its inputs as functions, and who follows."""

from dataclasses import dataclass, field
from typing import Final

from domain.workflow import graph
from domain.workflow.engine.call import Call
from domain.workflow.engine.scope_input import (
    GlobalKey,
    InputPlan,
    Reader,
    compile_bindings,
    compile_expression,
    global_keys,
    takes_text,
)
from domain.workflow.error import NotCompilable
from domain.workflow.node import NODE_TYPES, Result, Runner, Step
from domain.workflow.plan import BOUNDARY, NodePlan, Plan, ScopePlan
from domain.workflow.value import TypeKind

NO_PORT: Final = "$none"
"""Chosen by a node that failed where the rest of its scope goes on: no edge is taken."""

NOT_PLAIN: Final = frozenset({graph.ERROR_PORT, NO_PORT})
_STRUCTURES: Final = frozenset({TypeKind.OBJECT, TypeKind.LIST})


@dataclass(slots=True, frozen=True)
class Successor:
    """A node that waits for another one; ``ports`` of the edges between them, none for data."""

    target: int
    ports: frozenset[str]
    is_early: bool = False
    """It reads the other one only piece by piece, so it may start before that is done."""

    def is_taken(self, port: str) -> bool:
        """Tell whether control passes when ``port`` is chosen."""
        return port in self.ports or (graph.PLAIN_PORT in self.ports and port not in NOT_PLAIN)


@dataclass(slots=True, frozen=True)
class CollectedOutput:
    """An output of a composite; ``variable`` is set if it is one of the loop."""

    collected: graph.Collected
    read: Reader
    variable: str = ""


@dataclass(slots=True)
class RunnableNode:
    """A node with everything the scheduler wants to know without looking it up."""

    plan: NodePlan
    node: graph.Node
    position: int
    runner: Runner
    is_work: bool
    inputs: tuple[InputPlan, ...]
    globals: tuple[GlobalKey, ...]
    has_structures: bool
    """Null-filling has to look inside of outputs."""
    keeps_inputs: bool
    """Its inputs are part of the state from the moment it begins."""
    feeds: dict[str, tuple[int, str]]
    """Inputs that can be read piece by piece: the node and output they come from."""
    step: Step
    """For nodes that compute at once; raises for the others."""
    waits_for: int = 0
    successors: tuple[Successor, ...] = ()
    has_early_readers: bool = False
    body: "RunnableScope | None" = None


@dataclass(slots=True)
class RunnableScope:
    """A scope; nodes are numbered in the order of the canvas, in which they start."""

    plan: ScopePlan
    flags: graph.Flags
    nodes: tuple[RunnableNode, ...]
    start: tuple[int, ...]
    """Nodes that control reaches first; for a root scope its start node alone."""
    waiting: tuple[int, ...] = field(default=())
    orphans: tuple[int, ...] = ()
    """Nodes that control never reaches: tools of a model, for instance."""
    collected: tuple[CollectedOutput, ...] = ()

    @property
    def end(self) -> int | None:
        """The node whose end is the end of the scope; None: all nodes have to be decided."""
        return None if self.plan.end in {None, BOUNDARY} else self.plan.end

    @property
    def is_cyclic(self) -> bool:
        return self.plan.scope.is_cyclic


@dataclass(slots=True, frozen=True)
class Runnable:
    """A program ready to run; immutable, so that all its runs share it."""

    plan: Plan
    root: RunnableScope

    @property
    def version_hash(self) -> str:
        return self.plan.version_hash


def make_runnable(plan: Plan) -> Runnable:
    """Put runners to the nodes of a plan; raise ``NotCompilable`` for a kind that has none."""
    return Runnable(plan, make_scope(plan.root, plan.program.flags))


def make_scope(plan: ScopePlan, flags: graph.Flags) -> RunnableScope:
    """Make one scope, and those inside it, executable."""
    is_cyclic = plan.scope.is_cyclic
    nodes = tuple(_node(each, flags, is_cyclic=is_cyclic) for each in plan.nodes)
    start = [plan.edges[number].target for number in plan.start_edges]
    first = sorted({target for target in start if target != BOUNDARY})
    if plan.start != BOUNDARY:
        first = [plan.start]
    for node in nodes:
        node.successors = _successors(plan, node, nodes)
        node.has_early_readers = any(each.is_early for each in node.successors)
        for successor in node.successors:
            nodes[successor.target].waits_for += 1
    for target in first:
        nodes[target].waits_for += 1
    return RunnableScope(
        plan=plan,
        flags=flags,
        nodes=nodes,
        start=tuple(first),
        waiting=tuple(node.waits_for for node in nodes),
        orphans=tuple(node.position for node in nodes if not node.waits_for),
        collected=tuple(_collected(each, flags) for each in plan.collected),
    )


def _node(plan: NodePlan, flags: graph.Flags, *, is_cyclic: bool) -> RunnableNode:
    node = plan.node
    runner = NODE_TYPES.get(node.kind).runner
    if runner is None:
        raise NotCompilable(f"{node.title} ({node.id}): nodes of kind {node.kind} cannot run.")
    is_work = runner.step is None and not runner.composite
    if runner.needs_work is not None:
        is_work = runner.needs_work(node)
    types = {binding.name: binding.type for binding in node.inputs}
    return RunnableNode(
        plan=plan,
        node=node,
        position=plan.index,
        runner=runner,
        is_work=is_work,
        inputs=compile_bindings(node.inputs, flags),
        globals=_globals(plan),
        has_structures=any(field.type.kind in _STRUCTURES for field in node.outputs),
        keeps_inputs=bool(runner.composite) or node.interrupts,
        feeds={
            name: (source.node, source.output)
            for name, source in plan.streams.items()
            if takes_text(types[name]) and not is_cyclic
        },
        step=runner.step or _no_step,
        body=None if plan.body is None else make_scope(plan.body, flags),
    )


def _globals(plan: NodePlan) -> tuple[GlobalKey, ...]:
    """List the variables that a node reads when it begins, and those its iterations leave."""
    outputs = () if plan.body is None else plan.body.collected
    return global_keys(
        [*(each.expr for each in plan.node.inputs), *(each.expr for each in outputs)]
    )


def _no_step(call: Call) -> Result:
    raise TypeError(f"Nodes of kind {call.node.kind} do not compute at once.")


def _successors(
    plan: ScopePlan, node: RunnableNode, nodes: tuple[RunnableNode, ...]
) -> tuple[Successor, ...]:
    ports: dict[int, set[str]] = {target: set() for target in node.plan.readers}
    for number in node.plan.outgoing:
        edge = plan.edges[number]
        if edge.target != BOUNDARY:
            ports.setdefault(edge.target, set()).add(edge.port)
    ports.pop(node.position, None)
    return tuple(
        Successor(target, frozenset(names), _is_early(node, nodes[target]))
        for target, names in sorted(ports.items())
    )


def _is_early(source: RunnableNode, target: RunnableNode) -> bool:
    """Tell whether everything the target reads from the source comes piece by piece."""
    fed = {name for name, (position, _) in target.feeds.items() if position == source.position}
    return bool(fed) and not any(
        isinstance(leaf, graph.Ref) and leaf.hops == 0 and leaf.node == source.node.id
        for binding in target.node.inputs
        if binding.name not in fed
        for leaf in graph.leaves(binding.expr)
    )


def _collected(collected: graph.Collected, flags: graph.Flags) -> CollectedOutput:
    expr = collected.expr
    variable = expr.name if isinstance(expr, graph.LoopVariable) and expr.hops == 0 else ""
    return CollectedOutput(collected, compile_expression(expr, flags), variable)
