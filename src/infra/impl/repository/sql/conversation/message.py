"""Messages in SQL."""

from collections.abc import Collection, Sequence
from datetime import datetime
from functools import cache
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from domain.conversation.error import MessageNotFound
from domain.conversation.history import MODEL_VISIBLE, PastMessage, count_rounds
from domain.conversation.message import Message
from domain.conversation.value import MessageKind, MessageStatus, RunStatus
from domain.shared.access import TenantScope
from domain.shared.ids import ConversationId, MessageId, RunId, SectionId
from infra.impl.repository.sql.conversation.table import MESSAGES, messages, runs
from infra.impl.repository.sql.engine.unit_of_work import SqlUnitOfWork, insert_into, write_later
from infra.impl.repository.sql.fastpath.prepared import Prepared
from infra.impl.repository.sql.mapping.tenant_rows import TenantRows
from infra.impl.repository.sql.mapping.upsert import upsert

SHOWN: Final = (MessageStatus.AVAILABLE, MessageStatus.BROKEN)
KEPT: Final = (MessageKind.QUESTION, MessageKind.ANSWER)

FEW_SPARE: Final = 1
SPARE_ROUNDS: Final = 32
"""Rounds read beyond the limit, for those that turn out not to count: few, and if need be more."""

HISTORY_ROWS: Final = 5000


class SqlMessageRepository:
    """Messages of the spaces in scope; whoever asks has checked the conversation's owner."""

    def __init__(self, uow: SqlUnitOfWork) -> None:
        self._connection = uow.connection
        self._rows = TenantRows(uow, MESSAGES, missing=_not_found, visible=_shown)

    async def add(self, scope: TenantScope, new: Sequence[Message]) -> None:
        rows = [self._rows.row_of(scope, message) for message in new]
        await write_later(self._connection, insert_into(messages), rows)

    async def put(self, scope: TenantScope, fresh: Sequence[Message]) -> None:
        rows = [self._rows.row_of(scope, message) for message in fresh]
        await write_later(self._connection, _put_statement(self._connection.dialect.name), rows)

    async def update(self, scope: TenantScope, message: Message) -> None:
        row = MESSAGES.row(message)
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
        found = await self._rows.find(
            scope, messages.c.id == message_id, messages.c.conversation_id == conversation_id
        )
        if found is None:
            raise _not_found(message_id)
        return found

    async def find(self, scope: TenantScope, message_id: MessageId) -> Message | None:
        return await self._rows.find(scope, messages.c.id == message_id)

    async def of_run(
        self, scope: TenantScope, run_id: RunId, kinds: Collection[MessageKind]
    ) -> Sequence[Message]:
        return await self._rows.all(
            scope,
            messages.c.run_id == run_id,
            messages.c.kind.in_(kinds),
            order=[messages.c.seq],
        )

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
        wanted = [messages.c.conversation_id == conversation_id, messages.c.kind.in_(kinds)]
        if run_id is not None:
            wanted.append(messages.c.run_id == run_id)
        if older_than is not None:
            wanted.append(messages.c.id < older_than)
        if newer_than is not None:
            wanted.append(messages.c.id > newer_than)
        order = messages.c.id.desc() if descending else messages.c.id.asc()
        return await self._rows.all(scope, *wanted, order=[order], limit=limit)

    async def history(
        self,
        scope: TenantScope,
        conversation_id: ConversationId,
        section_id: SectionId,
        *,
        before_seq: int,
        rounds: int,
    ) -> Sequence[PastMessage]:
        values = {
            "conversation": conversation_id,
            "section": section_id,
            "before": before_seq,
            "spaces": list(scope.space_ids),
        }

        async def newest(count: int) -> list[PastMessage]:
            rows = await _history().rows(self._connection, {**values, "skipped": count})
            return [PastMessage(message=MESSAGES.read(r), run_status=r[-1]) for r in rows][::-1]

        past = await newest(rounds + FEW_SPARE)
        questions = sum(each.message.kind is MessageKind.QUESTION for each in past)
        if questions <= rounds + FEW_SPARE or count_rounds(past) >= rounds:
            return past
        return await newest(rounds + SPARE_ROUNDS)

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
        last = await MESSAGES.one(self._connection, query)
        return last if last is not None and last.kind is MessageKind.QUESTION else None

    async def replace_run(self, scope: TenantScope, run_id: RunId, *, now: datetime) -> None:
        await self._connection.execute(
            sa.update(messages)
            .where(messages.c.run_id == run_id, _shown(scope))
            .values(status=MessageStatus.REPLACED, updated_at=now)
        )

    async def delete_details(self, scope: TenantScope, run_id: RunId, *, now: datetime) -> None:
        await self._connection.execute(
            sa.update(messages)
            .where(messages.c.run_id == run_id, messages.c.kind.not_in(KEPT), _shown(scope))
            .values(status=MessageStatus.DELETED, updated_at=now)
        )


async def past_messages(connection: AsyncConnection, query: sa.Select[Any]) -> list[PastMessage]:
    """Read messages, each followed by the status of its run as ``run_status``."""
    return [
        PastMessage(message=MESSAGES.read(row), run_status=row.run_status)
        for row in await connection.execute(query)
    ]


def _shown(scope: TenantScope) -> sa.ColumnElement[bool]:
    return messages.c.space_id.in_(scope.space_ids) & messages.c.status.in_(SHOWN)


@cache
def _history() -> Prepared:
    """Find the newest question that is left out, and read what comes after it."""
    asked = messages.alias("asked")
    asked_run = runs.alias("asked_run")
    begin = (
        sa.select(asked.c.seq)
        .select_from(asked.outerjoin(asked_run, asked_run.c.id == asked.c.run_id))
        .where(asked.c.kind == MessageKind.QUESTION, *_in_section(asked, asked_run))
        .order_by(asked.c.seq.desc())
        .offset(sa.bindparam("skipped", type_=sa.Integer))
        .limit(1)
        .scalar_subquery()
    )
    return Prepared(
        sa.select(messages, runs.c.status.label("run_status"))
        .select_from(messages.outerjoin(runs, runs.c.id == messages.c.run_id))
        .where(
            messages.c.kind.in_(MODEL_VISIBLE),
            messages.c.seq >= sa.func.coalesce(begin, 0),
            *_in_section(messages, runs),
        )
        .order_by(messages.c.seq.desc())
        .limit(HISTORY_ROWS)
    )


def _in_section(message: sa.FromClause, run: sa.FromClause) -> list[sa.ColumnElement[bool]]:
    """What of a section can count as context: final, and not of a cancelled run."""
    return [
        message.c.conversation_id == sa.bindparam("conversation"),
        message.c.section_id == sa.bindparam("section"),
        message.c.space_id.in_(sa.bindparam("spaces", expanding=True)),
        message.c.seq < sa.bindparam("before"),
        message.c.status == MessageStatus.AVAILABLE,
        sa.or_(run.c.id.is_(None), run.c.status != RunStatus.CANCELED),
    ]


def _not_found(message_id: int) -> MessageNotFound:
    return MessageNotFound(f"No message {message_id}.", message_id=message_id)


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
