"""Files and idempotency keys of uploads in SQL."""

from collections.abc import Collection, Sequence
from datetime import datetime
from functools import cached_property, partial
from typing import Any

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from domain.file.entity import File, FileStatus
from domain.file.error import FileNotFound
from domain.file.value import FileQuery
from domain.shared.access import TenantScope
from domain.shared.ids import FileId, SpaceId
from infra.contract.clock import Clock
from infra.contract.storage.object_store import ObjectKey
from infra.impl.repository.sql.engine.database import Database, SqlStore
from infra.impl.repository.sql.engine.unit_of_work import SqlUnitOfWork
from infra.impl.repository.sql.file.table import FILES, files, upload_keys
from infra.impl.repository.sql.mapping.tenant_rows import TenantRows
from infra.impl.repository.sql.mapping.upsert import upsert
from infra.impl.repository.sql.request_key import stored_key
from infra.impl.repository.sql.usage import SqlUsageCounter


class SqlFileRepository:
    """Files of tenants."""

    def __init__(self, uow: SqlUnitOfWork, clock: Clock) -> None:
        self._uow = uow
        self._rows = TenantRows(uow, FILES, missing=_not_found, visible=partial(_ready, clock))

    async def get(self, scope: TenantScope, file_id: FileId) -> File:
        return await self._rows.get(scope, file_id)

    async def get_by_key(self, scope: TenantScope, key: ObjectKey) -> File:
        found = await self._rows.find(scope, files.c.object_key == key.value)
        if found is None:
            raise FileNotFound("No file has this object key.")
        return found

    async def get_many(self, scope: TenantScope, file_ids: Sequence[FileId]) -> dict[FileId, File]:
        found = await self._rows.by_ids(scope, file_ids)
        return {file.id: file for file in found}

    async def of_creator(
        self, scope: TenantScope, space_id: SpaceId, query: FileQuery
    ) -> list[File]:
        wanted = [files.c.space_id == space_id, files.c.creator_id == scope.principal_id]
        if query.purposes is not None:
            wanted.append(files.c.purpose.in_(query.purposes))
        if query.after is not None:
            is_beyond = files.c.id < query.after if query.descending else files.c.id > query.after
            wanted.append(is_beyond)
        order = files.c.id.desc() if query.descending else files.c.id.asc()
        return list(await self._rows.all(scope, *wanted, order=[order], limit=query.limit))

    async def save(self, scope: TenantScope, file: File) -> None:
        await self._rows.save(scope, file)

    async def remove(self, scope: TenantScope, file_id: FileId) -> None:
        await self._uow.connection.execute(
            sa.delete(files).where(
                files.c.id == file_id,
                files.c.space_id.in_(scope.space_ids),
                files.c.status == FileStatus.UPLOADING,
            )
        )


class SqlUploadKeyRepository:
    """Idempotency keys; the primary key decides between uploads that race."""

    def __init__(self, connection: AsyncConnection) -> None:
        self._connection = connection

    async def claim(
        self, scope: TenantScope, key: str, file_id: FileId, *, now: datetime, since: datetime
    ) -> FileId:
        key = stored_key(scope, key)
        insert = upsert(self._connection.dialect.name, upload_keys).values(
            principal_id=scope.principal_id, key=key, file_id=file_id, created_at=now
        )
        fresh = insert.excluded
        await self._connection.execute(
            insert.on_conflict_do_update(
                index_elements=[upload_keys.c.principal_id, upload_keys.c.key],
                set_={"file_id": fresh.file_id, "created_at": fresh.created_at},
                where=upload_keys.c.created_at < since,
            )
        )
        owner = await self._connection.scalar(
            sa.select(upload_keys.c.file_id).where(
                upload_keys.c.principal_id == scope.principal_id, upload_keys.c.key == key
            )
        )
        return file_id if owner is None else FileId(owner)


class SqlFileJanitor:
    """Files of all spaces, for system jobs."""

    def __init__(self, connection: AsyncConnection) -> None:
        self._connection = connection

    async def find_dead(
        self,
        *,
        deleted_before: datetime,
        begun_before: datetime,
        limit: int,
        but: Collection[SpaceId] = (),
    ) -> list[File]:
        is_deleted = (files.c.status == FileStatus.DELETED) & (files.c.deleted_at < deleted_before)
        is_abandoned = (files.c.status == FileStatus.UPLOADING) & (
            files.c.created_at < begun_before
        )
        query = (
            sa.select(files)
            .where(is_deleted | is_abandoned)
            .order_by(files.c.created_at)
            .limit(limit)
        )
        if but:
            query = query.where(files.c.space_id.not_in(but))
        return [FILES.read(row) for row in await self._connection.execute(query)]

    async def find_expired(self, *, now: datetime, limit: int) -> list[File]:
        query = (
            sa.select(files)
            .where(files.c.status == FileStatus.READY, files.c.expires_at <= now)
            .order_by(files.c.expires_at)
            .limit(limit)
        )
        return [FILES.read(row) for row in await self._connection.execute(query)]

    async def forget(self, file: File) -> None:
        await self._connection.execute(
            sa.delete(files).where(files.c.id == file.id, files.c.revision == file.revision)
        )

    async def forget_upload_keys(self, *, before: datetime) -> None:
        await self._connection.execute(
            sa.delete(upload_keys).where(upload_keys.c.created_at < before)
        )


class SqlFileUnitOfWork(SqlUnitOfWork):
    """One transaction on files; the clock tells which of them have expired."""

    def __init__(self, connection: AsyncConnection, *, clock: Clock, **options: Any) -> None:
        super().__init__(connection, **options)
        self._clock = clock

    @cached_property
    def files(self) -> SqlFileRepository:
        return SqlFileRepository(self, self._clock)

    @cached_property
    def upload_keys(self) -> SqlUploadKeyRepository:
        return SqlUploadKeyRepository(self.connection)

    @cached_property
    def janitor(self) -> SqlFileJanitor:
        return SqlFileJanitor(self.connection)

    @cached_property
    def usage(self) -> SqlUsageCounter:
        return SqlUsageCounter(self.connection)


class SqlFileStore(SqlStore[SqlFileUnitOfWork]):
    """Opens transactions on files."""

    def __init__(self, database: Database, clock: Clock) -> None:
        super().__init__(database, partial(SqlFileUnitOfWork, clock=clock))


def _ready(clock: Clock, scope: TenantScope) -> sa.ColumnElement[bool]:
    lasts = files.c.expires_at.is_(None) | (files.c.expires_at > clock.now())
    wanted = files.c.space_id.in_(scope.space_ids) & (files.c.status == FileStatus.READY) & lasts
    return wanted & (files.c.end_user_id == scope.end_user_id) if scope.end_user_id else wanted


def _not_found(file_id: int) -> FileNotFound:
    return FileNotFound(f"No file {file_id}.", file_id=file_id)
