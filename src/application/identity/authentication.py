"""From the Authorization header, or the cookie of a session, to a principal."""

import asyncio
import hmac
import logging
from collections.abc import Awaitable, Callable, Hashable
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from application.identity.cache import CachedPrincipal, PrincipalCache, peer_network
from application.identity.following import RightsChange
from application.identity.own_session import SIGNED_OUT, own_session
from application.shared.rate import RateLimiter
from domain.identity.entity import Credential
from domain.identity.repository import IdentityStore, IdentityUnitOfWork
from domain.identity.service import principal_of, service_principal
from domain.identity.session import RECENT_SIGN_IN, session_digest
from domain.identity.value import (
    RateClass,
    TokenKind,
    could_be_token,
    is_mistyped,
    kind_of_token,
    token_digest,
)
from domain.shared.access import Principal
from domain.shared.error import (
    AppError,
    Forbidden,
    RateLimited,
    RecentSignInNeeded,
    Unauthenticated,
)
from domain.shared.ids import SessionId, TokenId, UserId
from domain.shared.limits import Limits
from infra.contract.clock import Clock

_log = logging.getLogger(__name__)

_FLUSH_INTERVAL_S: Final = 10.0
_MESSAGE: Final = "The access token is missing, unknown, expired or revoked."


@dataclass(slots=True)
class _Flight:
    """Callers who wait for one reading of the database."""

    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    callers: int = 0


class AuthService:
    """Resolves tokens and sessions; the only way from a request to a principal.

    Either is looked up once per ``limits.auth_cache_s``. Peers that fail too often are told to
    wait, but a valid token is always let in: one proxy must not lock out everybody behind it.
    """

    def __init__(
        self, *, store: IdentityStore, cache: PrincipalCache, clock: Clock, limits: Limits
    ) -> None:
        self._store = store
        self._cache = cache
        self._clock = clock
        self._limits = limits
        size = limits.auth_cache_entries
        self._failures = RateLimiter(per_minute=limits.auth_failures_per_min, size=size)
        self._requests = RateLimiter(
            per_minute=limits.requests_per_token_per_min, size=size, name="token"
        )
        self._visits = RateLimiter(
            per_minute=limits.requests_per_visitor_per_min, size=size, name="end-user"
        )
        self._strangers = RateLimiter(
            per_minute=limits.requests_per_stranger_per_min, size=size, name="address"
        )
        self._use_interval = timedelta(seconds=limits.token_use_interval_s)
        self._flights: dict[bytes, _Flight] = {}
        self._used = _no_uses()
        self._visited: dict[SessionId, datetime] = {}
        self._first_digest: bytes | None = None
        self._stack = AsyncExitStack()
        self._flusher: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Begin to write down when tokens were used."""
        await self._read_first()
        group = await self._stack.enter_async_context(asyncio.TaskGroup())
        self._flusher = group.create_task(self._flush_forever())

    async def aclose(self) -> None:
        if self._flusher is not None:
            self._flusher.cancel()
        await self._stack.aclose()
        await self.flush()

    async def authenticate(self, header_value: str | None, *, peer: str = "") -> Principal:
        """Resolve an Authorization header; ``peer`` is the client's address.

        Raises:
            Unauthenticated: no token, or one that is unknown, expired or revoked: the same answer.
            RateLimited: the peer failed, or the token was used, too often within a minute.
        """
        scheme, _, text = (header_value or "").strip().partition(" ")
        text = text.strip()
        if not text:
            raise Unauthenticated(_MESSAGE)
        now = self._clock.now()
        if scheme.lower() != "bearer" or not await self._is_looked_up(text):
            raise self._failure(peer, now)
        kind = kind_of_token(text)
        entry = await self._resolve(token_digest(text), now, _FIND[kind]) if kind else None
        if entry is None:
            raise self._failure(peer, now)
        if not entry.principal.grant.admits(peer):
            raise Forbidden("This token may not be used from your address; see its networks.")
        if self._is_noted(entry, now):
            self._used[kind or TokenKind.PERSONAL][entry.principal.token_id] = now
        self._require_rate(entry, now)
        return entry.principal

    async def authenticate_session(self, text: str, *, peer: str = "") -> Principal:
        """Resolve the text of a session's cookie.

        Raises:
            Unauthenticated: the session is unknown, over or revoked, or its account disabled.
            RateLimited: the peer failed, or the session was used, too often within a minute.
        """
        now = self._clock.now()
        entry = await self._resolve(session_digest(text), now, _find_session)
        if entry is None:
            raise self._failure(peer, now, SIGNED_OUT)
        if self._is_noted(entry, now):
            self._visited[SessionId(entry.principal.token_id)] = now
        self._require_rate(entry, now)
        return entry.principal

    async def require_recent(self, principal: Principal) -> None:
        """Raise ``RecentSignInNeeded`` for a session whose person has not signed in lately."""
        signed_in_at, now = principal.signed_in_at, self._clock.now()
        if signed_in_at is None or now - signed_in_at < RECENT_SIGN_IN:
            return
        async with self._store.snapshot() as uow:  # perhaps just now, and not told here yet
            session = await own_session(uow, principal)
        if now - session.signed_in_at >= RECENT_SIGN_IN:
            raise RecentSignInNeeded("Sign in once more for this: the last time was a while ago.")

    def admit_stranger(self, peer: str) -> None:
        """Count a request without a token; raise ``RateLimited`` for an address with too many."""
        if wait_s := self._strangers.take(peer_network(peer), now=self._clock.now()):
            raise RateLimited(
                "Too many requests from this address; wait a moment, or use a token.",
                retry_after_s=wait_s,
                limit="requests_per_stranger_per_min",
            )

    def _is_noted(self, entry: CachedPrincipal, now: datetime) -> bool:
        """Tell whether this use is to be written down; most follow shortly upon another."""
        if entry.used_at is not None and now - entry.used_at < self._use_interval:
            return False
        entry.used_at = now
        return True

    def _require_rate(self, entry: CachedPrincipal, now: datetime) -> None:
        """Raise ``RateLimited`` for a token that is used too often; visitors have less.

        An end user has as many whatever token it is: browsers are given another one now and then.
        What a service token with a rate class makes counts for that one.
        """
        principal, rate_class = entry.principal, entry.rate_class
        is_default = rate_class is RateClass.DEFAULT
        key: Hashable = principal.token_id if is_default else principal.user_id
        limit = "requests_per_token_per_min" if is_default else f"rate_class_{rate_class}_per_min"
        most = rate_class.requests_per_min(self._limits)
        rates = [(limit, self._requests, key, most)]
        if principal.end_user_id:
            visitor = principal.user_id, principal.end_user_id
            limit, most = "requests_per_visitor_per_min", self._limits.requests_per_visitor_per_min
            rates.append((limit, self._visits, visitor, most))
        for limit, rate, who, most in rates:
            if wait_s := rate.take(who, now=now, most=most):
                raise RateLimited(
                    "Too many requests with this token; wait a moment.",
                    retry_after_s=wait_s,
                    limit=limit,
                )

    def forget(self, change: RightsChange) -> None:
        """Drop what a change of rights makes wrong, also one of another process."""
        match change.type:
            case "token.revoked" | "session.revoked":
                self._cache.forget_token(TokenId(change.aggregate_id))
            case "service_token.changed" | "service_token.revoked" | "service_token.rotated":
                self._cache.forget_user(UserId(change.aggregate_id))  # and what it made
            case "user.disabled" | "user.enabled":
                self._cache.forget_user(UserId(change.aggregate_id))
            case "group.deleted" | "oauth_app.changed" | "oauth_app.deleted":
                self._cache.forget_all()
            case "oauth_app.disabled" | "oauth_app.enabled":
                self._cache.forget_all()
            case "space.deleted" | "space.restored" | "space.resumed" | "space.suspended":
                self._cache.forget_all()
            case "grant.given" | "grant.taken" if not change.user_id:
                self._cache.forget_all()  # nobody knows here who is in the group
            case _:
                self._cache.forget_user(UserId(change.user_id or change.actor_id))

    async def flush(self) -> None:
        """Write down the uses of tokens and sessions since the last time."""
        used, self._used = self._used, _no_uses()
        visited, self._visited = self._visited, {}
        if not any(used.values()) and not visited:
            return
        try:
            async with self._store.transaction() as uow:
                for kind, used_at in used.items():
                    if used_at:
                        await uow.credentials.record_use(used_at, of=kind)
                if visited:
                    await uow.credentials.record_visits(visited)
                await uow.commit()
        except AppError as exc:
            _log.warning("When tokens were used could not be written: %s", exc.message)

    async def _is_looked_up(self, text: str) -> bool:
        """Tell without the database that nobody can have a token; one was chosen, not drawn."""
        if could_be_token(text):
            return True
        return is_mistyped(text) and token_digest(text) == await self._read_first()

    async def _read_first(self) -> bytes | None:
        """Return the digest of the first start's token, which is read once there is one."""
        if self._first_digest is None:
            async with self._store.snapshot() as uow:
                self._first_digest = await uow.credentials.first_digest()
        return self._first_digest

    async def _resolve(self, digest: bytes, now: datetime, find: "_Find") -> CachedPrincipal | None:
        return self._cache.get(digest, now=now) or await self._look_up(digest, now, find)

    async def _look_up(self, digest: bytes, now: datetime, find: "_Find") -> CachedPrincipal | None:
        """Read the credential, once for all who ask at the same time."""
        flight = self._flights.setdefault(digest, _Flight())
        flight.callers += 1
        try:
            async with flight.lock:
                entry = self._cache.get(digest, now=now)
                if entry is not None or self._cache.is_unknown(digest, now=now):
                    return entry
                return await self._read(digest, now, find)
        finally:
            flight.callers -= 1
            if not flight.callers:
                self._flights.pop(digest, None)

    async def _read(self, digest: bytes, now: datetime, find: "_Find") -> CachedPrincipal | None:
        generation = self._cache.generation
        async with self._store.snapshot() as uow:
            found = await find(uow, digest, now)
        if found is None:
            self._cache.keep_unknown(digest, now=now)
            return None
        return self._cache.keep(digest, found, now=now, generation=generation)

    def _failure(self, peer: str, now: datetime, message: str = _MESSAGE) -> AppError:
        wait_s = self._failures.take(peer_network(peer), now=now)
        if wait_s:
            return RateLimited(
                "Too many attempts with wrong access tokens; wait a moment.",
                retry_after_s=wait_s,
                limit="auth_failures_per_min",
            )
        return Unauthenticated(message)

    async def _flush_forever(self) -> None:
        while True:
            await asyncio.sleep(_FLUSH_INTERVAL_S)
            try:
                await self.flush()
            except Exception:  # noqa: BLE001 - the next round may succeed
                _log.exception("When tokens were used could not be written.")


def _no_uses() -> dict[TokenKind, dict[TokenId, datetime]]:
    return {kind: {} for kind in TokenKind}


_Find = Callable[[IdentityUnitOfWork, bytes, datetime], Awaitable[CachedPrincipal | None]]
"""Reads whom a digest stands for, until when at most, and when it was used last."""


async def _find_token(
    uow: IdentityUnitOfWork, digest: bytes, now: datetime
) -> CachedPrincipal | None:
    """Resolve a token of an account, or a short-lived one that a service made."""
    credential = await uow.credentials.find(digest)
    if credential is None or not _is_valid(credential, digest, now):
        return None
    token, user, rate_class = credential.token, credential.user, RateClass.DEFAULT
    if user is None:
        maker = await uow.services.find_by_id(TokenId(token.user_id))
        rate_class = rate_class if maker is None else maker.rate_class
        principal = service_principal(
            token.user_id,
            next(iter(credential.roles)),
            token_id=token.id,
            grant=token.grant,
            expires_at=token.expires_at,
        )
    else:
        principal = principal_of(
            user,
            credential.roles,
            shares=credential.shares,
            token_id=token.id,
            grant=token.grant,
            expires_at=token.expires_at,
        )
    return CachedPrincipal(principal, principal.expires_at, token.last_used_at, rate_class)


async def _find_service(
    uow: IdentityUnitOfWork, digest: bytes, now: datetime
) -> CachedPrincipal | None:
    """Resolve a token of a workspace."""
    token = await uow.services.find(digest)
    if token is None or not token.is_valid(now, digest=digest):
        return None
    principal = service_principal(
        token.id,
        token.space_id,
        token_id=token.id,
        grant=token.grant,
        expires_at=token.end_of(digest),
    )
    return CachedPrincipal(principal, principal.expires_at, token.last_used_at, token.rate_class)


async def _find_session(
    uow: IdentityUnitOfWork, digest: bytes, now: datetime
) -> CachedPrincipal | None:
    """Resolve a session of a browser."""
    found = await uow.credentials.find_session(digest)
    if found is None or not hmac.compare_digest(found.session.digest, digest):
        return None
    session, user = found.session, found.user
    if not session.is_valid(user, now):
        return None
    principal = principal_of(
        user,
        found.roles,
        shares=found.shares,
        token_id=TokenId(session.id),
        expires_at=session.expires_at,
        signed_in_at=session.signed_in_at,
    )
    return CachedPrincipal(principal, session.ends_at(user), session.last_used_at)


async def _find_oauth(
    uow: IdentityUnitOfWork, digest: bytes, now: datetime
) -> CachedPrincipal | None:
    """Resolve what an application holds, within what it may have by now."""
    found = await uow.oauth.credential(digest)
    if found is None or now >= found.token.expires_at:
        return None
    token, app, grant = found.token, found.app, found.grant
    if grant is None:
        principal = service_principal(
            app.id,
            app.space_id,
            token_id=TokenId(app.id),
            grant=token.within(app.grant),
            expires_at=token.expires_at,
        )
        return CachedPrincipal(principal, token.expires_at, app.last_used_at)
    if found.user is None or found.user.is_disabled:
        return None
    principal = principal_of(
        found.user,
        found.roles,
        token_id=TokenId(grant.id),
        grant=token.within(grant.within(app.rules.permissions)),
        expires_at=token.expires_at,
        is_delegated=True,
    )
    return CachedPrincipal(principal, token.expires_at, grant.last_used_at)


async def _find_nothing(
    uow: IdentityUnitOfWork, digest: bytes, now: datetime
) -> CachedPrincipal | None:
    """Resolve what opens nothing by itself."""
    return None


_FIND: Final = {
    TokenKind.PERSONAL: _find_token,
    TokenKind.SHORT_LIVED: _find_token,
    TokenKind.SERVICE: _find_service,
    TokenKind.OAUTH: _find_oauth,
    TokenKind.REFRESH: _find_nothing,
}


def _is_valid(credential: Credential, digest: bytes, now: datetime) -> bool:
    return (
        hmac.compare_digest(credential.token.digest, digest)
        and credential.token.is_valid(now)
        and (credential.user is None or not credential.user.is_disabled)
    )
