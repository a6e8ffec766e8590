"""What is kept of sign-ins by providers: whose account a person has, sessions, and roles given."""

from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Final, Self

from domain.identity.oidc.value import stronger
from domain.shared.access import Role
from domain.shared.aggregate import Aggregate, DomainEvent
from domain.shared.ids import SessionId, SpaceId, UserId

_LABEL: Final = b"coterie openid identity\0"


class IdentityLinked(DomainEvent, frozen=True, kw_only=True, tag="user.identity_linked"):
    """An account can be entered by a person whom a provider knows."""

    provider: str
    issuer: str
    by_email: bool


def identity_digest(issuer: str, subject: str) -> bytes:
    """Name a person of an issuer; a subject alone says nothing."""
    return sha256(_LABEL + issuer.encode() + b"\0" + subject.encode()).digest()


@dataclass(kw_only=True, eq=False)
class ExternalIdentity(Aggregate):
    """A person whom an issuer knows, and the account that is theirs."""

    id: int
    digest: bytes
    user_id: UserId
    provider: str
    issuer: str
    subject_name: str
    """What the issuer calls the person."""
    created_at: datetime
    last_used_at: datetime

    @classmethod
    def link(
        cls,
        *,
        id: int,  # noqa: A002 - the field's name
        user_id: UserId,
        provider: str,
        issuer: str,
        subject: str,
        by_email: bool,
        now: datetime,
    ) -> Self:
        """Make an account somebody's."""
        made = cls(
            id=id,
            digest=identity_digest(issuer, subject),
            user_id=user_id,
            provider=provider,
            issuer=issuer,
            subject_name=subject,
            created_at=now,
            last_used_at=now,
        )
        made.record(
            IdentityLinked(
                provider=provider,
                issuer=issuer,
                by_email=by_email,
                occurred_at=now,
                aggregate_id=user_id,
                actor_id=user_id,
            )
        )
        return made


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderSession:
    """A session here that came from one at a provider."""

    session_id: SessionId
    user_id: UserId
    provider: str
    digest: bytes
    """Of the person."""
    provider_session: str
    """What the provider calls its session; empty where it does not say."""
    sealed_id_token: bytes
    """What the provider is shown when the person signs out."""
    created_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenRole:
    """A role in a workspace that came with a group of a provider, and what the member had before.

    What was given by hand stays: it is what the member has again once the group is gone.
    """

    provider: str
    user_id: UserId
    space_id: SpaceId
    role: Role
    former_role: Role | None


def role_after(
    current: Role | None, given: GivenRole | None, wanted: Role | None
) -> tuple[Role | None, bool, Role | None]:
    """Decide what a member is after a sign-in.

    Returns the role (None: no member), whether it is the group's, and if so what the member has
    without it. ``given`` is what the provider gave last time: if that is not the role now, somebody
    has changed it by hand meanwhile.
    """
    is_of_group = given is not None and given.role is current
    by_hand = given.former_role if given is not None and is_of_group else current
    if wanted is None or (by_hand is not None and stronger(by_hand, wanted) is by_hand):
        return by_hand, False, None
    return wanted, True, by_hand
