"""Adds a message to a conversation."""

from domain.workflow.canvas.node_reader import output_field
from domain.workflow.node import NODE_TYPES, NodeType
from domain.workflow.node.naming import check_conversation
from domain.workflow.node.outside import stays_inside
from domain.workflow.value import BOOLEAN, OBJECT

NODE_TYPES.register("message_create")(
    NodeType(
        kind="message_create",
        type_id="55",
        key="CreateMessage",
        names={"en": "Create message", "zh": "创建消息"},
        group="conversation",
        check=check_conversation,
        outputs=(
            output_field("isSuccess", BOOLEAN),
            output_field("message", OBJECT),
        ),
        required=("conversationName", "role", "content"),
        zero_fill=True,
        null_fill=True,
        effects="write",
        outside=stays_inside,
    )
)
