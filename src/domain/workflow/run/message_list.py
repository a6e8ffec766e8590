"""List messages: a page of a conversation."""

from domain.workflow.error import InvalidValue
from domain.workflow.execution_call import Call
from domain.workflow.run import RUNNERS, Result, Runner
from domain.workflow.run.talk import NO_ID, conversations, find, need_application, shown
from domain.workflow.text import to_text
from domain.workflow.value import Value


async def _work(call: Call) -> Result:
    need_application(call)
    before, after = (to_text(call.inputs.get(name)) for name in ("beforeId", "afterId"))
    if before and after:
        raise InvalidValue("Only one of beforeId and afterId can be given.")
    most = call.limits.message_page
    wanted = call.inputs.get("limit")
    limit = wanted if isinstance(wanted, int) and 1 <= wanted <= most else most
    found = await find(call)
    if found is None:
        return Result({"messageList": [], "firstId": NO_ID, "lastId": NO_ID, "hasMore": False})
    page = await conversations(call).messages(
        call.context, found.id, limit=limit, before_id=before, after_id=after
    )
    listed: list[Value] = [shown(each) for each in page.messages]
    return Result(
        {
            "messageList": listed,
            "firstId": page.messages[0].id if page.messages else NO_ID,
            "lastId": page.messages[-1].id if page.messages else NO_ID,
            "hasMore": page.has_more,
        }
    )


RUNNERS.register("message_list")(Runner(work=_work))
