"""Facts about accounts, spaces, members and tokens; each is kept in the audit log."""

from domain.shared.aggregate import DomainEvent


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
    """A workspace is gone for everyone."""


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
