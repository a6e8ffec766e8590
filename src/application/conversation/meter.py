"""Numbers about runs and their model calls, for whoever watches the process."""

from collections.abc import Generator
from contextlib import contextmanager
from datetime import datetime
from typing import Final

from domain.conversation.run import Run
from domain.shared.chat import ModelCall
from infra.contract.metrics import Metrics

TOKEN_BUCKETS: Final = tuple(4**power for power in range(14))
"""1 to 67,108,864 in powers of four, as OpenTelemetry's conventions for generative AI have it."""

_SECONDS: Final = (0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1800)


class RunMeter:
    """Counts every run once, at its end, and every attempt at a model provider."""

    def __init__(self, *, metrics: Metrics) -> None:
        self._metrics = metrics
        self._active = metrics.gauge("run_active", "Runs in progress in this process.")
        self._duration = metrics.histogram(
            "run_duration_seconds", "From acceptance to the end of a run.", buckets=_SECONDS
        )
        self._first_token = metrics.histogram(
            "run_first_token_seconds", "From acceptance to the first token.", buckets=_SECONDS
        )

    @contextmanager
    def active(self) -> Generator[None, None, None]:
        """Count a run as active inside the block."""
        self._active.add()
        try:
            yield
        finally:
            self._active.add(-1)

    def ended(self, run: Run, *, now: datetime) -> None:
        """Take a run in its terminal state."""
        self._metrics.counter("run_total", "Runs that ended.", status=run.status.value).add()
        self._duration.observe((now - run.created_at).total_seconds())
        if run.first_token_at is not None:
            self._first_token.observe((run.first_token_at - run.created_at).total_seconds())

    def called(self, call: ModelCall) -> None:
        """Take the ledger entry of one attempt."""
        metrics, labels = self._metrics, {"model": call.model, "purpose": call.purpose}
        metrics.counter(
            "model_requests_total",
            "Attempts at model providers.",
            outcome=call.outcome,
            **labels,
        ).add()
        metrics.histogram(
            "gen_ai_client_operation_duration_seconds",
            "Duration of an attempt at a model provider.",
            buckets=_SECONDS,
            **labels,
        ).observe(call.total_ms / 1000)
        if call.first_token_ms is not None:
            metrics.histogram(
                "model_first_token_seconds",
                "From the request to the provider's first token.",
                buckets=_SECONDS,
                **labels,
            ).observe(call.first_token_ms / 1000)
        for direction, tokens in (
            ("input", call.usage.input_tokens),
            ("output", call.usage.output_tokens),
        ):
            metrics.histogram(
                "gen_ai_client_token_usage",
                "Tokens of an attempt.",
                buckets=TOKEN_BUCKETS,
                direction=direction,
                **labels,
            ).observe(tokens)
