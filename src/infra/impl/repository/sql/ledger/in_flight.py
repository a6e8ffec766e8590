"""Calls in flight in SQL: rows that go with the transaction that brings their entries."""

from collections.abc import Sequence
from typing import Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from infra.impl.repository.sql.mapping.column import Instant, id_column, metadata

in_flight_calls: Final = sa.Table(
    "in_flight_call",
    metadata,
    id_column("id", primary_key=True),
    sa.Column("owner", sa.String(32), nullable=False),
    sa.Column("renewed_at", Instant, nullable=False),
    sa.Column("call", sa.Text, nullable=False),
)
"""``call`` is the whole of it: nobody asks for parts."""


async def forget_in_flight(connection: AsyncConnection, ids: Sequence[int]) -> None:
    """Remove rows in the order of their ids, so that nobody waits in a ring."""
    table = in_flight_calls.c
    locked = sa.select(table.id).where(table.id.in_(sorted(ids))).order_by(table.id)
    if connection.dialect.name != "sqlite":
        await connection.execute(locked.with_for_update())
    await connection.execute(sa.delete(in_flight_calls).where(table.id.in_(sorted(ids))))
