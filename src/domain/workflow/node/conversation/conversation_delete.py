"""Deletes a conversation."""

from domain.workflow.canvas.node_reader import output_field
from domain.workflow.engine.call import Call
from domain.workflow.node import NODE_TYPES, NodeType, Result, Runner
from domain.workflow.node.conversation.named import (
    check_conversation,
    conversations,
    get_dynamic,
    need_application,
    owner_of,
)
from domain.workflow.node.effect import stays_inside
from domain.workflow.value import BOOLEAN


async def _work(call: Call) -> Result:
    need_application(call)
    found = await get_dynamic(call)
    await conversations(call).delete(call.context.call, owner_of(call.context), found.id)
    return Result({"isSuccess": True})


NODE_TYPES.register("conversation_delete")(
    NodeType(
        kind="conversation_delete",
        type_id="52",
        key="ConversationDelete",
        names={"en": "Delete conversation", "zh": "删除会话"},
        group="conversation",
        check=check_conversation,
        outputs=(output_field("isSuccess", BOOLEAN),),
        required=("conversationName",),
        zero_fill=True,
        null_fill=True,
        effects="write",
        outside=stays_inside,
        runner=Runner(work=_work),
    )
)
