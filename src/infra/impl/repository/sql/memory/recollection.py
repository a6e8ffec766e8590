"""What agents remember of end users, in SQL: rows of one user are few and searched exactly."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from domain.memory.database import Side
from domain.memory.error import RecollectionNotFound
from domain.memory.recollection import Origin, Recollection, RecollectionId, RecollectionKind
from domain.memory.variable import Holder, Owner, OwnerKind
from domain.privacy.value import Section
from domain.shared.access import TenantScope
from domain.shared.ids import AgentId, SpaceId
from infra.impl.repository.sql.mapping.column import Instant, Json, id_column, metadata
from infra.impl.repository.sql.mapping.personal import PERSONAL, PersonalTable
from infra.impl.repository.sql.mapping.upsert import upsert

items: Final = sa.Table(
    "memory_item",
    metadata,
    id_column(),
    id_column("space_id", nullable=False),
    id_column("agent_id", nullable=False),
    sa.Column("side", sa.String(8), nullable=False),
    sa.Column("connector_id", sa.BigInteger, nullable=False, autoincrement=False),
    sa.Column("end_user_id", sa.String(256), nullable=False),
    sa.Column("kind", sa.String(16), nullable=False),
    sa.Column("text", sa.Text, nullable=False),
    sa.Column("terms", sa.Text, nullable=False),
    sa.Column("vector", sa.LargeBinary, nullable=False),
    sa.Column("embedding", sa.String(300), nullable=False),
    sa.Column("importance", sa.Float, nullable=False),
    sa.Column("origin", sa.String(16), nullable=False),
    id_column("conversation_id", nullable=False),
    id_column("run_id", nullable=False),
    sa.Column("message_ids", Json(tuple[int, ...]), nullable=False),
    sa.Column("valid_from", Instant, nullable=False),
    sa.Column("updated_at", Instant, nullable=False),
    sa.Column("last_used_at", Instant, nullable=False),
    id_column("superseded_by", nullable=True),
    sa.Index("ix_memory_item_holder", "agent_id", "end_user_id", "connector_id", "side"),
    sa.Index(None, "conversation_id"),
)
opt_outs: Final = sa.Table(
    "memory_opt_out",
    metadata,
    id_column("agent_id", primary_key=True),
    sa.Column("side", sa.String(8), primary_key=True),
    sa.Column("connector_id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("end_user_id", sa.String(256), primary_key=True),
    id_column("space_id", nullable=False),
    sa.Column("created_at", Instant, nullable=False),
)


PERSONAL.add(
    PersonalTable(
        table=items,
        section=Section.MEMORIES,
        end_user=(items.c.end_user_id,),
    )
)
PERSONAL.add(
    PersonalTable(
        table=opt_outs,
        section=Section.MEMORIES,
        end_user=(opt_outs.c.end_user_id,),
    )
)


class SqlRecollectionRepository:
    """Implements ``RecollectionRepository``."""

    def __init__(self, connection: AsyncConnection) -> None:
        self._connection = connection

    async def list(self, scope: TenantScope, holder: Holder) -> Sequence[Recollection]:
        query = sa.select(items).where(*_held(items, scope, holder)).order_by(items.c.id)
        return [_to_item(row) for row in await self._connection.execute(query)]

    async def get(
        self, scope: TenantScope, holder: Holder, item_id: RecollectionId
    ) -> Recollection:
        query = sa.select(items).where(
            *_held(items, scope, holder), items.c.id == item_id, items.c.superseded_by.is_(None)
        )
        row = (await self._connection.execute(query)).one_or_none()
        if row is None:
            raise RecollectionNotFound(f"No memory {item_id}.", memory_id=item_id)
        return _to_item(row)

    async def put(self, scope: TenantScope, items: Sequence[Recollection]) -> None:
        for each in items:
            scope.within(each.space_id)
            await self._put(_to_row(each))

    async def _put(self, row: dict[str, Any]) -> None:
        insert = _insert(self._connection, items).values(**row)
        await self._connection.execute(
            insert.on_conflict_do_update(
                index_elements=["id"], set_=row, where=items.c.space_id == row["space_id"]
            )
        )

    async def remove(
        self, scope: TenantScope, holder: Holder, item_ids: Collection[RecollectionId] | None
    ) -> int:
        wanted = _held(items, scope, holder)
        if item_ids is not None:
            wanted.append(items.c.id.in_(item_ids))
        return (await self._connection.execute(sa.delete(items).where(*wanted))).rowcount

    async def is_opted_out(self, scope: TenantScope, holder: Holder) -> bool:
        query = sa.select(opt_outs.c.agent_id).where(*_held(opt_outs, scope, holder))
        return await self._connection.scalar(query) is not None

    async def opt_out(
        self, scope: TenantScope, space_id: SpaceId, holder: Holder, *, now: datetime
    ) -> None:
        scope.within(space_id)
        insert = _insert(self._connection, opt_outs).values(
            **_key(holder), space_id=space_id, created_at=now
        )
        await self._connection.execute(insert.on_conflict_do_nothing())

    async def opt_in(self, scope: TenantScope, holder: Holder) -> None:
        await self._connection.execute(sa.delete(opt_outs).where(*_held(opt_outs, scope, holder)))


class SqlRecollectionCleanup:
    """Implements ``RecollectionCleanup``."""

    def __init__(self, connection: AsyncConnection) -> None:
        self._connection = connection

    async def forget_episodes(self, conversation_id: int) -> int:
        statement = sa.delete(items).where(
            items.c.conversation_id == conversation_id,
            items.c.kind == RecollectionKind.EPISODE.value,
        )
        return (await self._connection.execute(statement)).rowcount

    async def forget_message(self, conversation_id: int, message_id: int) -> int:
        query = sa.select(items.c.id, items.c.message_ids).where(
            items.c.conversation_id == conversation_id
        )
        taught = [
            row.id for row in await self._connection.execute(query) if message_id in row.message_ids
        ]
        if taught:
            await self._connection.execute(sa.delete(items).where(items.c.id.in_(taught)))
        return len(taught)

    async def forget_agent(self, agent_id: AgentId) -> None:
        for table in (items, opt_outs):
            await self._connection.execute(sa.delete(table).where(table.c.agent_id == agent_id))


def _key(holder: Holder) -> dict[str, Any]:
    return {
        "agent_id": holder.owner.id,
        "side": holder.side.value,
        "connector_id": holder.connector_id,
        "end_user_id": holder.end_user_id,
    }


def _held(table: sa.Table, scope: TenantScope, holder: Holder) -> list[sa.ColumnElement[bool]]:
    mine = [table.c[name] == value for name, value in _key(holder).items()]
    return [table.c.space_id.in_(scope.space_ids), *mine]


def _insert(connection: AsyncConnection, table: sa.Table) -> Any:
    return upsert(connection.dialect.name, table)


def _to_row(item: Recollection) -> dict[str, Any]:
    return {
        "id": item.id,
        "space_id": item.space_id,
        **_key(item.holder),
        "kind": item.kind.value,
        "text": item.text,
        "terms": " ".join(item.terms),
        "vector": item.vector,
        "embedding": item.embedding,
        "importance": item.importance,
        "origin": item.origin.value,
        "conversation_id": item.conversation_id,
        "run_id": item.run_id,
        "message_ids": item.message_ids,
        "valid_from": item.valid_from,
        "updated_at": item.updated_at,
        "last_used_at": item.last_used_at,
        "superseded_by": item.superseded_by,
    }


def _to_item(row: Any) -> Recollection:
    return Recollection(
        id=RecollectionId(row.id),
        space_id=SpaceId(row.space_id),
        holder=Holder(
            owner=Owner(kind=OwnerKind.AGENT, id=row.agent_id),
            side=Side(row.side),
            connector_id=row.connector_id,
            end_user_id=row.end_user_id,
        ),
        kind=RecollectionKind(row.kind),
        text=row.text,
        terms=tuple(row.terms.split()),
        vector=row.vector,
        embedding=row.embedding,
        importance=row.importance,
        origin=Origin(row.origin),
        conversation_id=row.conversation_id,
        run_id=row.run_id,
        message_ids=row.message_ids,
        valid_from=row.valid_from,
        updated_at=row.updated_at,
        last_used_at=row.last_used_at,
        superseded_by=None if row.superseded_by is None else RecollectionId(row.superseded_by),
    )
