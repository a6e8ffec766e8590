"""The line of runs that wait to be stored."""

import asyncio
from collections import deque
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Final

from application.shared.traffic import ShedMeter, ShedReason, Traffic
from domain.shared.error import RateLimited
from domain.shared.limits import Limits

_CROWD: Final = 4
"""Times those that are being stored: so few are no crowd, the machine is slow."""


class StartLine:
    """Has the beginnings of a few runs stored at a time, in the order in which they came.

    A database stores so many in a second. What waits inside it holds up the ends of other runs
    and requests to cancel; what waits here holds up nobody. Once the first in the line has waited
    for ``run_wait_s`` and a crowd stands behind it, whoever comes is refused at once. Who is in the
    line stays, so that many who come in one instant are all served; at most for ``run_wait_max_s``.
    """

    def __init__(self, *, limits: Limits, meter: ShedMeter) -> None:
        self._limits = limits
        self._meter = meter
        self._free = limits.run_starts
        self._waiting: deque[_Place] = deque()

    def require_short(self) -> None:
        """Raise ``RateLimited`` if who comes now would wait for too long."""
        if len(self._waiting) < _CROWD * self._limits.run_starts:
            return
        waited_s = asyncio.get_running_loop().time() - self._waiting[0].since
        is_full = len(self._waiting) >= 2 * self._limits.runs_per_process
        if is_full or waited_s > self._limits.run_wait_s:
            raise self.refused(ShedReason.LINE)

    def refused(self, reason: ShedReason) -> RateLimited:
        """Count a run that is refused, and return what to tell its client."""
        self._meter.count(reason, Traffic.CHAT)
        return RateLimited(
            "The server is busy; try again.",
            retry_after_s=max(1.0, self._limits.run_wait_s / 2),
            limit="run_wait_s",
        )

    @asynccontextmanager
    async def turn(self) -> AsyncGenerator[None, None]:
        """Wait for a turn, and hold it.

        Raises:
            RateLimited: it did not come in time.
        """
        if self._free and not self._waiting:
            self._free -= 1
        else:
            await self._wait()
        try:
            yield
        finally:
            self._pass_on()

    async def _wait(self) -> None:
        self.require_short()
        loop = asyncio.get_running_loop()
        place = _Place(loop.create_future(), loop.time())
        self._waiting.append(place)
        try:
            async with asyncio.timeout(self._limits.run_wait_max_s):
                await place.turn
        except BaseException as exc:
            if place.turn.done() and not place.turn.cancelled():  # it came at the same moment
                self._pass_on()
            elif place in self._waiting:  # or it was passed over, because it had been given up
                self._waiting.remove(place)
            if isinstance(exc, TimeoutError):
                raise self.refused(ShedReason.LINE) from exc
            raise

    def _pass_on(self) -> None:
        while self._waiting:
            place = self._waiting.popleft()
            if not place.turn.done():
                place.turn.set_result(None)
                return
        self._free += 1


@dataclass(slots=True, eq=False)
class _Place:
    turn: asyncio.Future[None]
    since: float
