"""Names of conversations in SQL."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

import sqlalchemy as sa

from domain.conversation.error import NameTaken
from domain.conversation.repository import ConversationName, NameSpace
from domain.privacy.value import Section
from domain.shared.access import TenantScope
from domain.shared.ids import ConversationId
from infra.impl.repository.sql.conversation.table import conversations
from infra.impl.repository.sql.engine.unit_of_work import SqlUnitOfWork
from infra.impl.repository.sql.mapping.column import Instant, metadata
from infra.impl.repository.sql.mapping.personal import PERSONAL, PersonalTable

named_conversations: Final = sa.Table(
    "named_conversation",
    metadata,
    sa.Column("space_id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("owner_id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("creator_id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("end_user_id", sa.String(256), primary_key=True),
    sa.Column("name", sa.String(256), primary_key=True),
    sa.Column("conversation_id", sa.BigInteger, nullable=False),
    sa.Column("is_fixed", sa.Boolean, nullable=False),
    sa.Column("created_at", Instant, nullable=False),
    sa.Index("ix_named_conversation_conversation_id", "conversation_id"),
)


PERSONAL.add(
    PersonalTable(
        table=named_conversations,
        section=Section.CONVERSATIONS,
        end_user=(named_conversations.c.end_user_id,),
        account=named_conversations.c.creator_id,
        through=((named_conversations.c.conversation_id, conversations.c.id),),
    )
)


class SqlNamedConversationRepository:
    """Names; those of deleted conversations are free."""

    def __init__(self, uow: SqlUnitOfWork) -> None:
        self._uow = uow

    async def find(
        self, scope: TenantScope, place: NameSpace, name: str
    ) -> ConversationName | None:
        query = _listed(scope, place).where(named_conversations.c.name == name)
        row = (await self._uow.connection.execute(query)).mappings().one_or_none()
        return None if row is None else _named(row)

    async def list(
        self, scope: TenantScope, place: NameSpace, *, limit: int
    ) -> Sequence[ConversationName]:
        query = (
            _listed(scope, place)
            .order_by(named_conversations.c.created_at, named_conversations.c.conversation_id)
            .limit(limit)
        )
        return [_named(row) for row in (await self._uow.connection.execute(query)).mappings()]

    async def add(
        self, scope: TenantScope, place: NameSpace, named: ConversationName, *, now: datetime
    ) -> None:
        connection = self._uow.connection
        gone = sa.select(conversations.c.id).where(conversations.c.deleted_at.is_(None))
        await connection.execute(
            sa.delete(named_conversations).where(
                *_within(scope, place),
                named_conversations.c.name == named.name,
                named_conversations.c.conversation_id.not_in(gone),
            )
        )
        row = {
            "space_id": place.space_id,
            "owner_id": place.owner_id,
            "creator_id": scope.principal_id,
            "end_user_id": place.end_user_id,
            "name": named.name,
            "conversation_id": named.conversation_id,
            "is_fixed": named.is_fixed,
            "created_at": now,
        }
        try:
            await connection.execute(sa.insert(named_conversations).values(row))
        except sa.exc.IntegrityError as exc:
            raise NameTaken("There is a conversation of this name already.") from exc

    async def remove(
        self, scope: TenantScope, place: NameSpace, conversation_id: ConversationId
    ) -> None:
        await self._uow.connection.execute(
            sa.delete(named_conversations).where(
                *_within(scope, place),
                named_conversations.c.conversation_id == conversation_id,
            )
        )


def _listed(scope: TenantScope, place: NameSpace) -> sa.Select[Any]:
    return (
        sa.select(named_conversations)
        .join(conversations, conversations.c.id == named_conversations.c.conversation_id)
        .where(*_within(scope, place), conversations.c.deleted_at.is_(None))
    )


def _within(scope: TenantScope, place: NameSpace) -> list[sa.ColumnElement[bool]]:
    table = named_conversations.c
    return [
        table.space_id == place.space_id,
        table.space_id.in_(scope.space_ids),
        table.owner_id == place.owner_id,
        table.creator_id == scope.principal_id,
        table.end_user_id == place.end_user_id,
    ]


def _named(row: sa.RowMapping) -> ConversationName:
    return ConversationName(
        conversation_id=ConversationId(row["conversation_id"]),
        name=row["name"],
        is_fixed=row["is_fixed"],
    )
