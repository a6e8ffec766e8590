"""Tool stop: ends the dialogue of the model that called the tool (FastGPT)."""

from domain.workflow.node import NODE_TYPES, NodeType

NODE_TYPES.register("tool_stop")(
    NodeType(
        kind="tool_stop",
        type_id="",
        key="ToolStop",
        names={"en": "Stop tools", "zh": "工具调用终止"},
        group="basic",
    )
)
