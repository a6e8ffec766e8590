"""PostgreSQL 14 and newer."""

from typing import Final

from infra.contract.sql_guard import CellKind, SqlDialect
from infra.impl.sql_guard.engine import DatePart

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
