"""Chat models behind the OpenAI wire, official or lookalike."""

import asyncio
import re
import uuid
from collections.abc import AsyncGenerator, Collection, Mapping, Sequence
from contextlib import closing
from enum import Enum
from functools import cached_property
from typing import Any, Final

import msgspec

from domain.shared import chat
from domain.shared.limits import Limits
from domain.shared.secret import Secret
from domain.shared.tracing.span import sent
from infra.contract.egress import EgressDenied
from infra.contract.model.chat_model import ChatModel, ModelCallFailed, ModelEndpoint, ModelFailure
from infra.impl.chat_model import PROVIDERS, ProviderParts
from infra.impl.chat_model.openai_request import chat_body, image_bytes
from infra.impl.chat_model.sse import SseReader, TextChunks
from infra.impl.http import error, provider
from infra.impl.http.reply import HttpReply, Timeouts
from infra.impl.http.url import Url

_DONE: Final = b"[DONE]"
_BLANK: Final = b" \t\r\n\xef\xbb\xbf"
_NOT_A_STREAM: Final = (b"{", b"[", b"<")


class FunctionPiece(msgspec.Struct, gc=False):
    """Name and arguments, or parts of them."""

    name: str | None = None
    arguments: str | dict[str, Any] | None = None


class CallPiece(msgspec.Struct):
    """A piece of a tool call."""

    index: int | None = None
    id: str | None = None
    function: FunctionPiece | None = None


class Delta(msgspec.Struct):
    """What one chunk adds; ``reasoning*`` are the names different vendors use."""

    content: str | None = None
    reasoning_content: str | None = None
    reasoning: str | None = None
    reasoning_details: list[Any] | None = None
    refusal: str | None = None
    tool_calls: list[CallPiece] | None = None
    function_call: FunctionPiece | None = None


class Choice(msgspec.Struct):
    """One alternative; only the first is used. Whole replies carry ``message``."""

    delta: Delta | None = None
    message: Delta | None = None
    finish_reason: str | None = None
    usage: Any = None
    index: int | None = None


class Chunk(msgspec.Struct):
    """One event of the stream, or the whole reply."""

    choices: list[Choice] | None = None
    id: str | None = None
    model: str | None = None
    usage: Any = None
    error: Any = None
    x_groq: Any = None


_DECODER: Final = msgspec.json.Decoder(Chunk)


def read_chunk(data: bytes) -> Chunk | None:
    """Return the chunk; None for what is not a JSON object at all."""
    try:
        return _DECODER.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return _read_leniently(data)


def plain_chunk(chunk: Chunk, text: str) -> Chunk | None:
    """Return the chunk with another text; None if it holds more than one."""
    if not chunk.choices or len(chunk.choices) > 1 or chunk.usage is not None:
        return None
    choice = chunk.choices[0]
    delta = choice.delta
    if delta is None or chunk.error or chunk.x_groq is not None:
        return None
    if choice.message is not None or choice.finish_reason or choice.usage is not None:
        return None
    if delta.reasoning_content or delta.reasoning or delta.reasoning_details or delta.refusal:
        return None
    if delta.tool_calls or delta.function_call is not None:
        return None
    changed = msgspec.structs.replace(delta, content=text)
    return msgspec.structs.replace(chunk, choices=[msgspec.structs.replace(choice, delta=changed)])


def usage_of(chunk: Chunk) -> chat.Usage | None:
    """Return the token counts wherever this vendor puts them, or None."""
    raw = chunk.usage
    if raw is None and chunk.choices:
        raw = chunk.choices[0].usage
    if raw is None and isinstance(chunk.x_groq, dict):
        raw = chunk.x_groq.get("usage")
    if not isinstance(raw, dict):
        return None
    usage = chat.Usage(
        input_tokens=_count(raw, "prompt_tokens", "input_tokens"),
        output_tokens=_count(raw, "completion_tokens", "output_tokens"),
        cached_tokens=_count(raw.get("prompt_tokens_details"), "cached_tokens")
        or _count(raw, "prompt_cache_hit_tokens", "cached_tokens"),
        reasoning_tokens=_count(raw.get("completion_tokens_details"), "reasoning_tokens")
        or _count(raw, "reasoning_tokens"),
    )
    return usage if usage.total_tokens else None


def _count(raw: object, *names: str) -> int:
    if isinstance(raw, Mapping):
        for name in names:
            value = raw.get(name)
            if isinstance(value, int | float) and not isinstance(value, bool) and value > 0:
                return int(value)
    return 0


def _read_leniently(data: bytes) -> Chunk | None:
    """Take what can be used of a chunk with unexpected types or damaged characters."""
    try:
        raw = msgspec.json.decode(data.decode("utf-8", "replace"))
    except (msgspec.DecodeError, RecursionError):
        return None
    if not isinstance(raw, dict):
        return None
    choices = raw.get("choices")
    return Chunk(
        choices=[_choice(item) for item in choices if isinstance(item, dict)]
        if isinstance(choices, list)
        else None,
        id=_text(raw.get("id")) or None,
        model=_text(raw.get("model")) or None,
        usage=raw.get("usage"),
        error=raw.get("error"),
        x_groq=raw.get("x_groq"),
    )


def _choice(raw: dict[str, Any]) -> Choice:
    return Choice(
        delta=_delta(raw.get("delta")),
        message=_delta(raw.get("message")),
        finish_reason=_text(raw.get("finish_reason")) or None,
        usage=raw.get("usage"),
    )


def _delta(raw: object) -> Delta | None:
    if not isinstance(raw, dict):
        return None
    calls = raw.get("tool_calls")
    details = raw.get("reasoning_details")
    content, thoughts = _content(raw.get("content"))
    return Delta(
        content=content,
        reasoning_content=_text(raw.get("reasoning_content")) or thoughts,
        reasoning=_text(raw.get("reasoning")),
        reasoning_details=details if isinstance(details, list) else None,
        refusal=_text(raw.get("refusal")),
        tool_calls=[_call(item) for item in calls if isinstance(item, dict)]
        if isinstance(calls, list)
        else None,
        function_call=_function(raw.get("function_call")),
    )


def _content(raw: object) -> tuple[str, str]:
    """Split content given as a list of typed blocks into text and reasoning."""
    if not isinstance(raw, list):
        return _text(raw), ""
    text: list[str] = []
    thoughts: list[str] = []
    for block in raw:
        if isinstance(block, str):
            text.append(block)
        elif isinstance(block, dict) and block.get("type") == "thinking":
            thoughts.append("".join(_content(block.get("thinking"))))
        elif isinstance(block, dict):
            text.append(_text(block.get("text")))
    return "".join(text), "".join(thoughts)


def _call(raw: dict[str, Any]) -> CallPiece:
    index = raw.get("index")
    if isinstance(index, str) and index.isdecimal():
        index = int(index)
    return CallPiece(
        index=index if isinstance(index, int) else None,
        id=_text(raw.get("id")) or None,
        function=_function(raw.get("function")),
    )


def _function(raw: object) -> FunctionPiece | None:
    if not isinstance(raw, dict):
        return None
    arguments = raw.get("arguments")
    if isinstance(arguments, list):
        arguments = msgspec.json.encode(arguments).decode()
    return FunctionPiece(
        name=_text(raw.get("name")) or None,
        arguments=arguments if isinstance(arguments, str | dict) else None,
    )


def _text(raw: object) -> str:
    """Return text as it is and numbers as text; anything else is nothing."""
    if isinstance(raw, str):
        return raw
    return str(raw) if isinstance(raw, int | float) and not isinstance(raw, bool) else ""


class Stage(Enum):
    """How far a reply has come, for the watch over its body."""

    WAITING = 1
    BEGUN = 2
    TOLD = 3
    """The finish reason is known; only usage and the end of the stream are missing."""


class BodyReader:
    """An event stream, or a whole JSON answer to a stream request.

    Which one it is shows in the first byte, whatever the content type says.
    """

    def __init__(
        self, *, model: str, secret: Secret, limits: Limits, tool_names: Collection[str]
    ) -> None:
        self._secret = secret
        self._limits = limits
        self._folder = ReplyFolder(model=model, tool_names=tool_names)
        self._sse: SseReader | None = None
        self._chunks = TextChunks(decode=read_chunk, plain=plain_chunk)
        self._is_whole = False
        self._held: list[bytes] = []
        self._held_size = 0
        self._has_garbage = False
        self._failure: ModelCallFailed | None = None
        self.stage = Stage.WAITING
        self.has_begun = False
        """A delta was handed out; from now on a failure is an interruption."""
        self.is_over = False
        """The provider said that nothing follows, or reported an error."""

    def feed(self, piece: bytes) -> Sequence[chat.ModelEvent]:
        """Return the events of one network read."""
        if (
            self.has_begun
            and self._sse is not None
            and self._sse.takes_whole(piece)
            and (text := self._chunks.read(piece))
        ):  # nearly always
            return (chat.TextDelta(text),)
        if self._sse is None:
            piece = self._sniff(piece)
            if self._sse is None:
                return ()
        for event in self._sse.feed(piece):
            self._take(event.data)
            if self.is_over:
                break
        return self._folder.drain() if self.has_begun else self._drain()

    def finish(self) -> Sequence[chat.ModelEvent]:
        """Return the last events, once the body ended or ``is_over``.

        Raises:
            ModelCallFailed: the body was no reply, reported an error, or broke off.
        """
        events: list[chat.ModelEvent] = []
        if not self.is_over:
            events.extend(self._last_words())
        if self._failure is not None:
            raise self._interrupted(self._failure) if self.has_begun else self._failure
        if not self._folder.is_started or not (self.is_over or self.stage is Stage.TOLD):
            raise self._broken_off()
        return [*events, *self._folder.close()]

    def _last_words(self) -> Sequence[chat.ModelEvent]:
        """Take what only the end of the body completes."""
        if self._is_whole:
            whole = b"".join(self._held)
            self._take(whole.lstrip(_BLANK))
            self.is_over = not self._has_garbage
        elif self._sse is not None:
            for event in self._sse.finish():
                self._take(event.data)
        return self._drain()

    def _sniff(self, piece: bytes) -> bytes:
        """Hold the body until its first byte tells what it is; return what belongs to a stream."""
        self._held.append(piece)
        self._held_size += len(piece)
        if self._held_size > self._limits.model_reply_bytes:
            self._held.clear()
            self._fail(provider.failed(ModelFailure.MALFORMED, detail="the answer is too large"))
            return b""
        if self._is_whole:
            return b""
        start = b"".join(self._held)
        visible = start.lstrip(_BLANK)
        if visible.startswith(_NOT_A_STREAM):
            self._is_whole = True
            self.stage = Stage.BEGUN
        elif visible:
            self._sse = SseReader(limit_bytes=self._limits.model_event_bytes)
            self._held.clear()
            return start
        else:
            self._held = [start]
        return b""

    def _take(self, data: bytes) -> None:
        if data == _DONE:
            self.is_over = True
            return
        chunk = read_chunk(data)
        if chunk is None:
            self._has_garbage = True
        elif chunk.error:
            self._fail(provider.error_failed(chunk.error, status=0, secret=self._secret))
        elif chunk.choices is None and chunk.usage is None:
            self._take_stranger(data)
        else:
            text = self._folder.take(chunk)
            if text:
                self._chunks.learn(data, chunk, text)
            if self._folder.reason:
                self.stage = Stage.TOLD

    def _take_stranger(self, data: bytes) -> None:
        """Tell an error without the usual wrapping from things to ignore, such as pings."""
        raw = msgspec.json.decode(data.decode("utf-8", "replace"))
        if isinstance(raw, dict) and (raw.get("object") == "error" or raw.get("message")):
            self._fail(provider.error_failed(raw, status=0, secret=self._secret))
        else:
            self._has_garbage = True

    def _drain(self) -> Sequence[chat.ModelEvent]:
        events = self._folder.drain()
        if events and (len(events) > 1 or not isinstance(events[0], chat.ReplyStarted)):
            self.has_begun = True
            if self.stage is Stage.WAITING:
                self.stage = Stage.BEGUN
        return events

    def _fail(self, failure: ModelCallFailed) -> None:
        self._failure = failure
        self.is_over = True

    @staticmethod
    def _interrupted(cause: ModelCallFailed) -> ModelCallFailed:
        detail = cause.message.rstrip(".")
        return provider.failed(ModelFailure.INTERRUPTED, detail=detail, status=cause.status)

    def _broken_off(self) -> ModelCallFailed:
        if self.has_begun:
            return provider.failed(ModelFailure.INTERRUPTED, detail="it has no end")
        if self._has_garbage:
            return provider.failed(ModelFailure.MALFORMED)
        return provider.failed(ModelFailure.EMPTY)


_GOOD: Final = 2  # hundred
_BAD_REQUEST: Final = frozenset({400, 422})
_USAGE_OPTION: Final = re.compile(rb"stream_options|include_usage")
_TAIL_S: Final = 2.0  # how long usage and the end may take once the finish reason is known
_WORTH_A_THREAD_BYTES: Final = 128 * 1024  # encoding this much costs about a millisecond


@PROVIDERS.register("openai")
def openai(endpoint: ModelEndpoint, parts: ProviderParts) -> ChatModel:
    """Open a model of any server with this wire."""
    return OpenAiChatModel(endpoint, parts)


class OpenAiChatModel:
    """One model of one endpoint; remembers whether the server takes ``stream_options``."""

    def __init__(self, endpoint: ModelEndpoint, parts: ProviderParts) -> None:
        self._endpoint = endpoint
        self._parts = parts
        self._profile = provider.profile_of(tenant_address=endpoint.tenant_address)
        self._with_usage = endpoint.capabilities.stream_usage
        self._timeouts = Timeouts(
            connect_s=endpoint.timeouts.connect_s,
            first_s=endpoint.timeouts.first_token_s,
            idle_s=endpoint.timeouts.idle_s,
            total_s=endpoint.timeouts.total_s,
        )

    @cached_property
    def _url(self) -> Url:
        return self._parts.gateway.parse(
            provider.address(self._endpoint.base_url, "/chat/completions"), profile=self._profile
        )

    async def stream(self, request: chat.ChatRequest) -> AsyncGenerator[chat.ModelEvent, None]:
        """Yield the events of the reply; see the port for promises and errors."""
        with closing(await self._send(request)) as reply:
            body = BodyReader(
                model=self._endpoint.model,
                secret=self._endpoint.api_key,
                limits=self._parts.limits,
                tool_names=[tool.name for tool in request.tools],
            )
            stage = Stage.WAITING
            try:
                while not body.is_over and (piece := await reply.read_any()):
                    events = body.feed(piece)
                    if body.stage is not stage:
                        stage = body.stage
                        _adjust_timeouts(reply, stage)
                    for event in events:
                        yield event
            except error.TransportError as exc:
                if stage is not Stage.TOLD:  # only usage can be missing then
                    raise provider.transport_failed(exc, begun=body.has_begun) from exc
            if body.is_over:
                reply.leave()
            for event in body.finish():
                yield event

    async def _send(self, request: chat.ChatRequest) -> HttpReply:
        """Return a reply with a good status; the caller closes it."""
        with_usage = self._with_usage
        reply = await self._post(request, with_usage=with_usage)
        if reply.status // 100 == _GOOD:
            return reply
        with closing(reply):
            failure, text = await self._failure(reply)
        if with_usage and reply.status in _BAD_REQUEST and _USAGE_OPTION.search(text):
            # For all calls to come: a server that refuses the option once does so always.
            self._with_usage = False
            return await self._send(request)
        raise failure

    async def _post(self, request: chat.ChatRequest, *, with_usage: bool) -> HttpReply:
        if image_bytes(request) > _WORTH_A_THREAD_BYTES:
            body = await asyncio.to_thread(self._encode, request, with_usage=with_usage)
        else:
            body = self._encode(request, with_usage=with_usage)
        sent(body)
        gateway = self._parts.gateway
        try:
            return await gateway.send(
                "POST",
                self._url,
                profile=self._profile,
                timeouts=self._timeouts,
                headers=provider.provider_headers(
                    self._endpoint.api_key, self._endpoint.headers, accept="text/event-stream"
                ),
                body=body,
            )
        except (error.TransportError, EgressDenied) as exc:
            raise provider.transport_failed(exc) from exc

    def _encode(self, request: chat.ChatRequest, *, with_usage: bool) -> bytes:
        return msgspec.json.encode(self._body(request, with_usage=with_usage))

    def _body(self, request: chat.ChatRequest, *, with_usage: bool) -> dict[str, Any]:
        return chat_body(request, self._endpoint, with_usage=with_usage)

    async def _failure(self, reply: HttpReply) -> tuple[ModelCallFailed, bytes]:
        try:
            body = await reply.read_prefix(limit_bytes=self._parts.limits.model_error_bytes)
        except error.TransportError:
            body = b""  # the status alone says enough
        failure = provider.status_failed(
            reply.status,
            body,
            reply.headers,
            secret=self._endpoint.api_key,
            now=self._parts.clock.now(),
        )
        return failure, body


def _adjust_timeouts(reply: HttpReply, stage: Stage) -> None:
    if stage is Stage.TOLD:
        reply.hurry(_TAIL_S)
    else:
        reply.begun()
        reply.gather()


_REASONS: Final = {
    "stop": chat.FinishReason.STOP,
    "eos": chat.FinishReason.STOP,
    "eos_token": chat.FinishReason.STOP,
    "end_turn": chat.FinishReason.STOP,
    "stop_sequence": chat.FinishReason.STOP,
    "length": chat.FinishReason.LENGTH,
    "max_tokens": chat.FinishReason.LENGTH,
    "model_length": chat.FinishReason.LENGTH,
    "tool_calls": chat.FinishReason.TOOL_CALLS,
    "tool_use": chat.FinishReason.TOOL_CALLS,
    "function_call": chat.FinishReason.TOOL_CALLS,
    "content_filter": chat.FinishReason.CONTENT_FILTER,
    "sensitive": chat.FinishReason.CONTENT_FILTER,
    "safety": chat.FinishReason.CONTENT_FILTER,
    "error": chat.FinishReason.ERROR,
    "network_error": chat.FinishReason.ERROR,
    "insufficient_system_resource": chat.FinishReason.ERROR,
}


class _Call(msgspec.Struct):
    """A tool call that is being written; announced once its name is complete."""

    index: int
    id: str = ""
    name: str = ""
    is_announced: bool = False
    arguments: list[str] = []

    @property
    def is_complete(self) -> bool:
        """Whether the arguments are a whole JSON object."""
        try:
            return isinstance(msgspec.json.decode("".join(self.arguments)), dict)
        except msgspec.DecodeError:
            return False


class ReplyFolder:
    """Takes chunks, gives events; adjacent text of one batch becomes one delta.

    Each tool call announces id and name once, whole, with the first piece of its arguments.
    """

    def __init__(self, *, model: str, tool_names: Collection[str]) -> None:
        self._model = model
        self._tool_names = frozenset(tool_names)
        self._out: list[chat.ModelEvent] = []
        self._text: list[str] = []
        self._thoughts: list[str] = []
        self._calls: list[_Call] = []
        self._by_index: dict[int, _Call] = {}
        self._usage: chat.Usage | None = None
        self._refusal = ""
        self._has_said = False
        self.is_started = False
        """A chunk was taken."""
        self.reason = ""
        """The provider's word for why the reply ended; empty until it said so."""

    def take(self, chunk: Chunk) -> str:
        """Fold one chunk in; return its text."""
        text = ""
        if not self.is_started:
            self.is_started = True
            response_id = chunk.id or f"chatcmpl-{uuid.uuid4().hex}"
            self._out.append(chat.ReplyStarted(response_id, chunk.model or self._model))
        if chunk.choices:
            choice = chunk.choices[0]
            delta = choice.delta or choice.message
            if delta is not None:
                if delta.reasoning_content or delta.reasoning or delta.reasoning_details:
                    self._take_thought(delta)
                text = self._said(delta)
                if text:
                    if self._thoughts:
                        self._flush()
                    self._text.append(text)
                if delta.tool_calls or delta.function_call:
                    self._take_calls(delta)
            if choice.finish_reason:
                self.reason = choice.finish_reason
            if choice.usage is not None:
                self._usage = usage_of(chunk) or self._usage
        if chunk.usage is not None or chunk.x_groq is not None:
            self._usage = usage_of(chunk) or self._usage
        return text

    def _said(self, delta: Delta) -> str:
        """Return the text of a piece; a refusal waits for the end, unless there is text as well."""
        text = delta.content or ""
        if delta.refusal and not text:
            self._refusal += delta.refusal
        if text or self._has_said:
            self._has_said = True
            text, self._refusal = self._refusal + text, ""
        return text

    def drain(self) -> Sequence[chat.ModelEvent]:
        """Return the events of the chunks taken since the last call."""
        if self._text and not self._out:  # nearly always
            events: list[chat.ModelEvent] = [chat.TextDelta("".join(self._text))]
            self._text.clear()
            return events
        self._flush()
        events, self._out = self._out, []
        return events

    def close(self) -> Sequence[chat.ModelEvent]:
        """Return the last events: calls not yet announced, usage, the end."""
        self._flush()
        for call in self._calls:
            self._announce(call)
        events = list(self.drain())
        if self._usage is not None:
            events.append(chat.UsageReported(self._usage))
        if self._refusal and not self._calls:
            events.append(chat.ReplyFinished(chat.FinishReason.REFUSAL, self._refusal))
        else:
            events.append(chat.ReplyFinished(self._finish_reason()))
        return events

    def _take_thought(self, delta: Delta) -> None:
        thought = delta.reasoning_content or delta.reasoning
        if not thought and delta.reasoning_details:
            thought = _thought(delta.reasoning_details)
        if thought:
            if self._text:
                self._flush()
            self._thoughts.append(thought)

    def _take_calls(self, delta: Delta) -> None:
        if delta.tool_calls:
            for piece in delta.tool_calls:
                self._take_call(piece)
        elif delta.function_call is not None:
            self._take_call(CallPiece(index=0, function=delta.function_call))

    def _flush(self) -> None:
        """Emit pending text or reasoning; at most one of them is pending."""
        if self._text:
            self._out.append(chat.TextDelta("".join(self._text)))
            self._text.clear()
        if self._thoughts:
            self._out.append(chat.ReasoningDelta("".join(self._thoughts)))
            self._thoughts.clear()

    def _take_call(self, piece: CallPiece) -> None:
        self._flush()
        function = piece.function or FunctionPiece()
        call = self._call_of(piece, function)
        if function.name and not call.is_announced:
            call.name = self._joined(call.name, function.name)
        arguments = _argument_text(function)
        if arguments:
            call.arguments.append(arguments)
            if call.is_announced:
                self._out.append(chat.ToolCallDelta(index=call.index, arguments=arguments))
            elif call.name:
                self._announce(call)

    def _call_of(self, piece: CallPiece, function: FunctionPiece) -> _Call:
        """Find the call a piece belongs to; vendors omit or repeat indexes and ids."""
        known = self._known_call(piece)
        if known is None or self._starts_anew(known, piece, function):
            known = _Call(index=len(self._calls))
            self._calls.append(known)
        if piece.index is not None:
            self._by_index[piece.index] = known
        if piece.id and not known.id:
            known.id = piece.id
        return known

    def _known_call(self, piece: CallPiece) -> _Call | None:
        if piece.index is not None:
            return self._by_index.get(piece.index)
        for call in reversed(self._calls):
            if not piece.id or call.id == piece.id:
                return call
        return None

    @staticmethod
    def _starts_anew(call: _Call, piece: CallPiece, function: FunctionPiece) -> bool:
        """Whether a piece that points at a written call really opens another one."""
        if not function.name or (piece.id and piece.id == call.id):
            return False
        if piece.index is not None and not piece.id:
            return False
        return call.is_complete

    def _joined(self, name: str, piece: str) -> str:
        """Join a name sent in parts; some vendors repeat it, whole or growing, in each chunk."""
        if not name or piece == name:
            return piece
        if piece in self._tool_names and piece.startswith(name):
            return piece
        joined = name + piece
        return name if name in self._tool_names and joined not in self._tool_names else joined

    def _announce(self, call: _Call) -> None:
        if not call.is_announced:
            call.is_announced = True
            self._flush()
            self._out.append(
                chat.ToolCallDelta(
                    index=call.index,
                    id=call.id or f"call_{uuid.uuid4().hex[:24]}",
                    name=call.name,
                    arguments="".join(call.arguments),
                )
            )

    def _finish_reason(self) -> chat.FinishReason:
        # Vendors invent words for a normal end; no word of theirs is worth failing a whole reply.
        reason = _REASONS.get(self.reason.lower(), chat.FinishReason.STOP)
        if self._calls and reason is chat.FinishReason.STOP:
            return chat.FinishReason.TOOL_CALLS
        return reason


def _argument_text(function: FunctionPiece) -> str:
    if isinstance(function.arguments, dict):
        return msgspec.json.encode(function.arguments).decode()
    return function.arguments or ""


def _thought(details: Sequence[Any]) -> str:
    """Join the readable parts of ``reasoning_details``; encrypted ones carry no text."""
    found: list[str] = []
    for detail in details:
        if isinstance(detail, dict):
            text = detail.get("text") or detail.get("summary")
            if isinstance(text, str):
                found.append(text)
    return "".join(found)
