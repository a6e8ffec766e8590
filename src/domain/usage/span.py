"""Spans of time that sums are kept for, and how a range of time is covered by them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from domain.usage.value import Interval

QUARTER: Final = 900
HALF_HOUR: Final = 1800
HOUR: Final = 3600
FOUR_HOURS: Final = 14_400
DAY: Final = 86_400
FIVE_DAYS: Final = 432_000
"""Lengths in seconds. Hours of every zone consist of quarters, days of nearly all of hours. No
month, wherever it begins, is more than seven of five days with what is left of days."""

_STEP: Final = timedelta(days=1)
_SLOTS_AT_ONCE: Final = 500


@dataclass(frozen=True, slots=True)
class Piece:
    """Whole spans of one length, by their number since 1970.

    ``offset_s`` is how far the zone is ahead of UTC during all of them, and ``begin_s`` since when.
    Those of a range that reach over an end of ``step_s`` seconds are left out.
    """

    grain: int
    slots: range | tuple[int, ...]
    offset_s: int
    begin_s: int
    step_s: int = 0

    def holds(self, slot: int) -> bool:
        """Tell whether this span is among them."""
        if slot not in self.slots:
            return False
        place = slot * self.grain + self.offset_s
        return not self.step_s or place % self.step_s <= self.step_s - self.grain


def quarters(since: datetime, until: datetime, zone: ZoneInfo) -> list[Piece]:
    """Cover a range with quarters of an hour, which lie in one step of every series."""
    return [
        Piece(QUARTER, range(start // QUARTER, end // QUARTER), offset_s, start)
        for start, end, offset_s in _constant(since, until, zone)
    ]


def cover(
    since: datetime,
    until: datetime,
    zone: ZoneInfo,
    interval: Interval | None,
    grains: Sequence[int],
) -> list[Piece]:
    """Cover a range with the longest spans that lie in one step of the series each.

    ``grains`` are the lengths there are, the longest first, quarters among them.
    """
    pieces: list[Piece] = []
    for start, end, offset_s in _constant(since, until, zone):
        cut = _Cut(begin_s=start, offset_s=offset_s, step_s=_length(interval))
        pieces += cut.range(start, end, [each for each in grains if cut.fits(each)])
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


def _length(interval: Interval | None) -> int:
    """Return how long a step is, at least; 0 if all is one."""
    if interval is None:
        return 0
    return HOUR if interval is Interval.HOUR else DAY


@dataclass(frozen=True, slots=True)
class _Cut:
    """Cuts time during which a zone keeps its distance to UTC."""

    begin_s: int
    offset_s: int
    step_s: int

    def fits(self, grain: int) -> bool:
        """Tell whether spans of this length lie in one step, most of them at least."""
        if not self.step_s or grain == QUARTER or grain < self.step_s:
            return True
        return grain == self.step_s and self.offset_s % grain == 0

    def range(self, start: int, end: int, grains: Sequence[int]) -> Iterator[Piece]:
        """Yield the longest spans in the middle, shorter ones at both ends."""
        if start >= end:
            return
        grain, *shorter = grains
        first, last = -(-start // grain) * grain, end // grain * grain
        if first >= last:
            yield from self.range(start, end, shorter)
            return
        yield from self.range(start, first, shorter)
        slots = range(first // grain, last // grain)
        if self.step_s and shorter and self.offset_s % grain:
            yield Piece(grain, slots, self.offset_s, self.begin_s, self.step_s)
            yield from self._around(self._ends(first, last), grain, shorter)
        else:
            yield Piece(grain, slots, self.offset_s, self.begin_s)
        yield from self.range(last, end, shorter)

    def _ends(self, first: int, last: int) -> Sequence[int]:
        """Return the moments in between at which a step ends."""
        begin = -(-(first + self.offset_s) // self.step_s) * self.step_s - self.offset_s
        return range(begin, last, self.step_s)

    def _around(self, ends: Sequence[int], grain: int, shorter: Sequence[int]) -> Iterator[Piece]:
        """Yield what spans of ``grain`` seconds that a step ends in consist of."""
        length, *rest = shorter
        is_whole = not rest or self.offset_s % length == 0
        slots = [
            slot
            for end in ends
            for slot in range(end // grain * grain // length, (end // grain + 1) * grain // length)
            if is_whole or slot != end // length
        ]
        for at in range(0, len(slots), _SLOTS_AT_ONCE):
            some = tuple(slots[at : at + _SLOTS_AT_ONCE])
            yield Piece(length, some, self.offset_s, self.begin_s)
        if not is_whole:
            yield from self._around(ends, length, rest)


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
