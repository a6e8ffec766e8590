"""Bodies of the identity routes on the admin surface."""

from datetime import UTC, datetime
from typing import Any, Literal

import msgspec

from api.wire import WireId, required_id, seconds
from application.identity.dto import (
    AuditView,
    CreateToken,
    IssueToken,
    MemberView,
    NewToken,
    SpaceView,
    TokenView,
    UserView,
)
from domain.shared.access import Permission, Role
from domain.shared.error import InvalidRequest

_MAX_SECONDS = 253_402_300_799  # the last second of the year 9999


class WorkspaceItem(msgspec.Struct, frozen=True, kw_only=True):
    """A workspace; ``role`` is the caller's own."""

    id: str
    type: str
    name: str
    description: str
    icon_url: str
    role: Role
    created_at: int
    updated_at: int

    @classmethod
    def of(cls, space: SpaceView) -> "WorkspaceItem":
        """Spell a workspace."""
        return cls(
            id=str(space.id),
            type=space.kind.value,
            name=space.name,
            description=space.description,
            icon_url=space.icon_url,
            role=space.role,
            created_at=seconds(space.created_at),
            updated_at=seconds(space.updated_at),
        )


class WorkspaceItems(msgspec.Struct, frozen=True, kw_only=True):
    """One page of workspaces."""

    items: list[WorkspaceItem]
    total: int
    next_cursor: str | None


class CreateWorkspaceBody(msgspec.Struct, frozen=True, kw_only=True):
    """A team workspace to open."""

    name: str
    description: str | None = None
    icon_url: str | None = None


class UpdateWorkspaceBody(msgspec.Struct, frozen=True, kw_only=True):
    """Changes; null resets description and icon to nothing."""

    name: str | msgspec.UnsetType = msgspec.UNSET
    description: str | msgspec.UnsetType | None = msgspec.UNSET
    icon_url: str | msgspec.UnsetType | None = msgspec.UNSET


class MemberItem(msgspec.Struct, frozen=True, kw_only=True):
    """A member with the exact role."""

    user_id: str
    name: str
    nickname: str
    avatar_url: str
    role: Role
    joined_at: int

    @classmethod
    def of(cls, member: MemberView) -> "MemberItem":
        """Spell a member."""
        return cls(
            user_id=str(member.user_id),
            name=member.name,
            nickname=member.nickname,
            avatar_url=member.avatar_url,
            role=member.role,
            joined_at=seconds(member.joined_at),
        )


class MemberItems(msgspec.Struct, frozen=True, kw_only=True):
    """One page of members."""

    items: list[MemberItem]
    total: int
    next_cursor: str | None


class AddMemberBody(msgspec.Struct, frozen=True, kw_only=True):
    """An account to admit."""

    user_id: WireId
    role: Role = Role.EDITOR


class SetRoleBody(msgspec.Struct, frozen=True, kw_only=True):
    """Another role for a member."""

    role: Role


class TokenItem(msgspec.Struct, frozen=True, kw_only=True):
    """A token without its text; null among the limits means no limit, and expiry never."""

    id: str
    name: str
    last4: str
    permissions: list[Permission] | None
    workspace_ids: list[str] | None
    bot_ids: list[str] | None
    user_id: str
    created_at: int
    updated_at: int
    expires_at: int | None
    last_used_at: int | None

    @classmethod
    def of(cls, token: TokenView) -> "TokenItem":
        """Spell a token."""
        return cls(**_token_fields(token))


class TokenItems(msgspec.Struct, frozen=True, kw_only=True):
    """One page of tokens."""

    items: list[TokenItem]
    total: int
    next_cursor: str | None


class NewTokenItem(TokenItem, frozen=True, kw_only=True):
    """A new token with its text, shown this once."""

    token: str

    @classmethod
    def made(cls, created: NewToken) -> "NewTokenItem":
        """Spell a new token."""
        return cls(**_token_fields(created.token), token=created.text.reveal())


class CreateTokenBody(msgspec.Struct, frozen=True, kw_only=True):
    """A personal token; at most one of the expiries, neither means never."""

    name: str
    duration_days: Literal[1, 30, 60, 90, 180, 365] | None = None
    expires_at: int | None = None
    permissions: list[Permission] | None = None
    workspace_ids: list[WireId] | None = None

    def command(self) -> CreateToken:
        """Read the body."""
        spaces = self.workspace_ids
        return CreateToken(
            name=self.name,
            duration_days=self.duration_days,
            expires_at=_instant(self.expires_at, field="expires_at"),
            permissions=None if self.permissions is None else frozenset(self.permissions),
            space_ids=(
                None
                if spaces is None
                else frozenset(required_id(each, field="workspace_ids") for each in spaces)
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


class UserItem(msgspec.Struct, frozen=True, kw_only=True):
    """An account."""

    id: str
    name: str
    nickname: str
    avatar_url: str
    is_admin: bool
    is_disabled: bool
    personal_workspace_id: str
    created_at: int

    @classmethod
    def of(cls, user: UserView) -> "UserItem":
        """Spell an account."""
        return cls(
            id=str(user.id),
            name=user.name,
            nickname=user.nickname,
            avatar_url=user.avatar_url,
            is_admin=user.is_admin,
            is_disabled=user.is_disabled,
            personal_workspace_id=str(user.personal_space_id),
            created_at=seconds(user.created_at),
        )


class UserItems(msgspec.Struct, frozen=True, kw_only=True):
    """One page of accounts."""

    items: list[UserItem]
    total: int
    next_cursor: str | None


class CreateUserBody(msgspec.Struct, frozen=True, kw_only=True):
    """An account to open."""

    name: str
    nickname: str | None = None
    is_admin: bool = False


class NewUserItem(msgspec.Struct, frozen=True, kw_only=True):
    """A new account with its first token, shown this once."""

    user: UserItem
    token: str


class UpdateUserBody(msgspec.Struct, frozen=True, kw_only=True):
    """Stop an account or let it work again."""

    is_disabled: bool


class AuditItem(msgspec.Struct, frozen=True, kw_only=True):
    """A line of the audit log; workspace ``0`` is the deployment, actor ``0`` the system."""

    id: str
    workspace_id: str
    actor_id: str
    action: str
    resource: str
    result: str
    detail: dict[str, Any]
    log_id: str
    at: int

    @classmethod
    def of(cls, entry: AuditView) -> "AuditItem":
        """Spell an entry; ids inside become strings."""
        return cls(
            id=str(entry.id),
            workspace_id=str(entry.space_id),
            actor_id=str(entry.actor_id),
            action=entry.action,
            resource=entry.resource,
            result=entry.result,
            detail={name: _spell(value) for name, value in entry.detail.items()},
            log_id=entry.log_id,
            at=seconds(entry.at),
        )


class AuditItems(msgspec.Struct, frozen=True, kw_only=True):
    """One page of the audit log."""

    items: list[AuditItem]
    total: int
    next_cursor: str | None


def _token_fields(token: TokenView) -> dict[str, Any]:
    return {
        "id": str(token.id),
        "name": token.name,
        "last4": token.last4,
        "permissions": None if token.permissions is None else list(token.permissions),
        "workspace_ids": None if token.space_ids is None else [str(s) for s in token.space_ids],
        "bot_ids": None if token.agent_ids is None else [str(a) for a in token.agent_ids],
        "user_id": token.end_user_id,
        "created_at": seconds(token.created_at),
        "updated_at": seconds(token.updated_at),
        "expires_at": None if token.expires_at is None else seconds(token.expires_at),
        "last_used_at": None if token.last_used_at is None else seconds(token.last_used_at),
    }


def _instant(value: int | None, *, field: str) -> datetime | None:
    if value is None:
        return None
    if not 0 <= value <= _MAX_SECONDS:
        raise InvalidRequest(f"{field}: expected Unix seconds.", field=field)
    return datetime.fromtimestamp(value, UTC)


def _spell(value: object) -> object:
    """Turn numbers into strings: on every wire, ids are strings."""
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return [_spell(each) for each in value] if isinstance(value, list) else value
