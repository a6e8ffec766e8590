"""The release before this one: its data answers here, and its processes go on beside this one."""

import re
import sqlite3
from collections.abc import AsyncGenerator, Mapping
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from asyncpg import PostgresError  # type: ignore[import-untyped]

from application.operation.examination.doctor import Check, Examination
from application.operation.examination.rows import RowCheck
from application.operation.examination.runs import ChatLogCheck, JournalCheck, SpendCheck
from infra.contract.storage.inspection import CheckGroup, Retention
from infra.impl.repository.sql.engine import migrate
from infra.impl.repository.sql.engine.database import Database
from infra.impl.repository.sql.operation.inspection import SqlInspection
from tests.release.fixture import Release, last_release
from tests.support.clock import FrozenClock
from tests.support.service.postgres import PostgresServer

KEEPING = Retention(event_log_s=3600, run_s=1800, request_key_s=24 * 3600)
LASTING = (
    CheckGroup.REFERENCES,
    CheckGroup.ANSWERS,
    CheckGroup.ORDER,
    CheckGroup.DOCUMENTS,
    CheckGroup.SPEND,
)
"""What time does not change."""
_INSERT = re.compile(r"INSERT INTO (\w+) \(([\w, ]+)\)")

Rows = dict[str, list[dict[str, Any]]]


@dataclass
class Old:
    """A database as the release before left it."""

    release: Release
    database: Database

    async def rows(self, names: Mapping[str, Any] | None = None) -> Rows:
        """All rows; only of these tables and columns, if some are given."""
        found: Rows = {}
        async with self.database.read() as connection:
            tables = await connection.run_sync(reflected)
            for table in tables.sorted_tables:
                if table.name == "alembic_version" or (names and table.name not in names):
                    continue
                columns = list(table.columns)
                if names and names[table.name]:
                    columns = [table.c[name] for name in names[table.name][0]]
                selected = sa.select(*columns).order_by(*table.primary_key)
                rows = await connection.execute(selected)
                found[table.name] = [dict(row) for row in rows.mappings()]
        return found


def reflected(connection: sa.Connection) -> sa.MetaData:
    tables = sa.MetaData()
    tables.reflect(connection)
    return tables


@pytest.fixture(scope="module")
def release() -> Release:
    return last_release()


@pytest.fixture(params=["sqlite", "postgres"])
async def old(
    request: pytest.FixtureRequest, tmp_path: Path, release: Release
) -> AsyncGenerator[Old, None]:
    release.unpack(tmp_path)
    stored = Database(f"sqlite+aiosqlite:///{tmp_path / 'coterie.db'}")
    database = stored
    if request.param == "postgres":
        database = Database(request.getfixturevalue("empty_postgres"))
        await copied(Old(release, stored), database)
        await stored.aclose()
    yield Old(release, database)
    await database.aclose()


async def copied(origin: Old, target: Database) -> None:
    """Bring an empty database to the schema and the rows of the release."""
    rows = await origin.rows()
    async with target.write() as connection:
        for statement in origin.release.schema():
            await connection.exec_driver_sql(statement)
        at = sa.text("INSERT INTO alembic_version (version_num) VALUES (:revision)")
        await connection.execute(at, {"revision": origin.release.revision})
        tables = await connection.run_sync(reflected)
        for name, found in rows.items():
            table = tables.tables[name]
            if found:
                values = [{key: _cell(table.c[key], each[key]) for key in each} for each in found]
                await connection.execute(sa.insert(table), values)
        greatest = sa.select(sa.func.max(tables.tables["outbox"].c.position)).scalar_subquery()
        sequence = sa.func.pg_get_serial_sequence("outbox", "position")
        await connection.execute(sa.select(sa.func.setval(sequence, greatest)))
        await connection.commit()


def _cell(column: sa.Column[Any], value: Any) -> Any:
    if value is None:
        return None
    match column.type:
        case sa.Boolean():
            return bool(value)
        case sa.Float():
            return float(value)
        case sa.Numeric():
            return Decimal(value)
        case _:
            return value


async def test_an_upgrade_keeps_every_row(old: Old) -> None:
    before = await old.rows()
    assert sum(map(len, before.values())) > 50

    await migrate.upgrade(old.database)
    after = await old.rows(before)

    assert await migrate.current(old.database) == migrate.head()
    for name, rows in before.items():
        assert [{key: row[key] for key in rows[0]} for row in after[name]] == rows, name
    inspection = SqlInspection(old.database)
    clock = FrozenClock(datetime(2026, 11, 22, tzinfo=UTC))
    checks: list[Check] = [
        *(
            RowCheck(theme, inspection, name=theme, invariant="", clock=clock, retention=KEEPING)
            for theme in LASTING
        ),
        ChatLogCheck(inspection),
        JournalCheck(inspection),
        SpendCheck(inspection),
    ]
    for check in checks:
        assert list(await check.run(Examination())) == [], check.name


async def test_an_upgraded_database_is_made_as_a_new_one(
    old: Old, tmp_path: Path, postgres_server: PostgresServer
) -> None:
    def made(database: Database) -> object:
        name = sa.make_url(database.url).database or ""
        return made_by_sqlite(name) if database.is_sqlite else postgres_server.schema(name)

    url = f"sqlite+aiosqlite:///{tmp_path / 'new.db'}"
    if not old.database.is_sqlite:
        url = postgres_server.create_database("made_anew")
    new = Database(url)
    try:
        await migrate.upgrade(new)
        await migrate.upgrade(old.database)

        assert made(old.database) == made(new)
    finally:
        await new.aclose()
        postgres_server.drop_database("made_anew")


def made_by_sqlite(path: str) -> dict[str, Any]:
    """Columns, references and indexes of each table, without the wording of their statements."""
    with closing(sqlite3.connect(path)) as connection:

        def ask(pragma: str, name: str) -> list[Any]:
            return connection.execute(f"PRAGMA {pragma}({name})").fetchall()

        found = "SELECT name, sql FROM sqlite_master WHERE type = ? AND name NOT LIKE 'sqlite_%'"
        tables = connection.execute(found, ["table"]).fetchall()
        wordings = dict(connection.execute(found, ["index"]).fetchall())
        return {
            table: (
                ask("table_xinfo", table),
                ask("foreign_key_list", table),
                sorted(
                    (name, *rest, ask("index_xinfo", name), wordings.get(name))
                    for _, name, *rest in ask("index_list", table)
                ),
            )
            for table, _ in tables
        }


async def test_statements_of_the_release_before_are_still_understood(old: Old) -> None:
    understood = prepared_by_sqlite if old.database.is_sqlite else prepared_by_postgres
    dialect = "sqlite" if old.database.is_sqlite else "postgresql"
    statements = old.release.statements(dialect)
    theirs = await understood(old.database, statements)
    assert len(theirs) > 400, "What the tests of that release did is not enough."

    await migrate.upgrade(old.database)
    ours = await understood(old.database, theirs)

    assert [each for each in theirs if each not in set(ours)] == []
    async with old.database.read() as connection:
        tables = (await connection.run_sync(reflected)).tables
    for statement in theirs:
        if match := _INSERT.match(statement):
            given = set(match[2].split(", "))
            needed = {column.name for column in tables[match[1]].columns if _is_needed(column)}
            assert needed <= given, statement


async def test_a_schema_that_takes_something_away_would_be_noticed(
    tmp_path: Path, release: Release
) -> None:
    release.unpack(tmp_path)
    database = Database(f"sqlite+aiosqlite:///{tmp_path / 'coterie.db'}")
    theirs = await prepared_by_sqlite(database, release.statements("sqlite"))
    async with database.write() as connection:
        await connection.execute(sa.text("ALTER TABLE run DROP COLUMN waits_for"))
        await connection.commit()
    lost = set(theirs) - set(await prepared_by_sqlite(database, theirs))
    await database.aclose()

    assert lost
    assert all("waits_for" in statement for statement in lost)


def _is_needed(column: sa.Column[Any]) -> bool:
    return not column.nullable and column.server_default is None and column.name != "position"


async def prepared_by_sqlite(database: Database, statements: list[str]) -> list[str]:
    found = []
    with sqlite3.connect(str(sa.make_url(database.url).database)) as connection:
        for statement in statements:
            try:
                connection.execute(f"EXPLAIN {statement}", [None] * statement.count("?"))
            except sqlite3.Error:
                continue
            found.append(statement)
    connection.close()
    return found


async def prepared_by_postgres(database: Database, statements: list[str]) -> list[str]:
    found = []
    for statement in statements:
        async with database.read() as connection:
            raw = await connection.get_raw_connection()
            driver: Any = raw.driver_connection
            try:
                await driver.prepare(statement)
            except PostgresError:
                continue
        found.append(statement)
    return found
