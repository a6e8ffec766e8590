"""Checks of images from their headers alone; pixels are never decoded here."""

import struct
from collections.abc import Callable, Mapping
from typing import Final

from domain.file.error import ImageRefused
from domain.file.sniff import HEAD_BYTES, sniff
from domain.shared.limits import Limits

_JPEG_STANDALONE: Final = frozenset({0x01, *range(0xD0, 0xD9)})
"""Markers without a length: TEM, restart marks, start of image."""

_JPEG_FRAMES: Final = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
"""Start-of-frame markers; the three left out define tables."""


def check_image(data: bytes, *, limits: Limits) -> str:
    """Return the media type of an image that is safe to hand on.

    Raises:
        ImageRefused: not PNG, JPEG, GIF or WebP, a damaged header, or too many bytes or pixels.
    """
    if len(data) > limits.image_bytes:
        raise ImageRefused(f"An image may have {limits.image_bytes} bytes at most.")
    media_type = sniff(data[:HEAD_BYTES])
    measure = _MEASURES.get(media_type)
    if measure is None:
        raise ImageRefused("This is no PNG, JPEG, GIF or WebP image.")
    try:
        width, height = measure(data)
    except (struct.error, IndexError) as exc:
        raise ImageRefused("The header of this image is damaged.") from exc
    if min(width, height) < 1:
        raise ImageRefused("The header of this image is damaged.")
    if max(width, height) > limits.image_side or width * height > limits.image_pixels:
        raise ImageRefused(
            f"The image is too large: {width} by {height}. At most {limits.image_side} pixels per "
            f"side and {limits.image_pixels} in all."
        )
    return media_type


def _png(data: bytes) -> tuple[int, int]:
    if data[12:16] != b"IHDR":
        raise ImageRefused("The header of this image is damaged.")
    width, height = struct.unpack_from(">II", data, 16)
    return width, height


def _gif(data: bytes) -> tuple[int, int]:
    width, height = struct.unpack_from("<HH", data, 6)
    return width, height


def _webp(data: bytes) -> tuple[int, int]:
    match data[12:16]:
        case b"VP8X":
            return _uint24(data, 24) + 1, _uint24(data, 27) + 1
        case b"VP8L" if data[20] == 0x2F:  # noqa: PLR2004
            (bits,) = struct.unpack_from("<I", data, 21)
            return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
        case b"VP8 " if data[23:26] == b"\x9d\x01\x2a":
            width, height = struct.unpack_from("<HH", data, 26)
            return width & 0x3FFF, height & 0x3FFF
        case _:
            raise ImageRefused("The header of this image is damaged.")


def _jpeg(data: bytes) -> tuple[int, int]:
    position = 2
    while True:
        if data[position] != 0xFF:  # noqa: PLR2004
            raise ImageRefused("The header of this image is damaged.")
        while data[position] == 0xFF:  # noqa: PLR2004
            position += 1  # fill bytes
        marker = data[position]
        position += 1
        if marker in _JPEG_STANDALONE:
            continue
        if marker in _JPEG_FRAMES:
            height, width = struct.unpack_from(">HH", data, position + 3)
            return width, height
        (length,) = struct.unpack_from(">H", data, position)
        if length < 2 or marker in {0xD9, 0xDA}:  # noqa: PLR2004
            raise ImageRefused("The header of this image is damaged.")
        position += length


def _uint24(data: bytes, offset: int) -> int:
    low, high = struct.unpack_from("<HB", data, offset)
    return int(low | high << 16)


_MEASURES: Final[Mapping[str, Callable[[bytes], tuple[int, int]]]] = {
    "image/png": _png,
    "image/jpeg": _jpeg,
    "image/gif": _gif,
    "image/webp": _webp,
}
