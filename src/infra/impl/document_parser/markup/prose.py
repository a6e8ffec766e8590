"""Small rules of running text that several formats share."""

import re
from typing import Final

_SPACES: Final = re.compile(r"[ \t\r\f\v\u00a0\u2000-\u200a\u202f\u205f\u3000]+")
_INVISIBLE: Final = re.compile(r"[\u00ad\u200b-\u200f\u2060\ufeff]")
_WHITE: Final = re.compile(r"\s+")
_WIDE: Final = re.compile(r"[\u2e80-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff00-\uffef]")


def collapse(text: str) -> str:
    """Make every run of white space one space, and drop what has no width."""
    return _WHITE.sub(" ", _INVISIBLE.sub("", text)).strip()


def collapse_lines(text: str) -> str:
    """Make runs of blanks one space, and keep line breaks that separate text."""
    lines = (_SPACES.sub(" ", line).strip() for line in text.split("\n"))
    return "\n".join(line for line in lines if line)


def is_wide(char: str) -> bool:
    """Whether a character belongs to a script written without spaces (or Korean)."""
    return _WIDE.match(char) is not None


def join(first: str, second: str) -> str:
    """Join two lines of a paragraph: with a space, but not between Chinese characters."""
    if not first or not second:
        return first or second
    if is_wide(first[-1]) and is_wide(second[0]):
        return first + second
    return f"{first} {second}"


def join_lines(lines: list[str]) -> str:
    """Join the lines of a paragraph."""
    joined = ""
    for line in lines:
        joined = join(joined, line.strip())
    return joined
