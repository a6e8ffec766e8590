"""How the newest call of each plugin went: kept in memory, written now and then."""

import asyncio
import logging
from contextlib import AsyncExitStack
from typing import Final

from domain.plugin.entity import Plugin
from domain.plugin.repository import PluginStore
from domain.plugin.value import LastCall, PluginId
from domain.shared.access import TenantScope
from domain.shared.error import AppError
from domain.shared.ids import SpaceId, UserId

_NOBODY: Final = UserId(0)
_INTERVAL_S: Final = 5.0
_MOST: Final = 1000
"""Plugins that wait to be written; the calls of others are not noted until then."""
_log: Final = logging.getLogger(__name__)


class CallRecorder:
    """Writes only how the last of several calls went; what cannot be written waits."""

    def __init__(self, *, store: PluginStore, interval_s: float = _INTERVAL_S) -> None:
        self._store = store
        self._interval_s = interval_s
        self._calls: dict[PluginId, tuple[SpaceId, LastCall]] = {}
        self._is_noted = asyncio.Event()
        self._writer: asyncio.Task[None] | None = None
        self._stack = AsyncExitStack()

    async def start(self) -> None:
        group = await self._stack.enter_async_context(asyncio.TaskGroup())
        self._writer = group.create_task(self._write_forever(), name="plugin calls")

    async def aclose(self) -> None:
        if self._writer is not None:
            self._writer.cancel()
        await self._stack.aclose()
        await self.flush()

    def note(self, plugin: Plugin, call: LastCall) -> None:
        """Take how a call went; never waits."""
        if plugin.id in self._calls or len(self._calls) < _MOST:
            self._calls[plugin.id] = plugin.space_id, call
            self._is_noted.set()

    async def flush(self) -> None:
        """Write what was noted; a database that is away is told to the log only."""
        calls, self._calls = self._calls, {}
        if not calls:
            return
        scope = TenantScope(_NOBODY, frozenset(space_id for space_id, _ in calls.values()))
        try:
            async with self._store.transaction() as uow:
                await uow.plugins.record_calls(
                    scope, {id_: each for id_, (_, each) in calls.items()}
                )
                await uow.commit()
        except AppError as exc:
            self._calls = calls | self._calls
            _log.warning("How plugins were called is written later: %s", exc.message)

    async def _write_forever(self) -> None:
        while True:
            await self._is_noted.wait()
            self._is_noted.clear()
            await asyncio.sleep(self._interval_s)
            try:
                await self.flush()
            except Exception:  # noqa: BLE001 - the next round may succeed
                _log.exception("How plugins were called could not be written.")
