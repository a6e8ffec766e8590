"""Deletes a conversation."""

from domain.workflow.canvas.node_reader import output_field
from domain.workflow.node import NODE_TYPES, NodeType
from domain.workflow.node.naming import check_conversation
from domain.workflow.node.outside import stays_inside
from domain.workflow.value import BOOLEAN

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
    )
)
