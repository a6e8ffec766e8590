"""Signed links: whoever has one may read one file for a while."""

import base64
import binascii
import hashlib
import hmac
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import IntEnum
from typing import Final

from domain.file.error import LinkRefused
from domain.shared.access import TenantScope
from domain.shared.ids import FileId, SpaceId, UserId
from domain.shared.secret import Secret

MAX_TTL_S: Final = 3600
_FIELDS: Final = struct.Struct(">BQQQB")
"""Version, space, file, expiry in Unix seconds, disposition."""

_VERSION: Final = 1
_MAC_BYTES: Final = hashlib.sha256().digest_size
_PURPOSE: Final = b"coterie file link\0"
"""Keeps a signature from being valid anywhere else under the same key."""

_NOBODY: Final = UserId(0)
_TOKEN_CHARS: Final = (_FIELDS.size + _MAC_BYTES + 2) // 3 * 4


class Disposition(IntEnum):
    """What a browser is told to do with the file."""

    INLINE = 0
    """Show it if it is an image of a harmless type."""
    ATTACHMENT = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class FileLink:
    """What a link grants."""

    space_id: SpaceId
    file_id: FileId
    expires_at_s: int
    disposition: Disposition = Disposition.INLINE

    @property
    def scope(self) -> TenantScope:
        """The one space the link reaches into, on nobody's account."""
        return TenantScope(_NOBODY, frozenset({self.space_id}))


class LinkSigner:
    """Makes and checks tokens: the fields of a link and their HMAC-SHA256, base64url.

    The first key signs; the others still verify, so that keys can be rotated.
    """

    def __init__(self, keys: Sequence[Secret]) -> None:
        if not keys or not all(keys):
            raise ValueError("Links need a signing key.")
        self._keys = tuple(keys)

    def sign(
        self,
        space_id: SpaceId,
        file_id: FileId,
        *,
        now: datetime,
        ttl_s: int = MAX_TTL_S,
        disposition: Disposition = Disposition.INLINE,
    ) -> str:
        """Return a token that lasts ``ttl_s`` seconds, an hour at most."""
        if not 0 < ttl_s <= MAX_TTL_S:
            raise ValueError(f"A link lasts 1 to {MAX_TTL_S} seconds.")
        expires = int((now + timedelta(seconds=ttl_s)).timestamp())
        fields = _FIELDS.pack(_VERSION, space_id, file_id, expires, disposition)
        return _encode(fields + _mac(self._keys[0], fields))

    def verify(self, token: str, *, now: datetime) -> FileLink:
        """Return what the token grants; raise ``LinkRefused`` unless it is ours and still valid."""
        fields, mac = _split(token)
        if not any(hmac.compare_digest(mac, _mac(key, fields)) for key in self._keys):
            raise LinkRefused("This link is not valid. Ask for a new one.")
        _, space_id, file_id, expires, disposition = _FIELDS.unpack(fields)
        if now.timestamp() >= expires:
            raise LinkRefused("This link has expired. Ask for a new one.")
        return FileLink(
            space_id=SpaceId(space_id),
            file_id=FileId(file_id),
            expires_at_s=expires,
            disposition=Disposition(disposition),
        )


class FileLinks:
    """Addresses of files under the server's public address."""

    def __init__(self, *, signer: LinkSigner, public_url: str) -> None:
        self._signer = signer
        self._prefix = f"{public_url.rstrip('/')}/files/"

    def url(
        self,
        space_id: SpaceId,
        file_id: FileId,
        *,
        now: datetime,
        ttl_s: int = MAX_TTL_S,
        disposition: Disposition = Disposition.INLINE,
    ) -> str:
        """Return a signed address."""
        token = self._signer.sign(space_id, file_id, now=now, ttl_s=ttl_s, disposition=disposition)
        return f"{self._prefix}{token}"

    def verify(self, token: str, *, now: datetime) -> FileLink:
        return self._signer.verify(token, now=now)

    def own(self, url: str, *, now: datetime) -> FileLink | None:
        """Read an address of ours, None if it is someone else's; raise ``LinkRefused``."""
        if not url.startswith(self._prefix):
            return None
        return self.verify(url.removeprefix(self._prefix), now=now)


def _mac(key: Secret, fields: bytes) -> bytes:
    return hmac.new(key.reveal().encode(), _PURPOSE + fields, hashlib.sha256).digest()


def _encode(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


def _split(token: str) -> tuple[bytes, bytes]:
    raw = b""
    if len(token) <= _TOKEN_CHARS and token.isascii():
        padded = token + "=" * (-len(token) % 4)
        try:
            raw = base64.b64decode(padded, altchars=b"-_", validate=True)
        except binascii.Error:
            raw = b""
    # One token has one spelling: unused bits of its last character must be zero.
    is_ours = len(raw) == _FIELDS.size + _MAC_BYTES and raw[0] == _VERSION and _encode(raw) == token
    if not is_ours:
        raise LinkRefused("This link is damaged. Ask for a new one.")
    return raw[: _FIELDS.size], raw[_FIELDS.size :]
