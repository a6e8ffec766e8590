"""Searches and documents are counted by how they ended, and timed step by step."""

from collections.abc import Callable, Iterator
from itertools import count

import pytest

from application.knowledge.meter import IngestMeter, SearchMeter
from crossdomain.knowledge.contract import RecallStage
from domain.knowledge.error import RetrievalFailed
from domain.knowledge.job import JobStage
from infra.contract.observability.metrics import Metrics


@pytest.fixture
def metrics() -> Metrics:
    return Metrics(prefix="")


@pytest.fixture
def shown(metrics: Metrics) -> Callable[[], list[str]]:
    return lambda: metrics.render().decode().splitlines()


def ticking() -> Callable[[], float]:
    """A clock that moves a second whenever somebody looks."""
    ticks: Iterator[int] = count()
    return lambda: float(next(ticks))


def stage(name: str, *, degraded: str = "") -> RecallStage:
    return RecallStage(name=name, duration_ms=20, count=1, degraded=degraded)


def test_searches_are_counted_with_their_steps(
    metrics: Metrics, shown: Callable[[], list[str]]
) -> None:
    meter = SearchMeter(metrics, monotonic=ticking())
    with meter.search(lambda: [stage("vector"), stage("full_text")]):
        pass
    with meter.search(lambda: [stage("vector", degraded="vector: away")]):
        pass
    with pytest.raises(RetrievalFailed), meter.search(list):
        raise RetrievalFailed("Nothing answers.")

    lines = shown()
    for outcome in ("ok", "degraded", "failed"):
        assert f'retrieval_total{{outcome="{outcome}"}} 1' in lines
    assert "retrieval_seconds_sum 2" in lines
    assert 'retrieval_step_seconds_sum{outcome="ok",step="vector"} 0.02' in lines
    assert 'retrieval_step_seconds_count{outcome="degraded",step="vector"} 1' in lines


def test_documents_are_counted_with_their_stages(
    metrics: Metrics, shown: Callable[[], list[str]]
) -> None:
    meter = IngestMeter(metrics, monotonic=ticking())
    with meter.active():
        assert "ingest_active 1" in shown()
        with meter.step(JobStage.PARSE):
            pass
        with pytest.raises(ZeroDivisionError), meter.step(JobStage.INDEX):
            raise ZeroDivisionError
        meter.ended("postponed")
        meter.lost()

    lines = shown()
    assert "ingest_active 0" in lines
    assert 'ingest_step_seconds_sum{stage="parse"} 1' in lines
    assert 'ingest_step_seconds_count{stage="index"} 0' in lines
    assert 'ingest_jobs_total{outcome="postponed"} 1' in lines
    assert 'lease_lost_total{kind="document"} 1' in lines
