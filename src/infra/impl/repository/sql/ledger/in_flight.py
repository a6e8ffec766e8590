"""Calls in flight: rows that go with the transaction that brings their entries."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Final

import msgspec
import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from domain.conversation.run_repository import ModelCallLedger
from domain.shared.chat import ModelCall
from domain.shared.ids import RunId
from domain.usage.in_flight import InFlightCall
from infra.impl.repository.sql.mapping.column import Instant, id_column, metadata
from infra.impl.repository.sql.mapping.personal import PERSONAL
from infra.impl.repository.sql.mapping.tenancy import OF_PROCESSES, TENANCY

in_flight_calls: Final = sa.Table(
    "in_flight_call",
    metadata,
    id_column("id", primary_key=True),
    sa.Column("owner", sa.String(32), nullable=False),
    sa.Column("renewed_at", Instant, nullable=False),
    sa.Column("call", sa.Text, nullable=False),
)
"""``call`` is the whole of it: nobody asks for parts."""
PERSONAL.keep("Calls of this minute; those that get lost become entries.", in_flight_calls)
TENANCY.apart(OF_PROCESSES, in_flight_calls)


async def forget_in_flight(connection: AsyncConnection, ids: Sequence[int]) -> None:
    """Remove rows in the order of their ids, so that nobody waits in a ring."""
    table = in_flight_calls.c
    locked = sa.select(table.id).where(table.id.in_(sorted(ids))).order_by(table.id)
    if connection.dialect.name != "sqlite":
        await connection.execute(locked.with_for_update())
    await connection.execute(sa.delete(in_flight_calls).where(table.id.in_(sorted(ids))))


class SqlInFlightCalls:
    """Calls in flight, and the entries that lost ones become."""

    def __init__(self, connection: AsyncConnection, ledger: ModelCallLedger) -> None:
        self._connection = connection
        self._ledger = ledger

    async def add(self, calls: Sequence[InFlightCall], *, owner: str, now: datetime) -> None:
        rows = [
            {
                "id": call.id,
                "owner": owner,
                "renewed_at": now,
                "call": msgspec.json.encode(call).decode(),
            }
            for call in calls
        ]
        await self._connection.execute(sa.insert(in_flight_calls), rows)

    async def remove(self, ids: Collection[int]) -> None:
        await forget_in_flight(self._connection, list(ids))

    async def renew(self, owner: str, now: datetime) -> None:
        table = in_flight_calls.c
        # What is locked is about to go; waiting for it could be in a ring.
        mine = sa.select(table.id).where(table.owner == owner).order_by(table.id)
        found = await self._connection.scalars(mine.with_for_update(skip_locked=True))
        if ids := list(found):
            await self._connection.execute(
                sa.update(in_flight_calls).where(table.id.in_(ids)).values(renewed_at=now)
            )

    async def lost(
        self, before: datetime, *, but: str | None, limit: int
    ) -> Sequence[InFlightCall]:
        table = in_flight_calls.c
        is_lost = table.renewed_at < before if but is None else table.owner != but
        query = sa.select(table.call).where(is_lost).order_by(table.id).limit(limit)
        found = await self._connection.scalars(query)
        return [msgspec.json.decode(each, type=InFlightCall) for each in found]

    async def settle(self, call: InFlightCall, entry: ModelCall) -> bool:
        mine = in_flight_calls.c.id == call.id
        if not (await self._connection.execute(sa.delete(in_flight_calls).where(mine))).rowcount:
            return False
        # Under an id of its own: a run that goes on elsewhere numbers its calls anew.
        await self._ledger.append(call.space_id, RunId(call.id), 1, [entry], call.account)
        return True
