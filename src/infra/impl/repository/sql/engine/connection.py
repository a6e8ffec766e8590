"""Connections of a process: whose turn it is to have one, and what their faults mean."""

import asyncio
import sqlite3
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from typing import Final

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from domain.shared.capacity.fair_share import FairShare, Refusal, ShareRefused
from domain.shared.capacity.processor import preferred, unthrottled, working_for
from domain.shared.error import RateLimited, Unavailable
from infra.contract.storage.database import has_priority
from infra.impl.repository.sql.fastpath.kept_connection import KeptConnections

_SQLITE_FAULTS: Final = frozenset(
    {
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_LOCKED,
        sqlite3.SQLITE_NOMEM,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_CORRUPT,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_PROTOCOL,
        sqlite3.SQLITE_NOTADB,
    }
)
# SQLSTATE classes: connection, rollback (deadlock, serialization), resources, operator, system.
_POSTGRES_FAULTS: Final = frozenset({"08", "40", "53", "57", "58"})
_POSTGRES_WAITS: Final = frozenset({"25P03", "55P03"})
_CAUSES: Final[Mapping[str, str]] = {
    "53300": "The database takes no more connections; try again.",
    "55P03": "Another request holds what this one needs; try again.",
    "57014": "The database took too long; try again.",
}
RETRY_AFTER_S: Final = 1.0


class ConnectionLimiter:
    """So many turns at a time; whoever finds none free waits in line.

    A line that moves is a busy database: it is waited in for ``longest_s``. One that stood still
    for ``stuck_s`` is a database that does not work. Workspaces have turns; what a workspace
    has begun goes before what it begins. One workspace alone never has the ``kept`` ones. Who has
    the last connection, or one where none is kept, is not held up on his way: others wait for it.
    The others go before all else of their workspace.
    """

    def __init__(
        self, count: int, *, longest_s: float, stuck_s: float, most_waiting: int, kept: int = 0
    ) -> None:
        self._is_kept = kept > 0
        self._share = FairShare(
            "the database",
            capacity=count,
            kept=kept,
            waiting=most_waiting,
            wait_s=longest_s,
            stall_s=stuck_s,
        )

    @property
    def waiting(self) -> int:
        """How many wait for their turn."""
        return self._share.waiting

    @asynccontextmanager
    async def turn(self) -> AsyncGenerator[None, None]:
        """Have a turn inside.

        Raises:
            Unavailable: nobody gave a turn back for too long.
            RateLimited: too many wait, or the line is too long for its speed.
        """
        is_first, space = has_priority(), working_for()
        try:
            await self._share.acquire(space, is_urgent=is_first)
        except ShareRefused as exc:
            if is_first or exc.refusal is Refusal.STALLED:
                raise _all_in_use() from exc
            raise RateLimited(
                "More requests wait for the database than it can serve; try again.",
                retry_after_s=RETRY_AFTER_S,
            ) from exc
        try:
            is_enough = self._is_kept and self._share.free
            with preferred() if is_enough else unthrottled():
                yield
        finally:
            self._share.release(space)


@asynccontextmanager
async def connected(
    engine: AsyncEngine, kept: KeptConnections | None, *, within_s: float | None
) -> AsyncGenerator[AsyncConnection, None]:
    """Check out a connection; faults of the storage become ``Unavailable``, defects stay.

    A server that is silent refuses nothing: whoever has no connection ``within_s`` gives up.
    """
    opened = False
    try:
        connection = await (kept.take() if kept else _connect(engine, within_s=within_s))
        opened = True
        try:
            yield connection
        finally:
            if not (kept and kept.keep(connection)):
                await _close(connection)
    except DBAPIError as exc:
        if opened and not is_storage_fault(exc):
            raise
        text = _CAUSES.get(_sqlstate(exc.orig), "The database is unavailable; try again.")
        raise Unavailable(text) from exc
    except sa.exc.TimeoutError as exc:
        if opened:
            raise
        raise _all_in_use() from exc
    except sa.exc.InvalidRequestError as exc:
        # The connection was lost in between, or each new one is as well.
        if opened and not isinstance(exc, sa.exc.PendingRollbackError):
            raise
        raise Unavailable("The database is unavailable; try again.") from exc
    except OSError as exc:
        if opened and not isinstance(exc, ConnectionError):
            raise
        raise Unavailable("The database is unavailable; try again.") from exc
    except Exception as exc:
        # While a server starts or ends, the driver's own errors come from under the dialect.
        if not _is_refusal(exc):
            raise
        raise Unavailable("The database is unavailable; try again.") from exc


def _all_in_use() -> Unavailable:
    return Unavailable(
        "All connections to the database are in use; try again.", retry_after_s=RETRY_AFTER_S
    )


async def _connect(engine: AsyncEngine, *, within_s: float | None) -> AsyncConnection:
    async with asyncio.timeout(within_s):
        return await engine.connect()


async def _close(connection: AsyncConnection) -> None:
    if connection.in_transaction():
        # Rolling back may wait for the server, and must not be left half done.
        await connection.__aexit__(None, None, None)
    else:
        await connection.close()


def is_storage_fault(error: DBAPIError) -> bool:
    """Tell a full disk, a lock, a deadlock or a lost connection from a wrong statement."""
    if error.connection_invalidated:
        return True
    sqlite_code = getattr(error.orig, "sqlite_errorcode", None)
    if sqlite_code is not None:
        return sqlite_code & 0xFF in _SQLITE_FAULTS  # the low byte is the primary code
    return _is_fault(error.orig)


def _is_fault(error: BaseException | None) -> bool:
    sqlstate = _sqlstate(error)
    return sqlstate[:2] in _POSTGRES_FAULTS or sqlstate in _POSTGRES_WAITS


def _sqlstate(error: BaseException | None) -> str:
    return str(getattr(error, "sqlstate", None) or getattr(error, "pgcode", None) or "")


def _is_refusal(error: BaseException) -> bool:
    """Tell a server that takes no connection from a defect; ``28`` is a wrong password."""
    return _is_fault(error) or _sqlstate(error).startswith("28")
