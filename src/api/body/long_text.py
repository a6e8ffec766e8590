"""Files as base64, taken out of a JSON body while it arrives.

Decoding JSON holds up the whole process, about a second for the longest body. A file is therefore
kept as the pieces in which it came, a short name stands for it in the JSON, and only the rest is
decoded as such.
"""

import re
import secrets
from typing import Final

KEY: Final = "file_base64"
_LONG: Final = 64 * 1024
"""Shorter texts stay in the JSON."""
_OPENING: Final = re.compile(rb'"' + KEY.encode() + rb'"[ \t\r\n]{0,16}:[ \t\r\n]{0,16}"')
"""In valid JSON this is never inside of a text, whose quotes are escaped."""
_OPENING_BYTES: Final = len(KEY) + 36
_TEXT: Final = re.compile(rb'(?:[^"\\]++|\\.)*+', re.DOTALL)
"""The rest of a text, up to its end or to a backslash whose character has not come yet."""


class LongTexts:
    """The texts that were taken out of a body, as JSON spells them, by the names for them."""

    def __init__(self) -> None:
        self._nonce = secrets.token_hex(16)
        self._pieces: dict[str, list[bytes]] = {}

    def keep(self, pieces: list[bytes]) -> str:
        """Take a text, and return its name, which nobody can guess."""
        name = f"{self._nonce}-{len(self._pieces)}"
        self._pieces[name] = pieces
        return name

    def take(self, name: str) -> list[bytes] | None:
        """Give a text away; None if this is no name but a text itself."""
        return self._pieces.pop(name, None)

    @property
    def is_empty(self) -> bool:
        """Every text was taken."""
        return not self._pieces


class LongTextExtractor:
    """Takes a body piece by piece; what is left of it can be decoded as usual."""

    def __init__(self) -> None:
        self.texts = LongTexts()
        self._rest = bytearray()
        self._tail = b""
        """The end of what came, where a key may just begin."""
        self._text: list[bytes] | None = None
        """The text that is arriving."""
        self._is_escaped = False

    def feed(self, chunk: bytes) -> None:
        """Take the next bytes."""
        data, at = self._tail + chunk, 0
        self._tail = b""
        while at < len(data):
            at = self._outside(data, at) if self._text is None else self._inside(data, at)

    def finish(self) -> bytes:
        """Return the JSON without long texts."""
        if self._text is not None:  # the body ends inside of it: not valid JSON
            self._rest += b"".join(self._text)
        return bytes(self._rest + self._tail)

    def _outside(self, data: bytes, at: int) -> int:
        found = _OPENING.search(data, at)
        if found is not None:
            self._rest += data[at : found.end()]
            self._text = []
            return found.end()
        end = max(at, len(data) - _OPENING_BYTES)
        self._rest += data[at:end]
        self._tail = data[end:]
        return len(data)

    def _inside(self, data: bytes, at: int) -> int:
        text = self._text or []
        start = at
        if self._is_escaped:
            self._is_escaped = False
            at += 1
        found = _TEXT.match(data, at)
        end = found.end() if found else at
        if data[end : end + 1] == b'"':
            text.append(data[start:end])
            self._close(text)
            return end
        self._is_escaped = end < len(data)
        text.append(data[start:])
        self._text = text
        return len(data)

    def _close(self, text: list[bytes]) -> None:
        if sum(map(len, text)) > _LONG:
            self._rest += self.texts.keep(text).encode()
        else:
            self._rest += b"".join(text)
        self._text = None
