"""Connections to SQLite: one that writes, and those that read."""

from collections.abc import Sequence
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine
from sqlalchemy.pool import AsyncAdaptedQueuePool

from infra.impl.repository.sql.fastpath.sqlite_connection import SqliteConnection
from infra.impl.repository.sql.fastpath.writer_turn import WriterTurn

ACQUIRE_TIMEOUT_S: Final = 5.0
_PRAGMAS: Final = (
    "journal_mode=WAL",
    # What was committed survives a power cut, which NORMAL does not promise in WAL mode.
    "synchronous=FULL",
    "foreign_keys=ON",
    # Negative numbers are KiB: 8 MB for each connection.
    "cache_size=-8000",
    # A log that one long reader had let grow is cut again.
    "journal_size_limit=67108864",
)


def sqlite_engine(
    url: str,
    *,
    is_writer: bool,
    size: int,
    is_fast: bool,
    pragmas: tuple[str, ...] = (),
    turn: WriterTurn | None = None,
) -> AsyncEngine:
    """Return an engine whose connections begin to write, or only to read, with each transaction.

    With ``turn`` several processes take turns at writing.
    """
    path = sa.make_url(url).database or ""
    pragmas = (*_PRAGMAS, *pragmas)
    opening = "BEGIN IMMEDIATE" if is_writer else "BEGIN"

    async def connect() -> Any:
        if is_fast:
            connection = SqliteConnection(
                path,
                pragmas=pragmas,
                busy_timeout_s=ACQUIRE_TIMEOUT_S,
                opening=opening,
                turn=turn,
            )
            return await connection.open()
        return await _connect_plainly(path, pragmas=pragmas, busy_timeout_s=ACQUIRE_TIMEOUT_S)

    engine = create_async_engine(
        url,
        poolclass=AsyncAdaptedQueuePool,
        pool_size=size,
        max_overflow=0,
        pool_timeout=ACQUIRE_TIMEOUT_S,
        async_creator=connect,
    )

    @sa.event.listens_for(engine.sync_engine, "begin")
    def _begin(connection: sa.Connection) -> None:
        driver: Any = connection.connection.driver_connection
        if isinstance(driver, SqliteConnection):
            driver.begin()
        elif is_writer:
            connection.exec_driver_sql("BEGIN IMMEDIATE")
        else:
            connection.exec_driver_sql("BEGIN")

    return engine


async def _connect_plainly(path: str, *, pragmas: Sequence[str], busy_timeout_s: float) -> Any:
    """Connect by aiosqlite itself; imported here, because few processes need it."""
    import aiosqlite  # noqa: PLC0415 - see above

    # Without its isolation level, in which the driver would begin transactions by itself.
    connection = await aiosqlite.connect(path, timeout=busy_timeout_s, isolation_level=None)
    try:
        for pragma in pragmas:
            await connection.execute(f"PRAGMA {pragma}")
    except BaseException:
        await connection.close()
        raise
    return connection
