"""Schemas of tables: what they accept, and what they refuse before anything is written."""

import json

import pytest

from domain.knowledge.tables.column import Column, ColumnType
from domain.knowledge.tables.error import (
    ColumnsUnfit,
    DuplicateColumn,
    NoSemanticColumn,
    RowsUnfit,
    TableSliceUnfit,
)
from domain.knowledge.tables.table import KEY_COLUMN, TableSchema, table_name
from infra.contract.table.sql_guard import CellKind, Scalar
from infra.contract.table.store import TableRef

NAME = Column(id=11, name="名称", type=ColumnType.TEXT, is_semantic=True, sequence=0)
COUNT = Column(id=12, name="count", type=ColumnType.NUMBER, sequence=1)
DAY = Column(id=13, name="day", type=ColumnType.DATE, sequence=2)
SCHEMA = TableSchema.of([DAY, NAME, COUNT])


def column(name: str, *, number: int = 1, is_semantic: bool = True) -> Column:
    return Column(
        id=number, name=name, type=ColumnType.TEXT, is_semantic=is_semantic, sequence=number
    )


def test_columns_are_in_sequence() -> None:
    assert SCHEMA.columns == (NAME, COUNT, DAY)


def test_names_are_unique_after_trimming() -> None:
    with pytest.raises(DuplicateColumn) as refused:
        TableSchema.of([column("a"), column(" a ", number=2)])

    assert refused.value.code == 105000016


def test_a_table_needs_a_column_to_find_rows_by() -> None:
    with pytest.raises(NoSemanticColumn) as refused:
        TableSchema.of([column("a", is_semantic=False)])

    assert refused.value.code == 105000013


@pytest.mark.parametrize("name", ["", "  ", "x" * 101])
def test_a_name_has_up_to_a_hundred_characters(name: str) -> None:
    TableSchema.of([column("x" * 100)])
    with pytest.raises(ColumnsUnfit):
        TableSchema.of([column(name)])


def test_a_table_has_up_to_a_hundred_columns_and_a_file_fifty() -> None:
    TableSchema.of(column(f"c{n}", number=n) for n in range(100))
    with pytest.raises(ColumnsUnfit):
        TableSchema.of(column(f"c{n}", number=n) for n in range(101))
    with pytest.raises(ColumnsUnfit):
        TableSchema.of([])
    with pytest.raises(ColumnsUnfit):
        TableSchema.infer([f"c{n}" for n in range(51)], [], ids=range(51))


def test_a_schema_is_guessed_from_a_file() -> None:
    schema = TableSchema.infer(["code", "n"], [["007", "1"], ["x", "2"]], ids=[5, 6])

    assert [(c.id, c.name, c.type, c.is_semantic) for c in schema.columns] == [
        (5, "code", ColumnType.TEXT, True),
        (6, "n", ColumnType.NUMBER, False),
    ]


def test_rows_are_read_by_the_names_of_columns_in_any_order() -> None:
    given: list[list[Scalar]] = [["3", "2024/1/2", "a"], ["", None, "b"]]

    rows = SCHEMA.read(["count", " day", "名称 "], given)

    assert rows == [("a", 3, "2024-01-02 00:00:00"), ("b", None, None)]


def test_a_short_row_has_empty_cells_at_its_end() -> None:
    assert SCHEMA.read(["名称", "count", "day"], [["a"]]) == [("a", None, None)]


@pytest.mark.parametrize(
    "header", [["名称", "count"], ["名称", "count", "day", "x"], ["名称", "count", "Day"]]
)
def test_a_file_with_other_columns_is_refused(header: list[str]) -> None:
    with pytest.raises(ColumnsUnfit, match="columns of the table"):
        SCHEMA.read(header, [])


def test_the_first_twenty_bad_cells_are_named() -> None:
    rows: list[list[Scalar]] = [["a", "1", None], ["", "x", "2024-02-30"]]
    rows += [["b", "y", None]] * 30

    with pytest.raises(RowsUnfit) as refused:
        SCHEMA.read(["名称", "count", "day"], rows, sheet="Sheet1")

    cells = refused.value.cells
    assert len(cells) == 20
    assert str(cells[0]) == "Sheet1, row 3, 名称: '' is empty"
    assert str(cells[1]) == "Sheet1, row 3, count: 'x' is not a whole number"
    assert cells[2].column == "day"


def test_a_slice_is_read_by_column_id() -> None:
    made = SCHEMA.read_slice({11: "a", 12: "3"})

    assert made == ("a", 3, None)
    assert SCHEMA.read_slice({12: "4"}, current=made) == ("a", 4, None)


@pytest.mark.parametrize("values", [{11: "a", 99: "x"}, {11: "a", 12: "x"}, {12: 1}, {11: " "}])
def test_a_slice_that_does_not_fit_is_refused(values: dict[int, Scalar]) -> None:
    with pytest.raises(TableSliceUnfit) as refused:
        SCHEMA.read_slice(values)

    assert refused.value.code == 105000037


def test_a_row_is_read_as_json_and_found_by_semantic_columns() -> None:
    made = SCHEMA.slice(("a", 3, None))

    assert json.loads(made.content) == {"名称": "a", "count": 3, "day": None}
    assert made.index_text == "名称: a"


def test_names_of_authors_never_reach_the_store() -> None:
    ref = TableRef(7, table_name(42, 1))
    table, granted = SCHEMA.physical(ref), SCHEMA.grant(ref, name="价格表")

    assert [(c.name, c.kind) for c in table.columns] == [
        ("c_11", CellKind.TEXT),
        ("c_12", CellKind.INTEGER),
        ("c_13", CellKind.DATE),
    ]
    assert (ref.name, table.key_column) == ("table_42_1", KEY_COLUMN)
    assert [(c.name, c.physical) for c in granted.columns] == [
        ("名称", "c_11"),
        ("count", "c_12"),
        ("day", "c_13"),
    ]
