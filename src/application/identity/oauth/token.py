"""Use cases of the token endpoint: codes, assertions and refresh tokens become tokens."""

from collections.abc import Awaitable, Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, Protocol

import msgspec

from application.identity.cache import PrincipalCache, peer_network
from application.identity.oauth.consent import KEPT, app_of
from application.shared.rate import RateLimiter
from domain.identity.oauth.app import OAuthApp
from domain.identity.oauth.assertion import read_claims
from domain.identity.oauth.error import (
    CodeReused,
    InvalidClient,
    InvalidGrant,
    InvalidScope,
    SlowDown,
    UnauthorizedClient,
    UnsupportedGrantType,
)
from domain.identity.oauth.grant import (
    ACCESS_TTL_S,
    MAX_ACCESS_TTL_S,
    REFRESH_TTL,
    OAuthGrant,
    OAuthToken,
)
from domain.identity.oauth.request import code_digest
from domain.identity.repository import IdentityStore, IdentityUnitOfWork
from domain.identity.value import (
    ClientType,
    TokenKind,
    has_valid_checksum,
    kind_of_token,
    new_token_text,
    token_digest,
)
from domain.shared.access import BROWSER_PERMISSIONS, Permission, TenantScope
from domain.shared.error import AppError, InvalidRequest, RateLimited, StaleRevision
from domain.shared.id_generator import IdGenerator
from domain.shared.ids import AgentId, OAuthGrantId, SpaceId, UserId
from domain.shared.limits import Limits
from domain.shared.secret import Secret
from infra.contract.clock import Clock
from infra.contract.security.assertion import AssertionInvalid, Assertions

CODE: Final = "authorization_code"
REFRESH: Final = "refresh_token"
DEVICE: Final = "urn:ietf:params:oauth:grant-type:device_code"
ASSERTION: Final = "urn:ietf:params:oauth:grant-type:jwt-bearer"

_OF_COZE: Final = {"Connector.botChat": BROWSER_PERMISSIONS}
"""Names of Coze's own permissions, as its clients send them, in ours."""

_CODE_REFUSED: Final = "code: unknown, expired or used already."
_DEVICE_CODE_REFUSED: Final = "device_code: unknown or used already."
_REFRESH_REFUSED: Final = "refresh_token: unknown, expired or revoked."


class AgentNames(Protocol):
    """What this context asks of agents."""

    async def names(self, scope: TenantScope, agent_ids: Sequence[AgentId]) -> dict[AgentId, str]:
        """Names of the agents that exist in the scope."""
        ...


class TokenRequest(msgspec.Struct, frozen=True, kw_only=True):
    """What an application brings; ``credential`` is its secret or assertion."""

    grant_type: str
    credential: Secret
    client_id: str = ""
    code: Secret
    redirect_uri: str = ""
    verifier: Secret
    refresh_token: Secret
    device_code: Secret
    duration_s: int | None = None
    permissions: Collection[str] | None = None
    agent_ids: Collection[int] | None = None
    account_id: int | None = None
    """Workspace that an assertion is to act for; it has one only."""
    audiences: Collection[str] = ()
    """What the server is called."""


class TokenAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """What an application gets; no refresh token where it can make another assertion."""

    access_token: Secret
    expires_at: datetime
    refresh_token: Secret | None


@dataclass(frozen=True, slots=True)
class _Asked:
    request: TokenRequest
    duration: timedelta
    now: datetime


class OAuthTokenService:
    """Exchanges what shows a consent, or a key, for tokens that are no larger."""

    def __init__(
        self,
        *,
        store: IdentityStore,
        cache: PrincipalCache,
        agents: AgentNames,
        assertions: Assertions,
        ids: IdGenerator,
        clock: Clock,
        limits: Limits,
    ) -> None:
        self._store = store
        self._cache = cache
        self._agents = agents
        self._assertions = assertions
        self._ids = ids
        self._clock = clock
        self._limits = limits
        self._failures = RateLimiter(
            per_minute=limits.oauth_requests_per_min, size=limits.auth_cache_entries
        )
        self._grants: dict[str, Callable[[_Asked], Awaitable[TokenAnswer]]] = {
            CODE: self._of_code,
            REFRESH: self._of_refresh,
            DEVICE: self._of_device,
            ASSERTION: self._of_assertion,
        }

    async def issue(self, request: TokenRequest, *, peer: str) -> TokenAnswer:
        """Answer the token endpoint.

        Raises:
            InvalidClient, InvalidGrant, InvalidScope, UnauthorizedClient, UnsupportedGrantType: as
                RFC 6749 says.
            AuthorizationPending, SlowDown, AccessDenied, ExpiredToken: what a device is told.
            RateLimited: too many wrong secrets and codes came from the peer.
        """
        grant = self._grants.get(request.grant_type)
        if grant is None:
            raise UnsupportedGrantType(
                f"grant_type: expected one of {', '.join(self._grants)}.", field="grant_type"
            )
        seconds = ACCESS_TTL_S if request.duration_s is None else request.duration_s
        if not 1 <= seconds <= MAX_ACCESS_TTL_S:
            raise InvalidRequest(
                f"duration_seconds: 1 to {MAX_ACCESS_TTL_S}.", field="duration_seconds"
            )
        asked = _Asked(request, timedelta(seconds=seconds), self._clock.now())
        try:
            return await grant(asked)
        except AssertionInvalid as exc:
            raise self._failure(InvalidGrant(exc.message, field="assertion"), peer) from exc
        except (InvalidClient, InvalidGrant) as exc:
            raise self._failure(exc, peer) from None

    async def _of_code(self, asked: _Asked) -> TokenAnswer:
        request = asked.request
        try:
            async with self._store.transaction() as uow:
                app = await self._client(uow, request, ClientType.WEB, ClientType.PKCE)
                found = await uow.oauth.request_by_code(code_digest(request.code.reveal()))
                if found is None:
                    raise InvalidGrant(_CODE_REFUSED, field="code")
                with _replayed(found.id):
                    held = found.spend(
                        app=app,
                        redirect_uri=request.redirect_uri,
                        verifier=request.verifier.reveal(),
                        now=asked.now,
                    )
                    await uow.oauth.save_request(found)
                answer = await self._begin(uow, app, found.id, held, asked)
                await uow.commit()
        except _Replayed as replayed:
            await self._revoke(replayed.grant_id, now=asked.now)
            raise InvalidGrant(_CODE_REFUSED, field="code") from None
        return answer

    async def _of_device(self, asked: _Asked) -> TokenAnswer:
        request = asked.request
        try:
            async with self._store.transaction() as uow:
                app = await self._client(uow, request, ClientType.DEVICE)
                digest = code_digest(request.device_code.reveal())
                found = await uow.oauth.request_by_code(digest)
                if found is None:
                    raise InvalidGrant(_DEVICE_CODE_REFUSED, field="device_code")
                held = found.poll(app=app, now=asked.now)
                told = found.pace(asked.now) if held is None else None
                await uow.oauth.save_request(found)
                if held is None:
                    answer = None
                else:
                    answer = await self._begin(uow, app, found.id, held, asked)
                await uow.commit()
        except StaleRevision:  # the device asks twice at once, or its person answers
            raise SlowDown("Ask less often.") from None
        if answer is None:
            raise told or SlowDown("Ask less often.")
        return answer

    async def _of_refresh(self, asked: _Asked) -> TokenAnswer:
        request = asked.request
        text = request.refresh_token.reveal()
        if kind_of_token(text) is not TokenKind.REFRESH or not has_valid_checksum(text):
            raise InvalidGrant(_REFRESH_REFUSED, field="refresh_token")
        try:
            async with self._store.transaction() as uow:
                app = await self._client(
                    uow, request, ClientType.WEB, ClientType.PKCE, ClientType.DEVICE
                )
                token, grant = await self._family(uow, app, token_digest(text), asked.now)
                with _replayed(grant.id):
                    token.spend(now=asked.now)
                    await uow.oauth.save_token(token)
                grant.prolong(asked.now)
                await uow.oauth.save_grant(grant)
                answer = await self._pair(uow, app, grant, asked)
                await uow.commit()
        except _Replayed as replayed:
            await self._revoke(replayed.grant_id, now=asked.now)
            raise InvalidGrant(
                "refresh_token: used already; all tokens of this consent are revoked.",
                field="refresh_token",
            ) from None
        return answer

    async def _family(
        self, uow: IdentityUnitOfWork, app: OAuthApp, digest: bytes, now: datetime
    ) -> tuple[OAuthToken, OAuthGrant]:
        """Return a refresh token that is good, or was, with the grant it belongs to."""
        token = await uow.oauth.token(digest)
        if token is None or token.app_id != app.id or now >= token.expires_at:
            raise InvalidGrant(_REFRESH_REFUSED, field="refresh_token")
        grant = await uow.oauth.grant(token.grant_id or OAuthGrantId(0))
        user = None
        if grant is not None:
            user = (await uow.users.get_many([grant.user_id])).get(grant.user_id)
        if grant is None or user is None or user.is_disabled:
            raise InvalidGrant(_REFRESH_REFUSED, field="refresh_token")
        return token, grant

    async def _of_assertion(self, asked: _Asked) -> TokenAnswer:
        request, now = asked.request, asked.now
        text = request.credential.reveal()
        unverified = self._assertions.peek(text)
        async with self._store.snapshot() as uow:
            app = await app_of(uow, unverified.issuer)
        key = app.rules.public_key
        if app.client_type is not ClientType.JWT or key is None:
            raise UnauthorizedClient(
                f"An application of type {app.client_type} signs no assertions.", field="iss"
            )
        if unverified.key_id != key.key_id:
            raise InvalidClient("kid: not the key of this application.", field="kid")
        claims = read_claims(
            self._assertions.claims(text, public_key=key.pem),
            audiences={each.lower() for each in request.audiences},
            end_user_chars=self._limits.end_user_chars,
            now=now,
        )
        if request.account_id not in {None, app.space_id}:
            raise InvalidGrant(
                "account_id: this application acts for the workspace that registered it.",
                field="account_id",
            )
        permissions = _permissions(app, request.permissions)
        agents = await self._agents_of(app, request.agent_ids)
        async with self._store.transaction() as uow:
            await uow.oauth.forget_expired(app.id, before=now - KEPT)
            if not await uow.oauth.take_assertion(
                app.id, claims.name, expires_at=claims.expires_at
            ):
                raise InvalidGrant("jti: this assertion was used already.", field="jti")
            access, expires_at = await self._add(
                uow,
                app,
                permissions=permissions,
                duration=asked.duration,
                now=now,
                agent_ids=agents,
                end_user_id=claims.end_user_id,
            )
            await uow.commit()
        return TokenAnswer(access_token=access, expires_at=expires_at, refresh_token=None)

    async def _client(
        self, uow: IdentityUnitOfWork, request: TokenRequest, *types: ClientType
    ) -> OAuthApp:
        """Return the application that asks; one with a secret shows it."""
        app = await app_of(uow, request.client_id)
        if app.client_type not in types:
            raise UnauthorizedClient(
                f"grant_type: not for applications of type {app.client_type}.", field="grant_type"
            )
        if app.client_type is ClientType.WEB and not app.has_secret(request.credential.reveal()):
            raise InvalidClient("The client secret is missing or wrong.", field="client_secret")
        return app

    async def _begin(
        self,
        uow: IdentityUnitOfWork,
        app: OAuthApp,
        request_id: int,
        held: tuple[UserId, SpaceId],
        asked: _Asked,
    ) -> TokenAnswer:
        """Begin a family of tokens, named as the request that it comes from."""
        user_id, space_id = held
        user = (await uow.users.get_many([user_id])).get(user_id)
        if user is None or user.is_disabled:
            raise InvalidGrant("The account is disabled.", field="code")
        await uow.oauth.forget_expired(app.id, before=asked.now - KEPT)
        grant = OAuthGrant.create(
            id=OAuthGrantId(request_id), app=app, user_id=user_id, space_id=space_id, now=asked.now
        )
        await uow.oauth.save_grant(grant)
        return await self._pair(uow, app, grant, asked)

    async def _pair(
        self, uow: IdentityUnitOfWork, app: OAuthApp, grant: OAuthGrant, asked: _Asked
    ) -> TokenAnswer:
        permissions = grant.permissions & app.rules.permissions
        access, expires_at = await self._add(
            uow, app, grant, permissions=permissions, duration=asked.duration, now=asked.now
        )
        refresh, _ = await self._add(
            uow,
            app,
            grant,
            kind=TokenKind.REFRESH,
            permissions=permissions,
            duration=REFRESH_TTL,
            now=asked.now,
        )
        return TokenAnswer(access_token=access, expires_at=expires_at, refresh_token=refresh)

    async def _add(
        self,
        uow: IdentityUnitOfWork,
        app: OAuthApp,
        grant: OAuthGrant | None = None,
        *,
        kind: TokenKind = TokenKind.OAUTH,
        permissions: frozenset[Permission],
        duration: timedelta,
        now: datetime,
        agent_ids: frozenset[AgentId] | None = None,
        end_user_id: str = "",
    ) -> tuple[Secret, datetime]:
        text, expires_at = new_token_text(kind), now + duration
        token = OAuthToken.create(
            id=self._ids.next_id(),
            app=app,
            grant=grant,
            kind=kind,
            text=text.reveal(),
            permissions=permissions,
            agent_ids=agent_ids,
            end_user_id=end_user_id,
            expires_at=expires_at,
            now=now,
        )
        await uow.oauth.save_token(token)
        return text, expires_at

    async def _agents_of(
        self, app: OAuthApp, numbers: Collection[int] | None
    ) -> frozenset[AgentId] | None:
        if numbers is None:
            return None
        wanted = sorted({AgentId(each) for each in numbers})
        here = TenantScope(UserId(app.id), frozenset({app.space_id}))
        found = await self._agents.names(here, wanted)
        if not wanted or any(each not in found for each in wanted):
            raise InvalidScope(
                "scope: bot_id_list names an agent that is not in the workspace.", field="scope"
            )
        return frozenset(wanted)

    async def _revoke(self, grant_id: OAuthGrantId, *, now: datetime) -> None:
        """End a family of which something was used twice: somebody else may have it."""
        async with self._store.transaction() as uow:
            grant = await uow.oauth.grant(grant_id)
            if grant is None:
                return
            grant.revoke(reason="reused", actor_id=0, now=now)
            await uow.oauth.delete_grant(grant)
            await uow.commit()
        self._cache.forget_user(grant.user_id)

    def _failure(self, exc: AppError, peer: str) -> AppError:
        wait_s = self._failures.take(peer_network(peer), now=self._clock.now())
        if not wait_s:
            return exc
        return RateLimited(
            "Too many wrong secrets and codes; wait a moment.",
            retry_after_s=wait_s,
            limit="oauth_requests_per_min",
        )


class _Replayed(Exception):
    def __init__(self, grant_id: OAuthGrantId) -> None:
        super().__init__()
        self.grant_id = grant_id


@contextmanager
def _replayed(grant_id: int) -> Iterator[None]:
    """Tell apart what is exchanged a second time, be it at the same moment."""
    try:
        yield
    except (CodeReused, StaleRevision):
        raise _Replayed(OAuthGrantId(grant_id)) from None


def _permissions(app: OAuthApp, names: Collection[str] | None) -> frozenset[Permission]:
    """Read what an assertion asks for; raise ``InvalidScope`` for what it may not have.

    A name of Coze stands for several of ours, of which the application needs one.
    """
    mine = app.rules.permissions
    if not names:
        return mine
    wanted: set[Permission] = set()
    for name in names:
        of_coze = _OF_COZE.get(name)
        if of_coze is not None:
            given = of_coze & mine
        elif name in Permission.__members__.values():
            given = mine & {Permission(name)}
        else:
            given = frozenset()
        if not given:
            raise InvalidScope(
                f"scope: {name[:50]!r} is no permission of this application.", field="scope"
            )
        wanted |= given
    return frozenset(wanted)
