"""Creates a conversation of the application for this user."""

from domain.workflow.canvas.node_reader import output_field
from domain.workflow.node import NODE_TYPES, NodeType
from domain.workflow.node.naming import check_conversation
from domain.workflow.node.outside import stays_inside
from domain.workflow.value import BOOLEAN, STRING

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
    )
)
