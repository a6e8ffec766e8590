"""Visitors of share links: who they are, their short sessions, and keys that bring them back."""

import hashlib
import hmac
import secrets
import struct
import unicodedata
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as NotBase64
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final, Literal, NewType

from domain.share.error import ProofNeeded
from domain.share.link import ShareLink, ShareLinkId
from domain.shared.ids import SpaceId
from domain.shared.secret import Secret

VisitId = NewType("VisitId", int)
VisitSource = Literal["share_link", "embed"]

SESSION: Final = timedelta(minutes=15)
REMEMBERED: Final = timedelta(days=30)
"""As long as the history of somebody unknown is shown."""
TOKEN_LIFE: Final = timedelta(hours=24)
"""A page that knows its users signs a token for each view."""
LEEWAY: Final = timedelta(seconds=60)
END_USER_BYTES: Final = 255
_NO_PROOF: Final = Secret("")
_ANONYMOUS: Final = "visitor-"
_ACCOUNT: Final = "coterie-account-"
_RESERVED: Final = (_ANONYMOUS, _ACCOUNT)
_FORBIDDEN: Final = frozenset("|/\\")
_PURPOSE: Final = b"coterie share visitor\0"
_FIELDS: Final = struct.Struct(">BQIQ")
"""Version, link, epoch, expiry in Unix seconds; the end user follows."""
_VERSION: Final = 1
_MAC_BYTES: Final = hashlib.sha256().digest_size
_KEY_CHARS: Final = 600


@dataclass(kw_only=True, slots=True)
class Visit:
    """A session of a visitor: fifteen minutes, then the page asks for the next."""

    id: VisitId
    link_id: ShareLinkId
    space_id: SpaceId
    digest: bytes
    end_user_id: str
    source: str
    epoch: int
    created_at: datetime
    expires_at: datetime
    proof: Secret = _NO_PROOF
    """What the visitor showed, where it is shown on to a hook with each question."""

    def is_valid(self, link: ShareLink, *, digest: bytes, now: datetime) -> bool:
        """Tell whether it lets in still, and into this link."""
        return (
            hmac.compare_digest(self.digest, digest)
            and self.link_id == link.id
            and self.epoch == link.epoch
            and now < self.expires_at
        )


class VisitorKeys:
    """Keys by which a browser is the same visitor the next time; signed, not stored.

    The first secret signs; the others still verify, so that they can be rotated.
    """

    def __init__(self, secret: Secret, *former: Secret) -> None:
        self._secrets = [each.reveal().encode() for each in (secret, *former)]

    def sign(self, link: ShareLink, end_user_id: str, *, now: datetime) -> str:
        """Return a key that opens this link for thirty days, unless it asks anew before."""
        end = int((now + REMEMBERED).timestamp())
        fields = _FIELDS.pack(_VERSION, link.id, link.epoch, end) + end_user_id.encode()
        return urlsafe_b64encode(fields + _mac(self._secrets[0], fields)).decode().rstrip("=")

    def visitor(self, link: ShareLink, text: str, *, now: datetime) -> str | None:
        """Return whom a key stands for; None if it is of no use here any more."""
        try:
            raw = urlsafe_b64decode(text[:_KEY_CHARS] + "=" * (-len(text) % 4))
        except (NotBase64, ValueError):
            return None
        fields, mac = raw[:-_MAC_BYTES], raw[-_MAC_BYTES:]
        if len(fields) <= _FIELDS.size or not self._is_ours(fields, mac):
            return None
        version, link_id, epoch, end = _FIELDS.unpack_from(fields)
        if (version, link_id, epoch) != (_VERSION, link.id, link.epoch) or now.timestamp() >= end:
            return None
        return fields[_FIELDS.size :].decode()

    def _is_ours(self, fields: bytes, mac: bytes) -> bool:
        return any(hmac.compare_digest(mac, _mac(secret, fields)) for secret in self._secrets)


def _mac(secret: bytes, fields: bytes) -> bytes:
    return hmac.digest(secret, _PURPOSE + fields, "sha256")


def new_visitor() -> str:
    """Name somebody of whom nothing is known."""
    return _ANONYMOUS + secrets.token_hex(16)


def named_visitor(claims: Mapping[str, Any], *, link: ShareLink, now: datetime) -> str:
    """Return whom a signed token names; raise ``ProofNeeded``, which says what is wrong."""
    name, end, audience = claims.get("sub"), claims.get("exp"), claims.get("aud")
    if not isinstance(name, str) or not is_foreign_name(name):
        raise ProofNeeded(
            f"sub: 1 to {END_USER_BYTES} bytes on one line, without | / and \\.", field="user_token"
        )
    audiences = audience if isinstance(audience, list) else [audience]
    if audience is not None and link.code not in audiences:
        raise ProofNeeded("aud: the token is for another link.", field="user_token")
    for claim in ("exp", "nbf", "iat"):
        value = claims.get(claim)
        is_time = isinstance(value, int | float) and not isinstance(value, bool)
        if not is_time and (claim == "exp" or value is not None):
            raise ProofNeeded(f"{claim}: expected Unix seconds.", field="user_token")
    seconds, leeway = now.timestamp(), LEEWAY.total_seconds()
    if not isinstance(end, int | float) or not seconds < end + leeway:  # nor NaN
        raise ProofNeeded("exp: the token has expired.", field="user_token")
    if not end - seconds <= TOKEN_LIFE.total_seconds() + leeway:
        raise ProofNeeded("exp: within a day from now.", field="user_token")
    starts = [claims[each] for each in _STARTS if claims.get(each) is not None]
    if not all(each <= seconds + leeway for each in starts):
        raise ProofNeeded("nbf: the token is not valid yet.", field="user_token")
    return name


_STARTS: Final = ("nbf", "iat")


def account_visitor(user_id: int) -> str:
    """Name a member of the workspace as end user of a link."""
    return f"{_ACCOUNT}{user_id}"


def is_foreign_name(name: str) -> bool:
    """Tell whether a site or a hook may call one of its own users so."""
    return is_end_user(name) and not name.startswith(_RESERVED)


def is_end_user(name: str) -> bool:
    """Tell whether somebody may be called so."""
    return (
        0 < len(name.encode(errors="replace")) <= END_USER_BYTES
        and not _FORBIDDEN.intersection(name)
        and not any(unicodedata.category(char) in {"Cc", "Cs"} for char in name)
    )
