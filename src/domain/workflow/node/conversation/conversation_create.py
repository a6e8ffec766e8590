"""Creates a conversation of the application for this user."""

from domain.workflow.canvas.node_reader import output_field
from domain.workflow.engine.call import Call
from domain.workflow.node import NODE_TYPES, NodeType, Result, Runner
from domain.workflow.node.conversation.naming import check_conversation
from domain.workflow.node.conversation.talk import conversations, find, name_of, need_application
from domain.workflow.node.effect import stays_inside
from domain.workflow.value import BOOLEAN, STRING


async def _work(call: Call) -> Result:
    need_application(call)
    found = await find(call)
    is_existed = found is not None
    if found is None:
        found = await conversations(call).create(call.context, name_of(call), key=call.key)
    return Result({"isSuccess": True, "isExisted": is_existed, "conversationId": found.id})


NODE_TYPES.register("conversation_create")(
    NodeType(
        kind="conversation_create",
        type_id="39",
        key="CreateConversation",
        names={"en": "Create conversation", "zh": "创建会话"},
        group="conversation",
        check=check_conversation,
        outputs=(
            output_field("isSuccess", BOOLEAN),
            output_field("isExisted", BOOLEAN),
            output_field("conversationId", STRING),
        ),
        required=("conversationName",),
        zero_fill=True,
        null_fill=True,
        effects="write",
        outside=stays_inside,
        runner=Runner(work=_work),
    )
)
