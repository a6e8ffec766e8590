"""Leaves of traces: nodes that began and ended at once are stored in columns, not each as a span.

A loop leaves thousands of them, which differ by little: a row for each took twice as long to make,
and two and a half times the bytes.
"""

from collections.abc import Sequence, Set
from itertools import accumulate
from operator import sub
from typing import Any, Final, TypeVar

import msgspec

from domain.shared.tracing.span import SpanKind, SpanLog, numbers_without
from domain.trace.value import StoredSpan

_json: Final = msgspec.json.Encoder(enc_hook=str)
_NO_JSON: Final = (TypeError, ValueError, RecursionError, OverflowError)
_NONE: Final = "null"
"""What no input or output is in JSON: those of leaves are objects."""
T = TypeVar("T")


class StoredLeaves(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """The leaves of a stretch, in the order of their ids, which are those that no span has.

    ``nodes`` are their names, ids and kinds, each once. A column with the same value everywhere has
    it once. ``start_us`` counts from the start of the leaf before. ``content`` has a line of JSON
    for each input, and after them one for each output.
    """

    nodes: tuple[tuple[str, str, str], ...]
    node: list[int]
    parent: list[int]
    start_us: list[int]
    duration_us: list[int]
    index: list[int | None]
    port: list[str]
    content: str | None

    @property
    def count(self) -> int:
        return len(self.start_us)


def stored_leaves(log: SpanLog, content: str | None) -> StoredLeaves:
    """Return what is stored of the leaves of a log; there are some."""
    columns, origin = log.leaf_columns(), log.began_ns
    ids = [*map(id, columns.node)]
    known = dict(zip(ids, columns.node, strict=True))
    places = dict(zip(known, range(len(known)), strict=True))
    starts = [(began - origin) // 1000 for began in columns.began_ns]
    times = zip(columns.began_ns, columns.ended_ns, strict=True)
    return StoredLeaves(
        nodes=tuple((node.title or node.id, node.id, node.kind) for node in known.values()),
        node=_folded([*map(places.__getitem__, ids)]),
        parent=_folded(columns.parent_id),
        start_us=[starts[0], *map(sub, starts[1:], starts)],
        duration_us=[(ended - began) // 1000 for began, ended in times],
        index=_folded(columns.loop_index),
        port=_folded(columns.port),
        content=content,
    )


def leaf_content(log: SpanLog) -> str:
    """Return the inputs and outputs of the leaves of a log, as ``StoredLeaves.content``."""
    columns = log.leaf_columns()
    values = columns.given + columns.gave
    try:
        lines = _json.encode_lines(values).decode()[:-1]
        if lines.count("\n") == len(values) - 1:
            return lines
    except _NO_JSON:
        pass
    return "\n".join(map(_line, values))  # one is no JSON, or brings lines of its own


def _line(value: object) -> str:
    try:
        return _json.encode(value).decode().replace("\n", " ")
    except _NO_JSON:
        return f"[{type(value).__name__}: no JSON]"


def has_longer_line(content: str, most_chars: int) -> bool:
    """Tell whether there is a line of more characters; cheaper than a look at each of them."""
    at = 0
    while len(content) - at > most_chars:
        at = content.rfind("\n", at, at + most_chars + 1) + 1
        if not at:
            return True
    return False


def spans_of(leaves: StoredLeaves, taken: Set[int]) -> list[StoredSpan]:
    """Return leaves as spans; ``taken`` are the ids of the spans beside them."""
    count = leaves.count
    lines: Sequence[str | None] = [None] * (2 * count)
    if leaves.content is not None:
        lines = [None if line == _NONE else line for line in leaves.content.split("\n")]
    columns = zip(
        numbers_without(taken, len(taken) + count),
        _unfolded(leaves.node, count),
        _unfolded(leaves.parent, count),
        accumulate(leaves.start_us),
        leaves.duration_us,
        _unfolded(leaves.index, count),
        _unfolded(leaves.port, count),
        lines[:count],
        lines[count:],
        strict=True,
    )
    found: list[StoredSpan] = []
    for id_, place, parent, start_us, duration_us, index, port, given, gave in columns:
        name, node_id, kind = leaves.nodes[place]
        attributes: dict[str, Any] = {"node_id": node_id, "kind": kind}
        if index is not None:
            attributes["index"] = index
        if port:
            attributes["port"] = port
        found.append(
            StoredSpan(
                id=id_,
                parent=parent,
                kind=SpanKind.NODE,
                name=name,
                start_us=start_us,
                duration_us=duration_us,
                attributes=attributes,
                input=given,
                output=gave,
            )
        )
    return found


def _folded(column: list[T]) -> list[T]:
    return column[:1] if column.count(column[0]) == len(column) else column


def _unfolded(column: list[T], count: int) -> list[T]:
    return column if len(column) == count else column * count
