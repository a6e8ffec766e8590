"""Bucket of a rate limit: what is left of it, which refills as time passes."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final, Self

MINUTE_S: Final = 60.0


@dataclass(frozen=True, slots=True)
class Bucket:
    """What was ``left`` at a moment; at most as much as fits in, which refills over a window."""

    left: float
    since: datetime

    @classmethod
    def full(cls, most: float, *, now: datetime) -> Self:
        """Return one of which nothing was taken."""
        return cls(most, now)

    def take(
        self, most: float, *, now: datetime, window_s: float = MINUTE_S
    ) -> tuple["Bucket", float]:
        """Return it with one less, and 0; or as it is now, and the seconds until one is left.

        A clock that is behind the one that took before refills nothing, and is not believed.
        """
        refill = most / window_s
        left = min(most, self.left + max(0.0, (now - self.since).total_seconds()) * refill)
        wait_s = 0.0 if left >= 1 else (1 - left) / refill
        return Bucket(left if wait_s else left - 1, max(now, self.since)), wait_s
