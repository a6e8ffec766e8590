"""Knowledge retrieval: the best passages for a question."""

from domain.workflow.execution_call import Call
from domain.workflow.node import config_of
from domain.workflow.node.knowledge_retrieve import KnowledgeRetrieveConfig
from domain.workflow.port import Search
from domain.workflow.run import RUNNERS, Result, Runner
from domain.workflow.run.needs import needed
from domain.workflow.text import to_text


async def _work(call: Call) -> Result:
    config = config_of(call.node, KnowledgeRetrieveConfig)
    passages = await needed(call.ports.knowledge, "knowledge bases").search(
        call.context,
        to_text(call.inputs.get("Query")),
        Search(
            dataset_ids=config.dataset_ids,
            strategy=config.strategy,
            top_k=config.top_k,
            min_score=config.min_score,
            reranks=config.reranks,
            rewrites=config.rewrites,
            uses_sql=config.uses_sql,
            personal_only=config.personal_only,
        ),
    )
    found = [{"output": each.text, "documentId": each.document_id} for each in passages]
    return Result({"outputList": [{**each} for each in found]})


RUNNERS.register("knowledge_retrieve")(Runner(work=_work))
