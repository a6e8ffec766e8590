"""Bodies of traces: what a run told, as it is stored: encoded, masked and cut."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import repeat
from operator import attrgetter
from typing import Any, Final

import msgspec

from domain.shared.chat import Usage
from domain.shared.tracing.span import NOTHING_USED, Leaf, Span, SpanKind, SpanLog
from domain.trace.capture import Mask
from domain.trace.redaction import masked
from domain.trace.value import SpanUsage, StoredSpan

_LARGE: Final = 1024
"""Bytes from which a field is cut where a trace is too large."""
_ERROR_CHARS: Final = 1000
_UNUSED: Final = SpanUsage()
_CONTENT: Final = ("input", "output")
_SILENT: Final = ("", "")
_encoder: Final = msgspec.json.Encoder(enc_hook=str)
_PLAIN: Final = frozenset({SpanKind.AGENT, SpanKind.NODE, SpanKind.STEP, SpanKind.WORKFLOW})
"""Their attributes are ids and words of ours, which hide nothing."""
_NUMBERS: Final = frozenset({SpanKind.MODEL, SpanKind.EMBEDDING, SpanKind.RERANK})
"""Theirs are numbers, names and ids, but for where a reply is to stop."""

Field = tuple[int, str]
"""Id of a span, and which of its texts."""


def stored_spans(
    log: SpanLog, *, masks: Sequence[Mask], field_bytes: int, most_bytes: int
) -> list[StoredSpan]:
    """Return the spans of a log that is closed, in the order of their ids."""
    values = _values(log)
    leaves = _lines([value for leaf in log.leaves for value in leaf[-2:]]) if _says(log) else []
    told = [*_texts(list(values.values())), *leaves]
    if told:
        told = masked(told, masks=masks)
    texts = dict(zip(values, told, strict=False))
    leaves = told[len(values) :]
    if (told and max(map(len, told)) * 4 > field_bytes) or sum(map(len, told)) * 4 > most_bytes:
        _add_leaves(texts, log.leaves, leaves)
        _shorten(texts, field_bytes=field_bytes, most_bytes=most_bytes)
        leaves = (
            [texts[leaf[0], name] for leaf in log.leaves for name in _CONTENT] if leaves else []
        )
    spans = [_stored(log, span, texts) for span in log.spans]
    if log.leaves:
        spans += _leaves(log, leaves)
        spans.sort(key=attrgetter("id"))
    return spans


def _values(log: SpanLog) -> dict[Field, object]:
    """Return what is said in spans, except for those without anything below them."""
    values: dict[Field, object] = {}
    for span in log.spans:
        if span.input is not None:
            values[span.id, "input"] = span.input
        if span.output is not None:
            values[span.id, "output"] = span.output
        if span.error:
            values[span.id, "error"] = span.error[:_ERROR_CHARS]
        if span.attributes and not _is_plain(span):
            values[span.id, "attributes"] = span.attributes
    return values


def _is_plain(span: Span) -> bool:
    """Tell whether the attributes of a span need not be masked."""
    kind = span.kind
    return kind in _PLAIN or (kind in _NUMBERS and "stop" not in (span.attributes or ()))


def _says(log: SpanLog) -> bool:
    return log.keeps_content and bool(log.leaves)


def _add_leaves(texts: dict[Field, str], leaves: Sequence[Leaf], told: Sequence[str]) -> None:
    for leaf, given, gave in zip(leaves, told[::2], told[1::2], strict=False):
        texts[leaf[0], "input"], texts[leaf[0], "output"] = given, gave


def _shorten(texts: dict[Field, str], *, field_bytes: int, most_bytes: int) -> None:
    """Cut what was said: each text, then all of them together."""
    content = {key: cut(texts[key], field_bytes) for key in sorted(texts) if key[1] in _CONTENT}
    texts |= _within(content, most_bytes=most_bytes)


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


def _texts(values: Sequence[object]) -> list[str]:
    """Return values as texts; what is none becomes JSON."""
    line = iter(_lines([value for value in values if not isinstance(value, str | bytes)]))
    return [_text(value) if isinstance(value, str | bytes) else next(line) for value in values]


def _lines(values: Sequence[object]) -> list[str]:
    """Return values as JSON, made in one pass."""
    if not values:
        return []
    try:
        lines = _encoder.encode_lines(values).decode().split("\n")
    except (TypeError, ValueError, RecursionError, OverflowError):
        lines = []
    if len(lines) == len(values) + 1:
        lines.pop()
        return lines
    return [_text(value) for value in values]  # one is no JSON, or brings lines of its own


def _text(value: object) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    try:
        return _encoder.encode(value).decode()
    except (TypeError, ValueError, RecursionError, OverflowError):
        return f"[{type(value).__name__}: no JSON]"


_decode: Final[Callable[[str], Any]] = msgspec.json.Decoder(dict[str, Any]).decode


def _stored(log: SpanLog, span: Span, texts: Mapping[Field, str]) -> StoredSpan:
    attributes = span.attributes or {}
    if attributes and not _is_plain(span):
        try:
            attributes = _decode(texts[span.id, "attributes"])
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
        error=texts.get((span.id, "error"), ""),
        attributes=attributes,
        input=texts.get((span.id, "input")),
        output=texts.get((span.id, "output")),
        usage=_UNUSED if span.usage is NOTHING_USED else _usage(span.usage),
        cost=span.cost,
        links=span.links,
    )


def _leaves(log: SpanLog, told: Sequence[str]) -> Iterator[StoredSpan]:
    start = log.began_ns
    texts = zip(told[::2], told[1::2], strict=True) if told else repeat(_SILENT)
    for leaf, (given, gave) in zip(log.leaves, texts, strict=False):
        id_, parent, kind, name, began_ns, ended_ns, shared, index, port, before, after = leaf
        attributes = shared if index is None else {**shared, "index": index}
        if port:
            attributes = {**attributes, "port": port}
        yield StoredSpan(
            id=id_,
            parent=parent,
            kind=kind,
            name=name,
            start_us=(began_ns - start) // 1000,
            duration_us=(ended_ns - began_ns) // 1000,
            attributes=attributes,
            input=None if before is None else given,
            output=None if after is None else gave,
        )


def _usage(used: Usage) -> SpanUsage:
    return SpanUsage(
        input_tokens=used.input_tokens,
        output_tokens=used.output_tokens,
        cached_tokens=used.cached_tokens,
        reasoning_tokens=used.reasoning_tokens,
        estimated=used.estimated,
    )
