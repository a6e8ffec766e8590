"""What every table store promises, on both engines."""

import asyncio
from collections.abc import AsyncGenerator
from dataclasses import replace
from pathlib import Path

import pytest

from domain.shared.limits import Limits
from infra.contract.table.sql_guard import CellKind, GuardedSql, OutputColumn, SqlDialect
from infra.contract.table.store import (
    PhysicalColumn,
    PhysicalTable,
    QueryFailed,
    QueryFault,
    QueryLimits,
    ResultSet,
    TableDiffers,
    TableMissing,
    TableRef,
    TableRow,
    TableStore,
    TableStoreUnavailable,
    UnfitRow,
)
from infra.impl.sql_guard.guard import SqlglotGuard
from infra.impl.table_store.postgres import PostgresTableStore
from infra.impl.table_store.sqlite import SqliteTableStore
from tests.support.sql.table import (
    COUNTRIES,
    GRANT,
    LIMITS,
    NOW,
    ORDERS,
    SECRET,
    countries,
    fill,
    orders,
    physical,
    scoped,
)

REF = physical(ORDERS).ref
ROWS = orders()


@pytest.fixture(params=["sqlite", "postgres"])
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncGenerator[TableStore, None]:
    if request.param == "sqlite":
        opened: SqliteTableStore | PostgresTableStore = SqliteTableStore(tmp_path / "tables")
    else:
        opened = PostgresTableStore(request.getfixturevalue("empty_postgres"))
    await opened.start()
    yield opened
    await opened.aclose()


def guarded(store: TableStore, sql: str, grant: object = GRANT) -> GuardedSql:
    guard = SqlglotGuard(dialect=store.dialect, limits=Limits())
    return guard.check(sql, grant, now=NOW)  # type: ignore[arg-type]


def forged(store: TableStore, sql: str, *, tables: frozenset[str] = frozenset()) -> GuardedSql:
    """A statement that no guard saw: what the store does when the guard has a defect."""
    return GuardedSql.sealed(
        text=sql,
        parameters=(),
        columns=(OutputColumn(name="x", kind=CellKind.TEXT),),
        tables=tables,
        relations=frozenset(),
        functions=frozenset(),
        dialect=store.dialect,
        space_id=REF.space_id,
        has_key=False,
        max_rows=100,
        is_clamped=False,
    )


async def run(store: TableStore, sql: str, limits: QueryLimits = LIMITS) -> ResultSet:
    return await store.query(guarded(store, sql), limits=limits)


async def test_rows_come_back_as_they_were_stored(store: TableStore) -> None:
    await store.create(physical(ORDERS))
    await store.upsert(REF, ROWS)

    assert await store.scan(REF, after=0, limit=1000) == ROWS
    assert await store.scan(REF, after=ROWS[9].key, limit=3) == ROWS[10:13]
    assert await store.get(REF, [ROWS[4].key, 10**12, ROWS[2].key]) == [ROWS[2], ROWS[4]]
    assert await store.count(REF) == len(ROWS)


async def test_a_row_is_replaced_by_its_key(store: TableStore) -> None:
    await store.create(physical(ORDERS))
    await store.upsert(REF, ROWS)
    changed = TableRow(ROWS[0].key, ("new", None, 2**62, -0.5, True, "1999-12-31 23:59:59"))

    await store.upsert(REF, [changed])

    assert await store.get(REF, [changed.key]) == [changed]
    assert await store.count(REF) == len(ROWS)


async def test_deleting_is_idempotent(store: TableStore) -> None:
    await store.create(physical(ORDERS))
    await store.upsert(REF, ROWS)
    keys = [ROWS[0].key, ROWS[1].key]

    assert await store.delete(REF, [*keys, 10**12]) == 2
    assert await store.delete(REF, keys) == 0
    assert await store.delete(REF, []) == 0
    assert await store.count(REF) == len(ROWS) - 2


async def test_creating_twice_keeps_the_rows(store: TableStore) -> None:
    await store.create(physical(ORDERS))
    await store.upsert(REF, ROWS)

    await store.create(physical(ORDERS))

    assert await store.count(REF) == len(ROWS)


async def test_creating_with_other_columns_is_refused(store: TableStore) -> None:
    table = physical(ORDERS)
    await store.create(table)

    with pytest.raises(TableDiffers):
        await store.create(replace(table, columns=table.columns[1:]))


async def test_tables_created_at_once_do_not_collide(store: TableStore) -> None:
    async with asyncio.TaskGroup() as group:
        for table in (ORDERS, COUNTRIES, SECRET, ORDERS, COUNTRIES, SECRET):
            group.create_task(store.create(physical(table)))

    wanted = sorted(table.physical for table in (ORDERS, COUNTRIES, SECRET))
    assert await store.names(REF.space_id) == wanted


async def test_a_dropped_table_is_missing_and_may_be_dropped_again(store: TableStore) -> None:
    await store.create(physical(ORDERS))

    await store.drop(REF)
    await store.drop(REF)

    assert await store.names(REF.space_id) == []
    for call in (
        store.upsert(REF, ROWS[:1]),
        store.delete(REF, [1]),
        store.get(REF, [1]),
        store.scan(REF, after=0, limit=1),
        store.count(REF),
        store.absorb(REF, into=TableRef(REF.space_id, "table_9")),
    ):
        with pytest.raises(TableMissing):
            await call


async def test_nothing_of_an_unknown_space_is_an_error_but_its_tables(store: TableStore) -> None:
    await store.drop(TableRef(99, "table_1"))
    await store.drop_space(99)

    assert await store.names(99) == []
    with pytest.raises(TableMissing):
        await store.count(TableRef(99, "table_1"))


async def test_spaces_share_nothing(store: TableStore) -> None:
    other = physical(ORDERS, space_id=8)
    await store.create(physical(ORDERS))
    await store.create(other)
    await store.upsert(REF, ROWS)

    assert await store.count(other.ref) == 0
    await store.drop_space(8)
    assert await store.count(REF) == len(ROWS)


@pytest.mark.parametrize(
    "cells",
    [
        ("a",),
        ("a", "b", 1, 1.0, True, "2029-01-01 00:00:00", "more"),
        (1, "b", 1, 1.0, True, None),
        ("a\0", "b", 1, 1.0, True, None),
        ("\ud800", "b", 1, 1.0, True, None),
        ("a", "b", "1", 1.0, True, None),
        ("a", "b", True, 1.0, True, None),
        ("a", "b", 2**63, 1.0, True, None),
        ("a", "b", 1, float("nan"), True, None),
        ("a", "b", 1, 1.0, 1, None),
        ("a", "b", 1, 1.0, True, "2029-01-01"),
    ],
)
async def test_a_row_that_does_not_fit_is_refused_with_all_others(
    store: TableStore, cells: tuple[object, ...]
) -> None:
    await store.create(physical(ORDERS))

    with pytest.raises(UnfitRow):
        await store.upsert(REF, [ROWS[0], TableRow(5000, cells)])  # type: ignore[arg-type]

    assert await store.count(REF) == 0


async def test_required_cells_and_indexes_are_kept(store: TableStore) -> None:
    table = PhysicalTable(
        ref=TableRef(7, "table_5"),
        key_column="id",
        columns=(
            PhysicalColumn(name="c_1", kind=CellKind.TEXT, is_required=True),
            PhysicalColumn(name="select", kind=CellKind.INTEGER),
        ),
        indexed=("c_1", "select"),
    )
    await store.create(table)

    with pytest.raises(UnfitRow):
        await store.upsert(table.ref, [TableRow(1, (None, 1))])
    await store.upsert(table.ref, [TableRow(1, ("a", None))])

    assert await store.get(table.ref, [1]) == [TableRow(1, ("a", None))]


async def test_calls_take_so_many_rows_and_no_more(store: TableStore) -> None:
    await store.create(physical(SECRET))
    ref = physical(SECRET).ref

    await store.upsert(ref, [TableRow(n, ("x",)) for n in range(500)])

    with pytest.raises(UnfitRow):
        await store.upsert(ref, [TableRow(n, ("x",)) for n in range(501)])
    assert len(await store.get(ref, list(range(1000)))) == 500
    with pytest.raises(UnfitRow):
        await store.get(ref, list(range(1001)))
    with pytest.raises(UnfitRow):
        await store.delete(ref, list(range(1001)))


async def test_an_append_becomes_visible_at_once_and_only_once(store: TableStore) -> None:
    staging = replace(physical(ORDERS), ref=TableRef(REF.space_id, "table_staging"))
    await store.create(physical(ORDERS))
    await store.create(staging)
    await store.upsert(REF, ROWS[:40])
    await store.upsert(staging.ref, ROWS[40:])
    assert (await run(store, "SELECT COUNT(*) FROM 订单")).rows == ((40,),)

    assert await store.absorb(staging.ref, into=REF) == 20
    assert await store.absorb(staging.ref, into=REF) == 20

    assert (await run(store, "SELECT COUNT(*) FROM 订单")).rows == ((60,),)
    assert await store.scan(REF, after=0, limit=1000) == ROWS


async def test_only_equal_tables_of_one_space_are_absorbed(store: TableStore) -> None:
    await store.create(physical(ORDERS))
    await store.create(physical(SECRET))
    await store.create(physical(ORDERS, space_id=8))

    with pytest.raises(TableDiffers):
        await store.absorb(physical(SECRET).ref, into=REF)
    with pytest.raises(TableDiffers):
        await store.absorb(physical(ORDERS, space_id=8).ref, into=REF)


async def test_a_new_table_is_filled_beside_the_one_in_use(store: TableStore) -> None:
    rebuilt = replace(ORDERS, physical="table_rebuilt")
    await fill(store)
    await store.create(physical(rebuilt))
    await store.upsert(physical(rebuilt).ref, ROWS[:10])

    before = await run(store, "SELECT COUNT(*) FROM 订单")
    switched = guarded(store, "SELECT COUNT(*) FROM 订单", replace(GRANT, tables=(rebuilt,)))
    after = await store.query(switched, limits=LIMITS)

    assert (before.rows, after.rows) == (((60,),), ((10,),))


async def test_rows_carry_their_keys(store: TableStore) -> None:
    await fill(store)

    found = await run(store, "SELECT 国家, 编号 FROM 国家代码 WHERE 编号 IN (4, 8) ORDER BY 编号")

    assert found.rows == (("阿富汗", 4), ("阿尔巴尼亚", 8))
    assert found.keys == (1000, 1002)
    assert [column.name for column in found.columns] == ["国家", "编号"]
    assert not found.is_truncated


async def test_a_row_scope_hides_the_rest(store: TableStore) -> None:
    await fill(store)
    grant = scoped(ORDERS, "客户", "Ann")
    sql = (
        "SELECT COUNT(*), MIN(a.客户), MAX(b.客户) FROM 订单 a LEFT JOIN 订单 b "
        "ON a.数量 = b.数量 WHERE a.客户 = 'bob' OR TRUE"
    )

    found = await store.query(guarded(store, sql, grant), limits=LIMITS)

    assert found.rows[0][1:] == ("Ann", "Ann")
    everything = await store.query(guarded(store, "SELECT * FROM 订单", grant), limits=LIMITS)
    assert {row[1] for row in everything.rows} == {"Ann"}


async def test_answers_are_cut_to_their_limits(store: TableStore) -> None:
    await fill(store)

    many = await run(store, "SELECT 国家 FROM 国家代码")
    few = await run(store, "SELECT 国家 FROM 国家代码 LIMIT 5")
    short = await run(store, "SELECT 英文名 FROM 国家代码", replace(LIMITS, cell_chars=3))
    small = await run(store, "SELECT 英文名 FROM 国家代码", replace(LIMITS, result_bytes=100))

    assert (len(many.rows), many.is_truncated) == (100, True)
    assert (len(few.rows), few.is_truncated) == (5, False)
    assert (short.rows[0], short.is_truncated) == (("Afg",), True)
    assert 0 < len(small.rows) < 20
    assert len(small.keys) == len(small.rows)
    assert small.is_truncated


SLOW = (
    "SELECT COUNT(*) FROM 国家代码 a JOIN 国家代码 b ON a.编号 + b.编号 > 0 "
    "JOIN 国家代码 c ON b.编号 + c.编号 > 0 JOIN 国家代码 d ON c.编号 + d.编号 > 0"
)


async def test_a_slow_statement_ends_in_time(store: TableStore) -> None:
    await fill(store)

    with pytest.raises(QueryFailed) as failed:
        async with asyncio.timeout(60):
            await run(store, SLOW, replace(LIMITS, timeout_s=0.3))

    assert failed.value.fault is QueryFault.TIMEOUT
    assert (await run(store, "SELECT COUNT(*) FROM 国家代码")).rows == ((249,),)


async def test_cancelling_stops_the_statement(store: TableStore) -> None:
    await fill(store)

    for _ in range(6):  # more than there are connections
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.2):
                await run(store, SLOW, replace(LIMITS, timeout_s=30.0))

    async with asyncio.timeout(60):
        assert (await run(store, "SELECT COUNT(*) FROM 国家代码")).rows == ((249,),)


async def test_slow_statements_of_one_workspace_hold_no_other_up(store: TableStore) -> None:
    await fill(store)
    other = physical(ORDERS, space_id=8)
    await store.create(other)
    await store.upsert(other.ref, ROWS)
    count = guarded(store, "SELECT COUNT(*) FROM 订单", replace(GRANT, space_id=8))
    endless, slow = guarded(store, SLOW), replace(LIMITS, timeout_s=30.0, max_wait_s=600.0)
    async with asyncio.TaskGroup() as group:
        flood = [group.create_task(store.query(endless, limits=slow)) for _ in range(50)]
        await asyncio.sleep(0)

        results = [await store.query(count, limits=LIMITS) for _ in range(5)]

        assert [result.rows for result in results] == [((len(ROWS),),)] * 5
        assert not any(task.done() for task in flood)
        for task in flood:
            task.cancel()


async def test_a_statement_that_fails_while_running_says_so(store: TableStore) -> None:
    await fill(store)
    sql = "SELECT SUM(编号 * 999999999999999999 * 999999999999999999) FROM 国家代码"
    statement = guarded(store, sql)
    if store.dialect is SqlDialect.SQLITE:  # it turns to floats where PostgreSQL overflows
        statement = forged(store, "SELECT abs(-9223372036854775808)")

    with pytest.raises(QueryFailed) as failed:
        await store.query(statement, limits=LIMITS)

    assert failed.value.fault in {QueryFault.FAILED, QueryFault.DENIED}


FORGED = [
    "SELECT c_1 FROM table_7533389719149740003",
    "SELECT c_1 FROM dyn_8.table_7533389719149740002",
    "SELECT name FROM sqlite_master",
    "SELECT name FROM pragma_table_info('table_7533389719149740002')",
    "SELECT rolname FROM pg_roles",
    "SELECT current_user FROM generate_series(1, 2)",
    "SELECT load_extension('x')",
    "INSERT INTO table_7533389719149740002 VALUES (9999)",
    "UPDATE table_7533389719149740002 SET c_1 = 'x'",
    "DELETE FROM table_7533389719149740002",
    "DROP TABLE table_7533389719149740002",
    "CREATE TABLE x (a INTEGER)",
    "CREATE TEMP TABLE x (a INTEGER)",
    "WITH RECURSIVE c (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT n FROM c",
    "ATTACH DATABASE ':memory:' AS y",
    "PRAGMA writable_schema = 1",
    "PRAGMA query_only = 0",
    "VACUUM",
    "COPY table_7533389719149740002 TO '/tmp/x'",
    "RESET ROLE",
    "SET ROLE postgres",
    "SELECT 1; DROP TABLE table_7533389719149740002",
    "SELECT pg_read_file('/etc/passwd')",
    "SELECT lo_create(4711)",
    "SELECT set_config('role', 'postgres', false)",
]


async def test_without_the_guard_nothing_foreign_is_read_and_nothing_written(
    store: TableStore,
) -> None:
    await fill(store)
    await store.create(physical(ORDERS, space_id=8))
    await store.upsert(physical(ORDERS, space_id=8).ref, ROWS[:1])

    for sql in FORGED:
        with pytest.raises((QueryFailed, TableStoreUnavailable)):
            await store.query(forged(store, sql), limits=LIMITS)

    assert await store.scan(REF, after=0, limit=100) == ROWS
    assert len(await store.names(REF.space_id)) == 3


async def test_a_role_with_rights_of_its_own_is_refused(empty_postgres: str) -> None:
    store = PostgresTableStore(empty_postgres, reader_url=empty_postgres)
    await store.start()
    try:
        with pytest.raises(TableStoreUnavailable):
            await store.create(physical(ORDERS))
    finally:
        await store.aclose()


async def test_queries_may_have_a_login_of_their_own(
    empty_postgres: str, postgres_server: object
) -> None:
    owner = PostgresTableStore(empty_postgres)
    await owner.start()
    await owner.create(physical(SECRET))
    server = postgres_server
    server.execute("DROP ROLE IF EXISTS table_reader", "CREATE ROLE table_reader LOGIN")  # type: ignore[attr-defined]
    reader_url = empty_postgres.replace("//postgres@", "//table_reader@")
    store = PostgresTableStore(empty_postgres, reader_url=reader_url)
    await store.start()
    try:
        await store.create(physical(COUNTRIES))
        await store.upsert(physical(COUNTRIES).ref, countries())

        assert (await run(store, "SELECT COUNT(*) FROM 国家代码")).rows == ((249,),)
        with pytest.raises(QueryFailed):
            await store.query(
                forged(
                    store,
                    f"SELECT c_1 FROM {SECRET.physical}",  # noqa: S608
                    tables=frozenset({SECRET.physical}),
                ),
                limits=LIMITS,
            )
    finally:
        await store.aclose()
        await owner.aclose()
