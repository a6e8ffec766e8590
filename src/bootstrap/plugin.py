"""Composition of the plugin context: its parts, and what handlers ask for."""

from collections.abc import Mapping
from typing import Any, Final

from dependency_injector import containers, providers

from application.plugin.granting import PluginGrantService
from application.plugin.mcp_service import McpPluginService
from application.plugin.publishing import PluginPublishingService
from application.plugin.service import PluginService
from bootstrap.settings import Settings
from crossdomain.plugin.impl import DomainPlugins
from domain.plugin.credential import Credentials
from domain.plugin.file_argument import FileArguments
from domain.plugin.http_call import HttpCaller
from domain.plugin.invoker import ToolInvoker
from domain.plugin.mcp_call import McpCaller, McpServers, OfferedPrograms
from domain.plugin.value import PluginKind
from infra.impl.repository.sql.plugin import SqlPluginStore

CALLBACK: Final = "/oauth/callback"


def callback_url(public_url: str) -> str:
    """Where providers send users back to."""
    return public_url + CALLBACK


def workspaces_of(settings: Settings) -> dict[str, frozenset[str]]:
    """Who may use which program of the operator."""
    return {each.name: frozenset(each.workspaces) for each in settings.mcp_programs}


class PluginContainer(containers.DeclarativeContainer):
    """Plugins, their tools, and the calls of them."""

    settings: providers.Dependency[Any] = providers.Dependency()
    limits = settings.provided.limits
    clock: providers.Dependency[Any] = providers.Dependency()
    ids: providers.Dependency[Any] = providers.Dependency()
    database: providers.Dependency[Any] = providers.Dependency()
    secret_box: providers.Dependency[Any] = providers.Dependency()
    egress: providers.Dependency[Any] = providers.Dependency()
    files: providers.Dependency[Any] = providers.Dependency()
    foreign: providers.Dependency[Any] = providers.Dependency()
    people: providers.Dependency[Any] = providers.Dependency()

    store = providers.Singleton(SqlPluginStore, database, secret_box)
    credentials = providers.Singleton(
        Credentials,
        store=store,
        egress=egress,
        clock=clock,
        ids=ids,
        redirect_url=providers.Callable(callback_url, settings.provided.external_url),
    )
    programs = providers.Singleton(
        OfferedPrograms, providers.Callable(workspaces_of, settings), people=people
    )
    servers = providers.Singleton(McpServers, credentials, programs=programs)
    callers = providers.Dict(
        {
            PluginKind.HTTP: providers.Singleton(
                HttpCaller,
                credentials=credentials,
                egress=egress,
                files=providers.Singleton(FileArguments, files=files, loader=files, limits=limits),
                limits=limits,
            ),
            PluginKind.MCP: providers.Singleton(
                McpCaller, tools=foreign, servers=servers, limits=limits
            ),
        }
    )
    invoker = providers.Singleton(ToolInvoker, store=store, callers=callers, limits=limits)
    contract = providers.Singleton(DomainPlugins, store=store, invoker=invoker)
    plugins = providers.Singleton(
        PluginService,
        store=store,
        files=files,
        clock=clock,
        ids=ids,
        limits=limits,
        programs=programs,
    )
    publishing = providers.Singleton(
        PluginPublishingService, store=store, clock=clock, ids=ids, limits=limits
    )
    mcp_tools = providers.Singleton(
        McpPluginService,
        store=store,
        foreign=foreign,
        servers=servers,
        clock=clock,
        ids=ids,
        limits=limits,
    )
    grants = providers.Singleton(
        PluginGrantService, store=store, credentials=credentials, clock=clock
    )


def dependencies(plugin: Any) -> Mapping[str, Any]:
    """What handlers ask for by name."""
    return {
        "plugins": plugin.plugins,
        "plugin_publishing": plugin.publishing,
        "plugin_grants": plugin.grants,
        "plugin_server_tools": plugin.mcp_tools,
    }
