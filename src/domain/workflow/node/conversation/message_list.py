"""Lists messages of a conversation."""

from domain.workflow.canvas.blank import blank, literal, out, param, unset
from domain.workflow.canvas.node_reader import output_field
from domain.workflow.engine.call import Call
from domain.workflow.error import InvalidValue
from domain.workflow.node import Result, Runner
from domain.workflow.node.conversation.named import (
    NO_ID,
    conversations,
    find,
    need_application,
    reading_node,
    shown,
)
from domain.workflow.text import local_id, to_text
from domain.workflow.value import BOOLEAN, OBJECT, STRING, Value, list_of


async def _work(call: Call) -> Result:
    need_application(call)
    before, after = (to_text(call.inputs.get(name)) for name in ("beforeId", "afterId"))
    if before and after:
        raise InvalidValue("Only one of beforeId and afterId can be given.")
    most = call.limits.message_page
    wanted = call.inputs.get("limit")
    limit = wanted if isinstance(wanted, int) and 1 <= wanted <= most else most
    found = await find(call)
    if found is None:
        return Result({"messageList": [], "firstId": NO_ID, "lastId": NO_ID, "hasMore": False})
    page, has_more = await conversations(call).messages(
        call.context.call,
        found.id,
        limit=limit,
        before_id=_cursor(before),
        after_id=_cursor(after),
    )
    listed: list[Value] = [shown(each) for each in page]
    return Result(
        {
            "messageList": listed,
            "firstId": str(page[0].id) if page else NO_ID,
            "lastId": str(page[-1].id) if page else NO_ID,
            "hasMore": has_more,
        }
    )


def _cursor(text: str) -> int | None:
    """Read the id that a page begins or ends at; none for an empty text."""
    if not text:
        return None
    number = local_id(text)
    if number is None:
        raise InvalidValue(f"{text[:40]!r} is no id of a message.")
    return number


reading_node(
    kind="message_list",
    type_id="37",
    key="MessageList",
    names={"en": "List messages", "zh": "查询消息列表"},
    blank=blank(
        inputs={
            "inputParameters": [
                param("conversationName", unset("string")),
                param("limit", literal("integer", "50")),
            ]
        },
        outputs=[
            out(
                "messageList",
                "list",
                schema={
                    "type": "object",
                    "schema": [out("messageId"), out("role"), out("contentType"), out("content")],
                },
            ),
            out("firstId"),
            out("lastId"),
            out("hasMore", "boolean"),
        ],
    ),
    outputs=(
        output_field("messageList", list_of(OBJECT)),
        output_field("firstId", STRING),
        output_field("lastId", STRING),
        output_field("hasMore", BOOLEAN),
    ),
    required=("conversationName",),
    runner=Runner(work=_work),
).register()
