"""Upgrading a database, on SQLite and PostgreSQL."""

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext

from domain.shared.error import Unavailable
from infra.impl.repository.sql import migrate
from infra.impl.repository.sql.database import Database
from infra.impl.repository.sql.migrate import SchemaTooNew
from infra.impl.repository.sql.tables import complete_metadata


@pytest.fixture(params=["sqlite", "postgres"])
def empty_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "postgres":
        return str(request.getfixturevalue("empty_postgres"))
    return f"sqlite+aiosqlite:///{tmp_path / 'empty.db'}"


@pytest.fixture
async def empty(empty_url: str) -> Database:
    return Database(empty_url)


async def test_an_upgraded_database_has_exactly_the_tables_of_the_code(empty: Database) -> None:
    assert await migrate.current(empty) is None

    assert await migrate.upgrade(empty)

    def differences(connection: sa.Connection) -> object:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        return compare_metadata(context, complete_metadata())

    async with empty.write() as connection:
        assert await connection.run_sync(differences) == []
    assert await migrate.current(empty) == migrate.head()
    await empty.aclose()


async def test_partial_indexes_are_partial_in_the_database(empty: Database) -> None:
    await migrate.upgrade(empty)

    def partial(connection: sa.Connection) -> set[str]:
        inspector = sa.inspect(connection)
        return {
            str(index["name"])
            for table in inspector.get_table_names()
            for index in inspector.get_indexes(table)
            if any(key.endswith("_where") for key in index.get("dialect_options", {}))
        }

    expected = {
        index.name
        for table in complete_metadata().tables.values()
        for index in table.indexes
        if index.dialect_options["sqlite"]["where"] is not None
    }
    async with empty.write() as connection:
        assert await connection.run_sync(partial) == expected
    await empty.aclose()


async def test_upgrading_twice_does_nothing(empty: Database) -> None:
    await migrate.upgrade(empty)

    assert not await migrate.upgrade(empty)
    assert await migrate.is_at_head(empty)
    await empty.aclose()


async def test_processes_that_start_together_upgrade_once(empty: Database) -> None:
    other = Database(empty.url)
    results = await asyncio.gather(migrate.upgrade(empty), migrate.upgrade(other))

    assert sorted(results) == [False, True]
    for database in (empty, other):
        await database.aclose()


async def test_an_upgrade_outlasts_the_patience_of_other_writers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("infra.impl.repository.sql.database.ACQUIRE_TIMEOUT_S", 0.01)
    url = f"sqlite+aiosqlite:///{tmp_path / 'held.db'}"
    databases = [Database(url) for _ in range(4)]

    results = await asyncio.gather(*map(migrate.upgrade, databases))

    assert sorted(results) == [False, False, False, True]
    for database in databases:
        await database.aclose()


async def test_files_are_opened_together(tmp_path: Path) -> None:
    for number in range(20):
        databases = [Database(f"sqlite+aiosqlite:///{tmp_path / str(number)}") for _ in range(4)]
        await asyncio.gather(*(database.start() for database in databases))
        for database in databases:
            await database.aclose()


async def test_an_upgrade_that_fails_changes_nothing(
    empty: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    apply = migrate._apply

    def fail(connection: sa.Connection, *, is_new_file: bool) -> None:
        apply(connection, is_new_file=is_new_file)
        raise Unavailable("The power went out.")

    monkeypatch.setattr(migrate, "_apply", fail)
    with pytest.raises(Unavailable):
        await migrate.upgrade(empty)

    assert await migrate.current(empty) is None
    await empty.aclose()


async def test_a_database_of_a_newer_release_is_refused(empty: Database) -> None:
    await migrate.upgrade(empty)
    async with empty.write() as connection:
        await connection.execute(sa.text("UPDATE alembic_version SET version_num = '9999_new'"))
        await connection.commit()

    with pytest.raises(SchemaTooNew, match="9999_new"):
        await migrate.upgrade(empty)
    assert not await migrate.is_at_head(empty)
    await empty.aclose()


async def test_a_database_at_head_needs_no_alembic(tmp_path: Path) -> None:
    url = f"sqlite+aiosqlite:///{tmp_path / 'ready.db'}"
    database = Database(url)
    await migrate.upgrade(database)
    await database.aclose()
    script = f"""
import asyncio, sys
from infra.impl.repository.sql import migrate
from infra.impl.repository.sql.database import Database
async def main():
    database = Database({url!r})
    assert not await migrate.upgrade(database)
    await database.aclose()
asyncio.run(main())
assert not any(name.partition(".")[0] == "alembic" for name in sys.modules)
"""
    done = subprocess.run(  # noqa: ASYNC221
        [sys.executable, "-c", script], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_revisions_are_numbered_without_gaps() -> None:
    numbers = [int(name.partition("_")[0]) for name in migrate.known_revisions()]

    assert numbers == list(range(1, len(numbers) + 1))


async def test_a_new_file_gets_at_once_what_the_revisions_lead_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    quick = Database(f"sqlite+aiosqlite:///{tmp_path / 'quick.db'}")
    await migrate.upgrade(quick)
    monkeypatch.setattr(migrate, "ready_made", lambda: tmp_path / "none.sql")
    slow = Database(f"sqlite+aiosqlite:///{tmp_path / 'slow.db'}")
    await migrate.upgrade(slow)

    expected = await migrate.dump(slow)

    monkeypatch.undo()
    assert migrate.ready_made().read_text(encoding="utf-8") == expected, (
        f"Write what migrate.dump() returns to {migrate.ready_made()}, for SQLite files made anew."
    )
    assert await migrate.dump(quick) == expected
    for database in (quick, slow):
        await database.aclose()
