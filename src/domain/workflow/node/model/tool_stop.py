"""Tool stop: ends the dialogue of the model that called the tool (FastGPT)."""

from domain.workflow.engine.call import Call
from domain.workflow.node import NODE_TYPES, NodeType, Result, Runner


def _step(_: Call) -> Result:
    return Result({})


NODE_TYPES.register("tool_stop")(
    NodeType(
        kind="tool_stop",
        type_id="",
        key="ToolStop",
        names={"en": "Stop tools", "zh": "工具调用终止"},
        group="basic",
        runner=Runner(step=_step),
    )
)
