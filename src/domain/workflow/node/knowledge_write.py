"""Knowledge write: puts a file into a knowledge base."""

from domain.workflow.canvas.node_reader import NodeReader, output_field
from domain.workflow.graph import Node, NodeConfig
from domain.workflow.node import NODE_TYPES, Check, NodeType, config_of
from domain.workflow.node.outside import stays_inside
from domain.workflow.value import STRING


class KnowledgeWriteConfig(NodeConfig, frozen=True, kw_only=True):
    """Where the file of the input ``knowledge`` goes, and how it is cut."""

    dataset_id: str
    is_fast: bool = False
    extracts_images: bool = False
    extracts_tables: bool = True
    reads_images: bool | None = None
    """Without a word about it, text in images is read where a page has no other."""
    is_custom_chunking: bool = False
    separator: str = "\n"
    max_tokens: int = 800
    overlap: int = 10
    """Per cent of a chunk repeated in the next one."""
    waits: bool = False
    """The node is done when the document can be found, not when it is accepted."""


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
    )
)
