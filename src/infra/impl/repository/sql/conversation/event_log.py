"""The event log of runs in SQL."""

from collections.abc import Sequence
from datetime import datetime

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from domain.conversation.run_repository import EventBatch
from domain.shared.access import TenantScope
from domain.shared.ids import RunId
from infra.impl.repository.sql.conversation.table import EVENTS, run_events
from infra.impl.repository.sql.mapping.upsert import upsert


class SqlRunEventLog:
    """Batches of events; writing one twice changes nothing."""

    def __init__(self, connection: AsyncConnection) -> None:
        self._connection = connection

    async def append(self, batches: Sequence[EventBatch], *, now: datetime) -> None:
        if not batches:
            return
        insert = upsert(self._connection.dialect.name, run_events)
        rows = [EVENTS.row(batch) | {"created_at": now} for batch in batches]
        await self._connection.execute(insert.on_conflict_do_nothing(), rows)

    async def read(
        self, scope: TenantScope, run_id: RunId, *, after: int, limit: int
    ) -> Sequence[EventBatch]:
        query = (
            sa.select(run_events)
            .where(
                run_events.c.run_id == run_id,
                run_events.c.last_seq > after,
                run_events.c.space_id.in_(scope.space_ids),
            )
            .order_by(run_events.c.first_seq)
            .limit(limit)
        )
        return await EVENTS.all(self._connection, query)
