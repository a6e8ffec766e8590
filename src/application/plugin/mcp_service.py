"""Use cases on plugins of MCP servers: look at the tools of the server, accept them."""

from collections.abc import Iterable, Sequence

from application.plugin.access import permitted_plugin
from application.plugin.mcp_dto import (
    AcceptReport,
    AcceptTools,
    ServerTool,
    ServerToolList,
    ServerToolText,
)
from application.plugin.view import plugin_view, tool_view
from domain.plugin.entity import Plugin, Tool
from domain.plugin.error import PluginInvalid
from domain.plugin.mcp.mcp_call import McpServers
from domain.plugin.mcp.mcp_tool import OfferedTool, compared, definition_of
from domain.plugin.mcp.pinned import ForeignTools
from domain.plugin.repository import PluginStore, PluginUnitOfWork
from domain.plugin.rules import PluginRules
from domain.plugin.value import PluginKind, ToolId
from domain.shared.access import Permission, Principal
from domain.shared.error import Conflict
from domain.shared.id_generator import IdGenerator
from domain.shared.limits import Limits
from infra.contract.clock import Clock
from infra.contract.mcp import McpToolList


class ToolListChanged(Conflict):
    """The server offers something else than what the caller looked at; look again."""


class McpPluginService:
    """Asks a server for its tools when a person wants it, and keeps what the person accepts."""

    def __init__(
        self,
        *,
        store: PluginStore,
        foreign: ForeignTools,
        servers: McpServers,
        clock: Clock,
        ids: IdGenerator,
        limits: Limits,
    ) -> None:
        self._store = store
        self._foreign = foreign
        self._servers = servers
        self._clock = clock
        self._ids = ids
        self._limits = limits
        self._rules = PluginRules(limits)

    async def inspect(self, principal: Principal, plugin_id: int) -> ServerToolList:
        """Ask the server now, and set its tools beside those that were accepted.

        Raises:
            PluginInvalid: the plugin is of another type, or names no server.
            GrantNeeded: the server wants an account that the caller gave no access to.
            McpUnavailable, EgressDenied, NotFound: the server cannot be asked.
        """
        offered = await self._offered(principal, plugin_id)
        async with self._store.snapshot() as uow:
            plugin = await permitted_plugin(uow, principal, plugin_id, Permission.PLUGIN_WRITE)
            tools = await uow.tools.of_plugin(principal.scope, plugin.id)
        items = tuple(_shown(each) for each in compared(offered.tools, tools))
        return ServerToolList(
            digest=offered.digest,
            items=items,
            total=len(items),
            is_changed=any(each.change != "same" for each in items),
        )

    async def accept(
        self, principal: Principal, plugin_id: int, given: AcceptTools
    ) -> AcceptReport:
        """Take the tools of a list into the draft as they are, those that are gone out of it.

        Raises:
            ToolListChanged: the server offers another list than the one of ``digest``.
            PluginInvalid: a name is not in the list; and as ``inspect``.
        """
        offered = await self._offered(principal, plugin_id)
        if offered.digest != given.digest:
            raise ToolListChanged(
                "The server's tools are not those of this digest; look at them again."
            )
        now = self._clock.now()
        async with self._store.transaction() as uow:
            plugin = await permitted_plugin(uow, principal, plugin_id, Permission.PLUGIN_WRITE)
            tools = list(await uow.tools.of_plugin(principal.scope, plugin.id))
            wanted = _wanted(compared(offered.tools, tools), given.names)
            for each in wanted:
                await self._take(uow, principal, plugin, each, tools)
            if len(tools) > self._limits.plugin_tools:
                raise PluginInvalid(f"A plugin has at most {self._limits.plugin_tools} tools.")
            plugin.tools_changed(actor_id=principal.user_id, now=now)
            await uow.plugins.save(principal.scope, plugin)
            await uow.commit()
        return AcceptReport(
            plugin=plugin_view(plugin, tool_count=len(tools)),
            tools=tuple(tool_view(each) for each in tools),
            problems=tuple(_shown(each) for each in wanted if each.problem),
        )

    async def _offered(self, principal: Principal, plugin_id: int) -> McpToolList:
        async with self._store.snapshot() as uow:
            plugin = await permitted_plugin(uow, principal, plugin_id, Permission.PLUGIN_WRITE)
            hosts = frozenset(await uow.hosts.get(principal.scope, plugin.space_id))
        if plugin.manifest.kind is not PluginKind.MCP:
            raise PluginInvalid("type: only plugins of type mcp have a server to ask for tools.")
        server, _ = await self._servers.of(
            plugin,
            plugin.manifest,
            scope=principal.scope.within(plugin.space_id),
            end_user_id=principal.end_user_id,
            hosts=hosts,
        )
        return await self._foreign.inspect(server)

    async def _take(
        self,
        uow: PluginUnitOfWork,
        principal: Principal,
        plugin: Plugin,
        wanted: OfferedTool,
        tools: list[Tool],
    ) -> None:
        """Bring one tool of the draft in line with the list."""
        tool, offered, now = wanted.accepted, wanted.offered, self._clock.now()
        if offered is None and tool is not None:
            await uow.tools.remove(principal.scope, tool)
            tools.remove(tool)
            return
        if offered is None or wanted.problem or wanted.change == "same":
            return
        taken = [each.definition.name for each in tools]
        before = None if tool is None else tool.definition
        definition = self._rules.tool(definition_of(offered, taken=taken, before=before))
        if tool is None:
            tool = Tool(
                id=ToolId(self._ids.next_id()),
                plugin_id=plugin.id,
                space_id=plugin.space_id,
                definition=definition,
                created_at=now,
                updated_at=now,
            )
            tools.append(tool)
        else:
            tool.change(definition, now=now)
        await uow.tools.save(principal.scope, tool)


def _wanted(found: Sequence[OfferedTool], names: Iterable[str] | None) -> list[OfferedTool]:
    if names is None:
        return list(found)
    wanted = frozenset(names)
    unknown = wanted - {each.name for each in found}
    if unknown:
        raise PluginInvalid(f"names: {min(unknown)[:128]} is not in the list.")
    return [each for each in found if each.name in wanted]


def _shown(each: OfferedTool) -> ServerTool:
    offered, tool = each.offered, each.accepted
    pin = tool.definition.pin if tool else None
    before = now = None
    if pin is not None:
        before = ServerToolText(
            title=pin.title, description=pin.description, input_schema=pin.schema
        )
    if offered is not None:
        now = ServerToolText(
            title=offered.title,
            description=offered.description,
            input_schema=dict(offered.input_schema),
        )
    return ServerTool(
        name=each.name,
        change=each.change,
        tool_id="" if tool is None else str(tool.id),
        before=before,
        now=now,
        read_only=bool(offered and offered.is_read_only),
        destructive=bool(offered and offered.says_destructive),
        problem=each.problem,
    )
