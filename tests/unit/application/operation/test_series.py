"""Figures over time: what is kept of the metrics, and what is drawn of several processes."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from application.operation.series import (
    BY_NAME,
    SERIES,
    SOURCES,
    Meters,
    Piece,
    drawn,
    laid_out,
    quantile,
    together,
)
from infra.contract.observability.metrics import Metrics
from infra.contract.observability.process_report import Sample

START = datetime(2026, 1, 5, 12, tzinfo=UTC)


def sample(after_s: float = 15, *, process: str = "a", span_s: int = 15, **said: Any) -> Sample:
    at = START + timedelta(seconds=after_s)
    return Sample(process_id=process, at=at, span_s=span_s, **said)


def whole(*samples: Sample) -> list[Piece]:
    return [Piece(each, each.span_s) for each in samples]


def test_every_series_is_drawn_of_something_that_is_kept() -> None:
    kept = {source.key for source in SOURCES} | {"processor", "memory", "disk", "documents_waiting"}

    assert {series.source for series in SERIES} <= kept
    assert len(BY_NAME) == len(SERIES) <= 60


def test_meters_tell_growth_of_counters_height_of_gauges_and_what_fell_into_buckets() -> None:
    metrics, meters = Metrics(), Meters()
    requests = metrics.counter("http_requests_total", "", status="200")
    failed = metrics.counter("http_requests_total", "", status="503")
    waited = metrics.histogram("run_first_token_seconds", "", buckets=(0.1, 1))
    metrics.gauge("run_active", "").set(2)
    metrics.gauge("workflow_run_active", "").set(3)
    requests.add(4)
    waited.observe(0.05)
    meters.read(metrics.readings())

    requests.add(3)
    failed.add()
    waited.observe(0.5)
    waited.observe(7)
    counts, levels, spreads = meters.read(metrics.readings())

    assert counts == {"requests_ok": 3, "requests_failed": 1}
    assert levels == {"runs": 5}
    assert spreads == {"first_token": ((0.1, 1, 1), (1, 1, 1))}


def test_what_did_not_move_is_left_out() -> None:
    metrics, meters = Metrics(), Meters()
    metrics.counter("http_requests_total", "", status="200")
    metrics.gauge("run_active", "")
    metrics.histogram("run_duration_seconds", "")

    assert meters.read(metrics.readings()) == ({}, {}, {})


def test_rates_of_processes_are_added_up_and_common_values_are_not() -> None:
    both = whole(
        sample(counts={"requests_ok": 5}, levels={"runs": 2, "events_waiting": 9}),
        sample(process="b", counts={"requests_ok": 1}, levels={"runs": 1, "events_waiting": 8}),
    )

    assert drawn(BY_NAME["requests_ok"], both) == 24
    assert drawn(BY_NAME["active_runs"], both) == 3
    assert drawn(BY_NAME["events_waiting"], both) == 9
    assert drawn(BY_NAME["requests_ok"], []) is None
    assert drawn(BY_NAME["first_token_p95"], both) is None


def test_quantiles_are_estimated_within_buckets() -> None:
    spread = [(0.0, 0.1, 50), (0.1, 1.0, 50)]

    assert quantile(spread, 0.5) == pytest.approx(0.1)
    assert quantile(spread, 0.75) == pytest.approx(0.55)
    assert quantile([], 0.5) is None


def test_samples_that_end_within_a_span_of_the_chart_leave_no_hole_in_it() -> None:
    late = [sample(7 + 15 * number, counts={"requests_ok": 15}) for number in range(5)]

    spans = laid_out(late, since=START, step_s=15, count=4)

    assert all(spans)
    assert [drawn(BY_NAME["requests_ok"], each) for each in spans] == pytest.approx([60] * 4)


def test_a_span_that_is_told_of_in_part_has_the_rate_of_that_part() -> None:
    spans = laid_out([sample(18, counts={"requests_ok": 15})], since=START, step_s=15, count=2)

    assert [drawn(BY_NAME["requests_ok"], each) for each in spans] == pytest.approx([60, 60])
    assert [[piece.covered_s for piece in each] for each in spans] == [[12], [3]]


def test_samples_outside_the_chart_are_left_out() -> None:
    outside = [sample(0), sample(-60), sample(200)]

    assert laid_out(outside, since=START, step_s=15, count=2) == [[], []]


def test_many_short_samples_become_a_long_one() -> None:
    long = together(
        [
            sample(15, counts={"tokens": 1}, levels={"runs": 5}, spreads={"x": ((0.0, 1.0, 2),)}),
            sample(30, counts={"tokens": 2}, levels={"runs": 3}, spreads={"x": ((0.0, 1.0, 1),)}),
        ],
        process_id="a",
        span_s=300,
    )

    assert (long.counts, long.levels) == ({"tokens": 3}, {"runs": 5})
    assert long.spreads == {"x": ((0.0, 1.0, 3),)}
    assert long.at == START + timedelta(seconds=30)
