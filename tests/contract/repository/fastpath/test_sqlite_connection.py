"""The driver under the database on SQLite: what is given up holds nothing."""

import asyncio
import sqlite3
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
import sqlalchemy as sa

from infra.impl.repository.sql.engine.connection import is_storage_fault
from infra.impl.repository.sql.fastpath.sqlite_connection import SqliteConnection
from infra.impl.repository.sql.fastpath.writer_turn import WriterTurn

BUSY_S = 10.0


@pytest.fixture(params=[False, True], ids=["first come", "in turns"])
async def connections(
    request: pytest.FixtureRequest, tmp_path: Path
) -> AsyncGenerator[list[SqliteConnection], None]:
    """Two, as two processes have them."""
    async with AsyncExitStack() as stack:
        found = []
        for _ in range(2):
            turn = WriterTurn(tmp_path / "turn", max_wait_s=BUSY_S) if request.param else None
            connection = SqliteConnection(
                str(tmp_path / "db"),
                pragmas=("journal_mode=WAL",),
                busy_timeout_s=BUSY_S,
                turn=turn,
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


@pytest.mark.parametrize("end", ["commit", "rollback", "close", "refused", "refused commit"])
async def test_the_other_writes_when_a_transaction_ends_however_it_does(
    connections: list[SqliteConnection], end: str
) -> None:
    one, other = connections
    await write(one, 1)
    waiting = asyncio.ensure_future(write(other, 2))
    match end:
        case "commit":
            await one.commit()
        case "rollback":
            await one.rollback()
        case "close":
            await one.close()
        case "refused":
            with pytest.raises(sqlite3.IntegrityError):
                await one.execute("INSERT INTO thing VALUES (?)", (1,), many=False)
            await one.rollback()
        case _:
            one.defer("INSERT INTO thing VALUES (?)", [(1,)])
            with pytest.raises(sqlite3.IntegrityError):
                await one.commit()

    await waiting
    await other.commit()
    if end != "close":
        await write(one, 3)
        await one.commit()


async def test_one_thread_waits_for_another_process_and_the_rest_give_up(tmp_path: Path) -> None:
    theirs = WriterTurn(tmp_path / "turn", max_wait_s=BUSY_S)
    ours = WriterTurn(tmp_path / "turn", max_wait_s=0.0)
    theirs.take()
    asked = [asyncio.ensure_future(asyncio.to_thread(ours.take)) for _ in range(2)]
    (refused,), (waiting,) = await asyncio.wait(asked, return_when=asyncio.FIRST_COMPLETED)
    with pytest.raises(sqlite3.OperationalError) as busy:
        await refused
    theirs.give()
    await waiting
    ours.give()

    assert is_storage_fault(sa.exc.OperationalError("", (), busy.value))
