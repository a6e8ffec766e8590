"""Bodies of traces: what a run told, as it is stored: masked, cut, encoded and summed up."""

from collections.abc import Callable, Sequence
from decimal import Decimal
from itertools import chain, repeat
from operator import itemgetter
from typing import Any, Final

import msgspec

from domain.shared.tracing.span import NOTHING_USED, Span, SpanKind, SpanLog
from domain.trace.capture import Mask
from domain.trace.diff import decimal
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
_CONTENT: Final = itemgetter(-2, -1)
"""What a leaf was given, and gave."""
_json: Final = msgspec.json.Encoder(enc_hook=str)
_decode: Final[Callable[[str], Any]] = msgspec.json.Decoder(dict[str, Any]).decode

encode_spans: Final = msgspec.msgpack.Encoder().encode
"""Makes of spans, or of rows with their fields in the same order, what is stored."""
decode_spans: Final = msgspec.msgpack.Decoder(list[StoredSpan]).decode

Said = tuple[list[Any], int, object]
"""What is masked before it is stored: the row it belongs to, its place in there, and itself."""


class EncodedStretch(msgspec.Struct, frozen=True):
    """The spans of one stretch of a run, encoded in the order of their ids, and their sums.

    ``models`` and ``tools`` are the names that occur, each once; ``steps`` are nodes in a workflow.
    ``has_words`` says that there is more in it than names, numbers and ids of ours.
    """

    spans: bytes
    count: int
    steps: int
    tool_calls: int
    cost: Decimal
    models: tuple[str, ...]
    tools: tuple[str, ...]
    has_words: bool


def encode_stretch(
    log: SpanLog, *, masks: Sequence[Mask], field_bytes: int, most_bytes: int
) -> EncodedStretch:
    """Return what is stored of a log that is closed.

    One pass from what the run told to what is encoded: there is a row for each span, not an object,
    because whatever runs once in a request costs several times of what it does in a loop.
    """
    rows: list[list[Any]] = []
    said: list[Said] = []
    steps, nodes, tool_calls, cost = 0, len(log.leaves), 0, _NOTHING
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
    told: list[Any] = rows
    texts: Sequence[str | None] = ()
    if has_words := bool(said or (log.leaves and log.keeps_content)):
        texts = _say(said, log, masks=masks, field_bytes=field_bytes, most_bytes=most_bytes)
    if log.leaves:
        told = [*rows, *_leaves(log, texts)]
        told.sort(key=itemgetter(0))
    return EncodedStretch(
        encode_spans(told),
        len(told),
        steps or nodes,
        tool_calls,
        cost,
        tuple(models)[:_NAMES],
        tuple(tools)[:_NAMES],
        has_words,
    )


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


def _leaves(log: SpanLog, texts: Sequence[str | None]) -> list[tuple[Any, ...]]:
    """Return the rows of leaves: what each was given and gave, in ``texts`` if those are kept.

    One expression, and tuples: there are very many of them, and each list or pair that stands
    between has the garbage collector come sooner.
    """
    start, leaves = log.began_ns, log.leaves
    pairs = iter(texts or repeat(None, 2 * len(leaves)))
    return [
        (
            id_,
            parent,
            "node",
            name,
            (began - start) // 1000,
            (ended - began) // 1000,
            "ok",
            0,
            "",
            _facts(shared, index, port) if port or index is None else {**shared, "index": index},
            given,
            gave,
        )
        for (id_, parent, name, began, ended, shared, index, port, _, _), given, gave in zip(
            leaves, pairs, pairs, strict=True
        )
    ]


def _facts(shared: dict[str, Any], index: int | None, port: str) -> dict[str, Any]:
    facts = shared if index is None else {**shared, "index": index}
    return {**facts, "port": port} if port else facts


def _say(
    said: Sequence[Said],
    log: SpanLog,
    *,
    masks: Sequence[Mask],
    field_bytes: int,
    most_bytes: int,
) -> Sequence[str | None]:
    """Put what was said into its rows, masked, and cut if it is too much; return that of leaves."""
    values = [value for _, _, value in said]
    if log.keeps_content:
        values += chain.from_iterable(map(_CONTENT, log.leaves))
    texts = masked(_texts(values), masks=masks)
    sizes = [*map(len, texts)]
    if max(sizes) * 4 > field_bytes or sum(sizes) * 4 > most_bytes:
        _shorten(said, log, texts, field_bytes=field_bytes, most_bytes=most_bytes)
    for (row, place, _), text in zip(said, texts, strict=False):
        row[place] = text if place != _ATTRIBUTES else _attributes(text)
    rest: list[str | None] = [*texts[len(said) :]]
    if type(None) in set(map(type, values)):
        rest = [
            None if value is None else text
            for value, text in zip(values[len(said) :], rest, strict=True)
        ]
    return rest


def _attributes(text: str) -> dict[str, Any]:
    try:
        found: dict[str, Any] = _decode(text)
    except msgspec.DecodeError:  # a mask took a number's place
        return {}
    return found


def _shorten(
    said: Sequence[Said], log: SpanLog, texts: list[str], *, field_bytes: int, most_bytes: int
) -> None:
    """Cut each input and output, then the oldest large ones until all of them fit together."""
    places = [(row[0], place) for row, place, _ in said]
    places += [(leaf[0], place) for leaf in log.leaves for place in (_INPUT, _OUTPUT)]
    content = [at for at in range(len(texts)) if places[at][1] in {_INPUT, _OUTPUT}]
    content.sort(key=places.__getitem__)
    for at in content:
        texts[at] = cut(texts[at], field_bytes)
    sizes = {at: len(texts[at].encode("utf-8", "replace")) for at in content}
    total = sum(sizes.values())
    for at, size in sizes.items():
        if total <= most_bytes:
            break
        if size > _LARGE:
            texts[at] = _mark(size)
            total -= size


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
