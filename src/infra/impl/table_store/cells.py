"""Cells on their way in and out: checked against the table, cut to the limits of an answer."""

import math
import re
from collections.abc import Sequence
from decimal import Decimal
from typing import Final

from infra.contract.table import store as port
from infra.contract.table.sql_guard import CellKind, GuardedSql, Scalar

TYPES: Final = {
    CellKind.TEXT: "TEXT",
    CellKind.INTEGER: "BIGINT",
    CellKind.FLOAT: "DOUBLE PRECISION",
    CellKind.BOOLEAN: "BOOLEAN",
    CellKind.DATE: "TIMESTAMP",
}
"""Declared types; both engines read them."""
_DATE: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}", re.ASCII)
_MAX_INTEGER: Final = 2**63 - 1


def require_fit(columns: Sequence[port.PhysicalColumn], rows: Sequence[port.TableRow]) -> None:
    """Raise ``UnfitRow`` unless every row can be stored as it is."""
    if len(rows) > port.MAX_ROWS_PER_CALL:
        raise port.UnfitRow(f"Up to {port.MAX_ROWS_PER_CALL} rows go into one call.")
    for row in rows:
        if len(row.cells) != len(columns) or not 0 <= row.key <= _MAX_INTEGER:
            raise port.UnfitRow(f"Row {row.key} does not have {len(columns)} cells.")
        for column, cell in zip(columns, row.cells, strict=True):
            if cell is None and column.is_required:
                raise port.UnfitRow(f"Row {row.key}: {column.name} cannot be empty.")
            if cell is not None and not _fits(column.kind, cell):
                raise port.UnfitRow(f"Row {row.key}: {column.name} is no {column.kind.value}.")


def require_few(keys: Sequence[int]) -> None:
    """Raise ``UnfitRow`` for more keys than one call takes."""
    if len(keys) > port.MAX_KEYS_PER_CALL:
        raise port.UnfitRow(f"Up to {port.MAX_KEYS_PER_CALL} rows are named in one call.")


def _fits(kind: CellKind, cell: str | float | bool) -> bool:
    match cell:
        case bool():
            return kind is CellKind.BOOLEAN
        case str():
            return (kind is CellKind.TEXT and _is_text(cell)) or (
                kind is CellKind.DATE and _is_date(cell)
            )
        case int():
            return kind in {CellKind.INTEGER, CellKind.FLOAT} and abs(cell) <= _MAX_INTEGER
        case float():
            return kind is CellKind.FLOAT and math.isfinite(cell)


def _is_text(cell: str) -> bool:
    """PostgreSQL stores no NUL, and nobody half a surrogate pair."""
    try:
        return b"\0" not in cell.encode()
    except UnicodeEncodeError:
        return False


def _is_date(cell: str) -> bool:
    return _DATE.fullmatch(cell) is not None


def to_scalar(kind: CellKind | None, value: object) -> Scalar:
    """Turn what an engine answers into a cell of this kind."""
    match value:
        case None:
            return None
        case bool() | int() | float() | Decimal() if kind is CellKind.BOOLEAN:
            return bool(value)
        case int() | float() | Decimal() if kind is CellKind.INTEGER:
            return int(value)
        case int() | float() | Decimal():
            return _finite(float(value))
        case bytes():
            return value.decode(errors="replace")
        case _:
            return str(value)


def _finite(value: float) -> float | None:
    """No answer has infinity or NaN: JSON has no word for them."""
    return value if math.isfinite(value) else None


class Answer:
    """Collects the rows of one query within its limits."""

    def __init__(self, sql: GuardedSql, limits: port.QueryLimits) -> None:
        self._sql = sql
        self._limits = limits
        self._rows: list[tuple[Scalar, ...]] = []
        self._keys: list[int] = []
        self._bytes = 0
        self._is_cut = False

    def add(self, values: Sequence[object]) -> bool:
        """Take a row; False when no further one is wanted."""
        columns = self._sql.columns
        cells = tuple(
            self._fit(to_scalar(column.kind, value))
            for column, value in zip(columns, values[: len(columns)], strict=True)
        )
        size = sum(len(cell.encode()) if isinstance(cell, str) else 8 for cell in cells)
        if self._bytes + size > self._limits.result_bytes:
            self._is_cut = True
            return False
        self._bytes += size
        self._rows.append(cells)
        if self._sql.has_key:
            self._keys.append(int(str(values[len(columns)])))
        return len(self._rows) < self._sql.max_rows

    def result(self) -> port.ResultSet:
        """Everything taken so far."""
        is_full = self._sql.is_clamped and len(self._rows) >= self._sql.max_rows
        return port.ResultSet(
            columns=self._sql.columns,
            rows=tuple(self._rows),
            keys=tuple(self._keys),
            is_truncated=self._is_cut or is_full,
        )

    def _fit(self, cell: Scalar) -> Scalar:
        if isinstance(cell, str) and len(cell) > self._limits.cell_chars:
            self._is_cut = True
            return cell[: self._limits.cell_chars]
        return cell
