"""Folding the chunks of one OpenAI-compatible reply into model events."""

import uuid
from collections.abc import Collection, Sequence
from typing import Any, Final

import msgspec

from domain.shared.chat import (
    FinishReason,
    ModelEvent,
    ReasoningDelta,
    ReplyFinished,
    ReplyStarted,
    TextDelta,
    ToolCallDelta,
    Usage,
    UsageReported,
)
from infra.impl.chat_model.openai_chunk import CallPiece, Chunk, Delta, FunctionPiece, usage_of

_REASONS: Final = {
    "stop": FinishReason.STOP,
    "eos": FinishReason.STOP,
    "eos_token": FinishReason.STOP,
    "end_turn": FinishReason.STOP,
    "stop_sequence": FinishReason.STOP,
    "length": FinishReason.LENGTH,
    "max_tokens": FinishReason.LENGTH,
    "model_length": FinishReason.LENGTH,
    "tool_calls": FinishReason.TOOL_CALLS,
    "tool_use": FinishReason.TOOL_CALLS,
    "function_call": FinishReason.TOOL_CALLS,
    "content_filter": FinishReason.CONTENT_FILTER,
    "sensitive": FinishReason.CONTENT_FILTER,
    "safety": FinishReason.CONTENT_FILTER,
    "error": FinishReason.ERROR,
    "network_error": FinishReason.ERROR,
    "insufficient_system_resource": FinishReason.ERROR,
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
        self._out: list[ModelEvent] = []
        self._text: list[str] = []
        self._thoughts: list[str] = []
        self._calls: list[_Call] = []
        self._by_index: dict[int, _Call] = {}
        self._usage: Usage | None = None
        self.is_started = False
        """A chunk was taken."""
        self.reason = ""
        """The provider's word for why the reply ended; empty until it said so."""

    def take(self, chunk: Chunk) -> None:
        """Fold one chunk in."""
        if not self.is_started:
            self.is_started = True
            response_id = chunk.id or f"chatcmpl-{uuid.uuid4().hex}"
            self._out.append(ReplyStarted(response_id, chunk.model or self._model))
        if chunk.choices:
            choice = chunk.choices[0]
            delta = choice.delta or choice.message
            if delta is not None:
                self._take_delta(delta)
            if choice.finish_reason:
                self.reason = choice.finish_reason
            if choice.usage is not None:
                self._usage = usage_of(chunk) or self._usage
        if chunk.usage is not None or chunk.x_groq is not None:
            self._usage = usage_of(chunk) or self._usage

    def drain(self) -> Sequence[ModelEvent]:
        """Return the events of the chunks taken since the last call."""
        if self._text or self._thoughts:
            self._flush()
        events, self._out = self._out, []
        return events

    def close(self) -> Sequence[ModelEvent]:
        """Return the last events: calls not yet announced, usage, the end."""
        self._flush()
        for call in self._calls:
            self._announce(call)
        events = list(self.drain())
        if self._usage is not None:
            events.append(UsageReported(self._usage))
        events.append(ReplyFinished(self._finish_reason()))
        return events

    def _take_delta(self, delta: Delta) -> None:
        thought = delta.reasoning_content or delta.reasoning
        if not thought and delta.reasoning_details:
            thought = _thought(delta.reasoning_details)
        if thought:
            if self._text:
                self._flush()
            self._thoughts.append(thought)
        text = delta.content or delta.refusal
        if text:
            if self._thoughts:
                self._flush()
            self._text.append(text)
        if delta.tool_calls:
            for piece in delta.tool_calls:
                self._take_call(piece)
        elif delta.function_call is not None:
            self._take_call(CallPiece(index=0, function=delta.function_call))

    def _flush(self) -> None:
        """Emit pending text or reasoning; at most one of them is pending."""
        if self._text:
            self._out.append(TextDelta("".join(self._text)))
            self._text.clear()
        if self._thoughts:
            self._out.append(ReasoningDelta("".join(self._thoughts)))
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
                self._out.append(ToolCallDelta(index=call.index, arguments=arguments))
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
                ToolCallDelta(
                    index=call.index,
                    id=call.id or f"call_{uuid.uuid4().hex[:24]}",
                    name=call.name,
                    arguments="".join(call.arguments),
                )
            )

    def _finish_reason(self) -> FinishReason:
        # Vendors invent words for a normal end; no word of theirs is worth failing a whole reply.
        reason = _REASONS.get(self.reason.lower(), FinishReason.STOP)
        if self._calls and reason is FinishReason.STOP:
            return FinishReason.TOOL_CALLS
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
