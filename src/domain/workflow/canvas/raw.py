"""A Coze canvas as it is written: scopes, nodes and edges, cleaned of what never runs."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from domain.workflow import graph
from domain.workflow.canvas.cursor import Cursor
from domain.workflow.canvas.reference import ROOT
from domain.workflow.lint.diagnostic import EdgeName, Report
from domain.workflow.node import NodeType, types_by_id

ENTRY_TYPE: Final = "1"
EXIT_TYPE: Final = "2"
ENTRY_ID: Final = "100001"
EXIT_ID: Final = "900001"
COMMENT_TYPE: Final = "31"
_TRUE_PORT: Final = "true"
_COMPOSITE_OUTPUTS: Final = frozenset({"loop-output", "batch-output"})
_INLINE_OUTPUTS: Final = frozenset({"loop-function-inline-output", "batch-function-inline-output"})
_INLINE_INPUTS: Final = frozenset({"loop-function-inline-input", "batch-function-inline-input"})


@dataclass(slots=True, kw_only=True)
class RawNode:
    """A node with its kind; None for a kind nobody knows."""

    id: str
    type_id: str
    node_type: NodeType | None
    cursor: Cursor
    scope: str
    position: int
    is_live: bool = True

    @property
    def data(self) -> Cursor:
        return self.cursor["data"]

    @property
    def is_composite(self) -> bool:
        return self.node_type is not None and self.node_type.is_composite

    @property
    def has_batch_mode(self) -> bool:
        """Tell whether the node runs once per item of its batch lists."""
        return (
            self.node_type is not None
            and self.node_type.has_batch_mode
            and self.data["inputs"]["batch"]["batchEnable"].flag()
        )


@dataclass(slots=True, kw_only=True)
class RawScope:
    """Nodes and edges of one level. ``edges`` use the ports and pseudo nodes of the graph."""

    id: str
    nodes: list[RawNode] = field(default_factory=list)
    edges: list[graph.Edge] = field(default_factory=list)
    edge_cursor: Cursor


class RawCanvas:
    """All scopes of a canvas, outer ones first."""

    def __init__(self, root: Cursor, report: Report) -> None:
        self.scopes: dict[str, RawScope] = {}
        self.nodes: dict[str, RawNode] = {}
        self._report = report
        self._collect(root)
        for scope in self.scopes.values():
            self._read_edges(scope)
        for scope in self.scopes.values():
            composite = self.nodes.get(scope.id)
            if composite is not None and not composite.is_live:
                for node in scope.nodes:
                    node.is_live = False
            else:
                self._prune(scope)

    def _collect(self, root: Cursor) -> None:
        waiting = [(ROOT, root["nodes"], root["edges"])]
        known = types_by_id()
        while waiting:
            scope_id, nodes, edges = waiting.pop()
            scope = self.scopes[scope_id] = RawScope(id=scope_id, edge_cursor=edges)
            inner: list[tuple[str, Cursor, Cursor]] = []
            for cursor in nodes:
                type_id = cursor["type"].text()
                if type_id == COMMENT_TYPE:
                    continue
                node = RawNode(
                    id=cursor["id"].text(),
                    type_id=type_id,
                    node_type=known.get(type_id),
                    cursor=cursor,
                    scope=scope_id,
                    position=len(self.nodes),
                )
                if not self._accepts(node):
                    continue
                self.nodes[node.id] = node
                scope.nodes.append(node)
                if node.is_composite:
                    inner.append((node.id, cursor["blocks"], cursor["edges"]))
            waiting.extend(reversed(inner))

    def _accepts(self, node: RawNode) -> bool:
        if not node.cursor.is_object or not node.id or node.id.startswith("$"):
            self._report.add(
                "WF100",
                "A node has no usable id.",
                pointer=node.cursor["id"].pointer,
                node_id=node.id,
            )
            return False
        pointer = node.cursor.pointer
        if node.id in self.nodes:
            self._report.add(
                "WF103", f"The id {node.id[:80]} is used twice.", node_id=node.id, pointer=pointer
            )
            return False
        if node.scope != ROOT:
            if node.type_id in {ENTRY_TYPE, EXIT_TYPE}:
                self._report.add(
                    "WF116", "Entry or exit inside a composite.", node_id=node.id, pointer=pointer
                )
            if node.is_composite:
                self._report.add(
                    "WF113", "A composite inside a composite.", node_id=node.id, pointer=pointer
                )
        return True

    def _read_edges(self, scope: RawScope) -> None:
        seen: set[tuple[str, str, str]] = set()
        for cursor in scope.edge_cursor:
            edge = self._read_edge(scope, cursor)
            key = (edge.source, edge.target, edge.port) if edge is not None else None
            if edge is not None and key is not None and key not in seen:
                seen.add(key)
                scope.edges.append(edge)
        for node in scope.nodes:
            if node.node_type is None or node.node_type.kind not in {"break", "continue"}:
                continue
            if scope.id != ROOT and (node.id, graph.SCOPE_END, graph.PLAIN_PORT) not in seen:
                scope.edges.append(graph.Edge(source=node.id, target=graph.SCOPE_END))

    def _read_edge(self, scope: RawScope, cursor: Cursor) -> graph.Edge | None:
        source, target = cursor["sourceNodeID"].text(), cursor["targetNodeID"].text()
        port = cursor["sourcePortID"].text()
        into = cursor["targetPortID"].text()
        name = EdgeName(source=source, target=target, port=port)
        for node_id in (source, target):
            is_composite_itself = scope.id != ROOT and node_id == scope.id
            node = self.nodes.get(node_id)
            if is_composite_itself or (node is not None and node.scope == scope.id):
                continue
            code = "WF105" if node is None else "WF116"
            problem = "does not exist" if node is None else "belongs to another level"
            self._report.add(
                code,
                f"The edge names the node {node_id[:80]!r}, which {problem}.",
                node_id=source if source in self.nodes else "",
                pointer=cursor.pointer,
                edge=name,
            )
            return None
        is_start = scope.id != ROOT and source == scope.id
        is_end = scope.id != ROOT and target == scope.id
        if (port in _INLINE_OUTPUTS and not is_start) or (into in _INLINE_INPUTS and not is_end):
            self._report.add(
                "WF109",
                "An inline port of a composite is used outside of its body.",
                node_id=source,
                pointer=cursor.pointer,
                edge=name,
                port=port,
            )
            return None
        return graph.Edge(
            source=graph.SCOPE_START if is_start else source,
            target=graph.SCOPE_END if is_end else target,
            port=graph.PLAIN_PORT if is_start else _port(port),
            pointer=cursor.pointer,
        )

    def _prune(self, scope: RawScope) -> None:
        """Drop nodes nothing leads to, then those that only they led to, until none is left."""
        incoming = {node.id: 0 for node in scope.nodes}
        outgoing: dict[str, list[str]] = {}
        for edge in scope.edges:
            if edge.target in incoming and edge.target != edge.source:
                incoming[edge.target] += 1
                outgoing.setdefault(edge.source, []).append(edge.target)
        kept = {ENTRY_TYPE, EXIT_TYPE} if scope.id == ROOT else set()
        isolated = [
            node.id for node in scope.nodes if not incoming[node.id] and node.type_id not in kept
        ]
        while isolated:
            node = self.nodes[isolated.pop()]
            node.is_live = False
            self._report.add(
                "WF107",
                "Nothing leads to this node, so it never runs.",
                node_id=node.id,
                pointer=node.cursor.pointer,
            )
            for target in outgoing.get(node.id, ()):
                incoming[target] -= 1
                if not incoming[target] and self.nodes[target].type_id not in kept:
                    isolated.append(target)
        scope.edges = [
            edge
            for edge in scope.edges
            if edge.source == graph.SCOPE_START or self.nodes[edge.source].is_live
        ]

    def live(self, scope: RawScope) -> Iterator[RawNode]:
        """Nodes of a scope that can run."""
        return (node for node in scope.nodes if node.is_live)


def _port(name: str) -> str:
    """Translate a port of the canvas; both of its spellings are understood."""
    if name in _COMPOSITE_OUTPUTS:
        return graph.PLAIN_PORT
    if name == "branch_error":
        return graph.ERROR_PORT
    if name == "false":
        return graph.DEFAULT_PORT
    if name == _TRUE_PORT:
        return graph.branch_port(0)
    head, _, number = name.partition("_")
    if head == _TRUE_PORT and number.isascii() and number.isdigit() and len(number) < 6:  # noqa: PLR2004
        return graph.branch_port(int(number))
    return name
