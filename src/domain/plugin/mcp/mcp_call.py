"""Calls tools of MCP servers: with the plugin's credentials, and only as they were accepted."""

from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import urlsplit

import msgspec

from crossdomain.identity.contract import People
from domain.plugin.call import Called, Caller, LoadedTool, Trace
from domain.plugin.entity import Plugin
from domain.plugin.error import PluginInvalid, ToolCallFailed
from domain.plugin.http.credential import Credentials
from domain.plugin.http.request import Draft, add_common
from domain.plugin.http.response import text_of
from domain.plugin.mcp.mcp_tool import settled_for
from domain.plugin.mcp.pinned import ForeignTools, McpToolChanged, McpToolNotFound
from domain.plugin.value import DATA_KEY, Manifest, McpSource
from domain.shared.access import TenantScope
from domain.shared.error import AppError
from domain.shared.limits import Limits
from infra.contract.egress import EgressDenied
from infra.contract.mcp import McpPart, McpProgramNotFound, McpResult, McpServer

EVERY_WORKSPACE: Final = "*"
_RAW_CHARS: Final = 64 * 1024
_ERROR_CHARS: Final = 500


class OfferedPrograms:
    """Which workspace may use which program of the operator.

    ``workspaces`` has their ids by program, ``*`` for all. A program without any is for those whose
    members are all administrators of the deployment: who is invited to a workspace, or invites
    somebody, must not come by a program that way.
    """

    def __init__(self, workspaces: Mapping[str, frozenset[str]], *, people: People) -> None:
        self._workspaces = workspaces
        self._people = people

    async def require(self, program: str, space_id: int) -> None:
        """Raise ``McpProgramNotFound`` unless the workspace may use the program."""
        listed = self._workspaces.get(program)
        if listed is None or not await self._is_offered(listed, space_id):
            raise McpProgramNotFound(program)

    async def offered_to(self, space_id: int) -> list[str]:
        """Return the programs that a workspace may use, by name."""
        return [
            name
            for name, listed in sorted(self._workspaces.items())
            if await self._is_offered(listed, space_id)
        ]

    async def _is_offered(self, listed: frozenset[str], space_id: int) -> bool:
        if listed:
            return EVERY_WORKSPACE in listed or str(space_id) in listed
        return await self._people.are_all_administrators(space_id)


class McpServers:
    """Turns what a plugin says of its server into a server that can be asked."""

    def __init__(self, credentials: Credentials, *, programs: OfferedPrograms) -> None:
        self._credentials = credentials
        self._programs = programs

    async def of(
        self,
        plugin: Plugin,
        manifest: Manifest,
        *,
        scope: TenantScope,
        end_user_id: str = "",
        hosts: frozenset[str] = frozenset(),
    ) -> tuple[McpServer, Draft]:
        """Return the server with the caller's credentials, and the request that has them.

        Raises:
            PluginInvalid: the plugin names no server.
            McpProgramNotFound: its program is not offered to the workspace.
            EgressDenied: the workspace or the agent does not allow its host.
            GrantNeeded, ToolCallFailed: see ``Credentials.apply``.
        """
        source = manifest.mcp
        owner = str(plugin.space_id)
        draft = Draft(method="POST", url=manifest.server_url)
        if source.program:
            await self._programs.require(source.program, plugin.space_id)
            call_s = source.call_s or None
            return McpServer(owner=owner, program=source.program, call_s=call_s), draft
        if not manifest.server_url:
            raise PluginInvalid("server_url: the plugin has no MCP server to ask.")
        host = (urlsplit(manifest.server_url).hostname or "").lower()
        if hosts and host not in hosts:
            raise EgressDenied(f"{host} is not among the hosts that may be called here.")
        add_common(draft, manifest, plugin.secrets)
        await self._credentials.apply(
            draft,
            plugin,
            plugin.manifest.auth,
            scope=scope,
            end_user_id=end_user_id,
            hosts=hosts,
        )
        draft.secrets = [each for each in draft.secrets if each]
        server = McpServer(
            owner=owner,
            url=draft.full_url,
            transport=source.transport.value,
            headers=draft.all_headers(),
            call_s=source.call_s or None,
        )
        return server, draft


class McpCaller:
    """Calls what was accepted, and nothing that changed since."""

    def __init__(self, *, tools: ForeignTools, servers: McpServers, limits: Limits) -> None:
        self._tools = tools
        self._servers = servers
        self._limits = limits

    def longest_s(self, tool: LoadedTool) -> float:
        """Progress makes a call longer, up to this; a silent server is given up long before."""
        return self._limits.mcp_call_max_s + 2 * self._limits.mcp_connect_s

    async def call(
        self,
        tool: LoadedTool,
        arguments: Mapping[str, Any],
        caller: Caller,
        *,
        fixed: Mapping[str, Any],
        trace: Trace,
    ) -> Called:
        pin = tool.definition.pin
        if pin is None:
            raise ToolCallFailed("This tool was never accepted; list the tools of its server.")
        values = settled_for(tool.definition, arguments, fixed)
        if _place(tool.manifest) != _place(tool.plugin.manifest):
            # An old version must not carry the credentials of the new server to the old one.
            raise ToolCallFailed(
                "The plugin moved to another server; publish and use a new version."
            )
        server, draft = await self._servers.of(
            tool.plugin,
            tool.manifest,
            scope=caller.scope,
            end_user_id=caller.end_user_id,
            hosts=tool.hosts,
        )
        trace.request = _shown(server, draft, pin.name, values)
        try:
            result = await self._tools.call(server, pin.name, values, digest=pin.digest)
        except (McpToolChanged, McpToolNotFound) as exc:
            raise ToolCallFailed(
                f"{exc.message} It is not called until somebody has reviewed the tools of the "
                f"plugin {tool.plugin.name} ({tool.plugin.id}) and published it again."
            ) from exc
        except AppError as exc:
            raise ToolCallFailed(draft.masked(exc.message)) from exc
        return self._called(result, draft, trace)

    def _called(self, result: McpResult, draft: Draft, trace: Trace) -> Called:
        said = draft.masked(result.text)
        trace.raw = said[:_RAW_CHARS]
        if result.is_error:
            told = said[:_ERROR_CHARS] or "The tool failed without a word."
            raise ToolCallFailed(f"The MCP tool answered with an error. {told}")
        structured = result.structured
        if structured is not None and draft.secrets:
            structured = msgspec.json.decode(said)
        text = "\n".join(filter(None, [said, *map(_mention, result.parts)]))
        output = structured if isinstance(structured, dict) else {DATA_KEY: structured or text}
        written = text_of(output, self._limits.plugin_text_chars)
        return Called(output=output, text=written, raw=trace.raw, status=0)


def _place(manifest: Manifest) -> tuple[str, McpSource]:
    """Scheme, host and port of the server, or the program."""
    origin = "/".join(manifest.server_url.lower().split("/")[:3])
    return origin, McpSource(program=manifest.mcp.program)


def _shown(server: McpServer, draft: Draft, name: str, values: Mapping[str, Any]) -> dict[str, Any]:
    body = msgspec.json.encode({"name": name, "arguments": values}).decode()
    asked = {"method": "tools/call", "body": draft.masked(body)[:_RAW_CHARS]}
    if server.program:
        return {**asked, "program": server.program}
    shown = draft.shown()
    return {**asked, "url": shown["url"], "headers": shown["headers"]}


def _mention(part: McpPart) -> str:
    """What a model is told of a picture or file: that there is one."""
    named = f" {part.uri[:200]}" if part.uri else ""
    return f"[{part.media_type[:80]}, {len(part.data)} bytes{named}]"
