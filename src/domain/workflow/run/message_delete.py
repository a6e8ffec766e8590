"""Delete message: removes a message."""

from domain.workflow.execution_call import Call
from domain.workflow.run import RUNNERS, Result, Runner
from domain.workflow.run.talk import conversations, get
from domain.workflow.text import to_text


async def _work(call: Call) -> Result:
    found = await get(call)
    message_id = to_text(call.inputs.get("messageId"))
    is_done = await conversations(call).delete_message(call.context, found.id, message_id)
    return Result({"isSuccess": is_done})


RUNNERS.register("message_delete")(Runner(work=_work))
