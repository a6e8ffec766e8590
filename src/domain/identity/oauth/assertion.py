"""Claims of an application that acts for its workspace: RFC 7523, as clients of Coze make them."""

import unicodedata
from collections.abc import Collection, Mapping
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any, Final

import msgspec

from domain.identity.oauth.error import InvalidGrant

MAX_LIFE: Final = timedelta(hours=1)
LEEWAY: Final = timedelta(seconds=30)
"""How far clocks of two machines may be apart."""

_NAME_CHARS: Final = 256


class Claims(msgspec.Struct, frozen=True, kw_only=True):
    """What is read of an assertion whose signature is right."""

    name: bytes
    """Digest of ``jti``, by which it is taken once."""
    expires_at: datetime
    end_user_id: str


def read_claims(
    claims: Mapping[str, Any],
    *,
    audiences: Collection[str],
    end_user_chars: int,
    now: datetime,
) -> Claims:
    """Check whom the claims are for, and when; raise ``InvalidGrant``, which names the claim."""
    audience = claims.get("aud")
    given = [audience] if isinstance(audience, str) else audience
    if not isinstance(given, list) or not any(
        isinstance(each, str) and each.lower() in audiences for each in given
    ):
        raise InvalidGrant(
            "aud: expected the host of this server, with its port if the address has one.",
            field="aud",
        )
    issued_at, expires_at = _instant(claims, "iat", now), _instant(claims, "exp", now)
    if not issued_at - LEEWAY <= now < expires_at + LEEWAY:
        raise InvalidGrant("exp: the assertion has expired, or is not valid yet.", field="exp")
    if expires_at - issued_at > MAX_LIFE:
        raise InvalidGrant("exp: at most one hour after iat.", field="exp")
    not_before = claims.get("nbf")
    if not_before is not None and _instant(claims, "nbf", now) - LEEWAY > now:
        raise InvalidGrant("nbf: the assertion is not valid yet.", field="nbf")
    name = claims.get("jti")
    if not isinstance(name, str) or not 1 <= len(name) <= _NAME_CHARS:
        raise InvalidGrant(f"jti: 1 to {_NAME_CHARS} characters, new each time.", field="jti")
    end_user = claims.get("session_name") or ""
    if (
        not isinstance(end_user, str)
        or len(end_user) > end_user_chars
        or any(unicodedata.category(char) in {"Cc", "Cs"} for char in end_user)
    ):
        raise InvalidGrant(
            f"session_name: at most {end_user_chars} characters on one line.",
            field="session_name",
        )
    return Claims(
        name=sha256(name.encode(errors="surrogatepass")).digest(),
        expires_at=expires_at + LEEWAY,
        end_user_id=end_user,
    )


def _instant(claims: Mapping[str, Any], name: str, now: datetime) -> datetime:
    """Read a time; those that no clock shows are refused as well."""
    value = claims.get(name)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise InvalidGrant(f"{name}: expected Unix seconds.", field=name)
    try:
        return datetime.fromtimestamp(value, now.tzinfo)
    except (ValueError, OverflowError, OSError):
        raise InvalidGrant(f"{name}: expected Unix seconds.", field=name) from None
