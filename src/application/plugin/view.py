"""Turns plugins into views; secrets stay behind."""

from application.plugin.common import CommonValues
from application.plugin.dto import (
    AuthView,
    ParameterForm,
    PluginVersionView,
    PluginView,
    ToolView,
    seconds,
)
from application.plugin.source import McpForm
from domain.plugin.entity import Plugin, PluginVersion, Tool
from domain.plugin.mcp.mcp_tool import shown_schema
from domain.plugin.schema import object_schema
from domain.plugin.value import SECRET_CLIENT, SECRET_TOKEN, Auth, PluginKind
from domain.shared.secret import Secret


def plugin_view(plugin: Plugin, *, tool_count: int) -> PluginView:
    """Show a plugin."""
    return PluginView(
        id=str(plugin.id),
        workspace_id=str(plugin.space_id),
        creator_id=str(plugin.creator_id),
        name=plugin.name,
        description=plugin.description,
        type=plugin.manifest.kind.value,
        icon_file_id=None if plugin.icon_file_id is None else str(plugin.icon_file_id),
        app_id=str(plugin.app_id),
        server_url=plugin.manifest.server_url,
        mcp=McpForm.of(plugin.manifest.mcp) if plugin.manifest.kind is PluginKind.MCP else None,
        common_params=CommonValues.of(plugin.manifest),
        sends_identity=plugin.manifest.sends_identity,
        auth=_auth_view(plugin.manifest.auth, plugin),
        status="published" if plugin.latest_version else "draft",
        published_version=plugin.latest_version,
        is_draft_changed=plugin.is_draft_changed,
        tool_count=tool_count,
        revision=plugin.revision,
        created_at=seconds(plugin.created_at),
        updated_at=seconds(plugin.updated_at),
    )


def tool_view(tool: Tool) -> ToolView:
    """Show a tool of a draft."""
    known = tool.definition
    return ToolView(
        id=str(tool.id),
        plugin_id=str(tool.plugin_id),
        debugged=tool.is_checked,
        input_schema=shown_schema(known) if known.pin else object_schema(known.parameters),
        server_tool=known.pin.name if known.pin else "",
        workflow_id=str(known.workflow_id) if known.workflow_id else "",
        name=known.name,
        description=known.description,
        method=known.method,
        path=known.path,
        parameters=tuple(ParameterForm.of(each) for each in known.parameters),
        responses=tuple(ParameterForm.of(each) for each in known.responses),
        response_kind=known.response_kind,
        response_policy=known.response_policy,
        body_media=known.body_media,
        body_is_whole=known.is_body_whole,
        disabled=known.is_disabled,
        effect=known.effect,
        needs_approval=known.needs_approval,
        returns_directly=known.returns_directly,
        example=known.example,
    )


def version_view(version: PluginVersion) -> PluginVersionView:
    """Show a version."""
    return PluginVersionView(
        version_name=version.label,
        version_desc=version.note,
        creator_id=str(version.creator_id),
        tool_count=version.tool_count,
        created_at=seconds(version.created_at),
    )


def _auth_view(auth: Auth, plugin: Plugin) -> AuthView:
    secret = plugin.secrets.get(SECRET_TOKEN) or plugin.secrets.get(SECRET_CLIENT) or Secret("")
    return AuthView(
        type=auth.type,
        location=auth.location,
        key=auth.key,
        client_id=auth.client_id,
        client_url=auth.client_url,
        authorization_url=auth.authorization_url,
        authorization_content_type=auth.content_type,
        scope=auth.scope,
        shared=auth.is_shared,
        credential=secret.hint if secret else "",
    )
