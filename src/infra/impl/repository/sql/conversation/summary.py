"""Summaries of sections in SQL."""

from collections.abc import Sequence
from typing import Final

import sqlalchemy as sa

from domain.conversation.error import ConversationNotFound
from domain.conversation.history import PastMessage
from domain.conversation.summary import SectionSummary
from domain.conversation.value import MessageKind, MessageStatus
from domain.shared.access import TenantScope
from domain.shared.ids import ConversationId, SectionId
from infra.impl.repository.sql.conversation.message import past_messages
from infra.impl.repository.sql.conversation.table import (
    SUMMARIES,
    messages,
    runs,
    section_summaries,
)
from infra.impl.repository.sql.engine.database import SqlUnitOfWork
from infra.impl.repository.sql.mapping.column import to_micros
from infra.impl.repository.sql.mapping.tenant_rows import TenantRows

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


def _not_found(_: int) -> ConversationNotFound:
    return ConversationNotFound("No such conversation.")
