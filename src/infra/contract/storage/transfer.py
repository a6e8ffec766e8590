"""Ports: a whole deployment read out of its stores and written into others, or one file, by steps.

What is moved is named by steps (``rows/message``, ``objects``, ``vectors/kb_1``). The database that
receives keeps how far each step is, so that a move that was killed goes on where it was.
"""

from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, replace
from typing import Final, Protocol

from domain.shared.error import AppError, Conflict, ErrorKind
from infra.contract.storage.object_store import ObjectKey
from infra.contract.storage.search_index import VectorCollection, VectorEntry
from infra.contract.table.store import PhysicalTable

Cell = int | float | str | bytes | bool | None
Row = tuple[Cell, ...]
"""Cells as the database holds them, in the order of the table's columns; decimals as text."""

MAX_ROWS: Final = 500
"""Most rows of one ``page`` or ``write``."""


class TargetOccupied(Conflict):
    """The database that should receive holds data of another origin; use an empty one."""


class TransferBusy(Conflict):
    """Another process moves data into this database right now."""


class TransferUnfinished(AppError):
    """A move into this database did not come to its end; repeat the command that began it."""

    code, kind = 5002, ErrorKind.UNAVAILABLE


class ArchiveUnreadable(AppError):
    """A backup is damaged, incomplete or of another kind."""

    code, kind = 4000, ErrorKind.INVALID


@dataclass(frozen=True, slots=True, kw_only=True)
class RowTable:
    """A table of the product's database."""

    name: str
    columns: tuple[str, ...]
    key: tuple[int, ...]
    """Positions of the columns of the primary key."""

    def key_of(self, row: Row) -> Row:
        return tuple(row[position] for position in self.key)


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """How far one part of a move is; ``cursor`` is the key of what was moved last, encoded."""

    name: str
    cursor: bytes = b""
    done: int = 0
    is_over: bool = False

    def advanced(self, count: int, *, cursor: bytes) -> "Step":
        return replace(self, done=self.done + count, cursor=cursor)

    def ended(self) -> "Step":
        return replace(self, is_over=True)


class RowSnapshot(Protocol):
    """All tables as of one instant."""

    @property
    def tables(self) -> Sequence[RowTable]: ...

    async def count(self, table: str) -> int: ...

    async def page(self, table: str, *, after: Row | None, limit: int) -> list[Row]:
        """Return up to ``limit`` rows whose key is greater, by key."""
        ...


class RowSource(Protocol):
    """A database, or the file of a backup."""

    def snapshot(self) -> AbstractAsyncContextManager[RowSnapshot]: ...

    async def identity(self) -> str:
        """Name the deployment, whatever it has stored since; empty for one without accounts."""
        ...


class RowTarget(RowSource, Protocol):
    """A database that receives; the steps it keeps are no part of its snapshot."""

    def receiving(self) -> AbstractAsyncContextManager[None]:
        """Keep other processes from moving data here meanwhile. Raises ``TransferBusy``."""
        ...

    async def begin(self, origin: str) -> dict[str, Step]:
        """Start or go on with the move from ``origin``; return the steps so far.

        Raises ``TargetOccupied``.
        """
        ...

    async def write(self, table: str, rows: Sequence[Row], step: Step) -> None:
        """Add rows and note the step, both or neither."""
        ...

    async def save(self, step: Step) -> None: ...

    async def clear(self, table: str, step: Step) -> None:
        """Remove all rows of a table and begin its step again."""
        ...

    async def finish(self) -> None:
        """Let the database be used: counters go on after the greatest numbers."""
        ...

    async def unfinished(self) -> str:
        """Name the origin of a move that did not end; empty if there is none."""
        ...


@dataclass(frozen=True, slots=True)
class ListedObject:
    """An object and its size."""

    key: ObjectKey
    size: int


class ObjectCatalogue(Protocol):
    """The keys of an object store."""

    def listed(self, *, after: str = "") -> AsyncIterator[ListedObject]:
        """Yield all objects with a greater key, by key; nothing that is only half written."""
        ...


class TableCatalogue(Protocol):
    """What tables a table store holds."""

    async def tables(self) -> list[PhysicalTable]:
        """All tables of all spaces, by space and name."""
        ...


class VectorSource(Protocol):
    """Stored vectors, as they can be written elsewhere."""

    async def collections(self) -> list[VectorCollection]: ...

    async def read(self, name: str, *, after: int, limit: int) -> list[VectorEntry]:
        """Return up to ``limit`` entries with a greater id, by id."""
        ...


Append = Callable[[bytes], Awaitable[None]]


class ArchiveWriter(Protocol):
    """Takes entries one after the other."""

    def entry(self, name: str, *, is_packed: bool) -> AbstractAsyncContextManager[Append]:
        """Open an entry; ``is_packed`` says that compressing it gains nothing."""
        ...


class FinishedArchive(Protocol):
    """An archive that is written first and read as a whole then."""

    def writing(self) -> AbstractAsyncContextManager[ArchiveWriter]: ...

    @property
    def size(self) -> int:
        """Bytes, once it is written."""
        ...

    def chunks(self) -> AsyncGenerator[bytes, None]: ...


class ArchiveReader(Protocol):
    """Reads entries in any order; each is checked against its checksum on the way.

    Raises ``ArchiveUnreadable``.
    """

    async def names(self) -> list[tuple[str, int]]:
        """Names and sizes of all entries, sorted."""
        ...

    def read(self, name: str) -> AsyncGenerator[bytes, None]: ...
