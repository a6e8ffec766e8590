"""Refuses work while the process cannot keep up, the least urgent first."""

import logging
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from itertools import cycle
from typing import Final

from application.shared.background import Background
from application.shared.traffic import ShedMeter, ShedReason, Traffic
from domain.shared.error import Overloaded
from domain.shared.limits import Limits

LOOK_S: Final = 0.25
_RETRY_AFTER_S: Final = (1.0, 2.0, 3.0)
"""In turn, so that those who were refused together do not come back together."""

_MEMORY_EASED: Final = 0.05
"""So far below the limit the memory has to fall before work is taken again."""

_ORDER: Final = (Traffic.INGEST, Traffic.CHAT, Traffic.READ)
"""What is refused, from the first step to the last; the rest never is."""

_SEVERE: Final = 2.0
"""Times the limit of the loop's lateness."""

_log: Final = logging.getLogger(__name__)


class Admission:
    """Watches the event loop and the memory, and refuses new requests; what runs goes on.

    Too much is a loop that was later than ``overload_lag_s`` in the last second while more than
    ``overload_requests`` requests were in progress, or memory beyond ``overload_memory_share`` of
    what the process may have. Uploads are refused when that has lasted ``overload_after_s``, chats
    after twice, reads after three times as long, and only if the loop is late by twice the limit
    or half of the memory that was left is gone. All is taken again when the loop is late by less
    than half the limit.
    """

    def __init__(
        self,
        *,
        lag_s: Callable[[], float],
        memory_share: Callable[[], float],
        meter: ShedMeter,
        limits: Limits,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._lag_s = lag_s
        self._memory_share = memory_share
        self._meter = meter
        self._limits = limits
        self._clock = clock
        self._requests = 0
        self._since: float | None = None
        self._refused: frozenset[Traffic] = frozenset()
        self._reason = ShedReason.LAG
        self._retry_after_s = cycle(_RETRY_AFTER_S)
        self._loop = Background(self.look, name="admission", interval_s=LOOK_S)

    async def start(self) -> None:
        await self._loop.start()

    async def aclose(self) -> None:
        await self._loop.aclose()

    @contextmanager
    def counting(self) -> Generator[None, None, None]:
        """Count a request as being in progress."""
        self._requests += 1
        try:
            yield
        finally:
            self._requests -= 1

    @property
    def is_refusing(self) -> bool:
        """Some kind of request is refused now."""
        return bool(self._refused)

    def require(self, traffic: Traffic) -> None:
        """Raise ``Overloaded`` if requests of this kind are refused now."""
        if traffic in self._refused:
            self._meter.count(self._reason, traffic)
            raise Overloaded(
                "The server is overloaded; try again.", retry_after_s=next(self._retry_after_s)
            )

    async def look(self) -> None:
        """Decide what is refused until the next look."""
        now, limits = self._clock(), self._limits
        lag = self._lag_s() / limits.overload_lag_s if limits.overload_lag_s else 0.0
        memory = self._memory_share() if limits.overload_memory_share else 0.0
        # With few requests in progress it is not they who hold the loop up, and to refuse the next
        # one would not help: the machine is busy with something else.
        is_late = lag > 1 and self._requests > limits.overload_requests
        is_full = memory > limits.overload_memory_share > 0
        if is_late or is_full:
            self._since = now if self._since is None else self._since
            self._reason = ShedReason.MEMORY if is_full else ShedReason.LAG
            is_severe = lag > _SEVERE or memory > (1 + limits.overload_memory_share) / 2
            self._refuse(self._steps(now - self._since, is_severe=is_severe))
        elif not self._refused or (
            lag < 1 / 2 and memory <= max(limits.overload_memory_share - _MEMORY_EASED, 0.0)
        ):
            self._since = None
            self._refuse(0)

    def _steps(self, lasted_s: float, *, is_severe: bool) -> int:
        """How much of the order is refused; it never gets less before the process is at ease."""
        after_s = self._limits.overload_after_s
        steps = int(lasted_s / after_s) if after_s else len(_ORDER)
        most = len(_ORDER) if is_severe else len(_ORDER) - 1
        return max(min(steps, most), len(self._refused))

    def _refuse(self, steps: int) -> None:
        if steps == len(self._refused):
            return
        self._refused = frozenset(_ORDER[:steps])
        _log.warning(
            "overloaded" if steps else "not overloaded any more",
            extra={
                "refused": [each.value for each in _ORDER[:steps]],
                "reason": self._reason.value,
            },
        )
