"""Reading one chunk of an OpenAI-compatible reply: typed and fast, else leniently."""

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from domain.shared.chat import Usage


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


def usage_of(chunk: Chunk) -> Usage | None:
    """Return the token counts wherever this vendor puts them, or None."""
    raw = chunk.usage
    if raw is None and chunk.choices:
        raw = chunk.choices[0].usage
    if raw is None and isinstance(chunk.x_groq, dict):
        raw = chunk.x_groq.get("usage")
    if not isinstance(raw, dict):
        return None
    usage = Usage(
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
