"""Retention of traces: what was said goes first, then the rest; pinned ones stay."""

import asyncio
import logging
from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Final, Protocol

from msgspec.structs import replace

from application.trace.body import PREFIX, TraceBodies, put_at
from application.trace.settings import TraceSettings
from application.trace.text_index import TraceTextIndex
from crossdomain.trace.contract import RetentionRules
from domain.shared.error import AppError
from domain.shared.ids import SpaceId
from domain.trace.repository import TraceStore
from domain.trace.value import Capture, TraceSummary
from infra.contract.clock import Clock
from infra.contract.storage.object_store import ObjectKey, ObjectStore
from infra.contract.storage.transfer import ObjectCatalogue

_logger: Final = logging.getLogger(__name__)
_BATCH: Final = 100
_UNCLAIMED: Final = timedelta(hours=6)
"""So old an object without a row belongs to a run that was never settled with it."""


class TraceObjects(ObjectStore, ObjectCatalogue, Protocol):
    """Objects that can be listed."""


class TraceSweeper:
    """Several processes may sweep side by side."""

    def __init__(
        self,
        *,
        store: TraceStore,
        bodies: TraceBodies,
        objects: TraceObjects,
        settings: TraceSettings,
        clock: Clock,
        retention: RetentionRules,
        texts: TraceTextIndex,
    ) -> None:
        self._texts = texts
        self._retention = retention
        self._store = store
        self._bodies = bodies
        self._objects = objects
        self._settings = settings
        self._clock = clock

    async def sweep(self) -> None:
        """Remove what has had its time, and objects that no trace names."""
        now = self._clock.now()
        content_days, metadata_days = self._settings.content_days, self._settings.metadata_days
        rules = await self._retention.of_traces()
        held = [space_id for space_id, rule in rules.items() if rule.is_held]
        await self._strip(now - timedelta(days=content_days), but=held)
        await self._remove(now - timedelta(days=metadata_days), but=held)
        for space_id, rule in rules.items():
            if rule.is_held:
                continue
            if rule.content_days is not None and rule.content_days < content_days:
                await self._strip(now - timedelta(days=rule.content_days), within=space_id)
            if rule.metadata_days is not None and rule.metadata_days < metadata_days:
                await self._remove(now - timedelta(days=rule.metadata_days), within=space_id)
        await self._texts.forget()
        await self._remove_unclaimed()

    async def _strip(
        self, before: datetime, *, within: SpaceId | None = None, but: Collection[SpaceId] = ()
    ) -> None:
        """Keep what happened, and forget what was said."""
        while True:
            async with self._store.snapshot() as uow:
                due = await uow.janitor.expired(
                    before=before, content_only=True, limit=_BATCH, within=within, but=but
                )
            for summary in due:
                await self._strip_one(summary)
            if len(due) < _BATCH:
                return

    async def _strip_one(self, summary: TraceSummary) -> None:
        async with self._store.snapshot() as uow:
            bodies = await uow.janitor.bodies([summary.run_id])
        bare = [await self._bodies.strip(body) for body in bodies]
        async with self._store.transaction() as uow:
            await uow.janitor.rewrite(replace(summary, capture=Capture.METADATA), bare)
            await uow.commit()
        kept = {body.object_key for body in bare}
        for body in bodies:
            if body.object_key not in kept:
                await self._bodies.drop(body)

    async def _remove(
        self, before: datetime, *, within: SpaceId | None = None, but: Collection[SpaceId] = ()
    ) -> None:
        while True:
            async with self._store.transaction() as uow:
                due = await uow.janitor.expired(
                    before=before, content_only=False, limit=_BATCH, within=within, but=but
                )
                ids = [summary.run_id for summary in due]
                bodies = await uow.janitor.bodies(ids)
                await uow.janitor.remove(ids)
                await uow.commit()
            for body in bodies:
                await self._bodies.drop(body)
            if len(due) < _BATCH:
                return

    async def _remove_unclaimed(self) -> None:
        """Remove objects whose transaction was never made, or whose row went without them."""
        until = self._clock.now() - _UNCLAIMED
        page: list[str] = []
        async for found in self._objects.listed(after=f"{PREFIX}/"):
            key = found.key.value
            if not key.startswith(f"{PREFIX}/"):
                break
            if put_at(key) < until:
                page.append(key)
            if len(page) == _BATCH:
                await self._remove_those(page)
                page = []
        await self._remove_those(page)

    async def _remove_those(self, keys: list[str]) -> None:
        if not keys:
            return
        async with self._store.snapshot() as uow:
            known = await uow.janitor.known_objects(keys)
        for key in keys:
            if key not in known:
                try:
                    await self._objects.delete(ObjectKey(key))
                except AppError:
                    _logger.warning("An object of a trace was not removed.", exc_info=True)
        await asyncio.sleep(0)
