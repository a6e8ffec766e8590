"""Port: tables whose columns tenants define, apart from the platform's own database."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Protocol

from domain.shared.error import AppError, Conflict, ErrorKind, InvalidRequest, NotFound, Unavailable
from infra.contract.table.sql_guard import CellKind, GuardedSql, OutputColumn, Scalar, SqlDialect

MAX_ROWS_PER_CALL: Final = 500
"""Most rows of one ``upsert``."""
MAX_KEYS_PER_CALL: Final = 1000
"""Most keys of one ``delete`` or ``get``."""
MAX_COLUMNS: Final = 128
_IDENTIFIER: Final = re.compile(r"[a-z_][a-z0-9_]{0,62}", re.ASCII)


class TableMissing(NotFound):
    """No physical table has this name in this space."""


class TableDiffers(Conflict):
    """A table of this name exists with other columns."""


class UnfitRow(InvalidRequest):
    """A row has another width, or a cell another type, than the table."""


class TableStoreUnavailable(Unavailable):
    """The engine cannot be reached, is full or locked; try again."""


class QueryFault(StrEnum):
    """Why the engine gave up on a statement that the guard let pass."""

    TIMEOUT = "timeout"
    DENIED = "denied"
    """It would have touched something the guard did not name: a defect of the guard."""
    FAILED = "failed"
    """It failed while running: an overflow, a text that is no date."""


class QueryFailed(AppError):
    """A guarded statement did not finish."""

    code, kind = 4000, ErrorKind.INVALID

    def __init__(self, fault: QueryFault, message: str) -> None:
        super().__init__(message, fault=fault.value)
        self.fault = fault


@dataclass(frozen=True, slots=True)
class TableRef:
    """A physical table; spaces share nothing. ``name`` is generated, never a user's text."""

    space_id: int
    name: str

    def __post_init__(self) -> None:
        if self.space_id <= 0:
            raise ValueError(f"No space: {self.space_id}")
        require_identifier(self.name)


@dataclass(frozen=True, slots=True, kw_only=True)
class PhysicalColumn:
    """A column; ``name`` is generated."""

    name: str
    kind: CellKind
    is_required: bool = False

    def __post_init__(self) -> None:
        require_identifier(self.name)


@dataclass(frozen=True, slots=True, kw_only=True)
class PhysicalTable:
    """A table to be: an integer key and columns. ``indexed`` names columns to look rows up by."""

    ref: TableRef
    key_column: str
    columns: tuple[PhysicalColumn, ...]
    indexed: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        require_identifier(self.key_column)
        names = [self.key_column, *(column.name for column in self.columns)]
        if len(set(names)) != len(names) or len(self.columns) > MAX_COLUMNS:
            raise ValueError(f"{self.ref.name}: {len(names)} columns, or one of them twice")
        if not set(self.indexed) <= set(names):
            raise ValueError(f"{self.ref.name}: an index on a column that is not there")


@dataclass(frozen=True, slots=True)
class TableRow:
    """One row: its key and its cells in the order of the table's columns."""

    key: int
    cells: tuple[Scalar, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryLimits:
    """What one statement may cost; longer cells are cut, further rows dropped."""

    timeout_s: float
    cell_chars: int
    result_bytes: int
    max_wait_s: float | None = None
    """How long a query waits for its turn, however many do; None leaves it to the store."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultSet:
    """Rows of a query. ``keys`` has one key per row if the statement carries keys, else is empty.

    ``is_truncated``: there are more rows, or a cell was cut.
    """

    columns: tuple[OutputColumn, ...]
    rows: tuple[tuple[Scalar, ...], ...]
    keys: tuple[int, ...] = ()
    is_truncated: bool = False


class TableStore(Protocol):
    """Physical tables of all spaces. A call that returned is durable and seen by every later one.

    A table filled beside the one in use takes its place by the caller's own switch (a re-index),
    or is moved into it by ``absorb`` (an append), so that no query sees half a job.
    Any method raises ``TableStoreUnavailable``.
    """

    @property
    def dialect(self) -> SqlDialect:
        """What the guard must write for ``query``."""
        ...

    async def create(self, table: PhysicalTable) -> None:
        """Make an empty table; an equal one is no error. Raises ``TableDiffers``."""
        ...

    async def drop(self, ref: TableRef) -> None:
        """Remove a table with its rows; an absent one is no error."""
        ...

    async def drop_space(self, space_id: int) -> None:
        """Remove all tables of a space."""
        ...

    async def names(self, space_id: int) -> list[str]:
        """Names of all tables of a space, sorted: what a reconciler compares."""
        ...

    async def upsert(self, ref: TableRef, rows: Sequence[TableRow]) -> None:
        """Add or replace up to ``MAX_ROWS_PER_CALL`` rows by key, all or none.

        Raises ``UnfitRow``, ``TableMissing``.
        """
        ...

    async def delete(self, ref: TableRef, keys: Sequence[int]) -> int:
        """Remove up to ``MAX_KEYS_PER_CALL`` rows; absent ones are no error. Returns how many."""
        ...

    async def absorb(self, staging: TableRef, *, into: TableRef) -> int:
        """Copy all rows of ``staging`` in one step, by key; repeating it changes nothing.

        Both have equal columns and belong to one space. Returns how many rows ``staging`` has.
        Raises ``TableMissing``, ``TableDiffers``.
        """
        ...

    async def get(self, ref: TableRef, keys: Sequence[int]) -> list[TableRow]:
        """Return those of up to ``MAX_KEYS_PER_CALL`` rows that exist, by key."""
        ...

    async def scan(self, ref: TableRef, *, after: int, limit: int) -> list[TableRow]:
        """Return up to ``limit`` rows with a greater key, by key. Raises ``TableMissing``."""
        ...

    async def count(self, ref: TableRef) -> int: ...

    async def query(self, sql: GuardedSql, *, limits: QueryLimits) -> ResultSet:
        """Execute on a connection that can only read, and only what the guard named.

        Cancelling the call stops the statement. Raises ``QueryFailed``.
        """
        ...


def require_identifier(name: str) -> None:
    """Raise ``ValueError`` unless ``name`` can stand in SQL as it is."""
    if not _IDENTIFIER.fullmatch(name) or name.startswith(("sqlite_", "pg_")):
        raise ValueError(f"Not a generated name: {name!r}")
