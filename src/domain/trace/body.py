"""Bodies of traces: what a run told, as it is stored: masked, cut, encoded and summed up."""

from collections.abc import Callable, Sequence
from decimal import Decimal
from operator import attrgetter
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from domain.shared.tracing.span import NOTHING_USED, Span, SpanKind, SpanLog
from domain.trace.capture import Mask
from domain.trace.diff import decimal
from domain.trace.leaf import StoredLeaves, has_longer_line, leaf_content, spans_of, stored_leaves
from domain.trace.redaction import masked
from domain.trace.value import StoredSpan

_LARGE: Final = 1024
"""Bytes from which a field is cut where a trace is too large."""
_ERROR_CHARS: Final = 1000
_NAMES: Final = 50
_NOTHING: Final = Decimal(0)
_STEP, _MODEL, _TOOL, _NODE = SpanKind.STEP, SpanKind.MODEL, SpanKind.TOOL, SpanKind.NODE
_PLAIN: Final = frozenset({SpanKind.AGENT, _NODE, _STEP, SpanKind.WORKFLOW})
"""Their attributes are ids and words of ours, which hide nothing."""
_NUMBERS: Final = frozenset({_MODEL, SpanKind.EMBEDDING, SpanKind.RERANK})
"""Theirs are numbers, names and ids, but for where a reply is to stop."""
_ERROR, _ATTRIBUTES, _INPUT, _OUTPUT = map(
    StoredSpan.__struct_fields__.index, ("error", "attributes", "input", "output")
)
_TEXT: Final = (str, bytes)
_json: Final = msgspec.json.Encoder(enc_hook=str)
_decode: Final[Callable[[str], Any]] = msgspec.json.Decoder(dict[str, Any]).decode


class StoredBody(msgspec.Struct, frozen=True):
    """Spans, and the leaves beside them; where there are none, the spans are stored alone."""

    spans: list[StoredSpan]
    leaves: StoredLeaves


_encode: Final = msgspec.msgpack.Encoder().encode
NO_SPANS: Final = _encode([])
_stored: Final[Callable[[bytes], list[StoredSpan] | StoredBody]] = msgspec.msgpack.Decoder(
    list[StoredSpan] | StoredBody
).decode

Said = tuple[list[Any], int, object]
"""What is masked before it is stored: the row it belongs to, its place in there, and itself."""


class EncodedStretch(msgspec.Struct, frozen=True):
    """The spans of one stretch of a run, encoded in the order of their ids, and their sums.

    ``models`` and ``tools`` are the names that occur, each once; ``steps`` are nodes in a workflow.
    """

    spans: bytes
    count: int
    steps: int
    tool_calls: int
    cost: Decimal
    models: tuple[str, ...]
    tools: tuple[str, ...]


def encode_stretch(
    log: SpanLog, *, masks: Sequence[Mask], field_bytes: int, most_bytes: int
) -> EncodedStretch:
    """Return what is stored of a log that is closed.

    One pass from what the run told to what is encoded: there is a row for each span, not an object,
    because whatever runs once in a request costs several times of what it does in a loop.
    """
    rows: list[list[Any]] = []
    said: list[Said] = []
    steps, tool_calls, cost = 0, 0, _NOTHING
    nodes = log.last_id - len(log.spans)
    models: dict[str, None] = {}
    tools: dict[str, None] = {}
    for span in log.spans:
        rows.append(_row(span, log.began_ns, said))
        kind = span.kind
        if kind is _STEP:
            steps += 1
        elif kind is _MODEL:
            models[span.name] = None
        elif kind is _TOOL:
            tool_calls += 1
            tools[span.name] = None
        elif kind is _NODE:
            nodes += 1
        if span.cost != "0":
            cost += decimal(span.cost)
    content = leaf_content(log) if log.leaves and log.keeps_content else None
    if said or content is not None:
        content = _say(
            said, log, content, masks=masks, field_bytes=field_bytes, most_bytes=most_bytes
        )
    body: Any = rows
    if log.leaves:
        body = {"spans": rows, "leaves": stored_leaves(log, content)}
    return EncodedStretch(
        _encode(body),
        log.last_id,
        steps or nodes,
        tool_calls,
        cost,
        tuple(models)[:_NAMES],
        tuple(tools)[:_NAMES],
    )


def decode_spans(data: bytes) -> list[StoredSpan]:
    """Return all spans in the order of their ids.

    Raises:
        msgspec.DecodeError: it is nothing that ``encode_stretch`` returns.
    """
    body = _stored(data)
    if isinstance(body, list):
        return body
    spans = body.spans + spans_of(body.leaves, {span.id for span in body.spans})
    return sorted(spans, key=attrgetter("id"))


def without_content(data: bytes) -> bytes:
    """Return encoded spans as if inputs and outputs had not been kept; raises the same."""
    body = _stored(data)
    if isinstance(body, list):
        return _encode([*map(_bare, body)])
    leaves = replace(body.leaves, content=None)
    return _encode(StoredBody(spans=[*map(_bare, body.spans)], leaves=leaves))


def _bare(span: StoredSpan) -> StoredSpan:
    return replace(span, input=None, output=None)


def _row(span: Span, start_ns: int, said: list[Said]) -> list[Any]:
    """Return the row of a span, and add to ``said`` what is put there later."""
    kind, attributes, began = span.kind, span.attributes, span.began_ns
    since, took = (began - start_ns) // 1000, max(0, span.ended_ns - began) // 1000
    # fmt: off - one line for each group of fields
    row: list[Any] = [
        span.id,
        span.parent_id,
        kind,
        span.name,
        since,
        took,
        span.status,
        span.error_code,
        "",
        attributes or {},
        None,
        None,
    ]
    # fmt: on
    if span.usage is not NOTHING_USED or span.cost != "0" or span.links:
        row += (msgspec.structs.astuple(span.usage), span.cost, span.links)
    if span.error:
        said.append((row, _ERROR, span.error[:_ERROR_CHARS]))
    if attributes and kind not in _PLAIN and (kind not in _NUMBERS or "stop" in attributes):
        said.append((row, _ATTRIBUTES, attributes))
    if span.input is not None:
        said.append((row, _INPUT, span.input))
    if span.output is not None:
        said.append((row, _OUTPUT, span.output))
    return row


def _say(
    said: Sequence[Said],
    log: SpanLog,
    content: str | None,
    *,
    masks: Sequence[Mask],
    field_bytes: int,
    most_bytes: int,
) -> str | None:
    """Put what was said into its rows, masked, and cut if it is too much; return that of leaves."""
    texts = _texts([value for _, _, value in said])
    if content is None:
        texts = masked(texts, masks=masks)
    else:
        *texts, shown = masked([*texts, content], masks=masks)
        if shown.count("\n") != content.count("\n"):  # a mask reached from one line to another
            shown = "\n".join(masked(content.split("\n"), masks=masks))
        content = shown
    if _may_be_large(texts, content or "", field_bytes=field_bytes, most_bytes=most_bytes):
        content = _shorten(
            said, log, texts, content, field_bytes=field_bytes, most_bytes=most_bytes
        )
    for (row, place, _), text in zip(said, texts, strict=True):
        row[place] = text if place != _ATTRIBUTES else _attributes(text)
    return content


def _attributes(text: str) -> dict[str, Any]:
    try:
        found: dict[str, Any] = _decode(text)
    except msgspec.DecodeError:  # a mask took a number's place
        return {}
    return found


def _may_be_large(texts: Sequence[str], content: str, *, field_bytes: int, most_bytes: int) -> bool:
    sizes = [*map(len, texts)]
    return (
        (sum(sizes) + len(content)) * 4 > most_bytes
        or max(sizes, default=0) * 4 > field_bytes
        or has_longer_line(content, field_bytes // 4)
    )


def _shorten(
    said: Sequence[Said],
    log: SpanLog,
    texts: list[str],
    content: str | None,
    *,
    field_bytes: int,
    most_bytes: int,
) -> str | None:
    """Cut each input and output, then the oldest large ones until all of them fit together."""
    places = [(row[0], place) for row, place, _ in said]
    everything = texts if content is None else [*texts, *content.split("\n")]
    if content is not None:
        places += [(id_, place) for place in (_INPUT, _OUTPUT) for id_ in log.leaf_ids()]
    fields = [at for at, (_, place) in enumerate(places) if place in {_INPUT, _OUTPUT}]
    fields.sort(key=places.__getitem__)
    for at in fields:
        everything[at] = cut(everything[at], field_bytes)
    sizes = {at: len(everything[at].encode("utf-8", "replace")) for at in fields}
    total = sum(sizes.values())
    for at, size in sizes.items():
        if total <= most_bytes:
            break
        if size > _LARGE:
            everything[at] = _mark(size)
            total -= size
    texts[:] = everything[: len(said)]
    return None if content is None else "\n".join(everything[len(said) :])


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


def _texts(values: Sequence[object]) -> list[str]:
    """Return values as texts; what is none becomes JSON."""
    if not any(issubclass(kind, _TEXT) for kind in set(map(type, values))):
        return _lines(values)
    lines = iter(_lines([value for value in values if not isinstance(value, _TEXT)]))
    return [_text(value) if isinstance(value, _TEXT) else next(lines) for value in values]


def _lines(values: Sequence[object]) -> list[str]:
    """Return values as JSON, made in one pass."""
    if not values:
        return []
    try:
        lines = _json.encode_lines(values).decode().split("\n")
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
        return _json.encode(value).decode()
    except (TypeError, ValueError, RecursionError, OverflowError):
        return f"[{type(value).__name__}: no JSON]"
