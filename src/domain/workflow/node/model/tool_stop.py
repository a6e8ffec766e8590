"""Tool stop: ends the dialogue of the model that called the tool (FastGPT)."""

from domain.workflow.engine.call import Call
from domain.workflow.node import NodeType, Result, Runner


def _step(_: Call) -> Result:
    return Result({})


NodeType(
    kind="tool_stop",
    type_id="",
    key="ToolStop",
    names={"en": "Stop tools", "zh": "工具调用终止"},
    group="basic",
    runner=Runner(step=_step),
).register()
