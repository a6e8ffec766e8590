"""Numbers about what stands between callers and models: queues and breakers."""

from typing import Final

from domain.model.breaker import Breaker, BreakerState
from domain.model.limiter import Limiter
from infra.contract.metrics import Metrics

STATES: Final[dict[BreakerState, int]] = {"closed": 0, "half_open": 1, "open": 2}


class ModelMeter:
    """Shows the limiter and breaker in use of each model, also after its entry changed."""

    def __init__(self, metrics: Metrics) -> None:
        self._metrics = metrics
        self._in_use: dict[str, tuple[Limiter, Breaker]] = {}

    def opened(self, name: str, *, limiter: Limiter, breaker: Breaker) -> None:
        """Show these from now on; ``name`` is the model's."""
        is_new = name not in self._in_use
        self._in_use[name] = limiter, breaker
        waits = self._metrics.histogram(
            "limiter_wait_seconds", "Time calls waited for their turn at a model.", model=name
        )
        limiter.report_to(waits.observe)
        if not is_new:
            return
        self._metrics.watch(
            "limiter_waiting",
            "Calls that wait for their turn at a model.",
            lambda: self._in_use[name][0].waiting,
            model=name,
        )
        self._metrics.watch(
            "breaker_state",
            "Breaker of a model: 0 closed, 1 half-open, 2 open.",
            lambda: STATES[self._in_use[name][1].state],
            model=name,
        )
