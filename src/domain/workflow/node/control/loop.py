"""Loop: runs its body again and again, one iteration after the other."""

from typing import Final, Literal

import msgspec

from domain.workflow.canvas.blank import blank, literal, param, unset
from domain.workflow.canvas.node_reader import NodeReader
from domain.workflow.graph import Node, NodeConfig
from domain.workflow.node import Check, NodeType, Runner, config_of
from domain.workflow.value import Type, TypeKind

COUNT: Final = "$count"


class LoopVariableSetting(msgspec.Struct, frozen=True, kw_only=True):
    """A variable that lives as long as the loop; ``initial`` names the input it starts with."""

    name: str
    type: Type
    initial: str


class LoopConfig(NodeConfig, frozen=True, kw_only=True):
    """``array`` goes through ``lists`` (inputs) to the end of the shortest one."""

    mode: Literal["array", "count", "infinite"]
    lists: tuple[str, ...] = ()
    count: str = ""
    """Name of the input that says how often; only in mode ``count``."""
    variables: tuple[LoopVariableSetting, ...] = ()


def _read(reader: NodeReader) -> NodeConfig:
    mode = _mode(reader)
    reader.mark("lists", reader.inputs["inputParameters"])
    reader.parameters()
    lists = tuple(binding.name for binding in reader.bindings)
    count = ""
    if mode == "count":
        count = reader.bind(COUNT, reader.inputs["loopCount"], is_optional=True)
        if not count:
            reader.report("WF410", reader.inputs["loopCount"], "The number of rounds is missing.")
    return LoopConfig(mode=mode, lists=lists, count=count, variables=_variables(reader))


def _mode(reader: NodeReader) -> Literal["array", "count", "infinite"]:
    match reader.inputs["loopType"].text("array") or "array":
        case "array":
            return "array"
        case "count":
            return "count"
        case "infinite":
            return "infinite"
        case other:
            reader.report("WF402", reader.inputs["loopType"], f"Unknown loop {other[:40]!r}.")
            return "array"


def _variables(reader: NodeReader) -> tuple[LoopVariableSetting, ...]:
    found: dict[str, LoopVariableSetting] = {}
    for parameter in reader.inputs["variableParameters"]:
        name = parameter["name"].text()
        if not name or name in found or name in reader.names:
            reader.report("WF305", parameter["name"], f"Bad or repeated name {name[:40]!r}.")
            continue
        initial = reader.bind(f"$variable.{name}", parameter["input"])
        if initial:
            wanted = next(each.type for each in reader.bindings if each.name == initial)
            found[name] = LoopVariableSetting(name=name, type=wanted, initial=initial)
    return tuple(found.values())


def _check(node: Node, check: Check) -> None:
    config = config_of(node, LoopConfig)
    if config.mode == "array" and not config.lists:
        check.add("WF411", node, "The loop has no list to go through.", at="lists")
    if config.mode == "array":
        check_lists(node, config.lists, check)
    if config.mode == "infinite" and not _has_break(node):
        check.add("WF413", node, "No break ends this loop.")


def check_lists(node: Node, lists: tuple[str, ...], check: Check) -> None:
    """Report inputs that are no lists."""
    for binding in node.parameters:
        is_list = binding.type.kind in {TypeKind.LIST, TypeKind.ANY}
        if binding.name in lists and not is_list:
            check.add("WF411", node, f"The input {binding.name} is no list.", at=binding.name)


def _has_break(node: Node) -> bool:
    """Look for a break node that belongs to this loop and can be reached in its body."""
    body = node.body
    if body is None:
        return False
    successors: dict[str, list[str]] = {}
    for edge in body.edges:
        successors.setdefault(edge.source, []).append(edge.target)
    reached, waiting = {body.start}, [body.start]
    while waiting:
        for target in successors.get(waiting.pop(), ()):
            if target not in reached:
                reached.add(target)
                waiting.append(target)
    return any(inner.kind == "break" and inner.id in reached for inner in body.nodes)


NodeType(
    kind="loop",
    type_id="21",
    key="Loop",
    names={"en": "Loop", "zh": "循环"},
    blank=blank(
        inputs={
            "loopType": "array",
            "loopCount": literal("integer", "10"),
            "inputParameters": [param("input", unset("list", schema={"type": "string"}))],
            "variableParameters": [],
        },
        outputs=[],
    ),
    group="logic",
    read=_read,
    check=_check,
    config=LoopConfig,
    zero_fill=True,
    null_fill=True,
    is_composite=True,
    runner=Runner(composite="loop"),
).register()
