"""Turns plugins into views; secrets stay behind."""

from application.plugin.dto import AuthView, LastCallView, PluginView, ToolView
from application.plugin.source import McpForm
from domain.plugin.entity import Plugin, Tool
from domain.plugin.mcp.mcp_tool import shown_schema
from domain.plugin.schema import object_schema
from domain.plugin.value import SECRET_CLIENT, SECRET_TOKEN, PluginKind


def plugin_view(plugin: Plugin, *, tool_count: int, agent_count: int = 0) -> PluginView:
    """Show a plugin."""
    manifest = plugin.manifest
    return PluginView.of(
        plugin,
        mcp=McpForm.of(manifest.mcp) if manifest.kind is PluginKind.MCP else None,
        auth=AuthView.of(manifest.auth, credential=_hint(plugin)),
        status="published" if plugin.latest_version else "draft",
        tool_count=tool_count,
        agent_count=agent_count,
        last_call=None if plugin.last_call is None else LastCallView.of(plugin.last_call),
    )


def tool_view(tool: Tool) -> ToolView:
    """Show a tool of a draft."""
    known = tool.definition
    return ToolView.of(
        known,
        id=str(tool.id),
        plugin_id=str(tool.plugin_id),
        debugged=tool.is_checked,
        input_schema=shown_schema(known) if known.pin else object_schema(known.parameters),
        server_tool=known.pin.name if known.pin else "",
    )


def _hint(plugin: Plugin) -> str:
    secret = plugin.secrets.get(SECRET_TOKEN) or plugin.secrets.get(SECRET_CLIENT)
    return secret.hint if secret else ""
