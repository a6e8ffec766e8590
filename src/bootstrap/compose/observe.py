"""Access log and request metrics: one small function called after each response."""

import logging
from collections.abc import Mapping
from typing import Final

from api.entry.gate import AccessRecord
from domain.shared.tracing.correlation import current_log_id
from infra.contract.observability.metrics import Counter, Histogram, Metrics

UNMATCHED: Final = "(none)"
_log: Final = logging.getLogger("coterie.access")


def log_context() -> Mapping[str, str]:
    """What every log line of a request carries."""
    return {"log_id": current_log_id()}


class AccessObserver:
    """Counts and, if switched on, logs every served request."""

    def __init__(self, *, metrics: Metrics, log: bool) -> None:
        self._metrics = metrics
        self._log = log
        self._instruments: dict[tuple[str, str, int], tuple[Counter, Histogram]] = {}

    def __call__(self, record: AccessRecord) -> None:
        key = (record.method, record.template, record.status)
        instruments = self._instruments.get(key)
        if instruments is None:
            instruments = self._instruments[key] = self._make(*key)
        counter, seconds = instruments
        counter.add()
        seconds.observe(record.duration_s)
        if self._log and _log.isEnabledFor(logging.INFO):
            _log.info(
                "%s %s %d",
                record.method,
                record.path,
                record.status,
                extra={
                    "log_id": record.log_id,
                    "ms": round(record.duration_s * 1000, 1),
                    "bytes": record.bytes_sent,
                    "peer": record.peer,
                    "traceparent": record.traceparent,
                },
            )

    def _make(self, method: str, template: str, status: int) -> tuple[Counter, Histogram]:
        route = template or UNMATCHED
        return (
            self._metrics.counter(
                "http_requests_total",
                "Served requests.",
                method=method,
                route=route,
                status=str(status),
            ),
            self._metrics.histogram(
                "http_request_duration_seconds",
                "From the first byte of a request to the last of its answer.",
                route=route,
            ),
        )
