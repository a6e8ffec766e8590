"""Continue: this path of the iteration ends here."""

from domain.workflow.execution_call import Call
from domain.workflow.run import RUNNERS, Result, Runner


def _step(_: Call) -> Result:
    return Result({})


RUNNERS.register("continue")(Runner(step=_step))
