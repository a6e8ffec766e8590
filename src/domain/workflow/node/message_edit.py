"""Changes the content of a message."""

from domain.workflow.canvas.node_reader import output_field
from domain.workflow.node import NODE_TYPES, NodeType
from domain.workflow.node.naming import check_conversation
from domain.workflow.node.outside import stays_inside
from domain.workflow.value import BOOLEAN

NODE_TYPES.register("message_edit")(
    NodeType(
        kind="message_edit",
        type_id="56",
        key="EditMessage",
        names={"en": "Edit message", "zh": "修改消息"},
        group="conversation",
        check=check_conversation,
        outputs=(output_field("isSuccess", BOOLEAN),),
        required=("conversationName", "messageId", "newContent"),
        zero_fill=True,
        null_fill=True,
        effects="write",
        outside=stays_inside,
    )
)
