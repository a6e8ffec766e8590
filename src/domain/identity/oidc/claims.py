"""Claims of providers: what a token has to say before anything else in it counts.

The rules are those of OpenID Connect Core 1.0, 3.1.3.7, and Back-Channel Logout 1.0, 2.6.
"""

import hmac
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from domain.identity import value
from domain.identity.error import InvalidIdentity
from domain.identity.oidc.error import TokenRefused

ALGORITHMS: Final = frozenset(
    {"RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512"}
)
"""What tokens may be signed with: never nothing, and never the secret that is known to both."""

CLOCK_SKEW: Final = timedelta(seconds=60)
_LOGOUT_AGE: Final = timedelta(minutes=10)
_LOGOUT: Final = "http://schemas.openid.net/event/backchannel-logout"
_SUBJECT_CHARS: Final = 255
_SESSION_CHARS: Final = 255
_GROUPS: Final = 2000
_DISTRIBUTED: Final = "_claim_names"
_NAME_CHARS: Final = re.compile(r"[^a-z0-9._-]+", re.ASCII)
_LATEST: Final = 253402300799
"""Second of the year 9999 in which the calendar ends."""

Claims = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """Whom a provider has signed in, as it describes them."""

    subject: str
    name: str = ""
    account_name: str = ""
    """What the person is called there, spelled as accounts are here; perhaps too short."""
    email: str = ""
    is_email_verified: bool = False
    picture: str = ""
    groups: frozenset[str] | None = frozenset()
    """None where the provider does not tell them here, though there are some."""
    session: str = ""
    signed_in_at: datetime | None = None
    """When the person last showed the provider who they are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LogoutNotice:
    """A provider's word that somebody signed out."""

    subject: str
    """Empty: whoever has the session."""
    session: str
    """Empty: all of the person."""
    at: datetime


def check_id_token(
    claims: Claims, *, issuer: str, client_id: str, nonce: str, now: datetime
) -> None:
    """Raise ``TokenRefused`` unless a token is for this sign-in, from this provider, and new."""
    _require_issued(claims, issuer=issuer, client_id=client_id)
    if now - CLOCK_SKEW >= _instant(claims, "exp"):
        raise TokenRefused("The token has expired.")
    if _instant(claims, "iat") > now + CLOCK_SKEW:
        raise TokenRefused("The token was issued in the future.")
    if "nbf" in claims and _instant(claims, "nbf") > now + CLOCK_SKEW:
        raise TokenRefused("The token is not good yet.")
    shown = claims.get("nonce")
    if not isinstance(shown, str) or not hmac.compare_digest(shown.encode(), nonce.encode()):
        raise TokenRefused("The token was made for another sign-in.")
    subject_of(claims)


def subject_of(claims: Claims) -> str:
    """Return who is meant; raise ``TokenRefused``."""
    subject = claims.get("sub")
    if not isinstance(subject, str) or not 1 <= len(subject) <= _SUBJECT_CHARS:
        raise TokenRefused("The token does not say whom it is about.")
    return subject


def logout_notice(claims: Claims, *, issuer: str, client_id: str, now: datetime) -> LogoutNotice:
    """Read a token of back-channel logout; raise ``TokenRefused``."""
    _require_issued(claims, issuer=issuer, client_id=client_id)
    events = claims.get("events")
    if not isinstance(events, dict) or not isinstance(events.get(_LOGOUT), dict):
        raise TokenRefused("The token is none of logout.")
    if "nonce" in claims:  # which makes a token of sign-in useless here
        raise TokenRefused("The token is one of sign-in.")
    issued = _instant(claims, "iat")
    if not now - _LOGOUT_AGE <= issued <= now + CLOCK_SKEW:
        raise TokenRefused("The token is too old, or from the future.")
    if "exp" in claims and now - CLOCK_SKEW >= _instant(claims, "exp"):
        raise TokenRefused("The token has expired.")
    session = _text(claims, "sid")
    subject = subject_of(claims) if "sub" in claims else ""
    if not (session or subject):
        raise TokenRefused("The token says neither who nor which session.")
    return LogoutNotice(subject=subject, session=session[:_SESSION_CHARS], at=issued)


def person_of(claims: Claims, *, groups_claim: str) -> Person:
    """Read who somebody is; what is said badly is as if it was not said."""
    email = _text(claims, "email").strip()
    try:
        email = value.email_address(email)
    except InvalidIdentity:
        email = ""
    picture = _text(claims, "picture")
    try:
        picture = value.picture_url(picture, field="picture")
    except InvalidIdentity:
        picture = ""
    called = _text(claims, "preferred_username") or email
    return Person(
        subject=subject_of(claims),
        name=_shown(_text(claims, "name") or _full_name(claims) or called),
        account_name=_spelled(called.partition("@")[0]),
        email=email,
        is_email_verified=claims.get("email_verified") in (True, "true"),
        picture=picture,
        groups=_groups(claims, groups_claim) if groups_claim else frozenset(),
        session=_text(claims, "sid")[:_SESSION_CHARS],
        signed_in_at=_instant(claims, "auth_time") if "auth_time" in claims else None,
    )


def lacks_something(claims: Claims, *, groups_claim: str) -> bool:
    """Tell whether it is worth asking the provider for more."""
    wanted = [claims.get("email"), claims.get("name") or claims.get("preferred_username")]
    if groups_claim:
        wanted.append(claim_at(claims, groups_claim))
    return any(each is None for each in wanted)


def claim_at(claims: Claims, path: str) -> Any:
    """Return a claim by its name, or by the way to it: ``realm_access.roles``."""
    if path in claims:
        return claims[path]
    found: Any = claims
    for step in path.split("."):
        if not isinstance(found, dict) or step not in found:
            return None
        found = found[step]
    return found


def account_names(person: Person, *, number: int) -> list[str]:
    """Return names for a new account, the best one first; ``number`` makes the last one unique."""
    longest = value.USER_NAME_CHARS.stop - 1
    base = person.account_name
    if len(base) < value.USER_NAME_CHARS.start:
        base = f"user-{base}".rstrip("-._") if base else "user"
    base = base[:longest]
    tried = [base, *(f"{base[: longest - 3]}-{again}" for again in range(2, 10))]
    return [*tried, f"user-{number % 10**15}"]


def _require_issued(claims: Claims, *, issuer: str, client_id: str) -> None:
    if claims.get("iss") != issuer:
        raise TokenRefused("The token comes from another issuer.")
    audience = claims.get("aud")
    named = audience if isinstance(audience, list) else [audience]
    if client_id not in named:
        raise TokenRefused("The token is for somebody else.")
    party = claims.get("azp")
    if party is None and len(named) > 1:
        raise TokenRefused("The token is for several, and does not say who asked for it.")
    if party is not None and party != client_id:
        raise TokenRefused("Somebody else asked for the token.")


def _instant(claims: Claims, name: str) -> datetime:
    found = claims.get(name)
    if isinstance(found, bool) or not isinstance(found, int | float) or not 0 <= found <= _LATEST:
        raise TokenRefused(f"The token lacks {name}, or it is no time.")
    return datetime.fromtimestamp(found, UTC)


def _text(claims: Claims, name: str) -> str:
    found = claims.get(name)
    return found if isinstance(found, str) else ""


def _full_name(claims: Claims) -> str:
    return f"{_text(claims, 'given_name')} {_text(claims, 'family_name')}".strip()


def _groups(claims: Claims, path: str) -> frozenset[str] | None:
    found = claim_at(claims, path)
    if found is None:
        distributed = claims.get(_DISTRIBUTED)
        is_elsewhere = isinstance(distributed, dict) and path in distributed
        return None if is_elsewhere else frozenset()
    listed = [found] if isinstance(found, str) else found
    if not isinstance(listed, list):
        return frozenset()
    return frozenset(each for each in listed[:_GROUPS] if isinstance(each, str))


def _shown(text: str) -> str:
    plain = "".join(
        each for each in text if unicodedata.category(each) not in {"Cc", "Cs", "Zl", "Zp"}
    )
    return plain.strip()[: value.DISPLAY_NAME_CHARS].strip()


def _spelled(text: str) -> str:
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return _NAME_CHARS.sub("-", plain).strip("-._")
