"""Continue: ends the running iteration."""

from domain.workflow.canvas.blank import blank
from domain.workflow.engine.call import Call
from domain.workflow.node import NodeType, Result, Runner


def _step(_: Call) -> Result:
    return Result({})


NodeType(
    kind="continue",
    type_id="29",
    key="Continue",
    names={"en": "Continue", "zh": "继续循环"},
    blank=blank(inputs={}),
    group="logic",
    runner=Runner(step=_step),
).register()
