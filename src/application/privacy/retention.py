"""Retention: what workspaces say of how long they keep things, and its keeping."""

import logging
from collections.abc import Mapping
from typing import Final

from application.privacy.dto import RetentionView, SetRetention
from crossdomain.trace.contract import TraceRetention
from domain.privacy.repository import PrivacyStore, Selection
from domain.privacy.retention import Retention
from domain.privacy.value import Aging
from domain.shared.access import Permission, Principal
from domain.shared.ids import SpaceId
from infra.contract.clock import Clock
from infra.contract.storage.object_store import ObjectKey, ObjectStore

_AT_ONCE: Final = 200
_logger: Final = logging.getLogger(__name__)


class RetentionService:
    """Shows and changes what workspaces say, for those who administer them."""

    def __init__(self, *, store: PrivacyStore, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    async def get(self, principal: Principal, space_id: int) -> RetentionView:
        space = SpaceId(space_id)
        principal.require(Permission.SPACE_WRITE, space)
        async with self._store.snapshot() as uow:
            return RetentionView.of(await uow.retention.get(principal.scope, space))

    async def set(self, principal: Principal, command: SetRetention) -> RetentionView:
        """Replace all that a workspace says; raise ``RetentionInvalid``."""
        space = SpaceId(command.space_id)
        principal.require(Permission.SPACE_WRITE, space)
        async with self._store.transaction() as uow:
            retention = await uow.retention.get(principal.scope, space)
            retention.change(
                command.days,
                is_held=command.is_held,
                by=principal.user_id,
                now=self._clock.now(),
            )
            await uow.retention.save(principal.scope, retention)
            await uow.commit()
        return RetentionView.of(retention)


class RetentionBook:
    """Implements ``RetentionRules`` of traces and ``LegalHolds``."""

    def __init__(self, *, store: PrivacyStore) -> None:
        self._store = store

    async def of_traces(self) -> Mapping[SpaceId, TraceRetention]:
        async with self._store.snapshot() as uow:
            found = await uow.jobs.all()
        return {
            each.id: TraceRetention(
                content_days=each.days.trace_content,
                metadata_days=each.days.traces,
                is_held=each.is_held,
            )
            for each in found
        }

    async def held(self) -> frozenset[SpaceId]:
        async with self._store.snapshot() as uow:
            return frozenset(each.id for each in await uow.jobs.all() if each.is_held)


class RetentionSweeper:
    """Removes what workspaces do not keep any longer; traces have a sweeper of their own."""

    def __init__(self, *, store: PrivacyStore, objects: ObjectStore, clock: Clock) -> None:
        self._store = store
        self._objects = objects
        self._clock = clock

    async def sweep(self) -> int:
        """Remove all that is due; return how many things that were."""
        async with self._store.snapshot() as uow:
            rules = await uow.jobs.all()
        count = 0
        for rule in rules:
            for aging in Aging:
                if removed := await self._sweep(rule, aging):
                    _logger.info(
                        "Removed %d old %s of workspace %d.", removed, aging.value, rule.id
                    )
                    count += removed
        return count

    async def _sweep(self, rule: Retention, aging: Aging) -> int:
        before, count = rule.bound(aging, now=self._clock.now()), 0
        while before is not None:
            async with self._store.snapshot() as uow:
                old = await uow.people.aged(rule.id, aging, before=before, limit=_AT_ONCE)
            if old is None:
                break
            await self._remove(old)
            count += len(old.ids)
        return count

    async def _remove(self, old: Selection) -> None:
        async with self._store.snapshot() as uow:
            keys = await uow.people.objects(old)
        for key in keys:
            await self._objects.delete(ObjectKey(key))
        async with self._store.transaction() as uow:
            await uow.people.forget(old)
            await uow.commit()
