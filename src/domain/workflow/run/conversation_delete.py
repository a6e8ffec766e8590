"""Delete conversation: removes a dynamic one."""

from domain.workflow.execution_call import Call
from domain.workflow.run import RUNNERS, Result, Runner
from domain.workflow.run.talk import conversations, get_dynamic, need_application


async def _work(call: Call) -> Result:
    need_application(call)
    found = await get_dynamic(call)
    await conversations(call).delete(call.context, found.id)
    return Result({"isSuccess": True})


RUNNERS.register("conversation_delete")(Runner(work=_work))
