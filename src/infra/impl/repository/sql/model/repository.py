"""Models in SQL: entries with their keys sealed, prices, outcomes of tests, figures of calls."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import cached_property, partial
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from domain.model.entity import ModelEntry, ModelId
from domain.model.error import ModelNameTaken, ModelNotFound
from domain.model.experience import CallFigures, TestOutcome
from domain.model.price import PriceTable, PriceVersion, price_version
from domain.shared.error import StaleRevision
from domain.shared.secret import Secret
from infra.contract.security.secret_box import SecretBox, SecretUnreadable
from infra.impl.repository.sql.engine.database import Database, SqlStore
from infra.impl.repository.sql.engine.unit_of_work import SqlUnitOfWork
from infra.impl.repository.sql.identity.table import spaces
from infra.impl.repository.sql.mapping.personal import PERSONAL
from infra.impl.repository.sql.mapping.row_mapper import RowMapper
from infra.impl.repository.sql.mapping.sealed_column import SealedColumn
from infra.impl.repository.sql.mapping.tenancy import OF_DEPLOYMENT, TENANCY
from infra.impl.repository.sql.mapping.upsert import upsert
from infra.impl.repository.sql.model.call import model_call

OUTCOMES: Final = RowMapper(
    TestOutcome, "model_test", key=("model",), columns={"model": sa.String(200)}
)
model_tests: Final = OUTCOMES.table

PERSONAL.keep("Tests of the deployment's models, with no content.", model_tests)


class SqlModelExperience:
    """What tests and calls of the deployment's models showed."""

    def __init__(self, uow: SqlUnitOfWork) -> None:
        self._connection = uow.connection

    async def note(self, outcome: TestOutcome) -> None:
        row = OUTCOMES.row(outcome)
        insert = upsert(self._connection.dialect.name, model_tests).values(row)
        changed = {name: value for name, value in row.items() if name != "model"}
        await self._connection.execute(
            insert.on_conflict_do_update(index_elements=[model_tests.c.model], set_=changed)
        )

    async def outcomes(self) -> dict[str, TestOutcome]:
        found = await OUTCOMES.all(self._connection, sa.select(model_tests))
        return {each.model: each for each in found}

    async def figures(self, *, since: datetime) -> Sequence[CallFigures]:
        calls = model_call.c
        recent = (
            sa.select(
                calls.model,
                sa.case((calls.outcome == "failed", 1), else_=0).label("is_failed"),
                calls.first_token_ms,
            )
            # Workspace by workspace, for so is the index.
            .where(calls.space_id.in_(sa.select(spaces.c.id)), calls.ended_at >= since)
            .subquery("recent")
        )
        first = recent.c.first_token_ms
        ranked = sa.select(
            recent,
            sa.func.row_number()
            .over(
                partition_by=recent.c.model,
                order_by=(sa.case((first.is_(None), 1), else_=0), first),
            )
            .label("rank"),
            sa.func.count(first).over(partition_by=recent.c.model).label("firsts"),
        ).subquery("ranked")
        row = ranked.c
        statement = sa.select(
            row.model,
            sa.func.count(),
            sa.func.sum(row.is_failed),
            sa.func.max(sa.case((row.rank == (row.firsts * 50 + 99) // 100, row.first_token_ms))),
        ).group_by(row.model)
        return [
            CallFigures(model=model, calls=int(calls), failed=int(failed), first_token_p50_ms=half)
            for model, calls, failed, half in await self._connection.execute(statement)
        ]


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
TENANCY.apart(OF_DEPLOYMENT, model_tests, price_versions)


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


MODELS: Final = RowMapper(
    ModelEntry,
    "model_entry",
    omitted=["api_key", "is_key_readable"],
    extra=[
        sa.Column("type", sa.String(20), nullable=False),
        sa.Column("name", sa.String(100), nullable=False, unique=True),
        sa.Column("sealed_key", sa.LargeBinary, nullable=False),
    ],
    derived={"type": lambda entry: entry.spec.type.value, "name": lambda entry: entry.spec.name},
)
model_entry: Final = MODELS.table
TENANCY.apart(OF_DEPLOYMENT, model_entry)
SEALED_KEY: Final = SealedColumn(
    model_entry.c.sealed_key, model_entry.c.id, "model_entry:{}:api_key"
)


class SqlModelRepository:
    """Model entries of the deployment."""

    def __init__(self, uow: SqlUnitOfWork, box: SecretBox) -> None:
        self._uow = uow
        self._box = box

    async def get(self, model_id: ModelId) -> ModelEntry:
        query = sa.select(model_entry).where(model_entry.c.id == model_id)
        row = (await self._uow.connection.execute(query)).one_or_none()
        if row is None:
            raise ModelNotFound(f"No model {model_id}.", model=model_id)
        return self._to_entry(row)

    async def all(self) -> Sequence[ModelEntry]:
        query = sa.select(model_entry).order_by(model_entry.c.id)
        return [self._to_entry(row) for row in await self._uow.connection.execute(query)]

    async def save(self, entry: ModelEntry) -> None:
        await self._require_free_name(entry)
        try:
            await self._uow.save(model_entry, entry, self._to_row(entry))
        except IntegrityError as exc:  # taken by a concurrent transaction
            raise _name_taken(entry) from exc

    async def remove(self, entry: ModelEntry) -> None:
        unchanged = (model_entry.c.id == entry.id) & (model_entry.c.revision == entry.revision)
        result = await self._uow.connection.execute(sa.delete(model_entry).where(unchanged))
        if result.rowcount == 0:
            raise StaleRevision("This model changed meanwhile; read it again.")
        self._uow.collect(*entry.pull_events())

    async def _require_free_name(self, entry: ModelEntry) -> None:
        same = (model_entry.c.name == entry.spec.name) & (model_entry.c.id != entry.id)
        found = await self._uow.connection.execute(sa.select(model_entry.c.id).where(same))
        if found.first() is not None:
            raise _name_taken(entry)

    def _to_row(self, entry: ModelEntry) -> dict[str, Any]:
        row = MODELS.row(entry)
        if entry.is_key_readable:  # an unreadable key stays as it is until it is set anew
            key = entry.api_key.reveal().encode()
            row["sealed_key"] = SEALED_KEY.seal(self._box, entry.id, key)
        return row

    def _to_entry(self, row: sa.Row[Any]) -> ModelEntry:
        try:
            key, is_readable = SEALED_KEY.open(self._box, row.id, row.sealed_key).decode(), True
        except SecretUnreadable:
            key, is_readable = "", False
        return MODELS.read(row, api_key=Secret(key), is_key_readable=is_readable)


class SqlModelUnitOfWork(SqlUnitOfWork):
    """One transaction on the model entries."""

    def __init__(self, connection: AsyncConnection, *, box: SecretBox, **options: Any) -> None:
        super().__init__(connection, **options)
        self._models = SqlModelRepository(self, box)

    @property
    def models(self) -> SqlModelRepository:
        return self._models

    @cached_property
    def prices(self) -> SqlPriceBook:
        return SqlPriceBook(self)

    @cached_property
    def experience(self) -> SqlModelExperience:
        return SqlModelExperience(self)


class SqlModelStore(SqlStore[SqlModelUnitOfWork]):
    """Opens transactions on the model entries; ``box`` seals their keys."""

    def __init__(self, database: Database, box: SecretBox) -> None:
        super().__init__(database, partial(SqlModelUnitOfWork, box=box))


def _name_taken(entry: ModelEntry) -> ModelNameTaken:
    return ModelNameTaken(f"A model {entry.spec.name!r} exists already.", model=entry.spec.name)
