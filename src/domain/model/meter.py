"""Numbers about models: their calls, and the places and breakers before them."""

from collections.abc import Callable
from typing import Final

from domain.model.breaker import Breaker, BreakerState
from domain.shared.capacity.fair_share import FairShare
from domain.shared.capacity.share_meter import ShareFigures
from domain.shared.chat import ModelCall
from infra.contract.observability.metrics import Counter, Histogram, Metrics

STATES: Final[dict[BreakerState, int]] = {"closed": 0, "half_open": 1, "open": 2}
TOKEN_BUCKETS: Final = tuple(4**power for power in range(14))
"""1 to 67,108,864 in powers of four, as OpenTelemetry's conventions for generative AI have it."""

_SECONDS: Final = (0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600)
_CHUNK_SECONDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5)
_FREE: Final = "0"


class ModelMeter:
    """Counts every attempt at a provider, and shows the places and breaker in use of each model.

    These are those in use also after the model's entry changed. ``on_call`` hears of them, too.
    """

    def __init__(
        self, metrics: Metrics, *, on_call: Callable[[ModelCall], None] | None = None
    ) -> None:
        self._metrics = metrics
        self._on_call = on_call
        self._places = ShareFigures(metrics)
        self._breakers: dict[str, Breaker] = {}
        self._used: dict[tuple[str, str], _Instruments] = {}

    def opened(self, name: str, *, places: FairShare, breaker: Breaker) -> None:
        """Show these from now on; ``name`` is the model's."""
        self._places.show(f"model {name}", places)
        is_new = name not in self._breakers
        self._breakers[name] = breaker
        if not is_new:
            return
        self._metrics.watch(
            "breaker_state",
            "Breaker of a model: 0 closed, 1 half-open, 2 open.",
            lambda: STATES[self._breakers[name].state],
            model=name,
        )

    def recording(self, record: Callable[[ModelCall], None]) -> Callable[[ModelCall], None]:
        """Return what takes ledger entries to ``record`` and counts them."""

        def counted(call: ModelCall) -> None:
            record(call)
            self.called(call)

        return counted

    def called(self, call: ModelCall) -> None:
        """Take the ledger entry of one attempt."""
        key = call.model, call.purpose
        used = self._used.get(key)
        if used is None:
            used = self._used[key] = _Instruments(self._metrics, *key)
        used.take(call)
        if self._on_call is not None:
            self._on_call(call)


class _Instruments:
    """Those of one model and purpose."""

    def __init__(self, metrics: Metrics, model: str, purpose: str) -> None:
        self._metrics = metrics
        self._model, self._purpose = model, purpose
        self._outcomes: dict[str, Counter] = {}
        self._duration: Histogram = metrics.histogram(
            "gen_ai_client_operation_duration_seconds",
            "Duration of an attempt at a model provider.",
            buckets=_SECONDS,
            model=model,
            purpose=purpose,
        )
        self._tokens = [
            metrics.histogram(
                "gen_ai_client_token_usage",
                "Tokens of an attempt.",
                buckets=TOKEN_BUCKETS,
                direction=direction,
                model=model,
                purpose=purpose,
            )
            for direction in ("input", "output")
        ]
        self._retries = metrics.counter(
            "model_retries_total",
            "Attempts that repeat one that failed.",
            model=model,
            purpose=purpose,
        )
        self._points = metrics.counter(
            "usage_points_total",
            "What attempts cost by the prices of their models.",
            model=model,
            purpose=purpose,
        )

    def take(self, call: ModelCall) -> None:
        outcome = self._outcomes.get(call.outcome)
        if outcome is None:
            outcome = self._outcomes[call.outcome] = self._metrics.counter(
                "model_requests_total",
                "Attempts at model providers.",
                outcome=call.outcome,
                model=self._model,
                purpose=self._purpose,
            )
        outcome.add()
        self._duration.observe(call.total_ms / 1000)
        self._tokens[0].observe(call.usage.input_tokens)
        self._tokens[1].observe(call.usage.output_tokens)
        if call.attempt > 1:
            self._retries.add()
        if call.cost != _FREE:
            self._points.add(float(call.cost))
        if call.first_token_ms is not None:
            self._streamed(call, call.first_token_ms)

    def _streamed(self, call: ModelCall, first_token_ms: int) -> None:
        self._metrics.histogram(
            "model_first_token_seconds",
            "From the request to the provider's first token.",
            buckets=_SECONDS,
            model=self._model,
            purpose=self._purpose,
        ).observe(first_token_ms / 1000)
        if call.output_chunks > 1:
            self._metrics.histogram(
                "model_chunk_seconds",
                "Mean time between two pieces of a reply.",
                buckets=_CHUNK_SECONDS,
                model=self._model,
                purpose=self._purpose,
            ).observe((call.total_ms - first_token_ms) / 1000 / (call.output_chunks - 1))
