"""Tool parameters: what a model wrote, for the nodes that follow (FastGPT)."""

from domain.workflow.engine.call import Call
from domain.workflow.node import NodeType, Result, Runner


def _step(call: Call) -> Result:
    return Result(dict(call.inputs))


NodeType(
    kind="tool_parameters",
    type_id="",
    key="ToolParameters",
    names={"en": "Tool parameters", "zh": "自定义工具参数"},
    group="basic",
    null_fill=True,
    runner=Runner(step=_step),
).register()
