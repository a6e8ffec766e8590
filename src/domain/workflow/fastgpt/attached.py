"""Tools of a flow: what is attached to a node becomes programs that the node may run."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import msgspec

from domain.workflow import graph
from domain.workflow.canvas.cursor import Cursor
from domain.workflow.fastgpt.flow import TOOL_ENTRY, FlowNode, own_schema, schema_of
from domain.workflow.lint.flow import reached
from domain.workflow.node.control.entry import EntryConfig
from domain.workflow.value import ANY, Field, Value

_SCHEMAS: Final[Mapping[str, Mapping[str, Any]]] = {
    "string": {"type": "string"},
    "number": {"type": "number"},
    "boolean": {"type": "boolean"},
    "object": {"type": "object"},
    "arrayString": {"type": "array", "items": {"type": "string"}},
    "arrayNumber": {"type": "array", "items": {"type": "number"}},
    "arrayBoolean": {"type": "array", "items": {"type": "boolean"}},
}
"""What FastGPT tells a model about its value types; the others are texts."""


def only_tools(
    nodes: Sequence[str], edges: Iterable[tuple[str, str]], tools: Mapping[str, Sequence[FlowNode]]
) -> set[str]:
    """Find the nodes that run only if a model calls a tool.

    They follow a tool, and nothing else leads to them.
    """
    successors = followers(edges)
    first = {target.id for found in tools.values() for target in found} & set(nodes)
    behind = reached(first, successors)
    return behind - reached(set(nodes) - behind, successors)


def followers(edges: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    """List by node what it leads to."""
    found: dict[str, list[str]] = {}
    for source, target in edges:
        found.setdefault(source, []).append(target)
    return found


def make_tool(
    first: FlowNode,
    *,
    caller: str,
    scope: graph.Scope,
    otherwise: Mapping[str, graph.Expr | None],
    told: dict[str, tuple[str, ...]],
    program: graph.Program,
) -> tuple[graph.AttachedTool, tuple[graph.Binding, ...]]:
    """Close a part of a flow; return the tool, and what its caller must read for it.

    ``first``: node that the model calls. ``otherwise``: what counts where the model writes
    nothing. ``told``: as in ``AttachedTool``. ``program``: everything but the nodes.
    """
    capture = _Capture((each.id for each in scope.nodes), caller=caller, tool=first.id)
    nodes = [capture.node(each) for each in scope.nodes]
    schema = _parameters(first)
    arguments = []
    for name in _object(schema.get("properties")):
        own = otherwise.get(name)
        source = "" if own is None else capture.add(own, first.cursor.pointer)
        arguments.append(graph.ToolArgument(name=name, otherwise=source))
    captured = tuple(each.name for each in capture.inputs)
    title = first.cursor["name"].text() or first.id
    names = (*(each.name for each in arguments), *captured)
    entry = graph.Node(
        id=TOOL_ENTRY,
        kind="entry",
        title=title,
        config=EntryConfig(defaults={}),
        outputs=tuple(Field(name=name, type=ANY) for name in names),
        source=graph.Source(
            node_id=first.id, pointer=first.cursor.pointer, position=first.position
        ),
    )
    begin = next(each.id for each in nodes if each.canvas_id == first.id)
    about = (first.cursor[key].text() for key in ("toolDescription", "intro", "name"))
    tool = graph.AttachedTool(
        name=first.id,
        title=title,
        description=next((text for text in about if text), title),
        parameters=schema,
        arguments=tuple(arguments),
        captured=captured,
        told=told,
        program=msgspec.structs.replace(
            program,
            root=msgspec.structs.replace(
                scope,
                nodes=(entry, *nodes),
                edges=(graph.Edge(source=TOOL_ENTRY, target=begin), *scope.edges),
            ),
        ),
    )
    return tool, capture.inputs


def _parameters(node: FlowNode) -> dict[str, Value]:
    """Describe what a model fills in: a JSON Schema of an object."""
    schema = own_schema(node)
    if schema is not None:
        return {"type": "object", "properties": {}, **schema}
    properties: dict[str, Value] = {}
    required: list[Value] = []
    for item in generated_inputs(node):
        key = item["key"].text()
        described: dict[str, Value] = {
            **_SCHEMAS.get(item["valueType"].text(), _SCHEMAS["string"]),
            "description": item["toolDescription"].text(),
        }
        choices = [line for line in item["enum"].text().split("\n") if line]
        if choices:
            described["enum"] = [*choices]
        properties[key] = described
        if item["required"].flag():
            required.append(key)
    return {"type": "object", "properties": properties, "required": required}


def _object(value: Value) -> dict[str, Value]:
    return value if isinstance(value, dict) else {}


def generated_keys(node: FlowNode) -> frozenset[str]:
    """List the names of all that the model writes."""
    return frozenset({*schema_of(node), *(each["key"].text() for each in generated_inputs(node))})


def generated_inputs(node: FlowNode) -> Iterable[Cursor]:
    """List the inputs of a tool that the model writes."""
    return (
        item
        for item in node.cursor["inputs"]
        if item["key"].text() and item["toolDescription"].text()
    )


class _Capture:
    """Cuts nodes out of their scope: what they read around them is handed in by their entry.

    ``inputs``: for the node that calls the tool, what to hand in.
    """

    def __init__(self, inside: Iterable[str], *, caller: str, tool: str) -> None:
        self._inside = frozenset(inside)
        self._caller = caller
        self._prefix = f"$tool.{tool}."
        self._found: list[graph.Binding] = []

    @property
    def inputs(self) -> tuple[graph.Binding, ...]:
        return tuple(self._found)

    def add(self, expr: graph.Expr, pointer: str) -> str:
        """Hand in what an expression of the caller means; return the name of the input."""
        known = next((each for each in self._found if each.expr == expr), None)
        if known is None:
            name = f"{self._prefix}{len(self._found)}"
            known = graph.Binding(
                name=name, expr=expr, type=ANY, on_absent="absent", pointer=pointer
            )
            self._found.append(known)
        return known.name

    def node(self, node: graph.Node, depth: int = 0) -> graph.Node:
        """Take a node, with all that is in it, ``depth`` composites inside of the tool."""
        return msgspec.structs.replace(
            node,
            inputs=tuple(self._binding(each, depth) for each in node.inputs),
            body=None if node.body is None else self._scope(node.body, depth + 1),
        )

    def _scope(self, scope: graph.Scope, depth: int) -> graph.Scope:
        return msgspec.structs.replace(
            scope,
            nodes=tuple(self.node(each, depth) for each in scope.nodes),
            collected=tuple(
                msgspec.structs.replace(each, expr=self._expr(each.expr, depth, each.pointer))
                for each in scope.collected
            ),
        )

    def _binding(self, binding: graph.Binding, depth: int) -> graph.Binding:
        expr = self._expr(binding.expr, depth, binding.pointer)
        return msgspec.structs.replace(binding, expr=expr)

    def _expr(self, expr: graph.Expr, depth: int, pointer: str) -> graph.Expr:
        match expr:
            case graph.ObjectOf(members=members):
                return graph.ObjectOf(tuple(self._binding(each, depth) for each in members))
            case graph.ListOf(items=items):
                parts = tuple(self._expr(each, depth, pointer) for each in items)
                return graph.ListOf(parts, expr.is_flat)
            case graph.Ref(node=node, hops=hops) if hops == depth and node == self._caller:
                return graph.Const(None)  # its answer is not there yet
            case graph.Ref(node=node, hops=hops) if hops < depth or (
                hops == depth and (node in self._inside or node == TOOL_ENTRY)
            ):
                return expr
            case graph.Ref() | graph.Element() | graph.Index() | graph.LoopVariable() if (
                expr.hops >= depth
            ):
                outer = msgspec.structs.replace(expr, hops=expr.hops - depth)
                return graph.Ref(TOOL_ENTRY, (self.add(outer, pointer),), depth)
            case _:
                return expr
