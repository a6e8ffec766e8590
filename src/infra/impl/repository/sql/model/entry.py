"""Model entries on SQL, their keys sealed at rest."""

from collections.abc import Sequence
from functools import cached_property, partial
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from domain.model.entity import ModelEntry, ModelId
from domain.model.error import ModelNameTaken, ModelNotFound
from domain.shared.error import StaleRevision
from domain.shared.secret import Secret
from infra.contract.security.secret_box import SecretBox, SecretUnreadable
from infra.impl.repository.sql.engine.database import Database, SqlStore, SqlUnitOfWork
from infra.impl.repository.sql.mapping.row_mapper import RowMapper
from infra.impl.repository.sql.mapping.sealed_column import SealedColumn
from infra.impl.repository.sql.model.experience import SqlModelExperience
from infra.impl.repository.sql.model.price import SqlPriceBook

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
