"""Lists the conversations of this user."""

from domain.workflow.canvas.blank import blank, out
from domain.workflow.canvas.node_reader import output_field
from domain.workflow.engine.call import Call
from domain.workflow.node import NodeType, Result, Runner
from domain.workflow.node.conversation.named import list_all, need_application
from domain.workflow.value import OBJECT, Value, list_of


async def _work(call: Call) -> Result:
    need_application(call)
    found: list[Value] = [
        {"conversationName": each.name, "conversationId": str(each.id)}
        for each in await list_all(call)
    ]
    return Result({"conversationList": found})


NodeType(
    kind="conversation_list",
    type_id="53",
    key="ConversationList",
    names={"en": "List conversations", "zh": "查询会话列表"},
    blank=blank(
        inputs={"inputParameters": []},
        outputs=[
            out(
                "conversationList",
                "list",
                schema={
                    "type": "object",
                    "schema": [out("conversationName"), out("conversationId")],
                },
            )
        ],
    ),
    group="conversation",
    outputs=(output_field("conversationList", list_of(OBJECT)),),
    null_fill=True,
    effects="read",
    runner=Runner(work=_work),
).register()
