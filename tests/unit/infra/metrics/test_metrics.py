"""The text a Prometheus server reads."""

import asyncio
import re

import pytest

from infra.contract.observability.metrics import MAX_SERIES, Metrics
from infra.impl.metrics.loop import LoopLagMonitor


def test_counters_gauges_and_watches_are_rendered_sorted_with_help_and_type() -> None:
    metrics = Metrics(prefix="t_")
    metrics.counter("runs_total", "Runs.", status="ok").add()
    metrics.counter("runs_total", "Runs.", status="ok").add(2)
    metrics.counter("runs_total", "Runs.", status="failed").add()
    metrics.gauge("active", "Now.").set(1.5)
    metrics.watch("depth", "Asked.", lambda: 7)

    assert metrics.render().decode().splitlines() == [
        "# HELP t_active Now.",
        "# TYPE t_active gauge",
        "t_active 1.5",
        "# HELP t_depth Asked.",
        "# TYPE t_depth gauge",
        "t_depth 7",
        "# HELP t_runs_total Runs.",
        "# TYPE t_runs_total counter",
        't_runs_total{status="failed"} 1',
        't_runs_total{status="ok"} 3',
    ]


def test_histogram_buckets_are_cumulative_and_upper_bounds_inclusive() -> None:
    metrics = Metrics(prefix="")
    histogram = metrics.histogram("s", "S.", buckets=(1, 0.5), kind="a")
    for value in (0.5, 0.7, 3):
        histogram.observe(value)

    assert metrics.render().decode().splitlines()[2:] == [
        's_bucket{kind="a",le="0.5"} 1',
        's_bucket{kind="a",le="1"} 2',
        's_bucket{kind="a",le="+Inf"} 3',
        's_sum{kind="a"} 4.2',
        's_count{kind="a"} 3',
    ]


def test_label_values_are_escaped() -> None:
    metrics = Metrics(prefix="")
    metrics.counter("c", "C.", v='a"\\\n').add()

    assert 'c{v="a\\"\\\\\\n"} 1' in metrics.render().decode()


def test_one_name_has_one_kind() -> None:
    metrics = Metrics()
    metrics.counter("x", "X.")

    with pytest.raises(ValueError, match="another kind"):
        metrics.gauge("x", "X.")


@pytest.mark.parametrize("name", ["a-b", "1a", "a b", ""])
def test_bad_names_are_refused(name: str) -> None:
    with pytest.raises(ValueError, match="letters"):
        Metrics(prefix="").counter(name, "")


def test_a_label_that_explodes_is_counted_together() -> None:
    metrics = Metrics(prefix="")
    for number in range(MAX_SERIES + 100):
        metrics.counter("c", "C.", v=str(number)).add()

    text = metrics.render().decode()
    assert 'c{v="other"} 100' in text
    assert text.count("\n") <= MAX_SERIES + 3


async def test_the_lag_monitor_sees_a_blocked_loop() -> None:
    metrics = Metrics()
    monitor = LoopLagMonitor(metrics=metrics, interval_s=0.01)
    await monitor.start()

    def block() -> None:
        deadline = asyncio.get_running_loop().time() + 0.05
        while asyncio.get_running_loop().time() < deadline:
            pass

    block()
    await asyncio.sleep(0)
    await asyncio.sleep(0)

    assert monitor.lag_s > 0.02
    assert re.search(rb"coterie_event_loop_lag_seconds_count [1-9]", metrics.render())
    await monitor.aclose()
