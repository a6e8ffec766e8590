"""Plugins on the admin surface: import, settings, authentication, versions, hosts."""

import msgspec
from litestar import Controller, delete, get, patch, post, put
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery, JSONBody
from litestar.status_codes import HTTP_200_OK, HTTP_201_CREATED

from api.admin.query import IfMatch, Paging, revision_of
from api.wire import optional_id, query_flag, required_id
from application.plugin.dto import (
    ChangeList,
    CreatePlugin,
    GrantView,
    HostList,
    ImportPlugin,
    ImportReport,
    PluginPage,
    PluginReview,
    PluginVersionPage,
    PluginVersionView,
    PluginView,
    ReviewPlugin,
    SetAuth,
    UpdatePlugin,
)
from application.plugin.granting import PluginGrantService
from application.plugin.publishing import PluginPublishingService
from application.plugin.service import PluginService
from application.shared.page import Whole
from domain.shared.access import Principal


class PublishPluginBody(msgspec.Struct, frozen=True, kw_only=True):
    """A version; without a name the next number is taken. ``force`` skips the debug calls."""

    version_name: str = ""
    version_desc: str = ""
    force: bool = False


class ProgramItem(msgspec.Struct, frozen=True, kw_only=True):
    """A program that the operator runs as an MCP server."""

    name: str
    """As `mcp.program` of a plugin names it."""


class ProgramList(Whole[ProgramItem]):
    """The programs that a workspace may use, by name."""


class AdminPluginController(Controller):
    """Plugins."""

    path = "/admin/v1"

    @post(
        "/workspaces/{workspace_id:str}/plugins:import",
        operation_id="admin.plugins.import_definition",
    )
    async def bring(
        self,
        *,
        data: JSONBody[ImportPlugin],
        principal: NamedDependency[Principal],
        plugins: NamedDependency[PluginService],
        workspace_id: FromPath[str],
    ) -> ImportReport:
        """Make a plugin of an OpenAPI, Swagger 2 or Postman document, or of a curl command."""
        space_id = required_id(workspace_id, field="workspace_id")
        return await plugins.bring(principal, space_id, data)

    @post(
        "/workspaces/{workspace_id:str}/plugins:review",
        operation_id="admin.plugins.review",
        status_code=HTTP_200_OK,
    )
    async def review(
        self,
        *,
        data: JSONBody[ReviewPlugin],
        principal: NamedDependency[Principal],
        plugins: NamedDependency[PluginService],
        workspace_id: FromPath[str],
    ) -> PluginReview:
        """Show what a document would become; nothing is stored."""
        space_id = required_id(workspace_id, field="workspace_id")
        return await plugins.review(principal, space_id, data)

    @post("/workspaces/{workspace_id:str}/plugins", operation_id="admin.plugins.create")
    async def create(
        self,
        *,
        data: JSONBody[CreatePlugin],
        principal: NamedDependency[Principal],
        plugins: NamedDependency[PluginService],
        workspace_id: FromPath[str],
    ) -> PluginView:
        """Make a plugin, empty or with tools that were reviewed."""
        space_id = required_id(workspace_id, field="workspace_id")
        return await plugins.create(principal, space_id, data)

    @get(
        "/workspaces/{workspace_id:str}/plugin-programs", operation_id="admin.plugins.list_programs"
    )
    async def programs(
        self,
        *,
        principal: NamedDependency[Principal],
        plugins: NamedDependency[PluginService],
        workspace_id: FromPath[str],
    ) -> ProgramList:
        """List the operator's MCP servers that a workspace may use."""
        found = await plugins.programs(principal, required_id(workspace_id, field="workspace_id"))
        return ProgramList(items=[ProgramItem(name=name) for name in found], total=len(found))

    @get("/workspaces/{workspace_id:str}/plugins", operation_id="admin.plugins.list")
    async def list(
        self,
        *,
        principal: NamedDependency[Principal],
        plugins: NamedDependency[PluginService],
        workspace_id: FromPath[str],
        q: FromQuery[str | None] = None,
        app_id: FromQuery[str | None] = None,
        published: FromQuery[str | None] = None,
        paging: NamedDependency[Paging],
    ) -> PluginPage:
        """List plugins, newest first; ``q`` is a part of the name."""
        return await plugins.page(
            principal,
            required_id(workspace_id, field="workspace_id"),
            limit=paging.size,
            after_id=paging.last_id,
            text=q or "",
            app_id=optional_id(app_id, field="app_id"),
            is_published=query_flag(published, field="published"),
        )

    @get("/plugins/{plugin_id:str}", operation_id="admin.plugins.get")
    async def read(
        self,
        *,
        principal: NamedDependency[Principal],
        plugins: NamedDependency[PluginService],
        plugin_id: FromPath[str],
    ) -> PluginView:
        """Show a plugin."""
        return await plugins.get(principal, plugin_key(plugin_id))

    @patch("/plugins/{plugin_id:str}", operation_id="admin.plugins.update")
    async def update(
        self,
        *,
        data: JSONBody[UpdatePlugin],
        principal: NamedDependency[Principal],
        plugins: NamedDependency[PluginService],
        plugin_id: FromPath[str],
        if_match: IfMatch = None,
    ) -> PluginView:
        """Change a draft; another server takes the credentials away."""
        return await plugins.update(
            principal, plugin_key(plugin_id), data, revision=revision_of(if_match)
        )

    @delete("/plugins/{plugin_id:str}", operation_id="admin.plugins.delete")
    async def remove(
        self,
        *,
        principal: NamedDependency[Principal],
        plugins: NamedDependency[PluginService],
        plugin_id: FromPath[str],
    ) -> None:
        """Remove a plugin with its credentials and grants."""
        await plugins.delete(principal, plugin_key(plugin_id))

    @put("/plugins/{plugin_id:str}/auth", operation_id="admin.plugins.set_auth")
    async def authenticate(
        self,
        *,
        data: JSONBody[SetAuth],
        principal: NamedDependency[Principal],
        plugins: NamedDependency[PluginService],
        plugin_id: FromPath[str],
        if_match: IfMatch = None,
    ) -> PluginView:
        """Set how calls prove who they are; secrets are written, never read."""
        return await plugins.authenticate(
            principal, plugin_key(plugin_id), data, revision=revision_of(if_match)
        )

    @post(
        "/plugins/{plugin_id:str}/publish",
        operation_id="admin.plugins.publish",
        status_code=HTTP_201_CREATED,
    )
    async def publish(
        self,
        *,
        principal: NamedDependency[Principal],
        plugin_publishing: NamedDependency[PluginPublishingService],
        plugin_id: FromPath[str],
        data: JSONBody[PublishPluginBody | None] = None,
        if_match: IfMatch = None,
    ) -> PluginVersionView:
        """Freeze the draft as a version."""
        body = data or PublishPluginBody()
        return await plugin_publishing.publish(
            principal,
            plugin_key(plugin_id),
            label=body.version_name,
            note=body.version_desc,
            is_forced=body.force,
            revision=revision_of(if_match),
        )

    @get("/plugins/{plugin_id:str}/versions", operation_id="admin.plugins.list_versions")
    async def versions(
        self,
        *,
        principal: NamedDependency[Principal],
        plugin_publishing: NamedDependency[PluginPublishingService],
        plugin_id: FromPath[str],
        paging: NamedDependency[Paging],
    ) -> PluginVersionPage:
        """List versions, newest first."""
        return await plugin_publishing.versions(
            principal, plugin_key(plugin_id), offset=paging.offset, limit=paging.size
        )

    @get("/plugins/{plugin_id:str}/changes", operation_id="admin.plugins.list_changes")
    async def changes(
        self,
        *,
        principal: NamedDependency[Principal],
        plugin_publishing: NamedDependency[PluginPublishingService],
        plugin_id: FromPath[str],
    ) -> ChangeList:
        """List the tools that publishing would add, change or remove."""
        return await plugin_publishing.changes(principal, plugin_key(plugin_id))

    @get("/plugins/{plugin_id:str}/oauth", operation_id="admin.plugins.get_grant")
    async def grant(
        self,
        *,
        principal: NamedDependency[Principal],
        plugin_grants: NamedDependency[PluginGrantService],
        plugin_id: FromPath[str],
        end_user_id: FromQuery[str | None] = None,
    ) -> GrantView:
        """Tell whether a user gave access, else where to do so."""
        return await plugin_grants.state(
            principal, plugin_key(plugin_id), end_user_id=end_user_id or ""
        )

    @delete("/plugins/{plugin_id:str}/oauth", operation_id="admin.plugins.revoke_grant")
    async def revoke(
        self,
        *,
        principal: NamedDependency[Principal],
        plugin_grants: NamedDependency[PluginGrantService],
        plugin_id: FromPath[str],
        end_user_id: FromQuery[str | None] = None,
    ) -> None:
        """Forget the tokens of a user."""
        await plugin_grants.revoke(principal, plugin_key(plugin_id), end_user_id=end_user_id or "")

    @get("/workspaces/{workspace_id:str}/plugin-hosts", operation_id="admin.plugin_hosts.get")
    async def hosts(
        self,
        *,
        principal: NamedDependency[Principal],
        plugins: NamedDependency[PluginService],
        workspace_id: FromPath[str],
    ) -> HostList:
        """Return the hosts that plugins of the workspace may call; none means all public ones."""
        return await plugins.hosts(principal, required_id(workspace_id, field="workspace_id"))

    @put("/workspaces/{workspace_id:str}/plugin-hosts", operation_id="admin.plugin_hosts.set")
    async def set_hosts(
        self,
        *,
        data: JSONBody[HostList],
        principal: NamedDependency[Principal],
        plugins: NamedDependency[PluginService],
        workspace_id: FromPath[str],
    ) -> HostList:
        """Name the hosts that plugins of the workspace may call."""
        space_id = required_id(workspace_id, field="workspace_id")
        return await plugins.set_hosts(principal, space_id, data)


def plugin_key(value: str) -> int:
    """Read the id of a plugin."""
    return required_id(value, field="plugin_id")
