"""Table store on PostgreSQL: a schema per space, and a role for queries that can only read them."""

import asyncio
import json
import re
from collections.abc import AsyncGenerator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from datetime import datetime
from typing import Any, Final
from zlib import crc32

import asyncpg  # type: ignore[import-untyped]

from domain.shared.capacity.fair_share import OF_THE_DEPLOYMENT
from domain.shared.capacity.share_meter import ShareFigures
from domain.shared.capacity.space_limits import SpaceLimitsOf, as_deployed
from infra.contract.table import store as port
from infra.contract.table.change import Once, Revise
from infra.contract.table.sql_guard import CellKind, GuardedSql, Scalar, SqlDialect
from infra.impl.table_store.cells import TYPES, Answer, require_few, require_fit, to_scalar
from infra.impl.table_store.change import (
    DONE,
    KEPT,
    changing,
    chosen,
    done_table,
    require_all_fit,
    require_bounded,
    require_room,
    revised,
    stamp,
)
from infra.impl.table_store.quota import RowQuota
from infra.impl.table_store.turn import AT_ONCE, TableTurns, turn

WRITERS: Final = AT_ONCE
READERS: Final = AT_ONCE
TURN_WAIT_S: Final = 5.0
ACQUIRE_TIMEOUT_S: Final = 5.0
COMMAND_TIMEOUT_S: Final = 30.0
CLOSE_TIMEOUT_S: Final = 5.0
ROLE: Final = "coterie_data"
CHUNK_ROWS: Final = 50
QUOTA_LOCK: Final = 0x726F7773
DDL_LOCK: Final = 0x636F74657269
"""Key of the advisory lock around changes of schemas and roles."""
_READER_SETTINGS: Final = {
    "default_transaction_read_only": "on",
    "lock_timeout": "500",
    "idle_in_transaction_session_timeout": "5000",
    "work_mem": "8MB",
    "jit": "off",
}
_KINDS: Final = {
    "text": CellKind.TEXT,
    "bigint": CellKind.INTEGER,
    "double precision": CellKind.FLOAT,
    "boolean": CellKind.BOOLEAN,
    "timestamp without time zone": CellKind.DATE,
}
_SILENT: Final = "The table store does not answer; try again."
TOO_LONG: Final = "The query took too long; ask for less."
_STAMP: Final = "%Y-%m-%d %H:%M:%S"
_COLUMNS: Final = """
    SELECT a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull
    FROM pg_attribute AS a
    JOIN pg_class AS c ON c.oid = a.attrelid
    JOIN pg_namespace AS n ON n.oid = c.relnamespace
    WHERE n.nspname = $1 AND c.relname = $2 AND a.attnum > 0 AND NOT a.attisdropped
    ORDER BY a.attnum
"""
_FOREIGN_NODES: Final = frozenset(
    {
        "Foreign Scan",
        "Function Scan",
        "ModifyTable",
        "Named Tuplestore Scan",
        "Recursive Union",
        "Sample Scan",
        "Table Function Scan",
    }
)
"""Steps of a plan that no guarded statement leads to."""
_LITERAL: Final = re.compile(r"'(?:[^']|'')*'")
_CALL: Final = re.compile(r"(\w+)\(")
_HAS_EFFECT: Final = """
    SELECT EXISTS (
        SELECT 1 FROM pg_proc
        WHERE proname = ANY($1::text[]) AND provolatile = 'v' AND proname <> 'random'
    )
"""
"""Whether one of these functions does more than compute: takes back the role, runs other SQL."""

_WEAK_ROLE: Final = """
    SELECT NOT (rolsuper OR rolcreaterole OR rolcreatedb OR rolreplication OR rolbypassrls)
    FROM pg_roles WHERE rolname = $1
"""
_UNAVAILABLE: Final = (
    asyncpg.PostgresConnectionError,
    asyncpg.InsufficientResourcesError,
    asyncpg.OperatorInterventionError,
    asyncpg.TransactionRollbackError,
    asyncpg.LockNotAvailableError,
    asyncpg.InterfaceError,
    OSError,
    TimeoutError,
)


class PostgresTableStore:
    """Schemas ``dyn_<space>`` in one database.

    ``url`` belongs to the owner of the tables. Queries run as another role: the login of
    ``reader_url``, or without it ``coterie_data``, which the owner makes and switches to.

    A change locks its table against other changes, finds its rows as the role of queries, and
    writes them by key as the owner.
    """

    dialect = SqlDialect.POSTGRES

    def __init__(
        self,
        url: str,
        *,
        reader_url: str = "",
        most_rows: int = 0,
        limits_of: SpaceLimitsOf = as_deployed,
        figures: ShareFigures | None = None,
    ) -> None:
        """``most_rows`` of a space in all its tables unless it has a limit of its own; 0: any."""
        self._quota = RowQuota(most_rows, limits_of)
        self._turns = TableTurns(wait_s=TURN_WAIT_S, figures=figures)
        self._url = _plain(url)
        self._reader_url = _plain(reader_url)
        self._role = "" if reader_url else ROLE
        self._is_ready = False
        self._preparing = asyncio.Lock()
        self._writers: asyncpg.Pool[asyncpg.Record] | None = None
        self._readers: asyncpg.Pool[asyncpg.Record] | None = None

    async def start(self) -> None:
        """Make the pools; they connect when first used."""
        common: dict[str, Any] = {
            "min_size": 0,
            "statement_cache_size": 0,
            "timeout": ACQUIRE_TIMEOUT_S,
            "command_timeout": COMMAND_TIMEOUT_S,
        }
        self._writers = await asyncpg.create_pool(self._url, max_size=WRITERS, **common)
        self._readers = await asyncpg.create_pool(
            self._reader_url or self._url,
            max_size=READERS,
            server_settings=_READER_SETTINGS,
            **common,
        )

    async def aclose(self) -> None:
        for pool in (self._writers, self._readers):
            if pool is None:
                continue
            try:
                async with asyncio.timeout(CLOSE_TIMEOUT_S):
                    await pool.close()
            except TimeoutError:
                pool.terminate()

    async def create(self, table: port.PhysicalTable) -> None:
        schema, name = schema_of(table.ref.space_id), table.ref.name
        lines = [f'"{table.key_column}" BIGINT PRIMARY KEY']
        lines += [definition(column) for column in table.columns]
        await self._prepare()
        async with self._write(table.ref.space_id) as connection:
            await connection.execute("SELECT pg_advisory_xact_lock($1)", DDL_LOCK)
            known = await connection.fetch(_COLUMNS, schema, name)
            if known:
                if read_columns(known) != (table.key_column, list(table.columns)):
                    raise port.TableDiffers(f"{name} exists with other columns.")
                return
            await connection.execute(f"CREATE SCHEMA IF NOT EXISTS {schema}")
            await connection.execute(f"GRANT USAGE ON SCHEMA {schema} TO {self._role}")
            await connection.execute(f'CREATE TABLE {schema}."{name}" ({", ".join(lines)})')
            await connection.execute(f'GRANT SELECT ON {schema}."{name}" TO {self._role}')
            for position, column in enumerate(table.indexed):
                index = f'"{name}_i{position}"'
                await connection.execute(f'CREATE INDEX {index} ON {schema}."{name}" ("{column}")')

    async def drop(self, ref: port.TableRef) -> None:
        async with self._write(ref.space_id) as connection:
            if await connection.fetch(_COLUMNS, schema_of(ref.space_id), ref.name):
                await connection.execute(f"DROP TABLE IF EXISTS {table_of(ref)}")

    async def drop_space(self, space_id: int) -> None:
        async with self._write(space_id) as connection:
            await connection.execute(f"DROP SCHEMA IF EXISTS {schema_of(space_id)} CASCADE")

    async def names(self, space_id: int) -> list[str]:
        async with self._write(space_id) as connection:
            rows = await connection.fetch(
                "SELECT tablename FROM pg_tables WHERE schemaname = $1", schema_of(space_id)
            )
        return sorted(str(row[0]) for row in rows)

    async def upsert(self, ref: port.TableRef, rows: Sequence[port.TableRow]) -> None:
        async with self._write(ref.space_id) as connection:
            key, columns = await columns_of(connection, ref)
            require_fit(columns, rows)
            must_count = await self._must_count(connection, ref.space_id, len(rows))
            places = ", ".join(f"${number}" for number in range(1, len(columns) + 2))
            await connection.executemany(
                f"INSERT INTO {table_of(ref)} VALUES ({places}) {_on_conflict(key, columns)}",  # noqa: S608
                [(row.key, *to_driver(columns, row.cells)) for row in rows],
            )
            if must_count:
                self._quota.check(ref.space_id, await count_all(connection, ref.space_id))

    async def delete(self, ref: port.TableRef, keys: Sequence[int]) -> int:
        require_few(keys)
        async with self._write(ref.space_id) as connection:
            key, _ = await columns_of(connection, ref)
            done = await connection.execute(
                f'DELETE FROM {table_of(ref)} WHERE "{key}" = ANY($1::BIGINT[])',  # noqa: S608
                list(keys),
            )
        return int(done.rsplit(" ", 1)[-1])

    async def absorb(self, staging: port.TableRef, *, into: port.TableRef) -> int:
        if staging.space_id != into.space_id:
            raise port.TableDiffers("Rows move within one space only.")
        async with self._write(into.space_id) as connection:
            key, columns = await columns_of(connection, into)
            if await columns_of(connection, staging) != (key, columns):
                raise port.TableDiffers(f"{staging.name} and {into.name} have other columns.")
            done = await connection.execute(
                f"INSERT INTO {table_of(into)} SELECT * FROM {table_of(staging)} "  # noqa: S608
                f"{_on_conflict(key, columns)}"
            )
        return int(done.rsplit(" ", 1)[-1])

    async def get(self, ref: port.TableRef, keys: Sequence[int]) -> list[port.TableRow]:
        require_few(keys)
        async with self._write(ref.space_id) as connection:
            key, columns = await columns_of(connection, ref)
            rows = await connection.fetch(
                f'SELECT * FROM {table_of(ref)} WHERE "{key}" = ANY($1::BIGINT[]) ORDER BY "{key}"',  # noqa: S608
                list(keys),
            )
        return [_to_row(columns, row) for row in rows]

    async def scan(self, ref: port.TableRef, *, after: int, limit: int) -> list[port.TableRow]:
        async with self._write(ref.space_id) as connection:
            key, columns = await columns_of(connection, ref)
            rows = await connection.fetch(
                f'SELECT * FROM {table_of(ref)} WHERE "{key}" > $1 ORDER BY "{key}" LIMIT $2',  # noqa: S608
                after,
                limit,
            )
        return [_to_row(columns, row) for row in rows]

    async def count(self, ref: port.TableRef) -> int:
        async with self._write(ref.space_id) as connection:
            await columns_of(connection, ref)
            return int(await connection.fetchval(f"SELECT COUNT(*) FROM {table_of(ref)}"))  # noqa: S608

    async def query(self, sql: GuardedSql, *, limits: port.QueryLimits) -> port.ResultSet:
        if sql.dialect is not self.dialect:
            raise ValueError(f"A statement for {sql.dialect.value}.")
        await self._prepare()
        answer = Answer(sql, limits)
        try:
            async with (
                turn(self._turns.queries, sql.space_id, max_wait_s=limits.max_wait_s),
                self._pool(self._readers).acquire(timeout=ACQUIRE_TIMEOUT_S) as connection,
            ):
                await self._run(connection, sql, limits, answer)
        except asyncpg.QueryCanceledError as exc:
            raise port.QueryFailed(port.QueryFault.TIMEOUT, TOO_LONG) from exc
        except _UNAVAILABLE as exc:
            raise port.TableStoreUnavailable(_SILENT) from exc
        except asyncpg.PostgresError as exc:
            raise query_error(exc) from exc
        return answer.result()

    async def insert(
        self,
        ref: port.TableRef,
        columns: Sequence[str],
        rows: Sequence[port.TableRow],
        *,
        once: Once | None = None,
        most: int | None = None,
    ) -> int:
        async with self._changing(ref, once, adding=len(rows)) as (connection, done, must_count):
            if done is not None:
                return done
            key, known = await columns_of(connection, ref)
            wanted = chosen(known, columns)
            require_all_fit(wanted, rows)
            if most is not None:
                count = await connection.fetchval(
                    f"SELECT count(*) FROM {table_of(ref)}"  # noqa: S608
                )
                require_room(count + len(rows), most=most)
            names = ", ".join(f'"{name}"' for name in (key, *columns))
            places = ", ".join(f"${number}" for number in range(1, len(columns) + 2))
            await connection.executemany(
                f"INSERT INTO {table_of(ref)} ({names}) VALUES ({places})",  # noqa: S608
                [(row.key, *to_driver(wanted, row.cells)) for row in rows],
            )
            if must_count:
                self._quota.check(ref.space_id, await count_all(connection, ref.space_id))
            await self._remember(connection, ref, once, len(rows))
        return len(rows)

    async def update(
        self,
        ref: port.TableRef,
        selection: GuardedSql,
        columns: Sequence[str],
        revise: Revise,
        *,
        limits: port.QueryLimits,
        once: Once | None = None,
    ) -> int:
        async with self._changing(ref, once) as (connection, done, _):
            if done is not None:
                return done
            key, known = await columns_of(connection, ref)
            wanted = chosen(known, columns)
            rows = revised(await self._select(connection, selection, limits), wanted, revise)
            changes = ", ".join(f'"{name}" = ${at}' for at, name in enumerate(columns, 2))
            await connection.executemany(
                f'UPDATE {table_of(ref)} SET {changes} WHERE "{key}" = $1',  # noqa: S608
                [(row.key, *to_driver(wanted, row.cells)) for row in rows],
            )
            await self._remember(connection, ref, once, len(rows))
        return len(rows)

    async def remove(
        self,
        ref: port.TableRef,
        selection: GuardedSql,
        *,
        limits: port.QueryLimits,
        once: Once | None = None,
    ) -> int:
        async with self._changing(ref, once) as (connection, done, _):
            if done is not None:
                return done
            key, _ = await columns_of(connection, ref)
            keys = (await self._select(connection, selection, limits)).keys
            await connection.execute(
                f'DELETE FROM {table_of(ref)} WHERE "{key}" = ANY($1::BIGINT[])',  # noqa: S608
                list(keys),
            )
            await self._remember(connection, ref, once, len(keys))
        return len(keys)

    async def reshape(self, table: port.PhysicalTable) -> None:
        async with self._write(table.ref.space_id) as connection:
            await connection.execute("SELECT pg_advisory_xact_lock($1)", DDL_LOCK)
            _, known = await columns_of(connection, table.ref)
            changes = [
                f'DROP COLUMN "{each.name}"' for each in known if each not in table.columns
            ] + [f"ADD COLUMN {definition(each)}" for each in table.columns if each not in known]
            if changes:
                await connection.execute(f"ALTER TABLE {table_of(table.ref)} {', '.join(changes)}")

    async def rewrite(
        self, ref: port.TableRef, source: str, target: str, convert: Callable[[Scalar], Scalar]
    ) -> None:
        async with self._changing(ref, None) as (connection, _, _):
            key, known = await columns_of(connection, ref)
            old, new = chosen(known, (source, target))
            found = await connection.fetch(
                f'SELECT "{key}", "{source}" FROM {table_of(ref)}'  # noqa: S608
            )
            rows = [
                port.TableRow(number, (convert(to_scalar(old.kind, from_driver(value))),))
                for number, value in found
            ]
            require_all_fit([new], rows)
            await connection.executemany(
                f'UPDATE {table_of(ref)} SET "{target}" = $2 WHERE "{key}" = $1',  # noqa: S608
                [(row.key, *to_driver([new], row.cells)) for row in rows],
            )

    async def clear(self, ref: port.TableRef) -> None:
        async with self._changing(ref, None) as (connection, _, _):
            await connection.execute(f"DELETE FROM {table_of(ref)}")  # noqa: S608

    @asynccontextmanager
    async def _changing(
        self, ref: port.TableRef, once: Once | None, *, adding: int = 0
    ) -> AsyncGenerator[tuple["asyncpg.Connection[Any]", int | None, bool], None]:
        """Open the transaction; a number is what this very change did before.

        The last part tells whether to count the rows of the space once ``adding`` are written.
        """
        await self._prepare()
        if once is not None:
            await self.create(done_table(ref.space_id))
        async with self._write(ref.space_id) as connection:
            await columns_of(connection, ref)
            # Before the table, as whoever writes without locking it does: or both wait for ever.
            must_count = bool(adding) and await self._must_count(connection, ref.space_id, adding)
            await connection.execute(f"LOCK TABLE {table_of(ref)} IN SHARE ROW EXCLUSIVE MODE")
            done = None
            if once is not None:
                done = await connection.fetchval(
                    f'SELECT "affected" FROM {_done(ref)} WHERE "id" = $1',  # noqa: S608
                    once.key,
                )
            yield connection, None if done is None else int(done), must_count

    async def _select(
        self, connection: "asyncpg.Connection[Any]", sql: GuardedSql, limits: port.QueryLimits
    ) -> port.ResultSet:
        """Run the guarded statement with the rights of queries only."""
        answer = Answer(sql, changing(limits))
        try:
            async with asyncio.timeout(limits.timeout_s):
                await connection.execute(
                    f"SET LOCAL search_path = {schema_of(sql.space_id)};SET LOCAL ROLE {self._role}"
                )
                await require_named(connection, sql)
                statement = await connection.prepare(sql.text)
                cursor = await statement.cursor(*sql.parameters)
                while rows := await cursor.fetch(CHUNK_ROWS):
                    if not all(answer.add([from_driver(value) for value in row]) for row in rows):
                        break
                await connection.execute("RESET ROLE")
        except TimeoutError as exc:
            raise port.QueryFailed(port.QueryFault.TIMEOUT, TOO_LONG) from exc
        except asyncpg.QueryCanceledError as exc:
            raise port.QueryFailed(port.QueryFault.TIMEOUT, TOO_LONG) from exc
        except (asyncpg.DataError, asyncpg.InsufficientPrivilegeError) as exc:
            raise query_error(exc) from exc
        found = answer.result()
        require_bounded(found)
        return found

    async def _remember(
        self,
        connection: "asyncpg.Connection[Any]",
        ref: port.TableRef,
        once: Once | None,
        affected: int,
    ) -> None:
        if once is None:
            return
        await connection.execute(
            f'DELETE FROM {_done(ref)} WHERE "made_at" < $1',  # noqa: S608
            stamp(once.now - KEPT),
        )
        await connection.execute(
            f"INSERT INTO {_done(ref)} VALUES ($1, $2, $3)",  # noqa: S608
            once.key,
            affected,
            stamp(once.now),
        )

    async def _run(
        self,
        connection: "asyncpg.Connection[Any]",
        sql: GuardedSql,
        limits: port.QueryLimits,
        to: Answer,
    ) -> None:
        try:
            # The server counts per statement; this counts the whole, and its end cancels there.
            async with (
                asyncio.timeout(limits.timeout_s * 1.5),
                connection.transaction(readonly=True),
            ):
                await connection.execute(self._session(sql.space_id, limits))
                await require_named(connection, sql)
                statement = await connection.prepare(sql.text)
                cursor = await statement.cursor(*sql.parameters)
                while rows := await cursor.fetch(CHUNK_ROWS):
                    if not all(to.add([from_driver(value) for value in row]) for row in rows):
                        return
        except TimeoutError as exc:
            raise port.QueryFailed(port.QueryFault.TIMEOUT, TOO_LONG) from exc

    def _session(self, space_id: int, limits: port.QueryLimits) -> str:
        role = "" if self._reader_url else f"SET LOCAL ROLE {self._role};"
        return (
            f"SET LOCAL search_path = {schema_of(space_id)};"
            f"SET LOCAL statement_timeout = {int(limits.timeout_s * 1000)};{role}"
        )

    async def _prepare(self) -> None:
        """Make or check the role of queries, once."""
        if self._is_ready:
            return
        async with self._preparing:
            if self._reader_url:
                with _mapped():
                    async with self._pool(self._readers).acquire(
                        timeout=ACQUIRE_TIMEOUT_S
                    ) as found:
                        self._role = str(await found.fetchval("SELECT quote_ident(current_user)"))
                        name = str(await found.fetchval("SELECT current_user"))
            else:
                name = ROLE
                await self._make_role()
            async with self._write(OF_THE_DEPLOYMENT) as connection:
                owner = await connection.fetchval("SELECT current_user")
                if name == owner or not await connection.fetchval(_WEAK_ROLE, name):
                    raise port.TableStoreUnavailable(
                        f"Queries on tables need a role without rights of its own, not {name}."
                    )
            self._is_ready = True

    async def _make_role(self) -> None:
        try:
            async with self._write(OF_THE_DEPLOYMENT) as connection:
                await connection.execute("SELECT pg_advisory_xact_lock($1)", DDL_LOCK)
                if not await connection.fetchval("SELECT 1 FROM pg_roles WHERE rolname = $1", ROLE):
                    await connection.execute(
                        f"CREATE ROLE {ROLE} NOLOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOINHERIT"
                    )
                if not await connection.fetchval(
                    "SELECT pg_has_role(current_user, $1, 'MEMBER')", ROLE
                ):
                    await connection.execute(f"GRANT {ROLE} TO CURRENT_USER")
        except asyncpg.InsufficientPrivilegeError as exc:
            raise port.TableStoreUnavailable(
                f"The database user may not make the role {ROLE}: make it by hand and grant it to "
                "the user, or give the address of a login for queries."
            ) from exc

    async def _must_count(
        self, connection: "asyncpg.Connection[Any]", space_id: int, adding: int
    ) -> bool:
        """Tell whether rows are to be counted once these are written, alone if they are."""
        if not self._quota.must_count(space_id, adding):
            return False
        await connection.execute("SELECT pg_advisory_xact_lock($1, $2)", *_quota_lock(space_id))
        return True

    @asynccontextmanager
    async def _write(self, space_id: int) -> AsyncGenerator["asyncpg.Connection[Any]", None]:
        with _mapped():
            async with (
                turn(self._turns.changes, space_id),
                self._pool(self._writers).acquire(timeout=ACQUIRE_TIMEOUT_S) as connection,
                connection.transaction(),
            ):
                yield connection

    def _pool(self, pool: "asyncpg.Pool[asyncpg.Record] | None") -> "asyncpg.Pool[asyncpg.Record]":
        if pool is None:
            raise port.TableStoreUnavailable("The table store is not open.")
        return pool


def _plain(url: str) -> str:
    """SQLAlchemy's form of an address names the driver; the driver itself does not know it."""
    return url.replace("postgresql+asyncpg://", "postgresql://", 1)


def schema_of(space_id: int) -> str:
    """Where a space has its tables."""
    return f"dyn_{space_id:d}"


def table_of(ref: port.TableRef) -> str:
    """The full name of a table."""
    return f'{schema_of(ref.space_id)}."{ref.name}"'


def definition(column: port.PhysicalColumn) -> str:
    """Declare a column."""
    # Texts sort and compare by code point, as on SQLite, whatever the locale of the database.
    collation = ' COLLATE "C"' if column.kind is CellKind.TEXT else ""
    required = " NOT NULL" if column.is_required else ""
    return f'"{column.name}" {TYPES[column.kind]}{collation}{required}'


def _quota_lock(space_id: int) -> tuple[int, int]:
    """Two keys of 32 bits: others than those with one of 64."""
    return QUOTA_LOCK, crc32(str(space_id).encode()) - 2**31


async def count_all(connection: "asyncpg.Connection[Any]", space_id: int) -> int:
    """Count the rows of all tables that tenants fill."""
    schema = schema_of(space_id)
    found = await connection.fetch("SELECT tablename FROM pg_tables WHERE schemaname = $1", schema)
    counts = [
        await connection.fetchval(f'SELECT COUNT(*) FROM {schema}."{name}"')  # noqa: S608
        for (name,) in found
        if name != DONE
    ]
    return sum(counts)


def _on_conflict(key: str, columns: Sequence[port.PhysicalColumn]) -> str:
    changes = ", ".join(f'"{column.name}" = EXCLUDED."{column.name}"' for column in columns)
    action = f"DO UPDATE SET {changes}" if changes else "DO NOTHING"
    return f'ON CONFLICT ("{key}") {action}'


async def columns_of(
    connection: "asyncpg.Connection[Any]", ref: port.TableRef
) -> tuple[str, list[port.PhysicalColumn]]:
    """Return the key and the other columns; raise ``TableMissing``."""
    rows = await connection.fetch(_COLUMNS, schema_of(ref.space_id), ref.name)
    if not rows:
        raise port.TableMissing(f"There is no table {ref.name}.")
    return read_columns(rows)


def read_columns(rows: Sequence[asyncpg.Record]) -> tuple[str, list[port.PhysicalColumn]]:
    """Read the key and the other columns from the catalogue."""
    key, *rest = rows
    return str(key[0]), [
        port.PhysicalColumn(name=name, kind=_KINDS[declared], is_required=required)
        for name, declared, required in rest
    ]


def to_driver(columns: Sequence[port.PhysicalColumn], cells: Sequence[Scalar]) -> Iterator[object]:
    """Give cells the types that the driver takes."""
    for column, cell in zip(columns, cells, strict=True):
        if column.kind is CellKind.DATE and isinstance(cell, str):
            yield datetime.strptime(cell, _STAMP)  # noqa: DTZ007 - cells have no time zone
        else:
            yield cell


def from_driver(value: object) -> object:
    """Turn what the driver answers into what cells are made of."""
    if isinstance(value, datetime):
        return value.replace(microsecond=0, tzinfo=None).isoformat(" ")
    return value


def _to_row(columns: Sequence[port.PhysicalColumn], row: asyncpg.Record) -> port.TableRow:
    key, *values = row
    cells = zip(columns, values, strict=True)
    return port.TableRow(key, tuple(to_scalar(column.kind, from_driver(v)) for column, v in cells))


async def require_named(connection: "asyncpg.Connection[Any]", sql: GuardedSql) -> None:
    """Let the planner say what the statement reads: the tables that the guard named, no other."""
    plan = await connection.fetchval(f"EXPLAIN (FORMAT JSON, VERBOSE) {sql.text}", *sql.parameters)
    schema = schema_of(sql.space_id)
    stack = [entry["Plan"] for entry in json.loads(plan)]
    called: set[str] = set()
    while stack:
        node = stack.pop()
        stack += node.pop("Plans", [])
        called.update(_CALL.findall(_LITERAL.sub("''", json.dumps(node, ensure_ascii=False))))
        is_foreign = node.get("Node Type") in _FOREIGN_NODES
        relation = node.get("Relation Name")
        if relation is not None:
            is_foreign |= relation not in sql.tables or node.get("Schema") != schema
        if is_foreign:
            raise port.QueryFailed(port.QueryFault.DENIED, "The query is not allowed.")
    if await connection.fetchval(_HAS_EFFECT, list(called)):
        raise port.QueryFailed(port.QueryFault.DENIED, "The query is not allowed.")


@contextmanager
def _mapped() -> Iterator[None]:
    try:
        yield
    except _UNAVAILABLE as exc:
        raise port.TableStoreUnavailable(_SILENT) from exc


def query_error(error: Exception) -> port.QueryFailed:
    """Say why a statement failed, without its text."""
    denied = asyncpg.InsufficientPrivilegeError, asyncpg.ReadOnlySQLTransactionError
    if isinstance(error, denied):
        return port.QueryFailed(port.QueryFault.DENIED, "The query is not allowed.")
    return port.QueryFailed(port.QueryFault.FAILED, "The query failed while running.")


def _done(ref: port.TableRef) -> str:
    return table_of(port.TableRef(ref.space_id, DONE))
