"""Figures over time: what is measured of a process, and what is drawn of all of them together."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal

from infra.contract.observability.metrics import Buckets, Reading
from infra.contract.observability.process_report import Sample

Labels = Mapping[str, str]
Unit = Literal["per_minute", "seconds", "number", "bytes", "share"]
Spread = tuple[tuple[float, float, int], ...]

PREFIX: Final = "coterie_"
PROCESSOR: Final = "processor"
MEMORY: Final = "memory"
DISK: Final = "disk"
DOCUMENTS: Final = "documents_waiting"


@dataclass(frozen=True, slots=True)
class Source:
    """What is kept of a metric: the series whose labels match, added up."""

    key: str
    metric: str
    matches: Callable[[Labels], bool] = lambda _: True
    is_sum: bool = False
    """Of what was counted per event, the sum of the sizes, not how they spread."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Series:
    """One line of a chart, over all processes."""

    name: str
    unit: Unit
    source: str
    quantile: float = 0.0
    """Above 0: of what was timed."""
    is_common: bool = False
    """All processes see the same, so it is not added up."""
    limit: float | None = None
    """From there on `docs/metrics.md` says to look."""


def _status(first: str) -> Callable[[Labels], bool]:
    return lambda labels: labels.get("status", "").startswith(first)


SOURCES: Final = (
    Source("requests_ok", "http_requests_total", lambda labels: labels.get("status", "")[:1] < "4"),
    Source("requests_refused", "http_requests_total", _status("4")),
    Source("requests_failed", "http_requests_total", _status("5")),
    Source("first_token", "run_first_token_seconds"),
    Source("run_duration", "run_duration_seconds"),
    Source("runs", "run_active"),
    Source("runs", "workflow_run_active"),
    Source("streams", "sse_subscribers"),
    Source("tokens", "gen_ai_client_token_usage", is_sum=True),
    Source(
        "model_errors", "model_requests_total", lambda labels: labels.get("outcome") == "failed"
    ),
    Source("model_retries", "model_retries_total"),
    Source("retrieval", "retrieval_seconds"),
    Source("ingested", "ingest_jobs_total", lambda labels: labels.get("outcome") == "done"),
    Source("events_waiting", "outbox_pending"),
    Source("dead_letters", "outbox_dead_letters"),
    Source("loop_lag", "event_loop_lag_seconds"),
    Source("pool", "db_pool_in_use"),
    Source("writers_waiting", "writer_queue_depth"),
)
"""A metric of two sources with one key is added to the other."""

SERIES: Final = (
    Series(name="requests_ok", unit="per_minute", source="requests_ok"),
    Series(name="requests_refused", unit="per_minute", source="requests_refused"),
    Series(name="requests_failed", unit="per_minute", source="requests_failed"),
    Series(name="first_token_p50", unit="seconds", source="first_token", quantile=0.5),
    Series(name="first_token_p95", unit="seconds", source="first_token", quantile=0.95),
    Series(name="run_duration_p95", unit="seconds", source="run_duration", quantile=0.95),
    Series(name="active_runs", unit="number", source="runs"),
    Series(name="streams", unit="number", source="streams"),
    Series(name="tokens", unit="per_minute", source="tokens"),
    Series(name="model_errors", unit="per_minute", source="model_errors"),
    Series(name="model_retries", unit="per_minute", source="model_retries"),
    Series(name="retrieval_p95", unit="seconds", source="retrieval", quantile=0.95),
    Series(name="documents_read", unit="per_minute", source="ingested"),
    Series(name="documents_waiting", unit="number", source=DOCUMENTS, is_common=True),
    Series(name="events_waiting", unit="number", source="events_waiting", is_common=True),
    Series(name="dead_letters", unit="number", source="dead_letters", is_common=True, limit=1),
    Series(name="loop_lag_p99", unit="seconds", source="loop_lag", quantile=0.99, limit=0.25),
    Series(name="processor", unit="number", source=PROCESSOR),
    Series(name="memory", unit="bytes", source=MEMORY),
    Series(name="pool", unit="number", source="pool"),
    Series(name="writers_waiting", unit="number", source="writers_waiting"),
    Series(name="disk", unit="share", source=DISK, is_common=True, limit=0.95),
)
BY_NAME: Final = {series.name: series for series in SERIES}


class Meters:
    """Reads what grew since the last time out of the metrics of this process."""

    def __init__(self) -> None:
        self._counts: dict[str, float] = {}
        self._spreads: dict[str, list[int]] = {}

    def read(
        self, readings: Iterable[Reading]
    ) -> tuple[dict[str, float], dict[str, float], dict[str, Spread]]:
        """Return growth of counters, height of gauges, and growth of buckets, each by its key."""
        by_name = {each.name.removeprefix(PREFIX): each for each in readings}
        totals: dict[str, float] = {}
        levels: dict[str, float] = {}
        spreads: dict[str, Spread] = {}
        for source in SOURCES:
            reading = by_name.get(source.metric)
            if reading is None:
                continue
            values = [value for labels, value in reading.series if source.matches(labels)]
            heap = [value for value in values if isinstance(value, Buckets)]
            plain = sum(value for value in values if not isinstance(value, Buckets))
            if source.is_sum:
                totals[source.key] = sum(value.total for value in heap)
            elif reading.kind == "histogram":
                spreads[source.key] = self._grown(source.key, heap)
            elif reading.kind == "counter":
                totals[source.key] = totals.get(source.key, 0.0) + plain
            else:
                levels[source.key] = levels.get(source.key, 0.0) + plain
        grown = {key: total - self._counts.get(key, 0.0) for key, total in totals.items()}
        self._counts |= totals
        return (
            {key: value for key, value in grown.items() if value},
            {key: value for key, value in levels.items() if value},
            {key: value for key, value in spreads.items() if value},
        )

    def _grown(self, key: str, heap: Sequence[Buckets]) -> Spread:
        if not heap:
            return ()
        bounds = heap[0].bounds
        now = [sum(each.counts[place] for each in heap) for place in range(len(bounds) + 1)]
        before = self._spreads.get(key) or [0] * len(now)
        self._spreads[key] = now
        edges = (0.0, *bounds, bounds[-1])  # above the last bound it is at least that
        return tuple(
            (edges[place], edges[place + 1], count - old)
            for place, (count, old) in enumerate(zip(now, before, strict=True))
            if count > old
        )


def together(samples: Sequence[Sample], *, process_id: str, span_s: int) -> Sample:
    """Make one of the samples of one process, the newest last: gauges keep their highest."""
    counts: dict[str, float] = {}
    levels: dict[str, float] = {}
    heaps: dict[str, list[Spread]] = {}
    for sample in samples:
        for key, value in sample.counts.items():
            counts[key] = counts.get(key, 0.0) + value
        for key, value in sample.levels.items():
            levels[key] = max(levels.get(key, value), value)
        for key, spread in sample.spreads.items():
            heaps.setdefault(key, []).append(spread)
    return Sample(
        process_id=process_id,
        at=samples[-1].at,
        span_s=span_s,
        counts=counts,
        levels=levels,
        spreads={key: added(spreads) for key, spreads in heaps.items()},
    )


def added(spreads: Iterable[Spread]) -> Spread:
    """Put buckets together that have the same bounds, in order."""
    heap: dict[tuple[float, float], int] = {}
    for spread in spreads:
        for low, high, count in spread:
            heap[low, high] = heap.get((low, high), 0) + count
    return tuple((low, high, count) for (low, high), count in sorted(heap.items()))


def quantile(spread: Sequence[tuple[float, float, float]], share: float) -> float | None:
    """Estimate below which value this share lies; None of nothing."""
    wanted = share * sum(count for _, _, count in spread)
    for low, high, count in spread:
        if wanted <= count:
            return low + (high - low) * (wanted / count)
        wanted -= count
    return None


@dataclass(frozen=True, slots=True)
class Piece:
    """So many seconds of a sample lie in a span that is drawn."""

    sample: Sample
    covered_s: float

    @property
    def share(self) -> float:
        return self.covered_s / self.sample.span_s


def laid_out(
    samples: Iterable[Sample], *, since: datetime, step_s: int, count: int
) -> list[list[Piece]]:
    """Lay samples over spans of equal length: nobody samples when a span of the chart ends."""
    spans: list[list[Piece]] = [[] for _ in range(count)]
    for sample in samples:
        end_s = (sample.at - since).total_seconds()
        begin_s = end_s - sample.span_s
        first = max(int(begin_s // step_s), 0)
        for place in range(first, min(int(end_s // step_s) + 1, count)):
            covered_s = min(end_s, (place + 1) * step_s) - max(begin_s, place * step_s)
            if covered_s > 0:
                spans[place].append(Piece(sample, covered_s))
    return spans


def drawn(series: Series, pieces: Sequence[Piece]) -> float | None:
    """Return the value of a series in one span, over the samples that processes have of it.

    None where no process told of the span, or nothing was timed in it.
    """
    if not pieces:
        return None
    if series.quantile:
        return quantile(_spread(series.source, pieces), series.quantile)
    if series.unit == "per_minute":
        return _rate(series.source, pieces)
    by_process: dict[str, float] = {}
    for piece in pieces:
        process_id = piece.sample.process_id
        height = piece.sample.levels.get(series.source, 0.0)
        by_process[process_id] = max(by_process.get(process_id, 0.0), height)
    heights = by_process.values()
    return max(heights) if series.is_common else sum(heights)


def _spread(source: str, pieces: Sequence[Piece]) -> list[tuple[float, float, float]]:
    heap: dict[tuple[float, float], float] = {}
    for piece in pieces:
        for low, high, count in piece.sample.spreads.get(source, ()):
            heap[low, high] = heap.get((low, high), 0.0) + count * piece.share
    return [(low, high, count) for (low, high), count in sorted(heap.items())]


def _rate(source: str, pieces: Sequence[Piece]) -> float:
    """Count per minute of each process in the time that it told of, and add them up."""
    grown: dict[str, float] = {}
    covered: dict[str, float] = {}
    for piece in pieces:
        key = piece.sample.process_id
        grown[key] = grown.get(key, 0.0) + piece.sample.counts.get(source, 0.0) * piece.share
        covered[key] = covered.get(key, 0.0) + piece.covered_s
    return sum(grown[key] * 60 / covered[key] for key in grown)
