"""Invitations: links that make whoever has them a member of a workspace."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Final, Protocol, Self

from domain.identity.error import InvalidIdentity, InvitationNotFound
from domain.shared.access import Role, TenantScope
from domain.shared.aggregate import Aggregate, DomainEvent
from domain.shared.ids import InvitationId, SpaceId, UserId
from domain.shared.secret import Secret

INVITATION_TTL: Final = timedelta(days=7)
"""How long one holds if nothing else is said."""
_LONGEST: Final = timedelta(days=90)
_USES: Final = range(1, 1001)
_LABEL: Final = b"coterie invitation\0"


class InvitationMade(DomainEvent, frozen=True, kw_only=True, tag="invitation.made"):
    """Whoever has the link may become a member."""

    role: str
    max_uses: int | None
    expires_at: datetime


class InvitationRevoked(DomainEvent, frozen=True, kw_only=True, tag="invitation.revoked"):
    """The link leads nowhere any more."""

    role: str


@dataclass(kw_only=True, eq=False)
class Invitation(Aggregate):
    """A link into a workspace with a role, until a time and for a number of people."""

    id: InvitationId
    space_id: SpaceId
    creator_id: UserId
    digest: bytes
    role: Role
    max_uses: int | None
    """None: as many as come in time."""
    uses: int = 0
    created_at: datetime
    expires_at: datetime
    revoked_at: datetime | None = None

    @classmethod
    def create(
        cls,
        *,
        id: InvitationId,  # noqa: A002 - the field's name
        space_id: SpaceId,
        code: Secret,
        role: Role,
        max_uses: int | None,
        expires_at: datetime | None,
        actor_id: UserId,
        now: datetime,
    ) -> Self:
        """Invite to a workspace; ``code`` is random, without ``expires_at`` it holds for a week.

        Raises:
            InvalidIdentity: role, number or time break a rule.
        """
        if role is Role.OWNER:
            raise InvalidIdentity(
                "role: owners are made of members, not by an invitation.", field="role"
            )
        if max_uses is not None and max_uses not in _USES:
            raise InvalidIdentity(
                f"max_uses: {_USES[0]} to {_USES[-1]}, or null for any number.", field="max_uses"
            )
        ends = expires_at or now + INVITATION_TTL
        if not now < ends <= now + _LONGEST:
            raise InvalidIdentity(
                f"expires_at: in the future, within {_LONGEST.days} days.", field="expires_at"
            )
        invitation = cls(
            id=id,
            space_id=space_id,
            creator_id=actor_id,
            digest=invitation_digest(code),
            role=role,
            max_uses=max_uses,
            created_at=now,
            expires_at=ends,
        )
        invitation.record(
            InvitationMade(role=role.value, max_uses=max_uses, expires_at=ends),
            at=now,
            by=actor_id,
        )
        return invitation

    def require_open(self, *, now: datetime) -> None:
        """Raise ``InvitationNotFound`` once it is revoked, too old or used up."""
        is_used_up = self.max_uses is not None and self.uses >= self.max_uses
        if self.revoked_at is not None or now >= self.expires_at or is_used_up:
            raise no_invitation()

    def use(self, *, now: datetime) -> None:
        """Let one more person in; raise as ``require_open``."""
        self.require_open(now=now)
        self.uses += 1

    def revoke(self, *, actor_id: UserId, now: datetime) -> None:
        """Let nobody in from now on."""
        if self.revoked_at is None:
            self.revoked_at = now
            self.record(InvitationRevoked(role=self.role.value), at=now, by=actor_id)


def invitation_digest(code: Secret) -> bytes:
    """Hash what stands in a link; no other kind of credential has the same digest."""
    return sha256(_LABEL + code.reveal().encode()).digest()


def no_invitation() -> InvitationNotFound:
    """Return the error for a link that leads nowhere, whatever the reason."""
    return InvitationNotFound("This invitation is unknown, used up, revoked or too old.")


class InvitationRepository(Protocol):
    """Invitations to the scope's spaces that are not revoked."""

    async def get(self, scope: TenantScope, invitation_id: InvitationId) -> Invitation:
        """Return an invitation; raise ``InvitationNotFound``."""
        ...

    async def open_ones(self, scope: TenantScope, *, now: datetime) -> list[Invitation]:
        """Return those that still let somebody in, newest first."""
        ...

    async def find(self, digest: bytes) -> Invitation | None:
        """Return the invitation with this digest, whatever its state; nobody is known yet."""
        ...

    async def save(self, scope: TenantScope, invitation: Invitation) -> None:
        """Insert or update; raise ``StaleRevision``."""
        ...
