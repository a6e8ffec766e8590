"""What guarded statements mean: the same on both engines, and what MySQL says."""

from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from domain.shared.limits import Limits
from infra.contract.table.sql_guard import Scalar
from infra.contract.table.store import ResultSet, TableStore
from infra.impl.sql_guard.guard import SqlglotGuard
from infra.impl.table_store.postgres import PostgresTableStore
from infra.impl.table_store.sqlite import SqliteTableStore
from tests.support.sql.corpus import ACCEPTED
from tests.support.sql.table import GRANT, LIMITS, NOW, fill

MEANINGS: tuple[tuple[str, Scalar], ...] = (
    ("7 / 2", 3.5),
    ("7 DIV 2", 3),
    ("-7 DIV 2", -3),
    ("7 % 3", 1),
    ("7.5 % 2", 1.5),
    ("1 / 0", None),
    ("1 % 0", None),
    ("ROUND(2.5)", 3),
    ("ROUND(-2.5)", -3),
    ("ROUND(1.005 * 1000, 1)", 1005.0),
    ("TRUNCATE(-1.29, 1)", -1.2),
    ("FLOOR(-1.5)", -2),
    ("CEIL(1.2)", 2),
    ("CAST(TRIM('12abc') AS SIGNED)", 12),
    ("CAST(TRIM('abc') AS SIGNED)", 0),
    ("CAST(2.7 AS SIGNED)", 3),
    ("'3' + 1", 4),
    ("TRUE + TRUE", 2),
    ("5 BETWEEN 1 AND 5", True),
    ("NULL = NULL", None),
    ("NULL <=> NULL", True),
    ("'ABC' LIKE 'a_c'", True),
    ("'a%c' LIKE 'a\\%c'", True),
    ("'abc' LIKE 'a\\%c'", False),
    ("'a_c' LIKE 'a!_c' ESCAPE '!'", True),
    ("CONCAT('a', NULL)", None),
    ("CONCAT_WS('-', 'a', NULL, 'b')", "a-b"),
    ("LENGTH('中')", 3),
    ("CHAR_LENGTH('中')", 1),
    ("SUBSTRING('abcdef', -3, 2)", "de"),
    ("LEFT('中文字', 2)", "中文"),
    ("RIGHT('abc', 2)", "bc"),
    ("LOCATE('c', 'abc')", 3),
    ("REPLACE('aXa', 'X', '-')", "a-a"),
    ("TRIM('  a ')", "a"),
    ("TRIM(BOTH 'x' FROM 'xax')", "a"),
    ("GREATEST(1, 3, 2)", 3),
    ("LEAST(1, NULL)", None),
    ("IF(1 > 2, 'a', 'b')", "b"),
    ("CASE WHEN NULL THEN 1 ELSE 2 END", 2),
    ("NULLIF(1, 1)", None),
    ("COALESCE(NULL, NULL, 'a')", "a"),
    ("NOW()", "2030-05-01 09:30:15"),
    ("CURDATE()", "2030-05-01 00:00:00"),
    ("YEAR('2029-03-31')", 2029),
    ("QUARTER(DATE '2029-12-31')", 4),
    ("DATE('2029-03-31 10:11:12')", "2029-03-31 00:00:00"),
    ("DATE_ADD('2029-01-31', INTERVAL 1 MONTH)", "2029-02-28 00:00:00"),
    ("DATE_SUB('2028-03-31 10:00:00', INTERVAL 1 MONTH)", "2028-02-29 10:00:00"),
    ("DATE_ADD('2028-02-29', INTERVAL 1 YEAR)", "2029-02-28 00:00:00"),
    ("DATE '2029-01-01' + INTERVAL 90 MINUTE", "2029-01-01 01:30:00"),
    ("LAST_DAY('2028-02-03')", "2028-02-29 00:00:00"),
    ("DATEDIFF('2029-03-01 00:00:01', '2029-02-28 23:59:59')", 1),
    ("TIMESTAMPDIFF(MONTH, '2029-01-31', '2029-02-28')", 0),
    ("TIMESTAMPDIFF(MONTH, '2029-02-28', '2029-01-27')", -1),
    ("TIMESTAMPDIFF(YEAR, '2000-05-02', '2030-05-01')", 29),
    ("TIMESTAMPDIFF(HOUR, '2029-01-01 00:30:00', '2029-01-02 00:00:00')", 23),
    ("DATE_FORMAT('2029-03-05 06:07:08', '%Y/%m/%d %H:%i:%s')", "2029/03/05 06:07:08"),
    ("DATE '2029-01-01' > '2028-12-31 23:59:59'", True),
)


@pytest.fixture
async def stores(
    tmp_path: Path, empty_postgres: str
) -> AsyncGenerator[tuple[TableStore, TableStore], None]:
    sqlite, postgres = SqliteTableStore(tmp_path), PostgresTableStore(empty_postgres)
    for store in (sqlite, postgres):
        await store.start()
        await fill(store)
    yield sqlite, postgres
    await postgres.aclose()
    await sqlite.aclose()


async def run(store: TableStore, sql: str) -> ResultSet:
    guard = SqlglotGuard(dialect=store.dialect, limits=Limits())
    return await store.query(guard.check(sql, GRANT, now=NOW), limits=LIMITS)


def rounded(found: ResultSet) -> list[tuple[Scalar, ...]]:
    return [
        tuple(round(cell, 9) if isinstance(cell, float) else cell for cell in row)
        for row in found.rows
    ]


async def test_both_engines_answer_alike(stores: tuple[TableStore, TableStore]) -> None:
    for sql in ACCEPTED:
        one, other = [await run(store, sql) for store in stores]

        assert rounded(one) == rounded(other), sql
        assert one.keys == other.keys, sql
        assert one.columns == other.columns, sql


async def test_expressions_mean_what_mysql_says(stores: tuple[TableStore, TableStore]) -> None:
    for expression, wanted in MEANINGS:
        for store in stores:
            found = await run(store, f"SELECT {expression} AS x FROM 订单 LIMIT 1")  # noqa: S608

            ((value,),) = rounded(found)
            assert (value, type(value)) == (wanted, type(wanted)), (expression, store.dialect)
