"""JSON for event streams: one line, whatever the text contains."""

from typing import Any, Final

import msgspec

EVENT_STREAM: Final = "text/event-stream; charset=utf-8"

_encode: Final = msgspec.json.Encoder().encode
_SEPARATORS: Final = (
    ("\u0085".encode(), b"\\u0085"),
    ("\u2028".encode(), b"\\u2028"),
    ("\u2029".encode(), b"\\u2029"),
)
"""Characters that JSON allows in strings and that httpx takes for line ends."""


def json_text(text: str) -> bytes:
    """Encode a string; the fast path of every delta."""
    encoded = _encode(text)
    return encoded if text.isascii() else _one_line(encoded)


def json_line(value: Any) -> bytes:
    """Encode any value into one line."""
    encoded = _encode(value)
    return encoded if encoded.isascii() else _one_line(encoded)


def _one_line(encoded: bytes) -> bytes:
    for character, escape in _SEPARATORS:
        encoded = encoded.replace(character, escape)
    return encoded
