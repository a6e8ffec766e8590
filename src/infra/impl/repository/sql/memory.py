"""Variables, database tables and imports in SQL; rows of databases are in the table store."""

from collections.abc import Callable, Collection, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import asdict
from datetime import datetime
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from domain.memory.database import (
    DatabaseId,
    DatabaseTable,
    Field,
    ImportId,
    ImportJob,
    ImportStatus,
    RowMode,
    Side,
)
from domain.memory.error import DatabaseNameTaken, DatabaseNotFound, ImportNotFound
from domain.shared.access import TenantScope
from domain.shared.error import StaleRevision
from domain.shared.ids import AgentId, FileId, SpaceId, UserId
from infra.impl.repository.sql import memory_recollection as recollected
from infra.impl.repository.sql.database import Database, SqlUnitOfWork
from infra.impl.repository.sql.memory_variable import SqlVariableRepository
from infra.impl.repository.sql.schema import Instant, Json, id_column, metadata
from infra.impl.repository.sql.upsert import upsert

databases: Final = sa.Table(
    "memory_database",
    metadata,
    id_column(),
    id_column("space_id", nullable=False),
    id_column("creator_id", nullable=False),
    sa.Column("name", sa.String(100), nullable=False),
    sa.Column("live_name", sa.String(200), nullable=True),
    sa.Column("description", sa.Text, nullable=False),
    id_column("icon_file_id", nullable=True),
    id_column("app_id", nullable=True),
    sa.Column("row_mode", sa.SmallInteger, nullable=False),
    sa.Column("is_prompt_disabled", sa.Boolean, nullable=False),
    sa.Column("fields", Json(tuple[Field, ...]), nullable=False),
    sa.Column("next_field", sa.Integer, nullable=False),
    sa.Column("next_column", sa.Integer, nullable=False),
    sa.Column("created_at", Instant, nullable=False),
    sa.Column("updated_at", Instant, nullable=False),
    sa.Column("deleted_at", Instant, nullable=True),
    sa.Column("revision", sa.Integer, nullable=False),
    sa.Index(None, "space_id", "id"),
    sa.Index(None, "space_id", "live_name", unique=True),
)
bindings: Final = sa.Table(
    "memory_database_binding",
    metadata,
    id_column("agent_id", primary_key=True),
    id_column("database_id", primary_key=True),
    id_column("space_id", nullable=False),
    sa.Column("created_at", Instant, nullable=False),
    sa.Index(None, "database_id"),
)
imports: Final = sa.Table(
    "memory_import",
    metadata,
    id_column(),
    id_column("space_id", nullable=False),
    id_column("database_id", nullable=False),
    sa.Column("side", sa.String(8), nullable=False),
    id_column("file_id", nullable=False),
    sa.Column("file_name", sa.Text, nullable=False),
    sa.Column("sheet", sa.Integer, nullable=True),
    sa.Column("header_line", sa.Integer, nullable=False),
    sa.Column("end_user_id", sa.Text, nullable=False),
    sa.Column("connector_id", sa.BigInteger, nullable=False),
    id_column("creator_id", nullable=False),
    sa.Column("status", sa.String(16), nullable=False),
    sa.Column("total", sa.Integer, nullable=False),
    sa.Column("rows", sa.Integer, nullable=False),
    sa.Column("problem", sa.Text, nullable=False),
    sa.Column("created_at", Instant, nullable=False),
    sa.Column("updated_at", Instant, nullable=False),
    sa.Index(None, "database_id"),
)


class SqlDatabaseRepository:
    """Database tables that are not deleted."""

    def __init__(self, uow: "SqlMemoryUnitOfWork") -> None:
        self._uow = uow
        self._connection = uow.connection

    async def get(self, scope: TenantScope, database_id: DatabaseId) -> DatabaseTable:
        query = sa.select(databases).where(_visible(scope), databases.c.id == database_id)
        row = (await self._connection.execute(query)).one_or_none()
        if row is None:
            raise DatabaseNotFound(f"No database {database_id}.", database_id=database_id)
        return _to_table(row)

    async def find(
        self, scope: TenantScope, database_ids: Collection[DatabaseId]
    ) -> Sequence[DatabaseTable]:
        query = (
            sa.select(databases)
            .where(_visible(scope), databases.c.id.in_(database_ids))
            .order_by(databases.c.id)
        )
        return [_to_table(row) for row in await self._connection.execute(query)]

    async def page(
        self, scope: TenantScope, *, text: str, after_id: DatabaseId | None, limit: int
    ) -> tuple[Sequence[DatabaseTable], int]:
        wanted = _visible(scope)
        if text:
            wanted = wanted & databases.c.name.icontains(text, autoescape=True)
        count = sa.select(sa.func.count()).select_from(databases).where(wanted)
        total = (await self._connection.execute(count)).scalar_one()
        page = sa.select(databases).where(wanted).order_by(databases.c.id.desc()).limit(limit)
        if after_id is not None:
            page = page.where(databases.c.id < after_id)
        return [_to_table(row) for row in await self._connection.execute(page)], total

    async def of_agent(self, scope: TenantScope, agent_id: AgentId) -> Sequence[DatabaseTable]:
        query = (
            sa.select(databases)
            .join(bindings, bindings.c.database_id == databases.c.id)
            .where(_visible(scope), bindings.c.agent_id == agent_id)
            .order_by(databases.c.id)
        )
        return [_to_table(row) for row in await self._connection.execute(query)]

    async def bind(
        self, scope: TenantScope, table: DatabaseTable, agent_id: AgentId, *, now: datetime
    ) -> None:
        _refuse_foreign(scope, table)
        key = {"agent_id": agent_id, "database_id": table.id}
        statement = _insert(self._connection, bindings).values(
            **key, space_id=table.space_id, created_at=now
        )
        await self._connection.execute(statement.on_conflict_do_nothing(index_elements=list(key)))

    async def unbind(self, scope: TenantScope, table: DatabaseTable, agent_id: AgentId) -> None:
        _refuse_foreign(scope, table)
        await self._connection.execute(
            sa.delete(bindings).where(
                bindings.c.agent_id == agent_id, bindings.c.database_id == table.id
            )
        )

    async def agents_of(self, scope: TenantScope, database_id: DatabaseId) -> Sequence[AgentId]:
        query = (
            sa.select(bindings.c.agent_id)
            .where(bindings.c.space_id.in_(scope.space_ids), bindings.c.database_id == database_id)
            .order_by(bindings.c.agent_id)
        )
        return [AgentId(found) for found in await self._connection.scalars(query)]

    async def save(self, scope: TenantScope, table: DatabaseTable) -> None:
        _refuse_foreign(scope, table)
        row = {
            "id": table.id,
            "space_id": table.space_id,
            "creator_id": table.creator_id,
            "name": table.name,
            # Deleted tables leave their name to others.
            "live_name": table.name.casefold() if table.deleted_at is None else None,
            "description": table.description,
            "icon_file_id": table.icon_file_id,
            "app_id": table.app_id,
            "row_mode": table.row_mode.value,
            "is_prompt_disabled": table.is_prompt_disabled,
            "fields": table.fields,
            "next_field": table.next_field,
            "next_column": table.next_column,
            "created_at": table.created_at,
            "updated_at": table.updated_at,
            "deleted_at": table.deleted_at,
        }
        query = sa.select(databases.c.id).where(
            databases.c.space_id == table.space_id,
            databases.c.live_name == table.name.casefold(),
            databases.c.id != table.id,
        )
        taken = DatabaseNameTaken(f"name: another table is called {table.name}.", field="name")
        if table.deleted_at is None and await self._connection.scalar(query) is not None:
            raise taken
        try:
            await self._uow.save(databases, table, row)
        except IntegrityError as exc:
            raise taken from exc
        except StaleRevision as exc:
            if isinstance(exc.__cause__, IntegrityError):  # a new table, whose id nobody has
                raise taken from exc
            raise


class SqlImportRepository:
    """Imports of files."""

    def __init__(self, connection: AsyncConnection) -> None:
        self._connection = connection

    async def put(self, scope: TenantScope, job: ImportJob) -> None:
        if job.space_id not in scope.space_ids:
            raise ImportNotFound(f"No import {job.id}.", import_id=job.id)
        row = asdict(job)
        row |= {"side": job.side.value, "status": job.status.value}
        statement = _insert(self._connection, imports).values(**row)
        await self._connection.execute(
            statement.on_conflict_do_update(index_elements=["id"], set_=row)
        )

    async def get(
        self, scope: TenantScope, database_id: DatabaseId, import_id: ImportId
    ) -> ImportJob:
        query = sa.select(imports).where(
            imports.c.space_id.in_(scope.space_ids),
            imports.c.database_id == database_id,
            imports.c.id == import_id,
        )
        row = (await self._connection.execute(query)).one_or_none()
        if row is None:
            raise ImportNotFound(f"No import {import_id}.", import_id=import_id)
        return _to_job(row)


class SqlMemoryUnitOfWork(SqlUnitOfWork):
    """The memory context's repositories on one connection."""

    @property
    def databases(self) -> SqlDatabaseRepository:
        return SqlDatabaseRepository(self)

    @property
    def imports(self) -> SqlImportRepository:
        return SqlImportRepository(self.connection)

    @property
    def variables(self) -> SqlVariableRepository:
        return SqlVariableRepository(self.connection)

    @property
    def recollections(self) -> recollected.SqlRecollectionRepository:
        return recollected.SqlRecollectionRepository(self.connection)

    @property
    def cleanup(self) -> recollected.SqlRecollectionCleanup:
        return recollected.SqlRecollectionCleanup(self.connection)


class SqlMemoryStore:
    """Opens transactions of the memory context."""

    def __init__(self, database: Database) -> None:
        self._transaction: Callable[[], AbstractAsyncContextManager[SqlMemoryUnitOfWork]] = (
            database.transaction(SqlMemoryUnitOfWork)
        )
        self._snapshot: Callable[[], AbstractAsyncContextManager[SqlMemoryUnitOfWork]] = (
            database.snapshot(SqlMemoryUnitOfWork)
        )

    def transaction(self) -> AbstractAsyncContextManager[SqlMemoryUnitOfWork]:
        return self._transaction()

    def snapshot(self) -> AbstractAsyncContextManager[SqlMemoryUnitOfWork]:
        return self._snapshot()


def _visible(scope: TenantScope) -> sa.ColumnElement[bool]:
    return databases.c.space_id.in_(scope.space_ids) & databases.c.deleted_at.is_(None)


def _refuse_foreign(scope: TenantScope, table: DatabaseTable) -> None:
    if table.space_id not in scope.space_ids:
        raise DatabaseNotFound(f"No database {table.id}.", database_id=table.id)


def _insert(connection: AsyncConnection, table: sa.Table) -> Any:
    return upsert(connection.dialect.name, table)


def _to_job(row: Any) -> ImportJob:
    return ImportJob(
        id=ImportId(row.id),
        space_id=SpaceId(row.space_id),
        database_id=DatabaseId(row.database_id),
        side=Side(row.side),
        file_id=FileId(row.file_id),
        file_name=row.file_name,
        sheet=row.sheet,
        header_line=row.header_line,
        end_user_id=row.end_user_id,
        connector_id=row.connector_id,
        creator_id=UserId(row.creator_id),
        status=ImportStatus(row.status),
        total=row.total,
        rows=row.rows,
        problem=row.problem,
        created_at=row.created_at,
        updated_at=row.updated_at,
    )


def _to_table(row: Any) -> DatabaseTable:
    return DatabaseTable(
        id=DatabaseId(row.id),
        space_id=SpaceId(row.space_id),
        creator_id=UserId(row.creator_id),
        name=row.name,
        description=row.description,
        icon_file_id=None if row.icon_file_id is None else FileId(row.icon_file_id),
        app_id=row.app_id,
        row_mode=RowMode(row.row_mode),
        is_prompt_disabled=row.is_prompt_disabled,
        fields=row.fields,
        next_field=row.next_field,
        next_column=row.next_column,
        created_at=row.created_at,
        updated_at=row.updated_at,
        deleted_at=row.deleted_at,
        revision=row.revision,
    )
