"""Commands and views of the identity use cases; surfaces translate them to their wires."""

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Annotated, Any, Literal

import msgspec

from application.shared.page import Below, Listed
from application.shared.projection import At, By, Projection
from domain.identity.audit import AuditEntry, AuditQuery, Verdict
from domain.identity.entity import ApiToken, Space, User
from domain.identity.grant import Group, ResourceGrant
from domain.identity.repository import Member
from domain.identity.value import SpaceKind, SpaceLanguage, SubjectType, TokenKind
from domain.shared.access import GrantLevel, Permission, ResourceKind, Role
from domain.shared.capacity.space_limits import NONE_OF_ITS_OWN, SpaceLimits
from domain.shared.ids import Id
from domain.shared.secret import Secret


class UserView(Projection, of=User, only=()):
    """An account."""

    id: Id
    name: str
    nickname: str
    avatar_url: str
    email: str
    is_admin: bool
    is_disabled: bool
    personal_space_id: Id
    created_at: datetime


class UserPage(Below[UserView]):
    """One page of accounts."""


class CreateUser(msgspec.Struct, frozen=True, kw_only=True):
    """Open an account with a personal space."""

    name: str
    nickname: str = ""
    is_admin: bool = False
    email: str = ""
    is_email_trusted: bool = False


class CreatedUser(msgspec.Struct, frozen=True, kw_only=True):
    """A new account with its first token, which is shown this once."""

    user: UserView
    token: Secret


def _own_limits(limits: SpaceLimits | None) -> SpaceLimits:
    return limits or NONE_OF_ITS_OWN


class SpaceView(Projection, of=Space, only=()):
    """A workspace as one of its members sees it; ``role`` is the viewer's own."""

    id: Id
    kind: SpaceKind
    name: str
    description: str
    icon_url: str
    """Address of the icon, which is shown without a sign-in; empty for none."""
    role: Role | None
    created_at: datetime
    updated_at: datetime
    suspended_at: datetime | None
    """Since when it is closed for everyone, in Unix seconds; null: it is open."""
    default_model: str
    """Id of the model that answers where an agent or a node names none; empty: the deployment's."""
    language: SpaceLanguage
    """In which new agents begin; empty: in that of whoever writes."""
    limits: Annotated[SpaceLimits, By(_own_limits)]


class SpaceOverview(Projection, of=Space, only=()):
    """A workspace as whoever administers the deployment sees it, without its contents."""

    id: Id
    kind: SpaceKind
    name: str
    members: int
    created_at: datetime
    suspended_at: datetime | None
    deleted_at: datetime | None
    limits: Annotated[SpaceLimits, By(_own_limits)]


class DeletedSpace(Projection, of=Space, only=()):
    """A workspace that was deleted, as whoever owned it sees it."""

    id: Id
    name: str
    deleted_at: datetime | None
    restorable_until: datetime | None


class SpacePage(Listed[SpaceView]):
    """One page of workspaces."""


class CreateSpace(msgspec.Struct, frozen=True, kw_only=True):
    """Open a team workspace."""

    name: str
    description: str = ""
    icon_url: str = ""


class UpdateSpace(msgspec.Struct, frozen=True, kw_only=True):
    """Change a workspace; None leaves a value."""

    space_id: Id
    name: str | None = None
    description: str | None = None
    icon_url: str | None = None


class SetSpaceDefaults(msgspec.Struct, frozen=True, kw_only=True):
    """Change what things of a workspace begin with; None leaves a value."""

    space_id: Id
    default_model: str | None = None
    language: SpaceLanguage | None = None


class MemberView(Projection, of=Member, only=()):
    """A member of a workspace."""

    user_id: Annotated[Id, At("user.id")]
    name: Annotated[str, At("user.name")]
    nickname: Annotated[str, At("user.nickname")]
    avatar_url: Annotated[str, At("user.avatar_url")]
    role: Role
    joined_at: datetime


class MemberPage(Listed[MemberView]):
    """One page of members."""


class NewMember(msgspec.Struct, frozen=True, kw_only=True):
    """An account to admit."""

    user_id: Id
    role: Role


class MembersAdded(msgspec.Struct, frozen=True, kw_only=True):
    """What became of each account."""

    added: tuple[int, ...]
    unknown: tuple[int, ...]
    already_members: tuple[int, ...]


class MembersRemoved(msgspec.Struct, frozen=True, kw_only=True):
    """What became of each account."""

    removed: tuple[int, ...]
    not_members: tuple[int, ...]
    owners: tuple[int, ...]


class GroupView(Projection, of=Group, only=()):
    """A group; workspace 0 is the deployment."""

    id: Id
    space_id: Id
    name: str
    created_at: datetime
    updated_at: datetime


class GroupMemberView(Projection, of=User, only=()):
    """An account in a group."""

    user_id: Annotated[Id, At("id")]
    name: str
    nickname: str


class GroupDetail(GroupView):
    """A group with its members, by name."""

    members: tuple[GroupMemberView, ...]


class GroupPage(Below[GroupView]):
    """One page of groups."""


class GrantView(Projection, of=ResourceGrant, only=()):
    """A right of an account or a group on one resource."""

    id: Id
    space_id: Id
    resource_type: ResourceKind
    resource_id: Id
    subject_type: SubjectType
    subject_id: Id
    level: GrantLevel
    granted_by: Id
    created_at: datetime
    updated_at: datetime


class GrantPage(Listed[GrantView]):
    """All grants on a resource."""


class GiveGrant(msgspec.Struct, frozen=True, kw_only=True):
    """Give an account or a group a right on a resource, instead of what it has there."""

    resource_type: ResourceKind
    resource_id: Id
    subject_type: SubjectType
    subject_id: Id
    level: GrantLevel


def in_order(granted: Collection[Any] | None) -> tuple[Any, ...] | None:
    """List what a token leaves, always in the same order."""
    return None if granted is None else tuple(sorted(granted))


class TokenView(Projection, of=ApiToken, only=()):
    """A token without its text; None among the limits means no limit."""

    id: Id
    kind: TokenKind
    name: str
    last4: str
    permissions: Annotated[tuple[Permission, ...] | None, At("grant.permissions"), By(in_order)]
    space_ids: Annotated[tuple[Id, ...] | None, At("grant.space_ids"), By(in_order)]
    agent_ids: Annotated[tuple[Id, ...] | None, At("grant.agent_ids"), By(in_order)]
    end_user_id: Annotated[str, At("grant.end_user_id")]
    created_at: datetime
    updated_at: datetime
    expires_at: datetime | None
    last_used_at: datetime | None


class TokenPage(Below[TokenView]):
    """One page of tokens."""


class NewToken(msgspec.Struct, frozen=True, kw_only=True):
    """A token with its text, which is shown this once."""

    token: TokenView
    text: Secret


class CreateToken(msgspec.Struct, frozen=True, kw_only=True):
    """Make a personal token; at most one of the expiries, neither means that it never expires.

    None among the limits takes over those of the token that creates it.
    """

    name: str
    duration_days: Literal[1, 30, 60, 90, 180, 365] | None = None
    expires_at: datetime | None = None
    permissions: frozenset[Permission] | None = None
    space_ids: frozenset[int] | None = None
    agent_ids: frozenset[int] | None = None


class IssueToken(msgspec.Struct, frozen=True, kw_only=True):
    """Make a short-lived token for chatting from a browser."""

    duration_s: int = 900
    agent_ids: frozenset[int]
    end_user_id: str = ""


def _detail(text: str | bytes) -> dict[str, object]:
    return msgspec.json.decode(text, type=dict[str, object])


def _changes(text: str | bytes | None) -> dict[str, object]:
    return _detail(text) if text else {}


def _hex(digest: bytes | None) -> str | None:
    return None if digest is None else digest.hex()


class AuditView(Projection, of=AuditEntry, only=()):
    """A line of the audit log."""

    id: Id
    space_id: Id
    actor_id: Id
    action: str
    resource: str
    result: str
    detail: Annotated[Mapping[str, object], By(_detail)]
    log_id: str
    at: datetime
    token_id: Id | None
    session_id: Id | None
    address: str | None
    resource_name: str | None
    changes: Annotated[Mapping[str, object], By(_changes)]
    position: int | None
    digest: Annotated[str | None, By(_hex)]


class AuditFilter(AuditQuery):
    """Which entries to show."""


class ChainView(Projection, of=Verdict, only=()):
    """Whether the chain of the audit log holds."""

    is_intact: bool
    checked: int
    unchained: int
    broken_at: Id | None
    is_complete: bool


class AuditPage(Below[AuditView]):
    """One page of the audit log."""
