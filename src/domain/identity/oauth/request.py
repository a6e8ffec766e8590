"""Requests of applications that a person answers: for a code, or for a device."""

import hmac
import re
import secrets
from base64 import urlsafe_b64encode
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from hashlib import sha256
from typing import Final, Self
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from domain.identity.oauth.app import OAuthApp
from domain.identity.oauth.error import (
    AccessDenied,
    AuthorizationPending,
    CodeReused,
    ConsentRequestDecided,
    ConsentRequestNotFound,
    ExpiredToken,
    InvalidGrant,
    SlowDown,
)
from domain.identity.value import ClientType
from domain.shared.aggregate import Aggregate
from domain.shared.error import InvalidRequest
from domain.shared.ids import OAuthAppId, OAuthRequestId, SpaceId, UserId
from domain.shared.secret import Secret

REQUEST_TTL: Final = timedelta(minutes=10)
CODE_TTL: Final = timedelta(seconds=60)
DEVICE_TTL: Final = timedelta(minutes=15)
POLL_S: Final = 5
_MORE_S: Final = 5
"""What an impatient device waits longer (RFC 8628, 3.5)."""

_STATE_CHARS: Final = 2000
_VERIFIER: Final = re.compile(r"[A-Za-z0-9._~-]{43,128}", re.ASCII)
"""RFC 7636, 4.1; the clients of Coze draw shorter ones, too: see ``_SHORT``."""
_SHORT: Final = re.compile(r"[A-Za-z0-9._~-]{16,128}", re.ASCII)
_LETTERS: Final = "BCDFGHJKLMNPQRSTVWXZ"
"""No vowels, so that no words come out (RFC 8628, 6.1)."""
_HALF: Final = 4
_RANDOM_BYTES: Final = 32


class ChallengeMethod(StrEnum):
    """How a program shows later that it is the one that asked."""

    S256 = "S256"
    PLAIN = "plain"
    NONE = ""


class RequestState(StrEnum):
    """What became of a request."""

    PENDING = "pending"
    APPROVED = "approved"
    DENIED = "denied"
    SPENT = "spent"


@dataclass(kw_only=True, eq=False)
class OAuthRequest(Aggregate):
    """An application that asks a person; ``handle`` leads the person to it, ``code`` pays for it.

    Of both only digests are kept. ``code`` of a device is there at once, that of a browser once
    the person said yes.
    """

    id: OAuthRequestId
    app_id: OAuthAppId
    is_device: bool
    handle: bytes
    code: bytes | None
    fixed_space_id: SpaceId | None
    """The workspace that the application named."""
    redirect_uri: str = ""
    state_text: str = ""
    challenge: str = ""
    method: ChallengeMethod = ChallengeMethod.NONE
    state: RequestState = RequestState.PENDING
    user_id: UserId | None = None
    space_id: SpaceId | None = None
    """The workspace that the person chose."""
    interval_s: int = POLL_S
    polled_at: datetime | None = None
    created_at: datetime
    expires_at: datetime

    @classmethod
    def for_code(
        cls,
        *,
        id: OAuthRequestId,  # noqa: A002 - the field's name
        app: OAuthApp,
        handle: Secret,
        space_id: SpaceId | None,
        redirect_uri: str,
        state: str,
        challenge: str,
        method: ChallengeMethod,
        now: datetime,
    ) -> Self:
        """Keep what a browser brought until the person answers."""
        return cls(
            id=id,
            app_id=app.id,
            is_device=False,
            handle=handle_digest(handle.reveal()),
            code=None,
            fixed_space_id=space_id,
            redirect_uri=redirect_uri,
            state_text=state,
            challenge=challenge,
            method=method,
            created_at=now,
            expires_at=now + REQUEST_TTL,
        )

    @classmethod
    def for_device(
        cls,
        *,
        id: OAuthRequestId,  # noqa: A002 - the field's name
        app: OAuthApp,
        user_code: str,
        device_code: Secret,
        space_id: SpaceId | None,
        now: datetime,
    ) -> Self:
        """Keep what a device asked for until the person answers."""
        return cls(
            id=id,
            app_id=app.id,
            is_device=True,
            handle=handle_digest(user_code),
            code=code_digest(device_code.reveal()),
            fixed_space_id=space_id,
            created_at=now,
            expires_at=now + DEVICE_TTL,
        )

    def require_open(self, now: datetime) -> None:
        """Raise ``ConsentRequestNotFound`` or ``ConsentRequestDecided`` if nobody waits for it."""
        if now >= self.expires_at:
            raise ConsentRequestNotFound(
                "This request has expired; go back to the application and begin anew."
            )
        if self.state is not RequestState.PENDING:
            raise ConsentRequestDecided("This request was answered already.")

    def approve(
        self, *, user_id: UserId, space_id: SpaceId, code: Secret | None, now: datetime
    ) -> None:
        """Let the application act for a person in a workspace; ``code`` is what it shows then."""
        self.require_open(now)
        if self.fixed_space_id not in {None, space_id}:
            raise InvalidRequest(
                "workspace_id: the application asks for another workspace.", field="workspace_id"
            )
        self.state, self.user_id, self.space_id = RequestState.APPROVED, user_id, space_id
        if code is not None:
            self.code, self.expires_at = code_digest(code.reveal()), now + CODE_TTL

    def deny(self, *, user_id: UserId, now: datetime) -> None:
        """Send the application away."""
        self.require_open(now)
        self.state, self.user_id = RequestState.DENIED, user_id

    def spend(
        self, *, app: OAuthApp, redirect_uri: str, verifier: str, now: datetime
    ) -> tuple[UserId, SpaceId]:
        """Exchange a browser's code; return for whom and where.

        Raises:
            InvalidGrant: expired, or brought by another application, to another address, or
                without the verifier.
            CodeReused: exchanged before; whatever it gave is in doubt.
        """
        if self.is_device or self.app_id != app.id or self.user_id is None or self.space_id is None:
            raise InvalidGrant("code: unknown, expired or used already.", field="code")
        if redirect_uri != self.redirect_uri:
            raise InvalidGrant(
                "redirect_uri: not the one that the code was asked for with.",
                field="redirect_uri",
            )
        self._require_verifier(verifier)
        if self.state is RequestState.SPENT:
            raise CodeReused("code: unknown, expired or used already.", field="code")
        if self.state is not RequestState.APPROVED or now >= self.expires_at:
            raise InvalidGrant("code: unknown, expired or used already.", field="code")
        self.state = RequestState.SPENT
        return self.user_id, self.space_id

    def poll(self, *, app: OAuthApp, now: datetime) -> tuple[UserId, SpaceId] | None:
        """Exchange a device's code; return for whom and where, None if nobody answered yet.

        ``polled_at`` then changed and is to be saved; ask ``pace`` before.

        Raises:
            InvalidGrant: another application's, or used already.
            AccessDenied, ExpiredToken: as the device is told.
        """
        if not self.is_device or self.app_id != app.id or self.state is RequestState.SPENT:
            raise InvalidGrant("device_code: unknown or used already.", field="device_code")
        if self.state is RequestState.DENIED:
            raise AccessDenied("The person refused.")
        if now >= self.expires_at:
            raise ExpiredToken("Nobody answered in time; ask for another code.")
        if self.state is RequestState.PENDING or self.user_id is None or self.space_id is None:
            return None
        self.state = RequestState.SPENT
        return self.user_id, self.space_id

    def pace(self, now: datetime) -> InvalidRequest:
        """Note that a device asked, and return what it is told."""
        since, self.polled_at = self.polled_at, now
        if since is not None and (now - since).total_seconds() < self.interval_s:
            self.interval_s += _MORE_S
            return SlowDown("Ask less often.")
        return AuthorizationPending("The person has not answered yet.")

    @property
    def redirect_host(self) -> str:
        """Where the browser goes afterwards, for people to read; empty for a device."""
        parts = urlsplit(self.redirect_uri)
        return parts.netloc or (f"{parts.scheme}:" if parts.scheme else "")

    def answer_url(self, **answer: str) -> str:
        """Return where the browser goes with the answer; empty for a device."""
        return (
            ""
            if self.is_device
            else redirect_with(self.redirect_uri, **answer, state=self.state_text)
        )

    def _require_verifier(self, verifier: str) -> None:
        if self.method is ChallengeMethod.NONE:
            return
        shown = verifier
        if self.method is ChallengeMethod.S256:
            digest = sha256(verifier.encode()).digest()
            shown = urlsafe_b64encode(digest).decode().rstrip("=")
        if not (verifier and hmac.compare_digest(shown.encode(), self.challenge.encode())):
            raise InvalidGrant(
                "code_verifier: not the one that the code was asked for with.",
                field="code_verifier",
            )


def challenge_of(app: OAuthApp, *, challenge: str, method: str) -> tuple[str, ChallengeMethod]:
    """Check how a program wants to show that it asked; raise ``InvalidRequest``.

    Without a secret of its own it has to; ``plain`` only where the application allows it.
    """
    if not challenge:
        if app.client_type is ClientType.PKCE:
            raise InvalidRequest(
                "code_challenge: this application has to send one.", field="code_challenge"
            )
        if method:
            raise InvalidRequest("code_challenge: required.", field="code_challenge")
        return "", ChallengeMethod.NONE
    if method == ChallengeMethod.S256.value:
        if not _VERIFIER.fullmatch(challenge):
            raise InvalidRequest(
                "code_challenge: expected the SHA-256 of the verifier in base64url.",
                field="code_challenge",
            )
        return challenge, ChallengeMethod.S256
    if method in {"", ChallengeMethod.PLAIN.value} and app.rules.allows_plain:
        if not _SHORT.fullmatch(challenge):
            raise InvalidRequest(
                "code_challenge: 16 to 128 letters, digits, dots, dashes, tildes, underscores.",
                field="code_challenge",
            )
        return challenge, ChallengeMethod.PLAIN
    raise InvalidRequest(
        'code_challenge_method: send S256; "plain" is off for this application.',
        field="code_challenge_method",
    )


def checked_state(text: str) -> str:
    """Check what the application wants to see again."""
    if len(text) > _STATE_CHARS:
        raise InvalidRequest(f"state: at most {_STATE_CHARS} characters.", field="state")
    return text


def redirect_with(uri: str, **answer: str) -> str:
    """Add an answer to the query of an address."""
    parts = urlsplit(uri)
    query = [*parse_qsl(parts.query, keep_blank_values=True), *answer.items()]
    return urlunsplit(parts._replace(query=urlencode([(n, v) for n, v in query if v])))


def new_handle() -> Secret:
    """Draw the name of a request in the address of the page that asks."""
    return Secret(secrets.token_urlsafe(_RANDOM_BYTES))


def new_code() -> Secret:
    """Draw a code of a browser or device."""
    return Secret(secrets.token_urlsafe(_RANDOM_BYTES))


def new_user_code() -> str:
    """Draw a code that a person types: 34 bits, of which few are tried."""
    text = "".join(secrets.choice(_LETTERS) for _ in range(2 * _HALF))
    return f"{text[:_HALF]}-{text[_HALF:]}"


def spelled_user_code(text: str) -> str:
    """Read a code as a person types it; what is none is returned as it is."""
    plain = "".join(char for char in text.upper() if char.isalnum())
    if len(plain) == 2 * _HALF and set(plain) <= set(_LETTERS):
        return f"{plain[:_HALF]}-{plain[_HALF:]}"
    return text


def handle_digest(text: str) -> bytes:
    """Hash the name of a request."""
    return sha256(b"coterie oauth request\0" + text.encode()).digest()


def code_digest(text: str) -> bytes:
    """Hash a code."""
    return sha256(b"coterie oauth code\0" + text.encode()).digest()
