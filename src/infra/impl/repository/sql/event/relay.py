"""The outbox as a relay sees it: which events a broker has confirmed."""

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime
from typing import Any, Final
from uuid import uuid4

import sqlalchemy as sa

from infra.contract.messaging.event_repository import Notice
from infra.impl.repository.sql.engine.database import Database
from infra.impl.repository.sql.event.outbox import fan_out, inbox, is_open
from infra.impl.repository.sql.event.table import outbox
from infra.impl.repository.sql.mapping.lease import Lease

_LEASE: Final = Lease(outbox, owner="relay_owner", until="relay_until")


class SqlEventRelay:
    """Event relay in the database that the events were committed to."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._owner = uuid4().hex

    def listen(self, wake: Callable[[Collection[str]], None]) -> None:
        self._database.listen(wake)

    async def has_work(self, now: datetime) -> bool:
        waiting = sa.select(outbox.c.position).where(_is_free(now))
        async with self._database.read() as connection:
            return bool(await connection.scalar(sa.select(waiting.exists())))

    async def take(
        self, routes: Mapping[str, frozenset[str]], *, now: datetime, until: datetime, limit: int
    ) -> list[Notice]:
        is_awaited = (
            sa.select(inbox.c.event_id)
            .where(inbox.c.event_id == outbox.c.event_id, is_open)
            .exists()
            .label("is_awaited")
        )
        async with self._database.write() as connection:
            await fan_out(connection, routes, now, wait=True)
            rows = (
                await connection.execute(
                    sa.select(
                        outbox.c.event_id,
                        outbox.c.topic,
                        outbox.c.key,
                        outbox.c.published_at,
                        outbox.c.traceparent,
                        is_awaited,
                    )
                    .where(_is_free(now), outbox.c.published_at.is_not(None))
                    .order_by(outbox.c.position)
                    .limit(limit)
                    .with_for_update(of=outbox, skip_locked=True)
                )
            ).all()
            lent = _LEASE.claimed(self._owner, until=until)
            for awaited, values in ((True, lent), (False, {"relayed_at": now})):
                event_ids = [row.event_id for row in rows if bool(row.is_awaited) is awaited]
                if event_ids:
                    await connection.execute(
                        sa.update(outbox).where(outbox.c.event_id.in_(event_ids)).values(values)
                    )
            await connection.commit()
        return [
            Notice(
                event_id=row.event_id,
                topic=row.topic,
                key=row.key,
                queued_at=row.published_at,
                traceparent=row.traceparent or "",
            )
            for row in rows
            if row.is_awaited
        ]

    async def confirm(self, event_ids: Sequence[str], now: datetime) -> None:
        # Whoever was told of it by the broker is right, even without a lease.
        await self._update(event_ids, relayed_at=now, **_LEASE.released())

    async def give_back(self, event_ids: Sequence[str]) -> None:
        await self._update(event_ids, _LEASE.is_of(self._owner), **_LEASE.released())

    async def unsettled(self, consumer: str, event_ids: Sequence[str]) -> Mapping[str, datetime]:
        async with self._database.read() as connection:
            rows = await connection.execute(
                sa.select(inbox.c.event_id, inbox.c.due_at, inbox.c.leased_until).where(
                    inbox.c.consumer == consumer, inbox.c.event_id.in_(event_ids), is_open
                )
            )
            return {row.event_id: max(row.due_at, row.leased_until or row.due_at) for row in rows}

    async def _update(
        self, event_ids: Sequence[str], *which: sa.ColumnElement[bool], **values: Any
    ) -> None:
        async with self._database.write() as connection:
            await connection.execute(
                sa.update(outbox).where(outbox.c.event_id.in_(event_ids), *which).values(values)
            )
            await connection.commit()


def _is_free(now: datetime) -> sa.ColumnElement[bool]:
    return outbox.c.relayed_at.is_(None) & _LEASE.is_free(now)
