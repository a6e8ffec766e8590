"""Background job: removes all that is left of workspaces for whose return it is too late."""

import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import Final

from domain.privacy.repository import PrivacyStore
from domain.privacy.space_purge import SpacePurged
from domain.shared.crashpoint import crashpoint
from domain.shared.ids import SpaceId
from infra.contract.clock import Clock
from infra.contract.storage.object_store import ObjectKey, ObjectStore

_logger: Final = logging.getLogger(__name__)
_AT_ONCE: Final = 20
_ROWS_AT_ONCE: Final = 500
_NAMES_AT_ONCE: Final = 100


class SpacePurge:
    """Takes small steps, each for good: where a process dies, the next one goes on.

    ``drop_tables`` removes the tables that tenants made in a workspace; ``forget_others`` takes out
    of indexes what rows that are gone had there. The row of the workspace goes last, for by it the
    work is found.
    """

    def __init__(
        self,
        *,
        store: PrivacyStore,
        objects: ObjectStore,
        drop_tables: Callable[[int], Awaitable[None]],
        forget_others: Sequence[Callable[[], Awaitable[None]]],
        clock: Clock,
    ) -> None:
        self._store = store
        self._objects = objects
        self._drop_tables = drop_tables
        self._forget_others = forget_others
        self._clock = clock

    async def purge(self) -> int:
        """Remove what is due; return how many workspaces that were."""
        async with self._store.snapshot() as uow:
            ended = await uow.space_rows.ended(now=self._clock.now(), limit=_AT_ONCE)
        for space_id in ended:
            await self._purge(space_id)
        return len(ended)

    async def _purge(self, space_id: SpaceId) -> None:
        await self._drop_tables(space_id)
        crashpoint("space.purge.tables_dropped")
        await self._disown(space_id)
        async with self._store.snapshot() as uow:
            stores = uow.space_rows.stores()
        rows = objects = 0
        for store in stores:
            gone = await self._remove(space_id, store)
            rows, objects = rows + gone[0], objects + gone[1]
        for forget in self._forget_others:
            await forget()
        crashpoint("space.purge.indexes_cleared")
        now = self._clock.now()
        async with self._store.transaction() as uow:
            name = await uow.space_rows.end(space_id)
            if name is not None:  # else another process was faster
                uow.collect(
                    SpacePurged(
                        occurred_at=now,
                        aggregate_id=space_id,
                        name=name,
                        rows=rows,
                        objects=objects,
                    )
                )
            await uow.commit()
        crashpoint("space.purge.committed")
        _logger.info("Removed workspace %d: %d rows, %d objects.", space_id, rows, objects)

    async def _remove(self, space_id: SpaceId, store: str) -> tuple[int, int]:
        rows = objects = 0
        after: Sequence[object] | None = None
        while True:
            async with self._store.snapshot() as uow:
                page = await uow.space_rows.page(space_id, store, after=after, limit=_ROWS_AT_ONCE)
            for key in page.objects:  # as long as there is a row, its object can be found
                await self._objects.delete(ObjectKey(key))
                crashpoint("space.purge.object_deleted")
            objects += len(page.objects)
            for start in range(0, len(page.keys), _ROWS_AT_ONCE):
                async with self._store.transaction() as uow:
                    rows += await uow.space_rows.remove(
                        store, page.keys[start : start + _ROWS_AT_ONCE]
                    )
                    await uow.commit()
                crashpoint("space.purge.rows_removed")
            if page.after is None:
                return rows, objects
            after = page.after

    async def _disown(self, space_id: SpaceId) -> None:
        """Leave the ledger without names: what was used has been used, and whose it was goes."""
        while True:
            async with self._store.snapshot() as uow:
                names = await uow.space_rows.users(space_id, limit=_NAMES_AT_ONCE)
            for name in names:
                async with self._store.transaction() as uow:
                    await uow.space_rows.disown(space_id, name)
                    await uow.commit()
            if len(names) < _NAMES_AT_ONCE:
                return
