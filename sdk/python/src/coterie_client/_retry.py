"""Retries: what may be sent again, after which pause, and for how long."""

from __future__ import annotations

import random
import time
from dataclasses import dataclass, field
from typing import Final

_FIRST_PAUSE_S: Final = 0.25
_LONGEST_PAUSE_S: Final = 8.0
_LONGEST_OUTAGE_S: Final = 300.0
REPEATABLE: Final = frozenset({"GET", "HEAD", "PUT", "DELETE"})


@dataclass(frozen=True, slots=True)
class Timeout:
    """Seconds to wait: for a connection, for the next byte of an answer, of a stream."""

    connect: float = 5.0
    read: float = 60.0
    stream: float = 45.0


DEFAULT_TIMEOUT: Final = Timeout()


@dataclass(slots=True)
class Patience:
    """Failures in a row, and the pause before the next try."""

    retries: int
    failures: int = 0
    since: float = field(default_factory=time.monotonic)

    def reset(self) -> None:
        """Begin again: something came."""
        self.failures = 0
        self.since = time.monotonic()

    def pause(self, retry_after: float | None = None) -> float | None:
        """Count a failure; return the seconds to wait, None if it was the last."""
        self.failures += 1
        if self.failures > self.retries or time.monotonic() - self.since > _LONGEST_OUTAGE_S:
            return None
        if retry_after is not None:
            return retry_after
        usual: float = min(_FIRST_PAUSE_S * 2.0 ** (self.failures - 1), _LONGEST_PAUSE_S)
        return min(usual * random.uniform(0.5, 1.5), _LONGEST_PAUSE_S)  # noqa: S311
