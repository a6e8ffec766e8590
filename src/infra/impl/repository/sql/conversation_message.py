"""Messages in SQL."""

from collections.abc import Collection, Sequence
from datetime import datetime
from functools import cache
from typing import Any, Final, TypedDict

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from domain.conversation.error import MessageNotFound
from domain.conversation.history import MODEL_VISIBLE, PastMessage
from domain.conversation.message import Message
from domain.conversation.value import MessageKind, MessageStatus, RunStatus
from domain.shared.access import TenantScope
from domain.shared.ids import (
    AgentId,
    ConversationId,
    MessageId,
    RunId,
    SectionId,
    SpaceId,
)
from infra.impl.repository.sql.conversation_schema import messages, runs
from infra.impl.repository.sql.database import insert_into, write_later
from infra.impl.repository.sql.upsert import upsert

SHOWN: Final = (MessageStatus.AVAILABLE, MessageStatus.BROKEN)
KEPT: Final = (MessageKind.QUESTION, MessageKind.ANSWER)

SPARE_ROUNDS: Final = 32
"""Rounds read beyond the limit, for those that turn out not to count."""

HISTORY_ROWS: Final = 5000


class _Section(TypedDict):
    scope: TenantScope
    conversation_id: ConversationId
    section_id: SectionId
    before_seq: int


class SqlMessageRepository:
    """Messages of the spaces in scope; whoever asks has checked the conversation's owner."""

    def __init__(self, connection: AsyncConnection) -> None:
        self._connection = connection

    async def add(self, scope: TenantScope, new: Sequence[Message]) -> None:
        _check(scope, new)
        if new:
            await write_later(self._connection, insert_into(messages), [_to_row(m) for m in new])

    async def put(self, scope: TenantScope, fresh: Sequence[Message]) -> None:
        _check(scope, fresh)
        if not fresh:
            return
        statement = _put_statement(self._connection.dialect.name)
        await write_later(self._connection, statement, [_to_row(m) for m in fresh])

    async def update(self, scope: TenantScope, message: Message) -> None:
        row = _to_row(message)
        await self._connection.execute(
            sa.update(messages)
            .where(messages.c.id == message.id, messages.c.space_id.in_(scope.space_ids))
            .values(
                {
                    k: row[k]
                    for k in (
                        "parts",
                        "is_text",
                        "citations",
                        "meta",
                        "status",
                        "run_id",
                        "updated_at",
                    )
                }
            )
        )

    async def get(
        self, scope: TenantScope, conversation_id: ConversationId, message_id: MessageId
    ) -> Message:
        query = sa.select(messages).where(
            messages.c.id == message_id,
            messages.c.conversation_id == conversation_id,
            *_shown(scope),
        )
        row = (await self._connection.execute(query)).mappings().one_or_none()
        if row is None:
            raise MessageNotFound(f"No message {message_id}.", message_id=message_id)
        return to_message(row)

    async def of_run(
        self, scope: TenantScope, run_id: RunId, kinds: Collection[MessageKind]
    ) -> Sequence[Message]:
        query = (
            sa.select(messages)
            .where(messages.c.run_id == run_id, messages.c.kind.in_(kinds), *_shown(scope))
            .order_by(messages.c.seq)
        )
        return [to_message(row) for row in (await self._connection.execute(query)).mappings()]

    async def page(
        self,
        scope: TenantScope,
        conversation_id: ConversationId,
        *,
        kinds: Collection[MessageKind],
        run_id: RunId | None,
        older_than: MessageId | None,
        newer_than: MessageId | None,
        descending: bool,
        limit: int,
    ) -> Sequence[Message]:
        query = sa.select(messages).where(
            messages.c.conversation_id == conversation_id,
            messages.c.kind.in_(kinds),
            *_shown(scope),
        )
        if run_id is not None:
            query = query.where(messages.c.run_id == run_id)
        if older_than is not None:
            query = query.where(messages.c.id < older_than)
        if newer_than is not None:
            query = query.where(messages.c.id > newer_than)
        query = query.order_by(messages.c.id.desc() if descending else messages.c.id).limit(limit)
        return [to_message(row) for row in (await self._connection.execute(query)).mappings()]

    async def history(
        self,
        scope: TenantScope,
        conversation_id: ConversationId,
        section_id: SectionId,
        *,
        before_seq: int,
        rounds: int,
    ) -> Sequence[PastMessage]:
        section: _Section = {
            "scope": scope,
            "conversation_id": conversation_id,
            "section_id": section_id,
            "before_seq": before_seq,
        }
        asked = messages.alias("asked")
        asked_run = runs.alias("asked_run")
        begin = (
            sa.select(asked.c.seq)
            .select_from(asked.outerjoin(asked_run, asked_run.c.id == asked.c.run_id))
            .where(
                asked.c.kind == MessageKind.QUESTION,
                *_in_section(asked, asked_run, **section),
            )
            .order_by(asked.c.seq.desc())
            .offset(rounds + SPARE_ROUNDS)
            .limit(1)
            .scalar_subquery()
        )
        query = (
            sa.select(messages, runs.c.status.label("run_status"))
            .select_from(messages.outerjoin(runs, runs.c.id == messages.c.run_id))
            .where(
                messages.c.kind.in_(MODEL_VISIBLE),
                messages.c.seq >= sa.func.coalesce(begin, 0),
                *_in_section(messages, runs, **section),
            )
            .order_by(messages.c.seq.desc())
            .limit(HISTORY_ROWS)
        )
        rows = (await self._connection.execute(query)).mappings().all()
        return [
            PastMessage(
                message=to_message(row),
                run_status=RunStatus(row["run_status"]) if row["run_status"] else None,
            )
            for row in reversed(rows)
        ]

    async def open_question(
        self, scope: TenantScope, conversation_id: ConversationId, section_id: SectionId
    ) -> Message | None:
        query = (
            sa.select(messages)
            .where(
                messages.c.conversation_id == conversation_id,
                messages.c.section_id == section_id,
                messages.c.space_id.in_(scope.space_ids),
                messages.c.kind.in_(KEPT),
                messages.c.status == MessageStatus.AVAILABLE,
            )
            .order_by(messages.c.seq.desc())
            .limit(1)
        )
        row = (await self._connection.execute(query)).mappings().one_or_none()
        if row is None or row["kind"] != MessageKind.QUESTION:
            return None
        return to_message(row)

    async def replace_run(self, scope: TenantScope, run_id: RunId, *, now: datetime) -> None:
        await self._connection.execute(
            sa.update(messages)
            .where(messages.c.run_id == run_id, *_shown(scope))
            .values(status=MessageStatus.REPLACED, updated_at=now)
        )

    async def delete_details(self, scope: TenantScope, run_id: RunId, *, now: datetime) -> None:
        await self._connection.execute(
            sa.update(messages)
            .where(messages.c.run_id == run_id, messages.c.kind.not_in(KEPT), *_shown(scope))
            .values(status=MessageStatus.DELETED, updated_at=now)
        )


def _shown(scope: TenantScope) -> list[sa.ColumnElement[bool]]:
    return [messages.c.space_id.in_(scope.space_ids), messages.c.status.in_(SHOWN)]


def _in_section(
    message: sa.FromClause,
    run: sa.FromClause,
    *,
    scope: TenantScope,
    conversation_id: ConversationId,
    section_id: SectionId,
    before_seq: int,
) -> list[sa.ColumnElement[bool]]:
    """What of a section can count as context: final, and not of a cancelled run."""
    return [
        message.c.conversation_id == conversation_id,
        message.c.section_id == section_id,
        message.c.space_id.in_(scope.space_ids),
        message.c.seq < before_seq,
        message.c.status == MessageStatus.AVAILABLE,
        sa.or_(run.c.id.is_(None), run.c.status != RunStatus.CANCELED),
    ]


def _check(scope: TenantScope, written: Sequence[Message]) -> None:
    for message in written:
        if message.space_id not in scope.space_ids:
            raise MessageNotFound(f"No message {message.id}.", message_id=message.id)


def _to_row(message: Message) -> dict[str, Any]:
    return {
        "id": message.id,
        "conversation_id": message.conversation_id,
        "space_id": message.space_id,
        "section_id": message.section_id,
        "run_id": message.run_id,
        "agent_id": message.agent_id,
        "seq": message.seq,
        "kind": message.kind,
        "parts": message.parts,
        "is_text": message.is_text,
        "reasoning": message.reasoning,
        "finish_reason": message.finish_reason,
        "citations": message.citations,
        "tool_calls": message.tool_calls,
        "tool_call_id": message.tool_call_id,
        "tool_error": message.tool_error,
        "meta": message.meta,
        "status": message.status,
        "created_at": message.created_at,
        "updated_at": message.updated_at,
    }


@cache
def _put_statement(dialect: str) -> Any:
    """Build the upsert once: its columns cost more than running it."""
    insert = upsert(dialect, messages)
    written = (
        "seq",
        "parts",
        "reasoning",
        "finish_reason",
        "citations",
        "status",
        "meta",
        "updated_at",
    )
    return insert.on_conflict_do_update(
        index_elements=[messages.c.id],
        set_={name: insert.excluded[name] for name in written},
        where=messages.c.status == MessageStatus.STREAMING,
    )


def to_message(row: sa.RowMapping) -> Message:
    """Return the message of a row."""
    return Message(
        id=MessageId(row["id"]),
        conversation_id=ConversationId(row["conversation_id"]),
        space_id=SpaceId(row["space_id"]),
        section_id=SectionId(row["section_id"]),
        run_id=None if row["run_id"] is None else RunId(row["run_id"]),
        agent_id=None if row["agent_id"] is None else AgentId(row["agent_id"]),
        seq=row["seq"],
        kind=MessageKind(row["kind"]),
        parts=row["parts"],
        is_text=row["is_text"],
        reasoning=row["reasoning"],
        finish_reason=row["finish_reason"],
        citations=row["citations"],
        tool_calls=row["tool_calls"],
        tool_call_id=row["tool_call_id"],
        tool_error=row["tool_error"],
        meta=row["meta"],
        status=MessageStatus(row["status"]),
        created_at=row["created_at"],
        updated_at=row["updated_at"],
    )
