"""Changes the content of a message."""

from domain.workflow.canvas.blank import out, waiting
from domain.workflow.canvas.node_reader import output_field
from domain.workflow.engine.call import Call
from domain.workflow.node import Result, Runner
from domain.workflow.node.conversation.named import (
    conversations,
    get,
    writing_node,
)
from domain.workflow.node.needs import given_values
from domain.workflow.text import local_id, to_text
from domain.workflow.value import BOOLEAN


async def _work(call: Call) -> Result:
    found = await get(call)
    message_id, content = (to_text(call.inputs.get(name)) for name in ("messageId", "newContent"))
    number = local_id(message_id)
    if number is None:
        return Result({"isSuccess": False})
    with given_values():
        is_done = await conversations(call).edit_message(
            call.context.call, found.id, number, content
        )
    return Result({"isSuccess": is_done})


writing_node(
    kind="message_edit",
    type_id="56",
    key="EditMessage",
    names={"en": "Edit message", "zh": "修改消息"},
    blank=waiting(
        "conversationName", "messageId", "newContent", outputs=[out("isSuccess", "boolean")]
    ),
    outputs=(output_field("isSuccess", BOOLEAN),),
    required=("conversationName", "messageId", "newContent"),
    runner=Runner(work=_work),
).register()
