"""How far the delivery of events lags behind: for metrics and readiness."""

from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import Final

from application.shared.background import Background
from domain.shared.error import Unavailable
from infra.contract.clock import Clock
from infra.contract.messaging.event_repository import Backlog
from infra.contract.observability.metrics import Metrics

INTERVAL_S: Final = 15.0
STALE_S: Final = 900.0
"""An event that waits longer failed several times, or nobody delivers: worth a look."""


class OutboxMonitor:
    """Measures the queue of events now and then; every process of a deployment sees the same."""

    def __init__(
        self,
        *,
        backlog: Callable[[], Awaitable[Backlog]],
        clock: Clock,
        metrics: Metrics,
        interval_s: float = INTERVAL_S,
        stale_s: float = STALE_S,
    ) -> None:
        self._ask = backlog
        self._clock = clock
        self._stale_s = stale_s
        self._backlog = Backlog(pending=0, oldest_at=None, dead=0)
        self._loop = Background(self.measure, name="outbox monitor", interval_s=interval_s)
        metrics.watch(
            "outbox_pending", "Events that somebody still waits for.", lambda: self._backlog.pending
        )
        metrics.watch("outbox_lag_seconds", "Age of the oldest of them.", lambda: self.lag_s)
        metrics.watch(
            "outbox_dead_letters",
            "Deliveries given up after the last attempt.",
            lambda: self._backlog.dead,
        )

    @property
    def lag_s(self) -> float:
        """Seconds the oldest undelivered event has waited; 0 if there is none."""
        oldest_at: datetime | None = self._backlog.oldest_at
        if oldest_at is None:
            return 0.0
        return max(0.0, (self._clock.now() - oldest_at).total_seconds())

    async def start(self) -> None:
        await self._loop.start()

    async def aclose(self) -> None:
        await self._loop.aclose()

    async def measure(self) -> None:
        """Ask the queue now."""
        self._backlog = await self._ask()

    async def probe(self) -> None:
        """Raise ``Unavailable`` if an event has waited for too long."""
        if self.lag_s > self._stale_s:
            raise Unavailable(f"An event has waited for {self.lag_s / 60:.0f} minutes.")
