"""Ports: statements that also write, on tables whose rows end users make.

No text of a statement ever writes. The guard turns a change into a reading statement that finds the
rows (and computes new cells), and the store writes those rows by their key in the same transaction.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Final, Literal, Protocol

from domain.shared.error import InvalidRequest
from infra.contract.table.sql_guard import GrantedTable, GuardedSql, Scalar
from infra.contract.table.store import PhysicalTable, QueryLimits, TableRef, TableRow, TableStore

MAX_CHANGED_ROWS: Final = 1000
"""Most rows that one statement reads, changes or removes."""


class TooManyRows(InvalidRequest):
    """A statement matches more rows than one may touch; nothing was changed."""


class NoRoom(InvalidRequest):
    """The table would have more rows than it may; nothing was added."""


class Comparator(StrEnum):
    """How a column is compared with values."""

    EQUAL = "eq"
    NOT_EQUAL = "ne"
    GREATER = "gt"
    LESS = "lt"
    GREATER_EQUAL = "ge"
    LESS_EQUAL = "le"
    IN = "in"
    NOT_IN = "not_in"
    IS_NULL = "is_null"
    IS_NOT_NULL = "is_not_null"
    LIKE = "like"
    NOT_LIKE = "not_like"


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """A test of one column, by the name its author knows; IN takes several values, NULL none."""

    column: str
    comparator: Comparator
    values: tuple[Scalar, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Conditions:
    """Tests that hold all together, or at least one of them."""

    logic: Literal["and", "or"]
    parts: tuple["Comparison | Conditions", ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RowQuery:
    """Rows of one table; an empty ``columns`` means that they are only counted."""

    columns: tuple[str, ...]
    where: Conditions | None = None
    orders: tuple[tuple[str, bool], ...] = ()
    """Columns to sort by; True is ascending."""
    is_distinct: bool = False
    limit: int = MAX_CHANGED_ROWS
    offset: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class GuardedInsert:
    """Rows to be added: cells of constants, in the order of ``columns``."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Scalar, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class GuardedUpdate:
    """``selection`` answers the new cells of ``columns``, and the key of each row to change."""

    columns: tuple[str, ...]
    selection: GuardedSql


@dataclass(frozen=True, slots=True, kw_only=True)
class GuardedDelete:
    """``selection`` answers the key of each row to remove."""

    selection: GuardedSql


GuardedStatement = GuardedSql | GuardedInsert | GuardedUpdate | GuardedDelete


@dataclass(frozen=True, slots=True, kw_only=True)
class TableGrant:
    """The one table that a statement may touch; hidden columns of it cannot be written."""

    space_id: int
    table: GrantedTable


class StatementGuard(Protocol):
    """Compiles statements on one table. Pure computation: call it in a thread."""

    def check(
        self,
        pieces: Sequence[str],
        parameters: Sequence[Scalar],
        grant: TableGrant,
        *,
        now: datetime,
    ) -> GuardedStatement:
        """Compile one SELECT, INSERT … VALUES, UPDATE or DELETE in the dialect of MySQL.

        A parameter stands between each two ``pieces``; it is bound, or names a column where only
        a column can stand.

        Raises:
            SqlRefused: anything else, or UPDATE and DELETE without WHERE.
        """
        ...

    def rows(self, query: RowQuery, grant: TableGrant, *, now: datetime) -> GuardedSql:
        """Compile a query that no author wrote; raise ``SqlRefused`` for an unknown column."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Once:
    """Makes a change happen once: a repetition with this ``key`` answers what the first one did.

    Keys are forgotten after a week.
    """

    key: int
    now: datetime


Revise = Callable[[tuple[Scalar, ...]], tuple[Scalar, ...]]
"""Fits new cells to their columns; what it raises undoes the whole change."""


class ChangingTableStore(TableStore, Protocol):
    """A table store whose rows change one by one. Each call happens as a whole or not at all.

    Any method raises ``TableMissing``, ``TableStoreUnavailable``.
    """

    async def insert(
        self,
        ref: TableRef,
        columns: Sequence[str],
        rows: Sequence[TableRow],
        *,
        once: Once | None = None,
        most: int | None = None,
    ) -> int:
        """Add rows of new keys; other columns are empty. Returns how many.

        Raises ``UnfitRow``, and ``NoRoom`` if the table had more than ``most`` rows then.
        """
        ...

    async def update(
        self,
        ref: TableRef,
        selection: GuardedSql,
        columns: Sequence[str],
        revise: Revise,
        *,
        limits: QueryLimits,
        once: Once | None = None,
    ) -> int:
        """Write what ``revise`` makes of each selected row.

        Raises ``QueryFailed``, ``TooManyRows``, ``UnfitRow``.
        """
        ...

    async def remove(
        self,
        ref: TableRef,
        selection: GuardedSql,
        *,
        limits: QueryLimits,
        once: Once | None = None,
    ) -> int:
        """Remove the selected rows. Raises ``QueryFailed``, ``TooManyRows``."""
        ...

    async def reshape(self, table: PhysicalTable) -> None:
        """Give a table these columns; cells of columns that had the name before stay."""
        ...

    async def rewrite(
        self, ref: TableRef, source: str, target: str, convert: Callable[[Scalar], Scalar]
    ) -> None:
        """Fill the column ``target`` with what ``convert`` makes of ``source``, in every row."""
        ...

    async def clear(self, ref: TableRef) -> None:
        """Remove all rows."""
        ...
