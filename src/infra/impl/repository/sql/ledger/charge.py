"""Charges of budgets: what entries of the ledger take from them, written with the entries.

All entries of a workspace may go on one budget. Were each to add to the row of its period, every
transaction would hold that row until its commit, and the others would wait for it: a crowd on busy
processes got through ten in a second. So each leaves a row of its own, which waits for nobody, and
the rows are folded into those of the period now and then. Whoever reads a period adds them up.
"""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from domain.shared.chat import ModelCall
from infra.impl.repository.sql.engine.unit_of_work import insert_into, write_later
from infra.impl.repository.sql.mapping.column import Instant, id_column, metadata

budget_periods: Final = sa.Table(
    "budget_period",
    metadata,
    id_column("budget_id", primary_key=True),
    sa.Column("begins_at", Instant, primary_key=True, autoincrement=False),
    sa.Column("spent", sa.BigInteger, nullable=False),
    sa.Column("warned", sa.SmallInteger, nullable=False),
)
"""What entries took from a period, but for charges that are not folded.

``warned`` is the last percentage that was told of.
"""

budget_portions: Final = sa.Table(
    "budget_portion",
    metadata,
    id_column("budget_id", primary_key=True),
    sa.Column("begins_at", Instant, primary_key=True, autoincrement=False),
    sa.Column("owner", sa.String(32), primary_key=True),
    sa.Column("held", sa.BigInteger, nullable=False),
    sa.Column("renewed_at", Instant, nullable=False),
    sa.Index("ix_budget_portion_owner", "owner"),
)
"""What a process holds of a period: idle, for calls under way, and for entries to be folded."""

budget_charges: Final = sa.Table(
    "budget_charge",
    metadata,
    id_column("budget_id", primary_key=True),
    sa.Column("begins_at", Instant, primary_key=True, autoincrement=False),
    id_column("run_id", primary_key=True),
    sa.Column("call_no", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("amount", sa.BigInteger, nullable=False),
    sa.Column("owner", sa.String(32), nullable=False),
    sa.Column("covered", sa.BigInteger, nullable=False),
)
"""What an entry takes from a period: ``covered`` is how much of it the process ``owner`` holds."""

Period = tuple[int, datetime]
"""A budget, and when the period begins."""


async def write_charges(
    connection: AsyncConnection, run_id: int, calls: Sequence[tuple[int, ModelCall]]
) -> None:
    """Write what numbered calls of a run take, with the commit at the latest."""
    rows: list[dict[str, Any]] = [
        {
            "budget_id": charge.budget_id,
            "begins_at": charge.begins_at,
            "run_id": run_id,
            "call_no": number,
            "amount": charge.amount,
            "owner": charge.owner,
            "covered": charge.covered,
        }
        for number, call in calls
        for charge in call.charges
    ]
    await write_later(connection, insert_into(budget_charges), rows)


async def charged_periods(connection: AsyncConnection) -> Sequence[Period]:
    """Return the periods with charges that are not folded, in order."""
    table = budget_charges.c
    period = table.budget_id, table.begins_at
    rows = await connection.execute(sa.select(*period).distinct().order_by(*period))
    return [(budget_id, begins_at) for budget_id, begins_at in rows]


async def fold_charges(connection: AsyncConnection, periods: Collection[Period]) -> None:
    """Add charges to their periods, and have those hold less who covered them.

    Rows of periods are locked in one order, and before those of processes, as whoever takes a
    portion does: so nobody waits in a ring. Charges of a budget that is gone go as well.
    """
    table = budget_charges.c
    for budget_id, begins_at in sorted(periods):
        period = (budget_periods.c.budget_id == budget_id) & (
            budget_periods.c.begins_at == begins_at
        )
        await connection.execute(sa.select(budget_periods.c.spent).where(period).with_for_update())
        taken = (
            sa.delete(budget_charges)
            .where(table.budget_id == budget_id, table.begins_at == begins_at)
            .returning(table.amount, table.owner, table.covered)
        )
        amount, covered = 0, dict[str, int]()
        for charge in await connection.execute(taken):
            amount += charge.amount
            covered[charge.owner] = covered.get(charge.owner, 0) + charge.covered
        spent = budget_periods.c.spent + amount
        await connection.execute(sa.update(budget_periods).where(period).values(spent=spent))
        for owner in sorted(filter(None, covered)):
            await release(connection, (budget_id, begins_at), owner, covered[owner])


async def release(connection: AsyncConnection, period: Period, owner: str, amount: int) -> None:
    """Have a process hold that much less of a period; it has no row if that is all."""
    table = budget_portions.c
    mine = (table.budget_id == period[0]) & (table.begins_at == period[1]) & (table.owner == owner)
    rest = sa.case((table.held > amount, table.held - amount), else_=0)
    await connection.execute(sa.update(budget_portions).where(mine).values(held=rest))
    await connection.execute(sa.delete(budget_portions).where(mine, table.held == 0))
