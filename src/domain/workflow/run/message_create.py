"""Create message: adds a message to a conversation."""

from domain.workflow.error import InvalidValue
from domain.workflow.execution_call import Call
from domain.workflow.run import RUNNERS, Result, Runner
from domain.workflow.run.talk import NO_ID, conversations, find, shown
from domain.workflow.text import to_text

_ROLES = frozenset({"user", "assistant"})


async def _work(call: Call) -> Result:
    role, content = to_text(call.inputs.get("role")), to_text(call.inputs.get("content"))
    if role not in _ROLES:
        raise InvalidValue(f"The role must be user or assistant, not {role[:40]!r}.")
    found = await find(call)
    if found is None:
        message = {"messageId": NO_ID, "role": role, "contentType": "text", "content": content}
        return Result({"isSuccess": False, "message": {**message}})
    stored = await conversations(call).add_message(
        call.context, found.id, role=role, content=content, key=call.key
    )
    return Result({"isSuccess": True, "message": shown(stored)})


RUNNERS.register("message_create")(Runner(work=_work))
