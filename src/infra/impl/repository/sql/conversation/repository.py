"""Conversations and what belongs to them in SQL; the context's unit of work."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import cached_property
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from domain.conversation.client_wait import ClientWait, WaitState
from domain.conversation.conversation import Conversation
from domain.conversation.error import (
    ConversationNotFound,
    IdempotencyKeyReused,
    MessageNotFound,
    RunNotFound,
)
from domain.conversation.history import PastMessage
from domain.conversation.message import Feedback
from domain.conversation.repository import ActiveAgent, FlowVariables
from domain.conversation.response import StoredResponse, response_missing
from domain.conversation.run_repository import AcceptedRequest
from domain.conversation.summary import SectionSummary
from domain.conversation.value import FeedbackKind, MessageKind, MessageStatus, Scene
from domain.shared.access import TenantScope
from domain.shared.error import StaleRevision
from domain.shared.ids import AgentId, ConversationId, MessageId, RunId, SectionId
from infra.impl.repository.sql.conversation.message import SqlMessageRepository, past_messages
from infra.impl.repository.sql.conversation.name import SqlNamedConversationRepository
from infra.impl.repository.sql.conversation.run import (
    SqlRunEventLog,
    SqlRunRecovery,
    SqlRunRepository,
)
from infra.impl.repository.sql.conversation.support import SqlSupportRepository
from infra.impl.repository.sql.conversation.table import (
    ACTIVE_AGENTS,
    CLIENT_WAITS,
    CONVERSATIONS,
    FEEDBACKS,
    REQUESTS,
    RESPONSES,
    SUMMARIES,
    accepted_requests,
    client_waits,
    conversations,
    feedbacks,
    flow_variables,
    messages,
    runs,
    section_agents,
    section_summaries,
    stored_responses,
)
from infra.impl.repository.sql.engine.database import Database, SqlStore
from infra.impl.repository.sql.engine.unit_of_work import SqlUnitOfWork, insert_into
from infra.impl.repository.sql.mapping.column import to_micros
from infra.impl.repository.sql.mapping.tenant_rows import (
    PreparedByScope,
    TenantRows,
    agents_of,
    owned,
)
from infra.impl.repository.sql.mapping.upsert import upsert
from infra.impl.repository.sql.model.call import SqlModelCallLedger
from infra.impl.repository.sql.request_key import SqlRequestKeys, stored_key


class SqlResponseRepository:
    """Responses of their callers."""

    def __init__(self, uow: SqlUnitOfWork) -> None:
        self._connection = uow.connection
        self._rows = TenantRows(uow, RESPONSES, missing=response_missing, visible=_own)

    async def get(
        self, scope: TenantScope, run_id: int, *, resumes: int = 0, now: datetime
    ) -> StoredResponse:
        found = await self._rows.find(
            scope,
            stored_responses.c.run_id == run_id,
            stored_responses.c.resumes == resumes,
            stored_responses.c.expires_at > now,
        )
        if found is None:
            raise response_missing(run_id)
        return found

    async def save(self, scope: TenantScope, response: StoredResponse) -> None:
        await self._rows.save(scope, response)

    async def remove(self, scope: TenantScope, response: StoredResponse, *, now: datetime) -> None:
        await self._connection.execute(
            sa.delete(stored_responses).where(stored_responses.c.id == response.id, _own(scope))
        )
        await self._close([response.conversation_id], now=now)

    async def purge(self, *, now: datetime, limit: int) -> int:
        old = await self._connection.execute(
            sa.select(stored_responses.c.id, stored_responses.c.conversation_id)
            .where(stored_responses.c.expires_at <= now)
            .limit(limit)
        )
        rows = old.all()
        if rows:
            await self._connection.execute(
                sa.delete(stored_responses).where(
                    stored_responses.c.id.in_([row.id for row in rows])
                )
            )
            await self._close([row.conversation_id for row in rows], now=now)
        return len(rows)

    async def _close(self, conversation_ids: Collection[int | None], *, now: datetime) -> None:
        """Delete those of the conversations that nothing but responses opened and none is left."""
        ids = {each for each in conversation_ids if each is not None}
        others = sa.exists().where(stored_responses.c.conversation_id == conversations.c.id)
        await self._connection.execute(
            sa.update(conversations)
            .where(
                conversations.c.id.in_(ids),
                conversations.c.scene == Scene.OPENAI,
                conversations.c.deleted_at.is_(None),
                ~others,
            )
            .values(deleted_at=now)
        )


def _own(scope: TenantScope) -> sa.ColumnElement[bool]:
    mine = (stored_responses.c.creator_id == scope.principal_id) & (
        stored_responses.c.space_id.in_(scope.space_ids)
    )
    if scope.end_user_id:
        return mine & (stored_responses.c.end_user_id == scope.end_user_id)
    return mine


_SPOKEN: Final = (MessageKind.QUESTION, MessageKind.ANSWER)


class SqlSummaryRepository:
    """Implements ``SummaryRepository``; one row per section."""

    def __init__(self, uow: SqlUnitOfWork) -> None:
        self._connection = uow.connection
        self._rows = TenantRows(uow, SUMMARIES, missing=_not_found)

    async def get(self, scope: TenantScope, section_id: SectionId) -> SectionSummary | None:
        found = await self._rows.find(scope, section_summaries.c.section_id == section_id)
        if found is None:
            return None
        basis = await self.basis(
            scope, found.conversation_id, found.section_id, upto_seq=found.upto_seq
        )
        return found if basis == found.basis else None

    async def basis(
        self,
        scope: TenantScope,
        conversation_id: ConversationId,
        section_id: SectionId,
        *,
        upto_seq: int,
    ) -> str:
        query = sa.select(sa.func.count(), sa.func.max(messages.c.updated_at)).where(
            *_spoken(scope, conversation_id, section_id), messages.c.seq <= upto_seq
        )
        count, latest = (await self._connection.execute(query)).one()
        return f"{count}/{to_micros(latest) if latest else 0}"

    async def past(
        self,
        scope: TenantScope,
        conversation_id: ConversationId,
        section_id: SectionId,
        *,
        after_seq: int,
        limit: int,
    ) -> Sequence[PastMessage]:
        query = (
            sa.select(messages, runs.c.status.label("run_status"))
            .select_from(messages.outerjoin(runs, runs.c.id == messages.c.run_id))
            .where(*_spoken(scope, conversation_id, section_id), messages.c.seq > after_seq)
            .order_by(messages.c.seq)
            .limit(limit)
        )
        return await past_messages(self._connection, query)

    async def put(self, scope: TenantScope, summary: SectionSummary) -> None:
        await self._rows.put(scope, summary)

    async def end(self, scope: TenantScope, conversation_id: ConversationId) -> None:
        await self._rows.delete(scope, section_summaries.c.conversation_id == conversation_id)


def _spoken(
    scope: TenantScope, conversation_id: ConversationId, section_id: SectionId
) -> list[sa.ColumnElement[bool]]:
    return [
        messages.c.conversation_id == conversation_id,
        messages.c.section_id == section_id,
        messages.c.space_id.in_(scope.space_ids),
        messages.c.kind.in_(_SPOKEN),
        messages.c.status == MessageStatus.AVAILABLE,
    ]


class SqlActiveAgentRepository:
    """At most one row per section and agent that was asked."""

    def __init__(self, uow: SqlUnitOfWork) -> None:
        self._rows = TenantRows(uow, ACTIVE_AGENTS, missing=_not_found)

    async def path(
        self, scope: TenantScope, section_id: SectionId, agent_id: AgentId
    ) -> tuple[int, ...]:
        found = await self._rows.find(
            scope,
            section_agents.c.section_id == section_id,
            section_agents.c.agent_id == agent_id,
        )
        return () if found is None else found.path

    async def put(self, scope: TenantScope, active: ActiveAgent, *, now: datetime) -> None:
        await self._rows.put(scope, active, updated_at=now)


class SqlFlowVariablesRepository:
    """At most one row per conversation and workflow."""

    def __init__(self, connection: AsyncConnection) -> None:
        self._connection = connection

    async def get(
        self, scope: TenantScope, conversation_id: ConversationId, workflow_id: int
    ) -> Mapping[str, Any]:
        table = flow_variables
        query = sa.select(table.c.variables).where(
            table.c.conversation_id == conversation_id,
            table.c.workflow_id == workflow_id,
            table.c.space_id.in_(scope.space_ids),
        )
        found: Mapping[str, Any] | None = await self._connection.scalar(query)
        return found or {}

    async def put(self, scope: TenantScope, kept: FlowVariables, *, now: datetime) -> None:
        if kept.space_id not in scope.space_ids:
            raise ConversationNotFound(f"No conversation {kept.conversation_id}.")
        table = flow_variables
        insert = upsert(self._connection.dialect.name, table).values(
            {
                "conversation_id": kept.conversation_id,
                "workflow_id": kept.workflow_id,
                "space_id": kept.space_id,
                "variables": dict(kept.values),
                "updated_at": now,
            }
        )
        changed = {name: insert.excluded[name] for name in ("variables", "updated_at")}
        await self._connection.execute(
            insert.on_conflict_do_update(
                index_elements=[table.c.conversation_id, table.c.workflow_id], set_=changed
            )
        )


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
        found = await self._lock(_LOCK, scope, seqs=seqs, now=now, conversation=conversation_id)
        if found is None:
            raise _not_found(conversation_id)
        return found

    async def lock_key(
        self, scope: TenantScope, agent_id: AgentId, key: str, *, seqs: int, now: datetime
    ) -> Conversation | None:
        return await self._lock(_LOCK_KEY, scope, seqs=seqs, now=now, named=key, agent=agent_id)

    async def find_key(
        self, scope: TenantScope, agent_id: AgentId, key: str
    ) -> ConversationId | None:
        query = sa.select(conversations.c.id).where(
            conversations.c.key == key,
            conversations.c.agent_id == agent_id,
            conversations.c.key_end_user == scope.end_user_id,
            _owned(scope),
        )
        found = await self._uow.connection.scalar(query)
        return ConversationId(found) if found is not None else None

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
        scene: Scene,
        descending: bool,
        offset: int,
        limit: int,
    ) -> tuple[Sequence[Conversation], int]:
        wanted = [
            conversations.c.agent_id == (agent_id or None),
            conversations.c.connector_id == connector_id,
            conversations.c.scene == scene,
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
        self,
        statement: PreparedByScope,
        scope: TenantScope,
        *,
        seqs: int,
        now: datetime,
        **which: object,
    ) -> Conversation | None:
        """Take ``seqs`` numbers; the conversation is returned as it was before."""
        rows = await statement.rows(self._uow.connection, scope, seqs=seqs, now=now, **which)
        found = next(map(CONVERSATIONS.read, rows), None)
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

    async def own(
        self, scope: TenantScope, message_ids: Sequence[MessageId]
    ) -> Mapping[int, FeedbackKind]:
        if not message_ids:
            return {}
        mine = feedbacks.c.user_id == scope.principal_id
        found = await self._rows.all(scope, feedbacks.c.message_id.in_(message_ids), mine)
        return {each.message_id: each.kind for each in found}


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


class SqlClientWaitRepository:
    """Implements ``ClientWaitRepository``; who reads is the owner of the run."""

    def __init__(self, uow: SqlUnitOfWork) -> None:
        self._connection = uow.connection
        self._rows = TenantRows(uow, CLIENT_WAITS, missing=_no_run, visible=_owned_wait)

    async def add(self, scope: TenantScope, waits: Sequence[ClientWait]) -> None:
        await self._rows.add(scope, *(wait for wait in waits if not wait.is_question))
        for wait in waits:
            if wait.is_question:
                await self._rows.put(scope, wait)

    async def find(
        self,
        scope: TenantScope,
        call_ids: Collection[str],
        *,
        agent_id: AgentId,
        end_user_id: str,
        now: datetime,
    ) -> Sequence[ClientWait]:
        table = client_waits
        asked = sa.select(table.c.run_id).where(table.c.call_id.in_(call_ids))
        return await self._rows.all(
            scope,
            table.c.run_id.in_(asked),
            table.c.agent_id == agent_id,
            table.c.end_user_id == end_user_id,
            table.c.expires_at > now,
            order=[table.c.run_id, table.c.ordinal, table.c.call_id],
        )

    async def answer(
        self, run_id: RunId, outputs: Mapping[str, str], *, request_key: str = ""
    ) -> None:
        for call_id, digest in outputs.items():
            await self._connection.execute(
                sa.update(client_waits)
                .where(client_waits.c.run_id == run_id, client_waits.c.call_id == call_id)
                .values(
                    state=WaitState.ANSWERED,
                    output=digest,
                    request_key=request_key,
                    is_delivered=False,
                )
            )

    async def deliver(self, run_id: RunId, ordinal: int) -> None:
        await self._connection.execute(
            sa.update(client_waits)
            .where(client_waits.c.run_id == run_id, client_waits.c.ordinal == ordinal)
            .values(is_delivered=True)
        )

    async def end(self, run_id: RunId, state: WaitState) -> None:
        await self._connection.execute(
            sa.update(client_waits)
            .where(client_waits.c.run_id == run_id, client_waits.c.state == WaitState.PENDING)
            .values(state=state)
        )

    async def purge(self, *, before: datetime, limit: int) -> int:
        table = client_waits
        old = sa.select(table.c.call_id).where(table.c.expires_at < before).limit(limit)
        purged = await self._connection.execute(sa.delete(table).where(table.c.call_id.in_(old)))
        return purged.rowcount


def _owned_wait(scope: TenantScope) -> sa.ColumnElement[bool]:
    owned = [
        client_waits.c.creator_id == scope.principal_id,
        client_waits.c.space_id.in_(scope.space_ids),
    ]
    if scope.end_user_id:
        owned.append(client_waits.c.end_user_id == scope.end_user_id)
    if scope.agent_ids is not None:
        owned.append(client_waits.c.agent_id.in_(scope.agent_ids))
    return sa.and_(*owned)


def _no_run(_: int) -> RunNotFound:
    return RunNotFound("No such run.")


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
    def support(self) -> SqlSupportRepository:
        return SqlSupportRepository(self)

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
    def client_waits(self) -> SqlClientWaitRepository:
        return SqlClientWaitRepository(self)

    @cached_property
    def requests(self) -> SqlIdempotencyRepository:
        return SqlIdempotencyRepository(self)

    @cached_property
    def request_keys(self) -> SqlRequestKeys:
        return SqlRequestKeys(self.connection, refusal=IdempotencyKeyReused)

    @cached_property
    def responses(self) -> SqlResponseRepository:
        return SqlResponseRepository(self)

    @cached_property
    def events(self) -> SqlRunEventLog:
        return SqlRunEventLog(self.connection)

    @cached_property
    def model_calls(self) -> SqlModelCallLedger:
        return SqlModelCallLedger(self)

    @cached_property
    def recovery(self) -> SqlRunRecovery:
        return SqlRunRecovery(self)


class SqlConversationStore(SqlStore[SqlConversationUnitOfWork]):
    """Opens transactions on conversations."""

    def __init__(self, database: Database) -> None:
        super().__init__(database, SqlConversationUnitOfWork)


def _owned(scope: TenantScope) -> sa.ColumnElement[bool]:
    mine = owned(conversations, scope) & conversations.c.deleted_at.is_(None)
    if scope.agent_ids is None:
        return mine
    return mine & (
        conversations.c.agent_id.is_(None) | conversations.c.agent_id.in_(agents_of(scope))
    )


def _lock(*which: sa.ColumnElement[bool]) -> PreparedByScope:
    return PreparedByScope(
        lambda scope: (
            sa.update(conversations)
            .where(*which, _owned(scope))
            .values(
                next_seq=conversations.c.next_seq + sa.bindparam("seqs", type_=sa.BigInteger),
                updated_at=sa.bindparam("now", type_=conversations.c.updated_at.type),
            )
            .returning(conversations)
        )
    )


_LOCK: Final = _lock(conversations.c.id == sa.bindparam("conversation"))
_LOCK_KEY: Final = _lock(
    conversations.c.key == sa.bindparam("named"),
    conversations.c.agent_id == sa.bindparam("agent"),
    conversations.c.key_end_user == sa.bindparam("end_user"),
)


def _not_found(conversation_id: int) -> ConversationNotFound:
    return ConversationNotFound(
        f"No conversation {conversation_id}.", conversation_id=conversation_id
    )


def _no_message(_: int) -> MessageNotFound:
    return MessageNotFound("No such message.")
