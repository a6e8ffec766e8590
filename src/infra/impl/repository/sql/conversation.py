"""Conversations, verdicts and idempotency keys in SQL; the context's unit of work."""

from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from datetime import datetime
from functools import cached_property
from typing import Any

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from domain.conversation.conversation import Conversation
from domain.conversation.error import ConversationNotFound, IdempotencyKeyReused
from domain.conversation.message import Feedback
from domain.conversation.run_repository import AcceptedRequest
from domain.conversation.value import Scene
from domain.shared.access import TenantScope
from domain.shared.error import StaleRevision
from domain.shared.ids import (
    AgentId,
    ConversationId,
    MessageId,
    RunId,
    SectionId,
    SpaceId,
    UserId,
)
from infra.impl.repository.sql.conversation_agent import SqlActiveAgentRepository
from infra.impl.repository.sql.conversation_event import SqlRunEventLog
from infra.impl.repository.sql.conversation_flow import SqlFlowVariablesRepository
from infra.impl.repository.sql.conversation_message import SqlMessageRepository
from infra.impl.repository.sql.conversation_named import SqlNamedConversationRepository
from infra.impl.repository.sql.conversation_recovery import SqlRunRecovery
from infra.impl.repository.sql.conversation_run import SqlRunRepository
from infra.impl.repository.sql.conversation_schema import (
    accepted_requests,
    conversations,
    feedbacks,
)
from infra.impl.repository.sql.conversation_summary import SqlSummaryRepository
from infra.impl.repository.sql.database import Database, SqlUnitOfWork, insert_into
from infra.impl.repository.sql.model_call import SqlModelCallLedger
from infra.impl.repository.sql.request_key import SqlRequestKeys, stored_key
from infra.impl.repository.sql.upsert import upsert


class SqlConversationRepository:
    """Conversations of their owners."""

    def __init__(self, uow: SqlUnitOfWork) -> None:
        self._uow = uow

    async def get(self, scope: TenantScope, conversation_id: ConversationId) -> Conversation:
        query = sa.select(conversations).where(
            conversations.c.id == conversation_id, *_owned(scope)
        )
        return self._one(await self._uow.connection.execute(query), conversation_id)

    async def lock(
        self, scope: TenantScope, conversation_id: ConversationId, *, seqs: int, now: datetime
    ) -> Conversation:
        rows = await self._lock(scope, conversations.c.id == conversation_id, seqs=seqs, now=now)
        return self._one(rows, conversation_id, seqs=seqs)

    async def lock_key(
        self, scope: TenantScope, agent_id: AgentId, key: str, *, seqs: int, now: datetime
    ) -> Conversation | None:
        named = (
            (conversations.c.key == key)
            & (conversations.c.agent_id == agent_id)
            & (conversations.c.key_end_user == scope.end_user_id)
        )
        rows = await self._lock(scope, named, seqs=seqs, now=now)
        row = rows.mappings().one_or_none()
        return None if row is None else _to_conversation(row, seqs=seqs)

    async def reserve(
        self, scope: TenantScope, conversation_id: ConversationId, *, seqs: int
    ) -> int:
        statement = (
            sa.update(conversations)
            .where(
                conversations.c.id == conversation_id,
                conversations.c.space_id.in_(scope.space_ids),
            )
            .values(next_seq=conversations.c.next_seq + seqs)
            .returning(conversations.c.next_seq)
        )
        following = await self._uow.connection.scalar(statement)
        if following is None:
            raise ConversationNotFound(f"No conversation {conversation_id}.")
        return int(following) - seqs

    async def page(
        self,
        scope: TenantScope,
        *,
        agent_id: AgentId,
        connector_id: int,
        end_user_id: str,
        descending: bool,
        offset: int,
        limit: int,
    ) -> tuple[Sequence[Conversation], int]:
        wanted = [
            *_owned(scope),
            conversations.c.agent_id == agent_id,
            conversations.c.connector_id == connector_id,
            conversations.c.scene == Scene.API,
        ]
        if end_user_id:
            wanted.append(conversations.c.end_user_id == end_user_id)
        order = (conversations.c.created_at, conversations.c.id)
        query = (
            sa.select(conversations)
            .where(*wanted)
            .order_by(*(column.desc() if descending else column.asc() for column in order))
            .offset(offset)
            .limit(limit)
        )
        rows = (await self._uow.connection.execute(query)).mappings().all()
        total = await self._uow.connection.scalar(
            sa.select(sa.func.count()).select_from(conversations).where(*wanted)
        )
        return [_to_conversation(row) for row in rows], total or 0

    async def save(self, scope: TenantScope, conversation: Conversation) -> None:
        if conversation.space_id not in scope.space_ids:
            raise ConversationNotFound(f"No conversation {conversation.id}.")
        row = _to_row(conversation)
        if conversation.revision == 0:
            row["next_seq"] = conversation.next_seq
            if conversation.key is None:  # a key may be taken, and that is told at once
                await self._uow.add(conversations, conversation, row)
                return
        await self._uow.save(conversations, conversation, row)

    async def _lock(
        self, scope: TenantScope, which: sa.ColumnElement[bool], *, seqs: int, now: datetime
    ) -> sa.CursorResult[Any]:
        rows: sa.CursorResult[Any] = await self._uow.connection.execute(
            sa.update(conversations)
            .where(which, *_owned(scope))
            .values(next_seq=conversations.c.next_seq + seqs, updated_at=now)
            .returning(conversations)
        )
        return rows

    @staticmethod
    def _one(
        rows: sa.CursorResult[Any], conversation_id: ConversationId, *, seqs: int = 0
    ) -> Conversation:
        row = rows.mappings().one_or_none()
        if row is None:
            raise ConversationNotFound(
                f"No conversation {conversation_id}.", conversation_id=conversation_id
            )
        return _to_conversation(row, seqs=seqs)


class SqlFeedbackRepository:
    """Verdicts, one per message and account."""

    def __init__(self, connection: AsyncConnection) -> None:
        self._connection = connection

    async def put(self, scope: TenantScope, feedback: Feedback) -> None:
        insert = upsert(self._connection.dialect.name, feedbacks).values(
            message_id=feedback.message_id,
            user_id=scope.principal_id,
            conversation_id=feedback.conversation_id,
            space_id=feedback.space_id,
            kind=feedback.kind,
            reasons=feedback.reasons,
            comment=feedback.comment,
            updated_at=feedback.updated_at,
        )
        fresh = insert.excluded
        await self._connection.execute(
            insert.on_conflict_do_update(
                index_elements=[feedbacks.c.message_id, feedbacks.c.user_id],
                set_={
                    "kind": fresh.kind,
                    "reasons": fresh.reasons,
                    "comment": fresh.comment,
                    "updated_at": fresh.updated_at,
                },
            )
        )

    async def remove(self, scope: TenantScope, message_id: MessageId) -> None:
        await self._connection.execute(
            sa.delete(feedbacks).where(
                feedbacks.c.message_id == message_id,
                feedbacks.c.user_id == scope.principal_id,
                feedbacks.c.space_id.in_(scope.space_ids),
            )
        )


class SqlIdempotencyRepository:
    """Requests by key; the primary key decides between two that race, at the commit."""

    def __init__(self, uow: SqlUnitOfWork) -> None:
        self._uow = uow
        self._connection = uow.connection

    async def find(
        self, scope: TenantScope, key: str, *, since: datetime
    ) -> AcceptedRequest | None:
        table = accepted_requests
        named = (
            (table.c.key == stored_key(scope, key))
            & (table.c.principal_id == scope.principal_id)
            & table.c.space_id.in_(scope.space_ids)
        )
        row = (await self._connection.execute(sa.select(table).where(named))).mappings().first()
        if row is None:
            return None
        if row["created_at"] < since:
            await self._connection.execute(sa.delete(table).where(named))
            return None
        return AcceptedRequest(
            space_id=SpaceId(row["space_id"]),
            key=key,
            digest=row["digest"],
            run_id=RunId(row["run_id"]),
            created_at=row["created_at"],
        )

    async def add(self, scope: TenantScope, request: AcceptedRequest) -> None:
        row = {
            "space_id": request.space_id,
            "principal_id": scope.principal_id,
            "key": stored_key(scope, request.key),
            "digest": request.digest,
            "run_id": request.run_id,
            "created_at": request.created_at,
        }
        await self._uow.later(
            insert_into(accepted_requests),
            [row],
            taken=StaleRevision("The same request is being handled."),
        )


class SqlConversationUnitOfWork(SqlUnitOfWork):
    """One transaction on conversations, runs and messages."""

    @cached_property
    def conversations(self) -> SqlConversationRepository:
        return SqlConversationRepository(self)

    @cached_property
    def names(self) -> SqlNamedConversationRepository:
        return SqlNamedConversationRepository(self)

    @cached_property
    def runs(self) -> SqlRunRepository:
        return SqlRunRepository(self)

    @cached_property
    def messages(self) -> SqlMessageRepository:
        return SqlMessageRepository(self.connection)

    @cached_property
    def feedback(self) -> SqlFeedbackRepository:
        return SqlFeedbackRepository(self.connection)

    @cached_property
    def active_agents(self) -> SqlActiveAgentRepository:
        return SqlActiveAgentRepository(self.connection)

    @cached_property
    def flow_variables(self) -> SqlFlowVariablesRepository:
        return SqlFlowVariablesRepository(self.connection)

    @cached_property
    def summaries(self) -> SqlSummaryRepository:
        return SqlSummaryRepository(self.connection)

    @cached_property
    def requests(self) -> SqlIdempotencyRepository:
        return SqlIdempotencyRepository(self)

    @cached_property
    def request_keys(self) -> SqlRequestKeys:
        return SqlRequestKeys(self.connection, refusal=IdempotencyKeyReused)

    @cached_property
    def events(self) -> SqlRunEventLog:
        return SqlRunEventLog(self.connection)

    @cached_property
    def model_calls(self) -> SqlModelCallLedger:
        return SqlModelCallLedger(self.connection)

    @cached_property
    def recovery(self) -> SqlRunRecovery:
        return SqlRunRecovery(self)


class SqlConversationStore:
    """Opens transactions on conversations."""

    def __init__(self, database: Database) -> None:
        self._transaction = database.transaction(SqlConversationUnitOfWork)
        self._snapshot = database.snapshot(SqlConversationUnitOfWork)

    def transaction(self) -> AbstractAsyncContextManager[SqlConversationUnitOfWork]:
        return self._transaction()

    def snapshot(self) -> AbstractAsyncContextManager[SqlConversationUnitOfWork]:
        return self._snapshot()


def _owned(scope: TenantScope) -> list[sa.ColumnElement[bool]]:
    owned = [
        conversations.c.creator_id == scope.principal_id,
        conversations.c.space_id.in_(scope.space_ids),
        conversations.c.deleted_at.is_(None),
    ]
    if scope.end_user_id:
        owned.append(conversations.c.end_user_id == scope.end_user_id)
    if scope.agent_ids is not None:
        owned.append(
            conversations.c.agent_id.is_(None) | conversations.c.agent_id.in_(scope.agent_ids)
        )
    return owned


def _to_row(conversation: Conversation) -> dict[str, Any]:
    """Everything but ``next_seq``, which runs advance without taking a revision."""
    return {
        "id": conversation.id,
        "space_id": conversation.space_id,
        "creator_id": conversation.creator_id,
        "end_user_id": conversation.end_user_id,
        "connector_id": conversation.connector_id,
        "scene": conversation.scene,
        "agent_id": conversation.agent_id,
        "section_id": conversation.section_id,
        "name": conversation.name,
        "meta": conversation.meta,
        "key": conversation.key,
        "key_end_user": conversation.key_end_user,
        "variables": conversation.variables,
        "created_at": conversation.created_at,
        "updated_at": conversation.updated_at,
        "deleted_at": conversation.deleted_at,
    }


def _to_conversation(row: sa.RowMapping, *, seqs: int = 0) -> Conversation:
    return Conversation(
        id=ConversationId(row["id"]),
        space_id=SpaceId(row["space_id"]),
        creator_id=UserId(row["creator_id"]),
        end_user_id=row["end_user_id"],
        connector_id=row["connector_id"],
        scene=Scene(row["scene"]),
        agent_id=None if row["agent_id"] is None else AgentId(row["agent_id"]),
        section_id=SectionId(row["section_id"]),
        name=row["name"],
        meta=row["meta"],
        key=row["key"],
        key_end_user=row["key_end_user"],
        variables=row["variables"],
        next_seq=row["next_seq"] - seqs,
        created_at=row["created_at"],
        updated_at=row["updated_at"],
        deleted_at=row["deleted_at"],
        revision=row["revision"],
    )
