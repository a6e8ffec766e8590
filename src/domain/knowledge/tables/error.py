"""What is wrong with tables; codes are those of the Coze wire, none is worth a retry."""

from collections.abc import Sequence
from dataclasses import dataclass

from domain.shared.error import ErrorKind, InvalidRequest


@dataclass(frozen=True, slots=True, kw_only=True)
class CellProblem:
    """A cell that cannot be stored; ``row`` counts as the file's reader does, from 1."""

    sheet: str
    row: int
    column: str
    value: str
    reason: str

    def __str__(self) -> str:
        place = f"{self.sheet}, row {self.row}" if self.sheet else f"row {self.row}"
        return f"{place}, {self.column}: {self.value!r} is {self.reason}"


class NoSemanticColumn(InvalidRequest):
    """A table needs one column that its rows are found by."""

    code, kind = 105000013, ErrorKind.INVALID


class DuplicateColumn(InvalidRequest):
    """Two columns have the same name."""

    code, kind = 105000016, ErrorKind.INVALID


class ColumnsUnfit(InvalidRequest):
    """Too many columns, one without a name or with one too long, or others than the table has."""

    code, kind = 105000026, ErrorKind.INVALID


class RowsUnfit(InvalidRequest):
    """Cells of a file cannot be stored; the message names the first ones."""

    code, kind = 105000026, ErrorKind.INVALID

    def __init__(self, cells: Sequence[CellProblem]) -> None:
        super().__init__("\n".join(["The table was not changed.", *map(str, cells)]))
        self.cells = tuple(cells)


class TableSliceUnfit(InvalidRequest):
    """A row given by hand has unknown columns, cells of a wrong type, or nothing to be found by."""

    code, kind = 105000037, ErrorKind.INVALID
