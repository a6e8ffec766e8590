"""Text before it is cut: normal form, no invisible characters, and what a strategy removes."""

import re
import unicodedata
from typing import Final

import msgspec

_UNWANTED: Final = re.compile(
    # Controls but tab and line feed, soft hyphen, zero-width characters that join nothing, halves
    # of surrogate pairs. Joiners stay: emoji, Persian and Indic scripts need them.
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064"
    "\u2066-\u206f\ufeff\ud800-\udfff]"
)
_LINE_END: Final = re.compile("\r\n?|\x85|\u2028|\u2029")
_MANY_BLANK_LINES: Final = re.compile(r"\n(?:[ \t]*\n){3,}")
_SPACES: Final = re.compile(r"\s+")
_IMAGE_OR_ADDRESS: Final = re.compile(
    r"(?P<image><img\b[^<>]*>|!\[[^\]\n]*\]\([^)\s]*\))"
    r"|(?:https?://|www\.)[^\s<>\"'\u3001\u3002\uff0c\uff1b\uff09\u3011\u300d\u300b\u4e00-\u9fff]+"
    r"|[A-Za-z0-9._%+\-]{1,64}@[A-Za-z0-9\-]{1,63}(?:\.[A-Za-z0-9\-]{1,63})+",
    re.IGNORECASE,
)


class Cleaning(msgspec.Struct, frozen=True, kw_only=True):
    """What a strategy removes beyond what is always removed."""

    removes_addresses: bool = False
    """URLs and e-mail addresses, never inside an image."""
    removes_extra_spaces: bool = False
    """Runs of white space become one space; code and tables are exempt."""


NO_CLEANING: Final = Cleaning()


def normalised(text: str) -> str:
    """Return the text in normal form C with plain line ends and nothing invisible."""
    text = _UNWANTED.sub("", _LINE_END.sub("\n", text))
    return _MANY_BLANK_LINES.sub("\n\n", unicodedata.normalize("NFC", text))


def cleaned(text: str, rules: Cleaning, *, keeps_spaces: bool = False) -> str:
    """Apply the rules to one paragraph, or to code or a table with ``keeps_spaces``."""
    if rules.removes_addresses:
        text = _IMAGE_OR_ADDRESS.sub(lambda match: match["image"] or "", text)
    if rules.removes_extra_spaces and not keeps_spaces:
        text = _SPACES.sub(" ", text)
    return text.strip("\n") if keeps_spaces else text.strip()
