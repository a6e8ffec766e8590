"""Port: turns SQL written by a model or a person into SQL that is safe to execute.

The guard compiles the text from scratch: what it does not know does not come out. Names, texts and
comments of the input never reach the engine; texts travel as bound parameters.
"""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Protocol, Self

from domain.shared.error import InvalidRequest

Scalar = str | int | float | bool | None
"""A cell. Dates are texts ``YYYY-MM-DD HH:MM:SS`` without time zone."""


class CellKind(StrEnum):
    """Type of a column as the engine stores it; numbers are 64-bit, dates have no time zone."""

    TEXT = "text"
    INTEGER = "integer"
    FLOAT = "float"
    BOOLEAN = "boolean"
    DATE = "date"


class SqlDialect(StrEnum):
    """Engine that will execute a statement."""

    SQLITE = "sqlite"
    POSTGRES = "postgres"


class Refusal(StrEnum):
    """Why a statement was refused; stable, shown to the model that may correct itself."""

    EMPTY = "empty"
    TOO_LONG = "too_long"
    SYNTAX = "syntax"
    MULTIPLE_STATEMENTS = "multiple_statements"
    NOT_READ_ONLY = "not_read_only"
    FORBIDDEN_CONSTRUCT = "forbidden_construct"
    FORBIDDEN_FUNCTION = "forbidden_function"
    UNKNOWN_TABLE = "unknown_table"
    UNKNOWN_COLUMN = "unknown_column"
    AMBIGUOUS_COLUMN = "ambiguous_column"
    NOT_GROUPED = "not_grouped"
    TYPE_MISMATCH = "type_mismatch"
    TOO_COMPLEX = "too_complex"


class SqlRefused(InvalidRequest):
    """The guard does not let this statement pass; the message can be shown to its author."""

    def __init__(self, reason: Refusal, message: str) -> None:
        super().__init__(message, reason=reason.value)
        self.reason = reason


@dataclass(frozen=True, slots=True, kw_only=True)
class GrantedColumn:
    """A column under the name its author knows and the one it has in the engine.

    A hidden one is there for those who name it, not in ``*``.
    """

    name: str
    physical: str
    kind: CellKind
    is_hidden: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RowFilter:
    """Only rows whose physical ``column`` equals ``value`` exist for the author."""

    column: str
    value: str | int


@dataclass(frozen=True, slots=True, kw_only=True)
class GrantedTable:
    """A table the statement may read; physical names match ``[a-z_][a-z0-9_]{0,62}``.

    ``key_column`` holds the integer key of a row; it has no name for the author. ``row_scope`` is
    applied wherever the table is mentioned, whatever the statement says.
    """

    name: str
    physical: str
    key_column: str
    columns: tuple[GrantedColumn, ...]
    row_scope: tuple[RowFilter, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SqlGrant:
    """Everything one statement may touch: tables of one space."""

    space_id: int
    tables: tuple[GrantedTable, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class OutputColumn:
    """A column of the result; ``kind`` is None for a column of nothing but NULL."""

    name: str
    kind: CellKind | None


class GuardedSql:
    """A statement that passed the guard. ``sealed`` is the guard's alone; a test watches over it.

    ``text`` is ASCII with numbered parameters (``?1`` or ``$1``). With ``has_key`` the last cell of
    each row is the key of the granted row, after the cells of ``columns``. ``is_clamped``: the
    author asked for more rows than ``max_rows``. ``functions`` are those of the engine it calls,
    ``relations`` the names it gives to queries in WITH.
    """

    __slots__ = (
        "columns",
        "dialect",
        "functions",
        "has_key",
        "is_clamped",
        "max_rows",
        "parameters",
        "relations",
        "space_id",
        "tables",
        "text",
    )
    text: str
    parameters: tuple[str | int, ...]
    columns: tuple[OutputColumn, ...]
    tables: frozenset[str]
    relations: frozenset[str]
    functions: frozenset[str]
    dialect: SqlDialect
    space_id: int
    has_key: bool
    max_rows: int
    is_clamped: bool

    def __init__(self) -> None:
        raise TypeError("Only a guard makes guarded SQL.")

    @classmethod
    def sealed(
        cls,
        *,
        text: str,
        parameters: tuple[str | int, ...],
        columns: tuple[OutputColumn, ...],
        tables: frozenset[str],
        relations: frozenset[str],
        functions: frozenset[str],
        dialect: SqlDialect,
        space_id: int,
        has_key: bool,
        max_rows: int,
        is_clamped: bool,
    ) -> Self:
        """Vouch for a statement; called by guards only."""
        guarded = object.__new__(cls)
        guarded.text, guarded.parameters, guarded.columns = text, parameters, columns
        guarded.tables, guarded.relations, guarded.functions = tables, relations, functions
        guarded.dialect, guarded.space_id = dialect, space_id
        guarded.has_key, guarded.max_rows, guarded.is_clamped = has_key, max_rows, is_clamped
        return guarded

    def __repr__(self) -> str:
        return f"GuardedSql({self.text!r})"


class SqlGuard(Protocol):
    """Reads MySQL, as models write it, and writes SQL for one engine with MySQL's meaning."""

    def check(self, sql: str, grant: SqlGrant, *, now: datetime) -> GuardedSql:
        """Compile one reading statement; ``now`` is what ``NOW()`` means.

        Pure computation of up to 0.2 s for the longest statement: call it in a thread.

        Raises:
            SqlRefused: anything but one SELECT over granted tables, columns and known functions.
        """
        ...
