"""Sign-in: password, access token or one-time link to a session; and links for others."""

import math
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

import msgspec

from application.identity.authentication import AuthService
from application.identity.cache import PrincipalCache, peer_network
from application.identity.oidc.settings import OidcSettings
from application.identity.own_session import own_session
from domain.identity.entity import User
from domain.identity.error import LinkSpent, PasswordsOff, WrongCredentials
from domain.identity.password import Password, checked_password, normal_password
from domain.identity.repository import IdentityStore, IdentityUnitOfWork
from domain.identity.session import (
    ATTEMPTS_SPAN,
    SESSION_TTL,
    Attempt,
    BrowserSession,
    SignInRefused,
    SignInTicket,
    attempt_wait_s,
    new_secret,
    ticket_digest,
)
from domain.identity.value import SignInWay
from domain.shared.access import Principal
from domain.shared.error import Forbidden, RateLimited, Unauthenticated
from domain.shared.id_generator import IdGenerator
from domain.shared.ids import SessionId, TicketId, TokenId, UserId
from domain.shared.secret import Secret
from infra.contract.clock import Clock
from infra.contract.security.password_hasher import PasswordHasher

SESSIONS_PER_ACCOUNT: Final = 50
"""Whoever signs in once more signs out where nobody was for the longest time."""
_KEEP_EXPIRED: Final = timedelta(days=1)
_WRONG: Final = "Name and password do not belong together."
_SPENT: Final = "This link was used already, or is older than 30 minutes."


class SignUp(StrEnum):
    """Who may open an account."""

    CLOSED = "closed"
    """Administrators only."""
    INVITE = "invite"
    """Whoever has an invitation to a workspace."""
    DOMAINS = "domains"
    """The same, and whoever names an e-mail address of certain domains."""


class SignInRules(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How people sign in."""

    password: bool = True
    """Whether a name and a password do."""
    oidc: tuple[OidcSettings, ...] = ()
    """Providers of OpenID Connect."""
    sign_up: SignUp = SignUp.CLOSED
    """Who may open an account."""
    sign_up_domains: tuple[str, ...] = ()
    """Domains of the e-mail addresses that ``domains`` lets in."""

    def __post_init__(self) -> None:
        if self.sign_up is SignUp.DOMAINS and not self.sign_up_domains:
            raise ValueError("auth.sign_up_domains: name the domains that may sign up.")
        ids = [each.id for each in self.oidc]
        if twice := {each for each in ids if ids.count(each) > 1}:
            raise ValueError(f"auth.oidc: two are called {', '.join(sorted(twice))}")

    def lets_register(self, *, email: str, is_invited: bool) -> bool:
        """Tell whether somebody may open an account."""
        if self.sign_up is SignUp.CLOSED:
            return False
        domain = email.strip().lower().rpartition("@")[2]
        known = {each.lower() for each in self.sign_up_domains}
        return is_invited or (self.sign_up is SignUp.DOMAINS and domain in known)


@dataclass(frozen=True, slots=True, kw_only=True)
class Visit:
    """Where somebody signs in: what the browser calls itself, its address, and for how long."""

    device: str = ""
    peer: str = ""
    is_remembered: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class NewSession:
    """A session that was opened just now, with its text for the cookie, and who asks in it."""

    text: Secret
    principal: Principal
    is_remembered: bool


_Along = Callable[[IdentityUnitOfWork, BrowserSession], Awaitable[None]]


class SignInWays(msgspec.Struct, frozen=True, kw_only=True):
    """How somebody can sign in here."""

    is_first_run: bool
    """Nobody has a password yet."""
    password: bool
    token: bool = True
    sign_up: SignUp = SignUp.CLOSED


class SignInService:
    """Opens sessions. Whoever fails is told nothing about what was wrong."""

    def __init__(
        self,
        *,
        store: IdentityStore,
        cache: PrincipalCache,
        authentication: AuthService,
        hasher: PasswordHasher,
        ids: IdGenerator,
        clock: Clock,
        rules: SignInRules,
    ) -> None:
        self._store = store
        self._cache = cache
        self._authentication = authentication
        self._hasher = hasher
        self._ids = ids
        self._clock = clock
        self.rules: Final = rules

    async def ways(self) -> SignInWays:
        """Tell how somebody can sign in."""
        async with self._store.snapshot() as uow:
            is_first_run = not await uow.sign_ins.has_any_password()
        return SignInWays(
            is_first_run=is_first_run,
            password=self.rules.password,
            sign_up=self.rules.sign_up if self.rules.password else SignUp.CLOSED,
        )

    async def with_password(self, name: str, password: Secret, visit: Visit) -> NewSession:
        """Sign in by name, or e-mail address, and password.

        Raises:
            WrongCredentials: no such account, or another password: the same answer, as late.
            RateLimited: the account failed too often, from this address or altogether.
            PasswordsOff: nobody has a password here.
        """
        user = await self.prove(name, password, peer=visit.peer)
        return await self.open_session(user.id, SignInWay.PASSWORD, visit)

    async def with_token(self, token: Secret, visit: Visit) -> NewSession:
        """Exchange a personal token without limits for a session, which ends with the token.

        Raises:
            Unauthenticated: the token is unknown, expired or revoked.
            Forbidden: it has less than all rights of its account, which a session has.
        """
        try:
            principal = await self._authentication.authenticate(
                f"Bearer {token.reveal()}", peer=visit.peer
            )
            principal.require_unlimited()
        except (Forbidden, Unauthenticated):
            await self._tell_refusal(None, SignInWay.TOKEN, visit.peer)
            raise
        return await self.open_session(principal.user_id, SignInWay.TOKEN, visit, token=principal)

    async def with_ticket(
        self, ticket: Secret, visit: Visit, *, nickname: str = "", password: Secret | None = None
    ) -> NewSession:
        """Sign in with a one-time link, and set name and password where they are given.

        Every other link and session of the account ends where the password is set.

        Raises:
            LinkSpent: the link is unknown, used or too old.
            WeakPassword: the password is refused; the link can still be used.
        """
        try:
            user_id = await self._spend(ticket, nickname=nickname, password=password)
        except LinkSpent:
            await self._tell_refusal(None, SignInWay.TICKET, visit.peer)
            raise
        return await self.open_session(user_id, SignInWay.TICKET, visit)

    async def _spend(self, ticket: Secret, *, nickname: str, password: Secret | None) -> UserId:
        encoded: Secret | None = None
        if password:
            self.require_passwords()
            user = await self._ticket_user(ticket)
            encoded = await self._hasher.hash(checked_password(password, name=user.name))
        async with self._store.transaction() as uow:
            found = await uow.sign_ins.find_ticket(ticket_digest(ticket.reveal()))
            if found is None:
                raise LinkSpent(_SPENT)
            now = self._clock.now()
            found.spend(now=now)
            await uow.sign_ins.save_ticket(found)
            user = await uow.users.get(found.user_id)
            if user.is_disabled:
                raise LinkSpent(_SPENT)
            if nickname:
                user.describe(nickname=nickname)
                await uow.users.save(user)
            ended = [] if encoded is None else await set_password(uow, user.id, encoded, now=now)
            await uow.commit()
        self._forget(ended)
        return user.id

    async def confirm(self, principal: Principal, password: Secret, *, peer: str) -> None:
        """Show once more who asks, for what needs a recent sign-in; raise as ``with_password``."""
        async with self._store.snapshot() as uow:
            name = (await uow.users.get(principal.user_id)).name
        await self.prove(name, password, peer=peer)
        async with self._store.transaction() as uow:
            session = await own_session(uow, principal)
            session.confirm(now=self._clock.now())
            await uow.sessions.save(session)
            await uow.commit()

    async def require_recent(self, principal: Principal) -> None:
        """Raise ``RecentSignInNeeded`` for a session whose person has not signed in lately."""
        await self._authentication.require_recent(principal)

    async def make_link(self, principal: Principal, user_id: int) -> Secret:
        """Make a one-time link for an account; return what stands behind ``ticket=``.

        Raises:
            UserNotFound: no such account.
            Forbidden: only administrators of the deployment do, and for no disabled account.
        """
        principal.require_deployment_admin()
        await self.require_recent(principal)
        text = new_secret()
        async with self._store.transaction() as uow:
            user = await uow.users.get(UserId(user_id))
            if user.is_disabled:
                raise Forbidden("This account is disabled; enable it first.")
            await self.add_ticket(uow, user.id, text, actor_id=principal.user_id)
            await uow.commit()
        return text

    async def add_ticket(
        self, uow: IdentityUnitOfWork, user_id: UserId, text: Secret, *, actor_id: UserId
    ) -> None:
        """Keep a link in a running transaction."""
        ticket = SignInTicket.create(
            id=TicketId(self._ids.next_id()),
            user_id=user_id,
            text=text,
            actor_id=actor_id,
            now=self._clock.now(),
        )
        await uow.sign_ins.save_ticket(ticket)

    async def prove(self, name: str, password: Secret, *, peer: str) -> User:
        """Return the account that a name and a password are of; raise as ``with_password``."""
        self.require_passwords()
        async with self._store.snapshot() as uow:
            user = await _named(uow, name)
            stored = await uow.sign_ins.password_of(user.id) if user else None
        account = Attempt.account_of(user.name if user else name)
        address = peer_network(peer)
        await self._note_attempt(account, address)
        normal = normal_password(password)
        verdict = await self._hasher.verify(normal, stored.encoded if stored else None)
        if user is None or stored is None or not verdict.matches or user.is_disabled:
            await self._tell_refusal(user, SignInWay.PASSWORD, peer)
            raise WrongCredentials(_WRONG)
        renewed = await self._hasher.hash(normal) if verdict.is_outdated else None
        async with self._store.transaction() as uow:
            await uow.sign_ins.forget_attempts(account=account, address=address)
            if renewed is not None:
                stored.rehash(renewed)
                await uow.sign_ins.save_password(stored)
            await uow.commit()
        return user

    async def _tell_refusal(self, user: User | None, way: SignInWay, peer: str) -> None:
        """Have the audit log tell of it; attempts are limited, and so are these rows."""
        user_id = 0 if user is None else user.id
        refused = SignInRefused(
            user_id=user_id,
            way=way.value,
            address=peer,
            aggregate_id=user_id,
            occurred_at=self._clock.now(),
        )
        async with self._store.transaction() as uow:
            uow.collect(refused)
            await uow.commit()

    async def _note_attempt(self, account: bytes, address: str) -> None:
        """Count it before it is known to fail: many at once would all be let through."""
        async with self._store.transaction() as uow:
            await uow.serialise("sign-in attempts")
            now = self._clock.now()
            await uow.sign_ins.forget_old_attempts(before=now - ATTEMPTS_SPAN)
            found = await uow.sign_ins.attempts(
                account=account, address=address, since=now - ATTEMPTS_SPAN
            )
            wait_s = attempt_wait_s(found, account=account, address=address, now=now)
            if wait_s:
                raise RateLimited(
                    f"Too many failed attempts; wait {_spoken(wait_s)}.", retry_after_s=wait_s
                )
            await uow.sign_ins.add_attempt(
                Attempt(id=self._ids.next_id(), account=account, address=address, at=now)
            )
            await uow.commit()

    def require_passwords(self) -> None:
        """Raise ``PasswordsOff`` where nobody has one."""
        if not self.rules.password:
            raise PasswordsOff("This deployment has no passwords; sign in another way.")

    async def _ticket_user(self, ticket: Secret) -> User:
        async with self._store.snapshot() as uow:
            found = await uow.sign_ins.find_ticket(ticket_digest(ticket.reveal()))
            if found is None:
                raise LinkSpent(_SPENT)
            found.spend(now=self._clock.now())
            return await uow.users.get(found.user_id)

    async def open_session(
        self,
        user_id: UserId,
        way: SignInWay,
        visit: Visit,
        *,
        token: Principal | None = None,
        signed_in_at: datetime | None = None,
        along: _Along | None = None,
    ) -> NewSession:
        """Open a session for somebody who has shown who they are, perhaps a while ago.

        ``along`` is done in the same transaction.
        """
        text, now = new_secret(), self._clock.now()
        session = BrowserSession.open(
            id=SessionId(self._ids.next_id()),
            user_id=user_id,
            text=text,
            way=way,
            is_remembered=visit.is_remembered,
            device=visit.device,
            address=peer_network(visit.peer),
            token_id=token.token_id if token else None,
            expires_at=token.expires_at if token else None,
            signed_in_at=signed_in_at,
            now=now,
        )
        async with self._store.transaction() as uow:
            await uow.serialise(f"sessions of {user_id}")
            if token is not None:
                await uow.tokens.get(token.scope, token.token_id)  # perhaps revoked meanwhile
            await uow.sessions.forget(user_id, used_before=now - SESSION_TTL)
            others = await uow.sessions.open_ones(user_id, used_after=now - SESSION_TTL)
            surplus = others[SESSIONS_PER_ACCOUNT - 1 :]
            for each in surplus:
                each.revoke(actor_id=user_id, now=now)
                await uow.sessions.save(each)
            await uow.sessions.save(session)
            if along is not None:
                await along(uow, session)
            await uow.commit()
        self._forget([each.id for each in surplus])
        principal = await self._authentication.authenticate_session(text.reveal())
        return NewSession(text=text, principal=principal, is_remembered=visit.is_remembered)

    def _forget(self, ended: Sequence[SessionId]) -> None:
        for session_id in ended:
            self._cache.forget_token(TokenId(session_id))


async def revoke_sessions(
    uow: IdentityUnitOfWork,
    user_id: UserId,
    *,
    actor_id: UserId,
    now: datetime,
    without: int | None = None,
    opened_with: TokenId | None = None,
) -> list[SessionId]:
    """Sign an account out in a running transaction: everywhere, but ``without`` a session."""
    revoked = []
    for session in await uow.sessions.open_ones(user_id, used_after=now - SESSION_TTL):
        if session.id == without or opened_with not in {None, session.token_id}:
            continue
        session.revoke(actor_id=actor_id, now=now)
        await uow.sessions.save(session)
        revoked.append(session.id)
    return revoked


async def set_password(
    uow: IdentityUnitOfWork,
    user_id: UserId,
    encoded: Secret,
    *,
    now: datetime,
    without: int | None = None,
) -> list[SessionId]:
    """Give an account a password in a running transaction; what the old one opened ends."""
    password = await uow.sign_ins.password_of(user_id)
    if password is None:
        password = Password.first(user_id, encoded, actor_id=user_id, now=now)
    else:
        password.change(encoded, actor_id=user_id, now=now)
    await uow.sign_ins.save_password(password)
    await uow.sign_ins.forget_tickets(user_id=user_id, expired_before=now - _KEEP_EXPIRED)
    return await revoke_sessions(uow, user_id, actor_id=user_id, now=now, without=without)


async def _named(uow: IdentityUnitOfWork, name: str) -> User | None:
    name = name.strip()
    if "@" in name:  # which no name of an account has
        return await uow.users.find_by_email(name)
    return await uow.users.find_by_name(name)


def _spoken(wait_s: float) -> str:
    minutes = math.ceil(wait_s / 60)
    return f"{minutes} minutes" if minutes > 1 else "a minute"
