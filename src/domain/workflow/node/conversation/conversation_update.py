"""Renames a conversation."""

from domain.workflow.canvas.blank import out, waiting
from domain.workflow.canvas.node_reader import output_field
from domain.workflow.engine.call import Call
from domain.workflow.node import Result, Runner
from domain.workflow.node.conversation.named import (
    conversations,
    find_by_name,
    get_dynamic,
    name_of,
    need_application,
    owner_of,
    writing_node,
)
from domain.workflow.node.needs import given_values
from domain.workflow.value import BOOLEAN, STRING


async def _work(call: Call) -> Result:
    need_application(call)
    found = await get_dynamic(call)
    name = name_of(call, "newConversationName")
    is_taken = await find_by_name(call, name) is not None
    if not is_taken:
        owner_id = owner_of(call.context)
        with given_values():
            await conversations(call).rename(call.context.call, owner_id, found.id, name)
    return Result(
        {"conversationId": str(found.id), "isSuccess": not is_taken, "isExisted": is_taken}
    )


writing_node(
    kind="conversation_update",
    type_id="51",
    key="ConversationUpdate",
    names={"en": "Rename conversation", "zh": "修改会话"},
    blank=waiting(
        "conversationName",
        "newConversationName",
        outputs=[out("conversationId"), out("isSuccess", "boolean"), out("isExisted", "boolean")],
    ),
    outputs=(
        output_field("conversationId", STRING),
        output_field("isSuccess", BOOLEAN),
        output_field("isExisted", BOOLEAN),
    ),
    required=("conversationName", "newConversationName"),
    runner=Runner(work=_work),
).register()
