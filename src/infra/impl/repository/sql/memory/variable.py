"""Values of variables in SQL, and the end users that they and what else is kept tell of."""

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from domain.conversation.value import Scene
from domain.memory.database import Side
from domain.memory.end_user import KnownEndUser
from domain.memory.variable import Holder, Owner, OwnerKind, StoredValue
from domain.privacy.value import Section
from domain.shared.access import TenantScope
from domain.shared.ids import AgentId, SpaceId
from infra.impl.repository.sql.conversation.table import conversations
from infra.impl.repository.sql.identity.query import LIKE_ESCAPE, escaped
from infra.impl.repository.sql.mapping.column import Instant, id_column, metadata
from infra.impl.repository.sql.mapping.personal import PERSONAL, PersonalTable
from infra.impl.repository.sql.mapping.upsert import upsert
from infra.impl.repository.sql.memory.recollection import items

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


class SqlEndUserRepository:
    """Implements ``EndUserRepository``: counts of three tables, put together by person."""

    def __init__(self, connection: AsyncConnection) -> None:
        self._connection = connection

    async def page(
        self,
        scope: TenantScope,
        owner: Owner,
        side: Side,
        *,
        text: str,
        offset: int,
        limit: int,
    ) -> tuple[list[KnownEndUser], int]:
        counts = [_variables(scope, owner, side)]
        if owner.kind is OwnerKind.AGENT:
            agent_id = AgentId(owner.id)
            counts.append(_memories(scope, agent_id, side))
            counts.append(_conversations(scope, agent_id, side))
        found = sa.union_all(*counts).subquery()
        person = (found.c.end_user_id, found.c.connector_id)
        last_at = sa.func.max(found.c.last_at, type_=values.c.updated_at.type)
        people = (
            sa.select(
                *person,
                sa.func.sum(found.c.variables).label("variables"),
                sa.func.sum(found.c.memories).label("memories"),
                sa.func.sum(found.c.conversations).label("conversations"),
                last_at.label("last_at"),
            )
            .where(found.c.end_user_id != "")
            .group_by(*person)
        )
        if scope.end_user_id:
            people = people.where(found.c.end_user_id == scope.end_user_id)
        if text:
            name = sa.func.lower(found.c.end_user_id)
            people = people.where(name.like(f"%{escaped(text.lower())}%", escape=LIKE_ESCAPE))
        total = await self._connection.scalar(
            sa.select(sa.func.count()).select_from(people.subquery())
        )
        rows = await self._connection.execute(
            people.order_by(last_at.desc(), *person).offset(offset).limit(limit)
        )
        return [
            KnownEndUser(
                end_user_id=row.end_user_id,
                connector_id=row.connector_id,
                variables=int(row.variables),
                memories=int(row.memories),
                conversations=int(row.conversations),
                last_at=row.last_at,
            )
            for row in rows
        ], int(total or 0)


def _variables(scope: TenantScope, owner: Owner, side: Side) -> sa.Select[Any]:
    return _counted(
        values,
        "variables",
        values.c.owner_kind == owner.kind,
        values.c.owner_id == owner.id,
        values.c.side == side,
        values.c.space_id.in_(scope.space_ids),
    )


def _memories(scope: TenantScope, agent_id: AgentId, side: Side) -> sa.Select[Any]:
    return _counted(
        items,
        "memories",
        items.c.agent_id == agent_id,
        items.c.side == side,
        items.c.superseded_by.is_(None),
        items.c.space_id.in_(scope.space_ids),
    )


def _conversations(scope: TenantScope, agent_id: AgentId, side: Side) -> sa.Select[Any]:
    """Those with the draft are told by their scene."""
    of_draft = conversations.c.scene == Scene.PLAYGROUND
    return _counted(
        conversations,
        "conversations",
        conversations.c.agent_id == agent_id,
        of_draft if side is Side.DRAFT else ~of_draft,
        conversations.c.space_id.in_(scope.space_ids),
        conversations.c.deleted_at.is_(None),
    )


def _counted(table: sa.Table, name: str, *wanted: sa.ColumnElement[bool]) -> sa.Select[Any]:
    """Count a table's rows by person; the other two counts are 0."""
    counts = [
        (sa.func.count() if each == name else sa.literal(0)).label(each)
        for each in ("variables", "memories", "conversations")
    ]
    last_at = sa.func.max(table.c.updated_at).label("last_at")
    person = (table.c.end_user_id, table.c.connector_id)
    return sa.select(*person, *counts, last_at).where(*wanted).group_by(*person)
