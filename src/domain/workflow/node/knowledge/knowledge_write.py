"""Knowledge write: puts a file into a knowledge base."""

import asyncio
from collections.abc import Mapping
from typing import Final

from crossdomain.knowledge.contract import DocumentToStore, Knowledge, StoredDocument
from domain.shared.access import TenantScope
from domain.workflow.canvas.blank import blank, literal, out, param, unset
from domain.workflow.canvas.node_reader import NodeReader, output_field
from domain.workflow.convert import split_file_url
from domain.workflow.engine.call import Call
from domain.workflow.engine.error import MissingInput, NodeFailed
from domain.workflow.graph import Node, NodeConfig
from domain.workflow.node import Check, NodeType, Result, Runner, config_of
from domain.workflow.node.effect import stays_inside
from domain.workflow.node.knowledge.dataset import dataset_ids
from domain.workflow.node.needs import needed
from domain.workflow.text import to_text
from domain.workflow.value import STRING

_POLL_S: Final = 0.2


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


async def _work(call: Call) -> Result:
    url, name = _file_of(call, "knowledge")
    if not url:
        raise MissingInput("There is no file to write.")
    knowledge = needed(call.ports.knowledge, "knowledge bases")
    config = config_of(call.node, KnowledgeWriteConfig)
    (dataset_id,) = dataset_ids([config.dataset_id])
    wanted = DocumentToStore(dataset_id=dataset_id, name=name, url=url, parse_rule=_rule(config))
    stored = await knowledge.store_document(call.context.call, wanted, key=call.key)
    if config.waits:
        await _indexed(knowledge, call.context.home, stored)
    return Result({"documentId": str(stored.id), "fileName": stored.name, "fileUrl": stored.url})


async def _indexed(knowledge: Knowledge, scope: TenantScope, stored: StoredDocument) -> None:
    """Wait until the document can be found; the time limit of node or run ends it."""
    while True:
        progress = await knowledge.progress(scope, stored.id)
        if progress.is_over:
            break
        await asyncio.sleep(_POLL_S)
    if progress.failure:
        raise NodeFailed(f"The document {stored.name[:80]} is not indexed: {progress.failure}")


def _rule(config: KnowledgeWriteConfig) -> Mapping[str, object]:
    """Write a configuration as stored canvases have it; what a base does by itself is left out."""
    rule: dict[str, object] = {
        "parsingStrategy": {
            "parsingType": "fast" if config.is_fast else "accurate",
            "imageExtraction": config.extracts_images,
            "tableExtraction": config.extracts_tables,
            "imageOcr": config.reads_images,
        }
    }
    if config.is_custom_chunking:
        rule["chunkStrategy"] = {
            "chunkType": "custom",
            "separator": config.separator,
            "maxToken": config.max_tokens,
            "overlap": config.overlap,
        }
    return rule


def _file_of(call: Call, name: str) -> tuple[str, str]:
    """Return address and original name of a file input; empty texts for what is not known."""
    url, known = split_file_url(to_text(call.inputs.get(name)))
    binding = call.node.input(name)
    if binding is not None and binding.file_names:
        known = binding.file_names[0]
    return url, known


NodeType(
    kind="knowledge_write",
    type_id="27",
    key="DatasetWrite",
    names={"en": "Knowledge write", "zh": "知识库写入"},
    blank=blank(
        inputs={
            "inputParameters": [param("knowledge", {**unset("string"), "assistType": 1})],
            "datasetParam": [param("datasetList", literal("list", [], schema={"type": "string"}))],
            "strategyParam": {
                "parsingStrategy": {"parsingType": "fast"},
                "chunkStrategy": {"chunkType": "default"},
                "indexStrategy": {},
            },
        },
        outputs=[out("documentId"), out("fileName"), out("fileUrl")],
    ),
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
).register()
