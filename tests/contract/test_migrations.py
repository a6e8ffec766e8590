"""Upgrading a database, on SQLite and PostgreSQL."""

import ast
import asyncio
import importlib
import inspect
import subprocess
import sys
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.operations import Operations

from application.operation.examination.doctor import Examination
from bootstrap.maintenance.doctor import SchemaCheck
from domain.shared.error import Unavailable
from infra.impl.repository.migrations import beside, versions
from infra.impl.repository.sql.engine import migrate
from infra.impl.repository.sql.engine.database import Database
from infra.impl.repository.sql.engine.migrate import SchemaTooNew, SchemaTooOld
from infra.impl.repository.sql.mapping.all_tables import complete_metadata


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
    monkeypatch.setattr("infra.impl.repository.sql.engine.database.ACQUIRE_TIMEOUT_S", 0.01)
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
    await name_revision(empty, "9999_new")

    with pytest.raises(SchemaTooNew, match="9999_new"):
        await migrate.upgrade(empty)
    assert not await migrate.is_at_head(empty)
    await empty.aclose()


@pytest.mark.parametrize("revision", ["0001_foundation", "0019_score_scale"])
async def test_a_database_from_before_the_first_revision_is_refused(
    empty: Database, revision: str
) -> None:
    await migrate.upgrade(empty)
    await name_revision(empty, revision)

    with pytest.raises(SchemaTooOld, match=r"code of commit [0-9a-f]{40}, then") as refused:
        await migrate.upgrade(empty)
    assert revision in str(refused.value)
    assert await migrate.current(empty) == revision
    (finding,) = await SchemaCheck(empty).run(Examination())
    assert finding.id == "schema_ancient"
    assert finding.advice == str(refused.value)
    await empty.aclose()


async def test_the_last_schema_before_the_first_revision_gets_its_name(empty: Database) -> None:
    other = Database(empty.url)

    def make_first(connection: sa.Connection) -> None:
        command.upgrade(migrate._config(connection), migrate.known_revisions()[0])

    async with empty.write() as connection:
        await connection.run_sync(make_first)
        await connection.commit()
    await name_revision(empty, migrate.LAST_BEFORE)
    (finding,) = await SchemaCheck(empty).run(Examination())
    assert (finding.id, await migrate.is_at_head(empty)) == ("schema_older", False)

    results = await asyncio.gather(migrate.upgrade(empty), migrate.upgrade(other))

    assert sorted(results) == [False, True]
    assert await migrate.current(empty) == migrate.head()
    assert list(await SchemaCheck(empty).run(Examination())) == []
    for database in (empty, other):
        await database.aclose()


async def name_revision(database: Database, name: str) -> None:
    async with database.write() as connection:
        renamed = sa.text("UPDATE alembic_version SET version_num = :name")
        await connection.execute(renamed, {"name": name})
        await connection.commit()


async def test_a_database_at_head_needs_no_alembic(tmp_path: Path) -> None:
    url = f"sqlite+aiosqlite:///{tmp_path / 'ready.db'}"
    database = Database(url)
    await migrate.upgrade(database)
    await database.aclose()
    script = f"""
import asyncio, sys
from infra.impl.repository.sql.engine import migrate
from infra.impl.repository.sql.engine.database import Database
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
    last_before = int(migrate.LAST_BEFORE.partition("_")[0])

    assert numbers == list(range(last_before + 1, last_before + 1 + len(numbers)))


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


_EXPANDING = frozenset({"add_column", "create_index", "create_table", "f"})
_CONTRACTING = frozenset(
    {"alter_column", "drop_column", "drop_constraint", "drop_index", "drop_table"}
)
_FILLING = frozenset({"bulk_insert", "execute", "get_bind"})
_OF_PHASE = {"expand": _EXPANDING, "contract": _CONTRACTING, "backfill": _FILLING}


@pytest.mark.parametrize("name", migrate.known_revisions())
def test_a_revision_does_only_what_its_phase_allows(name: str) -> None:
    module = importlib.import_module(f"{versions.__name__}.{name}")
    tree = ast.parse(inspect.getsource(module))
    calls = [each for each in ast.walk(tree) if isinstance(each, ast.Call)]
    told = {(_owner(call), _name(call)) for call in calls}
    made = {_text(call.args[0]) for call in calls if _name(call) == "create_table"}

    assert {what for of, what in told if of == "op"} <= _OF_PHASE[module.phase], name
    if ("beside", "create_index") in told:
        assert not {what for of, what in told if of == "op"}, "An index beside writers is alone."
    for call in calls:
        if _name(call) == "add_column":
            column = call.args[1]
            assert isinstance(column, ast.Call)
            options = {each.arg: ast.unparse(each.value) for each in column.keywords}
            assert options["nullable"] == "True" or "server_default" in options, name
        if (_owner(call), _name(call)) == ("op", "create_index"):
            assert _text(call.args[1]) in made, "Use beside.create_index for tables with rows."


def _owner(call: ast.Call) -> str:
    return ast.unparse(call.func).partition(".")[0]


def _name(call: ast.Call) -> str:
    return ast.unparse(call.func).rpartition(".")[2]


def _text(node: ast.expr) -> str:
    found = ast.literal_eval(node)
    assert isinstance(found, str)
    return found


async def test_an_index_is_made_while_others_write_and_wait(postgres_url: str) -> None:
    database, other = Database(postgres_url), Database(postgres_url)

    def make(connection: sa.Connection) -> None:
        with Operations.context(MigrationContext.configure(connection)):
            beside.create_index("ix_file_name", "file", ["name"], unique=True)

    broken = sa.text("CREATE UNIQUE INDEX CONCURRENTLY ix_file_name ON file (creator_id)")
    valid = sa.text("SELECT indisvalid FROM pg_index WHERE indexrelid = 'ix_file_name'::regclass")
    columns = "id, space_id, creator_id, end_user_id, name, object_key, media_type, size, sha256"
    add = sa.text(
        f"INSERT INTO file ({columns}, status, created_at, revision) "  # noqa: S608
        "VALUES (:id, 1, 1, '', :name, :name, '', 0, '', 'ready', 0, 1)"
    )
    async with other.write() as connection:
        await connection.execute(add, [{"id": n, "name": str(n)} for n in range(2)])
        await connection.commit()
        autocommit = await connection.execution_options(isolation_level="AUTOCOMMIT")
        with pytest.raises(sa.exc.IntegrityError):  # as one that was broken off
            await autocommit.execute(broken)
    async with other.write() as connection:
        assert not await connection.scalar(valid)

    async def write() -> None:
        for number in range(10, 30):
            async with other.write() as connection:
                await connection.execute(add, {"id": number, "name": str(number)})
                await connection.commit()

    async with migrate._leading(database), database.write() as connection:
        await asyncio.gather(connection.run_sync(make), write())
        await connection.execute(sa.text("SELECT 1"))
    async with other.write() as connection:
        assert await connection.scalar(valid)
        assert await connection.scalar(sa.text("SHOW lock_timeout")) != "0"
        with pytest.raises(sa.exc.IntegrityError):
            await connection.execute(add, {"id": 99, "name": "10"})
    for each in (database, other):
        await each.aclose()


async def test_one_process_leads_and_the_others_give_up_in_the_end(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(migrate, "_LEADER_WAIT_S", 0.3)
    database, other = Database(postgres_url), Database(postgres_url)

    async with migrate._leading(database):
        with pytest.raises(Unavailable, match="Another process"):
            async with migrate._leading(other):
                raise AssertionError("Two of them lead.")
    async with migrate._leading(other):
        pass
    for each in (database, other):
        await each.aclose()
