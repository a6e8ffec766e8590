"""What differs between the engines: the same meaning, MySQL's, in two dialects.

All arguments are SQL written by the guard. Dates are texts ``YYYY-MM-DD HH:MM:SS`` on SQLite and
TIMESTAMP on PostgreSQL; booleans are 0 and 1 on SQLite.
"""

from enum import StrEnum
from typing import Final, Protocol

from infra.contract.table.sql_guard import CellKind, SqlDialect

_CODES: Final = {
    "%Y": "YYYY",
    "%m": "MM",
    "%d": "DD",
    "%H": "HH24",
    "%M": "MI",
    "%S": "SS",
}
_FLOAT: Final = "DOUBLE PRECISION"
# The number that a text begins with, as MySQL reads it.
_NUMBER: Final = r"'^\s*([-+]?(?:[0-9]{1,18}(?:\.[0-9]{0,18})?|\.[0-9]{1,18}))'"


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


class PostgresEngine:
    """Everything is typed, so parameters carry a CAST and booleans are converted."""

    dialect = SqlDialect.POSTGRES
    sign = "$"
    trim = "BTRIM"
    power = "POWER"
    functions = frozenset(
        (
            *("ABS", "AVG", "BTRIM", "CEIL", "COALESCE", "COUNT", "DATE_PART"),
            *("DATE_TRUNC", "DENSE_RANK", "FLOOR", "GREATEST", "LEAST", "LENGTH", "LN"),
            *("LOWER", "LTRIM", "MAKE_INTERVAL", "MAX", "MIN", "MOD", "NULLIF"),
            *("OCTET_LENGTH", "POWER", "RANK", "REPLACE", "ROUND", "ROW_NUMBER", "RTRIM"),
            *("SIGN", "SQRT", "STRING_AGG", "STRPOS", "SUBSTR", "SUBSTRING", "SUM"),
            *("TO_CHAR", "TRUNC", "UPPER"),
        )
    )

    def text(self, parameter: str) -> str:
        return f"CAST({parameter} AS TEXT)"

    def boolean(self, value: bool) -> str:
        return "TRUE" if value else "FALSE"

    def to_date(self, text: str) -> str:
        return f"CAST({text} AS TIMESTAMP)"

    def to_float(self, number: str) -> str:
        return f"CAST({number} AS {_FLOAT})"

    def to_integer(self, number: str) -> str:
        return f"CAST(ROUND(CAST({number} AS NUMERIC)) AS BIGINT)"

    def leading_number(self, text: str) -> str:
        # CASE keeps NULL what is NULL; a text without a number counts as 0.
        found = f"COALESCE(CAST(SUBSTRING({text} FROM {_NUMBER}) AS {_FLOAT}), 0)"
        return f"(CASE WHEN {text} IS NULL THEN NULL ELSE {found} END)"

    def to_text(self, value: str, kind: CellKind) -> str:
        if kind is CellKind.BOOLEAN:
            value = self.truth_to_integer(value)
        if kind is CellKind.DATE:
            return f"TO_CHAR({value}, 'YYYY-MM-DD HH24:MI:SS')"
        return f"CAST({value} AS TEXT)"

    def truth_to_integer(self, value: str) -> str:
        return f"CAST({value} AS INTEGER)"

    def like(self, value: str, pattern: str) -> str:
        return f"({value} ILIKE {pattern})"

    def divide(self, left: str, right: str) -> str:
        return f"({left} / NULLIF({right}, 0))"

    def divide_whole(self, left: str, right: str) -> str:
        return self.truncate(self.divide(self.to_float(left), self.to_float(right)))

    def modulo(self, left: str, right: str, *, is_whole: bool) -> str:
        if is_whole:
            return f"MOD({left}, NULLIF({right}, 0))"
        exact = f"MOD(CAST({left} AS NUMERIC), NULLIF(CAST({right} AS NUMERIC), 0))"
        return self.to_float(exact)

    def round(self, number: str, digits: int) -> str:
        return self.to_float(f"ROUND(CAST({number} AS NUMERIC), {digits})")

    def truncate(self, number: str) -> str:
        return f"CAST(TRUNC({number}) AS BIGINT)"

    def floor(self, number: str) -> str:
        return f"CAST(FLOOR({number}) AS BIGINT)"

    def ceiling(self, number: str) -> str:
        return f"CAST(CEIL({number}) AS BIGINT)"

    def bytes(self, text: str) -> str:
        return f"OCTET_LENGTH({text})"

    def substring(self, text: str, start: str, length: str) -> str:
        begin = f"CAST({start} AS INTEGER)"
        if not start.isdecimal():
            from_end = f"LENGTH({text}) + {begin} + 1"
            begin = f"(CASE WHEN {begin} < 0 THEN {from_end} ELSE {begin} END)"
        if not length:
            return f"SUBSTR({text}, {begin})"
        return f"SUBSTR({text}, {begin}, GREATEST(CAST({length} AS INTEGER), 0))"

    def position(self, part: str, text: str) -> str:
        return f"STRPOS({text}, {part})"

    def least(self, values: tuple[str, ...]) -> str:
        return _unless_null(values, f"LEAST({', '.join(values)})")

    def greatest(self, values: tuple[str, ...]) -> str:
        return _unless_null(values, f"GREATEST({', '.join(values)})")

    def join_texts(self, text: str, separator: str, *, is_distinct: bool) -> str:
        return f"STRING_AGG({'DISTINCT ' if is_distinct else ''}{text}, {separator})"

    def null_safe_equal(self, left: str, right: str) -> str:
        return f"({left} IS NOT DISTINCT FROM {right})"

    def order(self, term: str, *, descending: bool) -> str:
        return f"{term} DESC NULLS LAST" if descending else f"{term} NULLS FIRST"

    def part(self, part: DatePart, date: str) -> str:
        return f"CAST(FLOOR(DATE_PART('{part.value.lower()}', {date})) AS BIGINT)"

    def midnight(self, date: str) -> str:
        return f"DATE_TRUNC('day', {date})"

    def last_day(self, date: str) -> str:
        return f"(DATE_TRUNC('month', {date}) + INTERVAL '1 month' - INTERVAL '1 day')"

    def format(self, date: str, pattern: str) -> str:
        return f"TO_CHAR({date}, {pattern})"

    def pattern(self, codes: tuple[str, ...]) -> str:
        return "".join(_CODES.get(code, f'"{code}"') for code in codes)

    def add_months(self, date: str, months: str) -> str:
        return f"({date} + MAKE_INTERVAL(months => CAST({months} AS INTEGER)))"

    def add_seconds(self, date: str, seconds: str) -> str:
        return f"({date} + MAKE_INTERVAL(secs => {self.to_float(seconds)}))"

    def seconds_between(self, later: str, earlier: str) -> str:
        return f"CAST(TRUNC(DATE_PART('epoch', {later} - {earlier})) AS BIGINT)"

    def within_month(self, date: str) -> str:
        return f"TO_CHAR({date}, 'DD HH24:MI:SS')"


def _unless_null(values: tuple[str, ...], result: str) -> str:
    """The engine skips NULL where MySQL's answer is NULL."""
    missing = " OR ".join(f"{value} IS NULL" for value in values)
    return f"(CASE WHEN {missing} THEN NULL ELSE {result} END)"
