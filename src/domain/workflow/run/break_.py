"""Break: the running iteration is the last one of its loop."""

from domain.workflow.execution_call import Call
from domain.workflow.run import RUNNERS, Result, Runner


def _step(call: Call) -> Result:
    call.leave_loop()
    return Result({})


RUNNERS.register("break")(Runner(step=_step))
