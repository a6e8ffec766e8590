"""One call of one model: place, breaker, ledger entry, thoughts and calls told from text."""

import asyncio
import re
import uuid
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from io import StringIO
from math import ceil
from typing import Final, Literal, assert_never

import msgspec

from domain.model.reasoning import ThinkExtractor
from domain.model.runtime import Caller, ModelRuntime, chat_of
from domain.model.tokens import TokenCorrection, count_input, count_json, count_text
from domain.model.tool_prompt import prompted
from domain.model.tool_prompt_reply import CallDetector
from domain.shared.chat import (
    Capabilities,
    ChatMessage,
    ChatRequest,
    ContentReplaced,
    FinishReason,
    ModelCall,
    ModelEvent,
    OutputFormat,
    ReasoningDelta,
    ReplyFinished,
    ReplyStarted,
    TextDelta,
    ToolCallDelta,
    Usage,
    UsageReported,
)
from domain.shared.tracing.span import NOTHING, Span, SpanKind, SpanStatus, begun, within
from infra.contract.clock import Clock
from infra.contract.model.chat_model import ModelCallFailed, ModelFailure


def format_in_words(request: ChatRequest, capabilities: Capabilities) -> ChatRequest:
    """Return a request that tells the JSON it wants in words, unless the wire says it all.

    Beside tools it is told as well: some vendors take either tools or a format, and leave the
    format out. Models that are told their tools in words mark calls and answers in their text, so
    the wire must not force that text to be JSON.
    """
    if request.output is not OutputFormat.JSON:
        return request
    schema = request.json_schema
    in_words = bool(request.tools) and capabilities.tools not in {"native", "none"}
    is_told = capabilities.json_object if schema is None else capabilities.json_schema
    if is_told and not request.tools:
        return request
    if in_words or not (is_told or _is_object(request)):
        request = msgspec.structs.replace(request, output=OutputFormat.TEXT, json_schema=None)
    if schema is None:
        rule = "The answer is one JSON object, with no words around it and no fence."
    else:
        text = msgspec.json.encode(schema).decode()
        rule = (
            "The answer is JSON, with no words around it and no fence. It follows this JSON "
            f"schema: {text}"
        )
    at = next((n for n, m in enumerate(request.messages) if m.role != "system"), 0)
    told = ChatMessage.of_text("system", rule)
    messages = (*request.messages[:at], told, *request.messages[at:])
    return msgspec.structs.replace(request, messages=messages)


def _is_object(request: ChatRequest) -> bool:
    """Tell whether an object is wanted, which is all that modes without a schema know."""
    return request.json_schema is None or request.json_schema.get("type", "object") == "object"


Purpose = Literal[
    "chat",
    "vision",
    "suggestion",
    "title",
    "summary",
    "memory",
    "query_rewrite",
    "routing",
    "nl2sql",
]
Outcome = Literal["ok", "failed", "canceled"]

_ERROR_CHARS: Final = 300

# How servers say that a model has no calls: Ollama, OpenAI lookalikes, OpenRouter, vLLM.
_NO_CALLS: Final = re.compile(
    r"(not support|unsupported|no endpoints found that support).{0,20}(tool|function)"
    r"|(tool|function).{0,20}(not supported|unsupported)|enable-auto-tool-choice"
)
_MISCONFIGURED: Final = frozenset({ModelFailure.AUTH, ModelFailure.UNKNOWN_MODEL})
"""Only whoever configures models can mend these, and must know which one it is."""
_MAY_REFUSE_TOOLS: Final = frozenset({ModelFailure.INVALID_REQUEST, ModelFailure.UNKNOWN_MODEL})

# Here the provider says itself why there is nothing; asking again would not help.
_MAY_BE_EMPTY: Final = frozenset({FinishReason.LENGTH, FinishReason.CONTENT_FILTER})

# The provider had read the input by then, and may charge for it.
_COSTS_INPUT: Final = frozenset(
    {
        ModelFailure.TIMEOUT,
        ModelFailure.EMPTY,
        ModelFailure.MALFORMED,
        ModelFailure.INTERRUPTED,
        ModelFailure.CONTENT_FILTER,
    }
)


@dataclass(kw_only=True)
class Attempt:
    """Use once: ``run`` streams the reply; ``delivered`` says whether any of it got out.

    Nothing is yielded before the first piece of content, so that an attempt that fails until then
    can be repeated unseen. A model without calls of its own gets the tools in words, and the calls
    are found in its text.
    """

    runtime: ModelRuntime
    caller: Caller
    request: ChatRequest
    purpose: Purpose
    number: int
    record_call: Callable[[ModelCall], None]
    correction: TokenCorrection
    monotonic: Callable[[], float]
    clock: Clock
    delivered: bool = False
    has_learned: bool = False
    """It failed for a reason that the next attempt avoids, whatever the policy of retries."""

    _sent: ChatRequest = field(init=False)
    _extractor: ThinkExtractor = field(init=False)
    _detector: CallDetector | None = None
    _started: ReplyStarted | None = None
    _started_at: float = 0.0
    _first_at: float | None = None
    _text: StringIO = field(default_factory=StringIO)
    _thoughts: StringIO = field(default_factory=StringIO)
    _calls: StringIO = field(default_factory=StringIO)
    _usage: Usage | None = None
    _chunks: int = 0
    _is_recorded: bool = False
    _span: Span = NOTHING
    _asked: list[ToolCallDelta] = field(default_factory=list)
    """Pieces of calls, where a trace shows them."""

    def __post_init__(self) -> None:
        model = self.runtime.model
        is_implied = model.capabilities.implied_open_tag
        self._extractor = ThinkExtractor(
            model.spec.reasoning.within(self.request.thought_tags),
            implied_open=is_implied or self.runtime.has_learned_implied_open,
            is_implication_learned=not is_implied,
        )
        able = model.capabilities
        if able.tools == "native" and self.runtime.has_learned_no_calls:
            able = msgspec.structs.replace(able, tools="prompt_prefix")
        style = able.tools
        self._sent = format_in_words(self.request, able)
        if style != "native":
            self._sent = prompted(self._sent, style)
            if self.request.tools and style != "none":
                names = [tool.name for tool in self.request.tools]
                self._detector = CallDetector(style, names, new_id=_call_id)

    async def run(self) -> AsyncGenerator[ModelEvent, None]:
        """Stream the reply, usage and end included.

        Raises:
            ModelBusy, BreakerOpen: nothing was sent, nothing is recorded.
            ModelCallFailed: recorded.
        """
        chat = chat_of(self.runtime)
        await self.runtime.enter(self.caller)
        try:
            self.runtime.breaker.enter()
            self._started_at = self.monotonic()
            self._span = begun(SpanKind.MODEL, self.runtime.model.name)
            try:
                passes, keep = self._extractor.passes, self._text.write
                is_plain = self._detector is None
                async with aclosing(chat.stream(self._sent)) as events:
                    if self._span.is_on:
                        with within(self._span):  # while the request is sent
                            first = await anext(events, None)
                        if first is not None:
                            for piece in self._translate(first):
                                yield piece
                    async for event in events:
                        if (
                            is_plain
                            and self.delivered
                            and type(event) is TextDelta
                            and passes(event.text)
                        ):
                            keep(event.text)
                            self._chunks += 1
                            yield event
                            continue
                        for piece in self._translate(event):
                            yield piece
                self._require_end()
            except ModelCallFailed as exc:
                self._fail(exc)
                raise
            except (asyncio.CancelledError, GeneratorExit):
                self._give_up("canceled")
                raise
            except Exception as exc:
                self._give_up("failed", error=type(exc).__name__)
                raise
        finally:
            self.runtime.leave(self.caller)

    def _translate(self, event: ModelEvent) -> Sequence[ModelEvent]:
        """Return what a caller gets for one event of the adapter; often nothing yet."""
        if self._is_recorded:
            return ()  # whatever follows the end
        pieces: Sequence[ModelEvent]
        match event:
            case ReplyStarted():
                self._started = event
                return ()
            case UsageReported():
                self._usage = event.usage
                return ()
            case TextDelta():
                pieces = self._extractor.feed(event.text)
            case ReasoningDelta():
                self._extractor.bypass()
                pieces = (event,)
            case ToolCallDelta() | ContentReplaced():
                pieces = (event,)
            case ReplyFinished():
                return self._delivering(self._end(event))
            case _:
                assert_never(event)
        pieces = self._detected(pieces)
        if not pieces:
            return ()
        self._take(pieces)
        self._chunks += 1
        return self._delivering(pieces)

    def _detected(self, pieces: Sequence[ModelEvent]) -> Sequence[ModelEvent]:
        """Return the pieces with the calls in their text found."""
        detector = self._detector
        if detector is None:
            return pieces
        found: list[ModelEvent] = []
        for piece in pieces:
            match piece:
                case TextDelta():
                    found.extend(detector.feed(piece.text))
                case ContentReplaced():
                    detector.restart()
                    events = detector.feed(piece.text)
                    text = "".join(event.text for event in events if isinstance(event, TextDelta))
                    found.append(ContentReplaced(text=text, reasoning=piece.reasoning))
                    found.extend(event for event in events if isinstance(event, ToolCallDelta))
                case _:
                    found.append(piece)
        return found

    def _delivering(self, pieces: Sequence[ModelEvent]) -> Sequence[ModelEvent]:
        if self.delivered:
            return pieces
        self.delivered = True
        self._first_at = self.monotonic()
        model = self.runtime.model
        return (self._started or ReplyStarted(response_id="", model=model.name), *pieces)

    def _take(self, pieces: Sequence[ModelEvent]) -> None:
        """Keep the reply's content, to tell whether it is empty and to estimate its tokens."""
        for piece in pieces:
            match piece:
                case TextDelta():
                    self._text.write(piece.text)
                case ReasoningDelta():
                    self._thoughts.write(piece.text)
                case ContentReplaced():
                    _rewrite(self._text, piece.text)
                    _rewrite(self._thoughts, piece.reasoning)
                case ToolCallDelta():
                    self._calls.write(piece.name + piece.arguments)
                    if self._span.keeps_content:
                        self._asked.append(piece)
                case _:
                    pass  # no content

    def _end(self, event: ReplyFinished) -> Sequence[ModelEvent]:
        """Flush, judge and account for a reply that came to its end."""
        reason = event.reason
        is_cut = reason is FinishReason.LENGTH
        self._text.write(event.refusal)
        rest: Sequence[ModelEvent] = self._detected(self._extractor.finish(is_cut=is_cut))
        if self._detector is not None:
            rest = (*rest, *self._detector.finish(is_cut=is_cut))
            if self._detector.has_calls and reason is FinishReason.STOP:
                reason = FinishReason.TOOL_CALLS
        if self._extractor.found_orphan_close:
            self.runtime.has_learned_implied_open = True
        elif self._extractor.is_implication_refuted:
            self.runtime.has_learned_implied_open = False
        self._take(rest)
        self._require_content(reason)
        if reason is FinishReason.TOOL_CALLS and not self._calls.tell():
            reason = FinishReason.STOP
        self.runtime.breaker.succeeded()
        self.runtime.configuration_error = ""
        usage = self._record("ok", finish_reason=reason.value)
        return (*rest, UsageReported(usage), ReplyFinished(reason, event.refusal))

    def _require_content(self, reason: FinishReason) -> None:
        if self._calls.tell() or self._text.getvalue().strip():
            return
        if self._thoughts.getvalue().strip():
            if reason is not FinishReason.CONTENT_FILTER:
                raise self._failure("thought but did not answer", ModelFailure.EMPTY)
        elif reason not in _MAY_BE_EMPTY:
            raise self._failure("gave an empty reply", ModelFailure.EMPTY)

    def _require_end(self) -> None:
        if not self._is_recorded:
            raise self._failure(
                "broke off",
                ModelFailure.INTERRUPTED if self.delivered else ModelFailure.MALFORMED,
            )

    def _failure(self, what: str, failure: ModelFailure) -> ModelCallFailed:
        name = self.runtime.model.name
        return ModelCallFailed(f"The model {name} {what}.", failure=failure, model=name)

    def _fail(self, failure: ModelCallFailed) -> None:
        if self._is_recorded:
            return
        self.runtime.breaker.failed(failure.failure)
        if self._sent.tools and _refuses_tools(failure):
            self.runtime.has_learned_no_calls = self.has_learned = True
        if failure.failure in _MISCONFIGURED:
            failure.name_model(self.runtime.model.name, purpose=self.purpose.replace("_", " "))
            self.runtime.configuration_error = failure.message
        self._record(
            "failed",
            error=f"{failure.failure.value}: {failure.message}",
            costs_input=failure.failure in _COSTS_INPUT,
        )

    def _give_up(self, outcome: Outcome, *, error: str = "") -> None:
        if not self._is_recorded:
            self.runtime.breaker.abandoned()
            self._record(outcome, error=error)

    def _record(
        self,
        outcome: Outcome,
        *,
        finish_reason: str = "",
        error: str = "",
        costs_input: bool = True,
    ) -> Usage:
        """Write the ledger entry, whatever the fate of the call; synchronous, so never skipped."""
        self._is_recorded = True
        ended_at = self.monotonic()
        model = self.runtime.model
        usage = self._usage_of(is_complete=outcome == "ok", costs_input=costs_input)
        first_at = self._first_at
        if first_at is None and outcome == "ok":
            first_at = ended_at
        charge = self.runtime.pricing.charge(usage)
        call = ModelCall(
            model=model.name,
            provider=model.spec.kind,
            attempt=self.number,
            purpose=self.purpose,
            usage=usage,
            outcome=outcome,
            finish_reason=finish_reason,
            error=error[:_ERROR_CHARS],
            first_token_ms=None if first_at is None else _ms(first_at - self._started_at),
            total_ms=_ms(ended_at - self._started_at),
            output_chunks=self._chunks,
            ended_at=self.clock.now(),
            cost=charge.points,
            has_points=charge.has_points,
            money=charge.money,
            currency=charge.currency,
            price_version=charge.version,
        )
        self.record_call(call)
        if self._span.is_on:
            self._tell(call)
        return usage

    def _tell(self, call: ModelCall) -> None:
        """Let the trace of the run know what became of the call."""
        span, sent = self._span, self._sent
        started = self._started
        facts: dict[str, object] = {
            "provider": call.provider,
            "purpose": call.purpose,
            "finish_reason": call.finish_reason,
            "response_model": started.model if started else "",
            "response_id": started.response_id if started else "",
            "max_output_tokens": sent.max_output_tokens,
            "stop": sent.stop,
            "reasoning_effort": sent.reasoning_effort,
            "tools": len(sent.tools),
            "chunks": call.output_chunks,
        }
        # Of these nought says nothing either; of how to sample, what is set is said.
        span.note(
            attempt=call.attempt,
            **{name: fact for name, fact in facts.items() if fact},
            **msgspec.to_builtins(sent.sampling),
        )
        if call.first_token_ms is not None:
            span.note(first_token_ms=call.first_token_ms)
        span.used(call.usage, call.cost)
        if span.keeps_content:
            span.gave(self._reply(call.finish_reason))
        if call.outcome == "failed":
            span.fail(call.error)
        elif call.outcome == "canceled":
            span.status = SpanStatus.CANCELLED
        span.end()

    def _reply(self, finish_reason: str) -> dict[str, object]:
        """Return what came back, as a trace shows it."""
        calls: dict[int, dict[str, str]] = {}
        for piece in self._asked:
            made = calls.setdefault(piece.index, {"id": "", "name": "", "arguments": ""})
            made["id"] = piece.id or made["id"]
            made["name"] = piece.name or made["name"]
            made["arguments"] += piece.arguments
        reply: dict[str, object] = {"text": self._text.getvalue()}
        if thoughts := self._thoughts.getvalue():
            reply["reasoning"] = thoughts
        if calls:
            reply["tool_calls"] = [made for _, made in sorted(calls.items())]
        reply["finish_reason"] = finish_reason
        return reply

    def _usage_of(self, *, is_complete: bool, costs_input: bool) -> Usage:
        """Return what the provider reported, or an estimate of what it will charge."""
        if self._usage is not None:
            if is_complete and not self._usage.estimated:
                self.correction.learn(
                    self.runtime.model.key,
                    estimate=count_input(self._sent.messages, self._sent.tools),
                    reported=self._usage.input_tokens,
                )
            return self._usage
        if not (costs_input or self.delivered):
            return Usage()
        thoughts = ceil(count_text(self._thoughts.getvalue()))
        answer = count_text(self._text.getvalue()) + count_json(self._calls.getvalue())
        return Usage(
            input_tokens=self.correction.apply(
                self.runtime.model.key, count_input(self._sent.messages, self._sent.tools)
            ),
            output_tokens=ceil(answer) + thoughts,
            reasoning_tokens=thoughts,
            estimated=True,
        )


def _refuses_tools(failure: ModelCallFailed) -> bool:
    return failure.failure in _MAY_REFUSE_TOOLS and bool(_NO_CALLS.search(failure.message.lower()))


def _call_id() -> str:
    return f"call_{uuid.uuid4().hex[:24]}"


def _rewrite(buffer: StringIO, text: str) -> None:
    buffer.seek(0)
    buffer.truncate()
    buffer.write(text)


def _ms(seconds: float) -> int:
    return round(seconds * 1000)
