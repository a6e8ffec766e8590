"""Signed addresses of the images in slices: whoever has one may see that image for a while."""

import base64
import binascii
import hashlib
import hmac
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

import msgspec

from domain.shared.error import NotFound
from domain.shared.secret import Secret

TTL_S: Final = 3600
_PURPOSE: Final = b"coterie knowledge image\0"
"""Keeps a signature from being valid anywhere else under the same key."""
_MAC_BYTES: Final = hashlib.sha256().digest_size
_MAX_TOKEN_CHARS: Final = 1024
_IMAGE: Final = re.compile('<img\\b[^<>]*?data-tos-key="(?P<key>[^"<>]*)"[^<>]*>')


_BEGINNINGS: Final = {
    b"\x89PNG\r\n\x1a\n": "image/png",
    b"\xff\xd8\xff": "image/jpeg",
    b"GIF87a": "image/gif",
    b"GIF89a": "image/gif",
    b"BM": "image/bmp",
}


class ImageLinkRefused(NotFound):
    """The address is damaged, not ours, or too old."""


class ImageLink(msgspec.Struct, frozen=True, array_like=True):
    """What an address grants: one object until a moment in Unix seconds."""

    object_key: str
    expires_at_s: int


@dataclass(frozen=True, slots=True)
class ImageLinks:
    """Makes and checks addresses under the server's public one.

    The first key signs; the others still verify, so that keys can be rotated.
    """

    keys: Sequence[Secret]
    public_url: str

    def url(self, object_key: str, *, now: datetime) -> str:
        """Return an address that lasts about an hour.

        It stays the same for half an hour: prompts that hold it can be cached by providers.
        """
        half = TTL_S // 2
        expires = int(now.timestamp()) // half * half + TTL_S
        fields = msgspec.json.encode(ImageLink(object_key, expires))
        token = base64.urlsafe_b64encode(fields + _mac(self.keys[0], fields)).decode().rstrip("=")
        return f"{self.public_url.rstrip('/')}/knowledge/images/{token}"

    def verify(self, token: str, *, now: datetime) -> ImageLink:
        """Return what a token grants; raise ``ImageLinkRefused``."""
        raw = _decoded(token)
        fields, mac = raw[:-_MAC_BYTES], raw[-_MAC_BYTES:]
        if not any(hmac.compare_digest(mac, _mac(key, fields)) for key in self.keys):
            raise ImageLinkRefused("This link is not valid. Search again for a new one.")
        link = msgspec.json.decode(fields, type=ImageLink)
        if now.timestamp() >= link.expires_at_s:
            raise ImageLinkRefused("This link has expired. Search again for a new one.")
        return link

    def shown(self, content: str, own: Collection[str], *, now: datetime) -> str:
        """Give the images in a content their addresses; those not in ``own`` stay as they are.

        People edit slices, and an edited one may name any object: only those of its document
        are served.
        """

        def with_address(match: re.Match[str]) -> str:
            key = match["key"]
            if key not in own:
                return match[0]
            return f'<img src="{self.url(key, now=now)}" data-tos-key="{key}">'

        return _IMAGE.sub(with_address, content)


def without_addresses(content: str) -> str:
    """Return a content as it is stored: an address that was shown is gone in a day."""
    return _IMAGE.sub(lambda match: f'<img src="" data-tos-key="{match["key"]}">', content)


def image_type(data: bytes) -> str | None:
    """Return the media type of an image by its first bytes; None for anything else."""
    for beginning, media_type in _BEGINNINGS.items():
        if data.startswith(beginning):
            return media_type
    return "image/webp" if data[:4] == b"RIFF" and data[8:12] == b"WEBP" else None


def _decoded(token: str) -> bytes:
    try:
        if len(token) <= _MAX_TOKEN_CHARS and token.isascii():
            raw = base64.b64decode(token + "=" * (-len(token) % 4), altchars=b"-_", validate=True)
            if len(raw) > _MAC_BYTES:
                return raw
    except binascii.Error:
        pass  # said below
    raise ImageLinkRefused("This link is damaged. Search again for a new one.")


def _mac(key: Secret, fields: bytes) -> bytes:
    return hmac.new(key.reveal().encode(), _PURPOSE + fields, hashlib.sha256).digest()
