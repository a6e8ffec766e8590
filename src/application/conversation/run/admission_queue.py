"""The line of runs that wait to be stored."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Final

from application.shared.traffic import ShedMeter, ShedReason, Traffic
from domain.shared.error import RateLimited
from domain.shared.fair_share import FairShare, ShareRefused
from domain.shared.limits import Limits
from domain.shared.share_meter import ShareFigures

_CROWD: Final = 4
"""Times those that are being stored: so few are no crowd, the machine is slow."""


class AdmissionQueue:
    """Has the beginnings of a few runs stored at a time, in turn between workspaces.

    A database stores so many in a second. What waits inside it holds up the ends of other runs
    and requests to cancel; what waits here holds up nobody. Once the first run of a workspace has
    waited for ``run_wait_s`` and a crowd stands behind it, whoever of this workspace comes is
    refused at once. Who is in the line stays, so that many who come in one instant are all served;
    at most for ``run_wait_max_s``.
    """

    def __init__(
        self, *, limits: Limits, meter: ShedMeter, figures: ShareFigures | None = None
    ) -> None:
        self._limits = limits
        self._meter = meter
        self._share = FairShare(
            "the start of chats",
            capacity=limits.run_starts,
            kept=limits.run_starts // 4,
            waiting=2 * limits.runs_per_process,
            wait_s=limits.run_wait_max_s,
        )
        if figures is not None:
            figures.show("starts", self._share)

    def require_short(self, space_id: int) -> None:
        """Raise ``RateLimited`` if who comes now would wait for too long."""
        count, waited_s = self._share.line_of(space_id)
        if count >= _CROWD * self._limits.run_starts and waited_s > self._limits.run_wait_s:
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
    async def turn(self, space_id: int) -> AsyncGenerator[None, None]:
        """Wait for a turn, and hold it.

        Raises:
            RateLimited: it did not come in time.
        """
        self.require_short(space_id)
        try:
            await self._share.acquire(space_id)
        except ShareRefused as exc:
            raise self.refused(ShedReason.LINE) from exc
        try:
            yield
        finally:
            self._share.release(space_id)
