"""Transactions of the SQL database, on SQLite and PostgreSQL."""

import asyncio
import os
import random
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import pytest
import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from domain.shared.aggregate import Aggregate, DomainEvent
from domain.shared.error import Conflict, StaleRevision, Unavailable
from infra.contract.storage.database import PoolLimits
from infra.impl.repository.sql.engine import database as module
from infra.impl.repository.sql.engine.database import Database
from infra.impl.repository.sql.engine.unit_of_work import SqlUnitOfWork, write_later
from infra.impl.repository.sql.event.table import outbox
from infra.impl.repository.sql.mapping.upsert import upsert

ROW = {"id": 1, "name": "first", "revision": 1}
NOW = datetime(2030, 5, 1, 9, 0, tzinfo=UTC)
things = sa.Table(
    "things",
    sa.MetaData(),
    sa.Column("id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("revision", sa.Integer, nullable=False),
)


others = sa.Table(
    "others",
    things.metadata,
    sa.Column("id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("name", sa.Text, nullable=False),
)
put_other = sa.insert(others)


class ThingRenamed(DomainEvent, frozen=True, kw_only=True, tag="thing.renamed"):
    """A thing got another name."""


@dataclass(kw_only=True, eq=False)
class Thing(Aggregate):
    id: int
    name: str = "first"

    def rename(self, name: str) -> None:
        self.name = name
        self.record(ThingRenamed(occurred_at=NOW, space_id=1, aggregate_id=self.id))


class Things(SqlUnitOfWork):
    async def put(self, thing: Thing) -> None:
        await self.save(things, thing, {"id": thing.id, "name": thing.name})

    async def put_new(self, thing: Thing) -> None:
        row = {"id": thing.id, "name": thing.name}
        await self.add(things, thing, row, taken=OthersThing("Taken."))


@pytest.fixture
async def store(database: Database) -> Database:
    async with database.write() as connection:
        await connection.run_sync(things.metadata.create_all)
        await connection.commit()
    return database


@pytest.fixture(params=[True, False], ids=["combined", "one-by-one"])
async def writing(
    database_url: str, request: pytest.FixtureRequest
) -> AsyncGenerator[Database, None]:
    """A store that takes the fast path of writes, and one that does not."""
    database = Database(database_url, limits=PoolLimits(combine_writes=request.param))
    await database.start()
    async with database.write() as connection:
        await connection.run_sync(things.metadata.create_all)
        await connection.commit()
    yield database
    await database.aclose()


async def put(store: Database, thing: Thing) -> None:
    async with store.transaction(Things)() as uow:
        await uow.put(thing)
        await uow.commit()


async def count(store: Database, table: sa.Table = things) -> int:
    async with store.read() as connection:
        return (await connection.scalar(sa.select(sa.func.count()).select_from(table))) or 0


async def test_a_commit_lasts(writing: Database) -> None:
    await put(writing, Thing(id=1))

    assert await count(writing) == 1


async def test_leaving_without_commit_changes_nothing(writing: Database) -> None:
    async with writing.transaction(Things)() as uow:
        thing = Thing(id=1)
        thing.rename("second")
        await uow.put(thing)

    assert await count(writing) == 0
    assert await count(writing, outbox) == 0


async def test_an_error_inside_rolls_back_and_passes_through(store: Database) -> None:
    async def fail() -> None:
        async with store.transaction(Things)() as uow:
            await uow.put(Thing(id=1))
            raise KeyError("mine")

    with pytest.raises(KeyError):
        await fail()

    assert await count(store) == 0


async def test_saving_a_stale_revision_is_refused(store: Database) -> None:
    mine = Thing(id=1)
    await put(store, mine)
    theirs = Thing(id=1, revision=mine.revision)
    await put(store, mine)

    with pytest.raises(StaleRevision):
        await put(store, theirs)


async def test_saving_a_new_aggregate_under_a_taken_id_is_refused(store: Database) -> None:
    await put(store, Thing(id=1))

    with pytest.raises(StaleRevision):
        await put(store, Thing(id=1))

    await put(store, Thing(id=2))


async def test_events_are_stored_with_the_change_and_announced_after_it(
    writing: Database,
) -> None:
    seen: list[set[str]] = []
    writing.listen(lambda topics: seen.append(set(topics)))
    thing = Thing(id=1)
    thing.rename("second")

    await put(writing, thing)

    assert seen == [{"thing.renamed"}]
    async with writing.read() as connection:
        row = (await connection.execute(sa.select(outbox))).one()
    assert (row.topic, row.key, row.space_id) == ("thing.renamed", "1", 1)
    assert b'"type":"thing.renamed"' in row.payload


async def insert_later(store: Database, *ids: int) -> None:
    async with store.write() as connection:
        for number in ids:
            await write_later(connection, sa.insert(things), [{**ROW, "id": number}])
        await connection.commit()


async def test_what_is_written_later_is_seen_by_the_next_statement(writing: Database) -> None:
    async with writing.write() as connection:
        await write_later(connection, sa.insert(things), [ROW])
        found = await connection.scalar(sa.select(things.c.name))

    assert found == "first"
    assert await count(writing) == 0


async def test_statements_written_later_last_or_fail_together(writing: Database) -> None:
    await insert_later(writing, 1, 2)

    with pytest.raises(IntegrityError):
        await insert_later(writing, 3, 1)

    assert await count(writing) == 2


class OthersThing(Conflict):
    """The id is somebody else's."""


async def add(store: Database, *new: Thing) -> None:
    async with store.transaction(Things)() as uow:
        for thing in new:
            await uow.put_new(thing)
        await uow.commit()


async def test_a_refusal_by_the_commit_says_what_the_caller_knows(writing: Database) -> None:
    await add(writing, Thing(id=1))

    with pytest.raises(OthersThing):
        await add(writing, Thing(id=2), Thing(id=1))

    assert await count(writing) == 1
    await add(writing, Thing(id=2))  # the connection is as good as new


async def test_a_change_told_by_the_commit_takes_everything_else_with_it(writing: Database) -> None:
    mine = Thing(id=1)
    await put(writing, mine)
    theirs = Thing(id=1, revision=mine.revision)
    await put(writing, mine)
    theirs.rename("lost")

    async def change(thing: Thing, *also: int) -> None:
        async with writing.transaction(Things)() as uow:
            await uow.change(things, thing, {"id": thing.id, "name": thing.name})
            for number in also:
                await write_later(uow.connection, put_other, [{"id": number, "name": "x"}])
            await uow.commit()

    with pytest.raises(StaleRevision):
        await change(theirs, 7)
    assert await count(writing, others) == 0
    assert await count(writing, outbox) == 0

    mine.rename("kept")
    mine.record(ThingRenamed(occurred_at=NOW, space_id=1, aggregate_id=2))
    await change(mine, 7)

    assert await count(writing, others) == 1
    async with writing.read() as connection:
        keys = list(await connection.scalars(sa.select(outbox.c.key).order_by(outbox.c.position)))
        assert await connection.scalar(sa.select(things.c.name)) == "kept"
    assert keys == ["1", "2"]


async def test_writes_of_all_kinds_and_numbers_are_done_in_their_order(writing: Database) -> None:
    upsert_other = upsert("sqlite" if writing.is_sqlite else "postgresql", others)
    upsert_other = upsert_other.on_conflict_do_update(
        index_elements=[others.c.id],
        set_={"name": upsert_other.excluded.name},
        where=others.c.name != "final",
    )
    rename = sa.update(others).where(others.c.id == sa.bindparam("which"))
    many = [{"id": number, "name": "n"} for number in range(10, 40)]
    async with writing.write() as connection:
        await write_later(connection, put_other, [{"id": 1, "name": "a"}, {"id": 2, "name": "b"}])
        await write_later(connection, sa.insert(things), [ROW])
        await write_later(connection, upsert_other, [{"id": 1, "name": "final"}])
        await write_later(connection, upsert_other, [{"id": 1, "name": "late"}])
        await write_later(connection, put_other, many)
        await write_later(connection, rename, [{"which": 2, "name": "renamed"}])
        await connection.commit()
        await write_later(connection, put_other, [{"id": 3, "name": "c"}])
        await connection.rollback()
        await write_later(connection, put_other, [{"id": 4, "name": "d"}])
        await connection.commit()

    async with writing.read() as connection:
        found = await connection.execute(sa.select(others).where(others.c.id < 10))
        rows = {row.id: row.name for row in found}
    assert rows == {1: "final", 2: "renamed", 4: "d"}
    assert await count(writing, others) == 3 + len(many)
    assert await count(writing) == 1


async def test_a_reader_neither_waits_for_the_writer_nor_sees_its_work(store: Database) -> None:
    async with store.transaction(Things)() as uow:
        await uow.put(Thing(id=1))

        async with asyncio.timeout(60):
            assert await count(store) == 0

        await uow.commit()
    assert await count(store) == 1


async def test_a_snapshot_shows_one_instant(store: Database) -> None:
    async with store.read() as connection:
        before = await connection.scalar(sa.select(sa.func.count()).select_from(things))
        await put(store, Thing(id=1))
        after = await connection.scalar(sa.select(sa.func.count()).select_from(things))

    assert before == after == 0


async def test_a_snapshot_cannot_write(writing: Database) -> None:
    async def write() -> None:
        async with writing.read() as connection:
            await connection.execute(sa.insert(things).values(id=1, name="", revision=1))
            await connection.commit()

    with pytest.raises((sa.exc.DBAPIError, Unavailable)):
        await write()

    assert await count(writing) == 0


async def test_writers_wait_for_each_other(store: Database) -> None:
    async def add(number: int) -> None:
        async with store.transaction(Things)() as uow:
            await uow.put(Thing(id=number))
            await asyncio.sleep(0)
            await uow.commit()

    async with asyncio.TaskGroup() as group:
        for number in range(1, 41):
            group.create_task(add(number))

    assert await count(store) == 40


async def test_a_writer_that_waits_too_long_gives_up(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "WRITER_WAIT_S", 0.02)
    database = Database(sqlite_url)
    await database.start()
    try:
        async with database.write():
            with pytest.raises(Unavailable):
                async with database.write():
                    pytest.fail("two writers at once")

        async with database.write():
            pass
    finally:
        await database.aclose()


async def test_cancelled_transactions_leave_nothing_behind(writing: Database) -> None:
    chance = random.Random(7)  # noqa: S311 - not for secrets

    async def add(number: int) -> None:
        async with writing.transaction(Things)() as uow:
            await uow.put(Thing(id=number))
            await uow.put(Thing(id=-number))
            await uow.commit()

    async def read() -> None:
        await count(writing)

    for round_number in range(60):
        async with asyncio.TaskGroup() as group:
            tasks = [
                group.create_task(add(1 + round_number * 10 + n) if n % 2 else read())
                for n in range(6)
            ]
            for _ in range(chance.randrange(12)):
                await asyncio.sleep(0)
            await asyncio.sleep(chance.random() / 500)
            for task in chance.sample(tasks, 4):
                task.cancel()

    async with asyncio.timeout(60):
        before = await count(writing)
        await put(writing, Thing(id=100_000))
    assert await count(writing) == before + 1
    async with writing.read() as connection:
        halves = await connection.scalar(
            sa.select(sa.func.sum(things.c.id)).where(things.c.id != 100_000)
        )
    assert not halves, "a transaction took effect by half"
    assert writing.in_use == 0


async def test_a_full_disk_is_reported_and_reading_goes_on(sqlite_database: Database) -> None:
    async with sqlite_database.write() as connection:
        await connection.run_sync(things.create)
        await connection.commit()
        pages = await connection.scalar(sa.text("PRAGMA page_count"))
    async with sqlite_database.write() as connection:
        await connection.execute(sa.text(f"PRAGMA max_page_count={pages}"))

    with pytest.raises(Unavailable):
        await put(sqlite_database, Thing(id=1, name="x" * 1_000_000))

    assert await count(sqlite_database) == 0
    await put(sqlite_database, Thing(id=1))


async def test_a_wrong_statement_is_a_defect_and_not_an_outage(store: Database) -> None:
    with pytest.raises(sa.exc.DBAPIError):
        async with store.read() as connection:
            await connection.execute(sa.text("SELECT nothing FROM nowhere"))

    await put(store, Thing(id=1))


async def test_an_unreachable_database_fails_at_start() -> None:
    database = Database("postgresql+asyncpg://nobody@/none?host=/nonexistent")
    with pytest.raises(Unavailable):
        await database.start()
    await database.aclose()


@pytest.fixture
async def impatient(postgres_url: str) -> AsyncGenerator[Database, None]:
    """A PostgreSQL database of two connections, where nothing may take long."""
    limits = PoolLimits(
        pool_size=2, pool_overflow=0, acquire_s=2.0, statement_s=1.0, lock_s=0.3, application="test"
    )
    database = Database(postgres_url, limits=limits)
    await database.start()
    yield database
    await database.aclose()


async def test_a_pool_without_a_free_connection_says_so(impatient: Database) -> None:
    async with impatient.read(), impatient.read():
        with pytest.raises(Unavailable, match="in use"):
            async with impatient.read():
                pass

    await impatient.probe()


async def test_statements_and_waits_for_locks_have_an_end(impatient: Database) -> None:
    async with impatient.write() as holder:
        await holder.execute(sa.text("SELECT pg_advisory_xact_lock(7)"))
        with pytest.raises(Unavailable, match="holds what this one needs"):
            async with impatient.write() as connection:
                await connection.execute(sa.text("SELECT pg_advisory_xact_lock(7)"))
    with pytest.raises(Unavailable, match="took too long"):
        async with impatient.read() as connection:
            await connection.execute(sa.text("SELECT pg_sleep(20)"))

    await impatient.probe()


async def test_lost_connections_are_replaced(impatient: Database) -> None:
    others = sa.text(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
        " WHERE application_name = :name AND pid <> pg_backend_pid()"
    )
    name = {"name": f"test {os.getpid()}"}

    async def lose() -> None:
        async with impatient.read() as doomed:
            await doomed.execute(sa.text("SELECT 1"))
            async with impatient.write() as connection:
                await connection.execute(others, name)
            await doomed.execute(sa.text("SELECT 1"))

    with pytest.raises(Unavailable):
        await lose()

    await impatient.probe()


async def test_a_database_that_takes_no_writes_is_not_fit(
    impatient: Database, postgres_url: str
) -> None:
    async with impatient.write() as connection:
        name = await connection.scalar(sa.text("SELECT current_database()"))
        statement = f'ALTER DATABASE "{name}" SET default_transaction_read_only = on'
        await connection.execute(sa.text(statement))
        await connection.commit()
    standby = Database(postgres_url)
    try:
        with pytest.raises(Unavailable, match="takes no writes"):
            await standby.probe()
    finally:
        await standby.aclose()
        async with impatient.write() as connection:
            await connection.execute(sa.text("SET transaction_read_only = off"))
            statement = f'ALTER DATABASE "{name}" RESET default_transaction_read_only'
            await connection.execute(sa.text(statement))
            await connection.commit()


async def test_a_file_that_takes_no_writes_is_not_fit(tmp_path: Path) -> None:
    database = Database(f"sqlite+aiosqlite:///{tmp_path / 'a.db'}")
    await database.start()
    async with database.write() as connection:  # the one writer; as on a read-only file system
        await connection.execute(sa.text("PRAGMA query_only = ON"))

    with pytest.raises(Unavailable, match="takes no writes"):
        await database.probe()

    await database.aclose()


async def test_a_connection_lost_before_the_commit_is_an_outage(impatient: Database) -> None:
    async with impatient.write() as connection:
        await connection.run_sync(things.metadata.create_all)
        await connection.commit()
    end = sa.text("SELECT pg_terminate_backend(:pid)")

    async def lose(*, begun: bool) -> None:
        async with impatient.write() as doomed:
            pid = await doomed.scalar(sa.text("SELECT pg_backend_pid()"))
            if not begun:
                await doomed.rollback()
            await write_later(doomed, put_other, [{"id": 1, "name": "lost"}])
            async with impatient.write() as connection:
                await connection.execute(end, {"pid": pid})
            await doomed.commit()

    for begun in (True, False):
        with pytest.raises(Unavailable):
            await lose(begun=begun)

    assert await count(impatient, others) == 0
    assert impatient.in_use == 0
    async with impatient.write() as connection:
        await connection.run_sync(things.metadata.drop_all)
        await connection.commit()
