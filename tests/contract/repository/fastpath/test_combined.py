"""The fast path of writes: what it relies on in SQLAlchemy, for every table of the product."""

from collections.abc import Iterator
from typing import Any

import pytest
import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import asyncpg
from sqlalchemy.dialects.sqlite import aiosqlite

from infra.impl.repository.sql.fastpath.combined import MOST_ROWS, Write, combine, plain
from infra.impl.repository.sql.mapping.all_tables import complete_metadata
from infra.impl.repository.sql.mapping.upsert import upsert

POSTGRES = asyncpg.dialect()  # type: ignore[no-untyped-call]
SQLITE = aiosqlite.dialect()
TABLES = sorted(complete_metadata().tables.values(), key=lambda table: str(table.name))


def columns_of(table: sa.Table) -> list[str]:
    return [str(column.name) for column in table.columns]


def row_of(table: sa.Table, number: int) -> dict[str, Any]:
    """Values that say where they belong: none is the same as another."""
    return {name: f"{name}-{number}" for name in columns_of(table)}


def without_types(table: sa.Table) -> sa.Table:
    """The table with columns that take anything as it is."""
    columns = (
        sa.Column(each.name, sa.Text, primary_key=each.primary_key) for each in table.columns
    )
    return sa.Table(table.name, sa.MetaData(), *columns)


def statements(table: sa.Table, dialect: str) -> Iterator[sa.Insert | sa.Update]:
    """The kinds of statements that are written later."""
    key = [column.name for column in table.primary_key]
    yield sa.insert(table).inline()
    yield upsert(dialect, table).on_conflict_do_nothing()
    insert = upsert(dialect, table)
    changed = {name: insert.excluded[name] for name in columns_of(table) if name not in key}
    yield insert.on_conflict_do_update(
        index_elements=key,
        set_=changed or {key[0]: insert.excluded[key[0]]},
        where=table.c[key[0]] != "final",
    )


def as_sqlalchemy_does(
    statement: sa.Insert | sa.Update, row: dict[str, Any], dialect: Any
) -> tuple[str, tuple[Any, ...]]:
    """Text and parameters that SQLAlchemy itself sends for one row."""
    compiled: Any = statement.compile(dialect=dialect, column_keys=sorted(row))
    given = compiled.construct_params(row)
    return compiled.string, tuple(given[name] for name in compiled.positiontup)


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
def test_one_row_is_sent_as_sqlalchemy_sends_it(table: sa.Table) -> None:
    bare = without_types(table)
    row = row_of(bare, 1)
    for statement in statements(bare, "postgresql"):
        assert combine([Write(statement, [row])], POSTGRES) == as_sqlalchemy_does(
            statement, row, POSTGRES
        )
    for statement in statements(bare, "sqlite"):
        text, parameters = plain(Write(statement, [row]), SQLITE)
        assert (text, parameters[0]) == as_sqlalchemy_does(statement, row, SQLITE)


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
def test_each_row_has_its_own_places_in_their_order(table: sa.Table) -> None:
    bare = without_types(table)
    rows = [row_of(bare, number) for number in range(MOST_ROWS)]
    for statement in statements(bare, "postgresql"):
        one, values = as_sqlalchemy_does(statement, rows[0], POSTGRES)
        text, parameters = combine([Write(statement, rows)], POSTGRES)

        width = len(bare.columns)
        assert text.count("$") == width * MOST_ROWS + one.count("$") - width
        assert text.startswith(one.partition(" VALUES ")[0])
        of_rows = parameters[: width * MOST_ROWS]
        assert [each.rpartition("-")[2] for each in of_rows] == [
            str(number) for number in range(MOST_ROWS) for _ in range(width)
        ]
        assert parameters[width * MOST_ROWS :] == values[width:]


@pytest.mark.parametrize("dialect", [POSTGRES, SQLITE], ids=["postgres", "sqlite"])
def test_values_are_processed_where_sqlalchemy_processes_them(dialect: sa.Dialect) -> None:
    for table in TABLES:
        compiled: Any = sa.insert(table).compile(dialect=dialect)
        ours = {
            name
            for name in compiled.positiontup
            if compiled.binds[name].type.dialect_impl(dialect).bind_processor(dialect)
        }
        assert ours == set(compiled._bind_processors)


def test_writes_of_several_tables_are_one_statement_behind_their_guard() -> None:
    first, second = map(without_types, TABLES[:2])
    guard = sa.update(first).where(sa.column("id") == sa.bindparam("loaded"))
    columns = columns_of(first)
    row = row_of(first, 1) | {"loaded": "loaded-1"}
    writes = [
        Write(guard, [row], unchanged=LookupError()),
        Write(sa.insert(second).inline(), [row_of(second, 1), row_of(second, 2)]),
    ]

    text, parameters = combine(writes, POSTGRES)

    places = len(columns) + 1 + 2 * len(second.columns)
    assert text.startswith("WITH w0 AS (UPDATE ")
    assert "RETURNING 1" in text
    assert "WHERE EXISTS (SELECT FROM w0)" in text
    assert text.endswith("SELECT 1 FROM w0")
    assert [f"${number}" in text for number in (1, places, places + 1)] == [True, True, False]
    assert len(parameters) == places
