"""Sheets of a workbook to the output: one of them as a table, or all visible ones as text."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from infra.contract.document.parser import (
    Cell,
    DocumentNotParsed,
    Heading,
    ParseFailure,
    ParseOptions,
    Purpose,
    SheetInfo,
)
from infra.impl.document_parser.output import Output
from infra.impl.document_parser.table_writer import TableWriter

_ADVANCE_LINES = 2000
AddLine = Callable[[int, list[Cell]], None]


@dataclass(frozen=True, slots=True)
class SheetSource:
    """A sheet that can be read line by line."""

    name: str
    is_hidden: bool
    read: Callable[[AddLine], None]


def write_sheets(sheets: Sequence[SheetSource], options: ParseOptions, output: Output) -> None:
    """Write what the purpose asks for, and count the lines of every sheet.

    Raises:
        DocumentNotParsed: no such sheet, no header, too many rows.
    """
    if not sheets:
        raise DocumentNotParsed(ParseFailure.NO_SUCH_SHEET, "The workbook has no sheets.")
    is_table = options.purpose is Purpose.TABLE
    wanted = _choose(sheets, options) if is_table else None
    infos: list[SheetInfo] = []
    for index, sheet in enumerate(sheets):
        if is_table and index != wanted:
            rows = _count(sheet, index, len(sheets), output)
        elif is_table or not sheet.is_hidden:
            rows = _write(sheet, index, len(sheets), options, output)
        else:
            rows = _count(sheet, index, len(sheets), output)
        infos.append(SheetInfo(index=index, name=sheet.name, rows=rows, is_hidden=sheet.is_hidden))
        output.advance(index + 1, len(sheets))
    output.metadata.sheets = tuple(infos)
    output.metadata.sheet = wanted


def _choose(sheets: Sequence[SheetSource], options: ParseOptions) -> int:
    index = options.table.sheet
    if index is None:
        visible = [number for number, sheet in enumerate(sheets) if not sheet.is_hidden]
        return visible[0] if visible else 0
    if not 0 <= index < len(sheets):
        raise DocumentNotParsed(
            ParseFailure.NO_SUCH_SHEET,
            f"There is no sheet {index}: the workbook has {len(sheets)}.",
        )
    return index


def _write(
    sheet: SheetSource, index: int, total: int, options: ParseOptions, output: Output
) -> int:
    writer = TableWriter(
        output, options, sheet=sheet.name, ignores_extra_cells=True, drops_unnamed_tail=True
    )
    if options.purpose is not Purpose.TABLE and total > 1:
        output.add(Heading(text=sheet.name, level=1, sheet=sheet.name))

    def add(line: int, cells: list[Cell]) -> None:
        writer.add(line, cells)
        if line % _ADVANCE_LINES == 0:
            output.advance(index, total)

    sheet.read(add)
    if options.purpose is Purpose.TABLE or writer.has_header:
        writer.finish()
    return writer.filled_lines


def _count(sheet: SheetSource, index: int, total: int, output: Output) -> int:
    count = 0

    def add(line: int, cells: list[Cell]) -> None:
        nonlocal count
        count += any(cell is not None for cell in cells)
        if line % _ADVANCE_LINES == 0:
            output.advance(index, total)

    sheet.read(add)
    return count
