"""Nodes that work without a model: texts, knowledge, and other workflows."""

from collections.abc import Mapping
from typing import Final

from crossdomain.knowledge.contract import RetrievalStrategy
from domain.workflow.canvas.cursor import Cursor
from domain.workflow.fastgpt.kind import FLOW_KINDS, FlowKind
from domain.workflow.fastgpt.node_reader import FlowReader
from domain.workflow.graph import ANSWERS, NodeConfig
from domain.workflow.node.control.sub_workflow import SubWorkflowConfig
from domain.workflow.node.data.text import TextConfig
from domain.workflow.node.knowledge.knowledge_retrieve import KnowledgeRetrieveConfig
from domain.workflow.node.knowledge.search import FILTER, QUERY, read_strategy
from domain.workflow.value import ANY, STRING, Field, list_of

_SEARCH: Final[Mapping[str, str]] = {
    "search_type": "searchMode",
    "min_score": "similarity",
    "max_tokens": "limit",
    "embedding_weight": "embeddingWeight",
    "reranks": "usingReRank",
    "rerank_model": "rerankModel",
    "rerank_weight": "rerankWeight",
    "expansion": "datasetSearchUsingExtensionQuery",
    "expansion_model": "datasetSearchExtensionModel",
}
_SEARCH_WORDS: Final[Mapping[str, Mapping[str, object]]] = {
    "search_type": {
        "embedding": "semantic",
        "fullTextRecall": "full_text",
        "mixedRecall": "hybrid",
    },
    "expansion": {"false": 0, "true": 3},
}
_SEARCH_DEFAULTS: Final = RetrievalStrategy(
    search_type="semantic",
    top_k=100,  # the tokens are what bounds a search of FastGPT
    min_score=0.4,
    threshold="fastgpt",
    max_tokens=5000,
    embedding_weight=0.5,
    rerank_weight=0.5,
)
_SEARCH_ROUNDS: Final = 6


def _text(reader: FlowReader) -> NodeConfig:
    reader.parameters()
    reader.outputs = (Field(name="output", type=STRING),)
    template = reader.template("system_textareaInput")
    if not template.parts:
        reader.report("WF440", reader.value("system_textareaInput"), "There is no text.")
    return TextConfig(method="concat", template=template, joins_lists=False)


def _search(reader: FlowReader) -> NodeConfig:
    if not reader.bind("userChatInput", name=QUERY, wanted=STRING):
        reader.report("WF401", reader.node.input("userChatInput"), "The query is missing.")
    datasets = reader.value("datasets")
    reader.fields["dataset_ids"] = datasets.pointer
    chosen = ""
    ids: tuple[str, ...] = ()
    if reader.reference(datasets) is not None or "datasets" in reader.generated:
        chosen = reader.bind("datasets", name="$datasets", wanted=ANY)
    else:
        ids = tuple(_dataset(item) for item in datasets)
    if not ids and not chosen:
        reader.report("WF401", datasets, "Choose a knowledge base: nothing else is missing.")
    reader.bind("collectionFilterMatch", name=FILTER)
    for field, name in _SEARCH.items():
        reader.fields[field] = reader.value(name).pointer
    strategy = read_strategy(
        reader.value,
        _SEARCH,
        lambda cursor, text: reader.report("WF402", cursor, text),
        defaults=_SEARCH_DEFAULTS,
        words=_SEARCH_WORDS,
    )
    return KnowledgeRetrieveConfig(
        dataset_ids=ids,
        datasets=chosen,
        tells_sources=True,
        strategy=strategy,
        background=reader.template("datasetSearchExtensionBg"),
        history_rounds=_SEARCH_ROUNDS if strategy.expansion else 0,
    )


def _dataset(item: Cursor) -> str:
    return item["datasetId"].text() if item.is_object else item.text()


def _call(reader: FlowReader) -> NodeConfig:
    reader.parameters("fileUrlList")
    reader.bind("fileUrlList", name="userFiles", wanted=list_of(STRING))
    cursor = reader.node.cursor["pluginId"]
    reader.fields["workflow_id"] = cursor.pointer
    if not cursor.text():
        reader.report("WF420", cursor, "The workflow to call is missing.")
    is_silent = reader.switch("system_forbid_stream", default=False)
    return SubWorkflowConfig(workflow_id=cursor.text(), is_silent=is_silent)


FLOW_KINDS.register("textEditor")(
    FlowKind(kind="text", read=_text, outputs={"system_text": ("output",)})
)
FLOW_KINDS.register("datasetSearchNode")(
    FlowKind(
        kind="knowledge_retrieve",
        read=_search,
        outputs={"quoteQA": ("outputList",)},
        told=("outputList",),
    )
)
for _name in ("pluginModule", "appModule", "app"):
    FLOW_KINDS.register(_name)(
        FlowKind(kind="sub_workflow", read=_call, outputs={"answerText": (ANSWERS,)}, told=())
    )
