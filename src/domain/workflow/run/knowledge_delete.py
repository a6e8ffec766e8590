"""Knowledge delete: removes a document."""

from domain.workflow.execution_call import Call
from domain.workflow.run import RUNNERS, Result, Runner
from domain.workflow.run.needs import needed
from domain.workflow.text import to_text


async def _work(call: Call) -> Result:
    knowledge = needed(call.ports.knowledge, "knowledge bases")
    document_id = to_text(call.inputs.get("documentID"))
    return Result({"isSuccess": await knowledge.delete(call.context, document_id, key=call.key)})


RUNNERS.register("knowledge_delete")(Runner(work=_work))
