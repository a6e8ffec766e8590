"""Rows of a workspace that is gone, in all tables; see ``mapping.tenancy``."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, Final

import sqlalchemy as sa

from domain.identity.entity import GRACE
from domain.privacy.repository import SpacePage
from domain.privacy.retention import Retention
from domain.privacy.value import Subject, SubjectKind
from domain.shared.ids import SpaceId
from domain.usage.repository import ROLLUP_LOCK
from infra.impl.repository.sql.engine.unit_of_work import SqlUnitOfWork
from infra.impl.repository.sql.identity.table import spaces
from infra.impl.repository.sql.mapping.all_tables import complete_metadata
from infra.impl.repository.sql.mapping.column import metadata
from infra.impl.repository.sql.mapping.keyset import among, beyond
from infra.impl.repository.sql.mapping.personal import PERSONAL
from infra.impl.repository.sql.mapping.row_mapper import RowMapper
from infra.impl.repository.sql.mapping.tenancy import TENANCY
from infra.impl.repository.sql.model.call import model_call

_SPARE: Final = timedelta(hours=1)
"""Clocks of processes differ: whoever takes a deletion back at the last moment must not meet us."""
_WINDOW: Final = 2000
"""Rows looked at in one statement where no index knows the workspace: none may take long."""


class SqlSpaceRows:
    """Implements ``SpaceRows``."""

    def __init__(self, uow: SqlUnitOfWork, retentions: RowMapper[Retention]) -> None:
        complete_metadata()
        self._uow = uow
        self._connection = uow.connection
        self._retentions = retentions.table

    async def ended(self, *, now: datetime, limit: int) -> Sequence[SpaceId]:
        held = sa.select(self._retentions.c.id).where(self._retentions.c.is_held)
        query = (
            sa.select(spaces.c.id)
            .where(spaces.c.deleted_at < now - GRACE - _SPARE, spaces.c.id.not_in(held))
            .order_by(spaces.c.id)
            .limit(limit)
        )
        return [SpaceId(found) for found in await self._connection.scalars(query)]

    def stores(self) -> Sequence[str]:
        return [table.name for table in TENANCY]

    async def page(
        self, space_id: SpaceId, store: str, *, after: Sequence[Any] | None, limit: int
    ) -> SpacePage:
        table = metadata.tables[store]
        mine, key = TENANCY.of(table, space_id), list(table.primary_key)
        kept = TENANCY.objects_of(table)
        columns = [*key, sa.null() if kept is None else kept]
        if TENANCY.is_found_fast(table):  # what was found before is removed by now
            query = sa.select(*columns).where(mine).limit(limit)
            rows = (await self._connection.execute(query)).all()
            found, is_last, place = [tuple(row) for row in rows], len(rows) < limit, ()
        else:
            query = sa.select(*columns, mine).order_by(*key).limit(_WINDOW)
            if after:
                query = query.where(beyond(table, after))
            rows = (await self._connection.execute(query)).all()
            found, is_last = [tuple(row)[:-1] for row in rows if row[-1]], len(rows) < _WINDOW
            place = tuple(rows[-1][: len(key)]) if rows else ()
        return SpacePage(
            keys=[row[: len(key)] for row in found],
            objects=await self._own([row[len(key)] for row in found if row[len(key)]], space_id),
            after=None if is_last else place,
        )

    async def remove(self, store: str, keys: Sequence[Sequence[Any]]) -> int:
        table = metadata.tables[store]
        gone = await self._connection.execute(sa.delete(table).where(among(table, keys)))
        return gone.rowcount

    async def users(self, space_id: SpaceId, *, limit: int) -> Sequence[str]:
        named = model_call.c.end_user_id
        query = sa.select(named).distinct().where(model_call.c.space_id == space_id, named != "")
        return list(await self._connection.scalars(query.limit(limit)))

    async def disown(self, space_id: SpaceId, name: str) -> None:
        await self._uow.serialise(ROLLUP_LOCK)
        entry = PERSONAL[model_call.name]
        subject = Subject(space_id=space_id, kind=SubjectKind.END_USER, name=name)
        theirs = entry.of(subject)
        if entry.disown is not None and theirs is not None:
            await entry.disown(self._connection, theirs, subject)

    async def end(self, space_id: SpaceId) -> str | None:
        own = sa.delete(spaces).where(spaces.c.id == space_id).returning(spaces.c.name)
        name: str | None = await self._connection.scalar(own)
        return name

    async def _own(self, keys: Sequence[str], space_id: SpaceId) -> Sequence[str]:
        """Leave out objects that rows of other workspaces name: copies of bases share them."""
        shared = set[str]()
        for column in TENANCY.objects if keys else ():
            others = sa.not_(TENANCY.of(metadata.tables[column.table.name], space_id))
            query = sa.select(column).where(column.in_(keys), others)
            shared |= set(await self._connection.scalars(query))
        return [key for key in dict.fromkeys(keys) if key not in shared]
