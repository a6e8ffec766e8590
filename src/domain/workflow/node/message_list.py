"""Lists messages of a conversation."""

from domain.workflow.canvas.node_reader import output_field
from domain.workflow.node import NODE_TYPES, NodeType
from domain.workflow.node.naming import check_conversation
from domain.workflow.value import BOOLEAN, OBJECT, STRING, list_of

NODE_TYPES.register("message_list")(
    NodeType(
        kind="message_list",
        type_id="37",
        key="MessageList",
        names={"en": "List messages", "zh": "查询消息列表"},
        group="conversation",
        check=check_conversation,
        outputs=(
            output_field("messageList", list_of(OBJECT)),
            output_field("firstId", STRING),
            output_field("lastId", STRING),
            output_field("hasMore", BOOLEAN),
        ),
        required=("conversationName",),
        zero_fill=True,
        null_fill=True,
        effects="read",
    )
)
