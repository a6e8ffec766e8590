"""Creates a conversation of the application for this user."""

from domain.workflow.canvas.blank import out, waiting
from domain.workflow.canvas.node_reader import output_field
from domain.workflow.engine.call import Call
from domain.workflow.node import Result, Runner
from domain.workflow.node.conversation.named import (
    conversations,
    find,
    name_of,
    need_application,
    owner_of,
    writing_node,
)
from domain.workflow.node.needs import given_values
from domain.workflow.value import BOOLEAN, STRING


async def _work(call: Call) -> Result:
    need_application(call)
    found = await find(call)
    is_existed = found is not None
    if found is None:
        with given_values():
            found = await conversations(call).open(
                call.context.call, owner_of(call.context), name_of(call), is_fixed=False
            )
    return Result({"isSuccess": True, "isExisted": is_existed, "conversationId": str(found.id)})


writing_node(
    kind="conversation_create",
    type_id="39",
    key="CreateConversation",
    names={"en": "Create conversation", "zh": "创建会话"},
    blank=waiting(
        "conversationName",
        outputs=[out("isSuccess", "boolean"), out("isExisted", "boolean"), out("conversationId")],
    ),
    outputs=(
        output_field("isSuccess", BOOLEAN),
        output_field("isExisted", BOOLEAN),
        output_field("conversationId", STRING),
    ),
    required=("conversationName",),
    runner=Runner(work=_work),
).register()
