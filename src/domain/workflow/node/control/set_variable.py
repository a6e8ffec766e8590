"""Set variable: assigns variables of the enclosing loop."""

import msgspec

from domain.workflow.canvas.blank import blank
from domain.workflow.canvas.node_reader import NodeReader
from domain.workflow.convert import convert, zero_of
from domain.workflow.engine.call import Call
from domain.workflow.graph import Expr, LoopVariable, NodeConfig
from domain.workflow.node import NodeType, Result, Runner, config_of
from domain.workflow.value import Type


class LoopAssignment(msgspec.Struct, frozen=True, kw_only=True):
    """``value`` names the input to be assigned, which has been converted to its own type."""

    target: LoopVariable
    type: Type
    value: str


class SetVariableConfig(NodeConfig, frozen=True, kw_only=True):
    """Assignments, carried out in order."""

    assignments: tuple[LoopAssignment, ...]


def _read(reader: NodeReader) -> NodeConfig:
    found = []
    for number, parameter in enumerate(reader.inputs["inputParameters"]):
        if not parameter["left"]:
            reader.report("WF401", parameter["left"], "The variable to set is missing.")
            continue
        target, wanted = reader.target(parameter["left"])
        right = parameter["right"] or parameter["input"]
        value = reader.bind(f"$right.{number}", right, on_absent="error")
        if not value:
            reader.report("WF401", parameter["right"], "The value to assign is missing.")
        elif not _is_variable(target):
            reader.report("WF302", parameter["left"], "This is no variable of an enclosing loop.")
        elif isinstance(target, LoopVariable):
            found.append(LoopAssignment(target=target, type=wanted, value=value))
    return SetVariableConfig(assignments=tuple(found))


def _is_variable(target: Expr) -> bool:
    return isinstance(target, LoopVariable) and not target.path


def _step(call: Call) -> Result:
    for assignment in config_of(call.node, SetVariableConfig).assignments:
        value = call.inputs.get(assignment.value)
        if value is None:
            value = zero_of(assignment.type)
        else:
            conversion = convert(value, assignment.type, path=assignment.target.name)
            value = conversion.value
            for problem in conversion.problems:
                call.warn(str(problem))
        call.assign(assignment.target, value)
    return Result({})


NodeType(
    kind="set_variable",
    type_id="20",
    key="LoopSetVariable",
    names={"en": "Set variable", "zh": "设置变量"},
    blank=blank(inputs={"inputParameters": []}),
    group="logic",
    read=_read,
    config=SetVariableConfig,
    runner=Runner(step=_step),
).register()
