"""Where applications, their requests, grants and tokens are kept."""

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from domain.identity.oauth.app import OAuthApp
from domain.identity.oauth.grant import OAuthCredential, OAuthGrant, OAuthToken
from domain.identity.oauth.request import OAuthRequest
from domain.shared.access import TenantScope
from domain.shared.ids import OAuthAppId, OAuthGrantId, UserId


class OAuthAppRepository(Protocol):
    """Applications of workspaces; one outside the scope is not found."""

    async def get(self, scope: TenantScope, app_id: OAuthAppId) -> OAuthApp:
        """Return an application; raise ``ClientAppNotFound``."""
        ...

    async def all(self, scope: TenantScope) -> list[OAuthApp]:
        """Return those of the scope's workspaces, newest first."""
        ...

    async def save(self, scope: TenantScope, app: OAuthApp) -> None:
        """Insert or update; raise ``StaleRevision``."""
        ...

    async def delete(self, scope: TenantScope, app: OAuthApp) -> None:
        """Remove an application with its requests and tokens; raise ``ClientAppNotFound``."""
        ...


class OAuthDirectory(Protocol):
    """System port of the flows, in which nobody is known before the end of them."""

    async def app(self, app_id: OAuthAppId) -> OAuthApp | None:
        """Return an application that is not disabled, and whose workspace is there."""
        ...

    async def apps(self, app_ids: Sequence[OAuthAppId]) -> dict[OAuthAppId, OAuthApp]:
        """Return those that exist."""
        ...

    async def page(
        self, *, before: OAuthAppId | None, limit: int, text: str = ""
    ) -> list[tuple[OAuthApp, str]]:
        """Return those of all workspaces with the names of these, newest first.

        ``text`` is in the name of the application.
        """
        ...

    async def request_of(self, handle: bytes) -> OAuthRequest | None:
        """Return the request that a person was led to, whatever became of it."""
        ...

    async def request_by_code(self, code: bytes) -> OAuthRequest | None:
        """Return the request that a code pays for, whatever became of it."""
        ...

    async def count_pending(self, app_id: OAuthAppId, *, now: datetime) -> int:
        """Count the requests of an application that wait for an answer."""
        ...

    async def save_request(self, request: OAuthRequest) -> None:
        """Insert or update; raise ``StaleRevision``."""
        ...

    async def grant(self, grant_id: OAuthGrantId) -> OAuthGrant | None: ...

    async def grants_of(self, user_id: UserId, *, now: datetime) -> list[OAuthGrant]:
        """Return what a person allowed and is good, newest first."""
        ...

    async def grants_to(self, app_id: OAuthAppId) -> list[OAuthGrant]:
        """Return what an application was allowed."""
        ...

    async def save_grant(self, grant: OAuthGrant) -> None:
        """Insert or update; raise ``StaleRevision``."""
        ...

    async def delete_grant(self, grant: OAuthGrant) -> None:
        """Remove a grant with all tokens of its family."""
        ...

    async def token(self, digest: bytes) -> OAuthToken | None:
        """Return a token, whatever became of it."""
        ...

    async def save_token(self, token: OAuthToken) -> None:
        """Insert or update; raise ``StaleRevision``."""
        ...

    async def credential(self, digest: bytes) -> OAuthCredential | None:
        """Return an access token with whom it acts for, whatever its state.

        What belongs to an application or a workspace that is gone is gone, too.
        """
        ...

    async def take_assertion(
        self, app_id: OAuthAppId, name: bytes, *, expires_at: datetime
    ) -> bool:
        """Remember an assertion by the digest of its name; False if it was known."""
        ...

    async def forget_expired(self, app_id: OAuthAppId, *, before: datetime) -> None:
        """Remove what of an application expired before."""
        ...
