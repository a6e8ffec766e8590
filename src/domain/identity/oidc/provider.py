"""Providers of OpenID Connect: who is believed about whom, and what groups of theirs mean here."""

from dataclasses import dataclass
from datetime import datetime
from typing import Self

from domain.identity import value
from domain.identity.oidc.value import OidcRules
from domain.shared.aggregate import Aggregate, DomainEvent
from domain.shared.ids import OidcProviderId, UserId


class OidcProviderCreated(DomainEvent, frozen=True, kw_only=True, tag="oidc_provider.created"):
    """People may sign in by another provider."""

    name: str
    issuer: str


class OidcProviderChanged(DomainEvent, frozen=True, kw_only=True, tag="oidc_provider.changed"):
    """A provider, or what it is believed, is another."""

    name: str
    issuer: str


class OidcProviderDeleted(DomainEvent, frozen=True, kw_only=True, tag="oidc_provider.deleted"):
    """Nobody signs in by this provider any more."""

    name: str
    issuer: str


@dataclass(kw_only=True, eq=False)
class OidcProvider(Aggregate):
    """A provider that an administrator added."""

    id: OidcProviderId
    name: str
    rules: OidcRules
    sealed_secret: bytes
    """Empty for a client without one."""
    created_at: datetime
    updated_at: datetime

    @classmethod
    def create(
        cls,
        *,
        id: OidcProviderId,  # noqa: A002 - the field's name
        name: str,
        rules: OidcRules,
        sealed_secret: bytes,
        actor_id: UserId,
        now: datetime,
    ) -> Self:
        """Add a provider; raise ``InvalidIdentity`` for a bad name."""
        provider = cls(
            id=id,
            name=value.display_name(name),
            rules=rules,
            sealed_secret=sealed_secret,
            created_at=now,
            updated_at=now,
        )
        provider.record(
            OidcProviderCreated(name=provider.name, issuer=rules.issuer), at=now, by=actor_id
        )
        return provider

    @property
    def key(self) -> str:
        """Name in addresses, and of what it gave."""
        return str(self.id)

    def change(
        self,
        *,
        name: str,
        rules: OidcRules,
        sealed_secret: bytes,
        actor_id: UserId,
        now: datetime,
    ) -> None:
        """Believe it something else, or look for it elsewhere."""
        self.name, self.rules = value.display_name(name), rules
        self.sealed_secret, self.updated_at = sealed_secret, now
        self.record(OidcProviderChanged(name=self.name, issuer=rules.issuer), at=now, by=actor_id)

    def delete(self, *, actor_id: UserId, now: datetime) -> None:
        """Note that nobody signs in by it any more."""
        self.record(
            OidcProviderDeleted(name=self.name, issuer=self.rules.issuer), at=now, by=actor_id
        )
