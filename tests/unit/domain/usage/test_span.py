"""Spans of time: any range in any zone is covered exactly once, by spans that cross no step."""

from datetime import UTC, datetime, timedelta
from random import Random
from zoneinfo import ZoneInfo

import pytest

from domain.usage.cube import Generation, places_for
from domain.usage.span import DAY, FOUR_HOURS, HALF_HOUR, HOUR, QUARTER, cover, quarters, step_of
from domain.usage.value import Dimension, Interval

ZONES = (
    "UTC",
    "Europe/Zurich",
    "America/St_Johns",  # half an hour, and changes for summer
    "Asia/Kathmandu",  # three quarters
    "Asia/Shanghai",
    "Australia/Lord_Howe",  # half an hour of summer time
    "Pacific/Kiritimati",  # 14 hours ahead
)


DIMENSIONS = (
    frozenset({Dimension.MODEL}),
    frozenset({Dimension.AGENT}),
    frozenset({Dimension.AGENT, Dimension.MODEL}),
    frozenset({Dimension.END_USER}),
)


def grains_of(dimensions: frozenset[Dimension]) -> list[int]:
    return [place.grain for place in places_for(dimensions, max(Generation))]


@pytest.mark.parametrize("dimensions", DIMENSIONS)
@pytest.mark.parametrize("zone", ZONES)
@pytest.mark.parametrize("interval", [None, *Interval])
def test_a_range_is_covered_once_and_no_span_crosses_a_step(
    zone: str, interval: Interval | None, dimensions: frozenset[Dimension]
) -> None:
    draw, place = Random(zone), ZoneInfo(zone)  # noqa: S311 - no secret
    for length in (60, 5000, 3 * DAY, 40 * DAY):
        since = datetime(2026, 1, 1, tzinfo=UTC) + timedelta(seconds=draw.randrange(300 * DAY))
        until = since + timedelta(seconds=length)

        covered: list[int] = []
        for piece in cover(since, until, place, interval, grains_of(dimensions)):
            for slot in filter(piece.holds, piece.slots):
                begin = slot * piece.grain
                covered += range(begin, begin + piece.grain, QUARTER)
                if interval is not None:
                    last = step_of(covered[-1], place, interval)
                    assert step_of(begin, place, interval) == last

        wanted = quarters(since, until, place)
        assert sorted(covered) == [slot * QUARTER for piece in wanted for slot in piece.slots]
        assert covered
        assert min(covered) == int(since.timestamp()) // QUARTER * QUARTER
        assert max(covered) + QUARTER == -(-int(until.timestamp()) // QUARTER) * QUARTER


def test_spans_are_as_long_as_the_zone_allows() -> None:
    since, until = datetime(2026, 3, 1, tzinfo=UTC), datetime(2026, 4, 1, tzinfo=UTC)

    def grains(
        zone: str, interval: Interval | None, dimension: Dimension = Dimension.MODEL
    ) -> set[int]:
        found = grains_of(frozenset({dimension}))
        return {p.grain for p in cover(since, until, ZoneInfo(zone), interval, found)}

    assert grains("UTC", Interval.DAY) == {DAY}
    assert grains("Asia/Shanghai", None) == {DAY}
    assert grains("Asia/Shanghai", Interval.DAY) == {FOUR_HOURS}
    assert grains("Asia/Tokyo", Interval.DAY) == {FOUR_HOURS, HOUR}
    assert grains("Asia/Kolkata", Interval.DAY) == {FOUR_HOURS, HOUR, HALF_HOUR}
    assert grains("Asia/Kolkata", Interval.HOUR) == {HALF_HOUR}
    assert grains("UTC", None, Dimension.END_USER) == {5 * DAY, DAY}


def test_the_day_of_a_changed_clock_is_one_step() -> None:
    zurich = ZoneInfo("Europe/Zurich")
    begin = int(datetime(2026, 3, 29, tzinfo=zurich).timestamp())
    end = int(datetime(2026, 3, 30, tzinfo=zurich).timestamp())

    assert end - begin == 23 * 3600
    assert {step_of(at, zurich, Interval.DAY) for at in range(begin, end, QUARTER)} == {begin}
    assert step_of(end, zurich, Interval.DAY) == end
