"""Circuit breaker of one model: stops calling what does not answer."""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal

from domain.model.error import BreakerOpen
from infra.contract.model.chat_model import ModelFailure

BreakerState = Literal["closed", "open", "half_open"]

_COUNTS: Final = frozenset(
    {
        ModelFailure.CONNECT,
        ModelFailure.TIMEOUT,
        ModelFailure.OVERLOADED,
        ModelFailure.MALFORMED,
        ModelFailure.INTERRUPTED,
    }
)
"""Failures that say the endpoint is ill; a bad key, a full quota or a bad request do not."""

_MAX_OUTCOMES: Final = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class BreakerPolicy:
    """Thresholds."""

    window_s: float = 60.0
    min_calls: int = 20
    failure_share: float = 0.5
    connect_errors: int = 5
    """Consecutive connection failures that open it whatever the share."""
    open_s: float = 15.0


class Breaker:
    """Closed, open, or half-open with a single probe in flight.

    Every ``enter`` that returns is followed by exactly one of ``succeeded``, ``failed`` and
    ``abandoned``.
    """

    def __init__(self, name: str, *, policy: BreakerPolicy, monotonic: Callable[[], float]) -> None:
        self._name = name
        self._policy = policy
        self._monotonic = monotonic
        self._outcomes: deque[tuple[float, bool]] = deque(maxlen=_MAX_OUTCOMES)
        self._failures = 0
        self._connect_errors = 0
        self._opened_at: float | None = None
        self._is_probing = False

    @property
    def state(self) -> BreakerState:
        if self._opened_at is None:
            return "closed"
        return "open" if self._remaining_s() > 0 else "half_open"

    def enter(self) -> None:
        """Let a call pass; raise ``BreakerOpen`` with the seconds left."""
        if self._opened_at is None:
            return
        remaining_s = self._remaining_s()
        if remaining_s > 0 or self._is_probing:
            raise BreakerOpen(
                f"The model {self._name} fails too often; try again in a moment.",
                retry_after_s=max(remaining_s, 1.0),
                model=self._name,
            )
        self._is_probing = True

    def succeeded(self) -> None:
        if self._opened_at is not None:
            self._close()
        self._connect_errors = 0
        self._add(is_failure=False)

    def failed(self, failure: ModelFailure) -> None:
        if failure not in _COUNTS:
            self.succeeded()  # the endpoint answered
            return
        self._connect_errors = self._connect_errors + 1 if failure is ModelFailure.CONNECT else 0
        self._add(is_failure=True)
        if self._opened_at is not None or self._is_too_much():
            self._opened_at = self._monotonic()
        self._is_probing = False

    def abandoned(self) -> None:
        """The caller left before the outcome was known."""
        self._is_probing = False

    def _close(self) -> None:
        self._opened_at = None
        self._is_probing = False
        self._outcomes.clear()
        self._failures = 0

    def _add(self, *, is_failure: bool) -> None:
        now = self._monotonic()
        if len(self._outcomes) == _MAX_OUTCOMES:
            self._failures -= self._outcomes.popleft()[1]
        self._outcomes.append((now, is_failure))
        self._failures += is_failure
        while self._outcomes[0][0] < now - self._policy.window_s:
            self._failures -= self._outcomes.popleft()[1]

    def _is_too_much(self) -> bool:
        calls = len(self._outcomes)
        return self._connect_errors >= self._policy.connect_errors or (
            calls >= self._policy.min_calls and self._failures >= calls * self._policy.failure_share
        )

    def _remaining_s(self) -> float:
        if self._opened_at is None:
            return 0.0
        return self._opened_at + self._policy.open_s - self._monotonic()
