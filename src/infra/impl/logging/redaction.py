"""Keeping secrets out of log lines: by key name and by value."""

import re
from typing import Final
from urllib.parse import quote, quote_plus

import msgspec

from domain.shared.secret import MASK, Secret

_MIN_CHARS: Final = 8
"""Shorter values would mask ordinary words."""
_FEW: Final = 100
"""Values that are looked for one by one, which takes less than cutting a text into pieces."""
_STEP: Final = 5
_PIECE: Final = _MIN_CHARS - _STEP + 1
"""Of each value the pieces at its first places are known: wherever it stands in a text, one of them
begins at a multiple of the step. So a text costs the same however many values there are."""

SECRET_KEY: Final = re.compile(
    r"(authorization|cookie|password|passwd|secret|token|api[_-]?key|master[_-]?key|credential)"
    r"(?!s?_(count|limit|hint|id|ids))",
    re.IGNORECASE,
)
_BEGIN: Final = r"(?:(?<![A-Za-z0-9_])|(?<=\\[bfnrt])|(?<=\\u00[01][0-9a-f]))"
"""A word begins here, or after an escape of JSON or ``repr``."""
_SHAPES: Final = re.compile(
    _BEGIN + r"(pat_[A-Za-z0-9_-]{8,}|sk-[A-Za-z0-9_-]{8,}|cz(?:s|tei)_[A-Za-z0-9_-]{8,})"
    r"|(?i:(bearer)\s+)[A-Za-z0-9._~+/=-]{8,}"
    r"|(://[^/\s:@]*:)[^/\s@]+(?=@)"
)
_SIGNS: Final = (
    ("_", ("pat_", "czs_", "cztei_")),
    ("-", ("sk-",)),
    ("/", ("://",)),
)
"""One of them, or ``bearer``, is in whatever has such a shape: looking for words is faster, and
looking for a character that is in them fifty times as fast."""


class Redactor:
    """Masks registered values, anything shaped like our tokens, and passwords in URLs."""

    def __init__(self) -> None:
        self._values: set[str] = set()
        self._by_piece: dict[str, tuple[str, ...]] = {}

    def register(self, *secrets: Secret) -> None:
        """Remember values that must never be printed; short ones are ignored."""
        given = {s.reveal() for s in secrets if len(s.reveal()) >= _MIN_CHARS}
        new = {spelling for value in given for spelling in _spellings(value)} - self._values
        self._values |= new
        for value in new:
            for start in range(_STEP):
                piece = value[start : start + _PIECE]
                self._by_piece[piece] = (*self._by_piece.get(piece, ()), value)

    def clean(self, text: str) -> str:
        """Return the text with every known or recognisable secret masked."""
        near = self._values if len(self._values) <= _FEW else self._near(text)
        found = [value for value in near if value in text]
        for value in sorted(found, key=len, reverse=True):
            text = text.replace(value, MASK)
        return _SHAPES.sub(_mask_shape, text) if _may_have_shape(text) else text

    def _near(self, text: str) -> set[str]:
        """Return the values that have a piece in common with a text."""
        pieces = {text[at : at + _PIECE] for at in range(0, len(text), _STEP)}
        return {
            value for piece in self._by_piece.keys() & pieces for value in self._by_piece[piece]
        }

    def value(self, key: str, value: object) -> object:
        """Return what may be logged under ``key``."""
        if isinstance(value, Secret) or (SECRET_KEY.search(key) and not _is_number(value)):
            return MASK
        if value is None or isinstance(value, bool | int | float):
            return value
        return self.clean(str(value))


def _spellings(value: str) -> set[str]:
    """How a value looks as it is, in a ``repr``, in JSON, in an address, and without its ends."""
    bare = value.strip()
    return {
        spelling
        for spelling in (
            value,
            bare,
            repr(value)[1:-1],
            msgspec.json.encode(value).decode()[1:-1],
            quote(bare, safe=""),
            quote_plus(bare),
        )
        if len(spelling) >= _MIN_CHARS
    }


def _may_have_shape(text: str) -> bool:
    for character, signs in _SIGNS:
        if character in text and any(sign in text for sign in signs):
            return True
    return "bearer" in text.lower()


def _is_number(value: object) -> bool:
    return isinstance(value, bool | int | float)


def _mask_shape(match: re.Match[str]) -> str:
    if match.group(2):
        return f"{match.group(2)} {MASK}"
    return f"{match.group(3) or ''}{MASK}"
