"""What plugins need from a store; implemented in ``infra.impl.repository``."""

from collections.abc import Collection, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from domain.plugin.entity import FrozenTool, Plugin, PluginVersion, Tool
from domain.plugin.grant import Grant, PendingGrant
from domain.plugin.value import LastCall, PluginId, ToolId
from domain.shared.access import TenantScope
from domain.shared.aggregate import DomainEvent
from domain.shared.ids import SpaceId, UserId


@dataclass(frozen=True, slots=True, kw_only=True)
class PluginQuery:
    """A page of plugins, newest first, after ``after_id``; ``text`` is part of the name."""

    limit: int
    after_id: PluginId | None = None
    text: str = ""
    app_id: int | None = None
    is_published: bool | None = None


class PluginRepository(Protocol):
    """Plugins that are not deleted."""

    async def get(self, scope: TenantScope, plugin_id: PluginId) -> Plugin:
        """Return the plugin with its credentials; raise ``PluginNotFound``."""
        ...

    async def search(self, scope: TenantScope, query: PluginQuery) -> tuple[Sequence[Plugin], int]:
        """Return one page and the number of all matches."""
        ...

    async def count_tools(
        self, scope: TenantScope, plugin_ids: Collection[PluginId]
    ) -> dict[PluginId, int]:
        """Count the tools in the drafts."""
        ...

    async def count_agents(
        self, scope: TenantScope, plugin_ids: Collection[PluginId]
    ) -> dict[PluginId, int]:
        """Count the agents of the scope whose drafts are bound to each."""
        ...

    async def record_calls(self, scope: TenantScope, calls: Mapping[PluginId, LastCall]) -> None:
        """Write how the newest calls went, where no newer one is known; revisions stay."""
        ...

    async def save(self, scope: TenantScope, plugin: Plugin) -> None:
        """Insert or update; raise ``StaleRevision``, or ``PluginNotFound`` for a foreign space."""
        ...


class ToolRepository(Protocol):
    """Tools of drafts, of plugins that are not deleted."""

    async def get(self, scope: TenantScope, plugin_id: PluginId, tool_id: ToolId) -> Tool:
        """Return the tool; raise ``PluginToolNotFound``."""
        ...

    async def of_plugin(self, scope: TenantScope, plugin_id: PluginId) -> Sequence[Tool]:
        """Return all, oldest first."""
        ...

    async def save(self, scope: TenantScope, tool: Tool) -> None:
        """Insert or update; raise ``StaleRevision``."""
        ...

    async def remove(self, scope: TenantScope, tool: Tool) -> None: ...


class PluginVersionRepository(Protocol):
    """Immutable versions, of plugins that are not deleted."""

    async def add(
        self, scope: TenantScope, version: PluginVersion, tools: Sequence[FrozenTool]
    ) -> None: ...

    async def get(self, scope: TenantScope, plugin_id: PluginId, label: str) -> PluginVersion:
        """Return the version, the newest for an empty label; raise ``PluginNotPublished``."""
        ...

    async def tool(self, scope: TenantScope, version: PluginVersion, tool_id: ToolId) -> FrozenTool:
        """Return one tool of a version; raise ``PluginToolNotFound``."""
        ...

    async def tools(self, scope: TenantScope, version: PluginVersion) -> Sequence[FrozenTool]:
        """Return all tools of a version, oldest first."""
        ...

    async def page(
        self, scope: TenantScope, plugin_id: PluginId, *, offset: int, limit: int
    ) -> tuple[Sequence[PluginVersion], int]:
        """Newest first, with the number of all."""
        ...


class GrantRepository(Protocol):
    """Access that users gave to plugins."""

    async def find(self, scope: TenantScope, plugin_id: PluginId, holder: str) -> Grant | None: ...

    async def save(self, scope: TenantScope, grant: Grant) -> None:
        """Insert or update; an older one of the same holder goes. Raise ``StaleRevision``."""
        ...

    async def remove(self, scope: TenantScope, grant: Grant) -> None: ...

    async def clear(self, scope: TenantScope, plugin_id: PluginId) -> None:
        """Remove all grants of a plugin, and whoever is on the way to one."""
        ...

    async def expect(self, scope: TenantScope, pending: PendingGrant) -> None:
        """Remember a user who is sent to the provider; forget those who came too late."""
        ...


class PendingGrantRepository(Protocol):
    """Users who come back from providers: an address of theirs names nobody but the state."""

    async def take(self, digest: str, now: datetime) -> tuple[PendingGrant, UserId] | None:
        """Return and forget what a state belongs to, and whose plugin; None if unknown or late."""
        ...


class HostRepository(Protocol):
    """Hosts that the plugins of a space may call; none named means all public ones."""

    async def get(self, scope: TenantScope, space_id: SpaceId) -> tuple[str, ...]: ...

    async def put(
        self, scope: TenantScope, space_id: SpaceId, hosts: Sequence[str], now: datetime
    ) -> None: ...


class PluginUnitOfWork(Protocol):
    """One transaction: committed by ``commit``, rolled back by leaving the block without it."""

    @property
    def plugins(self) -> PluginRepository: ...

    @property
    def tools(self) -> ToolRepository: ...

    @property
    def versions(self) -> PluginVersionRepository: ...

    @property
    def grants(self) -> GrantRepository: ...

    @property
    def pending(self) -> PendingGrantRepository: ...

    @property
    def hosts(self) -> HostRepository: ...

    def collect(self, *events: DomainEvent) -> None:
        """Take events that no aggregate recorded."""
        ...

    async def commit(self) -> None: ...


class PluginStore(Protocol):
    """Opens transactions."""

    def transaction(self) -> AbstractAsyncContextManager[PluginUnitOfWork]:
        """Open a transaction for writing."""
        ...

    def snapshot(self) -> AbstractAsyncContextManager[PluginUnitOfWork]:
        """Open a transaction for reading only."""
        ...
