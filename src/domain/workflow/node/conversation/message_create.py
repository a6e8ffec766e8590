"""Adds a message to a conversation."""

from collections.abc import Mapping
from typing import Final, Literal

from domain.workflow.canvas.blank import out, waiting
from domain.workflow.canvas.node_reader import output_field
from domain.workflow.engine.call import Call
from domain.workflow.error import InvalidValue
from domain.workflow.node import Result, Runner
from domain.workflow.node.conversation.named import (
    NO_ID,
    conversations,
    find,
    shown,
    writing_node,
)
from domain.workflow.node.needs import given_values
from domain.workflow.text import to_text
from domain.workflow.value import BOOLEAN, OBJECT

_ROLES: Final[Mapping[str, Literal["user", "assistant"]]] = {
    "user": "user",
    "assistant": "assistant",
}


async def _work(call: Call) -> Result:
    role, content = to_text(call.inputs.get("role")), to_text(call.inputs.get("content"))
    if role not in _ROLES:
        raise InvalidValue(f"The role must be user or assistant, not {role[:40]!r}.")
    found = await find(call)
    if found is None:
        message = {"messageId": NO_ID, "role": role, "contentType": "text", "content": content}
        return Result({"isSuccess": False, "message": {**message}})
    with given_values():
        stored = await conversations(call).add_message(
            call.context.call, found.id, role=_ROLES[role], text=content, key=call.key
        )
    return Result({"isSuccess": True, "message": shown(stored)})


writing_node(
    kind="message_create",
    type_id="55",
    key="CreateMessage",
    names={"en": "Create message", "zh": "创建消息"},
    blank=waiting(
        "conversationName",
        "role",
        "content",
        outputs=[
            out("isSuccess", "boolean"),
            out(
                "message",
                "object",
                schema=[out("messageId"), out("role"), out("contentType"), out("content")],
            ),
        ],
    ),
    outputs=(
        output_field("isSuccess", BOOLEAN),
        output_field("message", OBJECT),
    ),
    required=("conversationName", "role", "content"),
    runner=Runner(work=_work),
).register()
