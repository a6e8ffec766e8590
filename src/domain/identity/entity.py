"""Accounts, spaces with their members, access tokens, and events that the audit log keeps."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final, Self

from domain.identity import value
from domain.identity.error import (
    LastOwner,
    MemberNotFound,
    OwnersOnly,
    PersonalSpaceFixed,
    SpaceNotFound,
)
from domain.identity.value import SpaceKind, SpaceLanguage, TokenKind
from domain.shared.access import Grant, Resource, Role, Share
from domain.shared.aggregate import Aggregate, DomainEvent
from domain.shared.capacity.space_limits import NONE_OF_ITS_OWN, SpaceLimits
from domain.shared.ids import SpaceId, TokenId, UserId


class UserCreated(DomainEvent, frozen=True, kw_only=True, tag="user.created"):
    """An account was made."""

    name: str
    is_admin: bool


class UserDisabled(DomainEvent, frozen=True, kw_only=True, tag="user.disabled"):
    """The account and all its tokens stopped working."""


class UserEnabled(DomainEvent, frozen=True, kw_only=True, tag="user.enabled"):
    """The account works again."""


class SpaceCreated(DomainEvent, frozen=True, kw_only=True, tag="space.created"):
    """A workspace was made."""

    name: str
    kind: str


class SpaceRenamed(DomainEvent, frozen=True, kw_only=True, tag="space.renamed"):
    """A workspace got another name or description."""

    name: str


class SpaceDeleted(DomainEvent, frozen=True, kw_only=True, tag="space.deleted"):
    """A workspace is gone for everyone; for some days it can be taken back."""


class SpaceSuspended(DomainEvent, frozen=True, kw_only=True, tag="space.suspended"):
    """A workspace is closed for everyone for a while."""


class SpaceResumed(DomainEvent, frozen=True, kw_only=True, tag="space.resumed"):
    """A workspace is open again."""


class SpaceLimited(DomainEvent, frozen=True, kw_only=True, tag="space.limited"):
    """A workspace may have more or less than the others, or as much again."""


class SpaceDefaultsChanged(DomainEvent, frozen=True, kw_only=True, tag="space.defaults_changed"):
    """What is made in a workspace begins with another model or language."""

    default_model: str
    language: str


class SpaceRestored(DomainEvent, frozen=True, kw_only=True, tag="space.restored"):
    """A workspace that was deleted is there again."""


class MemberAdded(DomainEvent, frozen=True, kw_only=True, tag="membership.added"):
    """An account joined a workspace."""

    user_id: int
    role: str


class MemberRoleChanged(DomainEvent, frozen=True, kw_only=True, tag="membership.role_changed"):
    """A member has another role."""

    user_id: int
    role: str
    former_role: str


class MemberRemoved(DomainEvent, frozen=True, kw_only=True, tag="membership.removed"):
    """An account left a workspace, by its own will or not."""

    user_id: int


class TokenCreated(DomainEvent, frozen=True, kw_only=True, tag="token.created"):
    """A credential was made; its text is known to its owner alone."""

    user_id: int
    name: str
    kind: str
    last4: str


class TokenRenamed(DomainEvent, frozen=True, kw_only=True, tag="token.renamed"):
    """A credential got another name."""

    user_id: int
    name: str


class TokenRevoked(DomainEvent, frozen=True, kw_only=True, tag="token.revoked"):
    """A credential stopped working for good."""

    user_id: int
    name: str
    last4: str


@dataclass(kw_only=True, eq=False)
class User(Aggregate):
    """An account on this deployment."""

    id: UserId
    name: str
    nickname: str
    avatar_url: str
    personal_space_id: SpaceId
    is_admin: bool
    created_at: datetime
    disabled_at: datetime | None = None
    email: str = ""
    is_email_trusted: bool = False
    """Somebody else than the account says that it is its address: an administrator, a provider."""

    @classmethod
    def create(
        cls,
        *,
        id: UserId,  # noqa: A002 - the field's name
        name: str,
        nickname: str = "",
        email: str = "",
        is_email_trusted: bool = False,
        personal_space_id: SpaceId,
        is_admin: bool = False,
        actor_id: UserId,
        now: datetime,
    ) -> Self:
        """Open an account; raise ``InvalidIdentity`` for a bad name."""
        name = value.user_name(name)
        user = cls(
            id=id,
            name=name,
            nickname=value.display_name(nickname or name, field="nickname"),
            avatar_url="",
            personal_space_id=personal_space_id,
            is_admin=is_admin,
            created_at=now,
            email=value.email_address(email),
            is_email_trusted=bool(email) and is_email_trusted,
        )
        user.record(UserCreated(name=name, is_admin=is_admin), at=now, by=actor_id)
        return user

    @property
    def is_disabled(self) -> bool:
        return self.disabled_at is not None

    def describe(self, *, nickname: str | None = None, avatar_url: str | None = None) -> None:
        """Change what others see; None leaves a value."""
        if nickname is not None:
            self.nickname = value.display_name(nickname, field="nickname")
        if avatar_url is not None:
            self.avatar_url = value.picture_url(avatar_url, field="avatar_url")

    def set_email(self, email: str, *, is_trusted: bool) -> None:
        """Give the account an address, or take it; raise ``InvalidIdentity``."""
        self.email = value.email_address(email)
        self.is_email_trusted = bool(self.email) and is_trusted

    def disable(self, *, actor_id: UserId, now: datetime) -> None:
        """Stop the account and all its tokens."""
        if self.disabled_at is None:
            self.disabled_at = now
            self.record(UserDisabled(), at=now, by=actor_id)

    def enable(self, *, actor_id: UserId, now: datetime) -> None:
        """Let a disabled account work again."""
        if self.disabled_at is not None:
            self.disabled_at = None
            self.record(UserEnabled(), at=now, by=actor_id)


GRACE: Final = timedelta(days=7)
"""Within which a deletion can be taken back."""


@dataclass(frozen=True, slots=True)
class Membership:
    """An account's standing in a space."""

    role: Role
    joined_at: datetime


@dataclass(kw_only=True, eq=False)
class Space(Aggregate):
    """A tenant: the owner of agents, files and conversations, with its members.

    At least one owner at any time; a personal space has exactly one member.
    """

    id: SpaceId
    kind: SpaceKind
    name: str
    description: str
    icon_url: str
    created_at: datetime
    updated_at: datetime
    deleted_at: datetime | None = None
    suspended_at: datetime | None = None
    limits: SpaceLimits | None = None
    """Its own, where it has some."""
    default_model: str = ""
    """Answers where an agent or a node names none; empty: the deployment's."""
    language: SpaceLanguage = ""
    members: dict[UserId, Membership] = field(default_factory=dict)

    @classmethod
    def create(
        cls,
        *,
        id: SpaceId,  # noqa: A002 - the field's name
        kind: SpaceKind,
        name: str,
        description: str = "",
        icon_url: str = "",
        owner_id: UserId,
        actor_id: UserId,
        now: datetime,
    ) -> Self:
        """Open a space with its first owner; raise ``InvalidIdentity`` for a bad name."""
        space = cls(
            id=id,
            kind=kind,
            name=value.display_name(name),
            description=value.description(description),
            icon_url=value.picture_url(icon_url, field="icon_url"),
            created_at=now,
            updated_at=now,
            members={owner_id: Membership(Role.OWNER, now)},
        )
        space.record(SpaceCreated(name=space.name, kind=kind.value), at=now, by=actor_id)
        return space

    @property
    def subject(self) -> tuple[int, int]:
        return self.id, self.id

    @property
    def restorable_until(self) -> datetime | None:
        """Until when its deletion can be taken back; None for one that was not deleted."""
        return None if self.deleted_at is None else self.deleted_at + GRACE

    def role_of(self, user_id: UserId) -> Role:
        """Return a member's role; raise ``SpaceNotFound`` for everyone else."""
        if user_id not in self.members:
            raise SpaceNotFound(f"No workspace {self.id}.", space_id=self.id)
        return self.members[user_id].role

    def describe(
        self, *, name: str, description: str, icon_url: str, actor_id: UserId, now: datetime
    ) -> None:
        """Change name, description and icon."""
        self.name = value.display_name(name)
        self.description = value.description(description)
        self.icon_url = value.picture_url(icon_url, field="icon_url")
        self.updated_at = now
        self.record(SpaceRenamed(name=self.name), at=now, by=actor_id)

    def delete(self, *, actor_id: UserId, now: datetime) -> None:
        """Close a team space for everyone, with what is in it, until it is too late to restore."""
        self.require_team()
        self.deleted_at = self.updated_at = now
        self.record(SpaceDeleted(), at=now, by=actor_id)

    def restore(self, *, actor_id: UserId, now: datetime) -> None:
        """Take back a deletion of the last days; raise ``SpaceNotFound`` if there was none."""
        if self.restorable_until is None or now > self.restorable_until:
            raise SpaceNotFound(f"No workspace {self.id}.", space_id=self.id)
        self.deleted_at, self.updated_at = None, now
        self.record(SpaceRestored(), at=now, by=actor_id)

    def suspend(self, *, actor_id: UserId, now: datetime) -> None:
        """Close it for everyone; whatever answers for it ends."""
        self.require_team()
        if self.suspended_at is None:
            self.suspended_at = self.updated_at = now
            self.record(SpaceSuspended(), at=now, by=actor_id)

    def resume(self, *, actor_id: UserId, now: datetime) -> None:
        """Open it again."""
        if self.suspended_at is not None:
            self.suspended_at, self.updated_at = None, now
            self.record(SpaceResumed(), at=now, by=actor_id)

    def limit(self, limits: SpaceLimits, *, actor_id: UserId, now: datetime) -> None:
        """Give it limits of its own in place of the deployment's."""
        own = None if limits == NONE_OF_ITS_OWN else limits
        if own != self.limits:
            self.limits, self.updated_at = own, now
            self.record(SpaceLimited(), at=now, by=actor_id)

    def begin_with(
        self, *, default_model: str, language: SpaceLanguage, actor_id: UserId, now: datetime
    ) -> None:
        """Say which model answers where none is named, and in which language new agents begin."""
        if (default_model, language) == (self.default_model, self.language):
            return
        self.default_model, self.language, self.updated_at = default_model, language, now
        changed = SpaceDefaultsChanged(default_model=default_model, language=language)
        self.record(changed, at=now, by=actor_id)

    def add_member(self, user_id: UserId, role: Role, *, actor_id: UserId, now: datetime) -> bool:
        """Admit an account; tell whether it was not a member before."""
        self.require_team()
        if role is Role.OWNER:
            self.require_owned(actor_id)
        if user_id in self.members:
            return False
        self.members[user_id] = Membership(role, now)
        self.record(MemberAdded(user_id=user_id, role=role.value), at=now, by=actor_id)
        return True

    def set_role(self, user_id: UserId, role: Role, *, actor_id: UserId, now: datetime) -> None:
        """Give a member another role; only owners make and unmake owners."""
        self.require_team()
        member = self.member(user_id)
        if member.role is role:
            return
        if Role.OWNER in (role, member.role):
            self.require_owned(actor_id)
        if member.role is Role.OWNER:
            self._require_another_owner(user_id)
        self.members[user_id] = Membership(role, member.joined_at)
        self.record(
            MemberRoleChanged(user_id=user_id, role=role.value, former_role=member.role.value),
            at=now,
            by=actor_id,
        )

    def remove_member(self, user_id: UserId, *, actor_id: UserId, now: datetime) -> None:
        """Dismiss a member, or let one leave."""
        self.require_team()
        if self.member(user_id).role is Role.OWNER:
            self.require_owned(actor_id)
            self._require_another_owner(user_id)
        del self.members[user_id]
        self.record(MemberRemoved(user_id=user_id), at=now, by=actor_id)

    def transfer(self, user_id: UserId, *, actor_id: UserId, now: datetime) -> None:
        """Make a member the owner in place of the acting one, who stays as administrator.

        Raises:
            MemberNotFound: whoever shall own it is no member.
            OwnersOnly: an owner alone gives it away.
            PersonalSpaceFixed: the workspace of one account.
        """
        self.set_role(user_id, Role.OWNER, actor_id=actor_id, now=now)
        if user_id != actor_id:
            self.set_role(actor_id, Role.ADMIN, actor_id=actor_id, now=now)

    def member(self, user_id: UserId) -> Membership:
        """Return a member's standing; raise ``MemberNotFound``."""
        if user_id not in self.members:
            raise MemberNotFound(f"User {user_id} is not a member.", user_id=user_id)
        return self.members[user_id]

    def require_team(self) -> None:
        """Raise ``PersonalSpaceFixed`` for the workspace of one account."""
        if self.kind is SpaceKind.PERSONAL:
            raise PersonalSpaceFixed(
                "A personal workspace belongs to one account; create a team workspace instead.",
                space_id=self.id,
            )

    def require_there(self) -> None:
        """Raise ``SpaceNotFound`` if it was deleted."""
        if self.deleted_at is not None:
            raise SpaceNotFound(f"No workspace {self.id}.", space_id=self.id)

    def require_owner(self, user_id: UserId) -> None:
        """Raise ``SpaceNotFound`` for everybody who does not own it."""
        member = self.members.get(user_id)
        if member is None or member.role is not Role.OWNER:
            raise SpaceNotFound(f"No workspace {self.id}.", space_id=self.id)

    def require_owned(self, actor_id: UserId) -> None:
        """Raise ``OwnersOnly`` for everybody who does not own it."""
        actor = self.members.get(actor_id)  # services act, too, and are no members
        if actor is None or actor.role is not Role.OWNER:
            raise OwnersOnly("Only an owner of the workspace may do this.", space_id=self.id)

    def _require_another_owner(self, user_id: UserId) -> None:
        owners = (m for u, m in self.members.items() if u != user_id and m.role is Role.OWNER)
        if next(owners, None) is None:
            raise LastOwner("Make someone else an owner first.", space_id=self.id)


@dataclass(kw_only=True, eq=False)
class ApiToken(Aggregate):
    """A credential of an account; only the digest of its text is kept."""

    id: TokenId
    user_id: UserId
    kind: TokenKind
    name: str
    digest: bytes
    last4: str
    grant: Grant
    created_at: datetime
    updated_at: datetime
    expires_at: datetime | None
    revoked_at: datetime | None = None
    last_used_at: datetime | None = None
    source_id: int | None = None
    """Grant of the application that had it made, with which it ends."""

    @classmethod
    def create(
        cls,
        *,
        id: TokenId,  # noqa: A002 - the field's name
        user_id: UserId,
        kind: TokenKind,
        name: str,
        text: str,
        grant: Grant,
        expires_at: datetime | None,
        source_id: int | None = None,
        actor_id: UserId,
        now: datetime,
    ) -> Self:
        """Keep the digest of ``text``, which must be random."""
        token = cls(
            id=id,
            user_id=user_id,
            kind=kind,
            name=value.display_name(name),
            digest=value.token_digest(text),
            last4=text[-4:],
            grant=grant,
            created_at=now,
            updated_at=now,
            expires_at=expires_at,
            source_id=source_id,
        )
        token.record(
            TokenCreated(user_id=user_id, name=token.name, kind=kind.value, last4=token.last4),
            at=now,
            by=actor_id,
        )
        return token

    def is_valid(self, now: datetime) -> bool:
        """Tell whether it is neither revoked nor expired."""
        return self.revoked_at is None and (self.expires_at is None or now < self.expires_at)

    def rename(self, name: str, *, actor_id: UserId, now: datetime) -> None:
        self.name, self.updated_at = value.display_name(name), now
        self.record(TokenRenamed(user_id=self.user_id, name=self.name), at=now, by=actor_id)

    def revoke(self, *, actor_id: UserId, now: datetime) -> None:
        """Stop it for good."""
        if self.revoked_at is None:
            self.revoked_at = self.updated_at = now
            self.record(
                TokenRevoked(user_id=self.user_id, name=self.name, last4=self.last4),
                at=now,
                by=actor_id,
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class Credential:
    """A token with what its account may do where, as one reading of the database.

    Without an account, a service made it, which has one workspace.
    """

    token: ApiToken
    user: User | None
    roles: Mapping[SpaceId, Role]
    shares: Mapping[Resource, Share] = field(default_factory=dict)
