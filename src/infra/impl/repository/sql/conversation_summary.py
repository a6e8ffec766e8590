"""Summaries of sections in SQL."""

from collections.abc import Sequence
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from domain.conversation.history import PastMessage
from domain.conversation.summary import SectionSummary
from domain.conversation.value import MessageKind, MessageStatus, RunStatus
from domain.shared.access import TenantScope
from domain.shared.ids import ConversationId, SectionId, SpaceId
from infra.impl.repository.sql.conversation_message import to_message
from infra.impl.repository.sql.conversation_schema import messages, runs, section_summaries
from infra.impl.repository.sql.schema import to_micros
from infra.impl.repository.sql.upsert import upsert

_SPOKEN: Final = (MessageKind.QUESTION, MessageKind.ANSWER)


class SqlSummaryRepository:
    """Implements ``SummaryRepository``; one row per section."""

    def __init__(self, connection: AsyncConnection) -> None:
        self._connection = connection

    async def get(self, scope: TenantScope, section_id: SectionId) -> SectionSummary | None:
        query = sa.select(section_summaries).where(
            section_summaries.c.section_id == section_id,
            section_summaries.c.space_id.in_(scope.space_ids),
        )
        row = (await self._connection.execute(query)).one_or_none()
        if row is None:
            return None
        found = _to_summary(row)
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
        return [
            PastMessage(
                message=to_message(row),
                run_status=RunStatus(row["run_status"]) if row["run_status"] else None,
            )
            for row in (await self._connection.execute(query)).mappings()
        ]

    async def put(self, scope: TenantScope, summary: SectionSummary) -> None:
        scope.within(summary.space_id)
        row = {
            "section_id": summary.section_id,
            "conversation_id": summary.conversation_id,
            "space_id": summary.space_id,
            "upto_seq": summary.upto_seq,
            "text": summary.text,
            "tokens": summary.tokens,
            "basis": summary.basis,
            "updated_at": summary.updated_at,
        }
        insert = upsert(self._connection.dialect.name, section_summaries).values(**row)
        await self._connection.execute(
            insert.on_conflict_do_update(index_elements=["section_id"], set_=row)
        )

    async def end(self, scope: TenantScope, conversation_id: ConversationId) -> None:
        await self._connection.execute(
            sa.delete(section_summaries).where(
                section_summaries.c.conversation_id == conversation_id,
                section_summaries.c.space_id.in_(scope.space_ids),
            )
        )


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


def _to_summary(row: Any) -> SectionSummary:
    return SectionSummary(
        section_id=SectionId(row.section_id),
        conversation_id=ConversationId(row.conversation_id),
        space_id=SpaceId(row.space_id),
        upto_seq=row.upto_seq,
        text=row.text,
        tokens=row.tokens,
        basis=row.basis,
        updated_at=row.updated_at,
    )
