"""The age of undelivered events is measured, shown, and after a while a problem."""

from datetime import UTC, datetime, timedelta

import pytest

from application.operation.outbox import OutboxMonitor
from domain.shared.error import Unavailable
from infra.contract.messaging.event_repository import Backlog
from infra.contract.observability.metrics import Metrics
from tests.support.clock import FrozenClock

NOW = datetime(2026, 5, 4, 12, tzinfo=UTC)


async def test_old_events_are_counted_and_told() -> None:
    metrics = Metrics()
    found = Backlog(pending=0, oldest_at=None, dead=0)

    async def backlog() -> Backlog:
        return found

    monitor = OutboxMonitor(backlog=backlog, clock=FrozenClock(NOW), metrics=metrics, stale_s=60)
    await monitor.measure()
    await monitor.probe()
    assert "coterie_outbox_lag_seconds 0\n" in metrics.render().decode()

    found = Backlog(pending=3, oldest_at=NOW - timedelta(seconds=61), dead=2)
    await monitor.measure()

    with pytest.raises(Unavailable, match="waited"):
        await monitor.probe()
    shown = metrics.render().decode()
    assert "coterie_outbox_pending 3\n" in shown
    assert "coterie_outbox_lag_seconds 61\n" in shown
    assert "coterie_outbox_dead_letters 2\n" in shown
