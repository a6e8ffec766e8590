"""Break: leaves the nearest loop."""

from domain.workflow.canvas.blank import blank
from domain.workflow.engine.call import Call
from domain.workflow.node import NodeType, Result, Runner


def _step(call: Call) -> Result:
    call.leave_loop()
    return Result({})


NodeType(
    kind="break",
    type_id="19",
    key="Break",
    names={"en": "Break", "zh": "终止循环"},
    blank=blank(inputs={}),
    group="logic",
    runner=Runner(step=_step),
).register()
