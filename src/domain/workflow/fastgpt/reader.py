"""Translates a FastGPT flow into the graph; every problem is a finding, nothing is raised."""

from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from typing import Final

from msgspec.structs import replace

from domain.workflow import graph
from domain.workflow.canvas.cursor import Cursor
from domain.workflow.canvas.reader import read_root, version_hash
from domain.workflow.convert import convert
from domain.workflow.fastgpt.attached import followers, generated_keys, make_tool, only_tools
from domain.workflow.fastgpt.flow import ROOT, TOOL_ENTRY, TOOL_SET, Flow, FlowNode, variable_type
from domain.workflow.fastgpt.kind import FLOW_KINDS, STRUCTURE, FlowKind
from domain.workflow.fastgpt.kind.tool_set import read_tool_set
from domain.workflow.fastgpt.node_reader import FlowReader
from domain.workflow.limit import WorkflowLimits
from domain.workflow.lint.diagnostic import EdgeName, Report
from domain.workflow.lint.flow import components, reached
from domain.workflow.node import NODE_TYPES
from domain.workflow.node.control.unsupported import UnsupportedConfig
from domain.workflow.node.data.text import TextConfig
from domain.workflow.node.model.model import ModelConfig
from domain.workflow.value import ANY, BOOLEAN, OBJECT, STRING, Field, list_of

_ENTRIES: Final = frozenset({"workflowStart", "pluginInput"})
_ENDS: Final = frozenset({"loopEnd", "loopRunEnd"})
BOUNDARIES: Final = frozenset({"loopStart", "loopRunStart", *_ENDS})
"""Types that stand for the begin and the end of an iteration."""
_TOOLS: Final = "selectedTools"
_CATCH: Final = "source_catch"
_GUIDES: Final = frozenset({"userGuide", "systemConfig"})
_RESULT: Final = "loopArray"


_CAUGHT: Final = (
    Field(name="isSuccess", type=BOOLEAN),
    Field(name="errorBody", type=OBJECT),
)


class FastGptReader:
    """Reads the flows that FastGPT exports for its applications."""

    def __init__(self, *, limits: WorkflowLimits, flags: graph.Flags) -> None:
        self._limits = limits
        self._flags = flags

    def read(self, text: str, *, report: Report) -> graph.Program | None:
        """Translate a flow; None if it is none."""
        root = read_root(text, limits=self._limits, report=report)
        if root is None:
            return None
        if not root["nodes"].is_list:
            report.add("WF100", "There is no list of nodes.", pointer=root["nodes"].pointer)
            return None
        flow = _flow(root, report)
        limit = self._limits.nodes
        if limit and len(flow.nodes) > limit:
            report.add("WF501", f"{len(flow.nodes)} nodes are more than {limit}.")
        version = version_hash(root.value, self._flags)
        builder = _ScopeBuilder(
            flow,
            root["edges"],
            report,
            flags=self._flags,
            limits=self._limits,
            version=version,
        )
        scope = builder.build()
        entry = scope.node(scope.start)
        if entry is None:
            report.add("WF101", "There is no start node.", pointer="/nodes")
        last = next((node for node in scope.nodes if node.kind == "exit"), None)
        variables = tuple(flow.globals.values())
        return graph.Program(
            dialect="fastgpt",
            version_hash=version,
            root=scope,
            input=(
                *(entry.outputs if entry is not None else ()),
                *(each.field for each in variables),
            ),
            output=last.outputs if last is not None else (Field(name=graph.ANSWERS, type=STRING),),
            flags=self._flags,
            globals=variables,
            chat=graph.ChatInput(text="userChatInput", files="userFiles"),
            max_concurrent_nodes=self._limits.fastgpt_concurrent_nodes,
        )


def _flow(root: Cursor, report: Report) -> Flow:
    nodes: dict[str, FlowNode] = {}
    for cursor in root["nodes"]:
        node_id, type_name = cursor["nodeId"].text(), cursor["flowNodeType"].text()
        if type_name in STRUCTURE:
            continue
        if not node_id or node_id.startswith("$"):
            report.add("WF100", "A node has no usable id.", pointer=cursor["nodeId"].pointer)
        elif node_id in nodes:
            report.add(
                "WF103",
                f"The id {node_id[:80]} is used twice.",
                node_id=node_id,
                pointer=cursor.pointer,
            )
        else:
            known = type_name in FLOW_KINDS.names()
            nodes[node_id] = FlowNode(
                id=node_id,
                type=type_name,
                parent=cursor["parentNodeId"].text(),
                cursor=cursor,
                position=len(nodes),
                outputs=FLOW_KINDS.get(type_name).outputs if known else {},
            )
    _mend_parents(nodes, report)
    return Flow(nodes, {each.field.name: each for each in _variables(root, report)})


def _variables(root: Cursor, report: Report) -> Iterator[graph.GlobalDeclaration]:
    """Read the global variables of the flow; older ones keep them in a node."""
    declared = root["chatConfig"]["variables"]
    if not any(True for _ in declared):
        guides = [each for each in root["nodes"] if each["flowNodeType"].text() in _GUIDES]
        inputs = [item for each in guides for item in each["inputs"]]
        declared = next(
            (each["value"] for each in inputs if each["key"].text() == "variables"), declared
        )
    for item in declared:
        name, wanted = item["key"].text(), variable_type(item)
        if not name:
            continue
        given = item["defaultValue"]
        default = convert(given.value, wanted)
        if default.problems:
            report.add(
                "WF304", f"Bad default of {name[:80]}: {default.problems[0]}", pointer=given.pointer
            )
        yield graph.GlobalDeclaration(
            kind=graph.GlobalKind.APP,
            field=Field(name=name, type=wanted, description=item["label"].text()),
            is_input=True,
            default=default.value,
        )


def _mend_parents(nodes: dict[str, FlowNode], report: Report) -> None:
    """Move nodes to the top whose parent is missing, or inside itself."""
    safe = {ROOT}
    for node in nodes.values():
        path: list[FlowNode] = []
        current = node
        while current.id not in safe and current not in path:
            path.append(current)
            if current.parent == ROOT:
                break
            parent = nodes.get(current.parent)
            if parent is None or parent in path:
                report.add(
                    "WF116",
                    "The node is inside of one that does not exist.",
                    node_id=current.id,
                    pointer=current.cursor["parentNodeId"].pointer,
                )
                current.parent = ROOT
                break
            current = parent
        safe.update(each.id for each in path)


class _ScopeBuilder:
    """Builds the scope of each parent from the flat list of a flow."""

    def __init__(
        self,
        flow: Flow,
        edges: Cursor,
        report: Report,
        *,
        flags: graph.Flags,
        limits: WorkflowLimits,
        version: str,
    ) -> None:
        self._flow = flow
        self._report = report
        self._flags = flags
        self._limits = limits
        self._version = version
        self._callers: list[str] = []
        """Nodes whose tools are being built, outermost first."""
        self._in_tools = 0
        self._told: dict[str, tuple[str, ...]] = {}
        self._otherwise: dict[str, dict[str, graph.Expr | None]] = {}
        """What tools read where the model writes nothing, by tool."""
        self._children: dict[str, list[FlowNode]] = {}
        for node in flow.nodes.values():
            self._children.setdefault(node.parent, []).append(node)
        self._edges: dict[str, list[Cursor]] = {}
        self._tools: dict[str, list[FlowNode]] = {}
        self._handles: dict[str, Mapping[str, str]] = {}
        for cursor in edges:
            self._place(cursor)

    def build(self) -> graph.Scope:
        return self._scope(ROOT)

    def _place(self, cursor: Cursor) -> None:
        source = self._flow.nodes.get(cursor["source"].text())
        target = self._flow.nodes.get(cursor["target"].text())
        if source is None or target is None or source.parent != target.parent:
            code = "WF105" if source is None or target is None else "WF116"
            name = EdgeName(source=cursor["source"].text(), target=cursor["target"].text())
            self._report.add(
                code,
                "The edge does not connect two nodes of one level.",
                node_id=source.id if source is not None else "",
                pointer=cursor.pointer,
                edge=name,
            )
        elif _TOOLS in (cursor["sourceHandle"].text(), cursor["targetHandle"].text()):
            self._attach(source, target, cursor)
        else:
            self._edges.setdefault(source.parent, []).append(cursor)

    def _attach(self, source: FlowNode, target: FlowNode, cursor: Cursor) -> None:
        if not _is(source, lambda kind: kind.takes_tools):
            what = f"The node {source.id[:80]} calls no tools."
            self._report.add("WF117", what, node_id=source.id, pointer=cursor.pointer)
        elif target.is_start or target.type in BOUNDARIES or not _is(target, _can_be_tool):
            what = f"A node of the type {target.type[:40]!r} cannot be a tool."
            self._report.add("WF117", what, node_id=target.id, pointer=cursor.pointer)
        elif target not in self._tools.setdefault(source.id, []):
            self._tools[source.id].append(target)

    def _scope(self, parent: str) -> graph.Scope:
        children = self._children.get(parent, [])
        pairs = self._pairs(parent)
        apart = only_tools([each.id for each in children], pairs, self._tools)
        connected = {node_id for pair in pairs for node_id in pair}
        apart |= {
            each.id for each in children if each.type == TOOL_SET and each.id not in connected
        }
        nodes, edges, is_cyclic = self._part([each for each in children if each.id not in apart])
        is_root = parent == ROOT
        start = next((each.id for each in children if each.type in _ENTRIES), graph.SCOPE_START)
        if not is_root:
            edges += _implicit_ends(nodes, edges)
        last = next((each.id for each in nodes if each.kind == "exit"), "")
        return graph.Scope(
            id=parent,
            nodes=tuple(nodes),
            edges=tuple(edges),
            start=start if is_root else graph.SCOPE_START,
            end=graph.OnQuiescence()
            if is_root and not last
            else graph.OnNode(last or graph.SCOPE_END),
            on_error="fail" if self._flags.fastgpt_abort_on_error else "skip_out",
            is_cyclic=is_cyclic,
            collected=() if is_root else self._collected(children),
        )

    def _part(
        self, members: list[FlowNode], *, tool: str = ""
    ) -> tuple[list[graph.Node], list[graph.Edge], bool]:
        """Build some nodes of one level, and the edges between them."""
        nodes: list[graph.Node] = []
        before: dict[str, str] = {}
        for child in members:
            if child.type not in BOUNDARIES:
                made = self._node(child, is_tool=child.id == tool)
                before[child.id] = made[0].id
                nodes.extend(made)
        ids = {child.id for child in members}
        between = [
            cursor
            for cursor in self._edges.get(members[0].parent if members else ROOT, ())
            if {cursor["source"].text(), cursor["target"].text()} <= ids
        ]
        edges, is_cyclic = _grouped(
            [
                *(graph.Edge(source=a.id, target=b.id) for a, b in _preludes(nodes)),
                *(edge for each in between for edge in self._edge(each, before)),
            ]
        )
        return nodes, edges, is_cyclic

    def _pairs(self, parent: str) -> list[tuple[str, str]]:
        """Nodes of a level that lead to each other."""
        cursors = self._edges.get(parent, ())
        return [(each["source"].text(), each["target"].text()) for each in cursors]

    def _tool(
        self, caller: FlowNode, first: FlowNode
    ) -> tuple[graph.AttachedTool, tuple[graph.Binding, ...]] | None:
        """Make a program of a tool and of what follows it; None if it cannot be one."""
        ids = reached((first.id,), followers(self._pairs(first.parent)))
        self._in_tools += len(ids)
        if caller.id in ids or set(self._callers) & ids:
            what = f"The tool {first.id[:80]} leads back to the node that calls it."
            self._report.add("WF117", what, node_id=first.id, pointer=first.cursor.pointer)
            return None
        if self._limits.nodes and self._in_tools > self._limits.nodes:
            self._report.add("WF501", f"The tools have more than {self._limits.nodes} nodes.")
            return None
        members = [each for each in self._children[first.parent] if each.id in ids]
        self._callers.append(caller.id)
        nodes, edges, is_cyclic = self._part(members, tool=first.id)
        path = (self._version, *self._callers, first.id)
        self._callers.pop()
        return make_tool(
            first,
            caller=caller.id,
            scope=graph.Scope(
                id=ROOT,
                nodes=tuple(nodes),
                edges=tuple(edges),
                start=TOOL_ENTRY,
                end=graph.OnQuiescence(),
                is_cyclic=is_cyclic,
            ),
            otherwise=self._otherwise.pop(first.id, {}),
            told={each.id: self._told[each.id] for each in members if each.id in self._told},
            program=graph.Program(
                dialect="fastgpt",
                version_hash="/".join(path),
                root=graph.Scope(id=ROOT, nodes=(), edges=(), start="", end=graph.OnQuiescence()),
                flags=self._flags,
                max_concurrent_nodes=self._limits.fastgpt_concurrent_nodes,
            ),
        )

    def _edge(self, cursor: Cursor, before: Mapping[str, str]) -> Iterator[graph.Edge]:
        source = self._flow.nodes[cursor["source"].text()]
        target = self._flow.nodes[cursor["target"].text()]
        is_end = target.type in _ENDS
        key = cursor["sourceHandle"].text().removeprefix(f"{source.id}-")
        port = self._port(source, key, cursor)
        if port is None or source.type in _ENDS or target.is_start:
            return
        yield graph.Edge(
            source=graph.SCOPE_START if source.is_start else source.id,
            target=graph.SCOPE_END if is_end else before.get(target.id, target.id),
            port=graph.PLAIN_PORT if source.is_start else port,
            pointer=cursor.pointer,
        )

    def _port(self, source: FlowNode, key: str, cursor: Cursor) -> str | None:
        handles = self._handles.get(source.id, {})
        if key.startswith(_CATCH):
            return graph.ERROR_PORT
        branch = key.removeprefix("source-")
        if not handles:
            return graph.DEFAULT_PORT if source.cursor["catchError"].flag() else graph.PLAIN_PORT
        if branch in handles:
            return handles[branch]
        self._report.add(
            "WF109",
            f"The node has no branch {branch[:80]!r}.",
            node_id=source.id,
            pointer=cursor.pointer,
            port=branch,
        )
        return None

    def _node(self, raw: FlowNode, *, is_tool: bool = False) -> list[graph.Node]:
        """Translate a node; nodes that put its texts together come first."""
        reader = FlowReader(raw, self._flow, self._report)
        if is_tool:
            reader.generated = generated_keys(raw)
        if raw.type not in FLOW_KINDS.names():
            return [self._foreign(raw, reader)]
        kind = FLOW_KINDS.get(raw.type)
        config = kind.read(reader)
        self._handles[raw.id] = kind.handles(reader)
        node_type = NODE_TYPES.get(kind.kind)
        body = self._scope(raw.id) if node_type.is_composite else None
        outputs = reader.outputs
        if body is not None:
            outputs = tuple(Field(name=each.name, type=each.type) for each in body.collected)
        catches = raw.cursor["catchError"].flag()
        if catches:
            outputs = (*outputs, *_CAUGHT)
        ports = node_type.ports(config)
        told = kind.told if reader.told is None else reader.told
        if told is not None:
            self._told[raw.id] = told
        for key in sorted(reader.generated - set(reader.otherwise)):
            what = f"The node does not read {key[:80]!r} from the model."
            reader.report("WF118", raw.input(key), what)
        if is_tool:
            self._otherwise[raw.id] = dict(reader.otherwise)
        preludes = list(self._preludes(raw, reader))
        attached: list[tuple[graph.AttachedTool, tuple[graph.Binding, ...]]] = []
        for tool in self._tools.get(raw.id, ()):
            if tool.type == TOOL_SET:
                config = self._with_set(config, tool)
            elif made := self._tool(raw, tool):
                attached.append(made)
        node = graph.Node(
            id=raw.id,
            kind=kind.kind,
            title=raw.cursor["name"].text() or raw.id,
            config=config,
            inputs=(
                *reader.bindings,
                *(binding for _, inputs in attached for binding in inputs),
            ),
            outputs=outputs,
            tools=tuple(tool for tool, _ in attached),
            ports=(*(ports or (graph.DEFAULT_PORT,)), graph.ERROR_PORT) if catches else ports,
            body=body,
            policy=graph.Policy(
                on_error="branch" if catches else "throw", time_limit=node_type.time_limit
            ),
            streams=reader.streams,
            zero_fill=False,
            null_fill=node_type.null_fill,
            interrupts=node_type.interrupts,
            effects=node_type.effects,
            source=self._source(raw, reader),
        )
        return [*preludes, node]

    def _with_set(self, config: graph.NodeConfig, tools: FlowNode) -> graph.NodeConfig:
        found = read_tool_set(FlowReader(tools, self._flow, self._report))
        if found is None or not isinstance(config, ModelConfig):
            return config
        return replace(config, tools=(*config.tools, found))

    def _preludes(self, raw: FlowNode, reader: FlowReader) -> Iterator[graph.Node]:
        sources: list[tuple[str, graph.Expr]] = []
        for number, (name, template, inputs) in enumerate(reader.texts):
            made = graph.Node(
                id=f"{raw.id}$text{number}",
                kind="text",
                title=raw.cursor["name"].text() or raw.id,
                config=TextConfig(method="concat", template=template, joins_lists=False),
                inputs=inputs,
                outputs=(Field(name="output", type=STRING),),
                source=self._source(raw, reader),
            )
            sources.append((name, graph.Ref(made.id, ("output",))))
            yield made
        reader.replace_texts(iter(sources))

    def _foreign(self, raw: FlowNode, reader: FlowReader) -> graph.Node:
        self._report.add(
            "WF114",
            f"Nodes of the type {raw.type[:40]!r} cannot run here.",
            node_id=raw.id,
            pointer=raw.cursor["flowNodeType"].pointer,
        )
        return graph.Node(
            id=raw.id,
            kind="foreign",
            title=raw.cursor["name"].text() or raw.id,
            config=UnsupportedConfig(type_name=raw.type),
            outputs=raw.declared(),
            source=self._source(raw, reader),
        )

    def _collected(self, children: list[FlowNode]) -> tuple[graph.Collected, ...]:
        for child in children:
            if child.type in _ENDS:
                reader = FlowReader(child, self._flow, self._report)
                value = reader.value("loopEndInput")
                expr = reader.reference(value)
                if expr is not None:
                    return (
                        graph.Collected(
                            name=_RESULT, expr=expr, type=list_of(ANY), pointer=value.pointer
                        ),
                    )
        return ()

    @staticmethod
    def _source(raw: FlowNode, reader: FlowReader) -> graph.Source:
        return graph.Source(
            node_id=raw.id,
            type_name=raw.type,
            pointer=raw.cursor.pointer,
            position=raw.position,
            fields=reader.fields,
        )


def _is(node: FlowNode, test: Callable[[FlowKind], bool]) -> bool:
    """Tell what holds for the kind of a node; unknown kinds are reported where they are read."""
    return node.type not in FLOW_KINDS.names() or test(FLOW_KINDS.get(node.type))


def _can_be_tool(kind: FlowKind) -> bool:
    return kind.is_tool


def _preludes(nodes: list[graph.Node]) -> Iterator[tuple[graph.Node, graph.Node]]:
    """Pairs of a node that puts a text together and what follows it."""
    for node, following in pairwise(nodes):
        if node.id != node.canvas_id:
            yield node, following


def _implicit_ends(nodes: list[graph.Node], edges: list[graph.Edge]) -> list[graph.Edge]:
    """Lead what has no successor, and breaks, to the end of the iteration."""
    leading = {edge.source for edge in edges}
    return [
        graph.Edge(source=node.id, target=graph.SCOPE_END)
        for node in nodes
        if node.id not in leading
    ]


def _grouped(edges: list[graph.Edge]) -> tuple[list[graph.Edge], bool]:
    """Number the edges of each cycle, so that joins can look at each cycle by itself."""
    successors: dict[str, list[str]] = {}
    for edge in edges:
        successors.setdefault(edge.source, []).append(edge.target)
    group: dict[str, int] = {}
    number = 0
    for component in components(list(successors), successors):
        if len(component) > 1 or component[0] in successors.get(component[0], ()):
            number += 1
            group.update(dict.fromkeys(component, number))
    grouped = [
        graph.Edge(
            source=edge.source,
            target=edge.target,
            port=edge.port,
            pointer=edge.pointer,
            group=group[edge.source] if group.get(edge.source, -1) == group.get(edge.target) else 0,
        )
        for edge in edges
    ]
    return grouped, bool(group)
