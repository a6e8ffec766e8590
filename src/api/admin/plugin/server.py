"""Tools of the MCP servers behind plugins, on the admin surface."""

from litestar import Controller, post
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody
from litestar.status_codes import HTTP_200_OK

from api.admin.plugin.plugin import plugin_key
from api.disconnect import EndsWithClient
from application.plugin.mcp_dto import AcceptReport, AcceptTools, ServerToolList
from application.plugin.mcp_service import McpPluginService
from domain.shared.access import Principal


class AdminPluginServerController(Controller):
    """What the MCP server of a plugin offers."""

    path = "/admin/v1/plugins/{plugin_id:str}"

    @post(
        "/server-tools:inspect",
        operation_id="admin.server_tools.inspect",
        middleware=[EndsWithClient],
        status_code=HTTP_200_OK,
    )
    async def inspect(
        self,
        *,
        principal: NamedDependency[Principal],
        plugin_server_tools: NamedDependency[McpPluginService],
        plugin_id: FromPath[str],
    ) -> ServerToolList:
        """Ask the server for its tools, and compare them with the accepted ones."""
        return await plugin_server_tools.inspect(principal, plugin_key(plugin_id))

    @post(
        "/server-tools:accept",
        operation_id="admin.server_tools.accept",
        status_code=HTTP_200_OK,
    )
    async def accept(
        self,
        *,
        data: JSONBody[AcceptTools],
        principal: NamedDependency[Principal],
        plugin_server_tools: NamedDependency[McpPluginService],
        plugin_id: FromPath[str],
    ) -> AcceptReport:
        """Take the tools of an inspected list into the draft."""
        return await plugin_server_tools.accept(principal, plugin_key(plugin_id), data)
