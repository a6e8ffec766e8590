"""Databases and imports in SQL, and the unit of work; rows are in the table store."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from domain.memory.database import DatabaseId, DatabaseTable, ImportId, ImportJob
from domain.memory.error import DatabaseNameTaken, DatabaseNotFound, ImportNotFound
from domain.privacy.value import Section
from domain.shared.access import TenantScope
from domain.shared.error import StaleRevision
from domain.shared.ids import AgentId
from infra.impl.repository.sql.engine.database import Database, SqlStore
from infra.impl.repository.sql.engine.unit_of_work import SqlUnitOfWork
from infra.impl.repository.sql.mapping.column import Instant, id_column, metadata
from infra.impl.repository.sql.mapping.personal import OF_THE_WORKSPACE, PERSONAL, PersonalTable
from infra.impl.repository.sql.mapping.row_mapper import RowMapper
from infra.impl.repository.sql.mapping.tenant_rows import TenantRows, listed
from infra.impl.repository.sql.mapping.upsert import upsert
from infra.impl.repository.sql.memory import recollection as recollected
from infra.impl.repository.sql.memory.variable import SqlEndUserRepository, SqlVariableRepository

DATABASES: Final = RowMapper(
    DatabaseTable,
    "memory_database",
    sa.Index(None, "space_id", "id"),
    sa.Index(None, "space_id", "live_name", unique=True),
    columns={"name": sa.String(100), "app_id": sa.BigInteger},
    extra=[sa.Column("live_name", sa.String(200))],
    # Deleted tables leave their name to others.
    derived={"live_name": lambda table: None if table.deleted_at else table.name.casefold()},
)
IMPORTS: Final = RowMapper(
    ImportJob,
    "memory_import",
    sa.Index(None, "database_id"),
    columns={"side": sa.String(8), "connector_id": sa.BigInteger},
)
databases: Final = DATABASES.table
imports: Final = IMPORTS.table
bindings: Final = sa.Table(
    "memory_database_binding",
    metadata,
    id_column("agent_id", primary_key=True),
    id_column("database_id", primary_key=True),
    id_column("space_id", nullable=False),
    sa.Column("created_at", Instant, nullable=False),
    sa.Index(None, "database_id"),
)
PERSONAL.add(
    PersonalTable(
        table=imports,
        section=Section.RECORDS,
        end_user=(imports.c.end_user_id,),
    )
)
PERSONAL.keep(OF_THE_WORKSPACE, databases)


class SqlDatabaseRepository:
    """Database tables that are not deleted."""

    def __init__(self, uow: SqlUnitOfWork) -> None:
        self._connection = uow.connection
        self._rows = TenantRows(uow, DATABASES, missing=_not_found)

    async def get(self, scope: TenantScope, database_id: DatabaseId) -> DatabaseTable:
        return await self._rows.get(scope, database_id)

    async def find(
        self, scope: TenantScope, database_ids: Collection[DatabaseId]
    ) -> Sequence[DatabaseTable]:
        return await self._rows.all(scope, databases.c.id.in_(database_ids), order=[databases.c.id])

    async def page(
        self, scope: TenantScope, *, text: str, after_id: DatabaseId | None, limit: int
    ) -> tuple[Sequence[DatabaseTable], int]:
        wanted = listed(databases, scope)
        if text:
            wanted.append(databases.c.name.icontains(text, autoescape=True))
        return await self._rows.page(
            scope,
            *wanted,
            beyond=None if after_id is None else databases.c.id < after_id,
            order=[databases.c.id.desc()],
            limit=limit,
        )

    async def of_agent(self, scope: TenantScope, agent_id: AgentId) -> Sequence[DatabaseTable]:
        bound = sa.select(bindings.c.database_id).where(bindings.c.agent_id == agent_id)
        return await self._rows.all(scope, databases.c.id.in_(bound), order=[databases.c.id])

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

    async def agents_of(
        self, scope: TenantScope, database_ids: Collection[DatabaseId]
    ) -> Mapping[DatabaseId, Sequence[AgentId]]:
        query = (
            sa.select(bindings.c.database_id, bindings.c.agent_id)
            .where(
                bindings.c.space_id.in_(scope.space_ids),
                bindings.c.database_id.in_(database_ids),
            )
            .order_by(bindings.c.agent_id)
        )
        agents: dict[DatabaseId, list[AgentId]] = {}
        for database_id, agent_id in await self._connection.execute(query):
            agents.setdefault(DatabaseId(database_id), []).append(AgentId(agent_id))
        return agents

    async def save(self, scope: TenantScope, table: DatabaseTable) -> None:
        _refuse_foreign(scope, table)
        query = sa.select(databases.c.id).where(
            databases.c.space_id == table.space_id,
            databases.c.live_name == table.name.casefold(),
            databases.c.id != table.id,
        )
        taken = DatabaseNameTaken(f"name: another table is called {table.name}.", field="name")
        if table.deleted_at is None and await self._connection.scalar(query) is not None:
            raise taken
        try:
            await self._rows.save(scope, table)
        except IntegrityError as exc:
            raise taken from exc
        except StaleRevision as exc:
            if isinstance(exc.__cause__, IntegrityError):  # a new table, whose id nobody has
                raise taken from exc
            raise


class SqlImportRepository:
    """Imports of files."""

    def __init__(self, uow: SqlUnitOfWork) -> None:
        self._uow = uow
        self._rows = TenantRows(uow, IMPORTS, missing=_no_import)

    async def put(self, scope: TenantScope, job: ImportJob) -> None:
        await self._rows.put(scope, job)
        self._uow.told(imports, id_=job.id, space_id=job.space_id, parent_id=job.database_id)

    async def get(
        self, scope: TenantScope, database_id: DatabaseId, import_id: ImportId
    ) -> ImportJob:
        found = await self._rows.find(
            scope, imports.c.database_id == database_id, imports.c.id == import_id
        )
        if found is None:
            raise _no_import(import_id)
        return found


class SqlMemoryUnitOfWork(SqlUnitOfWork):
    """The memory context's repositories on one connection."""

    @property
    def databases(self) -> SqlDatabaseRepository:
        return SqlDatabaseRepository(self)

    @property
    def imports(self) -> SqlImportRepository:
        return SqlImportRepository(self)

    @property
    def variables(self) -> SqlVariableRepository:
        return SqlVariableRepository(self.connection)

    @property
    def end_users(self) -> SqlEndUserRepository:
        return SqlEndUserRepository(self.connection)

    @property
    def recollections(self) -> recollected.SqlRecollectionRepository:
        return recollected.SqlRecollectionRepository(self.connection)

    @property
    def cleanup(self) -> recollected.SqlRecollectionCleanup:
        return recollected.SqlRecollectionCleanup(self.connection)


class SqlMemoryStore(SqlStore[SqlMemoryUnitOfWork]):
    """Opens transactions of the memory context."""

    def __init__(self, database: Database) -> None:
        super().__init__(database, SqlMemoryUnitOfWork)


def _refuse_foreign(scope: TenantScope, table: DatabaseTable) -> None:
    if table.space_id not in scope.space_ids:
        raise _not_found(table.id)


def _insert(connection: AsyncConnection, table: sa.Table) -> Any:
    return upsert(connection.dialect.name, table)


def _not_found(database_id: int) -> DatabaseNotFound:
    return DatabaseNotFound(f"No database {database_id}.", database_id=database_id)


def _no_import(import_id: int) -> ImportNotFound:
    return ImportNotFound(f"No import {import_id}.", import_id=import_id)
