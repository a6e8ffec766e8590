"""Statements that are compiled once, however many databases a test run makes.

SQLAlchemy keeps what it compiled with the engine, and tests have an engine of their own each: a
fifth of their processor time went into compiling the same statements again.
"""

from typing import Any, Final

from sqlalchemy import util
from sqlalchemy.dialects.postgresql.asyncpg import PGDialect_asyncpg
from sqlalchemy.dialects.sqlite.aiosqlite import SQLiteDialect_aiosqlite
from sqlalchemy.engine import Engine

_STATEMENTS: Final = 5_000
_DIALECTS: Final = (SQLiteDialect_aiosqlite, PGDialect_asyncpg)


def share_compiled_statements() -> None:
    """From now on all engines on a kind of database have one store; call it before there is one."""
    stores: dict[type, util.LRUCache[Any, Any]] = {
        kind: util.LRUCache(_STATEMENTS) for kind in _DIALECTS
    }
    begin = Engine.__init__

    def sharing(engine: Engine, *given: Any, **named: Any) -> None:
        begin(engine, *given, **named)
        if (store := stores.get(type(engine.dialect))) is not None:
            engine._compiled_cache = store

    # A statement is found by its dialect, too; those of one class compile alike.
    for kind in _DIALECTS:
        kind.__hash__ = lambda self: hash(type(self))  # type: ignore[method-assign]
        kind.__eq__ = lambda self, other: type(other) is type(self)  # type: ignore[method-assign]
    Engine.__init__ = sharing  # type: ignore[assignment, method-assign]
