"""The driver under the database on SQLite: what is given up holds nothing."""

import asyncio
import sqlite3
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from infra.impl.repository.sql.fastpath.sqlite_connection import SqliteConnection

BUSY_S = 10.0


@pytest.fixture
async def connections(tmp_path: Path) -> AsyncGenerator[list[SqliteConnection], None]:
    async with AsyncExitStack() as stack:
        found = []
        for _ in range(2):
            connection = SqliteConnection(
                str(tmp_path / "db"), pragmas=("journal_mode=WAL",), busy_timeout_s=BUSY_S
            )
            stack.push_async_callback((await connection.open()).close)
            found.append(connection)
        await found[0].execute("CREATE TABLE thing (id INTEGER PRIMARY KEY)", (), many=False)
        yield found


async def write(connection: SqliteConnection, number: int) -> None:
    connection.begin()
    await connection.execute("INSERT INTO thing VALUES (?)", (number,), many=False)


@pytest.mark.parametrize("way", ["close", "stop"])
async def test_a_closed_connection_holds_no_lock(
    connections: list[SqliteConnection], way: str
) -> None:
    given_up, other = connections
    await write(given_up, 1)
    with pytest.raises(sqlite3.IntegrityError) as remembered:
        await given_up.execute("INSERT INTO thing VALUES (?)", (1,), many=False)

    if way == "close":
        await given_up.close()
    else:
        given_up.stop()
        await asyncio.sleep(0)

    await write(other, 1)
    await other.commit()
    assert remembered.value.sqlite_errorname == "SQLITE_CONSTRAINT_PRIMARYKEY"


async def test_a_cancelled_write_is_undone_with_its_connection(
    connections: list[SqliteConnection],
) -> None:
    given_up, other = connections
    writing = asyncio.ensure_future(write(given_up, 1))
    await asyncio.sleep(0)
    writing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await writing

    await given_up.close()

    await write(other, 1)
    await other.commit()
