"""Tool parameters: every input is an output."""

from domain.workflow.execution_call import Call
from domain.workflow.run import RUNNERS, Result, Runner


def _step(call: Call) -> Result:
    return Result(dict(call.inputs))


RUNNERS.register("tool_parameters")(Runner(step=_step))
