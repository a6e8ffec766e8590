"""Bodies of traces: what a run told, as it is stored: encoded, masked and cut."""

from collections.abc import Callable, Sequence
from typing import Any, Final

import msgspec

from domain.shared.chat import Usage
from domain.shared.span import NOTHING_USED, Span, SpanKind, SpanLog
from domain.trace.redaction import Mask, masked
from domain.trace.value import SpanUsage, StoredSpan

_LARGE: Final = 1024
"""Bytes from which a field is cut where a trace is too large."""
_ERROR_CHARS: Final = 1000
_UNUSED: Final = SpanUsage()
_PLAIN: Final = frozenset({SpanKind.AGENT, SpanKind.NODE, SpanKind.STEP, SpanKind.WORKFLOW})
"""Their attributes are ids and words of ours, which hide nothing."""

Field = tuple[int, str]


def stored_spans(
    log: SpanLog, *, masks: Sequence[Mask], field_bytes: int, most_bytes: int
) -> list[StoredSpan]:
    """Return the spans of a log that is closed."""
    texts: dict[Field, str] = {}
    for at, span in enumerate(log.spans):
        if span.input is not None:
            texts[at, "input"] = _text(span.input)
        if span.output is not None:
            texts[at, "output"] = _text(span.output)
        if span.error:
            texts[at, "error"] = span.error[:_ERROR_CHARS]
        if span.attributes and span.kind not in _PLAIN:
            texts[at, "attributes"] = _text(span.attributes)
    if texts:
        texts = dict(zip(texts, masked(list(texts.values()), masks=masks), strict=True))
        content = {key: text for key, text in texts.items() if key[1] in {"input", "output"}}
        texts |= _within(
            {key: cut(text, field_bytes) for key, text in content.items()}, most_bytes=most_bytes
        )
    return [_stored(log, at, span, texts) for at, span in enumerate(log.spans)]


def cut(text: str, most_bytes: int) -> str:
    """Return a text of at most so many bytes, and a mark that says how many are missing."""
    if len(text) * 4 <= most_bytes:
        return text
    data = text.encode("utf-8", "replace")
    if len(data) <= most_bytes:
        return text
    return f"{data[:most_bytes].decode(errors='ignore')}{_mark(len(data) - most_bytes)}"


def _mark(missing: int) -> str:
    return f"…[{missing} bytes left out]"


def _within(texts: dict[Field, str], *, most_bytes: int) -> dict[Field, str]:
    """Cut the oldest large fields until all of them fit together."""
    total = sum(map(len, texts.values()))
    if total * 4 <= most_bytes:
        return texts
    sizes = {key: len(text.encode("utf-8", "replace")) for key, text in texts.items()}
    total = sum(sizes.values())
    for key, size in sizes.items():
        if total <= most_bytes:
            break
        if size > _LARGE:
            texts[key] = _mark(size)
            total -= size
    return texts


def _text(value: object) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    try:
        return msgspec.json.encode(value, enc_hook=str).decode()
    except (TypeError, ValueError, RecursionError, OverflowError):
        return f"[{type(value).__name__}: no JSON]"


_decode: Final[Callable[[str], Any]] = msgspec.json.Decoder(dict[str, Any]).decode


def _stored(log: SpanLog, at: int, span: Span, texts: dict[Field, str]) -> StoredSpan:
    attributes = span.attributes or {}
    if attributes and span.kind not in _PLAIN:
        try:
            attributes = _decode(texts[at, "attributes"])
        except msgspec.DecodeError:  # a mask took a number's place
            attributes = {}
    return StoredSpan(
        id=span.id,
        parent=span.parent_id,
        kind=span.kind,
        name=span.name,
        start_us=(span.began_ns - log.began_ns) // 1000,
        duration_us=max(0, span.ended_ns - span.began_ns) // 1000,
        status=span.status,
        error_code=span.error_code,
        error=texts.get((at, "error"), "") if span.error else "",
        attributes=attributes,
        input=None if span.input is None else texts[at, "input"],
        output=None if span.output is None else texts[at, "output"],
        usage=_UNUSED if span.usage is NOTHING_USED else _usage(span.usage),
        cost=span.cost,
        links=span.links,
    )


def _usage(used: Usage) -> SpanUsage:
    return SpanUsage(
        input_tokens=used.input_tokens,
        output_tokens=used.output_tokens,
        cached_tokens=used.cached_tokens,
        reasoning_tokens=used.reasoning_tokens,
        estimated=used.estimated,
    )
