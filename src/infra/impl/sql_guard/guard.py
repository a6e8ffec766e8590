"""The SQL guard on sqlglot: parse, compile, look again, seal."""

import logging
import re
from dataclasses import replace
from datetime import datetime
from typing import Final

from sqlglot import exp
from sqlglot.errors import SqlglotError

from domain.shared.limits import Limits
from infra.contract.table.sql_guard import (
    CellKind,
    GuardedSql,
    OutputColumn,
    Refusal,
    SqlDialect,
    SqlGrant,
    SqlRefused,
)
from infra.contract.table.store import require_identifier
from infra.impl.sql_guard.body import Body, Bounds
from infra.impl.sql_guard.engine import DatePart, Engine, PostgresEngine
from infra.impl.sql_guard.fragment import Parameters, refuse
from infra.impl.sql_guard.query import Queries
from infra.impl.sql_guard.reading import parse, read

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


ENGINES: Final[dict[SqlDialect, type[SqliteEngine] | type[PostgresEngine]]] = {
    SqlDialect.SQLITE: SqliteEngine,
    SqlDialect.POSTGRES: PostgresEngine,
}
_CALL: Final = re.compile(r"\b([A-Z][A-Z0-9_]*)\(")
_TYPED: Final = frozenset({"CAST"})
"""What has brackets without being a function."""
READING: Final = (exp.Select, exp.SetOperation, exp.Subquery)
_KEY: Final = "k"
_OURS: Final = re.compile(r"[a-z][0-9]*")
_UNWRITTEN: Final = "This statement cannot be executed; write it differently."
_NUMBERED: Final = re.compile(r"\?([0-9]+)")


class SqlglotGuard:
    """Compiles MySQL for one engine; ``limits.table_query_rows`` bounds every answer.

    ``max_rows`` is another bound, for those whose answers no model reads.
    """

    def __init__(self, *, dialect: SqlDialect, limits: Limits, max_rows: int = 0) -> None:
        # The parser logs statements that it does not know: texts of tenants.
        logging.getLogger("sqlglot").setLevel(logging.CRITICAL)
        self._engine: Engine = ENGINES[dialect]()
        self._max_rows = max_rows or limits.table_query_rows

    def check(self, sql: str, grant: SqlGrant, *, now: datetime) -> GuardedSql:
        root = read(sql)
        if not isinstance(root, READING):
            raise refuse(Refusal.NOT_READ_ONLY, "Only SELECT is allowed.")
        return self.compile(root, grant, now=now)

    def compile(self, root: exp.Expr, grant: SqlGrant, *, now: datetime) -> GuardedSql:
        """Compile the tree of a reading statement; raise ``SqlRefused`` as ``check`` does."""
        require_grant(grant)
        try:
            return self._compile(root, grant, now)
        except RecursionError as exc:
            raise refuse(Refusal.TOO_COMPLEX, "The statement is too complex.") from exc
        except (AttributeError, IndexError, KeyError, TypeError, ValueError) as exc:
            # The parser made a tree of a shape not foreseen: refuse it like an unknown node.
            raise SqlRefused(Refusal.FORBIDDEN_CONSTRUCT, _UNWRITTEN) from exc

    def _compile(self, root: exp.Expr, grant: SqlGrant, now: datetime) -> GuardedSql:
        parameters = Parameters()
        queries = Queries(grant=grant, engine=self._engine, parameters=parameters, now=now)
        body = queries.body(root, {})
        if not queries.used:
            raise refuse(Refusal.UNKNOWN_TABLE, "The statement reads none of the tables.")
        asked = body.bounds.limit
        limit = self._max_rows if asked is None else min(asked, self._max_rows)
        columns = tuple(OutputColumn(name=name, kind=part.kind) for name, part in body.columns)
        body = _with_key(replace(body, bounds=Bounds(limit=limit, offset=body.bounds.offset)))
        text, values = parameters.number(body.text(), sign=self._engine.sign)
        functions = _functions(text)
        if unknown := functions - self._engine.functions:
            raise AssertionError(f"The guard wrote {sorted(unknown)}.")
        _require_stable(text, self._engine.dialect, frozenset(queries.used))
        return GuardedSql.sealed(
            text=text,
            parameters=values,
            columns=columns,
            tables=frozenset(queries.used),
            relations=frozenset(queries.common),
            functions=frozenset(name.lower() for name in functions),
            dialect=self._engine.dialect,
            space_id=grant.space_id,
            has_key=bool(body.key),
            max_rows=limit,
            is_clamped=asked is None or asked > self._max_rows,
        )


def require_grant(grant: SqlGrant) -> None:
    """Raise ``ValueError`` if a grant has names that were not generated: a defect of the caller."""
    for table in grant.tables:
        names = [table.physical, table.key_column]
        names += [column.physical for column in table.columns]
        names += [rule.column for rule in table.row_scope]
        for name in names:
            require_identifier(name)
        if _OURS.fullmatch(table.physical):
            raise ValueError(f"The guard uses such names itself: {table.physical!r}")


def _with_key(body: Body) -> Body:
    if not body.key:
        return body
    return replace(body, tail=f", {body.key} AS {_KEY}{body.tail}")


def _functions(text: str) -> set[str]:
    found = set(_CALL.findall(text)) - _TYPED
    return found | {"LIKE"} if " LIKE " in text else found


def _require_stable(text: str, dialect: SqlDialect, tables: frozenset[str]) -> None:
    """Read our own statement as the engine will: one query, these tables, the same when rewritten.

    It cannot fail unless the guard has a defect; then nothing is executed.
    """
    text = _NUMBERED.sub(r":p\1", text)  # the parser does not know SQLite's ?1
    try:
        is_stable = text.isascii() and _reads_as_meant(text, dialect.value, tables)
    except (SqlglotError, ValueError) as exc:
        raise SqlRefused(Refusal.FORBIDDEN_CONSTRUCT, _UNWRITTEN) from exc
    if not is_stable:
        raise refuse(Refusal.FORBIDDEN_CONSTRUCT, _UNWRITTEN)


def _reads_as_meant(text: str, dialect: str, tables: frozenset[str]) -> bool:
    (tree,) = parse(text, dialect)
    if not isinstance(tree, exp.Select):
        return False
    common = {cte.alias for cte in tree.find_all(exp.CTE)}
    named = {table.name for table in tree.find_all(exp.Table)}
    once = tree.sql(dialect=dialect, comments=False)
    (again,) = parse(once, dialect)
    is_same = again is not None and again.sql(dialect=dialect, comments=False) == once
    return is_same and tables <= named <= tables | common
