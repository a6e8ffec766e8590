"""Limiter of connections: accepted work goes before newcomers, each in order of arrival."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Final

from domain.shared.capacity.fair_share import FairShare, Refusal, ShareRefused
from domain.shared.capacity.processor import preferred, unthrottled, working_for
from domain.shared.error import RateLimited, Unavailable
from infra.contract.storage.database import has_priority

RETRY_AFTER_S: Final = 1.0


class ConnectionLimiter:
    """So many turns at a time; whoever finds none free waits in line.

    A line that moves is a busy database: it is waited in for ``longest_s``. One that stood still
    for ``stuck_s`` is a database that does not work. Workspaces have turns; what a workspace
    has begun goes before what it begins. One workspace alone never has the ``kept`` ones. Who has
    the last connection, or one where none is kept, is not held up on his way: others wait for it.
    The others go before all else of their workspace.
    """

    def __init__(
        self, count: int, *, longest_s: float, stuck_s: float, most_waiting: int, kept: int = 0
    ) -> None:
        self._is_kept = kept > 0
        self._share = FairShare(
            "the database",
            capacity=count,
            kept=kept,
            waiting=most_waiting,
            wait_s=longest_s,
            stall_s=stuck_s,
        )

    @property
    def waiting(self) -> int:
        """How many wait for their turn."""
        return self._share.waiting

    @asynccontextmanager
    async def turn(self) -> AsyncGenerator[None, None]:
        """Have a turn inside.

        Raises:
            Unavailable: nobody gave a turn back for too long.
            RateLimited: too many wait, or the line is too long for its speed.
        """
        is_first, space = has_priority(), working_for()
        try:
            await self._share.acquire(space, is_urgent=is_first)
        except ShareRefused as exc:
            if is_first or exc.refusal is Refusal.STALLED:
                raise Unavailable(
                    "All connections to the database are in use; try again.",
                    retry_after_s=RETRY_AFTER_S,
                ) from exc
            raise RateLimited(
                "More requests wait for the database than it can serve; try again.",
                retry_after_s=RETRY_AFTER_S,
            ) from exc
        try:
            is_enough = self._is_kept and self._share.free
            with preferred() if is_enough else unthrottled():
                yield
        finally:
            self._share.release(space)
