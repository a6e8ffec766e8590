"""Lists the conversations of this user."""

from domain.workflow.canvas.node_reader import output_field
from domain.workflow.node import NODE_TYPES, NodeType
from domain.workflow.value import OBJECT, list_of

NODE_TYPES.register("conversation_list")(
    NodeType(
        kind="conversation_list",
        type_id="53",
        key="ConversationList",
        names={"en": "List conversations", "zh": "查询会话列表"},
        group="conversation",
        outputs=(output_field("conversationList", list_of(OBJECT)),),
        null_fill=True,
        effects="read",
    )
)
