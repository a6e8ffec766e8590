"""From text to tree, with every way in which hostile text can hurt a parser closed first."""

from typing import Final

import sqlglot
from sqlglot import exp
from sqlglot.errors import ErrorLevel, SqlglotError

from infra.contract.sql_guard import Refusal
from infra.impl.sql_guard.fragment import refuse

MAX_CHARS: Final = 4000
MAX_NODES: Final = 2000
MAX_DEPTH: Final = 64
"""SQLite is told to take 100."""
MAX_OPEN: Final = 40
"""Brackets open at one point: the parser goes into itself for each."""
_FAILURES: Final = (
    *(SqlglotError, RecursionError, ValueError, TypeError, AttributeError),
    *(KeyError, IndexError, AssertionError, NotImplementedError, OverflowError),
)
"""What the parser raises on texts it does not understand: its own errors, and defects of it."""


def read(sql: str) -> exp.Expr:
    """Parse one statement in the dialect of MySQL.

    Raises:
        SqlRefused: empty, too long or deep, not SQL, or several statements.
    """
    if len(sql) > MAX_CHARS:
        raise refuse(Refusal.TOO_LONG, f"A statement has up to {MAX_CHARS} characters.")
    if not sql.strip():
        raise refuse(Refusal.EMPTY, "There is no statement.")
    if "\0" in sql or not _is_text(sql):
        raise refuse(Refusal.SYNTAX, "The statement has characters that are not text.")
    _require_shallow(sql)
    try:
        statements = sqlglot.parse(sql, read="mysql", error_level=ErrorLevel.RAISE)
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
