"""Numbers about the preparations of a turn."""

import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Final, Literal

from infra.contract.observability.metrics import Histogram, Metrics

Outcome = Literal["ok", "failed", "timeout"]

_SECONDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)


class Branch:
    """One preparation under way; it is fine until somebody says otherwise."""

    outcome: Outcome = "ok"


class PreparationMeter:
    """Times the branches that run before the model is asked."""

    def __init__(
        self, metrics: Metrics, *, monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        self._metrics = metrics
        self._monotonic = monotonic
        self._known: dict[tuple[str, str], Histogram] = {}

    @contextmanager
    def timed(self, name: str) -> Generator[Branch, None, None]:
        """Count the block as one run of the branch, unless it is cut off."""
        branch, began = Branch(), self._monotonic()
        yield branch
        key = name, branch.outcome
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self._metrics.histogram(
                "prepare_seconds",
                "Duration of a preparation of a turn.",
                buckets=_SECONDS,
                branch=name,
                outcome=branch.outcome,
            )
        found.observe(self._monotonic() - began)
