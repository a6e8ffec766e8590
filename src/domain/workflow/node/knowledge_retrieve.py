"""Knowledge retrieval: searches knowledge bases."""

from crossdomain.knowledge.contract import RetrievalStrategy
from domain.workflow.canvas.cursor import Cursor
from domain.workflow.canvas.node_reader import NodeReader, output_field
from domain.workflow.graph import Node, NodeConfig, Template
from domain.workflow.node import NODE_TYPES, Check, NodeType, config_of
from domain.workflow.node.choice import history_rounds
from domain.workflow.node.search import (
    CANVAS_DEFAULTS,
    NODE_NAMES,
    QUERY,
    REWRITE_ROUNDS,
    check_strategy,
    read_strategy,
)
from domain.workflow.value import OBJECT, list_of


class KnowledgeRetrieveConfig(NodeConfig, frozen=True, kw_only=True):
    """Where and how the text of the input ``Query`` is searched.

    ``background`` is that of the strategy where it shows inputs of the node.
    """

    dataset_ids: tuple[str, ...]
    strategy: RetrievalStrategy = CANVAS_DEFAULTS
    background: Template = Template()
    history_rounds: int = 0


def _read(reader: NodeReader) -> NodeConfig:
    reader.parameters()
    place = reader.inputs["datasetParam"]
    constants = reader.constants(place)
    reader.mark("dataset_ids", place)
    datasets = constants.get("datasetList")
    ids = tuple(item.text() for item in datasets) if datasets is not None else ()
    if not ids:
        reader.report("WF401", place, "The knowledge base is missing.")
    for field, name in NODE_NAMES.items():
        reader.mark(field, constants.get(name, place))
    strategy = read_strategy(
        lambda name: constants.get(name, Cursor(None, place, name)),
        NODE_NAMES,
        lambda cursor, text: reader.report("WF402", cursor, text),
    )
    return KnowledgeRetrieveConfig(
        dataset_ids=ids,
        strategy=strategy,
        history_rounds=history_rounds(
            reader.inputs["chatHistorySetting"],
            enabled=strategy.rewrites or strategy.expansion > 0,
            rounds=REWRITE_ROUNDS,
        ),
    )


def _check(node: Node, check: Check) -> None:
    known = check.surroundings.datasets
    config = config_of(node, KnowledgeRetrieveConfig)
    check_strategy(node, config.strategy, check)
    for dataset in config.dataset_ids:
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
        required=(QUERY,),
        zero_fill=True,
        null_fill=True,
        effects="read",
    )
)
