"""Deletes a message."""

from domain.workflow.canvas.node_reader import output_field
from domain.workflow.node import NODE_TYPES, NodeType
from domain.workflow.node.naming import check_conversation
from domain.workflow.node.outside import stays_inside
from domain.workflow.value import BOOLEAN

NODE_TYPES.register("message_delete")(
    NodeType(
        kind="message_delete",
        type_id="57",
        key="DeleteMessage",
        names={"en": "Delete message", "zh": "删除消息"},
        group="conversation",
        check=check_conversation,
        outputs=(output_field("isSuccess", BOOLEAN),),
        required=("conversationName", "messageId"),
        zero_fill=True,
        null_fill=True,
        effects="write",
        outside=stays_inside,
    )
)
