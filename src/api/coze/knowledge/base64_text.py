"""Files as base64 inside JSON."""

import binascii
from collections.abc import Iterator
from typing import Final

import msgspec

from application.knowledge.vocabulary import ContentTooLarge
from domain.shared.error import InvalidRequest

_AT_ONCE: Final = 256 * 1024
"""Characters between two chances for other threads; a multiple of four."""
_ESCAPE_BYTES: Final = 6
"""Of the longest escape that can spell a letter of base64."""


def decode_base64(text: str | list[bytes], *, field: str, max_bytes: int) -> bytearray:
    """Decode a text, or use up one in pieces as JSON spells it.

    Raises:
        InvalidRequest: not base64.
        ContentTooLarge: more than ``max_bytes``.
    """
    length = len(text) if isinstance(text, str) else sum(map(len, text))
    if (length - 8) // 2 > max_bytes:  # surely; the exact size shows later
        raise ContentTooLarge(f"{field}: a document has up to {max_bytes} bytes.", field=field)
    pieces = _of_text(text) if isinstance(text, str) else _unescaped(text)
    decoded, rest = bytearray(), ""
    is_over = False
    try:
        for piece in pieces:
            letters = rest + "".join(piece.split())
            end = len(letters) // 4 * 4
            rest = letters[end:]
            if not end:
                continue
            part = binascii.a2b_base64(letters[:end], strict_mode=True)
            if is_over:  # there was padding, which ends the text
                raise InvalidRequest(f"{field}: not valid base64.", field=field)
            is_over = len(part) * 4 != end * 3
            decoded += part
            if len(decoded) > max_bytes:
                raise ContentTooLarge(
                    f"{field}: a document has up to {max_bytes} bytes.", field=field
                )
    # binascii.Error is a ValueError, and so are those of texts that are not ASCII or no JSON
    except ValueError as exc:
        raise InvalidRequest(f"{field}: not valid base64.", field=field) from exc
    if rest:
        raise InvalidRequest(f"{field}: not valid base64.", field=field)
    return decoded


def _of_text(text: str) -> Iterator[str]:
    for start in range(0, len(text), _AT_ONCE):
        yield text[start : start + _AT_ONCE]


def _unescaped(pieces: list[bytes]) -> Iterator[str]:
    """Yield the characters of a JSON text; escapes may reach from one piece into the next."""
    rest = b""
    pieces.reverse()
    while pieces:
        data = rest + pieces.pop()
        escape = data.rfind(b"\\", max(0, len(data) - _ESCAPE_BYTES + 1))
        end = len(data) if escape < 0 else escape
        rest = data[end:]
        yield _text(data[:end])
    yield _text(rest)


def _text(spelled: bytes) -> str:
    return msgspec.json.decode(b'"%s"' % spelled, type=str)
