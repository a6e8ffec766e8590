"""Who asks too often, and what is left to those who do not."""

from collections.abc import Hashable
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import datetime
from math import ceil
from typing import Final

from cachetools import LRUCache

_MINUTE_S: Final = 60


@dataclass(frozen=True, slots=True)
class RateStanding:
    """How a limit stands after a request: ``left`` of ``quota`` per minute.

    ``again_s`` is how long it takes until one more is left than now.
    """

    name: str
    quota: int
    left: int
    again_s: int


_STANDINGS: Final[ContextVar[dict[str, RateStanding] | None]] = ContextVar(
    "rate standings", default=None
)


def begin_standings() -> None:
    """Forget what was told, at the begin of a request; its task ends with the request."""
    _STANDINGS.set({})


def current_standings() -> tuple[RateStanding, ...]:
    """Return how the limits stand that the running request counted for."""
    return tuple((_STANDINGS.get() or {}).values())


class RateLimiter:
    """A bucket per key that holds ``per_minute`` and refills over a minute; 0 never limits.

    With another ``window_s`` it refills over that time instead. One with a name tells the client
    of a request how it stands.
    """

    def __init__(
        self, *, per_minute: int, size: int, name: str = "", window_s: float = _MINUTE_S
    ) -> None:
        self._capacity = float(per_minute)
        self._name = name
        self._window_s = window_s
        self._buckets: LRUCache[Hashable, tuple[float, datetime]] = LRUCache(max(size, 1))

    def take(self, key: Hashable, *, now: datetime, most: int | None = None) -> float:
        """Take one; return the seconds to wait if the bucket is empty, else 0.

        ``most`` is what the bucket of this key holds, where keys have limits of their own.
        """
        capacity = self._capacity if most is None else float(most)
        if not capacity:
            return 0.0
        refill = capacity / self._window_s
        left, since = self._buckets.get(key, (capacity, now))
        left = min(capacity, left + max(0.0, (now - since).total_seconds()) * refill)
        wait_s = 0.0 if left >= 1 else (1 - left) / refill
        left = left - 1 if left >= 1 else left
        self._buckets[key] = (left, now)
        if self._name:
            self._tell(left, refill, capacity)
        return wait_s

    def _tell(self, left: float, refill: float, capacity: float) -> None:
        told = _STANDINGS.get()
        if told is not None:
            whole = int(left)
            told[self._name] = RateStanding(
                self._name, int(capacity), whole, ceil((whole + 1 - left) / refill)
            )
