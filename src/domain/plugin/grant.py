"""Access that a user gave to a plugin, and the dialogue with the provider that leads there."""

import base64
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any, Final
from urllib.parse import urlencode, urlsplit

import msgspec

from domain.plugin.error import ToolCallFailed
from domain.plugin.event import GrantGiven, GrantRevoked
from domain.plugin.value import Auth, BodyMedia, GrantId, PluginId
from domain.shared.aggregate import Aggregate
from domain.shared.ids import SpaceId
from domain.shared.secret import Secret

SHARED: Final = ""
"""Holder of a grant that serves a whole space."""

STATE_MINUTES: Final = 10
_IDLE: Final = timedelta(days=15)
_USE_INTERVAL: Final = timedelta(minutes=1)
_FAILURES: Final = 5
_LIFETIME_S: Final = 3600
_MAX_LIFETIME_S: Final = 10 * 365 * 86_400
_TOKEN_CHARS: Final = 16 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Tokens:
    """What a provider issued; ``lifetime_s`` 0 means that it does not end."""

    access: Secret
    refresh: Secret
    lifetime_s: int


@dataclass(kw_only=True, eq=False)
class Grant(Aggregate):
    """Tokens of one holder for one plugin."""

    id: GrantId
    plugin_id: PluginId
    space_id: SpaceId
    holder: str
    access: Secret
    refresh: Secret
    refresh_at: datetime | None
    expires_at: datetime | None
    failures: int = 0
    created_at: datetime
    last_used_at: datetime

    @classmethod
    def give(
        cls,
        grant_id: GrantId,
        tokens: Tokens,
        *,
        plugin_id: PluginId,
        space_id: SpaceId,
        holder: str,
        now: datetime,
    ) -> "Grant":
        """Take the first tokens."""
        grant = cls(
            id=grant_id,
            plugin_id=plugin_id,
            space_id=space_id,
            holder=holder,
            access=tokens.access,
            refresh=tokens.refresh,
            refresh_at=None,
            expires_at=None,
            created_at=now,
            last_used_at=now,
        )
        grant.renew(tokens, now=now)
        grant.record(GrantGiven(), at=now)
        return grant

    @property
    def subject(self) -> tuple[int, int]:
        return self.space_id, self.plugin_id

    def renew(self, tokens: Tokens, *, now: datetime) -> None:
        """Take new tokens; a provider may keep the old one for renewing."""
        self.access = tokens.access
        self.refresh = tokens.refresh or self.refresh
        self.failures = 0
        life = timedelta(seconds=tokens.lifetime_s)
        self.refresh_at = now + life / 2 if life else None
        self.expires_at = now + life if life else None

    def wants_renewal(self, now: datetime) -> bool:
        """Half of the tokens' life is over."""
        return bool(self.refresh) and self.refresh_at is not None and now >= self.refresh_at

    def is_forgotten(self, now: datetime) -> bool:
        """Nobody used it for so long that access has to be given again."""
        return now - self.last_used_at > _IDLE

    def is_usable(self, now: datetime) -> bool:
        """The token is still good."""
        return self.expires_at is None or now < self.expires_at

    def used(self, now: datetime) -> bool:
        """Note a use; tell whether that is worth storing."""
        if now - self.last_used_at < _USE_INTERVAL:
            return False
        self.last_used_at = now
        return True

    def renewal_failed(self) -> bool:
        """Count a failure; tell whether the grant is to go."""
        self.failures += 1
        return self.failures >= _FAILURES

    def revoke(self, reason: str, *, now: datetime) -> None:
        """Note why it ends; the repository removes it."""
        self.record(GrantRevoked(reason=reason), at=now)


@dataclass(frozen=True, slots=True, kw_only=True)
class PendingGrant:
    """A user who was sent to the provider; ``digest`` is that of the state in the address."""

    digest: str
    plugin_id: PluginId
    space_id: SpaceId
    holder: str
    verifier: Secret
    expires_at: datetime


def digest_of(state: str) -> str:
    """What is stored of a state: whoever reads the table cannot use it."""
    return sha256(state.encode()).hexdigest()


def authorize_url(auth: Auth, *, state: str, verifier: str, redirect_url: str) -> str:
    """Return where a user grants access."""
    challenge = base64.urlsafe_b64encode(sha256(verifier.encode()).digest()).rstrip(b"=").decode()
    query = {
        "response_type": "code",
        "client_id": auth.client_id,
        "redirect_uri": redirect_url,
        "state": state,
        "code_challenge": challenge,
        "code_challenge_method": "S256",
        **({"scope": auth.scope} if auth.scope else {}),
    }
    mark = "&" if urlsplit(auth.authorization_url).query else "?"
    return f"{auth.authorization_url}{mark}{urlencode(query)}"


def token_body(auth: Auth, fields: Mapping[str, str]) -> tuple[bytes, str]:
    """Write what the provider is asked, and say in which format."""
    if auth.content_type == BodyMedia.JSON.value:
        return msgspec.json.encode(dict(fields)), BodyMedia.JSON.value
    return urlencode(dict(fields)).encode(), BodyMedia.FORM.value


def read_tokens(status: int, body: bytes) -> Tokens:
    """Read the provider's answer; raise ``ToolCallFailed`` without a word of what it sent."""
    answer: Any = None
    try:
        answer = msgspec.json.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        answer = None
    if status >= 400 or not isinstance(answer, dict):  # noqa: PLR2004
        raise ToolCallFailed(f"The provider refused to issue a token (HTTP {status}).")
    access, refresh = answer.get("access_token"), answer.get("refresh_token")
    if not isinstance(access, str) or not 0 < len(access) <= _TOKEN_CHARS:
        raise ToolCallFailed("The provider issued no token.")
    life = answer.get("expires_in", _LIFETIME_S)
    seconds = int(life) if isinstance(life, int | float | str) and str(life).isdigit() else 0
    return Tokens(
        access=Secret(access),
        refresh=Secret(refresh if isinstance(refresh, str) else ""),
        lifetime_s=min(seconds, _MAX_LIFETIME_S),
    )
