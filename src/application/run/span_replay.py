"""Replay of stored events into a trace, for runs whose process was lost before it told one."""

from datetime import UTC, datetime
from typing import Final

from domain.shared.tracing.span import Span, SpanKind, SpanLog, SpanStatus

_MS_NS: Final = 1_000_000


class SpanReplay:
    """Opens and closes spans at the times of events; ``began_ms`` is that of the first one."""

    def __init__(self, log: SpanLog, *, began_ms: int) -> None:
        log.is_rebuilt = True
        log.began_at = datetime.fromtimestamp(began_ms / 1000, UTC)
        log.began_ns = 0
        self._log = log
        self._began_ms = began_ms
        self._at_ns = 0

    def at(self, ms: int) -> None:
        """Go on to the time of an event; clocks that were set back stand still."""
        self._at_ns = max(self._at_ns, (ms - self._began_ms) * _MS_NS)

    def open(self, kind: SpanKind, name: str, *, parent: Span, since_ms: float = 0.0) -> Span:
        """Begin a span now, or so long ago."""
        span = self._log.open(kind, name, parent=parent)
        span.began_ns = max(0, self._at_ns - int(since_ms * _MS_NS))
        return span

    def close(self, *spans: Span | None) -> None:
        """End what has begun."""
        for span in spans:
            if span is not None:
                span.ended_ns = max(self._at_ns, span.began_ns, 1)

    def end(self) -> None:
        """Leave nothing open: how it would have ended is lost."""
        for span in self._log.spans:
            if not span.ended_ns:
                span.status = SpanStatus.LOST
                self.close(span)
