"""Reads questions out of whatever a model wrote, and keeps those that are worth showing."""

import json
import re
from collections.abc import Iterable, Sequence
from typing import Any, Final

_READ_CHARS: Final = 8192
_ATTEMPTS: Final = 16
"""Brackets that may turn out to begin the list."""

_THOUGHT: Final = re.compile(
    r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL | re.IGNORECASE
)
_ITEM: Final = re.compile(r"^[ \t]*(?:[-*\u2022]|\d{1,2}[.)\u3001])[ \t]*(\S.*)$", re.MULTILINE)
_EDGES: Final = " \t\r\n\"'`*\u201c\u201d\u300c\u300d"
_DECODER: Final = json.JSONDecoder()


def read_questions(text: str) -> tuple[str, ...]:
    """Return the first JSON array of texts, alone or inside an object or a fence, else list items.

    Never raises; what holds no questions gives none.
    """
    text = _THOUGHT.sub("", text[:_READ_CHARS])
    start = -1
    for _ in range(_ATTEMPTS):
        start = text.find("[", start + 1)
        if start < 0:
            break
        try:
            found, _ = _DECODER.raw_decode(text, start)
        except (ValueError, RecursionError):
            continue
        if questions := tuple(filter(None, map(_text_of, found))):
            return questions
    return tuple(match[1] for match in _ITEM.finditer(text))


def cleaned(
    found: Iterable[str], *, asked: Sequence[str], count: int, chars: int
) -> tuple[str, ...]:
    """Return at most ``count`` trimmed questions, none twice and none that was ``asked``."""
    known = {_key(text) for text in asked}
    kept: list[str] = []
    for text in found:
        question = " ".join(text.strip(_EDGES).split())
        key = _key(question)
        if not key or key in known:
            continue
        known.add(key)
        kept.append(question[:chars])
        if len(kept) == count:
            break
    return tuple(kept)


def _text_of(item: Any) -> str:
    """Return a text, or the first one of an object; models like to name what they list."""
    if isinstance(item, dict):
        item = next((value for value in item.values() if isinstance(value, str)), "")
    return item if isinstance(item, str) else ""


def _key(text: str) -> str:
    """Return what makes two questions the same."""
    return "".join(char for char in text.casefold() if char.isalnum())
