"""Completions of raw models: no agent, no prompt, no conversation of ours."""

import secrets
import string
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Any, Final

from litestar import Request, Response

from api.disconnect import while_connected
from api.error import Failure, OpenAIError
from api.openai.message import decode_messages
from api.openai.request import CompletionRequest, decode_overrides
from api.openai.responses.request import ResponseRequest
from api.openai.shape import (
    Completion,
    CompletionChoice,
    CompletionMessage,
    CompletionUsage,
    FunctionCalled,
    ToolCallOut,
    reason_on_wire,
)
from api.openai.tool import ClientTools, decode_tools
from api.renderer.line import EVENT_STREAM, json_line
from api.renderer.openai import DONE, KEEPALIVE, ChunkWriter
from api.sse import EventStreamResponse
from application.conversation.dto import TurnOverrides
from application.model.gateway import ModelGateway
from domain.model.value import ModelType
from domain.shared.access import Principal
from domain.shared.chat import (
    ChatMessage,
    ChatRequest,
    ContentReplaced,
    FinishReason,
    ModelEvent,
    OutputFormat,
    ReasoningDelta,
    ReplyFinished,
    TextDelta,
    ToolCallDelta,
    Usage,
    UsageReported,
)
from domain.shared.ids import SpaceId
from domain.shared.limits import Limits

RAW_PREFIX: Final = "llm/"
"""Before the name of a model that is called without an agent."""

_ID_CHARS: Final = string.ascii_letters + string.digits


def raw_name(model: str | None) -> str | None:
    """Return the model that is meant, None where an agent is."""
    return model[len(RAW_PREFIX) :] if model and model.startswith(RAW_PREFIX) else None


async def untold(
    model: str | None,
    *,
    reasoning_effort: str | None,
    verbosity: str | None,
    gateway: ModelGateway,
    principal: Principal,
) -> tuple[str, ...]:
    """Name which of the wishes of a request a model cannot be told."""
    wishes = {"reasoning_effort": reasoning_effort, "verbosity": verbosity}
    wanted = [name for name, value in wishes.items() if value]
    if not wanted:
        return ()
    space_id = principal.personal_space_id
    found = await gateway.find(principal, space_id, raw_name(model) or "", ModelType.CHAT)
    return tuple(name for name in wanted if name not in found.capabilities)


async def complete_raw(
    request: Request[Any, Any, Any],
    data: CompletionRequest,
    *,
    gateway: ModelGateway,
    principal: Principal,
    space_id: SpaceId,
    limits: Limits,
    headers: dict[str, str],
) -> Response[Any]:
    """Answer with what the model says, in one piece or as a stream."""
    asked = chat_request(
        data,
        messages=decode_messages(data.messages, limits),
        tools=decode_tools(data.tools, data.tool_choice),
        settings=decode_overrides(data),
    )
    completion = f"chatcmpl-{''.join(secrets.choice(_ID_CHARS) for _ in range(24))}"
    created, model = gateway.now_s(), data.model or ""
    events = gateway.stream(principal, space_id, asked)
    if data.stream:
        chunks = ChunkWriter(
            completion, created=created, model=model, include_usage=data.include_usage
        )
        return EventStreamResponse(
            _records(events),
            _RawRenderer(chunks),
            limits=limits,
            headers=headers,
            endings=(ReplyFinished,),
            space_id=space_id,
        )
    reply = await while_connected(request, _collect(events))
    return Response(
        Completion(
            id=completion,
            created=created,
            model=model,
            choices=[reply.choice()],
            usage=CompletionUsage.of(reply.usage),
        ),
        headers=headers,
    )


def chat_request(
    data: CompletionRequest | ResponseRequest,
    *,
    messages: tuple[ChatMessage, ...],
    tools: ClientTools,
    settings: TurnOverrides,
) -> ChatRequest:
    """Return what the model of a request is asked, whichever surface it came by."""
    return ChatRequest(
        model=raw_name(data.model) or "",
        messages=messages,
        tools=tools.specs,
        tool_choice=tools.choice,
        parallel_tool_calls=data.parallel_tool_calls,
        output=OutputFormat.JSON if settings.json_output else OutputFormat.TEXT,
        json_schema=settings.json_schema,
        json_strict=settings.json_strict,
        json_name=settings.json_name,
        json_description=settings.json_description,
        reasoning_effort=settings.reasoning_effort,
        verbosity=settings.verbosity,
        sampling=settings.sampling,
        stop=settings.stop,
        max_output_tokens=settings.max_output_tokens,
    )


@dataclass(frozen=True, slots=True)
class _Record:
    """An event of a reply, as streams take it."""

    event: ModelEvent


async def _records(
    events: AsyncGenerator[ModelEvent, None],
) -> AsyncGenerator[list[_Record], None]:
    async with aclosing(events):
        async for event in events:
            yield [_Record(event)]


@dataclass(slots=True)
class CallInPieces:
    """A call of a tool that a model tells piece by piece; its id and name come once."""

    id: str = ""
    name: str = ""
    arguments: str = ""

    def add(self, piece: ToolCallDelta) -> None:
        self.id = self.id or piece.id
        self.name = self.name or piece.name
        self.arguments += piece.arguments


@dataclass(slots=True)
class _Reply:
    """What a model said, put together."""

    text: str = ""
    reasoning: str = ""
    calls: dict[int, CallInPieces] = field(default_factory=dict)
    usage: Usage = field(default_factory=Usage)
    reason: FinishReason = FinishReason.STOP
    refusal: str = ""

    def take(self, event: ModelEvent) -> None:
        match event:
            case TextDelta(text):
                self.text += text
            case ReasoningDelta(text):
                self.reasoning += text
            case ContentReplaced():
                self.text, self.reasoning = event.text, event.reasoning
            case ToolCallDelta():
                self.calls.setdefault(event.index, CallInPieces()).add(event)
            case UsageReported(usage):
                self.usage = usage
            case ReplyFinished(reason, refusal):
                self.reason, self.refusal = reason, refusal
            case _:
                pass

    def choice(self) -> CompletionChoice:
        calls = [
            ToolCallOut(
                id=call.id or f"call_{index}",
                function=FunctionCalled(name=call.name, arguments=call.arguments or "{}"),
            )
            for index, call in sorted(self.calls.items())
        ]
        message = CompletionMessage.saying(
            self.text, reasoning=self.reasoning, refusal=self.refusal, calls=calls
        )
        return CompletionChoice(message=message, finish_reason=reason_on_wire(self.reason))


async def _collect(events: AsyncGenerator[ModelEvent, None]) -> _Reply:
    reply = _Reply()
    async with aclosing(events):
        async for event in events:
            reply.take(event)
    return reply


class _RawRenderer:
    """Renders the events of one reply."""

    content_type = EVENT_STREAM
    keepalive = KEEPALIVE
    holds_headers = True

    def __init__(self, chunks: ChunkWriter) -> None:
        self._chunks = chunks
        self._is_open = False
        self._opened: set[int] = set()
        self._usage = Usage()

    def render(self, batch: Sequence[_Record]) -> bytes:
        return b"".join([self._frame(record.event) for record in batch])

    def fail(self, failure: Failure) -> bytes:
        return b"data: %s\n\n" % json_line(OpenAIError.of(failure))

    def _frame(self, event: ModelEvent) -> bytes:
        match event:
            case TextDelta(text):
                return self._open() + self._chunks.content(text)
            case ReasoningDelta(text):
                return self._open() + self._chunks.reasoning(text)
            case ToolCallDelta():
                return self._open() + self._call(event)
            case UsageReported(usage):
                self._usage = usage
                return b""
            case ReplyFinished(reason, refusal):
                told = self._chunks.refusal(refusal) if refusal else b""
                finish = self._chunks.finish(reason_on_wire(reason))
                return self._open() + told + finish + self._chunks.usage(self._usage) + DONE
            case _:
                return b""

    def _open(self) -> bytes:
        if self._is_open:
            return b""
        self._is_open = True
        return self._chunks.role()

    def _call(self, event: ToolCallDelta) -> bytes:
        if event.index in self._opened:
            return self._chunks.call(event.index, arguments=event.arguments)
        self._opened.add(event.index)
        call_id = event.id or f"call_{event.index}"
        return self._chunks.call(
            event.index, call_id=call_id, name=event.name, arguments=event.arguments
        )
