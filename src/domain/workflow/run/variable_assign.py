"""Variable assigner: assigns variables of the application or the user."""

from domain.workflow.convert import convert
from domain.workflow.execution_call import Call
from domain.workflow.graph import GlobalKind, Node
from domain.workflow.node import config_of
from domain.workflow.node.variable_assign import VariableAssignConfig
from domain.workflow.run import RUNNERS, Result, Runner
from domain.workflow.value import Value


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


RUNNERS.register("variable_assign")(Runner(step=_step, work=_work, needs_work=_needs_work))
