"""Pieces of the statement that is being written."""

import re
from dataclasses import dataclass, replace
from typing import Final

from infra.contract.table.sql_guard import CellKind, Refusal, SqlRefused

MAX_TEXT: Final = 32 * 1024
"""Longest SQL we write: several times what 4,000 characters of reasonable input become."""
MAX_WIDTH: Final = 1024 * 1024
"""Longest text an expression may be able to make, so that nested CONCATs cannot fill memory."""
COLUMN_WIDTH: Final = 2048
"""What a text column counts for; cells of answers are cut at 2,000 characters."""
SHOWN: Final = 100
_PARAMETER: Final = re.compile(r"\?([0-9]+)")


def refuse(reason: Refusal, message: str) -> SqlRefused:
    """Build the refusal; the caller raises it."""
    return SqlRefused(reason, message)


def shown(name: str) -> str:
    """A name of the input, fit for a message."""
    return f"`{name[:SHOWN]}`"


@dataclass(frozen=True, slots=True, kw_only=True)
class Fragment:
    """An expression in the dialect of the engine.

    ``kind`` None is NULL. ``bare`` has the columns mentioned outside aggregates, as ``t1.c_5``.
    ``constant`` keeps the source of a number or text constant, ``width`` bounds its characters.
    """

    text: str
    kind: CellKind | None
    bare: frozenset[str] = frozenset()
    has_aggregate: bool = False
    has_window: bool = False
    constant: str | None = None
    width: int = 32

    def __post_init__(self) -> None:
        if len(self.text) > MAX_TEXT or self.width > MAX_WIDTH:
            raise refuse(Refusal.TOO_COMPLEX, "The statement is too complex; simplify it.")

    def as_kind(self, text: str, kind: CellKind | None) -> "Fragment":
        """The same columns, converted by ``text``."""
        return replace(self, text=text, kind=kind, constant=None)


def combine(
    text: str, kind: CellKind | None, *parts: Fragment, width: int | None = None
) -> Fragment:
    """An expression made of others."""
    return Fragment(
        text=text,
        kind=kind,
        bare=frozenset().union(*(part.bare for part in parts)),
        has_aggregate=any(part.has_aggregate for part in parts),
        has_window=any(part.has_window for part in parts),
        width=sum(part.width for part in parts) if width is None else width,
    )


class Parameters:
    """Texts of the input, kept out of the statement; equal ones share a number."""

    def __init__(self) -> None:
        self._values: dict[str, int] = {}

    def add(self, value: str) -> str:
        """Keep ``value`` and return its placeholder ``?n``."""
        return f"?{self._values.setdefault(value, len(self._values) + 1)}"

    def number(self, text: str, *, sign: str) -> tuple[str, tuple[str, ...]]:
        """Renumber those that ``text`` uses from 1, with ``sign`` for ``?``."""
        values = list(self._values)
        order: dict[str, int] = {}

        def place(found: re.Match[str]) -> str:
            return f"{sign}{order.setdefault(values[int(found.group(1)) - 1], len(order) + 1)}"

        return _PARAMETER.sub(place, text), tuple(order)
