"""What differs between the engines: the same meaning, MySQL's, in two dialects.

All arguments are SQL written by the guard. Dates are texts ``YYYY-MM-DD HH:MM:SS`` on SQLite and
TIMESTAMP on PostgreSQL; booleans are 0 and 1 on SQLite.
"""

from enum import StrEnum
from typing import Final, Protocol

from infra.contract.sql_guard import CellKind, SqlDialect


class DatePart(StrEnum):
    """Parts of a date that can be read, and units that can be added."""

    YEAR = "YEAR"
    QUARTER = "QUARTER"
    MONTH = "MONTH"
    WEEK = "WEEK"
    DAY = "DAY"
    HOUR = "HOUR"
    MINUTE = "MINUTE"
    SECOND = "SECOND"


SECONDS: Final = {
    DatePart.SECOND: 1,
    DatePart.MINUTE: 60,
    DatePart.HOUR: 3600,
    DatePart.DAY: 86_400,
    DatePart.WEEK: 7 * 86_400,
}
MONTHS: Final = {DatePart.MONTH: 1, DatePart.QUARTER: 3, DatePart.YEAR: 12}


class Engine(Protocol):
    """Writes what has no common form."""

    dialect: SqlDialect
    sign: str
    """What stands before the number of a parameter."""
    functions: frozenset[str]
    """Every function of the engine that may occur in the output."""
    trim: str
    power: str

    def text(self, parameter: str) -> str: ...

    def boolean(self, value: bool) -> str: ...

    def to_date(self, text: str) -> str: ...

    def to_float(self, number: str) -> str: ...

    def to_integer(self, number: str) -> str:
        """Round to the nearest integer."""
        ...

    def leading_number(self, text: str) -> str:
        """Read the number a text begins with; 0 without one."""
        ...

    def to_text(self, value: str, kind: CellKind) -> str: ...

    def truth_to_integer(self, value: str) -> str: ...

    def like(self, value: str, pattern: str) -> str:
        """Match without regard to case; the pattern's escape is the backslash."""
        ...

    def divide(self, left: str, right: str) -> str:
        """Divide floats; NULL by zero."""
        ...

    def divide_whole(self, left: str, right: str) -> str: ...

    def modulo(self, left: str, right: str, *, is_whole: bool) -> str: ...

    def round(self, number: str, digits: int) -> str:
        """Round a float, halves away from zero, to a float."""
        ...

    def truncate(self, number: str) -> str:
        """Cut a float down to an integer towards zero."""
        ...

    def floor(self, number: str) -> str: ...

    def ceiling(self, number: str) -> str: ...

    def bytes(self, text: str) -> str: ...

    def substring(self, text: str, start: str, length: str) -> str:
        """Cut from ``start``, negative from the end; without ``length`` the rest."""
        ...

    def position(self, part: str, text: str) -> str: ...

    def least(self, values: tuple[str, ...]) -> str: ...

    def greatest(self, values: tuple[str, ...]) -> str: ...

    def join_texts(self, text: str, separator: str, *, is_distinct: bool) -> str: ...

    def null_safe_equal(self, left: str, right: str) -> str: ...

    def order(self, term: str, *, descending: bool) -> str:
        """NULL comes first, and last when descending."""
        ...

    def part(self, part: DatePart, date: str) -> str: ...

    def midnight(self, date: str) -> str:
        """The day a date is in."""
        ...

    def last_day(self, date: str) -> str: ...

    def format(self, date: str, pattern: str) -> str: ...

    def pattern(self, codes: tuple[str, ...]) -> str:
        """Translate ``%Y %m %d %H %M %S`` and literal characters into the engine's pattern."""
        ...

    def add_months(self, date: str, months: str) -> str:
        """Move by months; a day that the month does not have becomes its last."""
        ...

    def add_seconds(self, date: str, seconds: str) -> str: ...

    def seconds_between(self, later: str, earlier: str) -> str: ...

    def within_month(self, date: str) -> str:
        """Day and time of a date as a text that sorts."""
        ...


def like_pattern(pattern: str, escape: str) -> str:
    """Write a LIKE pattern with the backslash as its escape, and none alone at the end.

    A lone escape is an error on PostgreSQL; MySQL takes it as the sign itself.
    """
    signs = iter(pattern)
    parts = []
    for sign in signs:
        if sign == escape:
            parts.append("\\" + next(signs, escape))
        else:
            parts.append("\\\\" if sign == "\\" else sign)
    return "".join(parts)
