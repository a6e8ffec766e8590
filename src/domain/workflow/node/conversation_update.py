"""Renames a conversation."""

from domain.workflow.canvas.node_reader import output_field
from domain.workflow.node import NODE_TYPES, NodeType
from domain.workflow.node.naming import check_conversation
from domain.workflow.node.outside import stays_inside
from domain.workflow.value import BOOLEAN, STRING

NODE_TYPES.register("conversation_update")(
    NodeType(
        kind="conversation_update",
        type_id="51",
        key="ConversationUpdate",
        names={"en": "Rename conversation", "zh": "修改会话"},
        group="conversation",
        check=check_conversation,
        outputs=(
            output_field("conversationId", STRING),
            output_field("isSuccess", BOOLEAN),
            output_field("isExisted", BOOLEAN),
        ),
        required=("conversationName", "newConversationName"),
        zero_fill=True,
        null_fill=True,
        effects="write",
        outside=stays_inside,
    )
)
