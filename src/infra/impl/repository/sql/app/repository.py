"""Apps and their versions in SQL tables."""

from collections.abc import Sequence
from typing import Any, Final

import sqlalchemy as sa

from domain.app.entity import App, AppVersion
from domain.app.error import AppNotFound, AppVersionNotFound
from domain.app.repository import AppQuery
from domain.app.value import AppId
from domain.shared.access import TenantScope
from infra.impl.repository.sql.engine.database import Database, SqlStore
from infra.impl.repository.sql.engine.unit_of_work import SqlUnitOfWork
from infra.impl.repository.sql.mapping.personal import OF_THE_WORKSPACE, PERSONAL
from infra.impl.repository.sql.mapping.row_mapper import RowMapper
from infra.impl.repository.sql.mapping.tenant_rows import TenantRows, in_spaces, listed

LABEL_CHARS: Final = 24
_NAME: Final = sa.String(200)

APPS: Final = RowMapper(
    App,
    "app",
    sa.Index(None, "space_id", "updated_at"),
    columns={"name": _NAME, "latest_version": sa.String(LABEL_CHARS)},
)
VERSIONS: Final = RowMapper(
    AppVersion,
    "app_version",
    sa.Index(None, "app_id", "label", unique=True),
    columns={"name": _NAME, "label": sa.String(LABEL_CHARS)},
)
apps: Final = APPS.table
versions: Final = VERSIONS.table
visible: Final = in_spaces(apps)


PERSONAL.keep(OF_THE_WORKSPACE, apps, versions)


class SqlAppRepository:
    """Apps that are not deleted."""

    def __init__(self, uow: SqlUnitOfWork) -> None:
        self._rows = TenantRows(uow, APPS, missing=_not_found)

    async def get(self, scope: TenantScope, app_id: AppId) -> App:
        return await self._rows.get(scope, app_id)

    async def search(self, scope: TenantScope, query: AppQuery) -> tuple[Sequence[App], int]:
        wanted = listed(apps, scope)
        if query.is_published is not None:
            is_published = apps.c.latest_version != ""
            wanted.append(is_published if query.is_published else ~is_published)
        if query.connector_id is not None:
            wanted.append(_names(apps.c.connector_ids, query.connector_id))
        if query.text:
            wanted.append(sa.func.lower(apps.c.name).contains(query.text.lower(), autoescape=True))
        return await self._rows.page(
            scope,
            *wanted,
            order=[apps.c.updated_at.desc(), apps.c.id.desc()],
            limit=query.limit,
            offset=query.offset,
        )

    async def save(self, scope: TenantScope, app: App) -> None:
        await self._rows.save(scope, app)


class SqlAppVersionRepository:
    """Immutable versions."""

    def __init__(self, uow: SqlUnitOfWork) -> None:
        self._rows = TenantRows(
            uow,
            VERSIONS,
            missing=_not_found,
            visible=visible,
            parent=(apps, apps.c.id == versions.c.app_id),
        )

    async def add(self, scope: TenantScope, version: AppVersion) -> None:
        await self._rows.add(scope, version)

    async def get(self, scope: TenantScope, app_id: AppId, label: str) -> AppVersion:
        found = await self._rows.find(
            scope, versions.c.app_id == app_id, versions.c.label == label[:LABEL_CHARS]
        )
        if found is None:
            raise AppVersionNotFound(f"The app {app_id} has no such version.", app_id=app_id)
        return found

    async def page(
        self, scope: TenantScope, app_id: AppId, *, offset: int, limit: int
    ) -> tuple[Sequence[AppVersion], int]:
        newest = [versions.c.id.desc()]
        return await self._rows.page(
            scope, versions.c.app_id == app_id, order=newest, limit=limit, offset=offset
        )


class SqlAppUnitOfWork(SqlUnitOfWork):
    """The app context's repositories on one connection."""

    @property
    def apps(self) -> SqlAppRepository:
        return SqlAppRepository(self)

    @property
    def versions(self) -> SqlAppVersionRepository:
        return SqlAppVersionRepository(self)


class SqlAppStore(SqlStore[SqlAppUnitOfWork]):
    """Opens transactions of the app context."""

    def __init__(self, database: Database) -> None:
        super().__init__(database, SqlAppUnitOfWork)


def _names(column: sa.Column[Any], number: int) -> sa.ColumnElement[bool]:
    """Tell whether a short JSON list of numbers holds one."""
    text = sa.type_coerce(column, sa.Text)
    padded = sa.func.replace(sa.func.replace(text, "[", ","), "]", ",")
    return padded.contains(f",{number},")


def _not_found(app_id: int) -> AppNotFound:
    return AppNotFound(f"No app {app_id}.", app_id=app_id)
