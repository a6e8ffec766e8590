"""What a deployment has stored, read past it: on SQLite, and on PostgreSQL."""

import asyncio
import sqlite3
from collections import Counter
from collections.abc import Coroutine, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from typing import Any, Final, Protocol

import asyncpg  # type: ignore[import-untyped]
from sqlalchemy.engine import make_url

Rows = Mapping[str, Counter[tuple[Any, ...]]]
Found = tuple[Sequence[str], Sequence[tuple[Any, ...]]]
"""Names of columns, which may be missing where there is no row, and rows."""

_BUSY: Final = frozenset(
    {
        "audit_chain",
        "audit_log",
        "budget_charge",
        "budget_period",
        "budget_portion",
        "duty",
        "inbox",
        "model_call",
        "outbox",
        "trace_text_due",
        "process_log",
        "process_report",
        "process_sample",
        "run_event",
        "usage_rollup",
    }
)
"""Tables that the background moves; whatever enters them changes another table too."""

_BUSY_COLUMNS: Final = frozenset({"last_call", "last_used_at"})
_WORK: Final = (
    "SELECT count(*) FROM run WHERE status IN ('created', 'in_progress')",
    "SELECT count(*) FROM outbox WHERE published_at IS NULL AND topic LIKE 'knowledge.%'",
    "SELECT count(*) FROM knowledge_job WHERE state IN ('waiting', 'running')",
    "SELECT count(*) FROM knowledge_preview WHERE state = 0",
    "SELECT count(*) FROM knowledge_rebuild WHERE state = 'building'",
    "SELECT count(*) FROM knowledge_copy WHERE status = 2",
    "SELECT count(*) FROM workflow_run WHERE phase IN ('created', 'running')",
    "SELECT count(*) FROM data_request WHERE state IN ('pending', 'running')",
    "SELECT count(*) FROM memory_import WHERE status IN ('waiting', 'running')",
)
"""What moves rows in the background until it is done."""


class _Reader(Protocol):
    """A connection beside those of the deployment."""

    tables: str
    """Query for the names of all tables."""
    version: str
    """Query for what is another value once anything was written."""

    def read(self, query: str) -> Found: ...


class Stored:
    """Every row of a database."""

    def __init__(self, reader: _Reader) -> None:
        self._reader = reader
        self._seen: tuple[object, Rows] = (None, {})

    def rows(self) -> Rows:
        """Every stored row, by table; without what merely moves in the background."""
        _, [(version,)] = self._reader.read(self._reader.version)
        if version != self._seen[0]:  # by others, since it was asked last
            tables = [each for each in self._tables() if each not in _BUSY]
            self._seen = version, {table: self._rows_of(table) for table in tables}
        return self._seen[1]

    def dump(self) -> bytes:
        """Everything in all tables, as bytes to search in."""
        return b"\n".join(
            value if isinstance(value, bytes) else str(value).encode()
            for table in self._tables()
            for row in self._rows_of(table)
            for value in row
        )

    def table(self, name: str) -> list[dict[str, Any]]:
        """The rows of one table, by the names of its columns."""
        columns, rows = self._reader.read(_all_of(name))
        return [dict(zip(columns, row, strict=True)) for row in rows]

    def is_busy(self) -> bool:
        """Tell whether a run, an import or indexing is going on."""
        return any(self._reader.read(query)[1][0][0] for query in _WORK)

    def _tables(self) -> list[str]:
        return [name for (name,) in self._reader.read(self._reader.tables)[1]]

    def _rows_of(self, table: str) -> Counter[tuple[Any, ...]]:
        columns, rows = self._reader.read(_all_of(table))
        kept = [index for index, name in enumerate(columns) if name not in _BUSY_COLUMNS]
        return Counter(tuple(row[index] for index in kept) for row in rows)


def _all_of(table: str) -> str:
    return f'SELECT * FROM "{table}"'  # noqa: S608 - a name from the catalog


class _Sqlite:
    tables = (
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB 'sqlite_*' "
        "ORDER BY name"
    )
    version = "PRAGMA data_version"

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def read(self, query: str) -> Found:
        cursor = self._connection.execute(query)
        return [column[0] for column in cursor.description], cursor.fetchall()


class _Postgres:
    """Reads in a thread and on a loop of its own: who asks waits, as for SQLite."""

    tables = "SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename"
    version = "SELECT pg_current_snapshot()::text"

    def __init__(self, address: str) -> None:
        self._thread = ThreadPoolExecutor(1)
        self._runner = asyncio.Runner()
        # Every table is asked again and again: more of them than statements are kept by default.
        self._connection: Any = self._run(asyncpg.connect(address, statement_cache_size=1000))

    def read(self, query: str) -> Found:
        found: Found = self._run(self._read(query))
        return found

    def close(self) -> None:
        self._run(self._connection.close())
        self._thread.submit(self._runner.close).result()
        self._thread.shutdown()

    async def _read(self, query: str) -> Found:
        found = await self._connection.fetch(query)
        return list(found[0].keys()) if found else [], [tuple(row) for row in found]

    def _run(self, work: Coroutine[Any, Any, Any]) -> Any:
        return self._thread.submit(self._runner.run, work).result()


@contextmanager
def opened_store(url: str) -> Iterator[Stored]:
    """Read the database at an address until the block ends."""
    place = make_url(url)
    if place.get_backend_name() == "sqlite":
        assert place.database is not None
        with closing(sqlite3.connect(place.database)) as connection:
            yield Stored(_Sqlite(connection))
        return
    address = place.set(drivername="postgresql").render_as_string(hide_password=False)
    with closing(_Postgres(address)) as reader:
        yield Stored(reader)
