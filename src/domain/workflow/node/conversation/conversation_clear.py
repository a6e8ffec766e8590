"""Starts a new section, so that older messages are history no more."""

from domain.workflow.canvas.blank import out, waiting
from domain.workflow.canvas.node_reader import output_field
from domain.workflow.engine.call import Call
from domain.workflow.node import Result, Runner
from domain.workflow.node.conversation.named import (
    conversations,
    find,
    writing_node,
)
from domain.workflow.value import BOOLEAN


async def _work(call: Call) -> Result:
    found = await find(call)
    if found is not None:
        await conversations(call).clear(call.context.call, found.id)
    return Result({"isSuccess": found is not None})


writing_node(
    kind="conversation_clear",
    type_id="38",
    key="ClearConversationHistory",
    names={"en": "Clear history", "zh": "清空会话历史"},
    blank=waiting("conversationName", outputs=[out("isSuccess", "boolean")]),
    outputs=(output_field("isSuccess", BOOLEAN),),
    required=("conversationName",),
    runner=Runner(work=_work),
).register()
