"""A compiled query in parts, and the literal counts and positions it may hold."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from sqlglot import exp

from infra.contract.table.sql_guard import Refusal
from infra.impl.sql_guard.expression import only
from infra.impl.sql_guard.fragment import Fragment, refuse
from infra.impl.sql_guard.scope import Output, Relation, fold

MAX_OFFSET: Final = 100_000
_LONGEST_COUNT: Final = 9


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """LIMIT and OFFSET of a query; None is no limit."""

    limit: int | None
    offset: int

    @property
    def text(self) -> str:
        if self.limit is None and not self.offset:
            return ""
        # SQLite knows no OFFSET without LIMIT.
        limit = self.limit if self.limit is not None else 2**31 - 1
        return f" LIMIT {limit}{f' OFFSET {self.offset}' if self.offset else ''}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Body:
    """A query before its LIMIT: columns still apart, so that a UNION can convert them.

    ``tail`` is everything from FROM on, ``order`` the ORDER BY. ``key`` is set where each row is a
    row of one granted table.
    """

    head: str
    columns: tuple[tuple[str, Fragment], ...]
    tail: str
    order: str
    bounds: Bounds
    free: frozenset[str]
    key: str = ""
    is_single_row: bool = False
    prefix: str = ""

    def text(self, *, with_order: bool = True) -> str:
        listed = ", ".join(
            f"{fragment.text} AS o{number}" for number, (_, fragment) in enumerate(self.columns, 1)
        )
        order = self.order if with_order else ""
        return f"{self.prefix}{self.head} {listed}{self.tail}{order}{self.bounds.text}"

    def relation(self) -> Relation:
        return Relation(
            text=self.text(),
            outputs=tuple(
                Output(name=name, column=f"o{number}", kind=fragment.kind, width=fragment.width)
                for number, (name, fragment) in enumerate(self.columns, 1)
            ),
            free=self.free,
            is_single_row=self.is_single_row or self.bounds.limit == 1,
        )


def ordinal_of(node: exp.Expr, names: Sequence[str]) -> int | None:
    """Position, from 1, of the output column that an ORDER BY item names; None if it does not."""
    if isinstance(node, exp.Literal) and not node.is_string:
        position = count_of(node)
        if position is None or not 0 < position <= len(names):
            raise refuse(Refusal.UNKNOWN_COLUMN, "ORDER BY has a position that is not there.")
        return position
    if isinstance(node, exp.Column) and isinstance(node.this, exp.Identifier) and not node.table:
        folded = [fold(name) for name in names]
        if fold(node.name) in folded:
            return folded.index(fold(node.name)) + 1
    return None


def count_of(node: exp.Expr) -> int | None:
    """The value of a literal count; None for anything else."""
    if isinstance(node, exp.Literal) and not node.is_string:
        digits = node.name
        if digits.isascii() and digits.isdecimal() and len(digits) <= _LONGEST_COUNT:
            return int(digits)
    return None


def bounds(node: exp.Expr) -> Bounds:
    """LIMIT and OFFSET, which are literal numbers."""
    limit, offset = node.args.get("limit"), node.args.get("offset")
    numbers: list[int | None] = []
    for clause, kind in ((limit, exp.Limit), (offset, exp.Offset)):
        if clause is None:
            numbers.append(None)
            continue
        if not isinstance(clause, kind):
            raise refuse(Refusal.FORBIDDEN_CONSTRUCT, "LIMIT is written as LIMIT n OFFSET m.")
        only(clause, "expression")
        value = count_of(clause.expression)
        if value is None:
            raise refuse(Refusal.FORBIDDEN_CONSTRUCT, "LIMIT and OFFSET are plain numbers.")
        numbers.append(value)
    skipped = numbers[1] or 0
    if skipped > MAX_OFFSET:
        raise refuse(Refusal.TOO_COMPLEX, f"OFFSET goes up to {MAX_OFFSET}.")
    return Bounds(limit=numbers[0], offset=skipped)
