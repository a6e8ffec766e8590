"""Reads the last rounds of a conversation."""

from domain.workflow.canvas.node_reader import output_field
from domain.workflow.node import NODE_TYPES, NodeType
from domain.workflow.node.naming import check_conversation
from domain.workflow.value import OBJECT, list_of

NODE_TYPES.register("conversation_history")(
    NodeType(
        kind="conversation_history",
        type_id="54",
        key="ConversationHistory",
        names={"en": "Conversation history", "zh": "查询会话历史"},
        group="conversation",
        check=check_conversation,
        outputs=(output_field("messageList", list_of(OBJECT)),),
        required=("conversationName", "rounds"),
        zero_fill=True,
        null_fill=True,
        effects="read",
    )
)
