"""End users of an agent or app in SQL: whom it has variables, memories or conversations of."""

from typing import Any

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from domain.conversation.value import Scene
from domain.memory.database import Side
from domain.memory.end_user import KnownEndUser
from domain.memory.variable import Owner, OwnerKind
from domain.shared.access import TenantScope
from domain.shared.ids import AgentId
from infra.impl.repository.sql.conversation.table import conversations
from infra.impl.repository.sql.identity.query import LIKE_ESCAPE, escaped
from infra.impl.repository.sql.memory.recollection import items
from infra.impl.repository.sql.memory.variable import values


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
