"""Plugins, their tools, versions and grants in SQL tables."""

from collections.abc import Callable, Collection, Sequence
from contextlib import AbstractAsyncContextManager
from datetime import datetime
from functools import partial
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from domain.plugin.entity import FrozenTool, Plugin, PluginVersion, Tool
from domain.plugin.error import PluginNotFound, PluginNotPublished, PluginToolNotFound
from domain.plugin.grant import Grant, PendingGrant
from domain.plugin.repository import PluginQuery
from domain.plugin.value import PluginId, ToolId
from domain.shared.access import TenantScope
from domain.shared.ids import SpaceId, UserId
from infra.contract.secret_box import SecretBox, SecretUnreadable
from infra.impl.repository.sql.database import Database, SqlUnitOfWork
from infra.impl.repository.sql.plugin_table import (
    grant_row,
    grants,
    hosts,
    pending,
    pending_row,
    plugin_row,
    plugins,
    to_frozen,
    to_grant,
    to_pending,
    to_plugin,
    to_tool,
    to_version,
    tool_row,
    tools,
    version_tools,
    versions,
    visible,
)
from infra.impl.repository.sql.upsert import upsert

_LABEL_CHARS: Final = 24


class SqlPluginRepository:
    """Plugins that are not deleted."""

    def __init__(self, uow: SqlUnitOfWork, box: SecretBox) -> None:
        self._uow = uow
        self._box = box

    async def get(self, scope: TenantScope, plugin_id: PluginId) -> Plugin:
        query = sa.select(plugins).where(visible(scope), plugins.c.id == plugin_id)
        row = (await self._uow.connection.execute(query)).one_or_none()
        if row is None:
            raise _not_found(plugin_id)
        return to_plugin(row, self._box)

    async def search(self, scope: TenantScope, query: PluginQuery) -> tuple[Sequence[Plugin], int]:
        wanted = visible(scope)
        if query.text:
            wanted &= plugins.c.name.icontains(query.text, autoescape=True)
        if query.app_id is not None:
            wanted &= plugins.c.app_id == query.app_id
        if query.is_published is not None:
            wanted &= (plugins.c.latest_version != "") == query.is_published
        count = sa.select(sa.func.count()).select_from(plugins).where(wanted)
        total = (await self._uow.connection.execute(count)).scalar_one()
        page = sa.select(plugins).where(wanted).order_by(plugins.c.id.desc()).limit(query.limit)
        if query.after_id is not None:
            page = page.where(plugins.c.id < query.after_id)
        found = await self._uow.connection.execute(page)
        return [to_plugin(row, self._box) for row in found], total

    async def count_tools(
        self, scope: TenantScope, plugin_ids: Collection[PluginId]
    ) -> dict[PluginId, int]:
        query = (
            sa.select(tools.c.plugin_id, sa.func.count())
            .where(tools.c.space_id.in_(scope.space_ids), tools.c.plugin_id.in_(plugin_ids))
            .group_by(tools.c.plugin_id)
        )
        return {PluginId(id_): n for id_, n in await self._uow.connection.execute(query)}

    async def save(self, scope: TenantScope, plugin: Plugin) -> None:
        _refuse_foreign(scope, plugin.space_id, plugin.id)
        await self._uow.save(plugins, plugin, plugin_row(plugin, self._box))


class SqlToolRepository:
    """Tools of drafts."""

    def __init__(self, uow: SqlUnitOfWork) -> None:
        self._uow = uow

    async def get(self, scope: TenantScope, plugin_id: PluginId, tool_id: ToolId) -> Tool:
        query = _tools(scope, plugin_id).where(tools.c.id == tool_id)
        row = (await self._uow.connection.execute(query)).one_or_none()
        if row is None:
            raise PluginToolNotFound(f"No tool {tool_id} of plugin {plugin_id}.", tool_id=tool_id)
        return to_tool(row)

    async def of_plugin(self, scope: TenantScope, plugin_id: PluginId) -> Sequence[Tool]:
        query = _tools(scope, plugin_id).order_by(tools.c.id)
        return [to_tool(row) for row in await self._uow.connection.execute(query)]

    async def save(self, scope: TenantScope, tool: Tool) -> None:
        _refuse_foreign(scope, tool.space_id, tool.plugin_id)
        await self._uow.save(tools, tool, tool_row(tool))

    async def remove(self, scope: TenantScope, tool: Tool) -> None:
        _refuse_foreign(scope, tool.space_id, tool.plugin_id)
        await self._uow.connection.execute(sa.delete(tools).where(tools.c.id == tool.id))


class SqlPluginVersionRepository:
    """Immutable versions."""

    def __init__(self, connection: AsyncConnection) -> None:
        self._connection = connection

    async def add(
        self, scope: TenantScope, version: PluginVersion, frozen: Sequence[FrozenTool]
    ) -> None:
        _refuse_foreign(scope, version.space_id, version.plugin_id)
        await self._connection.execute(
            sa.insert(versions).values(
                id=version.id,
                space_id=version.space_id,
                plugin_id=version.plugin_id,
                label=version.label,
                note=version.note,
                creator_id=version.creator_id,
                manifest=version.manifest,
                tool_count=version.tool_count,
                created_at=version.created_at,
            )
        )
        rows = [
            {
                "version_id": version.id,
                "tool_id": each.id,
                "space_id": version.space_id,
                "definition": each.definition,
            }
            for each in frozen
        ]
        if rows:
            await self._connection.execute(sa.insert(version_tools), rows)

    async def get(self, scope: TenantScope, plugin_id: PluginId, label: str) -> PluginVersion:
        wanted = versions.c.label == (label[:_LABEL_CHARS] or plugins.c.latest_version)
        row = (await self._connection.execute(_versions(scope, plugin_id).where(wanted))).first()
        if row is None:
            known = sa.select(plugins.c.id).where(visible(scope), plugins.c.id == plugin_id)
            if (await self._connection.execute(known)).first() is None:
                raise _not_found(plugin_id)
            missing = f"no version {label[:_LABEL_CHARS]}" if label else "no published version"
            raise PluginNotPublished(f"The plugin {plugin_id} has {missing}.")
        return to_version(row)

    async def tool(self, scope: TenantScope, version: PluginVersion, tool_id: ToolId) -> FrozenTool:
        query = _frozen(scope, version).where(version_tools.c.tool_id == tool_id)
        row = (await self._connection.execute(query)).one_or_none()
        if row is None:
            raise PluginToolNotFound(
                f"No tool {tool_id} in version {version.label} of plugin {version.plugin_id}."
            )
        return to_frozen(row)

    async def tools(self, scope: TenantScope, version: PluginVersion) -> Sequence[FrozenTool]:
        query = _frozen(scope, version).order_by(version_tools.c.tool_id)
        return [to_frozen(row) for row in await self._connection.execute(query)]

    async def page(
        self, scope: TenantScope, plugin_id: PluginId, *, offset: int, limit: int
    ) -> tuple[Sequence[PluginVersion], int]:
        found = _versions(scope, plugin_id)
        count = sa.select(sa.func.count()).select_from(found.subquery())
        total = (await self._connection.execute(count)).scalar_one()
        page = found.order_by(versions.c.id.desc()).limit(limit).offset(offset)
        return [to_version(row) for row in await self._connection.execute(page)], total


class SqlGrantRepository:
    """Access that users gave to plugins."""

    def __init__(self, uow: SqlUnitOfWork, box: SecretBox) -> None:
        self._uow = uow
        self._box = box

    async def find(self, scope: TenantScope, plugin_id: PluginId, holder: str) -> Grant | None:
        query = sa.select(grants).where(
            grants.c.space_id.in_(scope.space_ids),
            grants.c.plugin_id == plugin_id,
            grants.c.holder == holder,
        )
        row = (await self._uow.connection.execute(query)).one_or_none()
        return None if row is None else to_grant(row, self._box)

    async def save(self, scope: TenantScope, grant: Grant) -> None:
        _refuse_foreign(scope, grant.space_id, grant.plugin_id)
        older = (
            (grants.c.plugin_id == grant.plugin_id)
            & (grants.c.holder == grant.holder)
            & (grants.c.id != grant.id)
        )
        await self._uow.connection.execute(sa.delete(grants).where(older))
        await self._uow.save(grants, grant, grant_row(grant, self._box))

    async def remove(self, scope: TenantScope, grant: Grant) -> None:
        _refuse_foreign(scope, grant.space_id, grant.plugin_id)
        await self._uow.connection.execute(sa.delete(grants).where(grants.c.id == grant.id))
        self._uow.collect(*grant.pull_events())

    async def clear(self, scope: TenantScope, plugin_id: PluginId) -> None:
        for table in (grants, pending):
            await self._uow.connection.execute(
                sa.delete(table).where(
                    table.c.space_id.in_(scope.space_ids), table.c.plugin_id == plugin_id
                )
            )

    async def expect(self, scope: TenantScope, waiting: PendingGrant) -> None:
        _refuse_foreign(scope, waiting.space_id, waiting.plugin_id)
        row = pending_row(waiting, scope.principal_id, self._box)
        await self._uow.connection.execute(sa.insert(pending).values(**row))


class SqlPendingGrantRepository:
    """Users who come back from providers."""

    def __init__(self, connection: AsyncConnection, box: SecretBox) -> None:
        self._connection = connection
        self._box = box

    async def take(self, digest: str, now: datetime) -> tuple[PendingGrant, UserId] | None:
        await self._connection.execute(sa.delete(pending).where(pending.c.expires_at <= now))
        query = sa.delete(pending).where(pending.c.digest == digest).returning(*pending.c)
        row = (await self._connection.execute(query)).one_or_none()
        if row is None:
            return None
        try:
            return to_pending(row, self._box), UserId(row.user_id)
        except SecretUnreadable:
            return None


class SqlHostRepository:
    """Hosts that the plugins of a space may call."""

    def __init__(self, connection: AsyncConnection) -> None:
        self._connection = connection

    async def get(self, scope: TenantScope, space_id: SpaceId) -> tuple[str, ...]:
        query = sa.select(hosts.c.hosts).where(
            hosts.c.space_id.in_(scope.space_ids), hosts.c.space_id == space_id
        )
        return await self._connection.scalar(query) or ()

    async def put(
        self, scope: TenantScope, space_id: SpaceId, names: Sequence[str], now: datetime
    ) -> None:
        _refuse_foreign(scope, space_id, 0)
        values = {"hosts": tuple(names), "updated_at": now}
        insert = upsert(self._connection.dialect.name, hosts).values(space_id=space_id, **values)
        await self._connection.execute(
            insert.on_conflict_do_update(index_elements=["space_id"], set_=values)
        )


class SqlPluginUnitOfWork(SqlUnitOfWork):
    """The repositories of plugins on one connection."""

    def __init__(self, connection: AsyncConnection, *, box: SecretBox, **options: Any) -> None:
        super().__init__(connection, **options)
        self._box = box

    @property
    def plugins(self) -> SqlPluginRepository:
        return SqlPluginRepository(self, self._box)

    @property
    def tools(self) -> SqlToolRepository:
        return SqlToolRepository(self)

    @property
    def versions(self) -> SqlPluginVersionRepository:
        return SqlPluginVersionRepository(self.connection)

    @property
    def grants(self) -> SqlGrantRepository:
        return SqlGrantRepository(self, self._box)

    @property
    def pending(self) -> SqlPendingGrantRepository:
        return SqlPendingGrantRepository(self.connection, self._box)

    @property
    def hosts(self) -> SqlHostRepository:
        return SqlHostRepository(self.connection)


class SqlPluginStore:
    """Opens transactions on plugins; ``box`` seals their credentials."""

    def __init__(self, database: Database, box: SecretBox) -> None:
        kind = partial(SqlPluginUnitOfWork, box=box)
        self._transaction: Callable[[], AbstractAsyncContextManager[SqlPluginUnitOfWork]] = (
            database.transaction(kind)
        )
        self._snapshot: Callable[[], AbstractAsyncContextManager[SqlPluginUnitOfWork]] = (
            database.snapshot(kind)
        )

    def transaction(self) -> AbstractAsyncContextManager[SqlPluginUnitOfWork]:
        return self._transaction()

    def snapshot(self) -> AbstractAsyncContextManager[SqlPluginUnitOfWork]:
        return self._snapshot()


def _tools(scope: TenantScope, plugin_id: PluginId) -> sa.Select[Any]:
    return (
        sa.select(tools)
        .join(plugins, plugins.c.id == tools.c.plugin_id)
        .where(visible(scope), tools.c.plugin_id == plugin_id)
    )


def _versions(scope: TenantScope, plugin_id: PluginId) -> sa.Select[Any]:
    return (
        sa.select(versions)
        .join(plugins, plugins.c.id == versions.c.plugin_id)
        .where(visible(scope), versions.c.plugin_id == plugin_id)
    )


def _frozen(scope: TenantScope, version: PluginVersion) -> sa.Select[Any]:
    return sa.select(version_tools).where(
        version_tools.c.space_id.in_(scope.space_ids), version_tools.c.version_id == version.id
    )


def _refuse_foreign(scope: TenantScope, space_id: SpaceId, plugin_id: int) -> None:
    if space_id not in scope.space_ids:
        raise _not_found(plugin_id)


def _not_found(plugin_id: int) -> PluginNotFound:
    return PluginNotFound(f"No plugin {plugin_id}.", plugin_id=plugin_id)
