"""Knowledge retrieval: searches knowledge bases."""

import msgspec

from crossdomain.knowledge.contract import RecalledSlice, RetrievalStrategy
from domain.workflow.canvas.blank import blank, literal, out, param, unset
from domain.workflow.canvas.cursor import Cursor
from domain.workflow.canvas.node_reader import NodeReader, output_field
from domain.workflow.engine.call import Call
from domain.workflow.error import InvalidValue
from domain.workflow.graph import Node, NodeConfig, Template
from domain.workflow.node import Check, NodeType, Result, Runner, config_of
from domain.workflow.node.knowledge.dataset import search
from domain.workflow.node.knowledge.search import (
    CANVAS_DEFAULTS,
    FILTER,
    HISTORY,
    NODE_NAMES,
    QUERY,
    REWRITE_ROUNDS,
    Unreadable,
    check_strategy,
    read_filter,
    read_strategy,
)
from domain.workflow.node.model.choice import history_rounds
from domain.workflow.node.model.reply import history
from domain.workflow.template import render
from domain.workflow.text import to_text
from domain.workflow.value import OBJECT, Value, list_of


class KnowledgeRetrieveConfig(NodeConfig, frozen=True, kw_only=True):
    """Where and how the text of the input ``Query`` is searched.

    ``background`` is that of the strategy where it shows inputs of the node. ``datasets`` is the
    input with the ids of the bases, where only the run knows them.
    """

    dataset_ids: tuple[str, ...]
    datasets: str = ""
    tells_sources: bool = False
    """Findings tell where they are from and how well they fit, as FastGPT's quotes do."""
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


async def _work(call: Call) -> Result:
    config = config_of(call.node, KnowledgeRetrieveConfig)
    said = call.inputs.get(HISTORY)
    found = await search(
        call,
        to_text(call.inputs.get(QUERY)),
        _datasets(call, config),
        strategy=_strategy(call, config),
        history=await history(call, config.history_rounds, said),
        must_exist=bool(config.datasets),
    )
    call.extra["found"] = [_source(each) for each in found]
    tell = _quoted if config.tells_sources else _found
    return Result({"outputList": [tell(each) for each in found]})


def _source(found: RecalledSlice) -> Value:
    """Tell where a slice of the output is from, in the record of the node."""
    return {
        "slice_id": str(found.slice_id),
        "dataset_id": str(found.dataset_id),
        "document_id": str(found.document_id),
        "document_name": found.document_name,
        "scores": {name: score for name, score in found.scores.items()},  # noqa: C416 - a Value
    }


def _strategy(call: Call, config: KnowledgeRetrieveConfig) -> RetrievalStrategy:
    """Complete the settings with what the run alone knows."""
    strategy = config.strategy
    try:
        wanted = read_filter(call.inputs.get(FILTER))
    except Unreadable as exc:
        raise InvalidValue(f"{FILTER}: {exc}") from exc
    if wanted is not None:
        strategy = msgspec.structs.replace(strategy, filter=wanted)
    if config.background.parts:
        background = render(config.background, call.given)
        strategy = msgspec.structs.replace(strategy, expansion_background=background)
    return strategy


def _datasets(call: Call, config: KnowledgeRetrieveConfig) -> tuple[str, ...]:
    """Return the bases to search; what a variable names is looked up as anything else."""
    if not config.datasets:
        return config.dataset_ids
    given = call.inputs.get(config.datasets)
    found = [
        to_text(each.get("datasetId") if isinstance(each, dict) else each)
        for each in (given if isinstance(given, list) else [given])
        if each
    ]
    if not all(found) or not found:
        raise InvalidValue("No knowledge base is chosen: the variable that names them is empty.")
    return tuple(dict.fromkeys(found))


def _found(found: RecalledSlice) -> dict[str, Value]:
    return {"output": found.content, "documentId": str(found.document_id)}


def _quoted(found: RecalledSlice) -> dict[str, Value]:
    """Tell a slice as FastGPT's flows know it."""
    return {
        "id": str(found.slice_id),
        "datasetId": str(found.dataset_id),
        "collectionId": str(found.document_id),
        "sourceId": str(found.document_id),
        "sourceName": found.document_name,
        "q": found.content,
        "a": "",
        "score": [{"type": name, "value": score} for name, score in found.scores.items()],
        "updateTime": found.updated_at.isoformat() if found.updated_at else "",
    }


NodeType(
    kind="knowledge_retrieve",
    type_id="6",
    key="Dataset",
    names={"en": "Knowledge retrieval", "zh": "知识库检索"},
    blank=blank(
        inputs={
            "inputParameters": [param("Query", unset("string"))],
            "datasetParam": [
                param("datasetList", literal("list", [], schema={"type": "string"})),
                param("topK", literal("integer", 5)),
                param("minScore", literal("float", 0.5)),
                param("strategy", literal("integer", 1)),
                param("useRerank", literal("boolean", True)),
                param("useRewrite", literal("boolean", True)),
                param("useNl2sql", literal("boolean", True)),
                param("isPersonalOnly", literal("boolean", False)),
            ],
        },
        outputs=[
            out(
                "outputList",
                "list",
                schema={"type": "object", "schema": [out("output"), out("documentId")]},
            )
        ],
    ),
    group="knowledge",
    read=_read,
    check=_check,
    config=KnowledgeRetrieveConfig,
    outputs=(output_field("outputList", list_of(OBJECT)),),
    required=(QUERY,),
    zero_fill=True,
    null_fill=True,
    effects="read",
    runner=Runner(work=_work),
).register()
