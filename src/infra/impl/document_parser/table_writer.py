"""Rows of a sheet, a CSV file or JSON objects to tables of one width with unique names."""

from collections.abc import Sequence
from typing import Final

from infra.contract.document.parser import (
    Cell,
    DocumentNotParsed,
    ParseFailure,
    ParseOptions,
    Purpose,
    Row,
    Table,
)
from infra.impl.document_parser.output import Output

_BATCH_ROWS: Final = 200
_MAX_BAD_SHARE: Final = 0.01


class TableWriter:
    """Takes lines of one sheet in order and writes its table.

    A table document gets its names into the metadata and plain rows as blocks; a text document
    gets tables that repeat their header.
    """

    def __init__(
        self,
        output: Output,
        options: ParseOptions,
        *,
        sheet: str | None = None,
        ignores_extra_cells: bool,
        drops_unnamed_tail: bool,
    ) -> None:
        """``ignores_extra_cells`` right of the header; otherwise such a row is a bad row."""
        self._output = output
        self._is_table = options.purpose is Purpose.TABLE
        self._range = options.table
        self._sheet = sheet
        self._ignores_extra = ignores_extra_cells
        self._drops_tail = drops_unnamed_tail
        self._header: Row | None = None
        self._batch: list[Row] = []
        self._batch_line = 0
        self._lines = 0
        self._rows = 0
        self._bad = 0
        data_line = self._range.data_line
        self._data_line = self._range.header_line + 1 if data_line is None else data_line

    @property
    def filled_lines(self) -> int:
        """Lines with any value so far, the header included."""
        return self._lines

    @property
    def has_header(self) -> bool:
        return self._header is not None

    def add(self, line: int, cells: Sequence[Cell]) -> None:
        """Take one line; ``line`` counts from 0 and may leave out empty lines."""
        last = _last_filled(cells)
        if last < 0:
            return
        self._lines += 1
        if self._lines > self._output.limits.table_rows:
            raise DocumentNotParsed(
                ParseFailure.TOO_LARGE,
                f"The table has more than {self._output.limits.table_rows} rows.",
            )
        if last >= self._output.limits.table_columns:
            raise DocumentNotParsed(
                ParseFailure.TOO_LARGE,
                f"The table has more than {self._output.limits.table_columns} columns.",
            )
        if self._header is None and line == self._range.header_line:
            self._begin(cells[: last + 1] if self._drops_tail else cells)
        elif line >= self._data_line and not self._is_full():
            self._add_row(line, cells, last)

    def finish(self) -> None:
        """Write what is left. Raises ``DocumentNotParsed`` (header missing, bad rows)."""
        if self._header is None:
            raise DocumentNotParsed(
                ParseFailure.HEADER_MISSING,
                f"Line {self._range.header_line + 1} holds no names of columns.",
            )
        if self._bad > (self._rows + self._bad) * _MAX_BAD_SHARE:
            raise DocumentNotParsed(
                ParseFailure.BAD_ROWS,
                f"{self._bad} of {self._rows + self._bad} rows have more cells than the header.",
            )
        self._flush()
        if self._is_table:
            self._output.metadata.rows = self._rows

    def _begin(self, cells: Sequence[Cell]) -> None:
        self._header = unique_names(cells)
        if self._is_table:
            self._output.metadata.columns = tuple(name or "" for name in self._header)

    def _is_full(self) -> bool:
        return self._range.rows_count is not None and self._rows >= self._range.rows_count

    def _add_row(self, line: int, cells: Sequence[Cell], last: int) -> None:
        if self._header is None:
            return
        width = len(self._header)
        if last >= width and not self._ignores_extra:
            self._bad += 1
            self._output.metadata.warn("bad_row", f"line {line + 1}: {last + 1} cells, not {width}")
            return
        row = tuple(cells[:width]) + (None,) * (width - len(cells))
        if all(cell is None for cell in row):
            return
        if not self._batch:
            self._batch_line = line
        self._batch.append(row)
        self._rows += 1
        if len(self._batch) >= _BATCH_ROWS:
            self._flush()

    def _flush(self) -> None:
        if not self._batch or self._header is None:
            return
        header = () if self._is_table else (self._header,)
        self._output.add(
            Table(
                rows=(*header, *self._batch),
                header_rows=len(header),
                sheet=self._sheet,
                row=self._batch_line + 1,
            )
        )
        self._batch = []


def unique_names(cells: Sequence[Cell]) -> Row:
    """Trim names of columns, fill empty ones and number repeated ones."""
    taken: set[str] = set()
    names: list[str] = []
    for number, cell in enumerate(cells, start=1):
        wanted = (cell or "").strip() or f"column_{number}"
        name, repeat = wanted, 1
        while name in taken:
            repeat += 1
            name = f"{wanted}_{repeat}"
        taken.add(name)
        names.append(name)
    return tuple(names)


def _last_filled(cells: Sequence[Cell]) -> int:
    for index in range(len(cells) - 1, -1, -1):
        if cells[index] is not None:
            return index
    return -1
