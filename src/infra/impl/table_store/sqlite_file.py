"""One SQLite file of tenant tables: blocking statements, each call on a connection of its own.

A connection costs 0.1 ms, and nothing of one call (a temporary table, a PRAGMA, the authorizer)
is left for the next.
"""

import re
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Lock
from time import monotonic
from typing import Final
from urllib.parse import quote

from infra.contract.table import store as port
from infra.contract.table.sql_guard import GuardedSql
from infra.impl.table_store.cells import TYPES, Answer, require_fit, to_scalar
from infra.impl.table_store.change import DONE

BUSY_TIMEOUT_S: Final = 5.0
READ_BUSY_TIMEOUT_S: Final = 0.5
PROGRESS_STEPS: Final = 20_000_000
"""Virtual machine steps between two looks at the clock, about a second: for the rare statement
that ``Stop`` came too early for. Each look takes the interpreter's lock, and the event loop then
waits until this thread, whose priority is low, has had it.
"""
_FAULTS: Final = frozenset(
    {
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_LOCKED,
        sqlite3.SQLITE_NOMEM,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_CORRUPT,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_PROTOCOL,
        sqlite3.SQLITE_NOTADB,
    }
)
# ``trusted_schema``: what stands in a file's schema may not call functions that reach outside.
_WRITING: Final = ("journal_mode=WAL", "synchronous=FULL", "trusted_schema=OFF")
_READING: Final = ("query_only=ON", "trusted_schema=OFF", "cache_size=-8000", "mmap_size=0")
_LIMITS: Final = (
    (sqlite3.SQLITE_LIMIT_LENGTH, 10_000_000),
    (sqlite3.SQLITE_LIMIT_SQL_LENGTH, 64 * 1024),
    (sqlite3.SQLITE_LIMIT_EXPR_DEPTH, 150),
    (sqlite3.SQLITE_LIMIT_COMPOUND_SELECT, 50),
    (sqlite3.SQLITE_LIMIT_ATTACHED, 0),
)
"""Security specification 4.3; the depth leaves room for conversions the guard writes."""
_COLUMN: Final = re.compile(r'^  "(\w+)" ([A-Z ]+?)( NOT NULL)?,?$', re.ASCII | re.MULTILINE)
_KINDS: Final = {declared: kind for kind, declared in TYPES.items()}


Check = Callable[[int], None]
"""Takes the number of rows of all tables, and raises if there are too many."""


class Stop:
    """Ends the statement of another thread."""

    def __init__(self) -> None:
        self.is_set = False
        self._lock = Lock()
        self._connection: sqlite3.Connection | None = None

    def set(self) -> None:
        """End the statement that runs, or will."""
        self.is_set = True
        with self._lock:
            if self._connection is not None:
                self._connection.interrupt()

    @contextmanager
    def reaching(self, connection: sqlite3.Connection) -> Iterator[None]:
        """Let this connection's statements be ended inside."""
        with self._lock:
            self._connection = connection
        try:
            yield
        finally:
            with self._lock:
                self._connection = None


class SqliteFile:
    """Tables of one space; every method blocks."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def create(self, table: port.PhysicalTable) -> None:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        name = table.ref.name
        with self.writing() as connection:
            known = _definition(connection, name)
            if known is not None:
                if known != create_statement(table):
                    raise port.TableDiffers(f"{name} exists with other columns.")
                return
            connection.execute(create_statement(table))
            for position, column in enumerate(table.indexed):
                connection.execute(f'CREATE INDEX "{name}_i{position}" ON "{name}" ("{column}")')

    def drop(self, name: str) -> None:
        if self._path.exists():
            with self.writing() as connection:
                connection.execute(f'DROP TABLE IF EXISTS "{name}"')

    def remove(self) -> None:
        """Delete the file with everything SQLite keeps beside it."""
        for suffix in ("", "-wal", "-shm"):
            self._path.with_name(self._path.name + suffix).unlink(missing_ok=True)

    def names(self) -> list[str]:
        if not self._path.exists():
            return []
        with self._reading() as connection:
            rows = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
            return sorted(name for (name,) in rows)

    def upsert(self, name: str, rows: Sequence[port.TableRow], check: Check | None = None) -> None:
        with self.writing(existing=name) as connection:
            _, columns = columns_of(connection, name)
            require_fit(columns, rows)
            places = ", ".join("?" * (len(columns) + 1))
            statement = f'INSERT OR REPLACE INTO "{name}" VALUES ({places})'  # noqa: S608
            connection.executemany(statement, [(row.key, *row.cells) for row in rows])
            if check is not None:
                check(count_all(connection))

    def delete(self, name: str, keys: Sequence[int]) -> int:
        with self.writing(existing=name) as connection:
            key, _ = columns_of(connection, name)
            statement = f'DELETE FROM "{name}" WHERE "{key}" = ?'  # noqa: S608 - generated names
            return connection.executemany(statement, [(value,) for value in keys]).rowcount

    def absorb(self, staging: str, into: str) -> int:
        with self.writing(existing=staging) as connection:
            if columns_of(connection, staging) != columns_of(connection, into):
                raise port.TableDiffers(f"{staging} and {into} have other columns.")
            connection.execute(f'INSERT OR REPLACE INTO "{into}" SELECT * FROM "{staging}"')  # noqa: S608
            return _count(connection, staging)

    def count(self, name: str) -> int:
        with self._reading(existing=name) as connection:
            columns_of(connection, name)
            return _count(connection, name)

    def get(self, name: str, keys: Sequence[int]) -> list[port.TableRow]:
        with self._reading(existing=name) as connection:
            key, columns = columns_of(connection, name)
            places = ", ".join("?" * len(keys))
            statement = f'SELECT * FROM "{name}" WHERE "{key}" IN ({places}) ORDER BY "{key}"'  # noqa: S608
            return _rows(columns, connection.execute(statement, list(keys)))

    def scan(self, name: str, after: int, limit: int) -> list[port.TableRow]:
        with self._reading(existing=name) as connection:
            key, columns = columns_of(connection, name)
            statement = f'SELECT * FROM "{name}" WHERE "{key}" > ? ORDER BY "{key}" LIMIT ?'  # noqa: S608
            return _rows(columns, connection.execute(statement, (after, limit)))

    def query(self, sql: GuardedSql, limits: port.QueryLimits, stop: "Stop") -> port.ResultSet:
        """Execute a guarded statement; ``stop`` ends it early."""
        if not self._path.exists():
            raise port.QueryFailed(port.QueryFault.FAILED, "The table is not there any more.")
        deadline = monotonic() + limits.timeout_s
        answer = Answer(sql, limits)
        try:
            with (
                closing(self._open("ro", READ_BUSY_TIMEOUT_S, _READING)) as connection,
                stop.reaching(connection),
            ):
                for limit, value in _LIMITS:
                    connection.setlimit(limit, value)
                connection.set_authorizer(authorizer(sql))
                connection.set_progress_handler(
                    lambda: stop.is_set or monotonic() > deadline, PROGRESS_STEPS
                )
                for row in connection.execute(sql.text, sql.parameters):
                    if not answer.add(row):
                        break
        except sqlite3.Error as exc:
            raise query_error(exc) from exc
        return answer.result()

    @contextmanager
    def writing(self, *, existing: str = "") -> Iterator[sqlite3.Connection]:
        """One transaction; ``existing`` is a table it needs, of a file that may not be there."""
        if existing:
            self._require(existing)
        with _mapped(), closing(self._open("rwc", BUSY_TIMEOUT_S, _WRITING)) as connection:
            connection.execute("BEGIN IMMEDIATE")
            yield connection
            connection.execute("COMMIT")

    @contextmanager
    def _reading(self, *, existing: str = "") -> Iterator[sqlite3.Connection]:
        if existing:
            self._require(existing)
        with _mapped(), closing(self._open("ro", BUSY_TIMEOUT_S, _READING)) as connection:
            yield connection

    def _require(self, name: str) -> None:
        if not self._path.exists():
            raise port.TableMissing(f"There is no table {name}.")

    def _open(self, mode: str, timeout_s: float, pragmas: Sequence[str]) -> sqlite3.Connection:
        connection = sqlite3.connect(
            f"file:{quote(str(self._path))}?mode={mode}",
            uri=True,
            timeout=timeout_s,
            isolation_level=None,
            cached_statements=0,
        )
        try:
            for pragma in pragmas:
                connection.execute(f"PRAGMA {pragma}")
        except BaseException:
            connection.close()
            raise
        return connection


def create_statement(table: port.PhysicalTable) -> str:
    """The text is also what tells later whether a table is the same."""
    lines = [f'  "{table.key_column}" INTEGER PRIMARY KEY']
    lines += [
        f'  "{column.name}" {TYPES[column.kind]}{" NOT NULL" if column.is_required else ""}'
        for column in table.columns
    ]
    return f'CREATE TABLE "{table.ref.name}" (\n' + ",\n".join(lines) + "\n)"


def _definition(connection: sqlite3.Connection, name: str) -> str | None:
    found = connection.execute(
        "SELECT sql FROM sqlite_master WHERE type = 'table' AND name = ?", (name,)
    ).fetchone()
    return None if found is None else str(found[0])


def columns_of(connection: sqlite3.Connection, name: str) -> tuple[str, list[port.PhysicalColumn]]:
    """The key and the other columns, read back from the statement that made the table."""
    definition = _definition(connection, name)
    if definition is None:
        raise port.TableMissing(f"There is no table {name}.")
    (key, _, _), *rest = _COLUMN.findall(definition)
    return key, [
        port.PhysicalColumn(name=column, kind=_KINDS[declared], is_required=bool(required))
        for column, declared, required in rest
    ]


def _count(connection: sqlite3.Connection, name: str) -> int:
    (count,) = connection.execute(f'SELECT COUNT(*) FROM "{name}"').fetchone()  # noqa: S608
    return int(count)


def count_all(connection: sqlite3.Connection) -> int:
    """Count the rows of all tables that tenants fill."""
    names = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
    return sum(_count(connection, name) for (name,) in names if name != DONE)


def _rows(
    columns: Sequence[port.PhysicalColumn], rows: Iterator[Sequence[object]]
) -> list[port.TableRow]:
    return [
        port.TableRow(
            int(str(key)),
            tuple(
                to_scalar(column.kind, value) for column, value in zip(columns, values, strict=True)
            ),
        )
        for key, *values in rows
    ]


def authorizer(
    sql: GuardedSql,
) -> Callable[[int, str | None, str | None, str | None, str | None], int]:
    """Let SQLite itself refuse whatever the guard did not name."""

    def decide(
        action: int, first: str | None, second: str | None, database: str | None, _: str | None
    ) -> int:
        match action:
            case sqlite3.SQLITE_SELECT:
                return sqlite3.SQLITE_OK
            case sqlite3.SQLITE_READ if first in sql.tables and database in {"main", None}:
                return sqlite3.SQLITE_OK
            case sqlite3.SQLITE_READ if first in sql.relations and not second:
                return sqlite3.SQLITE_OK  # a query in WITH, none of whose columns is used
            case sqlite3.SQLITE_FUNCTION if (second or "").lower() in sql.functions:
                return sqlite3.SQLITE_OK
            case _:
                return sqlite3.SQLITE_DENY

    return decide


@contextmanager
def _mapped() -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as exc:
        raise port.TableStoreUnavailable("The table store does not answer; try again.") from exc


def query_error(error: sqlite3.Error) -> Exception:
    """Say why a statement failed, without its text."""
    code = (getattr(error, "sqlite_errorcode", None) or 0) & 0xFF  # the low byte is the primary
    if code == sqlite3.SQLITE_INTERRUPT:
        return port.QueryFailed(port.QueryFault.TIMEOUT, "The query took too long; ask for less.")
    if code == sqlite3.SQLITE_AUTH:
        return port.QueryFailed(port.QueryFault.DENIED, "The query is not allowed.")
    if code in _FAULTS:
        return port.TableStoreUnavailable("The table store does not answer; try again.")
    return port.QueryFailed(port.QueryFault.FAILED, "The query failed while running.")
