"""Files of rows: the schema guessed, the cells converted, each row a slice."""

import json

import pytest

from domain.knowledge.error import ContentTooLarge
from domain.knowledge.tables.column import Column, ColumnType
from domain.knowledge.tables.error import ColumnsUnfit, RowsUnfit, TableSliceUnfit
from domain.knowledge.tables.file import check_file, guess_schema, slices_of_file, slices_of_rows
from domain.knowledge.tables.row import read_row
from domain.knowledge.tables.table import TableSchema
from domain.knowledge.value import SliceKind
from infra.contract.document.parser import DocumentMetadata, ParsedDocument, Row, Table

SCHEMA = TableSchema.of(
    [
        Column(id=1, name="city", type=ColumnType.TEXT, is_semantic=True),
        Column(id=2, name="people", type=ColumnType.NUMBER, sequence=1),
    ]
)


def file(header: tuple[str, ...], *rows: Row, at_once: int = 200) -> ParsedDocument:
    blocks = [
        Table(rows=rows[start : start + at_once], sheet="S", row=start + 2)
        for start in range(0, len(rows), at_once)
    ]
    return ParsedDocument.of(
        blocks, metadata=DocumentMetadata(format="csv", columns=header, rows=len(rows))
    )


def kinds(schema: TableSchema) -> list[tuple[str, ColumnType, bool]]:
    return [(column.name, column.type, column.is_semantic) for column in schema.columns]


def test_rows_are_found_by_the_first_complete_column() -> None:
    parsed = file(("note", "city", "people"), (None, "Oslo", "7"), ("x", "Rome", "28"))

    assert kinds(guess_schema(parsed, ids=[1, 2, 3])) == [
        ("note", ColumnType.TEXT, False),
        ("city", ColumnType.TEXT, True),
        ("people", ColumnType.NUMBER, False),
    ]


def test_a_row_behind_the_sample_widens_its_column() -> None:
    rows: list[Row] = [(f"c{n}", str(n), "true") for n in range(1100)]
    rows += [("last", "many", "maybe")]

    schema = guess_schema(file(("city", "people", "open"), *rows), ids=[1, 2, 3])

    assert [column.type for column in schema.columns] == [ColumnType.TEXT] * 3


def test_too_many_columns_are_refused() -> None:
    with pytest.raises(ColumnsUnfit, match="50"):
        guess_schema(file(tuple(f"c{n}" for n in range(51))), ids=list(range(51)))


def test_a_row_is_a_slice_found_by_its_semantic_columns() -> None:
    drafts = slices_of_file(file(("people", "city"), ("7", "Oslo"), ("28", "Rome")), SCHEMA)

    first, second = drafts
    assert (first.content, first.index_text, first.kind) == (
        '{"city":"Oslo","people":7}',
        "city: Oslo",
        SliceKind.ROW,
    )
    assert (second.place.sheet, second.place.row) == ("S", 3)


def test_the_first_bad_cells_of_all_blocks_are_named() -> None:
    rows: list[Row] = [("Oslo", "x"), ("Rome", "1"), ("Lima", "y")]

    with pytest.raises(RowsUnfit) as refused:
        slices_of_file(file(("city", "people"), *rows, at_once=1), SCHEMA)

    assert [(cell.row, cell.value) for cell in refused.value.cells] == [(2, "x"), (4, "y")]
    assert len(check_file(file(("city", "people"), *[("a", "b")] * 90, at_once=7), SCHEMA)) == 20


def test_further_columns_are_left_out_only_where_allowed() -> None:
    parsed = file(("city", "people", "mayor"), ("Oslo", "7", "Ann"))

    assert slices_of_file(parsed, SCHEMA, ignores_extra=True)[0].content.count(":") == 2
    with pytest.raises(ColumnsUnfit, match="unknown: mayor"):
        slices_of_file(parsed, SCHEMA)
    with pytest.raises(ColumnsUnfit, match="Missing: people"):
        slices_of_file(file(("city",), ("Oslo",)), SCHEMA, ignores_extra=True)


def test_a_row_too_long_for_a_slice_is_refused() -> None:
    with pytest.raises(ContentTooLarge):
        slices_of_file(file(("city", "people"), ("x" * 70_000, "1")), SCHEMA)


def test_rows_follow_their_columns_into_another_schema() -> None:
    drafts = slices_of_rows([("Oslo", 7)], ["city", ""], SCHEMA)

    assert drafts[0].content == '{"city":"Oslo","people":null}'
    with pytest.raises(RowsUnfit):
        slices_of_rows([("Oslo", 7)], ["", "people"], SCHEMA)


@pytest.mark.parametrize(
    "given",
    [
        [{"column_id": "1", "value": "Oslo"}, {"column_id": 2, "value": "7"}],
        {"city": "Oslo", "people": 7},
    ],
)
def test_a_row_given_by_hand_is_read_by_ids_or_names(given: object) -> None:
    assert read_row(json.dumps(given), SCHEMA) == ("Oslo", 7)


def test_cells_that_are_not_given_stay() -> None:
    assert read_row('{"people": 8}', SCHEMA, current=("Oslo", 7)) == ("Oslo", 8)
    assert read_row('{"people": null}', SCHEMA, current=("Oslo", 7)) == ("Oslo", None)


@pytest.mark.parametrize(
    "given", ["", "3", '"x"', '[{"column_id": "x"}]', '{"mayor": 1}', "[" * 9000, '{"city": [1]}']
)
def test_what_is_no_row_is_refused(given: str) -> None:
    with pytest.raises(TableSliceUnfit):
        read_row(given, SCHEMA, current=("Oslo", 7))
