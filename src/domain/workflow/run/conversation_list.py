"""List conversations: fixed and dynamic ones."""

from domain.workflow.execution_call import Call
from domain.workflow.run import RUNNERS, Result, Runner
from domain.workflow.run.talk import conversations, need_application
from domain.workflow.value import Value


async def _work(call: Call) -> Result:
    need_application(call)
    found: list[Value] = [
        {"conversationName": each.name, "conversationId": each.id}
        for each in await conversations(call).list(call.context)
    ]
    return Result({"conversationList": found})


RUNNERS.register("conversation_list")(Runner(work=_work))
