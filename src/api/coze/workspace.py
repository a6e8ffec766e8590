"""Workspaces and their members on the Coze surface."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Final

import msgspec
from litestar import Controller, delete, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery, JSONBody
from litestar.status_codes import HTTP_200_OK

from api.envelope import Envelope, ok
from api.shape import CozeShape
from api.wire import WireId, page, required_id
from application.identity.dto import MemberView, NewMember, SpaceView
from application.identity.space import MemberService, SpaceService
from application.shared.projection import After, At, By
from domain.shared.access import Principal, Role
from domain.shared.error import InvalidRequest

_PAGE_SIZE: Final = 20  # as at Coze
_MAX_PAGE_SIZE: Final = 50
_MAX_ADDED: Final = 20  # as at Coze
_MAX_REMOVED: Final = 5

ROLE_NAMES: Final[Mapping[Role, str]] = {
    Role.OWNER: "owner",
    Role.ADMIN: "admin",
    Role.EDITOR: "member",
    Role.OPERATOR: "member",
    Role.VIEWER: "member",
}
"""The wire knows three roles."""

_ROLES: Final[Mapping[str, Role]] = {
    "owner": Role.OWNER,
    "admin": Role.ADMIN,
    "member": Role.EDITOR,
}


class Workspace(CozeShape, of=SpaceView, only=("id", "name", "icon_url")):
    """A workspace as the caller sees it."""

    role_type: Annotated[str, At("role"), By(ROLE_NAMES.__getitem__)]
    workspace_type: Annotated[str, At("kind")]
    enterprise_id: str = ""


class WorkspaceList(msgspec.Struct, frozen=True, kw_only=True):
    """One page of workspaces."""

    total_count: int
    workspaces: list[Workspace]


class WorkspaceMember(
    CozeShape,
    of=MemberView,
    only=("user_id", "nickname", "name", "avatar_url"),
    rename={"nickname": "user_nickname", "name": "user_unique_name"},
):
    """A member of a workspace."""

    role_type: Annotated[str, At("role"), By(ROLE_NAMES.__getitem__), After("user_id")]


class WorkspaceMemberList(msgspec.Struct, frozen=True, kw_only=True):
    """One page of members."""

    items: list[WorkspaceMember]
    total_count: int


class MemberCreate(msgspec.Struct, frozen=True, kw_only=True):
    """An account to admit."""

    user_id: WireId
    role_type: str | None = None


class AddMembersBody(msgspec.Struct, frozen=True, kw_only=True):
    """Accounts to admit."""

    users: list[MemberCreate] | None = None


class AddedMembers(msgspec.Struct, frozen=True, kw_only=True):
    """What became of each account; there are no invitations yet."""

    added_success_user_ids: list[str]
    invited_success_user_ids: list[str] = []
    not_exist_user_ids: list[str]
    already_joined_user_ids: list[str]
    already_invited_user_ids: list[str] = []


class RemoveMembersBody(msgspec.Struct, frozen=True, kw_only=True):
    """Accounts to dismiss: a list, or ids joined by commas as the Go client may send them."""

    user_ids: list[WireId] | str | None = None


class RemovedMembers(msgspec.Struct, frozen=True, kw_only=True):
    """What became of each account."""

    removed_success_user_ids: list[str]
    not_in_workspace_user_ids: list[str]
    owner_not_support_remove_user_ids: list[str]


class WorkspaceController(Controller):
    """Workspaces of the caller."""

    path = "/v1/workspaces"

    @get("/", operation_id="workspaces.list")
    async def list(
        self,
        *,
        principal: NamedDependency[Principal],
        spaces: NamedDependency[SpaceService],
        page_num: FromQuery[str | None] = None,
        page_size: FromQuery[str | None] = None,
    ) -> Envelope[WorkspaceList]:
        """List the workspaces that the token reaches."""
        wanted = page(page_num, page_size, default=_PAGE_SIZE, maximum=_MAX_PAGE_SIZE)
        found = await spaces.page(principal, offset=wanted.offset, limit=wanted.size)
        return ok(
            WorkspaceList(
                total_count=found.total, workspaces=[Workspace.of(space) for space in found.items]
            )
        )

    @get("/{workspace_id:str}/members", operation_id="members.list")
    async def members(
        self,
        *,
        principal: NamedDependency[Principal],
        members: NamedDependency[MemberService],
        workspace_id: FromPath[str],
        page_num: FromQuery[str | None] = None,
        page_size: FromQuery[str | None] = None,
    ) -> Envelope[WorkspaceMemberList]:
        """List the members of a workspace."""
        wanted = page(page_num, page_size, default=_PAGE_SIZE, maximum=_MAX_PAGE_SIZE)
        found = await members.page(
            principal,
            required_id(workspace_id, field="workspace_id"),
            offset=wanted.offset,
            limit=wanted.size,
        )
        return ok(
            WorkspaceMemberList(
                items=[WorkspaceMember.of(member) for member in found.items],
                total_count=found.total,
            )
        )

    @post(
        "/{workspace_id:str}/members",
        operation_id="members.create",
        status_code=HTTP_200_OK,
    )
    async def add(
        self,
        *,
        data: JSONBody[AddMembersBody],
        principal: NamedDependency[Principal],
        members: NamedDependency[MemberService],
        workspace_id: FromPath[str],
    ) -> Envelope[AddedMembers]:
        """Admit accounts to a workspace."""
        users = data.users or []
        if not 1 <= len(users) <= _MAX_ADDED:
            raise InvalidRequest(f"users: 1 to {_MAX_ADDED} accounts.", field="users")
        result = await members.add(
            principal,
            required_id(workspace_id, field="workspace_id"),
            [
                NewMember(
                    user_id=required_id(user.user_id, field="users.user_id"),
                    role=_role(user.role_type),
                )
                for user in users
            ],
        )
        return ok(
            AddedMembers(
                added_success_user_ids=_spell(result.added),
                not_exist_user_ids=_spell(result.unknown),
                already_joined_user_ids=_spell(result.already_members),
            )
        )

    @delete(
        "/{workspace_id:str}/members",
        operation_id="members.delete",
        status_code=HTTP_200_OK,
    )
    async def remove(
        self,
        *,
        data: JSONBody[RemoveMembersBody],
        principal: NamedDependency[Principal],
        members: NamedDependency[MemberService],
        workspace_id: FromPath[str],
    ) -> Envelope[RemovedMembers]:
        """Dismiss members of a workspace."""
        wanted = data.user_ids or []
        user_ids = wanted.split(",") if isinstance(wanted, str) else wanted
        if not 1 <= len(user_ids) <= _MAX_REMOVED:
            raise InvalidRequest(f"user_ids: 1 to {_MAX_REMOVED} accounts.", field="user_ids")
        result = await members.remove(
            principal,
            required_id(workspace_id, field="workspace_id"),
            [required_id(_stripped(user_id), field="user_ids") for user_id in user_ids],
        )
        return ok(
            RemovedMembers(
                removed_success_user_ids=_spell(result.removed),
                not_in_workspace_user_ids=_spell(result.not_members),
                owner_not_support_remove_user_ids=_spell(result.owners),
            )
        )


def _role(name: str | None) -> Role:
    """Read a role; a plain member of the wire may edit."""
    role = _ROLES.get((name or "member").rpartition(".")[2].lower())
    if role is None:
        raise InvalidRequest("role_type: expected owner, admin or member.", field="role_type")
    return role


def _stripped(user_id: WireId) -> WireId:
    return user_id.strip() if isinstance(user_id, str) else user_id


def _spell(user_ids: Sequence[int]) -> list[str]:
    return [str(user_id) for user_id in user_ids]
