"""From text to tree, with every way in which hostile text can hurt a parser closed first."""

from collections.abc import Mapping
from typing import Final

from sqlglot import Dialect, TokenType, exp
from sqlglot.errors import ErrorLevel, SqlglotError
from sqlglot.parsers.mysql import MySQLParser
from sqlglot.parsers.postgres import PostgresParser
from sqlglot.parsers.sqlite import SQLiteParser

from infra.contract.table.sql_guard import Refusal
from infra.impl.sql_guard.fragment import refuse

MAX_CHARS: Final = 4000
MAX_NODES: Final = 2000
MAX_DEPTH: Final = 64
"""SQLite is told to take 100."""
MAX_OPEN: Final = 40
"""Brackets open at one point: the parser goes into itself for each."""
MAX_JOINS: Final = 5
MAX_STEPS_PER_TOKEN: Final = 10
"""The parser tries and goes back; honest statements take fewer than 2 steps per token."""
_FAILURES: Final = (
    *(SqlglotError, RecursionError, ValueError, TypeError, AttributeError),
    *(KeyError, IndexError, AssertionError, NotImplementedError, OverflowError),
)
"""What the parser raises on texts it does not understand: its own errors, and defects of it."""


class _Budget:
    """Counts the tokens a parser looks at: some texts make it try exponentially many ways."""

    def __init__(self) -> None:
        self._left = 0

    def grant(self, tokens: int) -> None:
        self._left = (tokens + 10) * MAX_STEPS_PER_TOKEN

    def spend(self) -> None:
        self._left -= 1
        if self._left < 0:
            raise refuse(Refusal.TOO_COMPLEX, "The statement is too complex; simplify it.")


class _MySqlReader(MySQLParser):
    """The parser of statements as they come."""

    budget: _Budget

    def _advance(self, times: int = 1) -> None:
        self.budget.spend()
        super()._advance(times)


class _SqliteReader(SQLiteParser):
    """The parser of what the guard writes for SQLite."""

    budget: _Budget

    def _advance(self, times: int = 1) -> None:
        self.budget.spend()
        super()._advance(times)


class _PostgresReader(PostgresParser):
    """The parser of what the guard writes for PostgreSQL."""

    budget: _Budget

    def _advance(self, times: int = 1) -> None:
        self.budget.spend()
        super()._advance(times)


_READERS: Final[Mapping[str, type[_MySqlReader] | type[_SqliteReader] | type[_PostgresReader]]] = {
    "mysql": _MySqlReader,
    "sqlite": _SqliteReader,
    "postgres": _PostgresReader,
}


def parse(sql: str, dialect: str) -> list[exp.Expr | None]:
    """Parse statements with a bounded effort.

    Raises:
        SqlglotError: not SQL of this dialect; or any other exception on odd texts.
        SqlRefused: too many joins, or too many ways to read it.
    """
    known = Dialect.get_or_raise(dialect)
    tokens = known.tokenize(sql)
    # A chain of joins takes exponential time; more than these are refused anyway.
    joins = (TokenType.JOIN, TokenType.STRAIGHT_JOIN)
    if sum(token.token_type in joins for token in tokens) > MAX_JOINS:
        raise refuse(Refusal.TOO_COMPLEX, f"A statement joins up to {MAX_JOINS} times.")
    reader = _READERS[dialect](dialect=known, error_level=ErrorLevel.RAISE)
    reader.budget = _Budget()
    reader.budget.grant(len(tokens))
    return list(reader.parse(tokens, sql))


def read(sql: str, *, max_chars: int = MAX_CHARS) -> exp.Expr:
    """Parse one statement in the dialect of MySQL.

    Raises:
        SqlRefused: empty, too long or deep, not SQL, or several statements.
    """
    if len(sql) > max_chars:
        raise refuse(Refusal.TOO_LONG, f"A statement has up to {max_chars} characters.")
    if not sql.strip():
        raise refuse(Refusal.EMPTY, "There is no statement.")
    if "\0" in sql or not _is_text(sql):
        raise refuse(Refusal.SYNTAX, "The statement has characters that are not text.")
    _require_shallow(sql)
    try:
        statements = parse(sql, "mysql")
    except _FAILURES as exc:
        raise refuse(Refusal.SYNTAX, "This is not a statement in SQL.") from exc
    found = [statement for statement in statements if statement is not None]
    if not found:
        raise refuse(Refusal.EMPTY, "There is no statement.")
    if len(statements) > 1 and len(found) > 1:
        raise refuse(Refusal.MULTIPLE_STATEMENTS, "Write one statement, without semicolons.")
    _require_small(found[0])
    return found[0]


def _is_text(sql: str) -> bool:
    """Tell whether there is no half of a surrogate pair."""
    try:
        sql.encode()
    except UnicodeEncodeError:
        return False
    return True


def _require_shallow(sql: str) -> None:
    """Count brackets without regard to quotes: too careful with odd texts, never too lax.

    Inside quotes brackets may be unbalanced, so only openings that stay open count.
    """
    depth = 0
    for sign in sql:
        if sign in "([{":
            depth += 1
            if depth > MAX_OPEN:
                raise refuse(Refusal.TOO_COMPLEX, f"Brackets nest up to {MAX_OPEN} deep.")
        elif sign in ")]}":
            depth = max(0, depth - 1)


def _require_small(root: exp.Expr) -> None:
    count = 0
    stack = [(root, 1)]
    while stack:
        node, depth = stack.pop()
        count += 1
        if count > MAX_NODES or depth > MAX_DEPTH:
            raise refuse(Refusal.TOO_COMPLEX, "The statement is too complex; simplify it.")
        stack += [(child, depth + 1) for child in node.iter_expressions()]
