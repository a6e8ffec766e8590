"""Statements that are compiled once, however many databases a test run makes.

SQLAlchemy keeps what it compiled with the engine, and tests have an engine of their own each: a
fifth of their processor time went into compiling the same statements again.
"""

from typing import Any

from sqlalchemy import util
from sqlalchemy.dialects.sqlite.aiosqlite import SQLiteDialect_aiosqlite
from sqlalchemy.engine import Engine

_STATEMENTS = 5_000


def share_compiled_statements() -> None:
    """From now on all engines on SQLite have one store; call it before there is one."""
    store: util.LRUCache[Any, Any] = util.LRUCache(_STATEMENTS)
    begin = Engine.__init__

    def sharing(engine: Engine, *given: Any, **named: Any) -> None:
        begin(engine, *given, **named)
        if type(engine.dialect) is SQLiteDialect_aiosqlite:
            engine._compiled_cache = store

    # A statement is found by its dialect, too; those of one class compile alike.
    SQLiteDialect_aiosqlite.__hash__ = lambda _: hash(SQLiteDialect_aiosqlite)  # type: ignore[assignment, method-assign]
    SQLiteDialect_aiosqlite.__eq__ = lambda _, other: type(other) is SQLiteDialect_aiosqlite  # type: ignore[method-assign]
    Engine.__init__ = sharing  # type: ignore[assignment, method-assign]
