"""SQLite 3.37 and newer."""

from typing import Final

from infra.contract.sql_guard import CellKind, SqlDialect
from infra.impl.sql_guard.engine import DatePart

_STAMP: Final = "'%Y-%m-%d %H:%M:%S'"
_CODES: Final = {
    DatePart.YEAR: "%Y",
    DatePart.MONTH: "%m",
    DatePart.DAY: "%d",
    DatePart.HOUR: "%H",
    DatePart.MINUTE: "%M",
    DatePart.SECOND: "%S",
}


class SqliteEngine:
    """Dates are texts, booleans integers, and LIKE ignores the case of ASCII by itself."""

    dialect = SqlDialect.SQLITE
    sign = "?"
    trim = "TRIM"
    power = "POW"
    functions = frozenset(
        (
            *("ABS", "AVG", "CEIL", "COALESCE", "COUNT", "DENSE_RANK", "FLOOR"),
            *("GROUP_CONCAT", "INSTR", "LENGTH", "LIKE", "LN", "LOWER", "LTRIM"),
            *("MAX", "MIN", "NULLIF", "POW", "RANK", "REPLACE", "ROUND"),
            *("ROW_NUMBER", "RTRIM", "SIGN", "SQRT", "STRFTIME", "SUBSTR", "SUM"),
            *("TRIM", "UPPER"),
        )
    )

    def text(self, parameter: str) -> str:
        return parameter

    def boolean(self, value: bool) -> str:
        return "1" if value else "0"

    def to_date(self, text: str) -> str:
        return f"STRFTIME({_STAMP}, {text})"

    def to_float(self, number: str) -> str:
        return f"CAST({number} AS REAL)"

    def to_integer(self, number: str) -> str:
        return f"CAST(ROUND({number}) AS INTEGER)"

    def leading_number(self, text: str) -> str:
        return f"CAST({text} AS REAL)"

    def to_text(self, value: str, kind: CellKind) -> str:
        return value if kind is CellKind.DATE else f"CAST({value} AS TEXT)"

    def truth_to_integer(self, value: str) -> str:
        return value

    def like(self, value: str, pattern: str) -> str:
        return f"({value} LIKE {pattern} ESCAPE '\\')"

    def divide(self, left: str, right: str) -> str:
        return f"({left} / {right})"

    def divide_whole(self, left: str, right: str) -> str:
        return f"CAST({self.to_float(left)} / {self.to_float(right)} AS INTEGER)"

    def modulo(self, left: str, right: str, *, is_whole: bool) -> str:
        if is_whole:
            return f"({left} % {right})"
        quotient = f"CAST({left} / {right} AS INTEGER)"
        return f"({left} - {right} * {quotient})"

    def round(self, number: str, digits: int) -> str:
        return f"ROUND({number}, {digits})"

    def truncate(self, number: str) -> str:
        return f"CAST({number} AS INTEGER)"

    def floor(self, number: str) -> str:
        return f"CAST(FLOOR({number}) AS INTEGER)"

    def ceiling(self, number: str) -> str:
        return f"CAST(CEIL({number}) AS INTEGER)"

    def bytes(self, text: str) -> str:
        return f"LENGTH(CAST({text} AS BLOB))"

    def substring(self, text: str, start: str, length: str) -> str:
        return f"SUBSTR({text}, {start}, {length})" if length else f"SUBSTR({text}, {start})"

    def position(self, part: str, text: str) -> str:
        return f"INSTR({text}, {part})"

    def least(self, values: tuple[str, ...]) -> str:
        return f"MIN({', '.join(values)})"

    def greatest(self, values: tuple[str, ...]) -> str:
        return f"MAX({', '.join(values)})"

    def join_texts(self, text: str, separator: str, *, is_distinct: bool) -> str:
        # With DISTINCT the engine takes no separator but its own comma.
        return (
            f"GROUP_CONCAT(DISTINCT {text})"
            if is_distinct
            else f"GROUP_CONCAT({text}, {separator})"
        )

    def null_safe_equal(self, left: str, right: str) -> str:
        return f"({left} IS {right})"

    def order(self, term: str, *, descending: bool) -> str:
        return f"{term} DESC" if descending else term

    def part(self, part: DatePart, date: str) -> str:
        if part is DatePart.QUARTER:
            return f"((CAST(STRFTIME('%m', {date}) AS INTEGER) + 2) / 3)"
        return f"CAST(STRFTIME('{_CODES[part]}', {date}) AS INTEGER)"

    def midnight(self, date: str) -> str:
        return f"STRFTIME('%Y-%m-%d 00:00:00', {date})"

    def last_day(self, date: str) -> str:
        month = "'start of month', '+1 month', '-1 day'"
        return f"STRFTIME('%Y-%m-%d 00:00:00', {date}, {month})"

    def format(self, date: str, pattern: str) -> str:
        return f"STRFTIME({pattern}, {date})"

    def pattern(self, codes: tuple[str, ...]) -> str:
        return "".join(codes)

    def add_months(self, date: str, months: str) -> str:
        # The engine turns 31 January + 1 month into 3 March: take the earlier of that and the
        # last day of the month meant, at the same time of day.
        moved = f"STRFTIME({_STAMP}, {date}, ({months}) || ' months')"
        end = (
            f"STRFTIME('%Y-%m-%d', {date}, 'start of month', ({months} + 1) || ' months', '-1 day')"
        )
        return f"MIN({moved}, {end} || STRFTIME(' %H:%M:%S', {date}))"

    def add_seconds(self, date: str, seconds: str) -> str:
        return f"STRFTIME({_STAMP}, {date}, ({seconds}) || ' seconds')"

    def seconds_between(self, later: str, earlier: str) -> str:
        late, early = (f"CAST(STRFTIME('%s', {date}) AS INTEGER)" for date in (later, earlier))
        return f"({late} - {early})"

    def within_month(self, date: str) -> str:
        return f"STRFTIME('%d %H:%M:%S', {date})"
