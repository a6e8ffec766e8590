"""Connections that stay checked out: what one user leaves behind, the next one does not find."""

import asyncio
import threading
from collections.abc import AsyncGenerator
from contextlib import aclosing, suppress
from pathlib import Path
from typing import Final

import pytest
import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from infra.impl.repository.sql.engine.database import Database
from infra.impl.repository.sql.engine.unit_of_work import insert_into, write_later
from infra.impl.repository.sql.fastpath.prepared import Prepared

_metadata: Final = sa.MetaData()
_things: Final = sa.Table("thing", _metadata, sa.Column("id", sa.Integer, primary_key=True))
_parts: Final = sa.Table(
    "part",
    _metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("of", sa.ForeignKey("thing.id", deferrable=True, initially="DEFERRED")),
)
_COUNT: Final = Prepared(sa.select(sa.func.count()).select_from(_things))


@pytest.fixture
async def database(tmp_path: Path) -> AsyncGenerator[Database, None]:
    async with aclosing(Database(f"sqlite+aiosqlite:///{tmp_path / 'db'}")) as database:
        async with database.write() as connection:
            await connection.run_sync(_metadata.create_all)
            await connection.commit()
        yield database


async def count(database: Database) -> int:
    async with database.read() as connection:
        row = await _COUNT.row(connection, {})
    assert row is not None
    return int(row[0])


@pytest.mark.parametrize("by", ["later", "execute", "both"])
@pytest.mark.parametrize("end", ["commit", "rollback", "nothing", "error"])
async def test_only_what_is_committed_lasts(database: Database, by: str, end: str) -> None:
    for _ in range(3):
        before = await count(database)
        with suppress(ZeroDivisionError):
            await write(database, before + 1, by=by, end=end)
        added = {"later": 1, "execute": 1, "both": 2}[by] if end == "commit" else 0
        assert await count(database) == before + added
        assert database.in_use == 0


async def write(database: Database, number: int, *, by: str, end: str) -> None:
    async with database.write() as connection:
        if by != "execute":
            await write_later(connection, insert_into(_things), [{"id": number}])
        if by != "later":
            await connection.execute(sa.insert(_things), {"id": number + 100})
        match end:
            case "commit":
                await connection.commit()
            case "rollback":
                await connection.rollback()
            case "error":
                raise ZeroDivisionError
            case _:
                pass


async def test_queries_of_both_kinds_see_one_instant(database: Database) -> None:
    async with database.read() as connection:
        assert await _COUNT.row(connection, {}) == [0]
        async with database.write() as writer:
            await write_later(writer, insert_into(_things), [{"id": 1}])
            await writer.commit()
        assert await connection.scalar(sa.select(sa.func.count()).select_from(_things)) == 0
    assert await count(database) == 1


async def test_a_refused_commit_is_a_fault_of_the_database_and_leaves_nothing(
    database: Database,
) -> None:
    async with database.write() as connection:
        await write_later(connection, insert_into(_things), [{"id": 1}, {"id": 1}])
        with pytest.raises(IntegrityError):
            await connection.commit()

    async with database.write() as connection:
        await write_later(connection, insert_into(_things), [{"id": 1}])
        await connection.commit()
    assert await count(database) == 1


@pytest.mark.parametrize("then", ["later", "execute", "both"])
@pytest.mark.parametrize("first", ["later", "execute", "both"])
async def test_a_commit_that_fails_is_over_for_the_next_one(
    database: Database, first: str, then: str
) -> None:
    """As on a full disk: the statements were taken, and the commit itself is refused."""
    orphan = {"id": 1, "of": 7}
    async with database.write() as connection:
        if first != "execute":
            await write_later(connection, insert_into(_parts), [orphan])
        if first == "execute":
            await connection.execute(sa.insert(_parts), orphan)
        if first == "both":
            await connection.execute(sa.insert(_things), {"id": 8})
        with pytest.raises(IntegrityError):
            await connection.commit()

    for number in (1, 2):
        await write(database, number, by=then, end="commit")
    assert await count(database) == (4 if then == "both" else 2)
    assert database.in_use == 0


async def test_what_was_begun_with_a_lost_connection_is_not_committed_in_part(
    database: Database,
) -> None:
    async def write() -> None:
        own = asyncio.current_task()
        assert own is not None
        async with database.write() as connection:
            await write_later(connection, insert_into(_things), [{"id": 1}])
            # Of what is called soon, this comes before any answer of the connection's thread.
            asyncio.get_running_loop().call_soon(own.cancel)
            try:
                await _COUNT.rows(connection, {})
            finally:
                with pytest.raises(sa.exc.InvalidRequestError):
                    await connection.execute(sa.insert(_things), {"id": 2})

    with pytest.raises(asyncio.CancelledError):
        await asyncio.create_task(write())

    async with database.write() as connection:
        await write_later(connection, insert_into(_things), [{"id": 3}])
        await connection.commit()
    assert await count(database) == 1
    assert database.in_use == 0


async def test_a_database_that_is_closed_keeps_no_threads(tmp_path: Path) -> None:
    def threads() -> set[threading.Thread]:
        return {each for each in threading.enumerate() if each.name == "sqlite"}

    before = threads()
    database = Database(f"sqlite+aiosqlite:///{tmp_path / 'db'}")
    async with database.write() as writer, database.read():
        await writer.run_sync(_metadata.create_all)
        await writer.commit()
    own = threads() - before
    assert own
    await database.aclose()

    for each in own:
        await asyncio.to_thread(each.join, 60)
        assert not each.is_alive()
