"""Knowledge retrieval: searches knowledge bases."""

from typing import Literal

from domain.workflow.canvas.node_reader import NodeReader, output_field
from domain.workflow.graph import Node, NodeConfig
from domain.workflow.node import NODE_TYPES, Check, NodeType, config_of
from domain.workflow.value import OBJECT, list_of

Strategy = Literal["semantic", "hybrid", "full_text"]


class KnowledgeRetrieveConfig(NodeConfig, frozen=True, kw_only=True):
    """Where and how the text of the input ``Query`` is searched."""

    dataset_ids: tuple[str, ...]
    strategy: Strategy = "semantic"
    top_k: int = 5
    min_score: float = 0.5
    reranks: bool = False
    rewrites: bool = False
    uses_sql: bool = False
    personal_only: bool = False


def _read(reader: NodeReader) -> NodeConfig:
    reader.parameters()
    constants = reader.constants(reader.inputs["datasetParam"])
    reader.mark("dataset_ids", reader.inputs["datasetParam"])
    datasets = constants.get("datasetList")
    ids = tuple(item.text() for item in datasets) if datasets is not None else ()
    if not ids:
        reader.report("WF401", reader.inputs["datasetParam"], "The knowledge base is missing.")
    strategies: dict[int, Strategy] = {1: "hybrid", 20: "full_text"}

    def number(name: str, default: float) -> float:
        found = constants[name].number() if name in constants else None
        return default if found is None else float(found)

    def flag(name: str) -> bool:
        return name in constants and constants[name].flag()

    return KnowledgeRetrieveConfig(
        dataset_ids=ids,
        strategy=strategies.get(int(number("strategy", 0)), "semantic"),
        top_k=int(number("topK", 5)),
        min_score=number("minScore", 0.5),
        reranks=flag("useRerank"),
        rewrites=flag("useRewrite"),
        uses_sql=flag("useNl2sql"),
        personal_only=flag("isPersonalOnly"),
    )


def _check(node: Node, check: Check) -> None:
    known = check.surroundings.datasets
    for dataset in config_of(node, KnowledgeRetrieveConfig).dataset_ids:
        if known is not None and dataset not in known:
            check.add("WF460", node, f"There is no knowledge base {dataset}.", at="dataset_ids")


NODE_TYPES.register("knowledge_retrieve")(
    NodeType(
        kind="knowledge_retrieve",
        type_id="6",
        key="Dataset",
        names={"en": "Knowledge retrieval", "zh": "知识库检索"},
        group="knowledge",
        read=_read,
        check=_check,
        config=KnowledgeRetrieveConfig,
        outputs=(output_field("outputList", list_of(OBJECT)),),
        required=("Query",),
        zero_fill=True,
        null_fill=True,
        effects="read",
    )
)
