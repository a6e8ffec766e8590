"""Conversations, verdicts and idempotency keys in SQL; the context's unit of work."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from functools import cached_property

import sqlalchemy as sa

from domain.conversation.conversation import Conversation
from domain.conversation.error import ConversationNotFound, IdempotencyKeyReused, MessageNotFound
from domain.conversation.message import Feedback
from domain.conversation.run_repository import AcceptedRequest
from domain.conversation.value import Scene
from domain.shared.access import TenantScope
from domain.shared.error import StaleRevision
from domain.shared.ids import AgentId, ConversationId, MessageId
from infra.impl.repository.sql.conversation.active_agent import SqlActiveAgentRepository
from infra.impl.repository.sql.conversation.event_log import SqlRunEventLog
from infra.impl.repository.sql.conversation.flow_variable import SqlFlowVariablesRepository
from infra.impl.repository.sql.conversation.message import SqlMessageRepository
from infra.impl.repository.sql.conversation.name import SqlNamedConversationRepository
from infra.impl.repository.sql.conversation.recovery import SqlRunRecovery
from infra.impl.repository.sql.conversation.run import SqlRunRepository
from infra.impl.repository.sql.conversation.summary import SqlSummaryRepository
from infra.impl.repository.sql.conversation.table import (
    CONVERSATIONS,
    FEEDBACKS,
    REQUESTS,
    accepted_requests,
    conversations,
    feedbacks,
)
from infra.impl.repository.sql.engine.database import Database, SqlStore, SqlUnitOfWork, insert_into
from infra.impl.repository.sql.mapping.tenant_rows import TenantRows
from infra.impl.repository.sql.model.call import SqlModelCallLedger
from infra.impl.repository.sql.request_key import SqlRequestKeys, stored_key


class SqlConversationRepository:
    """Conversations of their owners."""

    def __init__(self, uow: SqlUnitOfWork) -> None:
        self._uow = uow
        self._rows = TenantRows(uow, CONVERSATIONS, missing=_not_found, visible=_owned)

    async def get(self, scope: TenantScope, conversation_id: ConversationId) -> Conversation:
        return await self._rows.get(scope, conversation_id)

    async def lock(
        self, scope: TenantScope, conversation_id: ConversationId, *, seqs: int, now: datetime
    ) -> Conversation:
        which = conversations.c.id == conversation_id
        found = await self._lock(scope, which, seqs=seqs, now=now)
        if found is None:
            raise _not_found(conversation_id)
        return found

    async def lock_key(
        self, scope: TenantScope, agent_id: AgentId, key: str, *, seqs: int, now: datetime
    ) -> Conversation | None:
        named = (
            (conversations.c.key == key)
            & (conversations.c.agent_id == agent_id)
            & (conversations.c.key_end_user == scope.end_user_id)
        )
        return await self._lock(scope, named, seqs=seqs, now=now)

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
            conversations.c.agent_id == agent_id,
            conversations.c.connector_id == connector_id,
            conversations.c.scene == Scene.API,
        ]
        if end_user_id:
            wanted.append(conversations.c.end_user_id == end_user_id)
        order = (conversations.c.created_at, conversations.c.id)
        return await self._rows.page(
            scope,
            *wanted,
            order=[column.desc() if descending else column.asc() for column in order],
            offset=offset,
            limit=limit,
        )

    async def save(self, scope: TenantScope, conversation: Conversation) -> None:
        row = self._rows.row_of(scope, conversation)
        if conversation.revision == 0:
            row["next_seq"] = conversation.next_seq
            if conversation.key is None:  # a key may be taken, and that is told at once
                await self._uow.add(conversations, conversation, row)
                return
        await self._uow.save(conversations, conversation, row)

    async def _lock(
        self, scope: TenantScope, which: sa.ColumnElement[bool], *, seqs: int, now: datetime
    ) -> Conversation | None:
        """Take ``seqs`` numbers; the conversation is returned as it was before."""
        found = await CONVERSATIONS.one(
            self._uow.connection,
            sa.update(conversations)
            .where(which, _owned(scope))
            .values(next_seq=conversations.c.next_seq + seqs, updated_at=now)
            .returning(conversations),
        )
        if found is not None:
            found.next_seq -= seqs
        return found


class SqlFeedbackRepository:
    """Verdicts, one per message and account."""

    def __init__(self, uow: SqlUnitOfWork) -> None:
        self._rows = TenantRows(uow, FEEDBACKS, missing=_no_message)

    async def put(self, scope: TenantScope, feedback: Feedback) -> None:
        await self._rows.put(scope, feedback, user_id=scope.principal_id)

    async def remove(self, scope: TenantScope, message_id: MessageId) -> None:
        mine = feedbacks.c.user_id == scope.principal_id
        await self._rows.delete(scope, feedbacks.c.message_id == message_id, mine)


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
        found = await REQUESTS.one(self._connection, sa.select(table).where(named))
        if found is None:
            return None
        if found.created_at < since:
            await self._connection.execute(sa.delete(table).where(named))
            return None
        return replace(found, key=key)

    async def add(self, scope: TenantScope, request: AcceptedRequest) -> None:
        stored = {"principal_id": scope.principal_id, "key": stored_key(scope, request.key)}
        row = REQUESTS.row(request) | stored
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
        return SqlMessageRepository(self)

    @cached_property
    def feedback(self) -> SqlFeedbackRepository:
        return SqlFeedbackRepository(self)

    @cached_property
    def active_agents(self) -> SqlActiveAgentRepository:
        return SqlActiveAgentRepository(self)

    @cached_property
    def flow_variables(self) -> SqlFlowVariablesRepository:
        return SqlFlowVariablesRepository(self.connection)

    @cached_property
    def summaries(self) -> SqlSummaryRepository:
        return SqlSummaryRepository(self)

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


class SqlConversationStore(SqlStore[SqlConversationUnitOfWork]):
    """Opens transactions on conversations."""

    def __init__(self, database: Database) -> None:
        super().__init__(database, SqlConversationUnitOfWork)


def _owned(scope: TenantScope) -> sa.ColumnElement[bool]:
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
    return sa.and_(*owned)


def _not_found(conversation_id: int) -> ConversationNotFound:
    return ConversationNotFound(
        f"No conversation {conversation_id}.", conversation_id=conversation_id
    )


def _no_message(_: int) -> MessageNotFound:
    return MessageNotFound("No such message.")
