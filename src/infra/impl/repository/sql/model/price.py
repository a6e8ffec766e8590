"""Versions of prices in SQL."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final

import sqlalchemy as sa

from domain.model.price import PriceTable, PriceVersion, price_version
from infra.impl.repository.sql.engine.database import SqlUnitOfWork
from infra.impl.repository.sql.mapping.personal import PERSONAL
from infra.impl.repository.sql.mapping.row_mapper import RowMapper

PRICES: Final = RowMapper(
    PriceVersion,
    "price_version",
    key=("model", "number"),
    columns={
        "model": sa.String(200),
        "version": sa.String(16),
        "currency": sa.String(3),
        "created_by": sa.BigInteger,
    },
)
price_versions: Final = PRICES.table


PERSONAL.keep("Prices of the deployment.", price_versions)


class SqlPriceBook:
    """Versions of prices of the deployment's models."""

    def __init__(self, uow: SqlUnitOfWork) -> None:
        self._uow = uow
        self._connection = uow.connection

    async def of(self, model: str) -> Sequence[PriceVersion]:
        query = (
            sa.select(price_versions)
            .where(price_versions.c.model == model)
            .order_by(price_versions.c.number.desc())
        )
        return await PRICES.all(self._connection, query)

    async def latest(self) -> Mapping[str, PriceVersion]:
        query = sa.select(price_versions).order_by(price_versions.c.number)
        return {each.model: each for each in await PRICES.all(self._connection, query)}

    async def note(
        self, model: str, prices: PriceTable, *, currency: str, now: datetime, actor_id: int = 0
    ) -> None:
        await self._uow.serialise(f"prices of {model}")
        known = await self.of(model)
        version = price_version(prices, currency=currency)
        if version == (known[0].version if known else ""):
            return
        added = PriceVersion(
            model=model,
            number=known[0].number + 1 if known else 1,
            version=version,
            currency=currency,
            prices=prices,
            created_at=now,
            created_by=actor_id,
        )
        row: dict[str, Any] = PRICES.row(added)
        await self._connection.execute(sa.insert(price_versions), row)
