"""Create conversation: makes a dynamic one, or finds the one of that name."""

from domain.workflow.execution_call import Call
from domain.workflow.run import RUNNERS, Result, Runner
from domain.workflow.run.talk import conversations, find, name_of, need_application


async def _work(call: Call) -> Result:
    need_application(call)
    found = await find(call)
    is_existed = found is not None
    if found is None:
        found = await conversations(call).create(call.context, name_of(call), key=call.key)
    return Result({"isSuccess": True, "isExisted": is_existed, "conversationId": found.id})


RUNNERS.register("conversation_create")(Runner(work=_work))
