"""Apps and their versions in SQL tables."""

from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from domain.app.entity import App, AppVersion
from domain.app.error import AppNotFound, AppVersionNotFound
from domain.app.repository import AppQuery
from domain.app.value import AppId
from domain.shared.access import TenantScope
from domain.shared.ids import SpaceId
from infra.impl.repository.sql.app_table import apps, to_app, to_row, to_version, versions, visible
from infra.impl.repository.sql.database import Database, SqlUnitOfWork

_LABEL_CHARS: Final = 24


class SqlAppRepository:
    """Apps that are not deleted."""

    def __init__(self, uow: "SqlAppUnitOfWork") -> None:
        self._uow = uow
        self._connection = uow.connection

    async def get(self, scope: TenantScope, app_id: AppId) -> App:
        query = sa.select(apps).where(visible(scope), apps.c.id == app_id)
        row = (await self._connection.execute(query)).one_or_none()
        if row is None:
            raise _not_found(app_id)
        return to_app(row)

    async def search(self, scope: TenantScope, query: AppQuery) -> tuple[Sequence[App], int]:
        wanted = [visible(scope)]
        if query.is_published is not None:
            is_published = apps.c.latest_version != ""
            wanted.append(is_published if query.is_published else ~is_published)
        if query.connector_id is not None:
            wanted.append(_names(apps.c.connector_ids, query.connector_id))
        if query.text:
            wanted.append(sa.func.lower(apps.c.name).contains(query.text.lower(), autoescape=True))
        count = sa.select(sa.func.count()).select_from(apps).where(*wanted)
        total = (await self._connection.execute(count)).scalar_one()
        page = (
            sa.select(apps)
            .where(*wanted)
            .order_by(apps.c.updated_at.desc(), apps.c.id.desc())
            .limit(query.limit)
            .offset(query.offset)
        )
        return [to_app(row) for row in await self._connection.execute(page)], total

    async def save(self, scope: TenantScope, app: App) -> None:
        _refuse_foreign(scope, app.space_id, app.id)
        await self._uow.save(apps, app, to_row(app))


class SqlAppVersionRepository:
    """Immutable versions."""

    def __init__(self, connection: AsyncConnection) -> None:
        self._connection = connection

    async def add(self, scope: TenantScope, version: AppVersion) -> None:
        _refuse_foreign(scope, version.space_id, version.app_id)
        await self._connection.execute(
            sa.insert(versions).values(
                id=version.id,
                space_id=version.space_id,
                app_id=version.app_id,
                label=version.label,
                note=version.note,
                creator_id=version.creator_id,
                connector_ids=version.connector_ids,
                name=version.name,
                description=version.description,
                icon_file_id=version.icon_file_id,
                content=version.content,
                created_at=version.created_at,
            )
        )

    async def get(self, scope: TenantScope, app_id: AppId, label: str) -> AppVersion:
        query = _of_app(scope, app_id).where(versions.c.label == label[:_LABEL_CHARS])
        row = (await self._connection.execute(query)).one_or_none()
        if row is None:
            raise AppVersionNotFound(f"The app {app_id} has no such version.", app_id=app_id)
        return to_version(row)

    async def page(
        self, scope: TenantScope, app_id: AppId, *, offset: int, limit: int
    ) -> tuple[Sequence[AppVersion], int]:
        found = _of_app(scope, app_id)
        count = sa.select(sa.func.count()).select_from(found.subquery())
        total = (await self._connection.execute(count)).scalar_one()
        page = found.order_by(versions.c.id.desc()).limit(limit).offset(offset)
        return [to_version(row) for row in await self._connection.execute(page)], total


class SqlAppUnitOfWork(SqlUnitOfWork):
    """The app context's repositories on one connection."""

    @property
    def apps(self) -> SqlAppRepository:
        return SqlAppRepository(self)

    @property
    def versions(self) -> SqlAppVersionRepository:
        return SqlAppVersionRepository(self.connection)


class SqlAppStore:
    """Opens transactions of the app context."""

    def __init__(self, database: Database) -> None:
        self._transaction: Callable[[], AbstractAsyncContextManager[SqlAppUnitOfWork]] = (
            database.transaction(SqlAppUnitOfWork)
        )
        self._snapshot: Callable[[], AbstractAsyncContextManager[SqlAppUnitOfWork]] = (
            database.snapshot(SqlAppUnitOfWork)
        )

    def transaction(self) -> AbstractAsyncContextManager[SqlAppUnitOfWork]:
        return self._transaction()

    def snapshot(self) -> AbstractAsyncContextManager[SqlAppUnitOfWork]:
        return self._snapshot()


def _of_app(scope: TenantScope, app_id: AppId) -> sa.Select[Any]:
    return (
        sa.select(versions)
        .join(apps, apps.c.id == versions.c.app_id)
        .where(visible(scope), versions.c.app_id == app_id)
    )


def _names(column: sa.Column[Any], number: int) -> sa.ColumnElement[bool]:
    """Tell whether a short JSON list of numbers holds one."""
    text = sa.type_coerce(column, sa.Text)
    padded = sa.func.replace(sa.func.replace(text, "[", ","), "]", ",")
    return padded.contains(f",{number},")


def _refuse_foreign(scope: TenantScope, space_id: SpaceId, app_id: AppId) -> None:
    if space_id not in scope.space_ids:
        raise _not_found(app_id)


def _not_found(app_id: AppId) -> AppNotFound:
    return AppNotFound(f"No app {app_id}.", app_id=app_id)
