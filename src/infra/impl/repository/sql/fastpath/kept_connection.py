"""Connections to SQLite that stay checked out, and transactions that SQLAlchemy need not know of.

A checkout, a commit and a check-in of SQLAlchemy's each run in a greenlet of their own and make a
dozen objects; for two short transactions of a chat that was a tenth of its processor time. So a
connection that is clean afterwards is kept for whoever comes next, and a transaction of nothing
but prepared queries and deferred writes is begun and committed by the driver itself. As soon as
SQLAlchemy executes something, the transaction is SQLAlchemy's as well.
"""

import sqlite3
from asyncio import CancelledError
from collections.abc import Sequence
from typing import Any

from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from infra.impl.repository.sql.fastpath.sqlite_connection import Result, SqliteConnection


def driver_of(connection: AsyncConnection) -> SqliteConnection | None:
    """Return the driver's connection, if it is one of ours."""
    sync = connection.sync_connection
    if sync is None:
        raise TypeError("The connection is not open.")
    driver = sync.connection.driver_connection
    return driver if isinstance(driver, SqliteConnection) else None


def fault_of(
    connection: AsyncConnection, error: sqlite3.Error, sql: str = "", parameters: Any = ()
) -> BaseException:
    """Return what SQLAlchemy would raise for a fault of the driver."""
    return DBAPIError.instance(
        sql, parameters, error, sqlite3.Error, dialect=connection.sync_engine.dialect
    )


def _is_known(connection: AsyncConnection) -> bool:
    """Tell whether SQLAlchemy knows of a transaction: also of one whose commit failed."""
    sync = connection.sync_connection
    return sync is not None and sync.get_transaction() is not None


async def give_up(connection: AsyncConnection) -> None:
    """Close a connection whose statement may still run, and let nobody go on with it."""
    sync = connection.sync_connection
    if sync is not None and not _is_known(connection):
        sync.begin()  # what is lost with it must not be committed in part
    await connection.invalidate()


async def execute_on(
    connection: AsyncConnection, driver: SqliteConnection, sql: str, parameters: Sequence[Any]
) -> Result:
    """Run a statement, and what waits there before it, past SQLAlchemy; faults are as with it."""
    driver.begin()
    try:
        return await driver.execute(sql, parameters, many=False)
    except sqlite3.Error as exc:
        raise fault_of(connection, exc, sql, parameters) from exc
    except CancelledError:  # the statement may still run: nobody else may get the connection
        await give_up(connection)
        raise


class DirectConnection(AsyncConnection):
    """A connection whose transactions are the driver's, until SQLAlchemy executes something."""

    async def commit(self) -> None:
        """Commit, whoever began."""
        driver = driver_of(self)
        if driver is None or _is_known(self):
            await super().commit()
            return
        try:
            await driver.commit()
        except sqlite3.Error as exc:
            raise fault_of(self, exc) from exc
        except CancelledError:
            await give_up(self)
            raise

    async def rollback(self) -> None:
        """Roll back, whoever began."""
        await super().rollback()
        if (driver := driver_of(self)) is not None:
            driver.undo()


class KeptConnections:
    """Connections of an engine for SQLite; the caller bounds how many there are at once."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        self._idle: list[AsyncConnection] = []
        self._is_closed = False

    @property
    def idle(self) -> int:
        """How many are checked out and in nobody's use."""
        return len(self._idle)

    async def take(self) -> AsyncConnection:
        """Return one that was kept, or else a new one."""
        return self._idle.pop() if self._idle else await DirectConnection(self._engine)

    def keep(self, connection: AsyncConnection) -> bool:
        """Roll back what is open and keep it, if nothing but its transaction is to be forgotten."""
        sync = connection.sync_connection
        if sync is None or sync.closed or sync.invalidated or sync.in_transaction():
            return False
        driver = driver_of(connection)
        if driver is None or driver.is_abandoned:
            return False
        driver.undo()
        if self._is_closed or _is_known(connection):  # which failed, so nobody would roll it back
            return False
        self._idle.append(connection)
        return True

    async def aclose(self) -> None:
        """Close those that are kept, and keep no more."""
        self._is_closed = True
        while self._idle:
            await self._idle.pop().close()
