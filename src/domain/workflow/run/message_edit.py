"""Edit message: changes the text of a message."""

from domain.workflow.execution_call import Call
from domain.workflow.run import RUNNERS, Result, Runner
from domain.workflow.run.talk import conversations, get
from domain.workflow.text import to_text


async def _work(call: Call) -> Result:
    found = await get(call)
    message_id, content = (to_text(call.inputs.get(name)) for name in ("messageId", "newContent"))
    is_done = await conversations(call).edit_message(call.context, found.id, message_id, content)
    return Result({"isSuccess": is_done})


RUNNERS.register("message_edit")(Runner(work=_work))
