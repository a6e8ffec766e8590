"""Groups, and grants on single resources, on the admin surface."""

from litestar import Controller, delete, get, patch, post, put
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery, JSONBody

from api.admin.identity.shape import (
    GiveGrantBody,
    GrantItem,
    GrantItems,
    GroupBody,
    GroupItem,
    GroupItems,
    GroupWithMembers,
)
from api.admin.query import Paging
from api.shape import id_or_none
from api.wire import optional_id, required_id
from application.identity.dto import GroupPage
from application.identity.sharing import OF_DEPLOYMENT, GrantService, GroupService
from domain.shared.access import Principal, ResourceKind
from domain.shared.error import InvalidRequest


class AdminGroupController(Controller):
    """Groups of accounts, of a workspace or of the deployment."""

    path = "/admin/v1"

    @get("/groups", operation_id="admin.groups.list")
    async def list_groups(
        self,
        *,
        principal: NamedDependency[Principal],
        groups: NamedDependency[GroupService],
        q: FromQuery[str | None] = None,
        paging: NamedDependency[Paging],
    ) -> GroupItems:
        """List groups of the deployment, newest first."""
        found = await groups.page(
            principal,
            OF_DEPLOYMENT,
            before=paging.last_id,
            limit=paging.size,
            text=q or "",
        )
        return _items(found)

    @post("/groups", operation_id="admin.groups.create")
    async def create_group(
        self,
        *,
        data: JSONBody[GroupBody],
        principal: NamedDependency[Principal],
        groups: NamedDependency[GroupService],
    ) -> GroupItem:
        """Open a group of the deployment, to which every workspace may grant something."""
        return GroupItem.of(await groups.create(principal, OF_DEPLOYMENT, data.name))

    @get("/workspaces/{workspace_id:str}/groups", operation_id="admin.workspace_groups.list")
    async def list_of_workspace(
        self,
        *,
        principal: NamedDependency[Principal],
        groups: NamedDependency[GroupService],
        workspace_id: FromPath[str],
        q: FromQuery[str | None] = None,
        paging: NamedDependency[Paging],
    ) -> GroupItems:
        """List groups of a workspace, newest first."""
        found = await groups.page(
            principal,
            required_id(workspace_id, field="workspace_id"),
            before=paging.last_id,
            limit=paging.size,
            text=q or "",
        )
        return _items(found)

    @post("/workspaces/{workspace_id:str}/groups", operation_id="admin.workspace_groups.create")
    async def create_in_workspace(
        self,
        *,
        data: JSONBody[GroupBody],
        principal: NamedDependency[Principal],
        groups: NamedDependency[GroupService],
        workspace_id: FromPath[str],
    ) -> GroupItem:
        """Open a group of a workspace."""
        space_id = required_id(workspace_id, field="workspace_id")
        return GroupItem.of(await groups.create(principal, space_id, data.name))

    @get("/groups/{group_id:str}", operation_id="admin.groups.get")
    async def read(
        self,
        *,
        principal: NamedDependency[Principal],
        groups: NamedDependency[GroupService],
        group_id: FromPath[str],
    ) -> GroupWithMembers:
        """Show a group with its members."""
        found = await groups.get(principal, required_id(group_id, field="group_id"))
        return GroupWithMembers.of(found)

    @patch("/groups/{group_id:str}", operation_id="admin.groups.update")
    async def rename(
        self,
        *,
        data: JSONBody[GroupBody],
        principal: NamedDependency[Principal],
        groups: NamedDependency[GroupService],
        group_id: FromPath[str],
    ) -> GroupItem:
        """Give a group another name."""
        number = required_id(group_id, field="group_id")
        return GroupItem.of(await groups.rename(principal, number, data.name))

    @delete("/groups/{group_id:str}", operation_id="admin.groups.delete")
    async def remove(
        self,
        *,
        principal: NamedDependency[Principal],
        groups: NamedDependency[GroupService],
        group_id: FromPath[str],
    ) -> None:
        """Take a group away, with everything that was granted to it."""
        await groups.delete(principal, required_id(group_id, field="group_id"))

    @put(
        "/groups/{group_id:str}/members/{user_id:str}",
        operation_id="admin.group_members.add",
        status_code=204,
    )
    async def admit(
        self,
        *,
        principal: NamedDependency[Principal],
        groups: NamedDependency[GroupService],
        group_id: FromPath[str],
        user_id: FromPath[str],
    ) -> None:
        """Add an account to a group; it need not be a member of the workspace."""
        await groups.admit(
            principal,
            required_id(group_id, field="group_id"),
            required_id(user_id, field="user_id"),
        )

    @delete(
        "/groups/{group_id:str}/members/{user_id:str}", operation_id="admin.group_members.delete"
    )
    async def dismiss(
        self,
        *,
        principal: NamedDependency[Principal],
        groups: NamedDependency[GroupService],
        group_id: FromPath[str],
        user_id: FromPath[str],
    ) -> None:
        """Take an account out of a group."""
        await groups.dismiss(
            principal,
            required_id(group_id, field="group_id"),
            required_id(user_id, field="user_id"),
        )


class AdminGrantController(Controller):
    """Rights of accounts and groups on single resources."""

    path = "/admin/v1/grants"

    @get("/", operation_id="admin.grants.list")
    async def list_grants(
        self,
        *,
        principal: NamedDependency[Principal],
        grants: NamedDependency[GrantService],
        resource_type: FromQuery[str | None] = None,
        resource_id: FromQuery[str | None] = None,
    ) -> GrantItems:
        """List who was granted what on a resource; without one, what the caller was granted."""
        kind = None if not resource_type else _kind(resource_type)
        number = optional_id(resource_id, field="resource_id")
        if kind is None or number is None:
            found = await grants.received(principal, kind)
        else:
            found = await grants.of_resource(principal, kind, number)
        return GrantItems(items=[GrantItem.of(each) for each in found.items], total=found.total)

    @put("/", operation_id="admin.grants.set")
    async def give(
        self,
        *,
        data: JSONBody[GiveGrantBody],
        principal: NamedDependency[Principal],
        grants: NamedDependency[GrantService],
    ) -> GrantItem:
        """Give an account or a group a right on a resource, instead of what it has there."""
        return GrantItem.of(await grants.give(principal, data.command()))

    @delete("/{grant_id:str}", operation_id="admin.grants.delete")
    async def take(
        self,
        *,
        principal: NamedDependency[Principal],
        grants: NamedDependency[GrantService],
        grant_id: FromPath[str],
    ) -> None:
        """End a right on a resource."""
        await grants.take(principal, required_id(grant_id, field="grant_id"))


def _kind(text: str) -> ResourceKind:
    try:
        return ResourceKind(text)
    except ValueError as exc:
        known = ", ".join(ResourceKind)
        raise InvalidRequest(
            f"resource_type: expected one of {known}.", field="resource_type"
        ) from exc


def _items(found: GroupPage) -> GroupItems:
    return GroupItems(
        items=GroupItem.each(found.items),
        total=found.total,
        next_cursor=id_or_none(found.next_before),
    )
