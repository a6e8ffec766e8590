"""Numbers about the edge of the process: who follows a stream, and who was refused."""

from collections.abc import Generator
from contextlib import contextmanager
from typing import Literal

from domain.shared.error import AppError, ErrorKind
from infra.contract.observability.metrics import Counter, Metrics

DropReason = Literal["stalled", "failed"]
"""``stalled``: the client took nothing for too long. ``failed``: the events could not be read."""


class HttpMetrics:
    """Counts streams and refusals of all surfaces."""

    def __init__(self, metrics: Metrics) -> None:
        self._metrics = metrics
        self._open = metrics.gauge("sse_subscribers", "Event streams that are being written.")
        self._dropped = {
            reason: metrics.counter(
                "sse_dropped_total", "Event streams that the server gave up.", reason=reason
            )
            for reason in ("stalled", "failed")
        }
        self._violations = metrics.counter(
            "console_csp_reports_total", "What browsers kept pages of this server from doing."
        )
        self._refused: dict[str, Counter] = {}

    @contextmanager
    def stream(self) -> Generator[None, None, None]:
        """Count a stream as open inside the block."""
        self._open.add()
        try:
            yield
        finally:
            self._open.add(-1)

    def dropped(self, reason: DropReason) -> None:
        """Take a stream that was given up before its end."""
        self._dropped[reason].add()

    def page_violation(self) -> None:
        """Take what a browser told of a page that broke its policy."""
        self._violations.add()

    def refused(self, exc: AppError) -> None:
        """Take an error that a request is answered with; those about limits are counted."""
        if exc.kind is not ErrorKind.RATE_LIMITED:
            return
        limit = str(exc.context.get("limit", exc.slug))
        counter = self._refused.get(limit)
        if counter is None:
            counter = self._refused[limit] = self._metrics.counter(
                "quota_refused_total", "Requests refused because of a limit.", limit=limit
            )
        counter.add()
