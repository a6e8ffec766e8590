"""Knowledge write: puts a file into a knowledge base."""

from domain.workflow.canvas.node_reader import NodeReader, output_field
from domain.workflow.convert import split_file_url
from domain.workflow.engine.call import Call
from domain.workflow.engine.error import MissingInput
from domain.workflow.graph import Node, NodeConfig
from domain.workflow.node import NODE_TYPES, Check, NodeType, Result, Runner, config_of
from domain.workflow.node.effect import stays_inside
from domain.workflow.node.needs import needed
from domain.workflow.port import KnowledgeWriteConfig
from domain.workflow.text import to_text
from domain.workflow.value import STRING


def _read(reader: NodeReader) -> NodeConfig:
    reader.parameters()
    constants = reader.constants(reader.inputs["datasetParam"])
    reader.mark("dataset_id", reader.inputs["datasetParam"])
    datasets = constants.get("datasetList")
    ids = [item.text() for item in datasets] if datasets is not None else []
    if not ids:
        reader.report("WF401", reader.inputs["datasetParam"], "The knowledge base is missing.")
    strategy = reader.inputs["strategyParam"]
    parsing, chunks = strategy["parsingStrategy"], strategy["chunkStrategy"]
    return KnowledgeWriteConfig(
        dataset_id=ids[0] if ids else "",
        is_fast=parsing["parsingType"].text() == "fast",
        extracts_images=parsing["imageExtraction"].flag(),
        extracts_tables=not parsing["tableExtraction"] or parsing["tableExtraction"].flag(),
        reads_images=parsing["imageOcr"].flag() if parsing["imageOcr"] else None,
        is_custom_chunking=chunks["chunkType"].text() == "custom",
        separator=chunks["separator"].text("\n"),
        max_tokens=chunks["maxToken"].integer(800),
        overlap=chunks["overlap"].integer(10),
        waits=strategy["indexStrategy"]["waitUntilIndexed"].flag(),
    )


def _check(node: Node, check: Check) -> None:
    dataset, known = config_of(node, KnowledgeWriteConfig).dataset_id, check.surroundings.datasets
    if known is not None and dataset and dataset not in known:
        check.add("WF460", node, f"There is no knowledge base {dataset}.", at="dataset_id")


async def _work(call: Call) -> Result:
    url, name = _file_of(call, "knowledge")
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


def _file_of(call: Call, name: str) -> tuple[str, str]:
    """Return address and original name of a file input; empty texts for what is not known."""
    url, known = split_file_url(to_text(call.inputs.get(name)))
    binding = call.node.input(name)
    if binding is not None and binding.file_names:
        known = binding.file_names[0]
    return url, known


NODE_TYPES.register("knowledge_write")(
    NodeType(
        kind="knowledge_write",
        type_id="27",
        key="DatasetWrite",
        names={"en": "Knowledge write", "zh": "知识库写入"},
        group="knowledge",
        read=_read,
        check=_check,
        config=KnowledgeWriteConfig,
        outputs=(
            output_field("documentId", STRING),
            output_field("fileName", STRING),
            output_field("fileUrl", STRING),
        ),
        required=("knowledge",),
        zero_fill=True,
        null_fill=True,
        effects="write",
        outside=stays_inside,
        runner=Runner(work=_work),
    )
)
