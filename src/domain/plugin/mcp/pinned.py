"""Tools of other MCP servers, for whoever binds them: list, pin, call."""

import asyncio
from collections import OrderedDict
from collections.abc import Mapping
from typing import Any

from domain.shared.error import Conflict, NotFound
from domain.shared.limits import Limits
from infra.contract.mcp import McpClient, McpResult, McpServer, McpTool, McpToolList, OnProgress


class McpToolChanged(Conflict):
    """The tool is not what it was when somebody looked at it; it needs another look."""


class McpToolNotFound(NotFound):
    """The server offers no tool of this name any more."""


class ForeignTools:
    """Tools of other servers. Nobody asks a server before a person wanted its tools listed.

    What a server says of its tools is foreign text that models read. Whoever binds a tool keeps
    its ``digest`` and hands it in with every call: a server cannot swap tools unnoticed.
    """

    def __init__(self, *, client: McpClient, limits: Limits) -> None:
        self._client = client
        self._limits = limits
        self._lists: OrderedDict[object, tuple[float, McpToolList]] = OrderedDict()

    async def inspect(self, server: McpServer) -> McpToolList:
        """Ask the server now; raises as ``McpClient.list_tools``."""
        found = await self._client.list_tools(server)
        key = _key(server)
        self._lists[key] = (asyncio.get_running_loop().time(), found)
        self._lists.move_to_end(key)
        while len(self._lists) > self._limits.mcp_servers:
            self._lists.popitem(last=False)
        return found

    async def describe(self, server: McpServer) -> McpToolList:
        """Return the tools as they were a few minutes ago at most; raises as ``inspect``."""
        known = self._lists.get(_key(server))
        now = asyncio.get_running_loop().time()
        if known is not None and now - known[0] < self._limits.mcp_list_cache_s:
            return known[1]
        return await self.inspect(server)

    async def call(
        self,
        server: McpServer,
        name: str,
        arguments: Mapping[str, Any],
        *,
        digest: str,
        on_progress: OnProgress | None = None,
    ) -> McpResult:
        """Call a tool that is still the pinned one.

        Raises:
            McpToolNotFound: the server does not offer it any more.
            McpToolChanged: its texts or its schema are others now.
            McpUnavailable: see ``McpClient``.
        """
        tool = _pinned(await self.describe(server), name, digest)
        if tool is None:  # the kept list may be older than the pin
            tool = _pinned(await self.inspect(server), name, digest)
        if tool is None:
            offered = any(each.name == name for each in (await self.describe(server)).tools)
            if not offered:
                raise McpToolNotFound(f"The MCP server offers no tool {name[:128]!r} any more.")
            raise McpToolChanged(
                f"The MCP tool {name[:128]!r} has changed; look at it and accept it again."
            )
        return await self._client.call(server, tool, arguments, on_progress=on_progress)


def _pinned(offered: McpToolList, name: str, digest: str) -> McpTool | None:
    return next((t for t in offered.tools if t.name == name and t.digest == digest), None)


def _key(server: McpServer) -> object:
    headers = frozenset(server.headers.items())
    return (server.owner, server.url, server.transport, server.program, headers)
