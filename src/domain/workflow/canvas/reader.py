"""Translates a Coze canvas into the graph; every problem is a finding, nothing is raised."""

import hashlib

import msgspec

from domain.workflow.canvas.cursor import Cursor
from domain.workflow.canvas.raw import ENTRY_ID, ENTRY_TYPE, EXIT_ID, EXIT_TYPE, RawCanvas
from domain.workflow.canvas.reference import ROOT, Place, Places
from domain.workflow.canvas.scope import ScopeReader
from domain.workflow.graph import (
    Flags,
    OnNode,
    Program,
    Scope,
)
from domain.workflow.limit import WorkflowLimits
from domain.workflow.lint.diagnostic import Report
from domain.workflow.node.control.exit import ExitConfig
from domain.workflow.text import BrokenJson, TooMuchJson, decode_json, encode_json
from domain.workflow.value import Value


class CozeReader:
    """Reads canvases exported from Coze Studio."""

    def __init__(self, *, limits: WorkflowLimits, flags: Flags) -> None:
        self._limits = limits
        self._flags = flags

    def read(self, text: str, *, report: Report) -> Program | None:
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


def version_hash(value: Value, flags: Flags) -> str:
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
        (ENTRY_TYPE, ENTRY_ID, "WF101", "entry"),
        (EXIT_TYPE, EXIT_ID, "WF102", "exit"),
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


def _program(value: Value, root: Scope, flags: Flags) -> Program:
    entry = root.node(root.start)
    end = root.end.node if isinstance(root.end, OnNode) else ""
    last = root.node(end)
    config = last.config if last is not None else None
    return Program(
        dialect="coze",
        version_hash=version_hash(value, flags),
        root=root,
        input=entry.outputs if entry is not None else (),
        output=last.outputs if last is not None else (),
        answers=isinstance(config, ExitConfig) and config.answers,
        flags=flags,
    )
