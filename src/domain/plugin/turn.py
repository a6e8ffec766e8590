"""Who may call a plugin now: a few at a time, some more in a line, the others are refused."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Final

from domain.plugin.error import ToolCallFailed
from domain.shared.fair_share import PATIENCE_S, FairShare, ShareRefused

_REMEMBERED: Final = 1000
"""Plugins beyond which those that nobody calls are forgotten."""


class Turns:
    """Counts the calls of each plugin in this process."""

    def __init__(self, *, parallel: int, queue: int) -> None:
        self._parallel = parallel
        self._queue = queue
        self._shares: dict[int, FairShare] = {}

    @asynccontextmanager
    async def of(self, plugin_id: int, *, space_id: int) -> AsyncGenerator[None, None]:
        """Wait for a turn; raise ``ToolCallFailed`` if the line is full."""
        share = self._shares.get(plugin_id) or self._open(plugin_id)
        try:
            await share.acquire(space_id)
        except ShareRefused as exc:
            raise ToolCallFailed(
                "Too many calls of this plugin are going on; try again later."
            ) from exc
        try:
            yield
        finally:
            share.release(space_id)

    def _open(self, plugin_id: int) -> FairShare:
        if len(self._shares) >= _REMEMBERED:
            self._shares = {key: each for key, each in self._shares.items() if not each.is_idle}
        share = self._shares[plugin_id] = FairShare(
            "the plugin", capacity=self._parallel, waiting=self._queue, wait_s=PATIENCE_S
        )
        return share
