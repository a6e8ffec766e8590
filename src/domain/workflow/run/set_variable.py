"""Set variable: assigns variables of enclosing loops."""

from domain.workflow.convert import convert, zero_of
from domain.workflow.execution_call import Call
from domain.workflow.node import config_of
from domain.workflow.node.set_variable import SetVariableConfig
from domain.workflow.run import RUNNERS, Result, Runner


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


RUNNERS.register("set_variable")(Runner(step=_step))
