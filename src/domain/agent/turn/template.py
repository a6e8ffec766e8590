"""The template language of personas: ``{{ path }}`` and nothing else, rendered in one pass.

It has no logic, no filters and no way to Python objects: values are JSON. Whatever is not a valid
placeholder stays in the text as it is, and a value is never rendered again.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec

# Possessive quantifiers: a failed match never backtracks, so hostile texts cost linear time.
# The lookarounds leave runs of three and more braces alone.
_PLACEHOLDER: Final = re.compile(
    r"(?<!\{)\{\{[ \t]*+([^\W\d]\w*+(?:\.\w++|\[\d++\])*+)[ \t]*+\}\}(?!\})"
)
_STEP: Final = re.compile(r"\w+")
_SUSPICIOUS: Final = re.compile(r"\{\{|\{%")


class Template:
    """A parsed template: literal texts with paths between them."""

    __slots__ = ("_literals", "_paths", "has_leftovers")

    def __init__(self, text: str, *, max_path_chars: int) -> None:
        self._literals: list[str] = []
        self._paths: list[tuple[str, ...]] = []
        position = 0
        for match in _PLACEHOLDER.finditer(text):
            path = _parse_path(match[1], max_chars=max_path_chars)
            if path is None:
                continue
            self._literals.append(text[position : match.start()])
            self._paths.append(path)
            position = match.end()
        self._literals.append(text[position:])
        self.has_leftovers = any(_SUSPICIOUS.search(literal) for literal in self._literals)
        """Something looks like template syntax but is not; it stays in the text."""

    @property
    def names(self) -> frozenset[str]:
        """First words of all paths: the values worth fetching."""
        return frozenset(path[0] for path in self._paths)

    def render(self, values: Mapping[str, Any]) -> str:
        """Fill in JSON values; unknown paths are empty. Never raises, whatever the values."""
        if not self._paths:
            return self._literals[0]
        pieces = [self._literals[0]]
        for path, literal in zip(self._paths, self._literals[1:], strict=True):
            pieces.append(_to_text(_resolve(path, values)))
            pieces.append(literal)
        return "".join(pieces)


def _parse_path(text: str, *, max_chars: int) -> tuple[str, ...] | None:
    steps = tuple(_STEP.findall(text))
    is_private = any(step.startswith("__") for step in steps)
    return None if is_private or len(text) > max_chars else steps


def _resolve(path: tuple[str, ...], values: Mapping[str, Any]) -> Any:
    found: Any = values
    for step in path:
        if isinstance(found, Mapping):
            found = found.get(step)
        elif isinstance(found, Sequence) and not isinstance(found, str | bytes):
            found = _item(found, step)
        else:
            return None
    return found


def _item(items: Sequence[Any], step: str) -> Any:
    # ASCII only, and short: int() refuses very long digit strings.
    if not (step.isascii() and step.isdigit()) or len(step) > len(str(len(items))):
        return None
    index = int(step)
    return items[index] if index < len(items) else None


def _to_text(value: Any) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()
