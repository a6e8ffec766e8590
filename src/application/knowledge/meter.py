"""Numbers about searching and indexing, for whoever watches the process."""

import time
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from typing import Final, Literal

from crossdomain.knowledge.contract import RecallStage
from domain.knowledge.job import JobStage
from infra.contract.observability.metrics import Counter, Histogram, Metrics

SearchOutcome = Literal["ok", "degraded", "failed"]
JobOutcome = Literal["done", "postponed", "failed"]

_SEARCH_SECONDS: Final = (0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
_INGEST_SECONDS: Final = (0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300, 1800)


class SearchMeter:
    """Counts searches and times their steps."""

    def __init__(
        self, metrics: Metrics, *, monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        self._metrics = metrics
        self._monotonic = monotonic
        self._seconds = metrics.histogram(
            "retrieval_seconds", "Duration of a search of knowledge.", buckets=_SEARCH_SECONDS
        )
        self._outcomes: dict[SearchOutcome, Counter] = {}
        self._steps: dict[tuple[str, str], Histogram] = {}

    @contextmanager
    def search(self, stages: Callable[[], Sequence[RecallStage]]) -> Generator[None, None, None]:
        """Count the block as a search; ``stages`` are what it did when it is over."""
        began = self._monotonic()
        try:
            yield
        except Exception:
            self._count("failed")
            raise
        done = stages()
        self._seconds.observe(self._monotonic() - began)
        self._count("degraded" if any(stage.degraded for stage in done) else "ok")
        for stage in done:
            self._step(stage).observe(stage.duration_ms / 1000)

    def _count(self, outcome: SearchOutcome) -> None:
        counter = self._outcomes.get(outcome)
        if counter is None:
            counter = self._outcomes[outcome] = self._metrics.counter(
                "retrieval_total", "Searches of knowledge.", outcome=outcome
            )
        counter.add()

    def _step(self, stage: RecallStage) -> Histogram:
        key = stage.name, "degraded" if stage.degraded else "ok"
        found = self._steps.get(key)
        if found is None:
            found = self._steps[key] = self._metrics.histogram(
                "retrieval_step_seconds",
                "Duration of a step of a search.",
                buckets=_SEARCH_SECONDS,
                step=key[0],
                outcome=key[1],
            )
        return found


class IngestMeter:
    """Counts jobs and times their stages."""

    def __init__(
        self, metrics: Metrics, *, monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        self._monotonic = monotonic
        self._active = metrics.gauge("ingest_active", "Documents that this process indexes.")
        self._outcomes: dict[JobOutcome, Counter] = {
            outcome: metrics.counter(
                "ingest_jobs_total", "Documents that were indexed, or not.", outcome=outcome
            )
            for outcome in ("done", "postponed", "failed")
        }
        self._stages = {
            stage: metrics.histogram(
                "ingest_step_seconds",
                "Duration of a step of the work on a document.",
                buckets=_INGEST_SECONDS,
                stage=stage.value,
            )
            for stage in JobStage
        }
        self._lost = metrics.counter(
            "lease_lost_total", "Work that another process took over.", kind="document"
        )

    @contextmanager
    def active(self) -> Generator[None, None, None]:
        """Count a job as active inside the block."""
        self._active.add()
        try:
            yield
        finally:
            self._active.add(-1)

    @contextmanager
    def step(self, stage: JobStage) -> Generator[None, None, None]:
        """Time a step that succeeds."""
        began = self._monotonic()
        yield
        self._stages[stage].observe(self._monotonic() - began)

    def ended(self, outcome: JobOutcome) -> None:
        """Take how an attempt at a document ended."""
        self._outcomes[outcome].add()

    def lost(self) -> None:
        """Take a job that is another worker's, or that nobody needs any more."""
        self._lost.add()
