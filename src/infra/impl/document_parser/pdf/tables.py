"""Tables on a page: by their ruling lines, or by cells that stand in columns."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from infra.contract.document.parser import Cell, Row
from infra.impl.document_parser.markup.prose import collapse
from infra.impl.document_parser.pdf.engine import Box, Char
from infra.impl.document_parser.pdf.lines import Line, to_line, to_rows, to_segments

Grid = list[list[Box | None]]
"""Rows of cells; null where a cell is part of another one."""
MIN_PATHS: Final = 4
"""Fewer drawn lines make no table."""
_MIN_ROWS, _MIN_COLUMNS = 2, 2
_MIN_ALIGNED_ROWS, _MIN_ALIGNED_COLUMNS = 3, 3
_MAX_ALIGNED_CELL_CHARS: Final = 60
_EVEN_SHARE: Final = 0.8
_MIN_FILLED: Final = 0.25


@dataclass(frozen=True, slots=True)
class FoundTable:
    """A table with its place; ``edges`` are the left edges of its columns."""

    box: Box
    rows: tuple[Row, ...]
    edges: tuple[float, ...]


class GridFinder(Protocol):
    """Finds the cells that lines enclose."""

    def find(self, number: int) -> list[Grid]: ...

    def close(self) -> None: ...


class RuledTables:
    """Finds tables by their lines."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._finder: GridFinder | None = None

    def close(self) -> None:
        if self._finder is not None:
            self._finder.close()

    def find(self, number: int, chars: Sequence[Char]) -> list[FoundTable]:
        """Return the tables of page ``number``, from 1, filled with the given characters."""
        if self._finder is None:
            # Takes as long to load as everything else together; most documents do without.
            from infra.impl.document_parser.pdf.grids import PdfplumberGrids  # noqa: PLC0415

            self._finder = PdfplumberGrids(self._data)
        found = (_fill(grid, chars) for grid in self._finder.find(number))
        return [table for table in found if table is not None]


def aligned_tables(lines: Sequence[Line]) -> list[tuple[int, int, FoundTable]]:
    """Find tables without lines: rows of cells below each other; first and last line of each."""
    found: list[tuple[int, int, FoundTable]] = []
    start = 0
    while start < len(lines):
        end = start
        while end < len(lines) and _is_row(lines[end]) and _follows(lines, start, end):
            end += 1
        if end - start >= _MIN_ALIGNED_ROWS:
            table = _align(lines[start:end])
            if table is not None:
                found.append((start, end, table))
        start = max(end, start + 1)
    return found


def _fill(grid: Grid, chars: Sequence[Char]) -> FoundTable | None:
    cells = [cell for row in grid for cell in row if cell is not None]
    box = Box(
        min(c.left for c in cells),
        min(c.top for c in cells),
        max(c.right for c in cells),
        max(c.bottom for c in cells),
    )
    inside = [c for c in chars if box.holds((c.left + c.right) / 2, (c.top + c.bottom) / 2)]
    rows: list[Row] = []
    for row in grid:
        top = min(c.top for c in row if c is not None)
        bottom = max(c.bottom for c in row if c is not None)
        band = [c for c in inside if top <= (c.top + c.bottom) / 2 < bottom]
        rows += _rows_of([_cell_lines(cell, band) for cell in row])
    rows = [row for row in rows if any(row)]
    kept = [at for at in range(len(grid[0])) if any(row[at] for row in rows)]
    rows = [tuple(row[at] for at in kept) for row in rows]
    if len(rows) < _MIN_ROWS or len(kept) < _MIN_COLUMNS:
        return None
    filled = sum(1 for row in rows for cell in row if cell)
    if filled < len(rows) * len(kept) * _MIN_FILLED:
        return None
    columns = [[row[at] for row in grid] for at in kept]
    edges = tuple(min((c.left for c in column if c is not None), default=0.0) for column in columns)
    return FoundTable(box, tuple(rows), edges)


def _cell_lines(cell: Box | None, chars: Sequence[Char]) -> list[Line]:
    if cell is None:
        return []
    inside = [c for c in chars if cell.left <= (c.left + c.right) / 2 < cell.right]
    return [to_line(row) for row in to_rows(to_segments(inside))]


def _rows_of(cells: list[list[Line]]) -> list[Row]:
    """One drawn row may hold many printed ones, if its cells have equally many lines."""
    filled = [lines for lines in cells if lines]
    counts = [len(lines) for lines in filled]
    if not counts:
        return []
    usual = max(set(counts), key=counts.count)
    is_many = (
        usual > 1
        and len(filled) >= _MIN_ALIGNED_COLUMNS
        and counts.count(usual) >= len(counts) * _EVEN_SHARE
    )
    if not is_many:
        return [tuple(_joined(lines) for lines in cells)]
    tops = [line.box.top for line in next(lines for lines in filled if len(lines) == usual)]
    borders = [*(b - 1.0 for b in tops[1:]), float("inf")]
    rows: list[Row] = []
    begin = float("-inf")
    for end in borders:
        rows.append(
            tuple(
                _joined([line for line in lines if begin <= line.box.top < end]) for lines in cells
            )
        )
        begin = end
    return rows


def _joined(lines: Sequence[Line]) -> Cell:
    return collapse(" ".join(line.text for line in lines)) or None


def _is_row(line: Line) -> bool:
    return len(line.cells) >= _MIN_ALIGNED_COLUMNS and all(
        len(text) <= _MAX_ALIGNED_CELL_CHARS for _, _, text in line.cells
    )


def _follows(lines: Sequence[Line], start: int, end: int) -> bool:
    if start == end:
        return True
    before, line = lines[end - 1], lines[end]
    return line.box.top - before.box.top < 2.5 * before.box.height


def _align(lines: Sequence[Line]) -> FoundTable | None:
    """Put cells into columns by what they overlap; give up if a cell spans two columns."""
    spans = sorted((left, right) for line in lines for left, right, _ in line.cells)
    columns: list[tuple[float, float]] = []
    for left, right in spans:
        if columns and left < columns[-1][1]:
            columns[-1] = (columns[-1][0], max(columns[-1][1], right))
        else:
            columns.append((left, right))
    if len(columns) < _MIN_ALIGNED_COLUMNS:
        return None
    rows: list[Row] = []
    for line in lines:
        row: list[Cell] = [None] * len(columns)
        for left, right, text in line.cells:
            at = next(i for i, (a, b) in enumerate(columns) if a <= left and right <= b)
            if row[at] is not None:
                return None
            row[at] = text
        rows.append(tuple(row))
    filled = sum(1 for row in rows for cell in row if cell)
    if filled < len(rows) * len(columns) * _EVEN_SHARE:
        return None
    box = Box(
        columns[0][0],
        lines[0].box.top,
        columns[-1][1],
        lines[-1].box.bottom,
    )
    return FoundTable(box, tuple(rows), tuple(left for left, _ in columns))


def is_continued(above: FoundTable, below: FoundTable, *, tolerance: float = 4.0) -> bool:
    """Whether two tables on following pages have the same columns."""
    return len(above.edges) == len(below.edges) and all(
        abs(a - b) <= tolerance for a, b in zip(above.edges, below.edges, strict=True)
    )
