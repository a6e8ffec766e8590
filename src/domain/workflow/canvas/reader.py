"""Translates a Coze canvas into the graph; every problem is a finding, nothing is raised."""

import hashlib
from typing import Final, Literal

import msgspec

from domain.workflow import graph
from domain.workflow.canvas.cursor import Cursor
from domain.workflow.canvas.node_reader import NodeReader
from domain.workflow.canvas.raw import (
    ENTRY_ID,
    ENTRY_TYPE,
    EXIT_ID,
    EXIT_TYPE,
    RawCanvas,
    RawNode,
    RawScope,
)
from domain.workflow.canvas.reference import ROOT, Place, Places
from domain.workflow.convert import convert_fields, zero_of
from domain.workflow.limit import WorkflowLimits
from domain.workflow.lint.diagnostic import EdgeName, Report
from domain.workflow.node import NODE_TYPES, NodeType, TimeLimit
from domain.workflow.node.control.batch import CONCURRENCY, SIZE, BatchConfig
from domain.workflow.node.control.exit import ExitConfig
from domain.workflow.node.control.unsupported import UnsupportedConfig
from domain.workflow.text import BrokenJson, TooMuchJson, decode_json, encode_json
from domain.workflow.value import Field, Schema, TypeKind, Value

BATCH_TYPE: Final = "28"


class CozeReader:
    """Reads canvases exported from Coze Studio."""

    def __init__(self, *, limits: WorkflowLimits, flags: graph.Flags) -> None:
        self._limits = limits
        self._flags = flags

    def read(self, text: str, *, report: Report) -> graph.Program | None:
        """Translate a canvas; None if it is none. Time grows with its size only."""
        root = read_root(text, limits=self._limits, report=report)
        if root is None:
            return None
        for key in ("nodes", "edges"):
            value = root[key]
            if value.value is not None and not value.is_list:
                report.add("WF100", f"{key} is not a list.", pointer=value.pointer)
                return None
        if not root["nodes"] and "nodes" not in _keys(root):
            report.add("WF100", "There are no nodes.", pointer="/nodes")
            return None
        canvas = RawCanvas(root, report)
        limit = self._limits.nodes
        if limit and len(canvas.nodes) > limit:
            report.add("WF501", f"{len(canvas.nodes)} nodes are more than {limit}.")
        _check_ends(canvas, report)
        places = _places(canvas)
        scope = ScopeReader(canvas, places, report, self._flags).read(canvas.scopes[ROOT])
        return _program(root.value, scope, self._flags)


def read_root(text: str, *, limits: WorkflowLimits, report: Report) -> Cursor | None:
    """Decode a canvas within the limits; None, and a finding, if it is no object."""
    if limits.canvas_bytes and len(text) > limits.canvas_bytes:
        report.add("WF501", f"The canvas is larger than {limits.canvas_bytes} bytes.")
        return None
    try:
        value = decode_json(text)
    except TooMuchJson as error:
        report.add("WF501", str(error))
        return None
    except BrokenJson as error:
        report.add("WF100", f"The canvas is not JSON: {str(error)[:200]}")
        return None
    if not isinstance(value, dict):
        report.add("WF100", "The canvas is not a JSON object.")
        return None
    if _is_deeper(value, limits.json_depth):
        report.add("WF501", f"The canvas is nested deeper than {limits.json_depth} levels.")
        return None
    return Cursor(value)


def version_hash(value: Value, flags: graph.Flags) -> str:
    """Name a version by its content: equal canvases compile to equal plans."""
    content = encode_json(value, sort_keys=True).encode() + msgspec.json.encode(flags)
    return hashlib.sha256(content).hexdigest()


def _keys(cursor: Cursor) -> frozenset[str]:
    value = cursor.value
    return frozenset(key.lower() for key in value) if isinstance(value, dict) else frozenset()


def _is_deeper(value: Value, limit: int) -> bool:
    level: list[Value] = [value]
    depth = 0
    while level:
        depth += 1
        if depth > limit:
            return True
        below: list[Value] = []
        for item in level:
            if isinstance(item, dict):
                below.extend(item.values())
            elif isinstance(item, list):
                below.extend(item)
        level = [item for item in below if isinstance(item, dict | list)]
    return False


def _check_ends(canvas: RawCanvas, report: Report) -> None:
    for type_id, wanted_id, code, name in (
        (ENTRY_TYPE, ENTRY_ID, "WF101", "entry node"),
        (EXIT_TYPE, EXIT_ID, "WF102", "exit node"),
    ):
        found = [node for node in canvas.scopes[ROOT].nodes if node.type_id == type_id]
        if not found:
            report.add(code, f"There is no {name}.", pointer="/nodes")
        for node in found[1:]:
            report.add(
                code,
                f"There is more than one {name}.",
                node_id=node.id,
                pointer=node.cursor.pointer,
            )
        for node in found[:1]:
            if node.id != wanted_id:
                report.add(
                    code,
                    f"The {name} has the id {node.id[:80]}, not {wanted_id}.",
                    node_id=node.id,
                    pointer=node.cursor["id"].pointer,
                    blocks_run=False,
                )


def _places(canvas: RawCanvas) -> Places:
    places = Places()
    for scope in canvas.scopes.values():
        for node in scope.nodes:
            lists = variables = frozenset[str]()
            inputs = node.data["inputs"]
            if node.is_composite:
                lists = _names(inputs["inputParameters"])
                variables = _names(inputs["variableParameters"])
            elif node.has_batch_mode:
                lists = _names(inputs["batch"]["inputLists"])
            places.put(
                node.id,
                Place(scope=node.scope, is_live=node.is_live, lists=lists, variables=variables),
            )
            if node.is_composite or node.has_batch_mode:
                places.open(node.id, node.scope)
    return places


def _names(cursor: Cursor) -> frozenset[str]:
    return frozenset(parameter["name"].text() for parameter in cursor)


def _program(value: Value, root: graph.Scope, flags: graph.Flags) -> graph.Program:
    entry = root.node(root.start)
    end = root.end.node if isinstance(root.end, graph.OnNode) else ""
    last = root.node(end)
    config = last.config if last is not None else None
    return graph.Program(
        dialect="coze",
        version_hash=version_hash(value, flags),
        root=root,
        input=entry.outputs if entry is not None else (),
        output=last.outputs if last is not None else (),
        answers=isinstance(config, ExitConfig) and config.answers,
        flags=flags,
    )


class ScopeReader:
    """Reads the nodes of a scope and of the scopes inside it."""

    def __init__(
        self, canvas: RawCanvas, places: Places, report: Report, flags: graph.Flags
    ) -> None:
        self._canvas = canvas
        self._places = places
        self._report = report
        self._flags = flags

    def read(self, raw: RawScope, collected: tuple[graph.Collected, ...] = ()) -> graph.Scope:
        nodes = tuple(self._node(node) for node in self._canvas.live(raw))
        ports = {node.id: node.ports for node in nodes}
        is_root = raw.id == ROOT
        return graph.Scope(
            id=raw.id,
            nodes=nodes,
            edges=tuple(
                known
                for edge in raw.edges
                if (known := self._edge(edge, ports.get(edge.source, ()))) is not None
            ),
            start=_first(raw, ENTRY_TYPE, ENTRY_ID) if is_root else graph.SCOPE_START,
            end=graph.OnNode(_first(raw, EXIT_TYPE, EXIT_ID) if is_root else graph.SCOPE_END),
            collected=collected,
        )

    def _edge(self, edge: graph.Edge, ports: tuple[str, ...]) -> graph.Edge | None:
        if edge.port == graph.PLAIN_PORT or edge.port in ports:
            return edge
        if edge.port == graph.DEFAULT_PORT and not ports:
            return msgspec.structs.replace(edge, port=graph.PLAIN_PORT)
        self._report.add(
            "WF109",
            f"The node has no port {edge.port[:80]!r}.",
            node_id=edge.source,
            pointer=edge.pointer,
            port=edge.port,
            edge=EdgeName(source=edge.source, target=edge.target, port=edge.port),
        )
        return None

    def _node(self, raw: RawNode) -> graph.Node:
        if raw.has_batch_mode:
            return self._batch_mode(raw)
        if raw.node_type is None:
            return self._foreign(raw)
        reader = self._reader(raw, raw.scope)
        if not raw.is_composite:
            return self._plain(raw, raw.node_type, reader)
        config = raw.node_type.read(reader)
        collected = self._collected(raw)
        body = self.read(self._canvas.scopes[raw.id], collected)
        outputs = tuple(Field(name=each.name, type=each.type) for each in collected)
        policy = read_policy(reader, outputs, raw.node_type.time_limit)
        return _assemble(
            raw,
            raw.node_type,
            reader,
            outputs=outputs,
            policy=policy,
            config=config,
            body=body,
        )

    def _plain(self, raw: RawNode, node_type: NodeType, reader: NodeReader) -> graph.Node:
        config = node_type.read(reader)
        outputs = reader.outputs or reader.declare_outputs()
        missing = [name for name in node_type.required if name not in reader.names]
        for name in missing:
            reader.report(
                "WF401", reader.inputs["inputParameters"], f"The parameter {name} is missing."
            )
        if not node_type.is_runnable:
            self._report.add(
                "WF114",
                f"{node_type.names['en']} (type {raw.type_id}) is not supported.",
                node_id=raw.id,
                pointer=raw.cursor.pointer,
            )
        if raw.cursor["blocks"].is_list and raw.cursor["blocks"].value:
            reader.report("WF402", raw.cursor["blocks"], "This kind of node has no inner nodes.")
        policy = read_policy(reader, outputs, node_type.time_limit)
        return _assemble(raw, node_type, reader, outputs=outputs, policy=policy, config=config)

    def _foreign(self, raw: RawNode) -> graph.Node:
        self._report.add(
            "WF104",
            f"Unknown type of node {raw.type_id[:40]!r}.",
            node_id=raw.id,
            pointer=raw.cursor["type"].pointer,
        )
        return graph.Node(
            id=raw.id,
            kind="foreign",
            title=_title(raw),
            config=UnsupportedConfig(type_name=raw.type_id),
            outputs=self._reader(raw, raw.scope).declare_outputs(),
            source=graph.Source(node_id=raw.id, pointer=raw.cursor.pointer, position=raw.position),
        )

    def _batch_mode(self, raw: RawNode) -> graph.Node:
        """Expand a node in batch mode: a batch around one inner node of the original kind."""
        if raw.node_type is None:
            return self._foreign(raw)
        outer = self._reader(raw, raw.scope)
        setting = outer.inputs["batch"]
        outer.mark("lists", setting["inputLists"])
        outer.parameters(setting["inputLists"])
        lists = tuple(binding.name for binding in outer.bindings)
        size = outer.bind_integer(SIZE, setting["batchSize"])
        concurrency = outer.bind_integer(CONCURRENCY, setting["concurrentSize"])
        declared = outer.declare_outputs()
        element = _element(outer, declared)
        inner = self._inner(raw, raw.node_type, element)
        body = graph.Scope(
            id=raw.id,
            nodes=(inner,),
            edges=(
                graph.Edge(source=graph.SCOPE_START, target=inner.id),
                graph.Edge(source=inner.id, target=graph.SCOPE_END),
            ),
            start=graph.SCOPE_START,
            end=graph.OnNode(graph.SCOPE_END),
            collected=tuple(
                graph.Collected(
                    name=field.name,
                    expr=graph.Ref(inner.id, ()),
                    type=field.type,
                    pointer=raw.data["outputs"].pointer,
                )
                for field in declared[:1]
            ),
        )
        config = BatchConfig(lists=lists, size=size, concurrency=concurrency, is_node_batch=True)
        return _assemble(
            raw,
            NODE_TYPES.get("batch"),
            outer,
            outputs=declared[:1],
            policy=graph.Policy(),
            config=config,
            body=body,
        )

    def _inner(self, raw: RawNode, node_type: NodeType, element: Schema) -> graph.Node:
        reader = self._reader(raw, raw.id)
        reader.override_outputs(element)
        config = node_type.read(reader)
        policy = read_policy(reader, element, node_type.time_limit)
        return _assemble(
            raw,
            node_type,
            reader,
            outputs=element,
            policy=policy,
            config=config,
            node_id=f"{raw.id}_inner",
        )

    def _collected(self, raw: RawNode) -> tuple[graph.Collected, ...]:
        reader = self._reader(raw, raw.id)
        found: dict[str, graph.Collected] = {}
        for parameter in raw.data["outputs"]:
            name = parameter["name"].text()
            if not name or name in found:
                reader.report("WF305", parameter["name"], f"Bad or repeated name {name[:40]!r}.")
                continue
            expr, wanted = reader.target(parameter["input"])
            is_inner = isinstance(expr, graph.Ref) and expr.hops == 0
            is_variable = isinstance(expr, graph.LoopVariable) and expr.composite == raw.id
            if not is_inner and not is_variable:
                reader.report(
                    "WF412",
                    parameter["input"],
                    f"The output {name[:40]!r} is no value of an inner node or loop variable.",
                )
                continue
            if raw.type_id == BATCH_TYPE and is_variable:
                reader.report("WF412", parameter["input"], "A batch has no variables.")
                continue
            found[name] = graph.Collected(
                name=name, expr=expr, type=wanted, pointer=parameter["input"].pointer
            )
        return tuple(found.values())

    def _reader(self, raw: RawNode, scope: str) -> NodeReader:
        return NodeReader(
            node_id=raw.id,
            scope=scope,
            data=raw.data,
            places=self._places,
            report=self._report,
            flags=self._flags,
        )


def _assemble(
    raw: RawNode,
    node_type: NodeType,
    reader: NodeReader,
    *,
    outputs: Schema,
    policy: graph.Policy,
    config: graph.NodeConfig,
    body: graph.Scope | None = None,
    node_id: str = "",
) -> graph.Node:
    ports = node_type.ports(config)
    if policy.on_error == "branch":
        ports = (*(ports or (graph.DEFAULT_PORT,)), graph.ERROR_PORT)
    return graph.Node(
        id=node_id or raw.id,
        kind=node_type.kind,
        title=_title(raw),
        config=config,
        inputs=reader.bindings,
        outputs=outputs,
        ports=ports,
        body=body,
        policy=policy,
        streams=reader.streams,
        zero_fill=node_type.zero_fill,
        null_fill=node_type.null_fill,
        interrupts=node_type.interrupts,
        effects=reader.effects or node_type.effects,
        secrets=reader.secrets,
        source=graph.Source(
            node_id=raw.id,
            pointer=raw.cursor.pointer,
            position=raw.position,
            fields=reader.fields,
        ),
    )


def _element(outer: NodeReader, declared: Schema) -> Schema:
    item = declared[0].type.item if len(declared) == 1 else None
    if item is None or item.kind is not TypeKind.OBJECT:
        outer.report("WF414", outer.data["outputs"], "Batch mode returns one list of objects.")
        return ()
    return item.fields


def _title(raw: RawNode) -> str:
    return raw.data["nodeMeta"]["title"].text() or raw.id


def _first(raw: RawScope, type_id: str, otherwise: str) -> str:
    return next((node.id for node in raw.nodes if node.type_id == type_id), otherwise)


ERROR_FIELDS = frozenset({"errorBody", "isSuccess"})
"""Outputs that tell about a handled failure; the engine fills them in."""


def read_policy(reader: NodeReader, outputs: Schema, time_limit: TimeLimit) -> graph.Policy:
    """Read ``settingOnError``; older exports keep it next to the inputs."""
    cursor = reader.inputs["settingOnError"] or reader.data["settingOnError"]
    on_error = _on_error(reader, cursor)
    text = cursor["dataOnErr"].text()
    default: Value = None
    if on_error != "throw":
        default = _default(reader, cursor["dataOnErr"], outputs)
    return graph.Policy(
        on_error=on_error,
        timeout_ms=max(cursor["timeoutMs"].integer(), 0),
        time_limit=time_limit,
        attempts=1 + max(cursor["retryTimes"].integer(), 0),
        backoff_ms=max(cursor["ext"]["retryBackoffMs"].integer(), 0),
        has_default=on_error != "throw" and bool(text),
        default=default,
    )


def _on_error(reader: NodeReader, cursor: Cursor) -> Literal["throw", "default", "branch"]:
    text = cursor["dataOnErr"].text()
    kind = cursor["processType"].integer()
    match kind:
        case 0:
            return "default" if text and cursor["switch"].flag() else "throw"
        case 1:
            return "throw"
        case 2:
            if not text:
                reader.stop("WF430", cursor, "There is no default output.")
            return "default"
        case 3:
            return "branch"
        case _:
            reader.report("WF402", cursor["processType"], f"Unknown handling {kind}.")
            return "throw"


def _default(reader: NodeReader, cursor: Cursor, outputs: Schema) -> Value:
    """Convert the default output; a text that is no object goes into every text output."""
    declared = tuple(field for field in outputs if field.name not in ERROR_FIELDS)
    text = cursor.text()
    if not text:
        return {field.name: None for field in declared}
    try:
        parsed = decode_json(text)
    except BrokenJson:
        parsed = None
    if not isinstance(parsed, dict):
        reader.report("WF430", cursor, "The default output is not a JSON object.")
        return {
            field.name: text if field.type.kind is TypeKind.STRING else zero_of(field.type)
            for field in declared
        }
    conversion = convert_fields(parsed, declared)
    for problem in conversion.problems:
        if problem.cause == "invalid":
            reader.report("WF430", cursor, f"The default output does not match: {problem}")
    return {field.name: None for field in declared} | _as_dict(conversion.value)


def _as_dict(value: Value) -> dict[str, Value]:
    return value if isinstance(value, dict) else {}
