"""Who asks too often, and what is left to those who do not."""

from collections.abc import Hashable
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import datetime
from math import ceil
from typing import Final

from cachetools import LRUCache

from domain.shared.capacity.bucket import MINUTE_S, Bucket


@dataclass(frozen=True, slots=True)
class RateStatus:
    """How a limit stands after a request: ``left`` of ``quota`` per minute.

    ``again_s`` is how long it takes until one more is left than now.
    """

    name: str
    quota: int
    left: int
    again_s: int


_STATUSES: Final[ContextVar[dict[str, RateStatus] | None]] = ContextVar(
    "rate standings", default=None
)


def begin_rate_statuses() -> None:
    """Forget what was told, at the begin of a request; its task ends with the request."""
    _STATUSES.set({})


def current_rate_statuses() -> tuple[RateStatus, ...]:
    """Return how the limits stand that the running request counted for."""
    return tuple((_STATUSES.get() or {}).values())


def report_rate_status(
    name: str, bucket: Bucket, *, most: float, window_s: float = MINUTE_S
) -> None:
    """Let the client of the running request know how a limit stands, of ``most`` at once."""
    told = _STATUSES.get()
    if told is not None:
        whole = int(bucket.left)
        again_s = ceil((whole + 1 - bucket.left) * window_s / most)
        told[name] = RateStatus(name, int(most), whole, again_s)


class RateLimiter:
    """A bucket per key that holds ``per_minute`` and refills over a minute; 0 never limits.

    With another ``window_s`` it refills over that time instead. One with a name tells the client
    of a request how it stands.
    """

    def __init__(
        self, *, per_minute: int, size: int, name: str = "", window_s: float = MINUTE_S
    ) -> None:
        self._capacity = float(per_minute)
        self._name = name
        self._window_s = window_s
        self._buckets: LRUCache[Hashable, Bucket] = LRUCache(max(size, 1))

    def take(self, key: Hashable, *, now: datetime, most: int | None = None) -> float:
        """Take one; return the seconds to wait if the bucket is empty, else 0.

        ``most`` is what the bucket of this key holds, where keys have limits of their own.
        """
        capacity = self._capacity if most is None else float(most)
        if not capacity:
            return 0.0
        bucket = self._buckets.get(key) or Bucket.full(capacity, now=now)
        bucket, wait_s = bucket.take(capacity, now=now, window_s=self._window_s)
        self._buckets[key] = bucket
        if self._name:
            report_rate_status(self._name, bucket, most=capacity, window_s=self._window_s)
        return wait_s
