"""Knowledge write: puts a file into a knowledge base."""

from domain.workflow.execution_call import Call
from domain.workflow.execution_error import MissingInput
from domain.workflow.node import config_of
from domain.workflow.node.knowledge_write import KnowledgeWriteConfig
from domain.workflow.run import RUNNERS, Result, Runner
from domain.workflow.run.file_value import file_of
from domain.workflow.run.needs import needed


async def _work(call: Call) -> Result:
    url, name = file_of(call, "knowledge")
    if not url:
        raise MissingInput("There is no file to write.")
    document = await needed(call.ports.knowledge, "knowledge bases").write(
        call.context,
        file_url=url,
        file_name=name,
        config=config_of(call.node, KnowledgeWriteConfig),
        key=call.key,
    )
    return Result(
        {
            "documentId": document.document_id,
            "fileName": document.file_name,
            "fileUrl": document.file_url,
        }
    )


RUNNERS.register("knowledge_write")(Runner(work=_work))
