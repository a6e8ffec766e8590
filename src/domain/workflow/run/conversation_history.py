"""Conversation history: the last rounds of a conversation."""

from domain.workflow.execution_call import Call
from domain.workflow.run import RUNNERS, Result, Runner
from domain.workflow.run.talk import conversations, get
from domain.workflow.value import Value


async def _work(call: Call) -> Result:
    found = await get(call)
    rounds = call.inputs.get("rounds")
    count = rounds if isinstance(rounds, int) else 0
    messages = await conversations(call).history(call.context, found.id, count)
    output: list[Value] = [{"role": each.role, "content": each.text} for each in messages]
    return Result({"messageList": output})


RUNNERS.register("conversation_history")(Runner(work=_work))
