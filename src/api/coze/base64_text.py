"""Files as base64 inside JSON."""

import binascii
from typing import Final

from application.knowledge.vocabulary import (
    ContentTooLarge,
)

from domain.shared.error import InvalidRequest

_AT_ONCE: Final = 256 * 1024
"""Characters between two chances for other threads; a multiple of four."""


def decode_base64(text: str, *, field: str, max_bytes: int) -> bytes:
    """Decode in pieces, because each of them holds up every other thread.

    Raises:
        InvalidRequest: not base64.
        ContentTooLarge: more than ``max_bytes``.
    """
    if any(blank in text for blank in "\r\n \t"):
        text = "".join(text.split())
    if len(text) // 4 * 3 > max_bytes + 2:
        raise ContentTooLarge(f"{field}: a document has up to {max_bytes} bytes.", field=field)
    try:
        pieces = [
            binascii.a2b_base64(text[start : start + _AT_ONCE], strict_mode=True)
            for start in range(0, len(text), _AT_ONCE)
        ]
    except ValueError as exc:  # binascii.Error is one, and so is text that is not ASCII
        raise InvalidRequest(f"{field}: not valid base64.", field=field) from exc
    whole = _AT_ONCE // 4 * 3
    if any(len(piece) != whole for piece in pieces[:-1]):
        raise InvalidRequest(f"{field}: not valid base64.", field=field)
    return b"".join(pieces)
