"""Who gets a connection next: work that was accepted before newcomers, each in order of arrival."""

import asyncio
from collections import deque
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Final

from domain.shared.error import AppError, RateLimited, Unavailable
from infra.contract.database import is_under_way

RETRY_AFTER_S: Final = 1.0

_Line = deque[asyncio.Future[None]]


class Turns:
    """So many turns at a time; whoever finds none free waits in line.

    A line that moves is a busy database: it is waited in for ``longest_s``. One that stood still
    for ``stuck_s`` is a database that does not work.
    """

    def __init__(self, count: int, *, longest_s: float, stuck_s: float, most_waiting: int) -> None:
        self._count = count
        self._free = count
        self._longest_s = longest_s
        self._stuck_s = stuck_s
        self._most_waiting = most_waiting
        self._first: _Line = deque()
        self._others: _Line = deque()
        self._moved_at = 0.0

    @property
    def waiting(self) -> int:
        """How many wait for their turn."""
        return len(self._first) + len(self._others)

    @asynccontextmanager
    async def turn(self) -> AsyncGenerator[None, None]:
        """Have a turn inside.

        Raises:
            Unavailable: nobody gave a turn back for too long.
            RateLimited: too many wait, or the line is too long for its speed.
        """
        if self._free and not self._first and not self._others:
            self._free -= 1
        else:
            await self._wait()
        try:
            yield
        finally:
            self._give_back()

    async def _wait(self) -> None:
        is_first = is_under_way()
        line = self._first if is_first else self._others
        if not is_first and len(line) >= self._most_waiting:
            raise _too_busy()
        mine: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        line.append(mine)
        try:
            error = await self._stand(mine)
        except BaseException:
            if mine.done():  # it came in the same moment
                self._give_back()
            else:
                line.remove(mine)
            raise
        if error is not None:
            line.remove(mine)
            raise _stuck() if is_first else error

    async def _stand(self, mine: asyncio.Future[None]) -> AppError | None:
        """Wait for the turn, or return why to leave the line."""
        loop = asyncio.get_running_loop()
        joined = loop.time()
        last = joined + self._longest_s
        while not mine.done():
            stuck = max(self._moved_at, joined) + self._stuck_s
            left = min(last, stuck) - loop.time()
            if left <= 0:
                return _stuck() if stuck <= last else _too_busy()
            await asyncio.wait([mine], timeout=left)
        return None

    def _give_back(self) -> None:
        self._moved_at = asyncio.get_running_loop().time()
        for line in (self._first, self._others):
            if line:
                line.popleft().set_result(None)
                return
        self._free += 1


def _too_busy() -> RateLimited:
    return RateLimited(
        "More requests wait for the database than it can serve; try again.",
        retry_after_s=RETRY_AFTER_S,
    )


def _stuck() -> Unavailable:
    return Unavailable(
        "All connections to the database are in use; try again.", retry_after_s=RETRY_AFTER_S
    )
