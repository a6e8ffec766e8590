"""Differences of two traces: spans of the same kind and name at the same place are pairs."""

from collections.abc import Sequence
from decimal import Decimal, InvalidOperation
from operator import attrgetter
from typing import Final

from domain.trace.value import SpanPair, TreeSpan

COMPARED: Final = ("status", "error_code", "error", "input", "output", "attributes", "usage")
_compared: Final = attrgetter(*COMPARED)


def pairs(left: Sequence[TreeSpan], right: Sequence[TreeSpan]) -> list[SpanPair]:
    """Align two traces from the top down, each level in the order of the left one."""
    found: list[SpanPair] = []
    _align(_children(left), _children(right), "", "", found)
    return found


_Level = dict[str, list[TreeSpan]]


def _children(spans: Sequence[TreeSpan]) -> _Level:
    known = {each.id for each in spans}
    by_parent: _Level = {}
    for each in spans:
        by_parent.setdefault(each.parent if each.parent in known else "", []).append(each)
    return by_parent


def _align(
    left: _Level, right: _Level, above_left: str, above_right: str, found: list[SpanPair]
) -> None:
    rest: dict[tuple[str, str], list[TreeSpan]] = {}
    for each in right.get(above_right, []):
        rest.setdefault(_key(each), []).append(each)
    for each in left.get(above_left, []):
        same = rest.get(_key(each))
        if same:
            other = same.pop(0)
            found.append(_pair(each, other))
            _align(left, right, each.id, other.id, found)
        else:
            found += [SpanPair(left=one, right=None) for one in _below(left, each)]
    for several in rest.values():
        for each in several:
            found += [SpanPair(left=None, right=one) for one in _below(right, each)]


def _below(level: _Level, top: TreeSpan) -> list[TreeSpan]:
    found = [top]
    for each in level.get(top.id, []):
        found += _below(level, each)
    return found


def _key(each: TreeSpan) -> tuple[str, str]:
    return each.span.kind.value, each.span.name


def _pair(left: TreeSpan, right: TreeSpan) -> SpanPair:
    one, other = left.span, right.span
    return SpanPair(
        left=left,
        right=right,
        changed=tuple(
            name
            for name, mine, its in zip(COMPARED, _compared(one), _compared(other), strict=True)
            if mine != its
        ),
        duration_us=other.duration_us - one.duration_us,
        cost=decimal(other.cost) - decimal(one.cost),
    )


def decimal(cost: str) -> Decimal:
    """Read points; what is no number counts nothing."""
    try:
        return Decimal(cost)
    except InvalidOperation:
        return Decimal(0)
