"""What every store promises when rows change, and what the guard lets change; on both engines."""

import asyncio
from collections.abc import AsyncGenerator
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import asyncpg  # type: ignore[import-untyped]
import pytest

from domain.shared.capacity.quota import QuotaExceeded
from infra.contract.table.change import (
    ChangingTableStore,
    Comparator,
    Comparison,
    Conditions,
    GuardedDelete,
    GuardedInsert,
    GuardedUpdate,
    NoRoom,
    Once,
    RowQuery,
    TableGrant,
    TooManyRows,
)
from infra.contract.table.sql_guard import (
    CellKind,
    GrantedColumn,
    GrantedTable,
    RowFilter,
    SqlRefused,
)
from infra.contract.table.store import (
    PhysicalColumn,
    PhysicalTable,
    QueryLimits,
    TableRef,
    TableRow,
    TableStoreUnavailable,
    UnfitRow,
)
from infra.impl.sql_guard.statement import SqlglotStatementGuard
from infra.impl.table_store import postgres, sqlite
from infra.impl.table_store.postgres import PostgresTableStore, table_of
from infra.impl.table_store.sqlite import SqliteTableStore
from tests.support.wait import until_so, when_free

NOW = datetime(2030, 5, 1, tzinfo=UTC)
LIMITS = QueryLimits(timeout_s=3.0, cell_chars=1000, result_bytes=1_000_000)
REF = TableRef(7, "db_1_online")
COLUMNS = ("uid", "f_1", "f_2")
TABLE = PhysicalTable(
    ref=REF,
    key_column="id",
    columns=(
        PhysicalColumn(name="uid", kind=CellKind.TEXT),
        PhysicalColumn(name="f_1", kind=CellKind.TEXT),
        PhysicalColumn(name="f_2", kind=CellKind.INTEGER),
    ),
    indexed=("uid",),
)
BOOKS = GrantedTable(
    name="books",
    physical=REF.name,
    key_column="id",
    columns=(
        GrantedColumn(name="title", physical="f_1", kind=CellKind.TEXT),
        GrantedColumn(name="n", physical="f_2", kind=CellKind.INTEGER),
        GrantedColumn(name="id", physical="id", kind=CellKind.INTEGER, is_hidden=True),
        GrantedColumn(name="uuid", physical="uid", kind=CellKind.TEXT, is_hidden=True),
    ),
    row_scope=(RowFilter(column="uid", value="ann"),),
)
GRANT = TableGrant(space_id=7, table=BOOKS)
KEY = 7_598_765_432_109_876_543
ROWS = [
    TableRow(KEY, ("ann", "a", 1)),
    TableRow(2, ("bob", "a", 1)),
    TableRow(3, ("ann", "c", 3)),
]


async def opened_store(
    request: pytest.FixtureRequest, tmp_path: Path, *, most_rows: int = 0
) -> SqliteTableStore | PostgresTableStore:
    if request.param == "sqlite":
        opened: SqliteTableStore | PostgresTableStore = SqliteTableStore(
            tmp_path / "tables", most_rows=most_rows
        )
    else:
        url = request.getfixturevalue("empty_postgres")
        opened = PostgresTableStore(url, most_rows=most_rows)
    await opened.start()
    return opened


@pytest.fixture(params=["sqlite", "postgres"])
async def small_store(
    request: pytest.FixtureRequest, tmp_path: Path
) -> AsyncGenerator[ChangingTableStore, None]:
    """One that takes ten rows of a workspace."""
    opened = await opened_store(request, tmp_path, most_rows=10)
    await opened.create(TABLE)
    yield opened
    await opened.aclose()


@pytest.fixture(params=["sqlite", "postgres"])
async def store(
    request: pytest.FixtureRequest, tmp_path: Path
) -> AsyncGenerator[ChangingTableStore, None]:
    opened = await opened_store(request, tmp_path)
    await opened.create(TABLE)
    await opened.insert(REF, COLUMNS, ROWS)
    yield opened
    await opened.aclose()


def guard(store: ChangingTableStore) -> SqlglotStatementGuard:
    return SqlglotStatementGuard(dialect=store.dialect)


async def update(store: ChangingTableStore, sql: str, *, once: Once | None = None) -> int:
    statement = guard(store).check([sql], [], GRANT, now=NOW)
    assert isinstance(statement, GuardedUpdate)
    physical = {"title": "f_1", "n": "f_2"}
    columns = [physical[name] for name in statement.columns]
    return await store.update(
        REF, statement.selection, columns, lambda cells: cells, limits=LIMITS, once=once
    )


async def test_an_update_changes_only_rows_of_its_user(store: ChangingTableStore) -> None:
    assert await update(store, "UPDATE books SET n = n + 10 WHERE title = 'a'") == 1

    found = {row.key: row.cells[2] for row in await store.scan(REF, after=0, limit=10)}
    assert found == {KEY: 11, 2: 1, 3: 3}


async def test_a_table_takes_as_many_rows_as_it_may_have(store: ChangingTableStore) -> None:
    async def add(number: int) -> int:
        row = TableRow(number, ("ann",))
        return await when_free(lambda: store.insert(REF, ("uid",), [row], most=len(ROWS) + 2))

    results = await asyncio.gather(*map(add, range(100, 106)), return_exceptions=True)

    assert results.count(1) == 2
    assert sum(isinstance(each, NoRoom) for each in results) == 4
    assert await store.count(REF) == len(ROWS) + 2


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stores that are opened from now on let nobody wait for a turn."""
    monkeypatch.setattr(postgres, "TURN_WAIT_S", 0.001)
    monkeypatch.setattr(sqlite, "BUSY_TIMEOUT_S", 0.001)


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("store", ["sqlite", "postgres"], indirect=True)
async def test_who_has_no_turn_has_changed_nothing_and_may_ask_again(
    store: ChangingTableStore,
) -> None:
    async def add(number: int) -> int:
        return await store.insert(REF, ("uid",), [TableRow(number, ("ann",))])

    numbers = range(100, 120)
    ends = await asyncio.gather(*map(add, numbers), return_exceptions=True)
    refused = [number for number, end in zip(numbers, ends, strict=True) if end != 1]
    for end in ends:
        assert end == 1 or (isinstance(end, TableStoreUnavailable) and end.retry_after_s)
    assert await when_free(lambda: store.count(REF)) == len(ROWS) + ends.count(1)

    again = await asyncio.gather(*(when_free(partial(add, number)) for number in refused))

    assert again == [1] * len(refused)
    assert await when_free(lambda: store.count(REF)) == len(ROWS) + len(numbers)


async def test_a_removal_takes_only_rows_of_its_user(store: ChangingTableStore) -> None:
    statement = guard(store).check(["DELETE FROM books WHERE n > 0"], [], GRANT, now=NOW)
    assert isinstance(statement, GuardedDelete)

    assert await store.remove(REF, statement.selection, limits=LIMITS) == 2
    assert [row.key for row in await store.scan(REF, after=0, limit=10)] == [2]


async def test_a_change_with_a_key_happens_once(store: ChangingTableStore) -> None:
    once = Once(key=99, now=NOW)

    first = await update(store, "UPDATE books SET n = n + 1 WHERE n = 1 OR n = 2", once=once)
    second = await update(store, "UPDATE books SET n = n + 1 WHERE n = 1 OR n = 2", once=once)

    assert (first, second) == (1, 1)
    assert (await store.get(REF, [KEY]))[0].cells[2] == 2


async def test_increments_side_by_side_are_all_counted(store: ChangingTableStore) -> None:
    sql = "UPDATE books SET n = n + 1 WHERE title = 'c'"

    async with asyncio.TaskGroup() as group:
        for _ in range(8):
            group.create_task(when_free(lambda: update(store, sql)))

    assert (await store.get(REF, [3]))[0].cells[2] == 11


async def test_a_refused_cell_undoes_the_whole_change(store: ChangingTableStore) -> None:
    statement = guard(store).check(["UPDATE books SET n = 'x' WHERE n > 0"], [], GRANT, now=NOW)
    assert isinstance(statement, GuardedUpdate)

    with pytest.raises(UnfitRow):
        await store.update(REF, statement.selection, ["f_2"], lambda cells: cells, limits=LIMITS)
    assert await store.get(REF, [KEY]) == [ROWS[0]]


async def test_one_statement_changes_a_bounded_number_of_rows(store: ChangingTableStore) -> None:
    many = [TableRow(10 + number, ("ann", "m", 5)) for number in range(1001)]
    await store.insert(REF, COLUMNS, many)

    with pytest.raises(TooManyRows):
        await update(store, "UPDATE books SET n = 6 WHERE title = 'm'")
    assert await update(store, "UPDATE books SET n = 6 WHERE title = 'm' LIMIT 1000") == 1000


async def test_columns_come_and_go_with_their_cells(store: ChangingTableStore) -> None:
    text = PhysicalColumn(name="f_3", kind=CellKind.TEXT)
    await store.reshape(replace(TABLE, columns=(*TABLE.columns, text)))
    await store.rewrite(REF, "f_2", "f_3", str)
    await store.reshape(replace(TABLE, columns=(*TABLE.columns[:2], text)))

    assert await store.get(REF, [3]) == [TableRow(3, ("ann", "c", "3"))]
    await store.clear(REF)
    assert await store.count(REF) == 0


async def test_queries_without_an_author_know_every_comparison(store: ChangingTableStore) -> None:
    def one(comparator: Comparator, *values: object) -> Comparison:
        return Comparison(column="n", comparator=comparator, values=values)  # type: ignore[arg-type]

    cases = {
        one(Comparator.IN, *range(500)): 2,
        one(Comparator.NOT_IN, 1): 1,
        one(Comparator.GREATER_EQUAL, 3): 1,
        one(Comparator.IS_NULL): 0,
        one(Comparator.IS_NOT_NULL): 2,
        Comparison(column="title", comparator=Comparator.NOT_LIKE, values=("%A%",)): 1,
        Comparison(column="id", comparator=Comparator.EQUAL, values=(KEY,)): 1,
        Comparison(column="uuid", comparator=Comparator.EQUAL, values=("bob",)): 0,
    }
    for comparison, count in cases.items():
        where = Conditions(logic="and", parts=(comparison,))
        query = RowQuery(columns=("id",), where=where, orders=(("title", False),))
        sql = guard(store).rows(query, GRANT, now=NOW)
        assert len((await store.query(sql, limits=LIMITS)).rows) == count, comparison


async def test_parameters_are_values_and_never_text(store: ChangingTableStore) -> None:
    hostile = "'; DROP TABLE books; --"
    statement = guard(store).check(
        ["INSERT INTO books (title, n) VALUES (", ", ", ")"], [hostile, -3], GRANT, now=NOW
    )
    found = guard(store).check(
        ["SELECT id FROM books WHERE title = ", ""], [hostile], GRANT, now=NOW
    )

    assert statement == GuardedInsert(columns=("title", "n"), rows=((hostile, -3),))
    assert not isinstance(found, GuardedInsert | GuardedUpdate | GuardedDelete)
    assert hostile not in found.text
    assert hostile in found.parameters


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE books SET n = 1",
        "DELETE FROM books",
        "UPDATE books SET uuid = 'bob' WHERE n = 1",
        "UPDATE books SET id = 1 WHERE n = 1",
        "UPDATE books SET f_2 = 1 WHERE n = 1",
        "UPDATE books SET n = 1, n = 2 WHERE n = 1",
        "UPDATE books, books AS b SET n = 1 WHERE n = 1",
        "UPDATE other SET n = 1 WHERE n = 1",
        "UPDATE db_1_online SET f_2 = 1 WHERE f_2 = 1",
        "UPDATE dyn_7.books SET n = 1 WHERE n = 1",
        "UPDATE books SET n = SLEEP(5) WHERE n = 1",
        "UPDATE books SET n = MAX(n) WHERE n = 1",
        "UPDATE books SET n = 1 WHERE n IN (SELECT n FROM other)",
        "UPDATE books SET n = @@version WHERE n = 1",
        "UPDATE books SET n = @x := 1 WHERE n = 1",
        "UPDATE books SET n = ? WHERE n = 1",
        "UPDATE books SET n = :p0 WHERE n = 1",
        "DELETE books FROM books WHERE n = 1",
        "DELETE FROM books WHERE n = 1 RETURNING *",
        "DELETE FROM books USING books, other WHERE n = 1",
        "INSERT INTO books SELECT * FROM books",
        "INSERT INTO books (uuid) VALUES ('bob')",
        "INSERT INTO books (title) VALUES (LOAD_FILE('/etc/passwd'))",
        "INSERT INTO books (title) VALUES ((SELECT 1))",
        "INSERT INTO books (title, n) VALUES ('a')",
        "INSERT IGNORE INTO books (title) VALUES ('a')",
        "INSERT INTO books (title) VALUES ('a') ON DUPLICATE KEY UPDATE n = 1",
        "INSERT INTO other (title) VALUES ('a')",
        "REPLACE INTO books (title) VALUES ('a')",
        "SELECT * FROM books; DELETE FROM books WHERE n = 1",
        "SELECT * FROM books INTO OUTFILE '/tmp/x'",
        "SELECT * FROM books FOR UPDATE",
        "SELECT * FROM sqlite_master",
        "SELECT * FROM pg_catalog.pg_roles",
        "WITH x AS (DELETE FROM books WHERE n = 1 RETURNING n) SELECT * FROM x",
        "WITH books AS (SELECT 1 AS n) SELECT n FROM books",
        "DROP TABLE books",
        "TRUNCATE books",
        "ALTER TABLE books ADD COLUMN x INT",
        "CREATE TABLE x (a INT)",
        "ATTACH DATABASE '/tmp/x' AS x",
        "PRAGMA table_info(books)",
        "VACUUM",
        "COPY books TO '/tmp/x'",
        "GRANT ALL ON books TO public",
        "SET ROLE postgres",
        "BEGIN",
        "CALL x()",
        "EXPLAIN DELETE FROM books WHERE n = 1",
        "/*! DROP TABLE books */",
        "",
        "x" * 40_000,
        "SELECT " + "(" * 3000 + "1" + ")" * 3000 + " FROM books",
        "UPDATE books SET title = 'a\0b' WHERE n = 1",
    ],
)
@pytest.mark.parametrize("engine", [SqliteTableStore, PostgresTableStore])
def test_hostile_statements_are_refused(
    sql: str, engine: type[SqliteTableStore] | type[PostgresTableStore]
) -> None:
    statements = SqlglotStatementGuard(dialect=engine.dialect)

    with pytest.raises(SqlRefused):
        statements.check([sql], [], GRANT, now=NOW)


def test_comments_say_nothing_whatever_a_server_makes_of_them() -> None:
    statements = SqlglotStatementGuard(dialect=SqliteTableStore.dialect)

    found = statements.check(
        ["UPDATE books SET n = 1 WHERE n = 1 /*! OR 1 = 1 */"], [], GRANT, now=NOW
    )

    assert isinstance(found, GuardedUpdate)
    assert " OR " not in found.selection.text


async def test_a_workspace_has_as_many_rows_as_it_may_have(small_store: ChangingTableStore) -> None:
    second = replace(TABLE, ref=TableRef(REF.space_id, "db_2_online"))
    await small_store.create(second)
    elsewhere = replace(TABLE, ref=TableRef(8, "db_1_online"))
    await small_store.create(elsewhere)

    async def add(number: int) -> None:
        row = TableRow(number, ("ann", "a", number))
        if number % 3:
            ref = (REF, second.ref)[number % 2]
            await when_free(lambda: small_store.insert(ref, COLUMNS, [row]))
        else:
            await when_free(lambda: small_store.upsert(REF, [row]))

    ends = await asyncio.gather(*map(add, range(1, 25)), return_exceptions=True)

    refused = [end for end in ends if end is not None]
    assert len(refused) == 14
    assert all(isinstance(end, QuotaExceeded) for end in refused)
    assert await small_store.count(REF) + await small_store.count(second.ref) == 10
    kept = (await small_store.scan(REF, after=0, limit=1))[0]
    await small_store.upsert(REF, [kept])  # as many as before
    await small_store.upsert(elsewhere.ref, ROWS)
    await small_store.delete(REF, [kept.key])
    await add(30)


WAITING = "SELECT count(*) FROM pg_locks WHERE NOT granted AND database = {}"
"""Of this database only: the server has those of other tests, too."""


async def test_ways_of_adding_rows_take_their_locks_in_the_same_order(empty_postgres: str) -> None:
    store = PostgresTableStore(empty_postgres, most_rows=10)
    await store.start()
    other = await asyncpg.connect(empty_postgres.replace("+asyncpg", ""))
    try:
        await store.create(TABLE)
        database = await other.fetchval(
            "SELECT oid FROM pg_database WHERE datname = current_database()"
        )

        async def waits(many: int) -> None:
            sql = WAITING.format(database)

            async def are_many() -> bool:
                return bool(await other.fetchval(sql) == many)

            await until_so(are_many, f"{many} of them wait")

        async with asyncio.TaskGroup() as group, other.transaction():
            await other.execute(f"LOCK TABLE {table_of(REF)} IN SHARE ROW EXCLUSIVE MODE")
            group.create_task(store.insert(REF, COLUMNS, ROWS[:1]))
            await waits(1)
            group.create_task(store.upsert(REF, ROWS[1:]))
            await waits(2)

        assert await store.count(REF) == len(ROWS)
    finally:
        await other.close()
        await store.aclose()
