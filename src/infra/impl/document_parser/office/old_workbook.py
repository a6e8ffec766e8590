"""Excel workbooks before 2007; the same values give the same text as in the new format."""

from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from functools import partial
from io import BytesIO

from python_calamine import (
    CalamineError,
    CalamineSheet,
    CalamineWorkbook,
    PasswordError,
    SheetTypeEnum,
    SheetVisibleEnum,
)

from infra.contract.document.parser import Cell, DocumentNotParsed, ParseFailure, ParseOptions
from infra.impl.document_parser.office.cell_value import rendered
from infra.impl.document_parser.office.sheet_writer import AddLine, SheetSource, write_sheets
from infra.impl.document_parser.output import Output

_Value = int | float | str | bool | time | date | datetime | timedelta


def read_xls(data: bytes, options: ParseOptions, output: Output) -> None:
    """Read all sheets of values."""
    try:
        book = CalamineWorkbook.from_filelike(BytesIO(data))
        sheets = [
            SheetSource(
                entry.name,
                entry.visible is not SheetVisibleEnum.Visible,
                partial(_read, book, entry.name, output),
            )
            for entry in book.sheets_metadata
            if entry.typ is SheetTypeEnum.WorkSheet
        ]
    except PasswordError as exc:
        raise DocumentNotParsed(
            ParseFailure.ENCRYPTED, "The file is protected by a password."
        ) from exc
    except (CalamineError, ValueError, OSError) as exc:
        raise DocumentNotParsed(ParseFailure.CORRUPT, "The workbook cannot be read.") from exc
    write_sheets(sheets, options, output)


def _read(book: CalamineWorkbook, name: str, output: Output, add: AddLine) -> None:
    try:
        sheet = book.get_sheet_by_name(name)
        for line, cells in _lines(sheet, output):
            add(line, cells)
    except (CalamineError, ValueError, OSError) as exc:
        raise DocumentNotParsed(ParseFailure.CORRUPT, "A sheet cannot be read.") from exc


def _lines(sheet: CalamineSheet, output: Output) -> Iterator[tuple[int, list[Cell]]]:
    if sheet.end is None:
        return
    if sheet.end[1] >= output.limits.table_columns:
        raise DocumentNotParsed(
            ParseFailure.TOO_LARGE, f"A sheet has more than {output.limits.table_columns} columns."
        )
    merged = {
        (line, column): start
        for start, end in sheet.merged_cell_ranges or ()
        for line in range(start[0], min(end[0], sheet.end[0]) + 1)
        for column in range(start[1], min(end[1], output.limits.table_columns - 1) + 1)
    }
    # Rows begin at the first line of the sheet, but at the first column that holds a value.
    left: list[Cell] = [None] * (sheet.start or (0, 0))[1]
    kept: dict[tuple[int, int], Cell] = dict.fromkeys(merged.values())
    for line, values in enumerate(sheet.iter_rows()):
        cells = [*left, *map(_render, values)]
        for column in range(len(cells)):
            start = merged.get((line, column))
            if start == (line, column):
                kept[start] = cells[column]
            elif start is not None:
                cells[column] = kept[start]
        yield line, cells


def _render(value: _Value) -> Cell:
    return rendered(value) or None
