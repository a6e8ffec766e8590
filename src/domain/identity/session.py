"""Sessions of browsers, and links that sign somebody in once."""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Final, Self

from domain.identity.entity import User
from domain.identity.error import LinkSpent
from domain.identity.value import SignInWay
from domain.shared.access import Resource, Role, Share
from domain.shared.aggregate import Aggregate, DomainEvent
from domain.shared.ids import SessionId, SpaceId, TicketId, TokenId, UserId
from domain.shared.secret import Secret

SESSION_TTL: Final = timedelta(days=30)
"""How long a session lives after its last use."""
ADMIN_IDLE: Final = timedelta(hours=12)
"""The same for administrators of the deployment."""
RECENT_SIGN_IN: Final = timedelta(minutes=10)
"""How old a sign-in may be for what cannot be undone, or shows a secret."""
TICKET_TTL: Final = timedelta(minutes=30)
_SECRET_BYTES: Final = 32
_DEVICE_CHARS: Final = 256
_SESSION_LABEL: Final = b"coterie browser session\0"
_TICKET_LABEL: Final = b"coterie sign-in ticket\0"


class SessionOpened(DomainEvent, frozen=True, kw_only=True, tag="session.opened"):
    """Somebody signed in with a browser."""

    user_id: int
    way: str
    address: str


class SignInRefused(DomainEvent, frozen=True, kw_only=True, tag="sign_in.refused"):
    """Somebody was not let in; of an unknown account nothing is told, for it may be a password."""

    user_id: int
    way: str
    address: str


class SessionRevoked(DomainEvent, frozen=True, kw_only=True, tag="session.revoked"):
    """A browser was signed out."""

    user_id: int


class SignInLinkMade(DomainEvent, frozen=True, kw_only=True, tag="sign_in_link.made"):
    """A link that signs an account in once was made."""

    user_id: int


def new_secret() -> Secret:
    """Draw the text of a session or link: 256 random bits."""
    return Secret(secrets.token_urlsafe(_SECRET_BYTES))


def session_digest(text: str) -> bytes:
    """Hash the text of a session; no other kind of credential has the same digest."""
    return sha256(_SESSION_LABEL + text.encode()).digest()


def ticket_digest(text: str) -> bytes:
    """Hash the text of a link."""
    return sha256(_TICKET_LABEL + text.encode()).digest()


@dataclass(kw_only=True, eq=False)
class BrowserSession(Aggregate):
    """A browser in which an account is signed in; only the digest of its text is kept."""

    id: SessionId
    user_id: UserId
    digest: bytes
    way: SignInWay
    is_remembered: bool
    """Kept when the browser closes."""
    device: str
    """What the browser calls itself."""
    address: str
    """Network that the sign-in came from."""
    created_at: datetime
    signed_in_at: datetime
    """When the person last showed who they are."""
    expires_at: datetime | None = None
    """When it ends however much it is used: with the token that it was opened with."""
    token_id: TokenId | None = None
    revoked_at: datetime | None = None
    last_used_at: datetime | None = None

    @classmethod
    def open(
        cls,
        *,
        id: SessionId,  # noqa: A002 - the field's name
        user_id: UserId,
        text: Secret,
        way: SignInWay,
        is_remembered: bool,
        device: str,
        address: str,
        token_id: TokenId | None = None,
        expires_at: datetime | None = None,
        signed_in_at: datetime | None = None,
        now: datetime,
    ) -> Self:
        """Begin a session; ``text`` is random. ``signed_in_at`` is now unless that was earlier."""
        session = cls(
            id=id,
            user_id=user_id,
            digest=session_digest(text.reveal()),
            way=way,
            is_remembered=is_remembered,
            device="".join(each for each in device if each.isprintable())[:_DEVICE_CHARS],
            address=address,
            created_at=now,
            signed_in_at=min(now, signed_in_at or now),
            token_id=token_id,
            expires_at=expires_at,
            last_used_at=now,
        )
        session.record(
            SessionOpened(user_id=user_id, way=way.value, address=address), at=now, by=user_id
        )
        return session

    def ends_at(self, user: User) -> datetime:
        """Return when it ends if nobody uses it."""
        idle = ADMIN_IDLE if user.is_admin else SESSION_TTL
        ends_at = (self.last_used_at or self.created_at) + idle
        return min(ends_at, self.expires_at or ends_at)

    def is_valid(self, user: User, now: datetime) -> bool:
        """Tell whether it still stands for the account."""
        return self.revoked_at is None and not user.is_disabled and now < self.ends_at(user)

    def confirm(self, *, now: datetime) -> None:
        """Note that the person has shown once more who they are."""
        self.signed_in_at = now

    def revoke(self, *, actor_id: UserId, now: datetime) -> None:
        """Sign the browser out."""
        if self.revoked_at is None:
            self.revoked_at = now
            self.record(SessionRevoked(user_id=self.user_id), at=now, by=actor_id)


@dataclass(frozen=True, slots=True, kw_only=True)
class SignedIn:
    """A session with what its account may do where, as one reading of the database."""

    session: BrowserSession
    user: User
    roles: Mapping[SpaceId, Role]
    shares: Mapping[Resource, Share]


@dataclass(kw_only=True, eq=False)
class SignInTicket(Aggregate):
    """A link that signs its account in once, and lets it set a password."""

    id: TicketId
    user_id: UserId
    digest: bytes
    created_at: datetime
    expires_at: datetime
    spent_at: datetime | None = None

    @classmethod
    def create(
        cls,
        *,
        id: TicketId,  # noqa: A002 - the field's name
        user_id: UserId,
        text: Secret,
        actor_id: UserId,
        now: datetime,
    ) -> Self:
        """Make a link; ``text`` is random."""
        ticket = cls(
            id=id,
            user_id=user_id,
            digest=ticket_digest(text.reveal()),
            created_at=now,
            expires_at=now + TICKET_TTL,
        )
        ticket.record(SignInLinkMade(user_id=user_id), at=now, by=actor_id)
        return ticket

    def spend(self, *, now: datetime) -> None:
        """Use it up; raise ``LinkSpent`` if it was used, or is too old."""
        if self.spent_at is not None or now >= self.expires_at:
            raise LinkSpent("This link was used already, or is older than 30 minutes.")
        self.spent_at = now


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """A sign-in that was tried, and has not succeeded yet."""

    id: int
    account: bytes
    """Digest of the name as it was given: what is typed into that field may be a password."""
    address: str
    at: datetime

    @staticmethod
    def account_of(name: str) -> bytes:
        """Hash a name as it was given, upper and lower case being the same."""
        return sha256(name.strip().lower().encode()).digest()


ATTEMPTS_SPAN: Final = timedelta(minutes=15)
_ATTEMPTS: Final = 10
"""Failed sign-ins on an account from one address."""
_ATTEMPTS_AT_ALL: Final = 100
"""On an account from everywhere, or from an address on all accounts."""


def attempt_wait_s(
    attempts: Sequence[Attempt], *, account: bytes, address: str, now: datetime
) -> float:
    """Return how long an account or address that failed too often has to wait; 0 if it need not.

    ``attempts`` are those on the account or from the address, oldest first.
    """
    on_account = [each for each in attempts if each.account == account]
    from_address = [each for each in attempts if each.address == address]
    both = [each for each in on_account if each.address == address]
    waits = [0.0]
    for found, limit in (
        (both, _ATTEMPTS),
        (on_account, _ATTEMPTS_AT_ALL),
        (from_address, _ATTEMPTS_AT_ALL),
    ):
        if len(found) >= limit:
            free_at = found[len(found) - limit].at + ATTEMPTS_SPAN
            waits.append((free_at - now).total_seconds())
    return max(waits)
