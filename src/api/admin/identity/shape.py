"""Bodies of the identity routes on the admin surface."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Annotated, Any, Literal

import msgspec

from api.shape import Fields, Shape
from api.wire import WireId, required_id, seconds
from application.identity.dto import (
    AuditView,
    ChainView,
    CreateToken,
    DeletedSpace,
    GiveGrant,
    GrantView,
    GroupDetail,
    GroupMemberView,
    GroupView,
    IssueToken,
    MemberView,
    NewToken,
    SpaceOverview,
    SpaceView,
    TokenView,
    UserView,
)
from application.shared.page import Paged, Whole
from application.shared.projection import By
from domain.identity.value import SubjectType
from domain.shared.access import GrantLevel, Permission, ResourceKind, Role
from domain.shared.capacity.space_limits import SpaceLimits
from domain.shared.error import InvalidRequest

_MAX_SECONDS = 253_402_300_799  # the last second of the year 9999


class WorkspaceLimits(Fields, of=SpaceLimits):
    """Limits of one workspace: null is what the deployment allows every one, 0 any number."""


class WorkspaceItem(Shape, of=SpaceView, rename={"kind": "type"}):
    """A workspace; ``role`` is the caller's own, null where they have none."""

    kind: str
    limits: WorkspaceLimits


class WorkspaceItems(Paged[WorkspaceItem]):
    """One page of workspaces."""


class WorkspaceOverview(
    Shape, of=SpaceOverview, rename={"kind": "type", "members": "member_count"}
):
    """A workspace of the deployment, without its contents."""

    kind: str
    limits: WorkspaceLimits


class WorkspaceOverviews(msgspec.Struct, frozen=True, kw_only=True):
    """One page of all workspaces."""

    items: list[WorkspaceOverview]
    next_cursor: str | None
    total: int | None = None
    """Always null: they are not counted."""


class DeletedWorkspace(Shape, of=DeletedSpace):
    """A workspace that was deleted; times in Unix seconds."""


class DeletedWorkspaces(msgspec.Struct, frozen=True, kw_only=True):
    """One page of what can be restored."""

    items: list[DeletedWorkspace]
    next_cursor: str | None
    total: int | None = None
    """Always null: they are not counted."""


class CreateWorkspaceBody(msgspec.Struct, frozen=True, kw_only=True):
    """A team workspace to open."""

    name: str
    description: str | None = None
    icon_url: str | None = None


class TransferWorkspaceBody(msgspec.Struct, frozen=True, kw_only=True):
    """Who shall own a workspace."""

    user_id: WireId
    """Id of a member."""


class UpdateWorkspaceBody(msgspec.Struct, frozen=True, kw_only=True):
    """Changes; null resets what it is given for to nothing."""

    name: str | msgspec.UnsetType = msgspec.UNSET
    description: str | msgspec.UnsetType | None = msgspec.UNSET
    icon_url: str | msgspec.UnsetType | None = msgspec.UNSET
    default_model: str | msgspec.UnsetType | None = msgspec.UNSET
    """Id, name or alias of the model that answers where an agent or a node names none; null leaves
    that to the deployment."""
    language: Literal["en", "zh"] | msgspec.UnsetType | None = msgspec.UNSET
    """In which the texts of new agents are proposed; null is that of whoever writes."""
    suspended: bool | msgspec.UnsetType = msgspec.UNSET
    """`true` closes it for everyone; only administrators of the deployment, members or not."""
    limits: WorkspaceLimits | msgspec.UnsetType = msgspec.UNSET
    """Limits of its own, replaced as a whole; only administrators of the deployment."""


class MemberItem(Shape, of=MemberView):
    """A member with the exact role."""


class MemberItems(Paged[MemberItem]):
    """One page of members."""


class AddMemberBody(msgspec.Struct, frozen=True, kw_only=True):
    """An account to admit: its id, or the name that it signs in with."""

    user_id: WireId | None = None
    name: str | None = None
    role: Role = Role.EDITOR


class SetRoleBody(msgspec.Struct, frozen=True, kw_only=True):
    """Another role for a member."""

    role: Role


class GroupItem(Shape, of=GroupView):
    """A group of accounts; workspace ``0`` is the deployment."""


class GroupItems(Paged[GroupItem]):
    """One page of groups."""


class GroupMemberItem(Shape, of=GroupMemberView):
    """An account in a group."""


class GroupWithMembers(Shape, of=GroupDetail):
    """A group with its members, by name."""

    members: list[GroupMemberItem]


class GroupBody(msgspec.Struct, frozen=True, kw_only=True):
    """Name of a group."""

    name: str


class GrantItem(Shape, of=GrantView):
    """A right of an account or a group on one resource."""


class GrantItems(Whole[GrantItem]):
    """All grants on a resource."""


class GiveGrantBody(msgspec.Struct, frozen=True, kw_only=True):
    """A right on a resource for an account or a group."""

    resource_type: ResourceKind
    resource_id: WireId
    subject_type: SubjectType
    subject_id: WireId
    level: GrantLevel

    def command(self) -> GiveGrant:
        """Read the body."""
        return GiveGrant(
            resource_type=self.resource_type,
            resource_id=required_id(self.resource_id, field="resource_id"),
            subject_type=self.subject_type,
            subject_id=required_id(self.subject_id, field="subject_id"),
            level=self.level,
        )


class TokenItem(
    Shape,
    of=TokenView,
    without=("kind",),
    rename={"space_ids": "workspace_ids", "agent_ids": "bot_ids", "end_user_id": "user_id"},
):
    """A token without its text; null among the limits means no limit, and expiry never."""


class TokenItems(Paged[TokenItem]):
    """One page of tokens."""


class TokenCreated(TokenItem):
    """A new token with its text, shown this once."""

    token: str


class CreateTokenBody(msgspec.Struct, frozen=True, kw_only=True):
    """A personal token; at most one of the expiries, neither means never."""

    name: str
    duration_days: Literal[1, 30, 60, 90, 180, 365] | None = None
    expires_at: int | None = None
    permissions: list[Permission] | None = None
    workspace_ids: list[WireId] | None = None
    bot_ids: list[WireId] | None = None

    def command(self) -> CreateToken:
        """Read the body."""
        spaces, agents = self.workspace_ids, self.bot_ids
        return CreateToken(
            name=self.name,
            duration_days=self.duration_days,
            expires_at=instant(self.expires_at, field="expires_at"),
            permissions=None if self.permissions is None else frozenset(self.permissions),
            space_ids=(
                None
                if spaces is None
                else frozenset(required_id(each, field="workspace_ids") for each in spaces)
            ),
            agent_ids=(
                None
                if agents is None
                else frozenset(required_id(each, field="bot_ids") for each in agents)
            ),
        )


class RenameTokenBody(msgspec.Struct, frozen=True, kw_only=True):
    """Another name for a token."""

    name: str


class IssueTokenBody(msgspec.Struct, frozen=True, kw_only=True):
    """A short-lived token for a browser that chats with these agents."""

    bot_ids: list[WireId]
    duration_seconds: int = 900
    user_id: str | None = None

    def command(self) -> IssueToken:
        """Read the body."""
        return IssueToken(
            duration_s=self.duration_seconds,
            agent_ids=frozenset(required_id(each, field="bot_ids") for each in self.bot_ids),
            end_user_id=self.user_id or "",
        )


class IssuedToken(msgspec.Struct, frozen=True, kw_only=True):
    """A short-lived token with its text; ``expires_at`` in Unix seconds."""

    token: str
    expires_at: int
    bot_ids: list[str]
    user_id: str

    @classmethod
    def of(cls, created: NewToken) -> "IssuedToken":
        """Spell a short-lived token."""
        token = created.token
        return cls(
            token=created.text.reveal(),
            expires_at=0 if token.expires_at is None else seconds(token.expires_at),
            bot_ids=[str(agent_id) for agent_id in token.agent_ids or ()],
            user_id=token.end_user_id,
        )


class UserItem(Shape, of=UserView, rename={"personal_space_id": "personal_workspace_id"}):
    """An account."""


class UserItems(Paged[UserItem]):
    """One page of accounts."""


class CreateUserBody(msgspec.Struct, frozen=True, kw_only=True):
    """An account to open."""

    name: str
    nickname: str | None = None
    is_admin: bool = False
    email: str | None = None
    """E-mail address, by which a trusted provider's sign-in finds the account."""


class UserCreated(msgspec.Struct, frozen=True, kw_only=True):
    """A new account with its first token, shown this once."""

    user: UserItem
    token: str


class UpdateUserBody(msgspec.Struct, frozen=True, kw_only=True):
    """Changes of an account; what is absent stays."""

    is_disabled: bool | msgspec.UnsetType = msgspec.UNSET
    email: str | msgspec.UnsetType | None = msgspec.UNSET
    """E-mail address, by which a trusted provider's sign-in finds the account; null: none."""


def _spell(value: object) -> object:
    """Turn numbers into strings: on every wire, ids are strings."""
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return [_spell(each) for each in value] if isinstance(value, list) else value


def _detail(detail: Mapping[str, object]) -> dict[str, object]:
    return {name: _spell(value) for name, value in detail.items()}


class AuditItem(Shape, of=AuditView):
    """A line of the audit log; workspace ``0`` is the deployment, actor ``0`` the system."""

    detail: Annotated[dict[str, Any], By(_detail)]
    changes: Annotated[dict[str, Any], By(_detail)]


class ChainReport(Shape, of=ChainView):
    """Whether the chain of the audit log holds."""


class AuditItems(Paged[AuditItem]):
    """One page of the audit log."""


def instant(value: int | None, *, field: str) -> datetime | None:
    """Read Unix seconds; raise ``InvalidRequest``."""
    if value is None:
        return None
    if not 0 <= value <= _MAX_SECONDS:
        raise InvalidRequest(f"{field}: expected Unix seconds.", field=field)
    return datetime.fromtimestamp(value, UTC)
