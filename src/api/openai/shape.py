"""Objects of the OpenAI wire, and FastGPT's additions to them."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec

from api.citation import CiteStyle, WireCard, cards_of, source_address, whole_text
from api.wire import seconds
from application.conversation.dto import MessageView, RecalledChunk, RunResult, RunView
from application.conversation.run.event import (
    FlowNodeEnded,
    KnowledgeRecalled,
    RunEvent,
    StepEnded,
    ToolCompleted,
    ToolStarted,
)
from application.conversation.view import ANSWER_SEPARATOR
from domain.shared.chat import FinishReason, Usage

MODULE_NAME: Final = "AI Chat"
MODULE_TYPE: Final = "chatNode"
SEARCH_NAME: Final = "Dataset Search"
SEARCH_TYPE: Final = "datasetSearchNode"
TOOL_TYPE: Final = "tool"
_SHOWN_CHARS: Final = 5000
_MARK: Final = re.compile(r"\[([0-9]{1,3})\]")
_SCORES: Final[Mapping[str, str]] = {
    "embedding": "embedding",
    "full_text": "fullText",
    "rerank": "reRank",
    "rrf": "rrf",
}
_FINISH_REASONS: Final[Mapping[str, str]] = {
    FinishReason.STOP: "stop",
    FinishReason.LENGTH: "length",
    FinishReason.TOOL_CALLS: "tool_calls",
    FinishReason.CONTENT_FILTER: "content_filter",
    FinishReason.REFUSAL: "stop",
    FinishReason.ERROR: "stop",
    "": "stop",
}


def finish_reason(run: RunView) -> str:
    """Translate why a run ended; a reason of our own counts as an ordinary stop."""
    return "tool_calls" if calls_of(run) else reason_on_wire(run.finish_reason)


def reason_on_wire(reason: str) -> str:
    """Translate why a reply ended."""
    return _FINISH_REASONS.get(reason, "stop")


def shown_result(event: ToolCompleted) -> str:
    """Return as much of a tool's result as is shown."""
    return event.result[:_SHOWN_CHARS]


def completion_id(run: RunView, resumes: int = 0) -> str:
    """Id of a completion; holds the run's id, and how often it had waited before."""
    return f"chatcmpl-{run.id}-{resumes}" if resumes else f"chatcmpl-{run.id}"


def calls_of(run: RunView) -> "list[ToolCallOut]":
    """Return the calls that a run asks the client for."""
    waits_for = run.waits_for
    return [
        ToolCallOut(
            id=call.id, function=FunctionCalled(name=call.name, arguments=call.arguments or "{}")
        )
        for call in (waits_for.calls if waits_for is not None else ())
    ]


class CompletionUsage(msgspec.Struct, frozen=True, kw_only=True):
    """Tokens of one completion."""

    prompt_tokens: int
    completion_tokens: int
    total_tokens: int

    @classmethod
    def of(cls, usage: Usage) -> "CompletionUsage":
        return cls(
            prompt_tokens=usage.input_tokens,
            completion_tokens=usage.output_tokens,
            total_tokens=usage.total_tokens,
        )


class FunctionCalled(msgspec.Struct, frozen=True, kw_only=True):
    """Name and arguments of a call; ``arguments`` is JSON text as the model wrote it."""

    name: str
    arguments: str


class ToolCallOut(msgspec.Struct, frozen=True, kw_only=True):
    """A function that the caller is to execute."""

    id: str
    type: str = "function"
    function: FunctionCalled


class UrlCitation(msgspec.Struct, frozen=True, kw_only=True):
    """A source that is cited at a place of the content; offsets in characters."""

    start_index: int
    end_index: int
    title: str
    url: str


class Annotation(msgspec.Struct, frozen=True, kw_only=True):
    """What belongs to a place of the content."""

    type: str = "url_citation"
    url_citation: UrlCitation


class StepOut(msgspec.Struct, frozen=True, kw_only=True):
    """Something that the agent did by itself; ``kind`` is tool or knowledge."""

    kind: str
    name: str
    arguments: str
    result: str
    is_error: bool
    duration_ms: int


class StepTracker:
    """Collects what an agent does by itself, for callers who want to know."""

    def __init__(self) -> None:
        self.steps: list[StepOut] = []
        self._arguments: dict[str, str] = {}

    def take(self, event: RunEvent) -> None:
        """Note an event, if it is about a call or a search."""
        match event:
            case ToolStarted():
                self._arguments[event.call_id] = event.arguments
            case ToolCompleted():
                self.steps.append(
                    StepOut(
                        kind="tool",
                        name=event.name,
                        arguments=self._arguments.pop(event.call_id, ""),
                        result=shown_result(event),
                        is_error=event.is_error,
                        duration_ms=event.duration_ms,
                    )
                )
            case KnowledgeRecalled():
                found = "\n".join(chunk.content for chunk in event.chunks)
                self.steps.append(
                    StepOut(
                        kind="knowledge",
                        name=SEARCH_NAME,
                        arguments=msgspec.json.encode({"query": event.query}).decode(),
                        result=found[:_SHOWN_CHARS],
                        is_error=event.is_failed,
                        duration_ms=event.duration_ms,
                    )
                )
            case _:
                pass


def annotations_of(answers: Sequence[MessageView]) -> list[Annotation]:
    """Return where the joined answers cite which source; their marks stay in the text."""
    found: list[Annotation] = []
    start = 0
    for answer in answers:
        if not answer.text:
            continue
        found += _annotations(answer, start)
        start += len(answer.text) + len(ANSWER_SEPARATOR)
    return found


def _annotations(answer: MessageView, start: int) -> list[Annotation]:
    if answer.citations is None:
        return []
    cards = {card.n: card for card in answer.citations.cards}
    body = len(answer.text) - len(answer.citations.tail)
    return [
        Annotation(
            url_citation=UrlCitation(
                start_index=start + mark.start(),
                end_index=start + mark.end(),
                title=card.document_name,
                url=source_address(card),
            )
        )
        for mark in _MARK.finditer(answer.text, 0, body)
        if (card := cards.get(int(mark[1]))) is not None
    ]


class CompletionMessage(msgspec.Struct, frozen=True, kw_only=True):
    """What the agent said."""

    role: str = "assistant"
    content: str | None
    reasoning_content: str | msgspec.UnsetType = msgspec.UNSET
    refusal: str | None = None
    """Why the model does not answer; ``content`` is null then."""
    citations: list[WireCard] | msgspec.UnsetType = msgspec.UNSET
    """Sources by the number of their marks, where the text does not list them itself."""
    tool_calls: list[ToolCallOut] | msgspec.UnsetType = msgspec.UNSET
    annotations: list[Annotation] | msgspec.UnsetType = msgspec.UNSET
    """Where the content cites which source."""
    coterie_steps: list[StepOut] | msgspec.UnsetType = msgspec.UNSET
    """What the agent did by itself, if the request asks for it."""

    @classmethod
    def saying(
        cls,
        text: str,
        *,
        reasoning: str = "",
        refusal: str = "",
        calls: Sequence[ToolCallOut] = (),
        citations: Sequence[WireCard] = (),
        annotations: Sequence[Annotation] = (),
        steps: Sequence[StepOut] = (),
    ) -> "CompletionMessage":
        """Leave out what there is none of; calls may come without a text."""
        return cls(
            content=text if text or not (calls or refusal) else None,
            refusal=refusal or None,
            reasoning_content=reasoning or msgspec.UNSET,
            citations=list(citations) or msgspec.UNSET,
            tool_calls=list(calls) or msgspec.UNSET,
            annotations=list(annotations) or msgspec.UNSET,
            coterie_steps=list(steps) or msgspec.UNSET,
        )


class CompletionChoice(msgspec.Struct, frozen=True, kw_only=True):
    """The only choice."""

    index: int = 0
    message: CompletionMessage
    logprobs: None = None
    finish_reason: str


class QuoteScore(msgspec.Struct, frozen=True, kw_only=True):
    """How well a piece of knowledge fits, in FastGPT's terms."""

    type: str
    value: float
    index: int


class Quote(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A piece of knowledge that a search found, in FastGPT's terms."""

    id: str
    dataset_id: str
    collection_id: str
    source_name: str
    q: str
    a: str = ""
    score: list[QuoteScore]

    @classmethod
    def of(cls, chunk: RecalledChunk, index: int) -> "Quote":
        return cls(
            id=str(chunk.slice_id),
            dataset_id=str(chunk.dataset_id),
            collection_id=str(chunk.document_id),
            source_name=chunk.document_name,
            q=chunk.content,
            score=[
                QuoteScore(type=_SCORES[channel], value=value, index=index)
                for channel, value in chunk.scores.items()
                if channel in _SCORES
            ],
        )


class NodeResult(msgspec.Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """One executed step, in FastGPT's terms; ``running_time`` in seconds."""

    node_id: str
    module_name: str
    module_type: str
    running_time: float
    model: str
    input_tokens: int
    output_tokens: int
    error: str = ""
    query: str = ""
    quote_list: list[Quote] = []
    tool_res: str = ""
    """What a tool returned."""
    text_output: str = ""
    """What a workflow says about its own answer."""

    @classmethod
    def of_tool(cls, event: ToolCompleted) -> "NodeResult":
        """Describe a call of a tool."""
        return cls(
            node_id=event.call_id,
            module_name=event.name,
            module_type=TOOL_TYPE,
            running_time=event.duration_ms / 1000,
            model="",
            input_tokens=0,
            output_tokens=0,
            error=shown_result(event) if event.is_error else "",
            tool_res=shown_result(event),
        )

    @classmethod
    def of_recall(cls, event: KnowledgeRecalled) -> "NodeResult":
        """Describe a search of knowledge."""
        return cls(
            node_id=SEARCH_TYPE,
            module_name=SEARCH_NAME,
            module_type=SEARCH_TYPE,
            running_time=event.duration_ms / 1000,
            model="",
            input_tokens=0,
            output_tokens=0,
            error="The search failed." if event.is_failed else "",
            query=event.query,
            quote_list=[Quote.of(chunk, index) for index, chunk in enumerate(event.chunks)],
        )

    @classmethod
    def of_flow(cls, event: FlowNodeEnded) -> "NodeResult":
        """Describe a node of a workflow that answers."""
        return cls(
            node_id=event.node_id,
            module_name=event.name,
            module_type=event.type_name,
            running_time=event.duration_ms / 1000,
            model=event.model,
            input_tokens=event.usage.input_tokens,
            output_tokens=event.usage.output_tokens,
            error=event.error,
            quote_list=[Quote.of(chunk, index) for index, chunk in enumerate(event.quotes)],
            text_output=event.remark,
        )

    @classmethod
    def of(cls, step: StepEnded) -> "NodeResult":
        return cls(
            node_id=str(step.step),
            module_name=MODULE_NAME,
            module_type=MODULE_TYPE,
            running_time=step.duration_ms / 1000,
            model=step.model,
            input_tokens=step.usage.input_tokens,
            output_tokens=step.usage.output_tokens,
        )


class Completion(msgspec.Struct, frozen=True, kw_only=True):
    """Answer of a call without ``stream``; the last two fields only with FastGPT's ``detail``."""

    id: str
    object: str = "chat.completion"
    created: int
    model: str
    choices: list[CompletionChoice]
    usage: CompletionUsage
    system_fingerprint: None = None
    response_data: list[NodeResult] | msgspec.UnsetType = msgspec.field(
        default=msgspec.UNSET, name="responseData"
    )
    new_variables: dict[str, Any] | msgspec.UnsetType = msgspec.field(
        default=msgspec.UNSET, name="newVariables"
    )

    @classmethod
    def of(
        cls,
        result: RunResult,
        *,
        model: str,
        cites: CiteStyle = "marks",
        resumes: int = 0,
        used: Usage | None = None,
        steps: Sequence[StepOut] = (),
    ) -> "Completion":
        """Describe what a run said since it had waited ``resumes`` times and had ``used`` that."""
        run = result.run
        cards = [card for answer in result.answers for card in cards_of(answer)]
        refusing = [answer for answer in result.answers if is_refusal(answer, cites)]
        said = [answer for answer in result.answers if answer not in refusing]
        message = CompletionMessage.saying(
            _joined([whole_text(answer, cites) for answer in said]),
            refusal=_joined([answer.text for answer in refusing]),
            reasoning=_reasoning(result.answers),
            calls=calls_of(run),
            citations=cards if cites == "marks" else (),
            annotations=annotations_of(result.answers) if cites == "marks" else (),
            steps=steps,
        )
        return cls(
            id=completion_id(run, resumes),
            created=seconds(run.created_at),
            model=model,
            choices=[CompletionChoice(message=message, finish_reason=finish_reason(run))],
            usage=CompletionUsage.of(run.usage.since(used or Usage())),
        )


class ModelTraits(msgspec.Struct, frozen=True, kw_only=True):
    """What OpenAI's own list has no place for; ``kind`` is agent, llm or embedding."""

    kind: str
    capabilities: list[str] = []


class ModelObject(msgspec.Struct, frozen=True, kw_only=True):
    """An agent or a model; ``owned_by`` is the workspace of the one, the provider of the other."""

    id: str
    object: str = "model"
    created: int
    owned_by: str
    name: str
    coterie: ModelTraits


class ModelList(msgspec.Struct, frozen=True, kw_only=True):
    """Everything the token can name as ``model``."""

    object: str = "list"
    data: list[ModelObject]


def is_refusal(answer: MessageView, cites: CiteStyle) -> bool:
    """Tell whether an answer is told as a refusal; FastGPT's clients know none."""
    return answer.finish_reason == FinishReason.REFUSAL and cites == "marks"


def _joined(texts: Sequence[str]) -> str:
    return ANSWER_SEPARATOR.join(text for text in texts if text)


def _reasoning(answers: Sequence[MessageView]) -> str:
    return _joined([answer.reasoning for answer in answers])
