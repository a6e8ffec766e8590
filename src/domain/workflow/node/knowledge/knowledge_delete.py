"""Deletes a document of a knowledge base."""

from domain.workflow.canvas.blank import blank, literal, out, param, unset
from domain.workflow.canvas.node_reader import NodeReader, output_field
from domain.workflow.engine.call import Call
from domain.workflow.graph import Node, NodeConfig
from domain.workflow.node import Check, NodeType, Result, Runner, config_of
from domain.workflow.node.effect import stays_inside
from domain.workflow.node.knowledge.dataset import dataset_ids
from domain.workflow.node.needs import needed
from domain.workflow.text import local_id, to_text
from domain.workflow.value import BOOLEAN


class KnowledgeDeleteConfig(NodeConfig, frozen=True, kw_only=True):
    """Which bases the document may be in."""

    dataset_ids: tuple[str, ...] = ()


def _read(reader: NodeReader) -> NodeConfig:
    reader.parameters()
    constants = reader.constants(reader.inputs["datasetParam"])
    reader.mark("dataset_ids", reader.inputs["datasetParam"])
    datasets = constants.get("datasetList")
    ids = [item.text() for item in datasets] if datasets is not None else []
    if not ids:
        reader.report("WF401", reader.inputs["datasetParam"], "The knowledge base is missing.")
    return KnowledgeDeleteConfig(dataset_ids=tuple(ids))


def _check(node: Node, check: Check) -> None:
    known = check.surroundings.datasets
    for dataset in config_of(node, KnowledgeDeleteConfig).dataset_ids:
        if known is not None and dataset not in known:
            check.add("WF460", node, f"There is no knowledge base {dataset}.", at="dataset_ids")


async def _work(call: Call) -> Result:
    knowledge = needed(call.ports.knowledge, "knowledge bases")
    document_id = local_id(to_text(call.inputs.get("documentID")))
    if document_id is None:
        return Result({"isSuccess": False})
    datasets = dataset_ids(config_of(call.node, KnowledgeDeleteConfig).dataset_ids)
    is_done = await knowledge.delete_document(call.context.call, datasets, document_id)
    return Result({"isSuccess": is_done})


NodeType(
    kind="knowledge_delete",
    type_id="60",
    key="KnowledgeDelete",
    names={"en": "Delete from knowledge", "zh": "知识库删除"},
    blank=blank(
        inputs={
            "inputParameters": [param("documentID", unset("string"))],
            "datasetParam": [param("datasetList", literal("list", [], schema={"type": "string"}))],
        },
        outputs=[out("isSuccess", "boolean")],
    ),
    group="knowledge",
    read=_read,
    check=_check,
    config=KnowledgeDeleteConfig,
    outputs=(output_field("isSuccess", BOOLEAN),),
    required=("documentID",),
    zero_fill=True,
    null_fill=True,
    effects="write",
    outside=stays_inside,
    runner=Runner(work=_work),
).register()
