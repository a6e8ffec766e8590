"""One step repeated by the process for as long as it lives."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from typing import Final

from infra.contract.storage.database import priority_scope

_logger: Final = logging.getLogger(__name__)


class Background:
    """Owner of a loop that outlives the failures of its steps; a ring ends the pause early."""

    def __init__(
        self, step: Callable[[], Awaitable[None]], *, name: str, interval_s: float
    ) -> None:
        self._step = step
        self._name = name
        self._interval_s = interval_s
        self._stack = AsyncExitStack()
        self._task: asyncio.Task[None] | None = None
        self._bell = asyncio.Event()

    async def ring(self, _: object = None) -> None:
        """Have the next step done at once: there is something to do."""
        self.wake()

    def wake(self) -> None:
        """The same as ``ring``, for those who cannot wait."""
        self._bell.set()

    async def start(self) -> None:
        group = await self._stack.enter_async_context(asyncio.TaskGroup())
        self._task = group.create_task(self._loop(), name=self._name)

    async def aclose(self) -> None:
        if self._task is not None:
            self._task.cancel()
        await self._stack.aclose()

    async def _loop(self) -> None:
        while True:
            await self._pause()
            try:
                with priority_scope():  # leases and ends must not stand in a line of newcomers
                    await self._step()
            except Exception:  # whatever it was, the next step may succeed
                _logger.exception("A step of %s failed; it is repeated.", self._name)

    async def _pause(self) -> None:
        try:
            async with asyncio.timeout(self._interval_s):
                await self._bell.wait()
        except TimeoutError:
            return
        self._bell.clear()
