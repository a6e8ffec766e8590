"""How late the event loop runs: the first number to look at when everything is slow."""

import asyncio
from collections import deque
from typing import Final

from infra.contract.observability.metrics import Metrics

INTERVAL_S: Final = 0.1
WINDOW_S: Final = 1.0


class LoopLagMonitor:
    """Measures by timer how late a callback comes; ``lag_s`` is the worst of the last second.

    A timer that comes late comes less often, so the worst of a second's few is their 99th
    percentile.
    """

    def __init__(self, *, metrics: Metrics, interval_s: float = INTERVAL_S) -> None:
        self._interval_s = interval_s
        self._handle: asyncio.TimerHandle | None = None
        self._due = 0.0
        self._last: deque[tuple[float, float]] = deque()
        """When, and how late; no older than the window, except the last one."""
        self._lag = metrics.histogram("event_loop_lag_seconds", "Lateness of the event loop.")
        metrics.watch(
            "event_loop_lag_max_seconds", "Worst lateness in the last second.", lambda: self.lag_s
        )

    @property
    def lag_s(self) -> float:
        return max((late for _, late in self._last), default=0.0)

    async def start(self) -> None:
        self._schedule(asyncio.get_running_loop())

    async def aclose(self) -> None:
        if self._handle is not None:
            self._handle.cancel()
            self._handle = None

    def _schedule(self, loop: asyncio.AbstractEventLoop) -> None:
        self._due = loop.time() + self._interval_s
        self._handle = loop.call_at(self._due, self._tick, loop)

    def _tick(self, loop: asyncio.AbstractEventLoop) -> None:
        now = loop.time()
        late = max(0.0, now - self._due)
        self._lag.observe(late)
        self._last.append((now, late))
        while self._last[0][0] <= now - WINDOW_S:
            self._last.popleft()
        self._schedule(loop)
