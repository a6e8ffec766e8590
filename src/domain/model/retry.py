"""When a failed call is tried again, and where it goes instead."""

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from domain.model.error import BreakerOpen, ModelBusy
from domain.shared.error import AppError
from infra.contract.chat_model import RETRYABLE, ModelCallFailed, ModelFailure

_FALLS_BACK: Final = RETRYABLE | {
    ModelFailure.AUTH,
    ModelFailure.UNKNOWN_MODEL,
    ModelFailure.QUOTA,
    ModelFailure.CONTEXT_OVERFLOW,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class RetryPolicy:
    """Exponential back-off with full jitter."""

    attempts: int = 3
    base_s: float = 0.5
    factor: float = 2.0
    cap_s: float = 10.0
    max_retry_after_s: float = 30.0
    jitter: Callable[[], float] = random.random
    """Draws from [0, 1)."""

    def delay_s(self, failure: AppError, *, attempt: int) -> float | None:
        """Return how long to wait after the failed ``attempt`` (from 1); None means give up.

        A provider that asks for more patience than ``max_retry_after_s`` is not waited for.
        """
        if attempt >= self.attempts or not _is_retryable(failure):
            return None
        if failure.retry_after_s is not None:
            return (
                failure.retry_after_s if failure.retry_after_s <= self.max_retry_after_s else None
            )
        ceiling: float = min(self.cap_s, self.base_s * self.factor ** (attempt - 1))
        return ceiling * self.jitter()


def falls_back(failure: AppError) -> bool:
    """Tell whether another model may do better."""
    if isinstance(failure, ModelCallFailed):
        return failure.failure in _FALLS_BACK
    return isinstance(failure, ModelBusy)


def needs_larger_window(failure: AppError) -> bool:
    """Tell whether only a model with a larger window may do better."""
    return isinstance(failure, ModelCallFailed) and failure.failure is ModelFailure.CONTEXT_OVERFLOW


def _is_retryable(failure: AppError) -> bool:
    """Refusals of our own are not repeated: the breaker stays open longer than any back-off."""
    return (
        isinstance(failure, ModelCallFailed)
        and not isinstance(failure, BreakerOpen)
        and failure.failure in RETRYABLE
    )
