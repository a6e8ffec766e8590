"""Nodes that work without a model: code, HTTP, texts, knowledge, and other workflows."""

from collections.abc import Mapping
from typing import Final, Literal

from crossdomain.knowledge.contract import RetrievalStrategy
from domain.workflow.canvas.cursor import Cursor
from domain.workflow.fastgpt.kind import FLOW_KINDS, FlowKind
from domain.workflow.fastgpt.node_reader import FlowReader
from domain.workflow.graph import NodeConfig, Template
from domain.workflow.node.code import CodeConfig
from domain.workflow.node.http import BodyKind, HttpConfig, Method, NamedInput
from domain.workflow.node.knowledge_retrieve import KnowledgeRetrieveConfig
from domain.workflow.node.search import FILTER, QUERY, read_strategy
from domain.workflow.node.sub_workflow import SubWorkflowConfig
from domain.workflow.node.text import TextConfig
from domain.workflow.value import STRING, Field

_BODIES: Final[dict[str, BodyKind]] = {
    "json": "json",
    "raw-text": "text",
    "xml": "text",
    "form-data": "form_data",
    "x-www-form-urlencoded": "form_urlencoded",
}
_METHODS: Final[dict[str, Method]] = {
    "GET": "GET",
    "POST": "POST",
    "PUT": "PUT",
    "PATCH": "PATCH",
    "DELETE": "DELETE",
    "HEAD": "HEAD",
}
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


def _code(reader: FlowReader) -> NodeConfig:
    reader.parameters("code", "codeType")
    language: Literal["python", "javascript"] = (
        "python" if reader.value("codeType").text("js") == "py" else "javascript"
    )
    reader.fields["source"] = reader.value("code").pointer
    return CodeConfig(language=language, source=reader.value("code").text())


def _http(reader: FlowReader) -> NodeConfig:
    reader.parameters("url")
    method = reader.value("system_httpMethod").text("GET").upper()
    if method not in _METHODS:
        reader.report("WF402", reader.value("system_httpMethod"), f"Unknown {method[:20]!r}.")
    default = "none" if method == "GET" else "json"
    body = _BODIES.get(reader.value("system_httpContentType").text(default), "empty")
    is_form = body in {"form_data", "form_urlencoded"}
    url = reader.template("system_httpReqUrl")
    reader.fields["url"] = reader.value("system_httpReqUrl").pointer
    reader.fields["text"] = reader.value("system_httpJsonBody").pointer
    has_text = body in {"json", "text"} and bool(reader.value("system_httpJsonBody"))
    return HttpConfig(
        method=_METHODS.get(method, "GET"),
        url=url,
        params=_pairs(reader, "system_httpParams"),
        headers=_pairs(reader, "system_httpHeader"),
        body=body if has_text or is_form else "empty",
        text=reader.template("system_httpJsonBody", quoted_json=body == "json")
        if has_text
        else Template(),
        fields=_pairs(reader, "system_httpFormBody") if is_form else (),
        timeout_s=max(float(reader.value("system_httpTimeout").number() or 0), 0.0),
    )


def _pairs(reader: FlowReader, key: str) -> tuple[NamedInput, ...]:
    found = []
    for number, item in enumerate(reader.value(key)):
        name = item["key"].text().strip()
        if name and item["value"]:
            bound = reader.bind_value(f"${key}.{number}", item["value"], STRING)
            found.append(NamedInput(name=name, value=bound))
    return tuple(found)


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
    ids = tuple(_dataset(item) for item in datasets)
    if not ids:
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
        strategy=strategy,
        background=reader.template("datasetSearchExtensionBg"),
        history_rounds=_SEARCH_ROUNDS if strategy.expansion else 0,
    )


def _dataset(item: Cursor) -> str:
    return item["datasetId"].text() if item.is_object else item.text()


def _call(reader: FlowReader) -> NodeConfig:
    reader.parameters()
    cursor = reader.node.cursor["pluginId"]
    reader.fields["workflow_id"] = cursor.pointer
    if not cursor.text():
        reader.report("WF420", cursor, "The workflow to call is missing.")
    return SubWorkflowConfig(workflow_id=cursor.text())


FLOW_KINDS.register("code")(
    FlowKind(kind="code", read=_code, outputs={"system_rawResponse": ()}, told=())
)
FLOW_KINDS.register("httpRequest468")(
    FlowKind(kind="http", read=_http, outputs={"httpRawResponse": ("body",)}, told=("body",))
)
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
    FLOW_KINDS.register(_name)(FlowKind(kind="sub_workflow", read=_call, told=()))
