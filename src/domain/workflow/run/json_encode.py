"""To JSON: a value as JSON text."""

from domain.workflow.execution_call import Call
from domain.workflow.run import RUNNERS, Result, Runner
from domain.workflow.text import encode_json


def _step(call: Call) -> Result:
    return Result({"output": encode_json(call.inputs.get("input"))})


RUNNERS.register("json_encode")(Runner(step=_step))
