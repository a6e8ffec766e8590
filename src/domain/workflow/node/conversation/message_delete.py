"""Deletes a message."""

from domain.workflow.canvas.blank import out, waiting
from domain.workflow.canvas.node_reader import output_field
from domain.workflow.engine.call import Call
from domain.workflow.node import Result, Runner
from domain.workflow.node.conversation.named import (
    conversations,
    get,
    writing_node,
)
from domain.workflow.text import local_id, to_text
from domain.workflow.value import BOOLEAN


async def _work(call: Call) -> Result:
    found = await get(call)
    message_id = local_id(to_text(call.inputs.get("messageId")))
    if message_id is None:
        return Result({"isSuccess": False})
    is_done = await conversations(call).delete_message(call.context.call, found.id, message_id)
    return Result({"isSuccess": is_done})


writing_node(
    kind="message_delete",
    type_id="57",
    key="DeleteMessage",
    names={"en": "Delete message", "zh": "删除消息"},
    blank=waiting("conversationName", "messageId", outputs=[out("isSuccess", "boolean")]),
    outputs=(output_field("isSuccess", BOOLEAN),),
    required=("conversationName", "messageId"),
    runner=Runner(work=_work),
).register()
