"""Reads the last rounds of a conversation."""

from domain.workflow.canvas.blank import blank, literal, out, param, unset
from domain.workflow.canvas.node_reader import output_field
from domain.workflow.engine.call import Call
from domain.workflow.node import Result, Runner
from domain.workflow.node.conversation.named import (
    conversations,
    get,
    reading_node,
)
from domain.workflow.value import OBJECT, Value, list_of


async def _work(call: Call) -> Result:
    found = await get(call)
    rounds = call.inputs.get("rounds")
    count = rounds if isinstance(rounds, int) else 0
    messages = await conversations(call).history(call.context.call, found.id, rounds=count)
    output: list[Value] = [{"role": each.role, "content": each.text} for each in messages]
    return Result({"messageList": output})


reading_node(
    kind="conversation_history",
    type_id="54",
    key="ConversationHistory",
    names={"en": "Conversation history", "zh": "查询会话历史"},
    blank=blank(
        inputs={
            "inputParameters": [
                param("conversationName", unset("string")),
                param("rounds", literal("integer", "10")),
            ]
        },
        outputs=[
            out(
                "messageList",
                "list",
                schema={"type": "object", "schema": [out("role"), out("content")]},
            )
        ],
    ),
    outputs=(output_field("messageList", list_of(OBJECT)),),
    required=("conversationName", "rounds"),
    runner=Runner(work=_work),
).register()
