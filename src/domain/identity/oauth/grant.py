"""Grants that people gave applications, and the tokens that applications hold."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final, Self

from domain.identity import value
from domain.identity.entity import User
from domain.identity.oauth.app import OAuthApp
from domain.identity.oauth.error import CodeReused
from domain.identity.value import TokenKind
from domain.shared.access import Grant, Permission, Role
from domain.shared.aggregate import Aggregate, DomainEvent
from domain.shared.ids import AgentId, OAuthAppId, OAuthGrantId, SpaceId, UserId

ACCESS_TTL_S: Final = 900
MAX_ACCESS_TTL_S: Final = 86_400
REFRESH_TTL: Final = timedelta(days=30)


class OAuthGranted(DomainEvent, frozen=True, kw_only=True, tag="oauth_grant.created"):
    """A person lets an application act for them."""

    user_id: int
    app_id: int


class OAuthGrantRevoked(DomainEvent, frozen=True, kw_only=True, tag="oauth_grant.revoked"):
    """An application may not act for a person any more."""

    user_id: int
    app_id: int
    reason: str


@dataclass(kw_only=True, eq=False)
class OAuthGrant(Aggregate):
    """What a person allowed an application, in one workspace; its tokens are one family."""

    id: OAuthGrantId
    app_id: OAuthAppId
    user_id: UserId
    space_id: SpaceId
    permissions: frozenset[Permission]
    created_at: datetime
    expires_at: datetime
    """When the last of its tokens does."""
    last_used_at: datetime | None = None

    @classmethod
    def create(
        cls,
        *,
        id: OAuthGrantId,  # noqa: A002 - the field's name
        app: OAuthApp,
        user_id: UserId,
        space_id: SpaceId,
        now: datetime,
    ) -> Self:
        """Allow an application what it was registered for."""
        grant = cls(
            id=id,
            app_id=app.id,
            user_id=user_id,
            space_id=space_id,
            permissions=app.rules.permissions,
            created_at=now,
            expires_at=now + REFRESH_TTL,
        )
        grant.record(OAuthGranted(user_id=user_id, app_id=app.id), at=now, by=int(user_id))
        return grant

    def within(self, permissions: frozenset[Permission]) -> Grant:
        """Return what is left of the person's rights, at most these permissions."""
        return Grant(
            permissions=self.permissions & permissions, space_ids=frozenset({self.space_id})
        )

    def prolong(self, now: datetime) -> None:
        """Go on for as long as a refresh token does."""
        self.expires_at = now + REFRESH_TTL

    def revoke(self, *, reason: str, actor_id: int, now: datetime) -> None:
        """Note that all its tokens are to be gone."""
        self.record(
            OAuthGrantRevoked(user_id=self.user_id, app_id=self.app_id, reason=reason),
            at=now,
            by=actor_id,
        )


@dataclass(kw_only=True, eq=False)
class OAuthToken(Aggregate):
    """A token of an application: to be used until it expires, or to be exchanged once."""

    id: int
    app_id: OAuthAppId
    grant_id: OAuthGrantId | None
    """None where the application acts for its workspace."""
    kind: TokenKind
    digest: bytes
    permissions: frozenset[Permission]
    agent_ids: frozenset[AgentId] | None = None
    end_user_id: str = ""
    created_at: datetime
    expires_at: datetime
    spent_at: datetime | None = None

    @classmethod
    def create(
        cls,
        *,
        id: int,  # noqa: A002 - the field's name
        app: OAuthApp,
        grant: OAuthGrant | None,
        kind: TokenKind,
        text: str,
        permissions: frozenset[Permission],
        agent_ids: frozenset[AgentId] | None = None,
        end_user_id: str = "",
        expires_at: datetime,
        now: datetime,
    ) -> Self:
        """Keep the digest of ``text``, which must be random."""
        return cls(
            id=id,
            app_id=app.id,
            grant_id=None if grant is None else grant.id,
            kind=kind,
            digest=value.token_digest(text),
            permissions=permissions,
            agent_ids=agent_ids,
            end_user_id=end_user_id,
            created_at=now,
            expires_at=expires_at,
        )

    def within(self, grant: Grant) -> Grant:
        """Return what is left of a grant, or of the rights of the application itself."""
        return replace(
            grant,
            permissions=self.permissions & (grant.permissions or frozenset()),
            agent_ids=self.agent_ids,
            end_user_id=self.end_user_id,
        )

    def spend(self, *, now: datetime) -> None:
        """Exchange it; raise ``CodeReused`` if that was done before."""
        if self.spent_at is not None:
            raise CodeReused("refresh_token: used already.", field="refresh_token")
        self.spent_at = now


@dataclass(frozen=True, slots=True, kw_only=True)
class OAuthCredential:
    """A token of an application with whom it acts for, as one reading of the database.

    Without a grant it acts for the workspace of the application.
    """

    token: OAuthToken
    app: OAuthApp
    grant: OAuthGrant | None
    user: User | None
    roles: Mapping[SpaceId, Role]
