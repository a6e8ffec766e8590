"""Two tables of a tenant, as physical tables and as grants, for tests of SQL."""

import csv
from datetime import UTC, datetime
from pathlib import Path

from infra.contract.table.sql_guard import (
    CellKind,
    GrantedColumn,
    GrantedTable,
    RowFilter,
    Scalar,
    SqlGrant,
)
from infra.contract.table.store import (
    PhysicalColumn,
    PhysicalTable,
    QueryLimits,
    TableRef,
    TableRow,
    TableStore,
)

FIXTURES = Path(__file__).parents[2] / "fixtures" / "nl2sql"
SPACE = 7
KEY = "_knowledge_document_slice_id"
NOW = datetime(2030, 5, 1, 9, 30, 15, tzinfo=UTC)
LIMITS = QueryLimits(timeout_s=3.0, cell_chars=2000, result_bytes=64 * 1024)
MAX_ROWS = 100

_COUNTRY_COLUMNS = (
    *("国家", "英文名", "大洲", "次区域", "首都", "货币代码", "电话区号", "独立", "编号"),
    *("最不发达国家", "内陆国"),
)
_ORDER_COLUMNS = (
    ("订单号", CellKind.TEXT),
    ("客户", CellKind.TEXT),
    ("数量", CellKind.INTEGER),
    ("单价", CellKind.FLOAT),
    ("已付款", CellKind.BOOLEAN),
    ("下单时间", CellKind.DATE),
)


def _table(name: str, physical: str, columns: tuple[tuple[str, CellKind], ...]) -> GrantedTable:
    return GrantedTable(
        name=name,
        physical=physical,
        key_column=KEY,
        columns=tuple(
            GrantedColumn(name=column, physical=f"c_{number}", kind=kind)
            for number, (column, kind) in enumerate(columns, 1)
        ),
    )


COUNTRIES = _table(
    "国家代码",
    "table_7533389719149740001",
    tuple((n, CellKind.INTEGER if n == "编号" else CellKind.TEXT) for n in _COUNTRY_COLUMNS),
)
ORDERS = _table("订单", "table_7533389719149740002", _ORDER_COLUMNS)
SECRET = _table("users", "table_7533389719149740003", (("password", CellKind.TEXT),))
"""A table of the same space that is never granted."""
GRANT = SqlGrant(space_id=SPACE, tables=(COUNTRIES, ORDERS))


def scoped(table: GrantedTable, column: str, value: str | int) -> SqlGrant:
    """A grant of the rows of ``table`` with ``value`` in the author's ``column``."""
    (physical,) = (c.physical for c in table.columns if c.name == column)
    rule = RowFilter(column=physical, value=value)
    narrowed = GrantedTable(
        name=table.name,
        physical=table.physical,
        key_column=table.key_column,
        columns=table.columns,
        row_scope=(rule,),
    )
    return SqlGrant(space_id=SPACE, tables=(narrowed,))


def physical(table: GrantedTable, space_id: int = SPACE) -> PhysicalTable:
    return PhysicalTable(
        ref=TableRef(space_id, table.physical),
        key_column=table.key_column,
        columns=tuple(PhysicalColumn(name=c.physical, kind=c.kind) for c in table.columns),
    )


def countries() -> list[TableRow]:
    with (FIXTURES / "countries.csv").open(encoding="utf-8", newline="") as file:
        _, *records = csv.reader(file)
    number = _COUNTRY_COLUMNS.index("编号")
    return [
        TableRow(
            1000 + key,
            tuple(
                None if not cell else int(cell) if position == number else cell
                for position, cell in enumerate(record)
            ),
        )
        for key, record in enumerate(records)
    ]


def orders() -> list[TableRow]:
    rows = []
    for n in range(60):
        cells: tuple[Scalar, ...] = (
            f"{n:05d}",
            ("Ann", "bob", "张三", "李四")[n % 4],
            n % 7 if n % 11 else None,
            round(n * 1.25 - 10, 2),
            n % 3 == 0 if n % 13 else None,
            f"2029-{n % 12 + 1:02d}-{n % 28 + 1:02d} {n % 24:02d}:30:00",
        )
        rows.append(TableRow(1 + n, cells))
    return rows


async def fill(store: TableStore) -> None:
    for table, rows in (
        (COUNTRIES, countries()),
        (ORDERS, orders()),
        (SECRET, [TableRow(1, ("s3cret",))]),
    ):
        await store.create(physical(table))
        await store.upsert(physical(table).ref, rows)
