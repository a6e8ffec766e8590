"""The time of the database server: one clock for all processes that share it."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from datetime import UTC, datetime
from typing import Final

from domain.shared.error import AppError
from infra.contract.clock import Clock

COMPARE_S: Final = 10.0
MOST_DOUBT_S: Final = 0.5
"""A reading that took twice as long says too little."""

_log: Final = logging.getLogger(__name__)


class ServerClock:
    """Goes by the server's time, so that leases mean the same to every process.

    Between two comparisons the monotonic clock tells how much time went by: steps of the machine's
    own clock change nothing. Before the first comparison it is the machine's.
    """

    def __init__(
        self,
        ask: Callable[[], Awaitable[datetime]],
        *,
        machine: Clock,
        interval_s: float = COMPARE_S,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        """``ask`` reads the server's clock."""
        self._ask = ask
        self._machine = machine
        self._interval_s = interval_s
        self._monotonic = monotonic
        self._ahead_s: float | None = None
        """How far the server's time is ahead of the monotonic clock."""
        self._stack = AsyncExitStack()
        self._task: asyncio.Task[None] | None = None

    def now(self) -> datetime:
        if self._ahead_s is None:
            return self._machine.now()
        return datetime.fromtimestamp(self._ahead_s + self._monotonic(), UTC)

    async def start(self) -> None:
        """Compare for the first time; raises what ``ask`` raises."""
        await self.compare()
        group = await self._stack.enter_async_context(asyncio.TaskGroup())
        self._task = group.create_task(self._keep(), name="server clock")

    async def aclose(self) -> None:
        if self._task is not None:
            self._task.cancel()
        await self._stack.aclose()

    async def compare(self) -> None:
        """Set the clock, if it is off by more than this reading may be."""
        asked_at = self._monotonic()
        server = await self._ask()
        heard_at = self._monotonic()
        doubt_s = (heard_at - asked_at) / 2
        ahead_s = server.timestamp() - (asked_at + heard_at) / 2
        known_s = self._ahead_s
        if known_s is None or (doubt_s <= MOST_DOUBT_S and abs(ahead_s - known_s) > doubt_s):
            self._ahead_s = ahead_s

    async def _keep(self) -> None:
        while True:
            await asyncio.sleep(self._interval_s)
            try:
                await self.compare()
            except (AppError, TimeoutError):  # the monotonic clock goes on
                _log.debug("the server's time is not known", exc_info=True)
