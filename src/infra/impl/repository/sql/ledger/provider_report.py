"""Reports of providers, of what they sold to the deployment, day by day."""

from collections.abc import Sequence
from datetime import date, datetime
from typing import Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from domain.usage.reconciliation import ReportLine, days_of
from infra.impl.repository.sql.mapping.column import Instant, metadata
from infra.impl.repository.sql.mapping.tenancy import OF_DEPLOYMENT, TENANCY
from infra.impl.repository.sql.model.call import Points

provider_lines: Final = sa.Table(
    "provider_line",
    metadata,
    sa.Column("provider", sa.String(50), primary_key=True),
    sa.Column("day", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("model", sa.String(200), primary_key=True),
    sa.Column("currency", sa.String(3), primary_key=True),
    sa.Column("calls", sa.BigInteger),
    sa.Column("input_tokens", sa.BigInteger),
    sa.Column("output_tokens", sa.BigInteger),
    sa.Column("cost", Points),
    sa.Column("imported_at", Instant, nullable=False),
)
"""``day`` counts from the first of January of the year 1."""
TENANCY.apart(OF_DEPLOYMENT, provider_lines)


class SqlProviderReports:
    """What providers say, for whoever compares it."""

    def __init__(self, connection: AsyncConnection) -> None:
        self._connection = connection

    async def replace(self, provider: str, lines: Sequence[ReportLine], *, now: datetime) -> None:
        table = provider_lines.c
        for day in sorted(days_of(lines)):
            await self._connection.execute(
                sa.delete(provider_lines).where(
                    table.provider == provider, table.day == day.toordinal()
                )
            )
        await self._connection.execute(
            sa.insert(provider_lines),
            [
                {
                    "provider": provider,
                    "day": line.day.toordinal(),
                    "model": line.model,
                    "currency": line.currency,
                    "calls": line.calls,
                    "input_tokens": line.input_tokens,
                    "output_tokens": line.output_tokens,
                    "cost": line.cost,
                    "imported_at": now,
                }
                for line in lines
            ],
        )

    async def lines(self, provider: str, first: date, last: date) -> Sequence[ReportLine]:
        table = provider_lines.c
        query = (
            sa.select(provider_lines)
            .where(
                table.provider == provider,
                table.day >= first.toordinal(),
                table.day <= last.toordinal(),
            )
            .order_by(table.day, table.model, table.currency)
        )
        return [
            ReportLine(
                day=date.fromordinal(row.day),
                model=row.model,
                calls=row.calls,
                input_tokens=row.input_tokens,
                output_tokens=row.output_tokens,
                cost=row.cost,
                currency=row.currency,
            )
            for row in await self._connection.execute(query)
        ]
