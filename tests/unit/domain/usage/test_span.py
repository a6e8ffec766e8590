"""Spans of time: any range in any zone is covered exactly once, by spans that cross no step."""

from datetime import UTC, datetime, timedelta
from itertools import pairwise
from random import Random
from zoneinfo import ZoneInfo

import pytest

from domain.usage.span import DAY, GRAINS, QUARTER, cover, step_of
from domain.usage.value import Interval

ZONES = (
    "UTC",
    "Europe/Zurich",
    "America/St_Johns",  # half an hour, and changes for summer
    "Asia/Kathmandu",  # three quarters
    "Asia/Shanghai",
    "Australia/Lord_Howe",  # half an hour of summer time
    "Pacific/Kiritimati",  # 14 hours ahead
)


@pytest.mark.parametrize("zone", ZONES)
@pytest.mark.parametrize("interval", [None, *Interval])
def test_a_range_is_covered_once_and_no_span_crosses_a_step(
    zone: str, interval: Interval | None
) -> None:
    draw, place = Random(zone), ZoneInfo(zone)  # noqa: S311 - no secret
    for _ in range(12):
        since = datetime(2026, 1, 1, tzinfo=UTC) + timedelta(seconds=draw.randrange(300 * DAY))
        until = since + timedelta(seconds=draw.choice([60, 5000, 3 * DAY, 40 * DAY, 200 * DAY]))
        pieces = cover(since, until, place, interval)

        edges = [(p.first * p.grain, p.last * p.grain) for p in pieces]
        assert edges[0][0] == int(since.timestamp()) // QUARTER * QUARTER
        assert edges[-1][1] == -(-int(until.timestamp()) // QUARTER) * QUARTER
        assert all(end == begin for (_, end), (begin, _) in pairwise(edges))
        assert all(begin < end for begin, end in edges)
        assert {p.grain for p in pieces} <= set(GRAINS)
        if interval is None:
            continue
        for piece in pieces:
            for slot in {piece.first, (piece.first + piece.last) // 2, piece.last - 1}:
                begin = slot * piece.grain
                last = begin + piece.grain - QUARTER
                assert step_of(begin, place, interval) == step_of(last, place, interval)


def test_whole_days_are_read_from_days_where_the_zone_allows_it() -> None:
    since, until = datetime(2026, 3, 1, tzinfo=UTC), datetime(2026, 4, 1, tzinfo=UTC)

    assert {p.grain for p in cover(since, until, ZoneInfo("UTC"), Interval.DAY)} == {DAY}
    assert {p.grain for p in cover(since, until, ZoneInfo("Asia/Shanghai"), None)} == {DAY}
    assert {p.grain for p in cover(since, until, ZoneInfo("Asia/Shanghai"), Interval.DAY)} == {3600}
    assert {p.grain for p in cover(since, until, ZoneInfo("Asia/Kolkata"), Interval.DAY)} == {900}


def test_the_day_of_a_changed_clock_is_one_step() -> None:
    zurich = ZoneInfo("Europe/Zurich")
    begin = int(datetime(2026, 3, 29, tzinfo=zurich).timestamp())
    end = int(datetime(2026, 3, 30, tzinfo=zurich).timestamp())

    assert end - begin == 23 * 3600
    assert {step_of(at, zurich, Interval.DAY) for at in range(begin, end, QUARTER)} == {begin}
    assert step_of(end, zurich, Interval.DAY) == end
