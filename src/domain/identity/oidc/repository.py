"""Where providers, and what they said of whom, are kept."""

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from domain.identity.oidc.link import ExternalIdentity, GivenRole, ProviderSession
from domain.identity.oidc.provider import OidcProvider
from domain.shared.ids import OidcProviderId, SessionId, UserId


class OidcDirectory(Protocol):
    """Providers of the deployment, and whom they know."""

    async def provider(self, provider_id: OidcProviderId) -> OidcProvider:
        """Return a provider; raise ``OidcProviderNotFound``."""
        ...

    async def providers(self) -> list[OidcProvider]:
        """Return all, the oldest first."""
        ...

    async def save_provider(self, provider: OidcProvider) -> None:
        """Insert or update; raise ``StaleRevision``."""
        ...

    async def delete_provider(self, provider: OidcProvider) -> None:
        """Remove it with the record of what it gave."""
        ...

    async def identity(self, digest: bytes) -> ExternalIdentity | None:
        """Return the person of this digest."""
        ...

    async def identities_of(self, user_id: UserId) -> list[ExternalIdentity]:
        """Return all persons whose account it is."""
        ...

    async def save_identity(self, identity: ExternalIdentity) -> None:
        """Insert or update; raise ``StaleRevision``."""
        ...

    async def roles_given(self, provider: str, user_id: UserId) -> list[GivenRole]:
        """Return what an account has from a provider."""
        ...

    async def replace_roles(
        self, provider: str, user_id: UserId, roles: Sequence[GivenRole]
    ) -> None:
        """Keep these in place of what the account had from the provider."""
        ...

    async def session(self, session_id: SessionId) -> ProviderSession | None:
        """Return where a session came from, if from a provider."""
        ...

    async def sessions(
        self, provider: str, *, digest: bytes = b"", provider_session: str = "", until: datetime
    ) -> list[ProviderSession]:
        """Return those of a person, or of a session there, that began by an instant.

        Without either, all of the provider.
        """
        ...

    async def add_session(self, session: ProviderSession) -> None:
        """Remember where a session came from; forgets those of the account that are gone."""
        ...
