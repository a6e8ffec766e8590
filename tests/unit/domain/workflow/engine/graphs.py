"""Random programs, and an evaluator that knows nothing of the engine."""

from collections.abc import Mapping
from dataclasses import dataclass

from hypothesis import strategies as st

from domain.workflow.graph import (
    Binding,
    Const,
    Edge,
    Expr,
    GlobalKind,
    GlobalVariable,
    Node,
    OnNode,
    Program,
    Ref,
    Scope,
    branch_port,
)
from domain.workflow.node.control.aggregator import AggregatorConfig, Group
from domain.workflow.node.control.entry import EntryConfig
from domain.workflow.node.control.exit import ExitConfig
from domain.workflow.node.control.selector import Branch, Condition, Operator, SelectorConfig
from domain.workflow.node.control.variable_assign import GlobalAssignment, VariableAssignConfig
from domain.workflow.node.data.text import TextConfig
from domain.workflow.template import compile_template
from domain.workflow.value import STRING, Field

START, END = "start", "end"


def bind(name: str, expr: Expr) -> Binding:
    return Binding(name=name, expr=expr, type=STRING, on_absent="absent")


def entry() -> Node:
    return Node(
        id=START,
        kind="entry",
        title="Start",
        config=EntryConfig(defaults={}),
        outputs=(Field(name="x", type=STRING),),
        null_fill=True,
    )


def exit_node(*bindings: Binding) -> Node:
    return Node(
        id=END, kind="exit", title="End", config=ExitConfig(), inputs=bindings, zero_fill=True
    )


def text_node(node_id: str, template: str, *bindings: Binding) -> Node:
    names = [binding.name for binding in bindings]
    config = TextConfig(method="concat", template=compile_template(template, names))
    return Node(
        id=node_id,
        kind="text",
        title=node_id,
        config=config,
        inputs=bindings,
        outputs=(Field(name="output", type=STRING),),
        zero_fill=True,
    )


def selector_node(node_id: str, binding: Binding, wanted: str) -> Node:
    conditions = (Condition(operator=Operator.CONTAINS, left=binding.name, right="$right"),)
    config = SelectorConfig(branches=(Branch(logic="and", conditions=conditions),))
    return Node(
        id=node_id,
        kind="selector",
        title=node_id,
        config=config,
        inputs=(binding, bind("$right", Const(wanted))),
        ports=(branch_port(0), "default"),
    )


def aggregator_node(node_id: str, *bindings: Binding) -> Node:
    group = Group(name="output", candidates=tuple(each.name for each in bindings))
    return Node(
        id=node_id,
        kind="aggregator",
        title=node_id,
        config=AggregatorConfig(groups=(group,)),
        inputs=bindings,
        outputs=(Field(name="output", type=STRING),),
        null_fill=True,
    )


def assign_node(node_id: str, variable: str, value: Expr) -> Node:
    """Write a variable of the user: an effect that must not happen twice."""
    target = GlobalVariable(GlobalKind.USER, (variable,))
    assignment = GlobalAssignment(target=target, type=STRING, value="$right.0")
    return Node(
        id=node_id,
        kind="variable_assign",
        title=node_id,
        config=VariableAssignConfig(assignments=(assignment,)),
        inputs=(bind("$right.0", value),),
        effects="write",
    )


def program(nodes: list[Node], edges: list[Edge], name: str = "p") -> Program:
    return Program(
        dialect="coze",
        version_hash=name,
        root=Scope(id="", nodes=tuple(nodes), edges=tuple(edges), start=START, end=OnNode(END)),
    )


@dataclass(frozen=True)
class Drawn:
    """A random graph; ``sources``: what each node reads."""

    program: Program
    sources: Mapping[str, tuple[str, ...]]


@st.composite
def graphs(draw: st.DrawFn) -> Drawn:
    """Draw a graph without cycles, with branches, joins, and nodes that have to wait."""
    count = draw(st.integers(1, 12))
    nodes: list[Node] = [entry()]
    edges: list[Edge] = []
    sources: dict[str, tuple[str, ...]] = {}
    outputs = {START: "x"}
    for number in range(count):
        node_id = f"n{number}"
        before = [node.id for node in nodes]
        predecessors = draw(st.lists(st.sampled_from(before), min_size=1, max_size=3, unique=True))
        readable = [each for each in before if each in outputs]
        reads = draw(st.lists(st.sampled_from(readable), min_size=1, max_size=2, unique=True))
        bindings = [
            bind(f"v{place}", Ref(source, (outputs[source],))) for place, source in enumerate(reads)
        ]
        kind = draw(st.sampled_from(["text", "slow", "selector", "aggregator"]))
        if kind == "selector":
            nodes.append(selector_node(node_id, bindings[0], draw(st.sampled_from("abx<"))))
            sources[node_id] = (reads[0],)
        else:
            outputs[node_id] = "output"
            sources[node_id] = tuple(reads)
            if kind == "aggregator":
                nodes.append(aggregator_node(node_id, *bindings))
            else:
                slots = "".join(f"{{{{{each.name}}}}}" for each in bindings)
                if kind == "slow":
                    bindings.append(bind("g", GlobalVariable(GlobalKind.USER, (node_id,))))
                nodes.append(text_node(node_id, f"<{node_id}{slots}>", *bindings))
        for source in predecessors:
            ports = _ports(nodes, source)
            port = draw(st.sampled_from(ports))
            edges.append(Edge(source=source, target=node_id, port=port))
    finals = [node.id for node in nodes if node.id in outputs]
    nodes.append(exit_node(*(bind(each, Ref(each, (outputs[each],))) for each in finals)))
    edges += [Edge(source=node.id, target=END) for node in nodes[:-1]]
    sources[END] = tuple(finals)
    return Drawn(program(nodes, edges), sources)


def _ports(nodes: list[Node], node_id: str) -> list[str]:
    node = next(each for each in nodes if each.id == node_id)
    return [*node.ports, ""] if node.ports else [""]


def evaluate(drawn: Drawn, x: str) -> dict[str, str | None]:
    """Value of every node that ran, in the order of the nodes, which is a topological one."""
    values: dict[str, str | None] = {START: x}
    chosen: dict[str, str] = {START: ""}
    for node in drawn.program.root.nodes[1:]:
        incoming = [edge for edge in drawn.program.root.edges if edge.target == node.id]
        is_alive = any(
            edge.source in chosen and edge.port in {"", chosen[edge.source]} for edge in incoming
        )
        if not is_alive:
            continue
        read = [values.get(source) for source in drawn.sources[node.id]]
        chosen[node.id] = ""
        if node.kind == "text":
            values[node.id] = f"<{node.id}{''.join(each or '' for each in read)}>"
        elif node.kind == "aggregator":
            values[node.id] = next((each for each in read if each is not None), None)
        elif node.kind == "selector":
            right = node.inputs[1].expr
            assert isinstance(right, Const)
            holds = read[0] is not None and str(right.value) in read[0]
            chosen[node.id] = branch_port(0) if holds else "default"
    return values
