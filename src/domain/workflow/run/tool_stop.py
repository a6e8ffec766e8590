"""Tool stop: that it ran is all it says; the model's node looks for it."""

from domain.workflow.execution_call import Call
from domain.workflow.run import RUNNERS, Result, Runner


def _step(_: Call) -> Result:
    return Result({})


RUNNERS.register("tool_stop")(Runner(step=_step))
