"""Rename conversation: gives a dynamic one another name."""

from domain.workflow.execution_call import Call
from domain.workflow.run import RUNNERS, Result, Runner
from domain.workflow.run.talk import conversations, get_dynamic, name_of, need_application


async def _work(call: Call) -> Result:
    need_application(call)
    found = await get_dynamic(call)
    name = name_of(call, "newConversationName")
    is_taken = await conversations(call).find(call.context, name) is not None
    if not is_taken:
        await conversations(call).rename(call.context, found.id, name)
    return Result({"conversationId": found.id, "isSuccess": not is_taken, "isExisted": is_taken})


RUNNERS.register("conversation_update")(Runner(work=_work))
