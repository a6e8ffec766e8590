"""Spans of time that sums are kept for, and how a range of time is covered by them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from domain.usage.value import Interval

QUARTER: Final = 900
HOUR: Final = 3600
DAY: Final = 86_400
GRAINS: Final = (DAY, HOUR, QUARTER)
"""Lengths in seconds. Hours of every zone consist of quarters, days of nearly all of hours."""

_STEP: Final = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Piece:
    """Whole spans of one length, from ``first`` until before ``last``, counted from 1970.

    ``offset_s`` is how far the zone is ahead of UTC during all of them.
    """

    grain: int
    first: int
    last: int
    offset_s: int


def cover(
    since: datetime, until: datetime, zone: ZoneInfo, interval: Interval | None
) -> list[Piece]:
    """Cover a range with the longest spans that lie in one step of the series each."""
    pieces: list[Piece] = []
    for start, end, offset_s in _constant(since, until, zone):
        grains = [g for g in GRAINS if _fits(g, interval, offset_s)]
        pieces += [Piece(g, a // g, b // g, offset_s) for g, a, b in _cut(start, end, grains)]
    return pieces


def step_of(moment_s: int, zone: ZoneInfo, interval: Interval) -> int:
    """Return when the step that a moment lies in began, in Unix seconds."""
    local = datetime.fromtimestamp(moment_s, zone)
    begun = local.replace(minute=0, second=0, microsecond=0)
    if interval is not Interval.HOUR:
        begun = begun.replace(hour=0, fold=0)
    if interval is Interval.MONTH:
        begun = begun.replace(day=1)
    return int(begun.timestamp())


def _fits(grain: int, interval: Interval | None, offset_s: int) -> bool:
    """Tell whether spans of this length never reach over the end of a step."""
    if interval is None:
        return True
    longest = HOUR if interval is Interval.HOUR else DAY
    return grain <= longest and offset_s % grain == 0


def _constant(since: datetime, until: datetime, zone: ZoneInfo) -> Iterator[tuple[int, int, int]]:
    """Yield ranges in Unix seconds during which the zone keeps its distance to UTC."""
    start = int(since.timestamp()) // QUARTER * QUARTER
    end = -(-int(until.timestamp()) // QUARTER) * QUARTER
    while start < end:
        offset_s, stop = _offset(start, zone), start
        while stop < end and _offset(stop, zone) == offset_s:
            stop += int(_STEP.total_seconds())
        stop = min(stop, end)
        if _offset(stop - QUARTER, zone) != offset_s:  # it changed within the last step
            low, high = max(start, stop - int(_STEP.total_seconds())), stop
            while high - low > QUARTER:
                middle = (low + high) // 2 // QUARTER * QUARTER
                if _offset(middle, zone) == offset_s:
                    low = middle
                else:
                    high = middle
            stop = high
        yield start, stop, offset_s
        start = stop


def _offset(moment_s: int, zone: ZoneInfo) -> int:
    local = datetime.fromtimestamp(moment_s, UTC).astimezone(zone)
    return int((local.utcoffset() or timedelta()).total_seconds())


def _cut(start: int, end: int, grains: Sequence[int]) -> Iterator[tuple[int, int, int]]:
    """Yield the longest spans in the middle, shorter ones at both ends."""
    if start >= end:
        return
    grain, *shorter = grains
    first, last = -(-start // grain) * grain, end // grain * grain
    if first >= last:
        yield from _cut(start, end, shorter)
        return
    yield from _cut(start, first, shorter)
    yield grain, first, last
    yield from _cut(last, end, shorter)
