"""Aggregator: the first value per group that is neither skipped nor null."""

from collections.abc import Mapping

import msgspec

from domain.workflow.canvas.blank import blank, out
from domain.workflow.canvas.node_reader import NodeReader
from domain.workflow.engine.call import Call
from domain.workflow.graph import Node, NodeConfig, Streams
from domain.workflow.node import NodeType, Result, Runner, config_of
from domain.workflow.value import Field, Value


class Group(msgspec.Struct, frozen=True, kw_only=True):
    """An output and the inputs it may come from, first choice first."""

    name: str
    candidates: tuple[str, ...]


class AggregatorConfig(NodeConfig, frozen=True, kw_only=True):
    """Groups in the order of the canvas."""

    groups: tuple[Group, ...]


def _read(reader: NodeReader) -> NodeConfig:
    groups: dict[str, Group] = {}
    derived: list[Field] = []
    if reader.inputs["mergeStrategy"].integer(1) not in {0, 1}:
        reader.report("WF402", reader.inputs["mergeStrategy"], "Unknown strategy.")
    for number, item in enumerate(reader.inputs["mergeGroups"]):
        name = item["name"].text()
        if not name or name in groups:
            reader.report("WF305", item["name"], f"Bad or repeated name {name[:40]!r}.")
            continue
        candidates = [
            bound
            for place, variable in enumerate(item["variables"])
            if (bound := reader.bind(f"$group.{number}.{place}", variable, on_absent="absent"))
        ]
        if not candidates:
            reader.report("WF401", item["variables"], f"The group {name[:40]!r} has no variable.")
        else:
            first = next(each for each in reader.bindings if each.name == candidates[0])
            derived.append(Field(name=name, type=first.type))
        groups[name] = Group(name=name, candidates=tuple(candidates))
    if not groups:
        reader.report("WF401", reader.inputs["mergeGroups"], "The aggregator has no group.")
    declared = reader.declare_outputs()
    known = {field.name for field in declared}
    reader.outputs = (*declared, *(field for field in derived if field.name not in known))
    pairs = [(name, group.name) for group in groups.values() for name in group.candidates]
    reader.streams = Streams(consumes=tuple(name for name, _ in pairs), forwards=tuple(pairs))
    return AggregatorConfig(groups=tuple(groups.values()))


def _step(call: Call) -> Result:
    config = config_of(call.node, AggregatorConfig)
    has_value = {name: value is not None for name, value in call.inputs.items()}
    chosen = _choose(call.node, has_value)
    output: dict[str, Value] = {}
    positions: list[Value] = []
    for group in config.groups:
        name = chosen[group.name]
        output[group.name] = None if name is None else call.inputs[name]
        positions.append(None if name is None else group.candidates.index(name))
    call.extra["variable_select"] = positions
    return Result(output)


def _choose(node: Node, has_value: Mapping[str, bool]) -> dict[str, str | None]:
    return {
        group.name: next((name for name in group.candidates if has_value.get(name)), None)
        for group in config_of(node, AggregatorConfig).groups
    }


NodeType(
    kind="aggregator",
    type_id="32",
    key="VariableAggregator",
    names={"en": "Variable aggregation", "zh": "变量聚合"},
    blank=blank(
        inputs={"mergeGroups": [{"name": "Group1", "variables": []}]}, outputs=[out("Group1")]
    ),
    group="logic",
    read=_read,
    config=AggregatorConfig,
    can_stream=True,
    null_fill=True,
    runner=Runner(step=_step, choose=_choose),
).register()
