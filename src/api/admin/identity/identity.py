"""Workspaces, members, tokens and accounts on the admin surface."""

from typing import Any

from litestar import Controller, Request, delete, get, patch, post, put
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery, JSONBody
from litestar.status_codes import HTTP_200_OK, HTTP_204_NO_CONTENT
from msgspec import UNSET
from msgspec.structs import replace

from api.admin.identity.shape import (
    AddMemberBody,
    CreateTokenBody,
    CreateUserBody,
    CreateWorkspaceBody,
    DeletedWorkspace,
    DeletedWorkspaces,
    IssuedToken,
    IssueTokenBody,
    MemberItem,
    MemberItems,
    RenameTokenBody,
    SetRoleBody,
    TokenCreated,
    TokenItem,
    TokenItems,
    TransferWorkspaceBody,
    UpdateUserBody,
    UpdateWorkspaceBody,
    UserCreated,
    UserItem,
    UserItems,
    WorkspaceItem,
    WorkspaceItems,
    WorkspaceOverview,
    WorkspaceOverviews,
)
from api.admin.query import Paging
from api.body.multipart import UploadOperation, open_upload
from api.shape import id_or_none
from api.sign_in.shape import SessionItems, SignInLink
from api.sign_in.url import SignInPages
from api.wire import required_id
from application.identity.account import AccountService
from application.identity.avatar import AvatarService
from application.identity.dto import (
    CreateSpace,
    CreateUser,
    NewMember,
    SetSpaceDefaults,
    UpdateSpace,
)
from application.identity.sign_in import SignInService
from application.identity.space import MemberService, SpaceService
from application.identity.space_defaults import SpaceDefaultsService
from application.identity.token import TokenService
from application.identity.user import UserService
from domain.shared.access import Principal
from domain.shared.error import Conflict, InvalidRequest, NotFound
from domain.shared.limits import Limits


class AdminWorkspaceController(Controller):
    """Workspaces of the caller."""

    path = "/admin/v1/workspaces"

    @get("/", operation_id="admin.workspaces.list")
    async def list_workspaces(
        self,
        *,
        principal: NamedDependency[Principal],
        spaces: NamedDependency[SpaceService],
        paging: NamedDependency[Paging],
    ) -> WorkspaceItems:
        """List workspaces, the personal one first."""
        found = await spaces.page(principal, offset=paging.offset, limit=paging.size)
        return WorkspaceItems(
            items=WorkspaceItem.each(found.items),
            total=found.total,
            next_cursor=paging.next_offset(found),
        )

    @post("/", operation_id="admin.workspaces.create")
    async def create(
        self,
        *,
        data: JSONBody[CreateWorkspaceBody],
        principal: NamedDependency[Principal],
        spaces: NamedDependency[SpaceService],
    ) -> WorkspaceItem:
        """Open a team workspace."""
        command = CreateSpace(
            name=data.name, description=data.description or "", icon_url=data.icon_url or ""
        )
        return WorkspaceItem.of(await spaces.create(principal, command))

    @get("/{workspace_id:str}", operation_id="admin.workspaces.get")
    async def read(
        self,
        *,
        principal: NamedDependency[Principal],
        spaces: NamedDependency[SpaceService],
        workspace_id: FromPath[str],
    ) -> WorkspaceItem:
        """Show a workspace."""
        return WorkspaceItem.of(await spaces.get(principal, _workspace(workspace_id)))

    @patch("/{workspace_id:str}", operation_id="admin.workspaces.update")
    async def update(
        self,
        *,
        data: JSONBody[UpdateWorkspaceBody],
        principal: NamedDependency[Principal],
        spaces: NamedDependency[SpaceService],
        avatars: NamedDependency[AvatarService],
        space_defaults: NamedDependency[SpaceDefaultsService],
        workspace_id: FromPath[str],
    ) -> WorkspaceItem:
        """Change what it is called and begins with; administrators close and limit it.

        Whoever administers the deployment needs no role in it for the latter.
        """
        workspace, changed = _workspace(workspace_id), None
        if data.suspended is not UNSET:
            changed = await spaces.set_suspended(principal, workspace, is_suspended=data.suspended)
        if data.limits is not UNSET:
            limits = data.limits.value("limits")
            changed = await spaces.set_limits(principal, workspace, limits)
        if data.default_model is not UNSET or data.language is not UNSET:
            defaults = SetSpaceDefaults(
                space_id=workspace,
                default_model=None if data.default_model is UNSET else data.default_model or "",
                language=None if data.language is UNSET else data.language or "",
            )
            changed = await space_defaults.set(principal, defaults)
        rest = replace(data, suspended=UNSET, limits=UNSET, default_model=UNSET, language=UNSET)
        if changed is not None and rest == UpdateWorkspaceBody():
            return WorkspaceItem.of(changed)
        command = UpdateSpace(
            space_id=workspace,
            name=None if data.name is UNSET else data.name,
            description=None if data.description is UNSET else data.description or "",
            icon_url=None if data.icon_url is UNSET else data.icon_url or "",
        )
        return WorkspaceItem.of(await avatars.update_space(principal, command))

    @put(
        "/{workspace_id:str}/icon",
        operation_id="admin.workspaces.set_icon",
        operation_class=UploadOperation,
        status_code=HTTP_200_OK,
    )
    async def set_icon(
        self,
        *,
        request: Request[Any, Any, Any],
        principal: NamedDependency[Principal],
        avatars: NamedDependency[AvatarService],
        limits: NamedDependency[Limits],
        workspace_id: FromPath[str],
    ) -> WorkspaceItem:
        """Show the picture of a multipart form as its icon: PNG, JPEG, GIF or WebP.

        An `icon_url` of null takes it away.
        """
        incoming = await open_upload(request, limits=limits)
        icon = await avatars.set_icon(principal, _workspace(workspace_id), incoming)
        return WorkspaceItem.of(icon)

    @post(
        "/{workspace_id:str}/restore",
        operation_id="admin.workspaces.restore",
        status_code=HTTP_200_OK,
    )
    async def restore(
        self,
        *,
        principal: NamedDependency[Principal],
        spaces: NamedDependency[SpaceService],
        workspace_id: FromPath[str],
    ) -> WorkspaceItem:
        """Take back a deletion of the last seven days; its owners may, and administrators."""
        return WorkspaceItem.of(await spaces.restore(principal, _workspace(workspace_id)))

    @delete("/{workspace_id:str}", operation_id="admin.workspaces.delete")
    async def remove(
        self,
        *,
        principal: NamedDependency[Principal],
        spaces: NamedDependency[SpaceService],
        workspace_id: FromPath[str],
    ) -> None:
        """Delete a team workspace with all that is in it; it can be restored for seven days.

        Its owners may, and administrators of the deployment.
        """
        await spaces.delete(principal, _workspace(workspace_id))

    @post(
        "/{workspace_id:str}/transfer",
        operation_id="admin.workspaces.transfer",
        status_code=HTTP_200_OK,
    )
    async def transfer(
        self,
        *,
        data: JSONBody[TransferWorkspaceBody],
        principal: NamedDependency[Principal],
        members: NamedDependency[MemberService],
        workspace_id: FromPath[str],
    ) -> MemberItem:
        """Make a member the owner in one's own place; one stays as an administrator."""
        user_id = required_id(data.user_id, field="user_id")
        heir = await members.transfer(principal, _workspace(workspace_id), user_id)
        return MemberItem.of(heir)

    @post(
        "/{workspace_id:str}/leave",
        operation_id="admin.workspaces.leave",
        status_code=HTTP_204_NO_CONTENT,
    )
    async def leave(
        self,
        *,
        principal: NamedDependency[Principal],
        members: NamedDependency[MemberService],
        workspace_id: FromPath[str],
    ) -> None:
        """Leave a workspace; its only owner makes somebody else one first."""
        await members.leave(principal, _workspace(workspace_id))


class AdminWorkspaceOverviewController(Controller):
    """Workspaces that are not entered: all of the deployment, and those that were deleted."""

    path = "/admin/v1"

    @get("/workspaces:all", operation_id="admin.workspaces.list_all")
    async def list_all(
        self,
        *,
        principal: NamedDependency[Principal],
        spaces: NamedDependency[SpaceService],
        q: FromQuery[str | None] = None,
        paging: NamedDependency[Paging],
    ) -> WorkspaceOverviews:
        """List all workspaces of the deployment without their contents, the oldest first."""
        found = await spaces.overview(
            principal, after=paging.last_id, limit=paging.size + 1, text=q or ""
        )
        shown, next_cursor = paging.cut(found)
        return WorkspaceOverviews(
            items=[WorkspaceOverview.of(space) for space in shown],
            next_cursor=next_cursor,
        )

    @get("/workspaces:deleted", operation_id="admin.workspaces.list_deleted")
    async def list_deleted(
        self,
        *,
        principal: NamedDependency[Principal],
        spaces: NamedDependency[SpaceService],
        paging: NamedDependency[Paging],
    ) -> DeletedWorkspaces:
        """List what the caller owned, was deleted in the last seven days, and can be restored."""
        found = await spaces.deleted(principal, after=paging.last_id, limit=paging.size + 1)
        shown, next_cursor = paging.cut(found)
        return DeletedWorkspaces(
            items=[DeletedWorkspace.of(space) for space in shown],
            next_cursor=next_cursor,
        )


class AdminMemberController(Controller):
    """Members of a workspace, with exact roles."""

    path = "/admin/v1/workspaces/{workspace_id:str}/members"

    @get("/", operation_id="admin.members.list")
    async def list_members(
        self,
        *,
        principal: NamedDependency[Principal],
        members: NamedDependency[MemberService],
        workspace_id: FromPath[str],
        paging: NamedDependency[Paging],
    ) -> MemberItems:
        """List members in the order they joined."""
        found = await members.page(
            principal, _workspace(workspace_id), offset=paging.offset, limit=paging.size
        )
        return MemberItems(
            items=MemberItem.each(found.items),
            total=found.total,
            next_cursor=paging.next_offset(found),
        )

    @post("/", operation_id="admin.members.create")
    async def add(
        self,
        *,
        data: JSONBody[AddMemberBody],
        principal: NamedDependency[Principal],
        members: NamedDependency[MemberService],
        workspace_id: FromPath[str],
    ) -> MemberItem:
        """Admit an account."""
        space_id = _workspace(workspace_id)
        if data.name and data.user_id is None:
            user_id = await members.account_named(principal, space_id, data.name)
        else:
            user_id = required_id(data.user_id, field="user_id")
        result = await members.add(
            principal, space_id, [NewMember(user_id=user_id, role=data.role)]
        )
        if result.unknown:
            raise NotFound(f"No user {user_id}.", user_id=user_id)
        if result.already_members:
            raise Conflict(f"User {user_id} is a member already.", user_id=user_id)
        return MemberItem.of(await members.get(principal, space_id, user_id))

    @patch("/{user_id:str}", operation_id="admin.members.update")
    async def set_role(
        self,
        *,
        data: JSONBody[SetRoleBody],
        principal: NamedDependency[Principal],
        members: NamedDependency[MemberService],
        workspace_id: FromPath[str],
        user_id: FromPath[str],
    ) -> MemberItem:
        """Give a member another role."""
        member = await members.set_role(
            principal,
            _workspace(workspace_id),
            required_id(user_id, field="user_id"),
            data.role,
        )
        return MemberItem.of(member)

    @delete("/{user_id:str}", operation_id="admin.members.delete")
    async def remove(
        self,
        *,
        principal: NamedDependency[Principal],
        members: NamedDependency[MemberService],
        workspace_id: FromPath[str],
        user_id: FromPath[str],
    ) -> None:
        """Dismiss a member, or leave."""
        number = required_id(user_id, field="user_id")
        result = await members.remove(principal, _workspace(workspace_id), [number])
        if result.not_members:
            raise NotFound(f"User {number} is not a member.", user_id=number)
        if result.owners:
            raise Conflict("Only an owner dismisses owners, and never the last one.")


class AdminTokenController(Controller):
    """The caller's access tokens."""

    path = "/admin/v1"

    @get("/tokens", operation_id="admin.tokens.list")
    async def list_tokens(
        self,
        *,
        principal: NamedDependency[Principal],
        tokens: NamedDependency[TokenService],
        paging: NamedDependency[Paging],
    ) -> TokenItems:
        """List personal tokens, newest first."""
        found = await tokens.page(principal, before=paging.last_id, limit=paging.size)
        return TokenItems(
            items=TokenItem.each(found.items),
            total=found.total,
            next_cursor=id_or_none(found.next_before),
        )

    @post("/tokens", operation_id="admin.tokens.create")
    async def create(
        self,
        *,
        data: JSONBody[CreateTokenBody],
        principal: NamedDependency[Principal],
        tokens: NamedDependency[TokenService],
    ) -> TokenCreated:
        """Make a personal token; its text is shown this once."""
        made = await tokens.create(principal, data.command())
        return TokenCreated.of(made.token, token=made.text.reveal())

    @post("/tokens:issue", operation_id="admin.tokens.issue_for_browser")
    async def issue(
        self,
        *,
        data: JSONBody[IssueTokenBody],
        principal: NamedDependency[Principal],
        tokens: NamedDependency[TokenService],
    ) -> IssuedToken:
        """Make a short-lived token for chatting from a browser."""
        return IssuedToken.of(await tokens.issue(principal, data.command()))

    @get("/tokens/{token_id:str}", operation_id="admin.tokens.get")
    async def read(
        self,
        *,
        principal: NamedDependency[Principal],
        tokens: NamedDependency[TokenService],
        token_id: FromPath[str],
    ) -> TokenItem:
        """Show a token without its text."""
        return TokenItem.of(await tokens.get(principal, required_id(token_id, field="token_id")))

    @patch("/tokens/{token_id:str}", operation_id="admin.tokens.update")
    async def rename(
        self,
        *,
        data: JSONBody[RenameTokenBody],
        principal: NamedDependency[Principal],
        tokens: NamedDependency[TokenService],
        token_id: FromPath[str],
    ) -> TokenItem:
        """Give a token another name."""
        return TokenItem.of(
            await tokens.rename(principal, required_id(token_id, field="token_id"), data.name)
        )

    @delete("/tokens/{token_id:str}", operation_id="admin.tokens.delete")
    async def revoke(
        self,
        *,
        principal: NamedDependency[Principal],
        tokens: NamedDependency[TokenService],
        token_id: FromPath[str],
    ) -> None:
        """Revoke a token for good."""
        await tokens.revoke(principal, required_id(token_id, field="token_id"))


class AdminUserController(Controller):
    """Accounts, for administrators."""

    path = "/admin/v1"

    @get("/users", operation_id="admin.users.list")
    async def list_users(
        self,
        *,
        principal: NamedDependency[Principal],
        users: NamedDependency[UserService],
        q: FromQuery[str | None] = None,
        paging: NamedDependency[Paging],
    ) -> UserItems:
        """List accounts, newest first."""
        found = await users.page(
            principal,
            before=paging.last_id,
            limit=paging.size,
            text=q or "",
        )
        return UserItems(
            items=UserItem.each(found.items),
            total=found.total,
            next_cursor=id_or_none(found.next_before),
        )

    @post("/users", operation_id="admin.users.create")
    async def create_user(
        self,
        *,
        data: JSONBody[CreateUserBody],
        principal: NamedDependency[Principal],
        users: NamedDependency[UserService],
    ) -> UserCreated:
        """Open an account with a personal workspace and a first token, shown this once."""
        command = CreateUser(
            name=data.name,
            nickname=data.nickname or "",
            is_admin=data.is_admin,
            email=data.email or "",
            is_email_trusted=True,
        )
        created = await users.create(principal, command)
        return UserCreated(user=UserItem.of(created.user), token=created.token.reveal())

    @patch("/users/{user_id:str}", operation_id="admin.users.update")
    async def update_user(
        self,
        *,
        data: JSONBody[UpdateUserBody],
        principal: NamedDependency[Principal],
        users: NamedDependency[UserService],
        user_id: FromPath[str],
    ) -> UserItem:
        """Stop an account with all its tokens, let it work again, or note its e-mail address."""
        number = required_id(user_id, field="user_id")
        found = None
        if data.email is not UNSET:
            found = await users.set_email(principal, number, data.email or "")
        if data.is_disabled is not UNSET:
            found = await users.set_disabled(principal, number, disabled=data.is_disabled)
        if found is None:
            raise InvalidRequest("Say what to change: is_disabled or email.", field="is_disabled")
        return UserItem.of(found)

    @post("/users/{user_id:str}/link", operation_id="admin.users.create_link")
    async def create_link(
        self,
        *,
        principal: NamedDependency[Principal],
        sign_in: NamedDependency[SignInService],
        pages: NamedDependency[SignInPages],
        user_id: FromPath[str],
    ) -> SignInLink:
        """Make a link that signs an account in once, within 30 minutes, to set its password."""
        ticket = await sign_in.make_link(principal, required_id(user_id, field="user_id"))
        return SignInLink(url=pages.welcome_url(ticket.reveal()))

    @get("/users/{user_id:str}/sessions", operation_id="admin.users.list_sessions")
    async def list_sessions(
        self,
        *,
        principal: NamedDependency[Principal],
        account: NamedDependency[AccountService],
        user_id: FromPath[str],
    ) -> SessionItems:
        """List where an account is signed in, the latest first."""
        number = required_id(user_id, field="user_id")
        return SessionItems.of_page(await account.sessions_of(principal, number))

    @delete("/users/{user_id:str}/sessions", operation_id="admin.users.delete_sessions")
    async def end_sessions(
        self,
        *,
        principal: NamedDependency[Principal],
        account: NamedDependency[AccountService],
        user_id: FromPath[str],
    ) -> None:
        """Sign an account out everywhere."""
        await account.sign_out_account(principal, required_id(user_id, field="user_id"))


def _workspace(workspace_id: str) -> int:
    return required_id(workspace_id, field="workspace_id")
