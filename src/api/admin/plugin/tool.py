"""Tools of plugins on the admin surface."""

from typing import Any

import msgspec
from litestar import Controller, delete, get, patch, post
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody
from litestar.status_codes import HTTP_200_OK

from api.admin.plugin.plugin import plugin_key
from api.disconnect import EndsWithClient
from api.wire import required_id
from application.plugin.dto import DebugReport, ToolForm, ToolPage, ToolPatch, ToolView
from application.plugin.tool_service import PluginToolService
from domain.shared.access import Principal


class DebugBody(msgspec.Struct, frozen=True, kw_only=True):
    """Arguments of a test call."""

    arguments: dict[str, Any] = {}


class AdminPluginToolController(Controller):
    """Tools in the draft of a plugin."""

    path = "/admin/v1/plugins/{plugin_id:str}/tools"

    @get(operation_id="admin.plugin_tools.list")
    async def list(
        self,
        *,
        principal: NamedDependency[Principal],
        plugin_tools: NamedDependency[PluginToolService],
        plugin_id: FromPath[str],
    ) -> ToolPage:
        """List all tools."""
        return await plugin_tools.all(principal, plugin_key(plugin_id))

    @post(operation_id="admin.plugin_tools.create")
    async def add(
        self,
        *,
        data: JSONBody[ToolForm],
        principal: NamedDependency[Principal],
        plugin_tools: NamedDependency[PluginToolService],
        plugin_id: FromPath[str],
    ) -> ToolView:
        """Add a tool."""
        return await plugin_tools.add(principal, plugin_key(plugin_id), data)

    @get("/{tool_id:str}", operation_id="admin.plugin_tools.get")
    async def read(
        self,
        *,
        principal: NamedDependency[Principal],
        plugin_tools: NamedDependency[PluginToolService],
        plugin_id: FromPath[str],
        tool_id: FromPath[str],
    ) -> ToolView:
        """Show a tool."""
        return await plugin_tools.get(principal, plugin_key(plugin_id), _tool_key(tool_id))

    @patch("/{tool_id:str}", operation_id="admin.plugin_tools.update")
    async def update(
        self,
        *,
        data: JSONBody[ToolPatch],
        principal: NamedDependency[Principal],
        plugin_tools: NamedDependency[PluginToolService],
        plugin_id: FromPath[str],
        tool_id: FromPath[str],
    ) -> ToolView:
        """Change a tool; it wants a debug call before it is published again."""
        return await plugin_tools.change(principal, plugin_key(plugin_id), _tool_key(tool_id), data)

    @delete("/{tool_id:str}", operation_id="admin.plugin_tools.delete")
    async def remove(
        self,
        *,
        principal: NamedDependency[Principal],
        plugin_tools: NamedDependency[PluginToolService],
        plugin_id: FromPath[str],
        tool_id: FromPath[str],
    ) -> None:
        """Remove a tool from the draft."""
        await plugin_tools.remove(principal, plugin_key(plugin_id), _tool_key(tool_id))

    @post(
        "/{tool_id:str}/debug",
        operation_id="admin.plugin_tools.debug",
        middleware=[EndsWithClient],
        status_code=HTTP_200_OK,
    )
    async def debug(
        self,
        *,
        data: JSONBody[DebugBody],
        principal: NamedDependency[Principal],
        plugin_tools: NamedDependency[PluginToolService],
        plugin_id: FromPath[str],
        tool_id: FromPath[str],
    ) -> DebugReport:
        """Call a tool of the draft; what goes wrong is in the report."""
        return await plugin_tools.debug(
            principal, plugin_key(plugin_id), _tool_key(tool_id), data.arguments
        )


def _tool_key(value: str) -> int:
    return required_id(value, field="tool_id")
