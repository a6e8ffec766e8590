"""Knowledge delete: removes a document."""

from domain.workflow.execution_call import Call
from domain.workflow.node import config_of
from domain.workflow.node.knowledge_delete import KnowledgeDeleteConfig
from domain.workflow.run import RUNNERS, Result, Runner
from domain.workflow.run.needs import needed
from domain.workflow.text import to_text


async def _work(call: Call) -> Result:
    knowledge = needed(call.ports.knowledge, "knowledge bases")
    document_id = to_text(call.inputs.get("documentID"))
    config = config_of(call.node, KnowledgeDeleteConfig)
    is_done = await knowledge.delete(call.context, config.dataset_ids, document_id, key=call.key)
    return Result({"isSuccess": is_done})


RUNNERS.register("knowledge_delete")(Runner(work=_work))
