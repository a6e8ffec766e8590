"""What both engines share when rows change: the memory of changes that happened, and checks."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from infra.contract.table import store as port
from infra.contract.table.change import MAX_CHANGED_ROWS, NoRoom, Revise, TooManyRows
from infra.contract.table.sql_guard import CellKind
from infra.impl.table_store.cells import require_fit

DONE: Final = "changes_done"
"""Table of keys of changes, one in each space."""
KEPT: Final = timedelta(days=7)
_STAMP: Final = "%Y-%m-%d %H:%M:%S"


def done_table(space_id: int) -> port.PhysicalTable:
    """Where a space remembers its changes."""
    return port.PhysicalTable(
        ref=port.TableRef(space_id, DONE),
        key_column="id",
        columns=(
            port.PhysicalColumn(name="affected", kind=CellKind.INTEGER, is_required=True),
            port.PhysicalColumn(name="made_at", kind=CellKind.TEXT, is_required=True),
        ),
        indexed=("made_at",),
    )


def stamp(moment: datetime) -> str:
    """An instant as texts compare it."""
    return moment.strftime(_STAMP)


def require_room(rows: int, *, most: int | None) -> None:
    """Raise ``NoRoom`` if a table with so many rows has too many."""
    if most is not None and rows > most:
        raise NoRoom(f"A table holds up to {most} rows; remove some first.")


def chosen(
    columns: Sequence[port.PhysicalColumn], names: Sequence[str]
) -> list[port.PhysicalColumn]:
    """The columns of these names; raise ``UnfitRow`` for one that the table does not have."""
    known = {column.name: column for column in columns}
    if missing := [name for name in names if name not in known]:
        raise port.UnfitRow(f"The table has no column {missing[0]}.")
    return [known[name] for name in names]


def revised(
    found: port.ResultSet, columns: Sequence[port.PhysicalColumn], revise: Revise
) -> list[port.TableRow]:
    """Rows with their new cells; raise what ``revise`` raises, or ``UnfitRow``."""
    rows = [
        port.TableRow(key, revise(cells)) for key, cells in zip(found.keys, found.rows, strict=True)
    ]
    require_all_fit(columns, rows)
    return rows


def require_all_fit(columns: Sequence[port.PhysicalColumn], rows: Sequence[port.TableRow]) -> None:
    """Raise ``UnfitRow`` unless every row can be stored, however many there are."""
    for start in range(0, len(rows), port.MAX_ROWS_PER_CALL):
        require_fit(columns, rows[start : start + port.MAX_ROWS_PER_CALL])


def require_bounded(found: port.ResultSet) -> None:
    """Raise ``TooManyRows`` unless all rows that match are there, whole."""
    if len(found.rows) > MAX_CHANGED_ROWS or found.is_truncated:
        raise TooManyRows(f"One statement changes up to {MAX_CHANGED_ROWS} rows; narrow it.")


def changing(limits: port.QueryLimits) -> port.QueryLimits:
    """Limits under which nothing is cut: a cell that was cut must never be written back."""
    return port.QueryLimits(
        timeout_s=limits.timeout_s, cell_chars=10_000_000, result_bytes=16 * 1024 * 1024
    )
