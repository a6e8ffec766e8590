"""How often slices were found: counted in memory, written now and then."""

import asyncio
import logging
from collections import Counter
from collections.abc import Iterable
from contextlib import AsyncExitStack, suppress
from typing import Final

from application.knowledge.retrieval.settings import RetrievalSettings
from domain.knowledge.repository import KnowledgeStore
from domain.knowledge.value import SliceId
from domain.shared.access import TenantScope
from domain.shared.error import AppError
from domain.shared.ids import SpaceId, UserId

_NOBODY: Final = UserId(0)
_MOST: Final = 100
"""Times the count that is written at once: what may wait for a database that is away."""

_logger: Final = logging.getLogger(__name__)


class HitCounter:
    """Collects the hits of all searches; those that cannot be written wait for the next time."""

    def __init__(self, *, store: KnowledgeStore, settings: RetrievalSettings) -> None:
        self._store = store
        self._interval_s = settings.hits_flush_s
        self._limit = settings.hits
        self._hits: dict[SpaceId, Counter[SliceId]] = {}
        self._count = 0
        self._is_full = asyncio.Event()
        self._is_closing = asyncio.Event()
        self._stack = AsyncExitStack()

    async def start(self) -> None:
        group = await self._stack.enter_async_context(asyncio.TaskGroup())
        group.create_task(self._loop(), name="hit counter")

    async def aclose(self) -> None:
        """Write what is left.

        The loop is asked to end, not cancelled: a write that is cut off may have been committed,
        and would be counted again.
        """
        self._is_closing.set()
        self._is_full.set()
        await self._stack.aclose()
        try:
            await self.flush()
        except AppError:
            _logger.warning("Some hits of slices were not counted.", exc_info=True)

    def add(self, space_id: SpaceId, slice_ids: Iterable[int]) -> None:
        """Count slices of one space; never waits."""
        if self._count >= self._limit * _MOST:
            return  # hits are not worth more memory
        for slice_id in slice_ids:
            self._hits.setdefault(space_id, Counter())[SliceId(slice_id)] += 1
            self._count += 1
        if self._count >= self._limit:
            self._is_full.set()

    async def flush(self) -> None:
        """Write what was counted, space by space; raises what the database raises."""
        for space_id in list(self._hits):
            hits = self._hits.pop(space_id)
            try:
                async with self._store.transaction() as uow:
                    scope = TenantScope(_NOBODY, frozenset({space_id}))
                    await uow.retrieval.add_hits(scope, dict(hits))
                    await uow.commit()
            except BaseException:
                self._hits.setdefault(space_id, Counter()).update(hits)
                raise
            self._count -= hits.total()

    async def _loop(self) -> None:
        while not self._is_closing.is_set():
            with suppress(TimeoutError):
                async with asyncio.timeout(self._interval_s):
                    await self._is_full.wait()
            self._is_full.clear()
            try:
                await self.flush()
            except AppError:
                _logger.warning("Hits of slices are counted later.", exc_info=True)
                with suppress(TimeoutError):
                    async with asyncio.timeout(self._interval_s):
                        await self._is_closing.wait()
