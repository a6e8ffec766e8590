"""Clear history: starts a new section of a conversation."""

from domain.workflow.execution_call import Call
from domain.workflow.run import RUNNERS, Result, Runner
from domain.workflow.run.talk import conversations, find


async def _work(call: Call) -> Result:
    found = await find(call)
    if found is not None:
        await conversations(call).clear(call.context, found.id)
    return Result({"isSuccess": found is not None})


RUNNERS.register("conversation_clear")(Runner(work=_work))
