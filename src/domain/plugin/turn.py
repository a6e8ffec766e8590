"""Who may call a plugin now: a few at a time, some more in a line, the others are refused."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from domain.plugin.error import ToolCallFailed


class Turns:
    """Counts the calls of each plugin in this process."""

    def __init__(self, *, parallel: int, queue: int) -> None:
        self._parallel = parallel
        self._most = parallel + queue
        self._lines: dict[int, asyncio.Semaphore] = {}
        self._counts: dict[int, int] = {}

    @asynccontextmanager
    async def of(self, plugin_id: int) -> AsyncGenerator[None, None]:
        """Wait for a turn; raise ``ToolCallFailed`` if the line is full."""
        count = self._counts.get(plugin_id, 0)
        if count >= self._most:
            raise ToolCallFailed("Too many calls of this plugin are going on; try again later.")
        self._counts[plugin_id] = count + 1
        line = self._lines.setdefault(plugin_id, asyncio.Semaphore(self._parallel))
        try:
            async with line:
                yield
        finally:
            self._counts[plugin_id] -= 1
            if not self._counts[plugin_id]:
                del self._counts[plugin_id], self._lines[plugin_id]
