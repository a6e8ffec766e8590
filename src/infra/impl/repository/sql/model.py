"""Model entries on SQL, their keys sealed at rest."""

from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from functools import partial
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from domain.model.entity import ModelEntry, ModelId
from domain.model.error import ModelNameTaken, ModelNotFound
from domain.model.value import ModelSpec
from domain.shared.error import StaleRevision
from domain.shared.secret import Secret
from infra.contract.secret_box import SecretBox, SecretUnreadable
from infra.impl.repository.sql.database import Database, SqlUnitOfWork
from infra.impl.repository.sql.schema import Instant, Json, id_column, metadata

model_entry: Final = sa.Table(
    "model_entry",
    metadata,
    id_column(),
    sa.Column("type", sa.String(20), nullable=False),
    sa.Column("name", sa.String(100), nullable=False, unique=True),
    sa.Column("spec", Json(ModelSpec), nullable=False),
    sa.Column("sealed_key", sa.LargeBinary, nullable=False),
    sa.Column("is_enabled", sa.Boolean, nullable=False),
    sa.Column("is_default", sa.Boolean, nullable=False),
    sa.Column("is_vision_default", sa.Boolean, nullable=False),
    sa.Column("created_at", Instant, nullable=False),
    sa.Column("updated_at", Instant, nullable=False),
    sa.Column("revision", sa.Integer, nullable=False),
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
        key = entry.api_key.reveal().encode()
        row: dict[str, Any] = {
            "id": entry.id,
            "type": entry.spec.type.value,
            "name": entry.spec.name,
            "spec": entry.spec,
            "is_enabled": entry.is_enabled,
            "is_default": entry.is_default,
            "is_vision_default": entry.is_vision_default,
            "created_at": entry.created_at,
            "updated_at": entry.updated_at,
        }
        if entry.is_key_readable:  # an unreadable key stays as it is until it is set anew
            row["sealed_key"] = self._box.seal(key, aad=place_of_model(entry.id)) if key else b""
        return row

    def _to_entry(self, row: sa.Row[Any]) -> ModelEntry:
        key, is_readable = "", True
        if row.sealed_key:
            try:
                key = self._box.open(row.sealed_key, aad=place_of_model(row.id)).decode()
            except SecretUnreadable:
                is_readable = False
        return ModelEntry(
            id=ModelId(row.id),
            spec=row.spec,
            api_key=Secret(key),
            is_enabled=row.is_enabled,
            is_default=row.is_default,
            is_vision_default=row.is_vision_default,
            is_key_readable=is_readable,
            created_at=row.created_at,
            updated_at=row.updated_at,
            revision=row.revision,
        )


class SqlModelUnitOfWork(SqlUnitOfWork):
    """One transaction on the model entries."""

    def __init__(self, connection: AsyncConnection, *, box: SecretBox, **options: Any) -> None:
        super().__init__(connection, **options)
        self._models = SqlModelRepository(self, box)

    @property
    def models(self) -> SqlModelRepository:
        return self._models


class SqlModelStore:
    """Opens transactions on the model entries; ``box`` seals their keys."""

    def __init__(self, database: Database, box: SecretBox) -> None:
        kind = partial(SqlModelUnitOfWork, box=box)
        self._transaction = database.transaction(kind)
        self._snapshot = database.snapshot(kind)

    def transaction(self) -> AbstractAsyncContextManager[SqlModelUnitOfWork]:
        return self._transaction()

    def snapshot(self) -> AbstractAsyncContextManager[SqlModelUnitOfWork]:
        return self._snapshot()


def place_of_model(model_id: int) -> bytes:
    """Bind a sealed key to its row."""
    return f"model_entry:{model_id}:api_key".encode()


def _name_taken(entry: ModelEntry) -> ModelNameTaken:
    return ModelNameTaken(f"A model {entry.spec.name!r} exists already.", model=entry.spec.name)
