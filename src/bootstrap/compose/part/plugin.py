"""Composition of plugins: their editing, and the calls of their tools."""

from dataclasses import dataclass
from typing import Final

from application.plugin.call_recorder import CallRecorder
from application.plugin.granting import PluginGrantService
from application.plugin.mcp_service import McpPluginService
from application.plugin.publishing import PluginPublishingService
from application.plugin.service import PluginService
from bootstrap.settings import Settings
from crossdomain.file.impl import DomainFiles
from crossdomain.identity.contract import Groups, People
from crossdomain.plugin.contract import Plugins
from crossdomain.plugin.impl import DomainPlugins
from domain.plugin.http.credential import Credentials
from domain.plugin.http.file_argument import FileArguments
from domain.plugin.http.http_call import HttpCaller
from domain.plugin.invoker import ToolInvoker
from domain.plugin.mcp.mcp_call import McpCaller, McpServers, OfferedPrograms
from domain.plugin.mcp.pinned import ForeignTools
from domain.plugin.repository import PluginStore
from domain.plugin.value import PluginKind
from domain.shared.id_generator import IdGenerator
from infra.contract.clock import Clock
from infra.contract.egress import EgressClient
from infra.contract.mcp import McpClient
from infra.contract.security.secret_box import SecretBox
from infra.impl.repository.sql.engine.database import Database
from infra.impl.repository.sql.plugin.repository import SqlPluginStore

CALLBACK: Final = "/oauth/callback"
"""Where providers send users back to."""


@dataclass(frozen=True, kw_only=True)
class PluginParts:
    """Plugins for clients, and the calls of their tools."""

    store: PluginStore
    invoker: ToolInvoker
    calls: CallRecorder
    contract: Plugins
    plugins: PluginService
    publishing: PluginPublishingService
    mcp_tools: McpPluginService
    grants: PluginGrantService


def compose_plugin(
    *,
    settings: Settings,
    database: Database,
    secret_box: SecretBox,
    egress: EgressClient,
    files: DomainFiles,
    people: People,
    groups: Groups,
    mcp_client: McpClient,
    clock: Clock,
    ids: IdGenerator,
) -> PluginParts:
    """Needs files for arguments, and people for who may use the operator's programs."""
    limits = settings.limits
    store = SqlPluginStore(database, secret_box)
    credentials = Credentials(
        store=store,
        egress=egress,
        clock=clock,
        ids=ids,
        redirect_url=settings.external_url + CALLBACK,
    )
    workspaces = {each.name: frozenset(each.workspaces) for each in settings.mcp_programs}
    programs = OfferedPrograms(workspaces, people=people)
    foreign = ForeignTools(client=mcp_client, limits=limits)
    servers = McpServers(credentials, programs=programs)
    arguments = FileArguments(files=files, loader=files, limits=limits)
    calls = CallRecorder(store=store)
    invoker = ToolInvoker(
        store=store,
        callers={
            PluginKind.HTTP: HttpCaller(
                credentials=credentials, egress=egress, files=arguments, limits=limits
            ),
            PluginKind.MCP: McpCaller(tools=foreign, servers=servers, limits=limits),
        },
        groups=groups,
        limits=limits,
        note=calls.note,
        now=clock.now,
    )
    return PluginParts(
        store=store,
        invoker=invoker,
        calls=calls,
        contract=DomainPlugins(store=store, invoker=invoker, now=clock.now),
        plugins=PluginService(
            store=store,
            files=files,
            egress=egress,
            clock=clock,
            ids=ids,
            limits=limits,
            programs=programs,
            groups=groups,
        ),
        publishing=PluginPublishingService(store=store, clock=clock, ids=ids, limits=limits),
        mcp_tools=McpPluginService(
            store=store, foreign=foreign, servers=servers, clock=clock, ids=ids, limits=limits
        ),
        grants=PluginGrantService(store=store, credentials=credentials, clock=clock),
    )
