"""A FastGPT flow as it is written: nodes, edges, global variables, and what references mean."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from domain.workflow import graph
from domain.workflow.canvas.cursor import Cursor
from domain.workflow.value import (
    ANY,
    BOOLEAN,
    FLOAT,
    OBJECT,
    STRING,
    Field,
    Path,
    Schema,
    Type,
    Value,
    list_of,
)

GLOBALS_ID: Final = "VARIABLE_NODE_ID"
ROOT: Final = ""
TOOL_ENTRY: Final = "$tool"
"""Id of the entry of a tool; ids of flows do not begin so."""
TOOL_DATA: Final = ("system_toolData", "toolData")
"""Inputs in which older flows describe a tool of an MCP server."""
TOOL_SET: Final = "toolSet"
ANY_INPUT: Final = "system_addInputParam"
"""Input that stands for those the user added; in texts, for everything that is known."""
ITEMS: Final = "items"
"""Name that the input list of a composite gets in the graph."""

SYSTEM_VARIABLES: Final[Mapping[str, str]] = {
    "userId": "user",
    "chatId": "conversation",
    "appId": "application",
    "responseChatItemId": "answer",
    "histories": "history",
    "cTime": "time",
}
"""What FastGPT sets by itself, and what each is called in the graph."""
_WIDGETS: Final[Mapping[str, str]] = {
    "numberInput": "number",
    "switch": "boolean",
    "multipleSelect": "arrayString",
    "file": "arrayString",
    "input": "string",
    "textarea": "string",
    "select": "string",
    "password": "string",
    "timePointSelect": "string",
    "timeRangeSelect": "arrayString",
    "JSONEditor": "object",
}
_TYPES: Final[Mapping[str, Type]] = {
    "string": STRING,
    "number": FLOAT,
    "boolean": BOOLEAN,
    "object": OBJECT,
    "arrayString": list_of(STRING),
    "arrayNumber": list_of(FLOAT),
    "arrayBoolean": list_of(BOOLEAN),
    "arrayObject": list_of(OBJECT),
    "arrayAny": list_of(ANY),
    "chatHistory": list_of(OBJECT),
    "datasetQuote": list_of(OBJECT),
}
ERROR_TEXT: Final[Path] = ("errorBody", "errorMessage")
"""Where nodes whose errors are caught tell about them."""
_REFERENCE: Final = re.compile(r"\{\{\$([^.{}$]+)\.([^{}$]+)\$\}\}")
_STARTS: Final = frozenset({"loopStart", "loopRunStart"})
_ELEMENTS: Final = frozenset({"loopStartInput", "currentItem"})
_INDEXES: Final = frozenset({"loopStartIndex", "currentIndex"})


def type_named(name: str) -> Type:
    """Translate a value type; the ones without equivalent take anything."""
    return _TYPES.get(name, ANY)


def variable_type(item: Cursor) -> Type:
    """Read the type of a variable or form field: older flows tell it by the widget only."""
    named = item["valueType"].text()
    if named in {"", "any"}:
        named = _WIDGETS.get(item["type"].text(), named)
    return type_named(named)


@dataclass(slots=True, kw_only=True)
class FlowNode:
    """A node. ``outputs`` renames outputs: their id in the flow to the way in the graph."""

    id: str
    type: str
    parent: str
    cursor: Cursor
    position: int
    outputs: Mapping[str, Path] = field(default_factory=dict)

    @property
    def is_start(self) -> bool:
        """Tell whether it stands for the begin of an iteration."""
        return self.type in _STARTS

    def input(self, key: str) -> Cursor:
        """Look up an input by its key; a missing one is null."""
        for item in self.cursor["inputs"]:
            if item["key"].text() == key:
                return item
        return Cursor(None, self.cursor["inputs"], key)

    def output_path(self, output_id: str) -> Path:
        """Way to an output in the graph; outputs are referred to by id and produced by key."""
        if output_id in self.outputs:
            return self.outputs[output_id]
        for item in self.cursor["outputs"]:
            if item["id"].text() == output_id:
                key = item["key"].text()
                if item["type"].text() == "error":
                    return ERROR_TEXT
                return self.outputs.get(key, (key,))
        return (output_id,)

    def declared(self) -> Schema:
        """Outputs that the node declares, by key."""
        found: dict[str, Field] = {}
        for item in self.cursor["outputs"]:
            name = item["key"].text()
            path = self.outputs.get(item["id"].text(), (name,))
            if len(path) == 1 and path[0]:
                wanted = type_named(item["valueType"].text())
                found.setdefault(str(path[0]), Field(name=str(path[0]), type=wanted))
        return tuple(found.values())


def _mentioned(value: Value) -> Iterator[tuple[str, str]]:
    """Find references in a value of an input, as pairs and in texts."""
    waiting = [value]
    while waiting:
        match waiting.pop():
            case [str(node_id), str(output_id)]:
                yield node_id, output_id
            case list(items):
                waiting.extend(items)
            case dict(members):
                waiting.extend(members.values())
            case str(text):
                yield from _REFERENCE.findall(text)
            case _:
                pass


def own_schema(node: FlowNode) -> dict[str, Value] | None:
    """Find the JSON Schema of its parameters that a tool brings along."""
    for key in TOOL_DATA:
        schema = node.input(key)["value"]["inputSchema"].value
        if isinstance(schema, dict):
            return schema
    schema = node.cursor["jsonSchema"].value
    return schema if isinstance(schema, dict) else None


def schema_of(node: FlowNode) -> tuple[str, ...]:
    """List the parameters in such a schema."""
    properties = (own_schema(node) or {}).get("properties")
    return tuple(properties) if isinstance(properties, dict) else ()


@dataclass(slots=True)
class Flow:
    """All nodes by id, and the global variables."""

    nodes: dict[str, FlowNode]
    globals: dict[str, graph.GlobalDeclaration]
    _mentions: frozenset[tuple[str, str]] | None = None

    @property
    def mentions(self) -> frozenset[tuple[str, str]]:
        """Outputs that inputs anywhere refer to: node and id; collected once."""
        if self._mentions is None:
            self._mentions = frozenset(
                found
                for node in self.nodes.values()
                for item in node.cursor["inputs"]
                for found in _mentioned(item["value"].value)
            )
        return self._mentions

    def chain(self, node: FlowNode) -> dict[str, int]:
        """Scopes around a node with the number of steps outwards."""
        found: dict[str, int] = {}
        scope = node.parent
        while scope not in found:
            found[scope] = len(found)
            if scope == ROOT or scope not in self.nodes:
                break
            scope = self.nodes[scope].parent
        return found

    def resolve(self, reader: FlowNode, node_id: str, output_id: str) -> graph.Expr:
        """Say what a reference of ``reader`` means."""
        if node_id == GLOBALS_ID:
            return self.variable(output_id)
        source = self.nodes.get(node_id)
        if source is None:
            return graph.Unresolved("WF201", node_id, (output_id,))
        hops = self.chain(reader).get(source.parent)
        if hops is None:
            return graph.Unresolved("WF204", node_id, (output_id,))
        if source.is_start:
            return self._inside(source, output_id, hops)
        return graph.Ref(node_id, source.output_path(output_id), hops)

    @staticmethod
    def _inside(start: FlowNode, output_id: str, hops: int) -> graph.Expr:
        if output_id in _ELEMENTS:
            return graph.Element(start.parent, ITEMS, (), hops)
        if output_id in _INDEXES:
            return graph.Index(start.parent, hops)
        return graph.Unresolved("WF202", start.id, (output_id,))

    def variable(self, name: str) -> graph.Expr:
        """Refer to a global variable; those of the flow hide those of the system."""
        if name in SYSTEM_VARIABLES and name not in self.globals:
            return graph.GlobalVariable(graph.GlobalKind.RUN, (SYSTEM_VARIABLES[name],))
        return graph.GlobalVariable(graph.GlobalKind.APP, (name,))

    def is_variable(self, name: str) -> bool:
        return name in self.globals or name in SYSTEM_VARIABLES
