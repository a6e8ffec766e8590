"""Service tokens: credentials of a workspace with no person behind them, and their repository."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from ipaddress import ip_network
from typing import Final, Self

import msgspec

from domain.identity import value
from domain.identity.error import InvalidIdentity
from domain.identity.value import RateClass
from domain.shared.access import Grant, Permission
from domain.shared.aggregate import Aggregate, DomainEvent
from domain.shared.ids import AgentId, SpaceId, TokenId, UserId

MAX_OVERLAP: Final = timedelta(days=7)
"""How long the former text may go on beside the new one; a deployment is rolled out by then."""

WARNED_BEFORE: Final = timedelta(days=7)
_NETWORKS: Final = 32


class ServiceTokenCreated(DomainEvent, frozen=True, kw_only=True, tag="service_token.created"):
    """A workspace got a credential."""

    name: str
    last4: str


class ServiceTokenChanged(DomainEvent, frozen=True, kw_only=True, tag="service_token.changed"):
    """A credential of a workspace was renamed, or may do something else."""

    name: str


class ServiceTokenRotated(DomainEvent, frozen=True, kw_only=True, tag="service_token.rotated"):
    """A credential of a workspace has another text."""

    name: str
    last4: str
    former_last4: str
    former_until: datetime


class ServiceTokenExpiring(DomainEvent, frozen=True, kw_only=True, tag="service_token.expiring"):
    """A credential of a workspace is about to stop working."""

    name: str
    last4: str
    expires_at: datetime


class ServiceTokenRevoked(DomainEvent, frozen=True, kw_only=True, tag="service_token.revoked"):
    """A credential of a workspace stopped working for good."""

    name: str
    last4: str


class ServiceRights(msgspec.Struct, frozen=True, kw_only=True):
    """What a service token may do in its workspace; None leaves all of a kind."""

    permissions: frozenset[Permission]
    agent_ids: frozenset[AgentId] | None = None
    networks: frozenset[str] | None = None

    def __post_init__(self) -> None:
        """Refuse rights that mean nothing, or reach beyond a workspace."""
        if not self.permissions:
            raise InvalidIdentity("permissions: name at least one.", field="permissions")
        if Permission.ADMIN in self.permissions:
            raise InvalidIdentity(
                "permissions: admin is for tokens of people; a service token has one workspace.",
                field="permissions",
            )
        if self.agent_ids is not None and not self.agent_ids:
            raise InvalidIdentity(
                "bot_ids: name at least one agent, or leave it out for all.", field="bot_ids"
            )

    def within(self, space_id: SpaceId) -> Grant:
        """Return what is left of an administrator of the workspace."""
        return Grant(
            permissions=self.permissions,
            space_ids=frozenset({space_id}),
            agent_ids=self.agent_ids,
            networks=self.networks,
        )


@dataclass(kw_only=True, eq=False)
class ServiceToken(Aggregate):
    """A credential of a workspace; it acts for that alone and outlives whoever made it.

    Only digests of its texts are kept: of the present one, and after a rotation for a while of the
    one before.
    """

    id: TokenId
    space_id: SpaceId
    creator_id: UserId
    name: str
    rights: ServiceRights
    digest: bytes
    last4: str
    former_digest: bytes | None = None
    former_until: datetime | None = None
    created_at: datetime
    updated_at: datetime
    issued_at: datetime
    """When the present text was drawn, from which its lifetime counts."""
    expires_at: datetime | None
    warned_at: datetime | None = None
    revoked_at: datetime | None = None
    last_used_at: datetime | None = None
    rate_class: RateClass = RateClass.DEFAULT

    @classmethod
    def create(
        cls,
        *,
        id: TokenId,  # noqa: A002 - the field's name
        space_id: SpaceId,
        name: str,
        text: str,
        rights: ServiceRights,
        expires_at: datetime | None,
        rate_class: RateClass = RateClass.DEFAULT,
        actor_id: UserId,
        now: datetime,
    ) -> Self:
        """Keep the digest of ``text``, which must be random."""
        token = cls(
            id=id,
            space_id=space_id,
            creator_id=actor_id,
            name=value.display_name(name),
            rights=rights,
            digest=value.token_digest(text),
            last4=text[-4:],
            created_at=now,
            updated_at=now,
            issued_at=now,
            expires_at=expires_at,
            rate_class=rate_class,
        )
        token.record(
            ServiceTokenCreated(name=token.name, last4=token.last4), at=now, by=int(actor_id)
        )
        return token

    @property
    def grant(self) -> Grant:
        """What it leaves of the rights of an administrator of its workspace."""
        return self.rights.within(self.space_id)

    def end_of(self, digest: bytes) -> datetime | None:
        """Return until when the text of this digest is good; None means for ever."""
        if digest == self.digest or self.former_until is None:
            return self.expires_at
        return min(self.former_until, self.expires_at or self.former_until)

    def is_valid(self, now: datetime, *, digest: bytes) -> bool:
        """Tell whether the text of this digest is neither revoked, expired nor replaced."""
        if self.revoked_at is not None or digest not in {self.digest, self.former_digest}:
            return False
        end = self.end_of(digest)
        return end is None or now < end

    def change(
        self,
        *,
        name: str,
        rights: ServiceRights,
        expires_at: datetime | None,
        rate_class: RateClass,
        actor_id: UserId,
        now: datetime,
    ) -> None:
        """Rename it, or let it do something else, longer or shorter, more or less often."""
        if expires_at != self.expires_at:
            self.warned_at = None
        self.name, self.rights = value.display_name(name), rights
        self.expires_at, self.rate_class, self.updated_at = expires_at, rate_class, now
        self.record(ServiceTokenChanged(name=self.name), at=now, by=int(actor_id))

    def renewed_until(self, now: datetime) -> datetime | None:
        """Return when a text drawn now would expire: it lives as long as this one was to."""
        return None if self.expires_at is None else now + (self.expires_at - self.issued_at)

    def rotate(self, text: str, *, overlap: timedelta, actor_id: UserId, now: datetime) -> None:
        """Take another text; the present one goes on for ``overlap``, one before it ends now."""
        until = now + overlap
        if self.expires_at is not None:
            until = min(until, self.expires_at)
        former_last4, renewed = self.last4, self.renewed_until(now)
        self.former_digest, self.former_until = (self.digest, until) if overlap else (None, None)
        self.digest, self.last4 = value.token_digest(text), text[-4:]
        self.issued_at = self.updated_at = now
        self.expires_at, self.warned_at = renewed, None
        self.record(
            ServiceTokenRotated(
                name=self.name, last4=self.last4, former_last4=former_last4, former_until=until
            ),
            at=now,
            by=int(actor_id),
        )

    def warn(self, now: datetime) -> None:
        """Tell once that it expires soon."""
        if self.warned_at is None and self.expires_at is not None:
            self.warned_at = now
            self.record(
                ServiceTokenExpiring(name=self.name, last4=self.last4, expires_at=self.expires_at),
                at=now,
            )

    def revoke(self, *, actor_id: UserId, now: datetime) -> None:
        """Stop it for good, both texts of it."""
        if self.revoked_at is None:
            self.revoked_at = self.updated_at = now
            self.record(
                ServiceTokenRevoked(name=self.name, last4=self.last4), at=now, by=int(actor_id)
            )


def require_overlap(seconds: int) -> None:
    """Raise ``InvalidIdentity`` for an overlap that is none, or too long."""
    longest = int(MAX_OVERLAP.total_seconds())
    if not 0 <= seconds <= longest:
        raise InvalidIdentity(f"overlap_s: 0 to {longest}.", field="overlap_s")


def networks(texts: Iterable[str]) -> frozenset[str]:
    """Read addresses and networks; raise ``InvalidIdentity``."""
    found = []
    for text in texts:
        try:
            found.append(str(ip_network(text.strip(), strict=False)))
        except ValueError:
            raise InvalidIdentity(
                f"networks: {text[:50]!r} is no address or network such as 192.0.2.0/24.",
                field="networks",
            ) from None
    if not 1 <= len(found) <= _NETWORKS:
        raise InvalidIdentity(
            f"networks: 1 to {_NETWORKS} of them, or leave it out for all.", field="networks"
        )
    return frozenset(found)
