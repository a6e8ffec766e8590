"""The schema of a table: defined, checked against files, and translated for store and guard."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Self

import msgspec

from domain.knowledge.tables.column import (
    CellUnfit,
    Column,
    ColumnType,
    convert,
    infer_types,
    is_empty,
)
from domain.knowledge.tables.error import (
    CellProblem,
    ColumnsUnfit,
    DuplicateColumn,
    NoSemanticColumn,
    RowsUnfit,
    TableSliceUnfit,
)
from domain.knowledge.text.row import NamedCell, RowSlice, slice_of_row
from infra.contract.table.sql_guard import GrantedColumn, GrantedTable, Scalar
from infra.contract.table.store import PhysicalColumn, PhysicalTable, TableRef

MAX_COLUMNS: Final = 100
MAX_COLUMNS_OF_FILE: Final = 50
MAX_NAME_CHARS: Final = 100
REPORTED_CELLS: Final = 20
"""Cells that an error names; the author corrects the pattern, not each of them."""
SHOWN_CHARS: Final = 50
_ROW: Final = msgspec.json.Decoder(dict[str, Scalar])
KEY_COLUMN: Final = "_knowledge_document_slice_id"


@dataclass(frozen=True, slots=True)
class TableSchema:
    """Columns of one table, in order, at least one of them semantic. Build it with ``of``."""

    columns: tuple[Column, ...]

    @classmethod
    def of(cls, columns: Iterable[Column]) -> Self:
        """Check a definition.

        Raises:
            ColumnsUnfit: none, more than 100, or a name that is empty or too long.
            DuplicateColumn: two names are equal without regard to surrounding spaces.
            NoSemanticColumn: nothing to find rows by.
        """
        ordered = tuple(sorted(columns, key=lambda column: column.sequence))
        names = [column.name.strip() for column in ordered]
        if not 0 < len(ordered) <= MAX_COLUMNS:
            raise ColumnsUnfit(f"A table has 1 to {MAX_COLUMNS} columns.")
        if not all(0 < len(name) <= MAX_NAME_CHARS for name in names):
            raise ColumnsUnfit(f"A column's name has 1 to {MAX_NAME_CHARS} characters.")
        if len(set(names)) != len(names):
            twice = next(name for name in names if names.count(name) > 1)
            raise DuplicateColumn(f"There are two columns {twice!r}.", column=twice)
        if not any(column.is_semantic for column in ordered):
            raise NoSemanticColumn("Choose at least one column to find rows by.")
        return cls(ordered)

    @classmethod
    def infer(
        cls, header: Sequence[str], rows: Sequence[Sequence[str | None]], *, ids: Sequence[int]
    ) -> Self:
        """Guess a schema from a file: types from its first rows, the first column semantic."""
        if len(header) > MAX_COLUMNS_OF_FILE:
            raise ColumnsUnfit(f"A file has up to {MAX_COLUMNS_OF_FILE} columns.")
        types = infer_types(rows, len(header))
        return cls.of(
            Column(id=id_, name=name.strip(), type=type_, is_semantic=not n, sequence=n)
            for n, (id_, name, type_) in enumerate(zip(ids, header, types, strict=True))
        )

    def read(
        self,
        header: Sequence[str],
        rows: Sequence[Sequence[Scalar]],
        *,
        sheet: str = "",
        first_row: int = 2,
        ignores_extra: bool = False,
    ) -> list[tuple[Scalar, ...]]:
        """Convert the rows of a file, whose columns may be in any order, to cells in our order.

        ``ignores_extra`` lets the file have more columns than the table.

        Raises:
            ColumnsUnfit: the file has other columns.
            RowsUnfit: a value does not fit its column, or a semantic column is empty; nothing may
                be written then. ``cells`` has the first problems.
        """
        positions = self._positions(header, ignores_extra=ignores_extra)
        problems: list[CellProblem] = []
        result = []
        for number, row in enumerate(rows, first_row):
            values = [row[at] if at < len(row) else None for at in positions]
            cells = []
            for column, value in zip(self.columns, values, strict=True):
                cell, reason = _cell(column, value)
                cells.append(cell)
                if reason and len(problems) < REPORTED_CELLS:
                    shown = "" if value is None else str(value)[:SHOWN_CHARS]
                    problems.append(
                        CellProblem(
                            sheet=sheet, row=number, column=column.name, value=shown, reason=reason
                        )
                    )
            result.append(tuple(cells))
        if problems:
            raise RowsUnfit(problems)
        return result

    def read_slice(
        self, values: Mapping[int, Scalar], *, current: Sequence[Scalar] | None = None
    ) -> tuple[Scalar, ...]:
        """Convert a row given by column id; what is not given stays as in ``current``, or empty.

        Raises:
            TableSliceUnfit: a column is unknown, a value of another type, a semantic one empty.
        """
        if unknown := values.keys() - {column.id for column in self.columns}:
            raise TableSliceUnfit(f"There is no column {min(unknown)}.")
        cells = []
        for position, column in enumerate(self.columns):
            kept = current[position] if current is not None else None
            cell, reason = _cell(column, values.get(column.id, kept))
            if reason:
                raise TableSliceUnfit(f"{column.name}: the value is {reason}.", column=column.name)
            cells.append(cell)
        return tuple(cells)

    def cells(self, content: str) -> tuple[Scalar, ...]:
        """Return the cells of a row from the content of its slice."""
        values = _ROW.decode(content)
        return tuple(values.get(column.name) for column in self.columns)

    def slice(self, cells: Sequence[Scalar]) -> RowSlice:
        """Return what a row is read and found by."""
        return slice_of_row(
            [
                NamedCell(column=column.name, value=cell, is_indexed=column.is_semantic)
                for column, cell in zip(self.columns, cells, strict=True)
            ]
        )

    def physical(self, ref: TableRef) -> PhysicalTable:
        """Return the table as the store makes it."""
        return PhysicalTable(
            ref=ref,
            key_column=KEY_COLUMN,
            columns=tuple(
                PhysicalColumn(
                    name=column.physical_name, kind=column.kind, is_required=column.is_semantic
                )
                for column in self.columns
            ),
        )

    def grant(self, ref: TableRef, *, name: str) -> GrantedTable:
        """Return the table as SQL may name it: by ``name`` and the names of the columns."""
        return GrantedTable(
            name=name,
            physical=ref.name,
            key_column=KEY_COLUMN,
            columns=tuple(
                GrantedColumn(name=column.name, physical=column.physical_name, kind=column.kind)
                for column in self.columns
            ),
        )

    def _positions(self, header: Sequence[str], *, ignores_extra: bool) -> list[int]:
        names = [name.strip() for name in header]
        wanted = [column.name.strip() for column in self.columns]
        missing = [name for name in wanted if name not in names]
        extra = [name for name in names if name not in wanted]
        if missing or (not ignores_extra and sorted(names) != sorted(wanted)):
            raise ColumnsUnfit(
                "The file must have the columns of the table. "
                f"Missing: {', '.join(missing) or 'none'}; unknown: {', '.join(extra) or 'none'}.",
                missing=missing,
                extra=extra,
            )
        return [names.index(name) for name in wanted]


def table_name(document_id: int, generation: int) -> str:
    """Return the name of the physical table of one generation of a document."""
    return f"{table_prefix(document_id)}{generation:d}"


def table_prefix(document_id: int) -> str:
    """Return how the names of all physical tables of a document begin."""
    return f"table_{document_id:d}_"


def type_name(column_type: ColumnType) -> str:
    """Return the type as authors and models call it."""
    return column_type.name.lower()


def _cell(column: Column, value: Scalar) -> tuple[Scalar, str]:
    """Return the cell and why it cannot be one."""
    if is_empty(value):
        return None, "empty" if column.is_semantic else ""
    try:
        return convert(value, column.type), ""
    except CellUnfit as exc:
        return None, str(exc)
