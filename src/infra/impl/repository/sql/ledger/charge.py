"""Charges of budgets: what entries of the ledger take from them, written with the entries."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from domain.shared.chat import BudgetCharge
from infra.impl.repository.sql.mapping.column import Instant, id_column, metadata

budget_periods: Final = sa.Table(
    "budget_period",
    metadata,
    id_column("budget_id", primary_key=True),
    sa.Column("begins_at", Instant, primary_key=True, autoincrement=False),
    sa.Column("spent", sa.BigInteger, nullable=False),
    sa.Column("warned", sa.SmallInteger, nullable=False),
)
"""What entries took from a period; ``warned`` is the last percentage that was told of."""

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
"""What a process holds of a period: idle, for calls under way, and for entries to be stored."""

_AMOUNT: sa.BindParameter[int] = sa.bindparam("amount", type_=sa.BigInteger)
_BUDGET: sa.BindParameter[int] = sa.bindparam("budget", type_=sa.BigInteger)
_BEGIN: sa.BindParameter[datetime] = sa.bindparam("begin", type_=Instant)
_OWNER: sa.BindParameter[str] = sa.bindparam("process", type_=sa.String(32))
_SPEND: Final = (
    sa.update(budget_periods)
    .where(budget_periods.c.budget_id == _BUDGET, budget_periods.c.begins_at == _BEGIN)
    .values(spent=budget_periods.c.spent + _AMOUNT)
)
RELEASE: Final = (
    sa.update(budget_portions)
    .where(
        budget_portions.c.budget_id == _BUDGET,
        budget_portions.c.begins_at == _BEGIN,
        budget_portions.c.owner == _OWNER,
    )
    .values(
        held=sa.case((budget_portions.c.held > _AMOUNT, budget_portions.c.held - _AMOUNT), else_=0)
    )
)


async def write_charges(connection: AsyncConnection, charges: Sequence[BudgetCharge]) -> None:
    """Write the charges of a transaction; rows are locked in one order, so nobody waits in a ring.

    What is spent comes first: whoever takes a portion locks that row, and then its own. They are
    not written later, for writes that travel together lock their rows in no order.
    """
    spent: dict[tuple[int, datetime], int] = {}
    covered: dict[tuple[int, datetime, str], int] = {}
    for charge in charges:
        period = charge.budget_id, charge.begins_at
        spent[period] = spent.get(period, 0) + charge.amount
        if charge.owner:
            held = (*period, charge.owner)
            covered[held] = covered.get(held, 0) + charge.covered
    for (budget_id, begins_at), amount in sorted(spent.items()):
        row = {"budget": budget_id, "begin": begins_at, "amount": amount}
        await connection.execute(_SPEND, row)
    for (budget_id, begins_at, owner), amount in sorted(covered.items()):
        row = {"budget": budget_id, "begin": begins_at, "process": owner, "amount": amount}
        await connection.execute(RELEASE, row)
