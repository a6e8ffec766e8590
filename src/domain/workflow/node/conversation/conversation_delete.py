"""Deletes a conversation."""

from domain.workflow.canvas.blank import out, waiting
from domain.workflow.canvas.node_reader import output_field
from domain.workflow.engine.call import Call
from domain.workflow.node import Result, Runner
from domain.workflow.node.conversation.named import (
    conversations,
    get_dynamic,
    need_application,
    owner_of,
    writing_node,
)
from domain.workflow.value import BOOLEAN


async def _work(call: Call) -> Result:
    need_application(call)
    found = await get_dynamic(call)
    await conversations(call).delete(call.context.call, owner_of(call.context), found.id)
    return Result({"isSuccess": True})


writing_node(
    kind="conversation_delete",
    type_id="52",
    key="ConversationDelete",
    names={"en": "Delete conversation", "zh": "删除会话"},
    blank=waiting("conversationName", outputs=[out("isSuccess", "boolean")]),
    outputs=(output_field("isSuccess", BOOLEAN),),
    required=("conversationName",),
    runner=Runner(work=_work),
).register()
