"""Bounds of a JSON text, found by looking at its bytes: whoever decodes it knows what it costs.

Decoding is one call of a library that nothing can interrupt, and objects are many times as large as
their text. So nesting, the number of values and the bytes that are expensive to decode are bounded
before: in one pass of a few nanoseconds per byte, piece by piece while the text arrives.
"""

import codecs
import re
from itertools import accumulate
from typing import Final

import msgspec

from domain.shared.error import InvalidRequest, RequestTooLarge
from domain.shared.limits import MIB

PIECE: Final = 64 * 1024
"""Longest piece that is looked at in one go; a few milliseconds in the worst case."""
_SMALL: Final = 16 * 1024
"""A text of this length is decoded in less time than any limit is about, whatever it says."""

_NUMBER_BYTES: Final = 32
"""What a number may have on average before its text costs more than a value."""
_DIGITS: Final = 20
_LONG_NUMBER: Final = re.compile(rb"[1-9][0-9.]{19}[0-9.]*+(?:[eE][-+]?[0-9]*)?")
"""More digits than fit into 64 bits: to round it exactly takes arithmetic of long integers."""
_LONG_NUMBER_VALUES: Final = 20
"""Such a number takes 6 µs, other values 0.05 to 0.2 µs."""

_STRUCTURE: Final = b"[]{},"
_NOT_STRUCTURE: Final = bytes(set(range(256)) - set(_STRUCTURE))
_NOT_NUMBER: Final = _STRUCTURE + b" \t\r\n:"
_NUL: Final = b"\\u0000"
_ASCII: Final = bytes(range(128))
_ZEROS: Final = bytes.maketrans(b"123456789", b"0" * 9)
_STEPS: Final = bytes.maketrans(b"[{]}", b"\x01\x01\xff\xff")


class JsonBounds(msgspec.Struct, frozen=True):
    """What one JSON text may be."""

    depth: int
    values: int
    """Members of objects count as one, and so does each element of a list."""

    spelled_bytes: int = 8 * MIB
    """How much may be escapes or other than ASCII, which takes much longer than the rest."""

    may_have_nul: bool = False
    """Whether U+0000 may be in it, which PostgreSQL cannot store."""


INNER_JSON: Final = JsonBounds(depth=512, values=300_000, may_have_nul=True)
"""For texts that turn out to be JSON, wherever they come from; decoding takes up to 50 ms."""


class JsonScan:
    """Follows a text piece by piece; what it sees up to the first mistake is what decoders see."""

    def __init__(self, bounds: JsonBounds) -> None:
        self._bounds = bounds
        self._utf8 = codecs.getincrementaldecoder("utf-8")()
        self._waiting = bytearray()
        self._cut = b""
        """A backslash at the end of the last piece: what it escapes comes with the next."""
        self._tail = b""
        self._is_inside = False
        """A text has begun and not ended."""
        self._plain_bytes = 0
        """What is plain of that text in earlier pieces, unless it is counted as spelled already."""
        self._is_spelled = False
        self._depth = 0
        self._values = 1
        self._number_bytes = 0
        self._quotes = 0
        self._spelled = 0

    @property
    def values(self) -> int:
        """How many values there were so far; a number with many digits counts as several."""
        return self._values

    def feed(self, data: bytes | bytearray) -> None:
        """Take the next bytes.

        Raises:
            InvalidRequest: nested too deeply, not UTF-8, or with a NUL character.
            RequestTooLarge: more values, or more bytes that are hard to decode, than allowed.
        """
        self._waiting += data
        whole = len(self._waiting) // PIECE * PIECE
        for at in range(0, whole, PIECE):  # never at the sender's cuts: they could hide a number
            self._look(bytes(self._waiting[at : at + PIECE]))
        del self._waiting[:whole]

    def finish(self) -> None:
        """Look at what is left; raises as ``feed``."""
        self._look(bytes(self._waiting), is_last=True)
        self._waiting.clear()

    def _look(self, piece: bytes, *, is_last: bool = False) -> None:
        try:
            self._utf8.decode(piece, is_last)
        except UnicodeDecodeError as exc:
            raise _not_utf8() from exc
        self._spelled += 2 * piece.count(b"\\") + _wide_bytes(piece)
        if self._cut or b"\\" in piece:
            piece = self._without_escapes(self._cut + piece)
        self._quotes += piece.count(b'"')
        if self._quotes > 4 * self._bounds.values:  # a value may be a text, and so may its name
            self._refuse_values()
        texts = piece.split(b'"')
        outside = b"".join(texts[self._is_inside :: 2])
        self._follow_text(texts)
        if self._spelled > self._bounds.spelled_bytes:
            raise RequestTooLarge(
                f"More than {self._bounds.spelled_bytes} bytes of the JSON are escapes or"
                " characters other than ASCII; send such a text as a file."
            )
        self._count_values(outside)

    def _without_escapes(self, piece: bytes) -> bytes:
        """Drop escaped backslashes and quotes; a backslash that is left begins another escape."""
        self._cut = b""
        if (len(piece) - len(piece.rstrip(b"\\"))) % 2:
            piece, self._cut = piece[:-1], b"\\"
        piece = piece.replace(b"\\\\", b"")
        if not self._bounds.may_have_nul and _NUL in self._tail + piece:
            raise _has_nul()
        self._tail = piece[-5:]
        return piece.replace(b'\\"', b"")

    def _follow_text(self, texts: list[bytes]) -> None:
        """Count a text of several pieces as a whole once one character makes all of it wider."""
        if self._is_inside:
            self._extend(texts[0])
        if len(texts) > 1:
            self._is_inside ^= len(texts) % 2 == 0
            self._plain_bytes, self._is_spelled = 0, False
            if self._is_inside:
                self._extend(texts[-1])

    def _extend(self, text: bytes) -> None:
        wide = _wide_bytes(text)
        if not self._is_spelled and (wide or b"\\" in text):
            self._is_spelled = True
            self._spelled += self._plain_bytes
        if self._is_spelled:
            self._spelled += len(text) - wide
        else:
            self._plain_bytes += len(text)

    def _count_values(self, outside: bytes) -> None:
        structure = outside.translate(None, _NOT_STRUCTURE)
        opened, commas = structure.count(b"[") + structure.count(b"{"), structure.count(b",")
        self._values += opened + commas
        if len(outside) > len(structure):
            self._number_bytes += len(outside.translate(None, _NOT_NUMBER))
            self._values += _LONG_NUMBER_VALUES * _long_numbers(outside)
        if max(self._values, self._number_bytes // _NUMBER_BYTES) > self._bounds.values:
            self._refuse_values()
        closed = len(structure) - opened - commas
        if self._depth + opened <= self._bounds.depth:
            self._depth += opened - closed
            return
        steps = memoryview(structure.translate(_STEPS, b",")).cast("b")
        depths = list(accumulate(steps, initial=self._depth))
        self._depth = depths[-1]
        if max(depths) > self._bounds.depth:
            raise InvalidRequest(f"The JSON is nested deeper than {self._bounds.depth} levels.")

    def _refuse_values(self) -> None:
        raise RequestTooLarge(
            f"The JSON has more than {self._bounds.values} values, or numbers that are as costly;"
            " send less at a time."
        )


def check_json(text: str | bytes, bounds: JsonBounds) -> None:
    """Check a whole text; raises as ``JsonScan.feed``, and does little for a small one."""
    data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    if len(data) > min(_SMALL, bounds.values) or data.count(b"[") + data.count(b"{") > bounds.depth:
        scan = JsonScan(bounds)
        scan.feed(data)
        scan.finish()
        return
    if not bounds.may_have_nul and _NUL in data and _NUL in data.replace(b"\\\\", b""):
        raise _has_nul()
    if not data.isascii():
        try:
            data.decode()
        except UnicodeDecodeError as exc:
            raise _not_utf8() from exc


def _has_nul() -> InvalidRequest:
    return InvalidRequest("The JSON contains a NUL character.")


def _not_utf8() -> InvalidRequest:
    return InvalidRequest("The JSON is not valid UTF-8.")


def _wide_bytes(text: bytes) -> int:
    return 0 if text.isascii() else len(text.translate(None, _ASCII))


def _has_digits(data: bytes | bytearray) -> bool:
    """Tell whether there may be a number of more digits than fit into 64 bits."""
    return b"0" * _DIGITS in data.translate(_ZEROS, b".")


def _long_numbers(outside: bytes) -> int:
    if not _has_digits(outside):
        return 0
    return sum(not found.isdigit() for found in _LONG_NUMBER.findall(outside))
