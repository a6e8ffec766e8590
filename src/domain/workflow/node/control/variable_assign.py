"""Variable assigner: assigns variables of the application or the user."""

import msgspec

from domain.workflow.canvas.blank import blank, out
from domain.workflow.canvas.node_reader import NodeReader, output_field
from domain.workflow.convert import convert
from domain.workflow.engine.call import Call
from domain.workflow.graph import GlobalKind, GlobalVariable, Node, NodeConfig
from domain.workflow.node import Check, NodeType, Result, Runner, config_of
from domain.workflow.node.effect import stays_inside
from domain.workflow.value import BOOLEAN, Type, TypeKind, Value


class GlobalAssignment(msgspec.Struct, frozen=True, kw_only=True):
    """``value`` names the input to be assigned."""

    target: GlobalVariable
    type: Type
    value: str


class VariableAssignConfig(NodeConfig, frozen=True, kw_only=True):
    """Assignments, carried out in order."""

    assignments: tuple[GlobalAssignment, ...]


def _read(reader: NodeReader) -> NodeConfig:
    found = []
    for number, parameter in enumerate(reader.inputs["inputParameters"]):
        if not parameter["left"]:
            reader.report("WF401", parameter["left"], "The variable to assign is missing.")
            continue
        target, wanted = reader.target(parameter["left"])
        right = parameter["input"] or parameter["right"]
        value = reader.bind(f"$right.{number}", right, on_absent="error")
        if not value:
            reader.report("WF401", parameter["input"], "The value to assign is missing.")
        elif not isinstance(target, GlobalVariable):
            reader.report("WF302", parameter["left"], "This is no global variable.")
        elif target.kind is GlobalKind.SYSTEM:
            reader.report("WF302", parameter["left"], "System variables cannot be assigned.")
        elif len(target.path) != 1 or not target.path[0]:
            reader.report("WF302", parameter["left"], "Only a whole variable can be assigned.")
        else:
            found.append(GlobalAssignment(target=target, type=wanted, value=value))
    return VariableAssignConfig(assignments=tuple(found))


def _check(node: Node, check: Check) -> None:
    known = check.surroundings.globals
    if known is None:
        return
    for assignment in config_of(node, VariableAssignConfig).assignments:
        name = str(assignment.target.path[0])
        field = known.get((assignment.target.kind, name))
        if field is None and assignment.target.kind is not GlobalKind.APP:
            continue  # agents declare variables of users, too
        if field is None:
            check.add("WF302", node, f"There is no variable {name}.", at=assignment.value)
        elif TypeKind.ANY not in (field.type.kind, assignment.type.kind) and (
            field.type.kind is not assignment.type.kind
        ):
            check.add(
                "WF307",
                node,
                f"The variable {name} is of type {field.type}, not {assignment.type}.",
                at=assignment.value,
            )


def _value(call: Call, number: int) -> Value:
    assignment = config_of(call.node, VariableAssignConfig).assignments[number]
    name = str(assignment.target.path[0])
    conversion = convert(call.inputs.get(assignment.value), assignment.type, path=name)
    for problem in conversion.problems:
        call.warn(str(problem))
    return conversion.value


def _step(call: Call) -> Result:
    for number, each in enumerate(config_of(call.node, VariableAssignConfig).assignments):
        call.assign_app(str(each.target.path[0]), _value(call, number))
    return Result({"isSuccess": True})


async def _work(call: Call) -> Result:
    call.assigned.clear()
    for number, each in enumerate(config_of(call.node, VariableAssignConfig).assignments):
        name, value = str(each.target.path[0]), _value(call, number)
        if each.target.kind is GlobalKind.APP:
            call.assign_app(name, value)
        else:
            await call.assign_global(each.target.kind, name, value)
    return Result({"isSuccess": True})


def _needs_work(node: Node) -> bool:
    assignments = config_of(node, VariableAssignConfig).assignments
    return any(each.target.kind is not GlobalKind.APP for each in assignments)


NodeType(
    kind="variable_assign",
    type_id="40",
    key="AssignVariable",
    names={"en": "Assign variables", "zh": "变量赋值"},
    blank=blank(
        inputs={"inputParameters": [], "variableTypeMap": {}}, outputs=[out("isSuccess", "boolean")]
    ),
    group="basic",
    read=_read,
    check=_check,
    config=VariableAssignConfig,
    outputs=(output_field("isSuccess", BOOLEAN),),
    effects="write",
    outside=stays_inside,
    runner=Runner(step=_step, work=_work, needs_work=_needs_work),
).register()
