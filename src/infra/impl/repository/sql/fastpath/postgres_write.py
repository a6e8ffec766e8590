"""Writes to PostgreSQL that wait for the commit, to be one statement with each other."""

from collections.abc import Sequence
from contextlib import suppress
from typing import Any, Final

import sqlalchemy as sa

from infra.impl.repository.sql.fastpath.combined import Write, combine

WAITING: Final = "waiting"
"""Where a connection keeps its writes."""
_COMBINES: Final = "combines_writes"


def combine_writes_of(engine: sa.Engine) -> None:
    """Have the engine's connections do what waits before anything else, or at the commit."""
    engine.update_execution_options(**{_COMBINES: True})
    sa.event.listen(engine, "before_cursor_execute", _write_before)
    sa.event.listen(engine, "commit", _write_at_commit)
    sa.event.listen(engine, "rollback", _drop_writes)


def combines_writes(connection: sa.Connection) -> bool:
    """Tell whether what waits will be done."""
    return bool(connection.get_execution_options().get(_COMBINES))


def can_wait(connection: sa.Connection, write: Write) -> bool:
    """Tell whether it can be part of one statement with what waits already."""
    waiting: list[Write] = connection.info.get(WAITING, [])
    if write.unchanged is not None and waiting:
        return False
    return write.can_be_combined and all(other.table != write.table for other in waiting)


def defer(connection: sa.Connection, write: Write) -> None:
    """Do it together with the others at the commit, or before the next statement."""
    connection.info.setdefault(WAITING, []).append(write)
    if not connection.in_transaction():
        connection.begin()


def write_now(connection: sa.Connection, write: Write) -> None:
    """Do what waits, and then this, which may wait for others."""
    _write_now(connection)
    if can_wait(connection, write):
        defer(connection, write)
    else:
        _execute(connection, write)


def _execute(connection: sa.Connection, write: Write) -> None:
    done = connection.execute(write.statement, write.rows)
    if write.unchanged is not None and done.rowcount == 0:
        raise write.unchanged


def _write_now(connection: sa.Connection) -> None:
    for write in connection.info.pop(WAITING, ()):
        _execute(connection, write)


def _write_before(connection: sa.Connection, *_: Any) -> None:
    _write_now(connection)


def _write_at_commit(connection: sa.Connection) -> None:
    """Do all that waits at once; if nothing came before, a transaction need not be begun for it."""
    writes: list[Write] = connection.info.pop(WAITING, [])
    if not writes:
        return
    try:
        _write_together(connection, writes)
    except BaseException:
        # Whoever asks for a commit takes the transaction for over, whatever comes of it.
        if not connection.invalidated:
            checked_out: Any = connection.connection
            with suppress(Exception):
                checked_out.dbapi_connection.rollback()
        raise


def _write_together(connection: sa.Connection, writes: Sequence[Write]) -> None:
    text, parameters = combine(writes, connection.dialect)
    adapter: Any = connection.connection.dbapi_connection
    is_whole = not adapter.driver_connection.is_in_transaction()
    if is_whole:
        adapter.autocommit = True
    try:
        done = connection.exec_driver_sql(text, parameters)
        unchanged = writes[0].unchanged
        if unchanged is not None and done.first() is None:
            raise unchanged
    finally:
        if is_whole:
            adapter.autocommit = False  # also of one that was lost, and is no longer checked out


def _drop_writes(connection: sa.Connection) -> None:
    if not connection.invalidated:
        connection.info.pop(WAITING, None)
