"""Statements about a user, as a model writes them down after a conversation: read with patience."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from domain.memory.recollection import STATEMENTS, RecollectionKind

MAX_STATEMENTS: Final = 8
MAX_STATEMENT_CHARS: Final = 500
_READ_CHARS: Final = 32_768
_ATTEMPTS: Final = 16
"""Brackets that may turn out to begin the list."""

_THOUGHT: Final = re.compile(
    r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL | re.IGNORECASE
)
_KINDS: Final = {kind.value: kind for kind in STATEMENTS}
_TEXT_KEYS: Final = ("text", "fact", "content", "statement")
_IMPORTANCE: Final = 0.5
_DECODER: Final = json.JSONDecoder()


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """Something worth remembering; ``replaces`` is the number of what it makes untrue, 0 none."""

    text: str
    kind: RecollectionKind = RecollectionKind.FACT
    importance: float = _IMPORTANCE
    replaces: int = 0


def read_statements(text: str) -> tuple[Statement, ...]:
    """Return the statements of the first JSON list that has any. Never raises.

    Items may be texts or objects; unknown kinds count as facts, and what has no text is left out.
    """
    text = _THOUGHT.sub("", text[:_READ_CHARS])
    for found in _lists(text):
        statements = dict[str, Statement]()
        for item in found:
            statement = _statement(item)
            if statement is not None:
                statements.setdefault(statement.text.casefold(), statement)
        if statements:
            return tuple(statements.values())[:MAX_STATEMENTS]
    return ()


def _lists(text: str) -> Iterator[list[Any]]:
    start = -1
    for _ in range(_ATTEMPTS):
        start = text.find("[", start + 1)
        if start < 0:
            return
        try:
            found, _end = _DECODER.raw_decode(text, start)
        except (ValueError, RecursionError):
            continue
        if isinstance(found, list):
            yield found


def _statement(item: object) -> Statement | None:
    if isinstance(item, str):
        item = {"text": item}
    if not isinstance(item, dict):
        return None
    written = next((item[key] for key in _TEXT_KEYS if isinstance(item.get(key), str)), "")
    text = " ".join(written.replace("\0", "").split())[:MAX_STATEMENT_CHARS]
    if not text:
        return None
    kind = item.get("kind")
    return Statement(
        text=text,
        kind=_KINDS.get(kind.lower(), RecollectionKind.FACT)
        if isinstance(kind, str)
        else RecollectionKind.FACT,
        importance=_share(item.get("importance")),
        replaces=_number(item.get("replaces")),
    )


def _share(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return _IMPORTANCE
    return min(1.0, max(0.0, float(value))) if value == value else _IMPORTANCE  # noqa: PLR0124 - NaN


def _number(value: object) -> int:
    is_number = isinstance(value, int) and not isinstance(value, bool)
    return value if is_number and isinstance(value, int) and value > 0 else 0
