"""Plugins, their tools, versions and grants in SQL tables."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Any, Final

import msgspec
import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from domain.plugin.entity import FrozenTool, Plugin, PluginVersion, Tool
from domain.plugin.error import PluginNotFound, PluginNotPublished, PluginToolNotFound
from domain.plugin.grant import Grant, PendingGrant
from domain.plugin.repository import PluginQuery
from domain.plugin.value import LastCall, PluginId, ToolId
from domain.shared.access import TenantScope
from domain.shared.ids import SpaceId, UserId
from infra.contract.security.secret_box import SecretBox, SecretUnreadable
from infra.impl.repository.sql.agent.table import agents
from infra.impl.repository.sql.agent.table import visible as agents_in
from infra.impl.repository.sql.engine.database import Database, SqlStore
from infra.impl.repository.sql.engine.unit_of_work import SqlUnitOfWork
from infra.impl.repository.sql.mapping.tenant_rows import TenantRows, listed
from infra.impl.repository.sql.mapping.upsert import upsert
from infra.impl.repository.sql.plugin.table import (
    GRANTS,
    LABEL_CHARS,
    PLUGINS,
    TOOLS,
    VERSION_TOOLS,
    VERSIONS,
    grants,
    hosts,
    pending,
    pending_row,
    plugins,
    sealed_secrets,
    sealed_tokens,
    to_grant,
    to_pending,
    to_plugin,
    tools,
    version_tools,
    versions,
    visible,
)


class _Binding(msgspec.Struct, frozen=True):
    plugin_id: PluginId


class _Bound(msgspec.Struct, frozen=True):
    """What is read of an agent's settings: the plugins that it is bound to."""

    plugins: tuple[_Binding, ...] = ()


_BOUND: Final = msgspec.json.Decoder(_Bound)


class SqlPluginRepository:
    """Plugins that are not deleted."""

    def __init__(self, uow: SqlUnitOfWork, box: SecretBox) -> None:
        self._connection = uow.connection
        self._box = box
        self._rows = TenantRows(
            uow, PLUGINS, missing=_not_found, read=lambda row: to_plugin(row, box)
        )

    async def get(self, scope: TenantScope, plugin_id: PluginId) -> Plugin:
        return await self._rows.get(scope, plugin_id)

    async def search(self, scope: TenantScope, query: PluginQuery) -> tuple[Sequence[Plugin], int]:
        wanted = listed(plugins, scope)
        if query.text:
            wanted.append(plugins.c.name.icontains(query.text, autoescape=True))
        if query.app_id is not None:
            wanted.append(plugins.c.app_id == query.app_id)
        if query.is_published is not None:
            wanted.append((plugins.c.latest_version != "") == query.is_published)
        return await self._rows.page(
            scope,
            *wanted,
            beyond=None if query.after_id is None else plugins.c.id < query.after_id,
            order=[plugins.c.id.desc()],
            limit=query.limit,
        )

    async def count_tools(
        self, scope: TenantScope, plugin_ids: Collection[PluginId]
    ) -> dict[PluginId, int]:
        query = (
            sa.select(tools.c.plugin_id, sa.func.count())
            .where(tools.c.space_id.in_(scope.space_ids), tools.c.plugin_id.in_(plugin_ids))
            .group_by(tools.c.plugin_id)
        )
        return {PluginId(id_): n for id_, n in await self._connection.execute(query)}

    async def count_agents(
        self, scope: TenantScope, plugin_ids: Collection[PluginId]
    ) -> dict[PluginId, int]:
        # Quotes inside of texts are escaped, so these are bindings and no word about them.
        config = sa.type_coerce(agents.c.config, sa.Text)
        query = sa.select(config).where(
            agents_in(scope),
            *listed(agents, scope),
            config.contains('"plugins":[{', autoescape=True),
        )
        found: Counter[PluginId] = Counter()
        for text in await self._connection.scalars(query):
            found.update({each.plugin_id for each in _BOUND.decode(text).plugins})
        return {id_: found[id_] for id_ in plugin_ids}

    async def record_calls(self, scope: TenantScope, calls: Mapping[PluginId, LastCall]) -> None:
        for plugin_id, call in calls.items():
            is_later = plugins.c.last_used_at.is_(None) | (plugins.c.last_used_at <= call.at)
            await self._connection.execute(
                sa.update(plugins)
                .where(plugins.c.id == plugin_id, plugins.c.space_id.in_(scope.space_ids), is_later)
                .values(last_call=call, last_used_at=call.at)
            )

    async def save(self, scope: TenantScope, plugin: Plugin) -> None:
        await self._rows.save(scope, plugin, **sealed_secrets(plugin, self._box))


class SqlToolRepository:
    """Tools of drafts."""

    def __init__(self, uow: SqlUnitOfWork) -> None:
        self._rows = TenantRows(
            uow,
            TOOLS,
            missing=_no_tool,
            visible=visible,
            parent=(plugins, plugins.c.id == tools.c.plugin_id),
        )
        self._own = TenantRows(uow, TOOLS, missing=_no_tool)

    async def get(self, scope: TenantScope, plugin_id: PluginId, tool_id: ToolId) -> Tool:
        found = await self._rows.find(scope, tools.c.plugin_id == plugin_id, tools.c.id == tool_id)
        if found is None:
            raise PluginToolNotFound(f"No tool {tool_id} of plugin {plugin_id}.", tool_id=tool_id)
        return found

    async def of_plugin(self, scope: TenantScope, plugin_id: PluginId) -> Sequence[Tool]:
        return await self._rows.all(scope, tools.c.plugin_id == plugin_id, order=[tools.c.id])

    async def save(self, scope: TenantScope, tool: Tool) -> None:
        _refuse_foreign(scope, tool.space_id, tool.plugin_id)
        await self._rows.save(scope, tool)

    async def remove(self, scope: TenantScope, tool: Tool) -> None:
        _refuse_foreign(scope, tool.space_id, tool.plugin_id)
        await self._own.delete(scope, tools.c.id == tool.id)


class SqlPluginVersionRepository:
    """Immutable versions."""

    def __init__(self, uow: SqlUnitOfWork) -> None:
        self._plugins = TenantRows(uow, PLUGINS, missing=_not_found)
        self._tools = TenantRows(uow, VERSION_TOOLS, missing=_no_tool)
        self._rows = TenantRows(
            uow,
            VERSIONS,
            missing=_not_found,
            visible=visible,
            parent=(plugins, plugins.c.id == versions.c.plugin_id),
        )

    async def add(
        self, scope: TenantScope, version: PluginVersion, frozen: Sequence[FrozenTool]
    ) -> None:
        await self._rows.add(scope, version)
        await self._tools.add(scope, *frozen, space_id=version.space_id, version_id=version.id)

    async def get(self, scope: TenantScope, plugin_id: PluginId, label: str) -> PluginVersion:
        found = await self._rows.find(
            scope,
            versions.c.plugin_id == plugin_id,
            versions.c.label == (label[:LABEL_CHARS] or plugins.c.latest_version),
        )
        if found is None:
            await self._plugins.require(scope, plugin_id)
            missing = f"no version {label[:LABEL_CHARS]}" if label else "no published version"
            raise PluginNotPublished(f"The plugin {plugin_id} has {missing}.")
        return found

    async def tool(self, scope: TenantScope, version: PluginVersion, tool_id: ToolId) -> FrozenTool:
        found = await self._tools.find(
            scope, version_tools.c.version_id == version.id, version_tools.c.tool_id == tool_id
        )
        if found is None:
            raise PluginToolNotFound(
                f"No tool {tool_id} in version {version.label} of plugin {version.plugin_id}."
            )
        return found

    async def tools(self, scope: TenantScope, version: PluginVersion) -> Sequence[FrozenTool]:
        return await self._tools.all(
            scope,
            version_tools.c.version_id == version.id,
            order=[version_tools.c.tool_id],
        )

    async def page(
        self, scope: TenantScope, plugin_id: PluginId, *, offset: int, limit: int
    ) -> tuple[Sequence[PluginVersion], int]:
        newest = [versions.c.id.desc()]
        return await self._rows.page(
            scope, versions.c.plugin_id == plugin_id, order=newest, limit=limit, offset=offset
        )


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
        await self._uow.save(grants, grant, GRANTS.row(grant) | sealed_tokens(grant, self._box))

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
        return SqlPluginVersionRepository(self)

    @property
    def grants(self) -> SqlGrantRepository:
        return SqlGrantRepository(self, self._box)

    @property
    def pending(self) -> SqlPendingGrantRepository:
        return SqlPendingGrantRepository(self.connection, self._box)

    @property
    def hosts(self) -> SqlHostRepository:
        return SqlHostRepository(self.connection)


class SqlPluginStore(SqlStore[SqlPluginUnitOfWork]):
    """Opens transactions on plugins; ``box`` seals their credentials."""

    def __init__(self, database: Database, box: SecretBox) -> None:
        super().__init__(database, partial(SqlPluginUnitOfWork, box=box))


def _refuse_foreign(scope: TenantScope, space_id: SpaceId, plugin_id: int) -> None:
    if space_id not in scope.space_ids:
        raise _not_found(plugin_id)


def _not_found(plugin_id: int) -> PluginNotFound:
    return PluginNotFound(f"No plugin {plugin_id}.", plugin_id=plugin_id)


def _no_tool(tool_id: int) -> PluginToolNotFound:
    return PluginToolNotFound(f"No tool {tool_id}.", tool_id=tool_id)
