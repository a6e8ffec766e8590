"""Files of rows to slices: the schema guessed, the cells converted, each row one slice."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Final

from domain.knowledge.service import SliceDraft
from domain.knowledge.slice import Place, check_content
from domain.knowledge.tables.column import SAMPLED_ROWS, Column, ColumnType, infer_types, is_empty
from domain.knowledge.tables.error import CellProblem, ColumnsUnfit, RowsUnfit
from domain.knowledge.tables.table import MAX_COLUMNS_OF_FILE, REPORTED_CELLS, TableSchema
from domain.knowledge.value import SliceKind
from infra.contract.document.parser import ParsedDocument, Row, Table
from infra.contract.table.sql_guard import Scalar

MAX_ROWS: Final = 100_000
"""Rows of one file."""


def guess_schema(parsed: ParsedDocument, *, ids: Sequence[int]) -> TableSchema:
    """Guess columns that take all rows of the file; rows are found by the first complete column.

    ``ids`` has one id per column of the file.

    Raises:
        ColumnsUnfit: more columns than a table may have of a file, or a name that is too long.
    """
    header = parsed.metadata.columns
    if len(header) > MAX_COLUMNS_OF_FILE:
        raise ColumnsUnfit(f"A file has up to {MAX_COLUMNS_OF_FILE} columns.")
    types = infer_types(list(islice(_rows(parsed), SAMPLED_ROWS)), len(header))
    incomplete = _incomplete(parsed, len(header))
    semantic = next((at for at in range(len(header)) if at not in incomplete), 0)
    columns = [
        Column(id=id_, name=name.strip(), type=kind, is_semantic=at == semantic, sequence=at)
        for at, (id_, name, kind) in enumerate(zip(ids, header, types, strict=True))
    ]
    schema = TableSchema.of(columns)
    while wrong := _wrongly_typed(schema, parsed):
        # A row behind the sampled ones; each round makes at least one more column a text.
        columns = [
            replace(column, type=ColumnType.TEXT) if column.name in wrong else column
            for column in columns
        ]
        schema = TableSchema.of(columns)
    return schema


def slices_of_file(
    parsed: ParsedDocument, schema: TableSchema, *, ignores_extra: bool = False
) -> list[SliceDraft]:
    """Convert a file to slices.

    Raises:
        ColumnsUnfit: the file has other columns.
        RowsUnfit: the first twenty cells that cannot be stored.
        ContentTooLarge: a row is too long for a slice.
    """
    return [
        _draft(schema, cells, place)
        for cells, place in _converted(parsed, schema, ignores_extra=ignores_extra)
    ]


def slices_of_rows(
    rows: Sequence[Sequence[Scalar]], names: Sequence[str], schema: TableSchema
) -> list[SliceDraft]:
    """Convert rows that were those of another schema; what a new column lacks is empty.

    Raises ``RowsUnfit``.
    """
    header = [column.name for column in schema.columns]
    at = {name: number for number, name in enumerate(names)}
    arranged = [[row[at[name]] if name in at else None for name in header] for row in rows]
    converted = schema.read(header, arranged, first_row=1)
    return [_draft(schema, cells, Place(row=n)) for n, cells in enumerate(converted, 1)]


def check_file(
    parsed: ParsedDocument, schema: TableSchema, *, ignores_extra: bool = False
) -> list[CellProblem]:
    """Return the first twenty cells that the table could not take; raise ``ColumnsUnfit``."""
    try:
        _converted(parsed, schema, ignores_extra=ignores_extra)
    except RowsUnfit as exc:
        return list(exc.cells)
    return []


def _converted(
    parsed: ParsedDocument, schema: TableSchema, *, ignores_extra: bool
) -> list[tuple[tuple[Scalar, ...], Place]]:
    result: list[tuple[tuple[Scalar, ...], Place]] = []
    problems: list[CellProblem] = []
    for block in _tables(parsed):
        sheet, first_row = block.sheet or "", block.row or 1
        try:
            converted = schema.read(
                parsed.metadata.columns,
                block.rows,
                sheet=sheet,
                first_row=first_row,
                ignores_extra=ignores_extra,
            )
        except RowsUnfit as exc:
            problems += exc.cells
            if len(problems) >= REPORTED_CELLS:
                break
            continue
        result += [
            (cells, Place(sheet=sheet, row=row)) for row, cells in enumerate(converted, first_row)
        ]
    if problems:
        raise RowsUnfit(problems[:REPORTED_CELLS])
    return result


def _draft(schema: TableSchema, cells: Sequence[Scalar], place: Place) -> SliceDraft:
    row = schema.slice(cells)
    check_content(row.content)
    return SliceDraft(
        content=row.content, kind=SliceKind.ROW, index_text=row.index_text, place=place
    )


def _wrongly_typed(schema: TableSchema, parsed: ParsedDocument) -> set[str]:
    texts = {column.name for column in schema.columns if column.type is ColumnType.TEXT}
    problems = check_file(parsed, schema)
    return {problem.column for problem in problems if problem.value} - texts


def _incomplete(parsed: ParsedDocument, width: int) -> set[int]:
    """Return the columns with an empty cell."""
    found: set[int] = set()
    for row in _rows(parsed):
        found.update(at for at in range(width) if at >= len(row) or is_empty(row[at]))
    return found


def _tables(parsed: ParsedDocument) -> Iterator[Table]:
    return (block for block in parsed.blocks() if isinstance(block, Table))


def _rows(parsed: ParsedDocument) -> Iterator[Row]:
    return (row for block in _tables(parsed) for row in block.rows)
