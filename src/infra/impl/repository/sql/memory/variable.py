"""Values of variables in SQL."""

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from domain.memory.variable import Holder, StoredValue
from domain.privacy.value import Section
from domain.shared.access import TenantScope
from domain.shared.ids import SpaceId
from infra.impl.repository.sql.mapping.column import Instant, id_column, metadata
from infra.impl.repository.sql.mapping.personal import PERSONAL, PersonalTable
from infra.impl.repository.sql.mapping.upsert import upsert

values: Final = sa.Table(
    "memory_variable",
    metadata,
    sa.Column("owner_kind", sa.String(8), primary_key=True),
    id_column("owner_id", primary_key=True),
    sa.Column("side", sa.String(8), primary_key=True),
    sa.Column("connector_id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("end_user_id", sa.String(256), primary_key=True),
    sa.Column("keyword", sa.String(100), primary_key=True),
    id_column("space_id", nullable=False),
    sa.Column("value", sa.Text, nullable=False),
    sa.Column("created_at", Instant, nullable=False),
    sa.Column("updated_at", Instant, nullable=False),
)


PERSONAL.add(
    PersonalTable(
        table=values,
        section=Section.VARIABLES,
        end_user=(values.c.end_user_id,),
    )
)


class SqlVariableRepository:
    """Values that were written for end users."""

    def __init__(self, connection: AsyncConnection) -> None:
        self._connection = connection

    async def get(self, scope: TenantScope, holder: Holder) -> Mapping[str, StoredValue]:
        query = sa.select(
            values.c.keyword, values.c.value, values.c.created_at, values.c.updated_at
        ).where(values.c.space_id.in_(scope.space_ids), _held(holder))
        return {
            row.keyword: StoredValue(
                value=row.value, created_at=row.created_at, updated_at=row.updated_at
            )
            for row in await self._connection.execute(query)
        }

    async def put(
        self,
        scope: TenantScope,
        space_id: SpaceId,
        holder: Holder,
        changed: Mapping[str, str],
        *,
        now: datetime,
    ) -> None:
        scope.within(space_id)
        for keyword in sorted(changed):
            key = {**_key(holder), "keyword": keyword}
            insert = upsert(self._connection.dialect.name, values).values(
                **key,
                space_id=space_id,
                value=changed[keyword],
                created_at=now,
                updated_at=now,
            )
            await self._connection.execute(
                insert.on_conflict_do_update(
                    index_elements=list(key), set_={"value": changed[keyword], "updated_at": now}
                )
            )

    async def lock(
        self,
        scope: TenantScope,
        space_id: SpaceId,
        holder: Holder,
        keyword: str,
        *,
        default: str,
        now: datetime,
    ) -> str:
        key = {**_key(holder), "keyword": keyword}
        await self._connection.execute(
            upsert(self._connection.dialect.name, values)
            .values(**key, space_id=space_id, value=default, created_at=now, updated_at=now)
            .on_conflict_do_nothing()
        )
        query = sa.select(values.c.value).where(
            values.c.space_id.in_(scope.space_ids),
            *(values.c[name] == each for name, each in key.items()),
        )
        return str(await self._connection.scalar(query.with_for_update()))

    async def remove(
        self, scope: TenantScope, holder: Holder, keywords: Collection[str] | None
    ) -> None:
        wanted = [values.c.space_id.in_(scope.space_ids), _held(holder)]
        if keywords is not None:
            wanted.append(values.c.keyword.in_(keywords))
        await self._connection.execute(sa.delete(values).where(*wanted))


def _key(holder: Holder) -> dict[str, Any]:
    return {
        "owner_kind": holder.owner.kind.value,
        "owner_id": holder.owner.id,
        "side": holder.side.value,
        "connector_id": holder.connector_id,
        "end_user_id": holder.end_user_id,
    }


def _held(holder: Holder) -> sa.ColumnElement[bool]:
    return sa.and_(*(values.c[name] == value for name, value in _key(holder).items()))
