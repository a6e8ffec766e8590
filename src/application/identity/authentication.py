"""From the Authorization header to a principal."""

import asyncio
import hmac
import logging
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from application.identity.cache import CachedPrincipal, PrincipalCache, peer_network
from application.identity.following import RightsChange
from application.shared.rate import RateLimiter
from domain.identity.entity import Credential
from domain.identity.repository import IdentityStore, IdentityUnitOfWork
from domain.identity.service import principal_of, service_principal
from domain.identity.value import (
    TokenKind,
    could_be_token,
    is_mistyped,
    kind_of_token,
    token_digest,
)
from domain.shared.access import Principal
from domain.shared.error import AppError, Forbidden, RateLimited, Unauthenticated
from domain.shared.ids import TokenId, UserId
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
    """Resolves tokens; the only way from a request to a principal.

    A token is looked up once per ``limits.auth_cache_s``. Peers that fail too often are told to
    wait, but a valid token is always let in: one proxy must not lock out everybody behind it.
    """

    def __init__(
        self, *, store: IdentityStore, cache: PrincipalCache, clock: Clock, limits: Limits
    ) -> None:
        self._store = store
        self._cache = cache
        self._clock = clock
        size = limits.auth_cache_entries
        self._failures = RateLimiter(per_minute=limits.auth_failures_per_min, size=size)
        self._requests = RateLimiter(per_minute=limits.requests_per_token_per_min, size=size)
        self._visits = RateLimiter(per_minute=limits.requests_per_visitor_per_min, size=size)
        self._use_interval = timedelta(seconds=limits.token_use_interval_s)
        self._flights: dict[bytes, _Flight] = {}
        self._used: dict[TokenId, datetime] = {}
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
        digest, kind = token_digest(text), kind_of_token(text)
        entry = self._cache.get(digest, now=now)
        if entry is None and kind is not None:
            entry = await self._look_up(kind, digest, now)
        if entry is None:
            raise self._failure(peer, now)
        if not entry.principal.grant.admits(peer):
            raise Forbidden("This token may not be used from your address; see its networks.")
        if entry.used_at is None or now - entry.used_at >= self._use_interval:
            entry.used_at = self._used[entry.principal.token_id] = now
        self._require_rate(entry.principal, now)
        return entry.principal

    def _require_rate(self, principal: Principal, now: datetime) -> None:
        """Raise ``RateLimited`` for a token that is used too often; visitors have less."""
        rates = [("requests_per_token_per_min", self._requests)]
        if principal.end_user_id:
            rates.append(("requests_per_visitor_per_min", self._visits))
        for limit, rate in rates:
            if wait_s := rate.take(principal.token_id, now=now):
                raise RateLimited(
                    "Too many requests with this token; wait a moment.",
                    retry_after_s=wait_s,
                    limit=limit,
                )

    def forget(self, change: RightsChange) -> None:
        """Drop what a change of rights makes wrong, also one of another process."""
        match change.type:
            case "token.revoked":
                self._cache.forget_token(TokenId(change.aggregate_id))
            case "service_token.changed" | "service_token.revoked" | "service_token.rotated":
                self._cache.forget_user(UserId(change.aggregate_id))  # and what it made
            case "user.disabled" | "user.enabled":
                self._cache.forget_user(UserId(change.aggregate_id))
            case "space.deleted" | "group.deleted":
                self._cache.forget_all()
            case "grant.given" | "grant.taken" if not change.user_id:
                self._cache.forget_all()  # nobody knows here who is in the group
            case _:
                self._cache.forget_user(UserId(change.user_id or change.actor_id))

    async def flush(self) -> None:
        """Write down the uses of tokens since the last time."""
        used, self._used = self._used, {}
        if not used:
            return
        try:
            async with self._store.transaction() as uow:
                await uow.credentials.record_use(used)
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

    async def _look_up(
        self, kind: TokenKind, digest: bytes, now: datetime
    ) -> CachedPrincipal | None:
        """Read the credential, once for all who ask at the same time."""
        flight = self._flights.setdefault(digest, _Flight())
        flight.callers += 1
        try:
            async with flight.lock:
                entry = self._cache.get(digest, now=now)
                if entry is not None or self._cache.is_unknown(digest, now=now):
                    return entry
                return await self._read(kind, digest, now)
        finally:
            flight.callers -= 1
            if not flight.callers:
                self._flights.pop(digest, None)

    async def _read(self, kind: TokenKind, digest: bytes, now: datetime) -> CachedPrincipal | None:
        generation = self._cache.generation
        async with self._store.snapshot() as uow:
            found = await _FIND[kind](uow, digest, now)
        if found is None:
            self._cache.keep_unknown(digest, now=now)
            return None
        principal, used_at = found
        return self._cache.keep(
            digest,
            principal,
            used_at=used_at,
            expires_at=principal.expires_at,
            now=now,
            generation=generation,
        )

    def _failure(self, peer: str, now: datetime) -> AppError:
        wait_s = self._failures.take(peer_network(peer), now=now)
        if wait_s:
            return RateLimited(
                "Too many attempts with wrong access tokens; wait a moment.",
                retry_after_s=wait_s,
                limit="auth_failures_per_min",
            )
        return Unauthenticated(_MESSAGE)

    async def _flush_forever(self) -> None:
        while True:
            await asyncio.sleep(_FLUSH_INTERVAL_S)
            try:
                await self.flush()
            except Exception:  # noqa: BLE001 - the next round may succeed
                _log.exception("When tokens were used could not be written.")


_Found = tuple[Principal, datetime | None]
"""Whom a credential stands for, and when it was used last."""


async def _find_token(uow: IdentityUnitOfWork, digest: bytes, now: datetime) -> _Found | None:
    """Resolve a token of an account, or a short-lived one that a service made."""
    credential = await uow.credentials.find(digest)
    if credential is None or not _is_valid(credential, digest, now):
        return None
    token, user = credential.token, credential.user
    if user is None:
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
    return principal, token.last_used_at


async def _find_service(uow: IdentityUnitOfWork, digest: bytes, now: datetime) -> _Found | None:
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
    return principal, token.last_used_at


async def _find_nothing(uow: IdentityUnitOfWork, digest: bytes, now: datetime) -> _Found | None:
    """Resolve what opens nothing by itself."""
    return None


_FIND: Final = {
    TokenKind.PERSONAL: _find_token,
    TokenKind.SHORT_LIVED: _find_token,
    TokenKind.SERVICE: _find_service,
    TokenKind.OAUTH: _find_nothing,
    TokenKind.REFRESH: _find_nothing,
}


def _is_valid(credential: Credential, digest: bytes, now: datetime) -> bool:
    return (
        hmac.compare_digest(credential.token.digest, digest)
        and credential.token.is_valid(now)
        and (credential.user is None or not credential.user.is_disabled)
    )
