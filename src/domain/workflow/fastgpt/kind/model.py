"""Nodes that call a language model."""

from collections.abc import Mapping
from typing import Final

from domain.workflow.canvas.cursor import Cursor
from domain.workflow.fastgpt.flow import type_named
from domain.workflow.fastgpt.kind import FLOW_KINDS, FlowKind
from domain.workflow.fastgpt.node_reader import FlowReader
from domain.workflow.graph import NodeConfig, Streams, branch_port
from domain.workflow.node.knowledge.query_expansion import QueryExpansionConfig
from domain.workflow.node.knowledge.search import QUERY as SEARCHED
from domain.workflow.node.model.choice import ModelChoice, ResponseFormat
from domain.workflow.node.model.intent import INTENT, QUERY, IntentConfig
from domain.workflow.node.model.model import FIELDS, HISTORY, REASONING, SUCCESS, ModelConfig
from domain.workflow.node.model.quotes import QuoteSetting
from domain.workflow.value import ANY, BOOLEAN, OBJECT, STRING, Field, list_of

ANSWER: Final = "answerText"
_QUESTION: Final = "{{question}}"
_THOUGHTS: Final = ("think",)
"""FastGPT takes nothing else out of what a model writes."""


def _chat(reader: FlowReader) -> NodeConfig:
    tells_history = reader.is_read(HISTORY)
    reader.outputs = (
        Field(name=ANSWER, type=STRING),
        Field(name=REASONING, type=STRING),
        *((Field(name=HISTORY, type=list_of(OBJECT)),) if tells_history else ()),
    )
    reader.streams = Streams(produces=(ANSWER, REASONING))
    return ModelConfig(
        model=choice(reader),
        prompt=reader.template("userChatInput"),
        system_prompt=reader.template("systemPrompt"),
        quotes=_quotes(reader),
        history_rounds=rounds(reader),
        history=past(reader),
        tells_history=tells_history,
        sees=reader.switch("aiChatVision", default=True),
        keeps_turns=True,
        text_output=ANSWER,
        has_reasoning=True,
        files=reader.bind("fileUrlList", name="$files", wanted=list_of(STRING)),
        max_tool_rounds=max(reader.value("maxRunToolTimes").integer(), 0),
        answers=reader.switch("isResponseAnswerText", default=True),
        shows_reasoning=reader.switch("aiChatReasoning", default=True),
        thought_tags=_THOUGHTS,
    )


def _extract(reader: FlowReader) -> NodeConfig:
    wanted = tuple(_wanted(item) for item in reader.value("extractKeys") if item["key"].text())
    own = (Field(name=SUCCESS, type=BOOLEAN), Field(name=FIELDS, type=STRING))
    reader.outputs = (*(each for each in wanted if each.name not in {SUCCESS, FIELDS}), *own)
    if not wanted:
        reader.report("WF401", reader.value("extractKeys"), "There is no field to extract.")
    return ModelConfig(
        model=choice(reader, response_format="json"),
        prompt=reader.template("content"),
        system_prompt=reader.template("description"),
        history_rounds=rounds(reader),
        history=past(reader),
        text_output="",
        extracted=wanted,
    )


def _wanted(item: Cursor) -> Field:
    choices = ", ".join(line for line in item["enum"].text().split("\n") if line)
    about = item["desc"].text()
    return Field(
        name=item["key"].text(),
        type=type_named(item["valueType"].text("string")),
        is_required=item["required"].flag(),
        description=f"{about} One of: {choices}" if choices else about,
        default=item["defaultValue"].value,
    )


def _classify(reader: FlowReader) -> NodeConfig:
    if not reader.bind("userChatInput", name=QUERY, wanted=STRING):
        reader.report("WF401", reader.node.input("userChatInput"), "The query is missing.")
    intents = tuple(item["value"].text() for item in reader.value("agents"))
    reader.outputs = (Field(name=INTENT, type=STRING),)
    return IntentConfig(
        intents=intents,
        always_chooses=True,
        model=choice(reader),
        system_prompt=reader.template("systemPrompt"),
        history_rounds=rounds(reader),
        history=past(reader),
    )


def _classes(reader: FlowReader) -> Mapping[str, str]:
    keys = [item["key"].text() for item in reader.value("agents")]
    return {key: branch_port(number) for number, key in enumerate(keys)}


def _clear_question(reader: FlowReader) -> NodeConfig:
    if not reader.bind("userChatInput", name=SEARCHED, wanted=STRING):
        reader.report("WF401", reader.node.input("userChatInput"), "The question is missing.")
    reader.outputs = (Field(name="output", type=STRING),)
    return QueryExpansionConfig(
        model=choice(reader),
        background=reader.template("systemPrompt"),
        history_rounds=rounds(reader),
        history=past(reader),
    )


def choice(reader: FlowReader, *, response_format: ResponseFormat = "text") -> ModelChoice:
    """Read which model answers, and how."""
    reader.fields["model"] = reader.value("model").pointer
    limit = reader.value("maxToken").number()
    temperature = reader.value("temperature").number()
    top_p = reader.value("aiChatTopP").number()
    name = reader.value("model").text()
    return ModelChoice(
        model=name,
        name=name,
        temperature=None if temperature is None else float(temperature),
        top_p=None if top_p is None else float(top_p),
        max_tokens=None if not limit else int(limit),
        response_format=response_format,
        stop=tuple(filter(None, reader.value("aiChatStopSign").text().split("|"))),
    )


def rounds(reader: FlowReader) -> int:
    """Read how much of the conversation the model sees."""
    history = reader.value("history")
    return max(history.integer(6) if history else 0, 0)


def past(reader: FlowReader) -> str:
    """Bind the messages that the node reads in place of the conversation; "" for none."""
    history = reader.value("history")
    if not isinstance(history.value, list) or not history:
        return ""
    return reader.bind("history", name="$history", wanted=list_of(ANY))


def _quotes(reader: FlowReader) -> QuoteSetting | None:
    """Read what is quoted of knowledge bases, and where it is put."""
    if not reader.value("quoteQA"):
        return None
    passages = reader.bind("quoteQA", name="$quotes", wanted=ANY)
    around = reader.template("quotePrompt")
    mentions = any(isinstance(each, str) and _QUESTION in each for each in around.parts)
    return QuoteSetting(
        passages=passages,
        each=reader.template("quoteTemplate"),
        around=around,
        is_question=mentions or reader.value("aiChatQuoteRole").text() == "user",
    )


_OUTPUTS: Final = {"answerText": (ANSWER,), "reasoningText": (REASONING,)}
FLOW_KINDS.register("chatNode")(
    FlowKind(kind="model", read=_chat, outputs=_OUTPUTS, told=(ANSWER,))
)
for _name in ("agent", "tools"):
    FLOW_KINDS.register(_name)(
        FlowKind(kind="model", read=_chat, outputs=_OUTPUTS, told=(ANSWER,), takes_tools=True)
    )
FLOW_KINDS.register("contentExtract")(FlowKind(kind="model", read=_extract, told=()))
FLOW_KINDS.register("classifyQuestion")(
    FlowKind(kind="intent", read=_classify, outputs={"cqResult": (INTENT,)}, handles=_classes)
)
FLOW_KINDS.register("cfr")(
    FlowKind(kind="query_expansion", read=_clear_question, outputs={"system_text": ("output",)})
)
