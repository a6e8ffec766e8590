"""Composition of MCP: the client of other servers, and our own server."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from dependency_injector import containers, providers

from api.mcp.admin import AdminOperations
from api.mcp.events import EventStreams
from api.mcp.gateway import McpGateway
from application.mcp.offer import SpaceTools
from application.operation.health import Drain
from bootstrap.configuration import CONFIG_FILE, SettingsInvalid
from bootstrap.settings import McpProgramSettings, Settings
from domain.plugin.mcp_call import EVERY_WORKSPACE
from domain.plugin.pinned import ForeignTools
from infra.impl.mcp.client import ProtocolMcpClient
from infra.impl.mcp.confinement import Confinement, overlaps, own_folders
from infra.impl.mcp.program import McpProgram
from infra.impl.mcp.programs import McpPrograms


def programs_of(settings: Settings) -> tuple[McpProgram, ...]:
    """The programs that the operator allows; raise ``SettingsInvalid`` for an unclear one."""
    names = [each.name for each in settings.mcp_programs]
    for each in settings.mcp_programs:
        if not Path(each.command).is_absolute():
            raise SettingsInvalid(f"mcp_programs: {each.name}: command must be an absolute path.")
        if not each.name or names.count(each.name) > 1:
            raise SettingsInvalid("mcp_programs: each needs a name of its own.")
        for workspace in each.workspaces:
            if workspace != EVERY_WORKSPACE and not workspace.isdecimal():
                raise SettingsInvalid(
                    f"mcp_programs: {each.name}: workspaces holds ids, or {EVERY_WORKSPACE!r}."
                )
        for folder in map(Path, each.folders):
            if not folder.is_absolute() or overlaps(folder, hidden_from_programs(settings)):
                raise SettingsInvalid(
                    f"mcp_programs: {each.name}: folders holds absolute paths apart from the data "
                    f"directory and the configuration, which {str(folder)!r} is not."
                )
    return tuple(_program(each, settings) for each in settings.mcp_programs)


def hidden_from_programs(settings: Settings) -> tuple[Path, ...]:
    """What no program may see: the data, and files with credentials."""
    return (settings.data_path, Path(CONFIG_FILE), settings.data_path / CONFIG_FILE)


def origins_of(settings: Settings) -> tuple[str, ...]:
    """Pages that may call: our own, and those the operator lists."""
    scheme, _, rest = settings.external_url.partition("://")
    return (f"{scheme}://{rest.partition('/')[0]}", *settings.cors.origins)


def draining(drain: Drain) -> Callable[[], bool]:
    """Tells whether the process is about to end."""
    return lambda: drain.is_leaving


class McpClientContainer(containers.DeclarativeContainer):
    """Tools of other servers."""

    settings: providers.Dependency[Any] = providers.Dependency()
    limits = settings.provided.limits
    door: providers.Dependency[Any] = providers.Dependency()

    programs = providers.Singleton(
        McpPrograms, providers.Callable(programs_of, settings), limits=limits
    )
    client = providers.Singleton(ProtocolMcpClient, door=door, programs=programs, limits=limits)
    foreign = providers.Singleton(ForeignTools, client=client, limits=limits)

    storage = providers.List(programs)
    """Programs run in whichever process calls them."""


class McpContainer(containers.DeclarativeContainer):
    """Our tools for others."""

    settings: providers.Dependency[Any] = providers.Dependency()
    limits = settings.provided.limits
    version: providers.Dependency[Any] = providers.Dependency()
    publishing: providers.Dependency[Any] = providers.Dependency()
    runs: providers.Dependency[Any] = providers.Dependency()
    workflows: providers.Dependency[Any] = providers.Dependency()
    workflow_tools: providers.Dependency[Any] = providers.Dependency()
    drain: providers.Dependency[Any] = providers.Dependency()

    gateway = providers.Singleton(
        McpGateway,
        limits=limits,
        version=version,
        origins=providers.Callable(origins_of, settings),
    )
    streams = providers.Singleton(
        EventStreams,
        gateway=gateway,
        is_draining=providers.Callable(draining, drain),
        limits=limits,
    )
    space_tools = providers.Singleton(
        SpaceTools,
        publishing=publishing,
        runs=runs,
        workflows=workflows,
        workflow_tools=workflow_tools,
        limits=limits,
    )


def dependencies(mcp: Any, describe: Callable[[], Mapping[str, Any]]) -> Mapping[str, Any]:
    """What handlers ask for by name; ``describe`` gives the interface description."""
    return {
        "admin_operations": providers.Singleton(AdminOperations, providers.Object(describe)),
        "mcp_gateway": mcp.gateway,
        "mcp_streams": mcp.streams,
        "space_tools": mcp.space_tools,
    }


def _program(configured: McpProgramSettings, settings: Settings) -> McpProgram:
    folders = configured.folders
    own = own_folders(configured.command, configured.env, hidden=hidden_from_programs(settings))
    confinement = Confinement(
        readable=(*own, *(each for each, use in folders.items() if use == "read")),
        writable=tuple(each for each, use in folders.items() if use == "write"),
        has_network=configured.network,
    )
    return McpProgram(
        name=configured.name,
        command=configured.command,
        args=configured.args,
        env=configured.env,
        confinement=confinement if configured.jail else None,
    )
