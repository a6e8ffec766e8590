"""Default icons of resources that have none of their own."""

import struct
import zlib
from collections.abc import Mapping
from typing import Final

import msgspec

from domain.shared.error import NotFound

_SIDE: Final = 64
_RADIUS: Final = 22
"""Pixels of the disc in the middle."""

_COLOURS: Final[Mapping[str, tuple[int, int, int]]] = {
    "agent": (0x4F, 0x6B, 0xED),
    "workflow": (0x0F, 0x9D, 0x7A),
    "dataset": (0xD9, 0x7A, 0x06),
    "plugin": (0x8B, 0x5C, 0xF6),
}


class IconNotFound(NotFound):
    """No built-in icon of this name."""


class IconView(msgspec.Struct, frozen=True, kw_only=True):
    """A built-in icon; ``kind`` names what it stands for."""

    kind: str
    url: str


class IconService:
    """Lists and draws the built-in icons."""

    def __init__(self, *, public_url: str) -> None:
        self._base = public_url.rstrip("/")
        pixels = _disc()
        self._images = {kind: _png(colour, pixels) for kind, colour in _COLOURS.items()}

    def list(self, kind: str = "") -> list[IconView]:
        """Name the icons, all of them or those of one kind."""
        return [
            IconView(kind=name, url=f"{self._base}/icons/{name}.png")
            for name in self._images
            if kind in {"", name}
        ]

    def image(self, kind: str) -> bytes:
        """Return an icon as PNG; raise ``IconNotFound``."""
        if kind not in self._images:
            raise IconNotFound("No such icon.")
        return self._images[kind]


def _disc() -> bytes:
    """Paint a disc on a square in two colours, as the compressed rows of a PNG."""
    rows = b"".join(b"\0" + bytes(_pixel(x, y) for x in range(_SIDE)) for y in range(_SIDE))
    return zlib.compress(rows, 9)


def _png(colour: tuple[int, int, int], pixels: bytes) -> bytes:
    """Colour the square and leave the disc white."""
    header = struct.pack(">IIBBBBB", _SIDE, _SIDE, 8, 3, 0, 0, 0)
    return b"".join(
        (
            b"\x89PNG\r\n\x1a\n",
            _chunk(b"IHDR", header),
            _chunk(b"PLTE", bytes((*colour, 255, 255, 255))),
            _chunk(b"IDAT", pixels),
            _chunk(b"IEND", b""),
        )
    )


def _pixel(x: int, y: int) -> int:
    middle = (_SIDE - 1) / 2
    return int((x - middle) ** 2 + (y - middle) ** 2 <= _RADIUS**2)


def _chunk(kind: bytes, data: bytes) -> bytes:
    checksum = zlib.crc32(kind + data)
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", checksum)
