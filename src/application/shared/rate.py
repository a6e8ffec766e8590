"""Who asks too often."""

from collections.abc import Hashable
from datetime import datetime

from cachetools import LRUCache


class RateLimiter:
    """A bucket per key that holds ``per_minute`` and refills over a minute; 0 never limits."""

    def __init__(self, *, per_minute: int, size: int) -> None:
        self._capacity = float(per_minute)
        self._buckets: LRUCache[Hashable, tuple[float, datetime]] = LRUCache(max(size, 1))

    def take(self, key: Hashable, *, now: datetime) -> float:
        """Take one; return the seconds to wait if the bucket is empty, else 0."""
        if not self._capacity:
            return 0.0
        refill = self._capacity / 60
        left, since = self._buckets.get(key, (self._capacity, now))
        left = min(self._capacity, left + max(0.0, (now - since).total_seconds()) * refill)
        wait_s = 0.0 if left >= 1 else (1 - left) / refill
        self._buckets[key] = (left - 1 if left >= 1 else left, now)
        return wait_s
