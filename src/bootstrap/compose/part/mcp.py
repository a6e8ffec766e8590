"""Composition of MCP: programs that the operator allows, and our own server."""

from dataclasses import dataclass
from pathlib import Path

from api.mcp.events import EventStreams
from api.mcp.gateway import McpGateway
from application.agent.publishing import AgentPublishingService
from application.conversation.run.service import RunService
from application.mcp.offer import SpaceTools
from application.operation.health import Drain
from application.workflow.definition.service import WorkflowService
from bootstrap.configuration import CONFIG_FILE
from bootstrap.settings import McpProgramSettings, Settings
from crossdomain.workflow.contract import Workflows
from domain.plugin.mcp.mcp_call import EVERY_WORKSPACE
from domain.shared.error import SettingsInvalid
from infra.impl.mcp.confinement import Confinement, overlaps, own_folders
from infra.impl.mcp.program import McpProgram


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


@dataclass(frozen=True, kw_only=True)
class McpParts:
    """Our tools for others."""

    gateway: McpGateway
    streams: EventStreams
    space_tools: SpaceTools


def compose_mcp(
    *,
    settings: Settings,
    version: str,
    publishing: AgentPublishingService,
    runs: RunService,
    workflows: WorkflowService,
    workflow_tools: Workflows,
    drain: Drain,
) -> McpParts:
    """Needs agents, conversations and workflows: what is offered."""
    limits = settings.limits
    gateway = McpGateway(limits=limits, version=version, origins=origins_of(settings))
    streams = EventStreams(gateway=gateway, limits=limits)
    drain.listen(streams.end)
    return McpParts(
        gateway=gateway,
        streams=streams,
        space_tools=SpaceTools(
            publishing=publishing,
            runs=runs,
            workflows=workflows,
            workflow_tools=workflow_tools,
            limits=limits,
        ),
    )


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
