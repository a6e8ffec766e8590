"""Table store on SQLite: one file per space, so that no statement can name another tenant's."""

import asyncio
import os
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from threading import Event
from time import monotonic
from typing import Final, ParamSpec, TypeVar
from weakref import WeakValueDictionary

from domain.shared.capacity.share_meter import ShareFigures
from domain.shared.capacity.space_limits import SpaceLimitsOf, as_deployed
from infra.contract.table import store as port
from infra.contract.table.change import Once, Revise
from infra.contract.table.sql_guard import GuardedSql, Scalar, SqlDialect
from infra.impl.table_store.cells import Answer, require_few, to_scalar
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
from infra.impl.table_store.sqlite_file import (
    BUSY_TIMEOUT_S,
    PROGRESS_STEPS,
    Check,
    SqliteFile,
    Stop,
    authorizer,
    columns_of,
    count_all,
    create_statement,
    query_error,
)
from infra.impl.table_store.turn import BUSY, TableTurns, turn
from infra.impl.thread_affinity import RoamingThread

T = TypeVar("T")
P = ParamSpec("P")

LONG_S: Final = 0.05
_LOWEST: Final = 19
_BESIDE: Final = "being_reshaped"
_NO_QUERY: Final = port.QueryLimits(timeout_s=0.0, cell_chars=0, result_bytes=0)
"""Of changes that select nothing."""


class SqliteTableStore:
    """Files ``<space>.db`` in ``directory``; statements run in threads.

    Each change is one transaction of the only writer of a file.
    """

    dialect = SqlDialect.SQLITE

    def __init__(
        self,
        directory: Path,
        *,
        most_rows: int = 0,
        limits_of: SpaceLimitsOf = as_deployed,
        figures: ShareFigures | None = None,
    ) -> None:
        """``most_rows`` of a space in all its tables unless it has a limit of its own; 0: any."""
        self._quota = RowQuota(most_rows, limits_of)
        self._directory = directory
        self._turns = TableTurns(wait_s=BUSY_TIMEOUT_S, figures=figures)
        self._writers: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()

    async def start(self) -> None:
        """Make the directory; files follow with their first table."""
        await asyncio.to_thread(self._directory.mkdir, parents=True, exist_ok=True)

    async def aclose(self) -> None:
        """Wait for nothing: what still runs is ended by its call."""

    async def create(self, table: port.PhysicalTable) -> None:
        await self._write(table.ref.space_id, lambda file: file.create(table))

    async def drop(self, ref: port.TableRef) -> None:
        await self._write(ref.space_id, lambda file: file.drop(ref.name))

    async def drop_space(self, space_id: int) -> None:
        await self._write(space_id, lambda file: file.remove())

    async def names(self, space_id: int) -> list[str]:
        return await asyncio.to_thread(self._file(space_id).names)

    async def upsert(self, ref: port.TableRef, rows: Sequence[port.TableRow]) -> None:
        most = self._room(ref.space_id, len(rows))
        await self._write(ref.space_id, lambda file: file.upsert(ref.name, rows, most))

    async def delete(self, ref: port.TableRef, keys: Sequence[int]) -> int:
        require_few(keys)
        return await self._write(ref.space_id, lambda file: file.delete(ref.name, keys))

    async def absorb(self, staging: port.TableRef, *, into: port.TableRef) -> int:
        if staging.space_id != into.space_id:
            raise port.TableDiffers("Rows move within one space only.")
        return await self._write(into.space_id, lambda file: file.absorb(staging.name, into.name))

    async def get(self, ref: port.TableRef, keys: Sequence[int]) -> list[port.TableRow]:
        require_few(keys)
        return await asyncio.to_thread(self._file(ref.space_id).get, ref.name, keys)

    async def scan(self, ref: port.TableRef, *, after: int, limit: int) -> list[port.TableRow]:
        return await asyncio.to_thread(self._file(ref.space_id).scan, ref.name, after, limit)

    async def count(self, ref: port.TableRef) -> int:
        return await asyncio.to_thread(self._file(ref.space_id).count, ref.name)

    async def query(self, sql: GuardedSql, *, limits: port.QueryLimits) -> port.ResultSet:
        if sql.dialect is not self.dialect:
            raise ValueError(f"A statement for {sql.dialect.value}.")
        stop, loop = Stop(), asyncio.get_running_loop()
        async with turn(self._turns.queries, sql.space_id, max_wait_s=limits.max_wait_s):
            timer = loop.call_later(limits.timeout_s, stop.set)
            try:
                return await in_own_thread(self._file(sql.space_id).query, sql, limits, stop)
            finally:
                timer.cancel()
                stop.set()  # ends the statement of a call that was cancelled

    async def insert(
        self,
        ref: port.TableRef,
        columns: Sequence[str],
        rows: Sequence[port.TableRow],
        *,
        once: Once | None = None,
        most: int | None = None,
    ) -> int:
        check = self._room(ref.space_id, len(rows))
        return await self._write(
            ref.space_id,
            lambda file: _Changes(file).insert(ref, columns, rows, once, most, check=check),
        )

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
        stop = Event()
        try:
            return await self._write(
                ref.space_id,
                lambda file: _Changes(file, limits, stop).update(
                    ref, selection, columns, revise, once
                ),
            )
        finally:
            stop.set()

    async def remove(
        self,
        ref: port.TableRef,
        selection: GuardedSql,
        *,
        limits: port.QueryLimits,
        once: Once | None = None,
    ) -> int:
        stop = Event()
        try:
            return await self._write(
                ref.space_id,
                lambda file: _Changes(file, limits, stop).remove(ref, selection, once),
            )
        finally:
            stop.set()

    async def reshape(self, table: port.PhysicalTable) -> None:
        await self._write(table.ref.space_id, lambda file: _Changes(file).reshape(table))

    async def rewrite(
        self, ref: port.TableRef, source: str, target: str, convert: Callable[[Scalar], Scalar]
    ) -> None:
        await self._write(
            ref.space_id, lambda file: _Changes(file).rewrite(ref.name, source, target, convert)
        )

    async def clear(self, ref: port.TableRef) -> None:
        await self._write(ref.space_id, lambda file: _Changes(file).clear(ref.name))

    def _room(self, space_id: int, adding: int) -> Check | None:
        """Return what checks the number of rows once they are written, where that is due."""
        if self._quota.must_count(space_id, adding):
            return partial(self._quota.check, space_id)
        return None

    async def _write(self, space_id: int, work: Callable[[SqliteFile], T]) -> T:
        lock = self._writers.setdefault(space_id, asyncio.Lock())
        try:
            async with asyncio.timeout(BUSY_TIMEOUT_S):
                await lock.acquire()
        except TimeoutError as exc:
            raise port.TableStoreUnavailable(BUSY, retry_after_s=BUSY_TIMEOUT_S) from exc
        try:
            return await asyncio.to_thread(work, self._file(space_id))
        finally:
            lock.release()

    def _file(self, space_id: int) -> SqliteFile:
        return SqliteFile(self._directory / f"{space_id:d}.db")


async def in_own_thread(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Do blocking work that gives the interpreter's lock up while it computes.

    After a moment the event loop and the threads of short work go before it. There is no way back
    from that, hence a new thread each time. Where threads have no priority of their own nothing
    changes. Whoever is cancelled leaves the thread behind, and has to end the work by other means.
    """
    future: Future[T] = Future()
    future.set_running_or_notify_cancel()

    def run() -> None:
        try:
            result = work(*args, **kwargs)
        except BaseException as exc:  # noqa: BLE001 - it is raised where the result is awaited
            future.set_exception(exc)
        else:
            future.set_result(result)

    # A daemon: work that nobody waits for must not keep the process alive.
    thread = RoamingThread(target=run, name="statement", daemon=True)
    thread.start()
    long_work = asyncio.get_running_loop().call_later(LONG_S, _step_back, thread)
    try:
        return await asyncio.wrap_future(future)
    finally:
        long_work.cancel()


def _step_back(thread: RoamingThread) -> None:
    if thread.is_alive() and thread.native_id is not None and hasattr(os, "setpriority"):
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, thread.native_id, _LOWEST)


class _Changes:
    """One change of one file; every method blocks."""

    def __init__(
        self, file: SqliteFile, limits: port.QueryLimits = _NO_QUERY, stop: Event | None = None
    ) -> None:
        self._file = file
        self._limits = limits
        self._stop = stop or Event()

    def insert(
        self,
        ref: port.TableRef,
        columns: Sequence[str],
        rows: Sequence[port.TableRow],
        once: Once | None,
        most: int | None,
        *,
        check: Check | None,
    ) -> int:
        with self._changing(ref, once) as (connection, done):
            if done is not None:
                return done
            key, known = columns_of(connection, ref.name)
            require_all_fit(chosen(known, columns), rows)
            if most is not None:
                (count,) = connection.execute(
                    f'SELECT count(*) FROM "{ref.name}"'  # noqa: S608
                ).fetchone()
                require_room(count + len(rows), most=most)
            names = ", ".join(f'"{name}"' for name in (key, *columns))
            places = ", ".join("?" * (len(columns) + 1))
            statement = f'INSERT INTO "{ref.name}" ({names}) VALUES ({places})'  # noqa: S608
            connection.executemany(statement, [(row.key, *row.cells) for row in rows])
            if check is not None:
                check(count_all(connection))
            _remember(connection, once, len(rows))
        return len(rows)

    def update(
        self,
        ref: port.TableRef,
        selection: GuardedSql,
        columns: Sequence[str],
        revise: Revise,
        once: Once | None,
    ) -> int:
        with self._changing(ref, once) as (connection, done):
            if done is not None:
                return done
            key, known = columns_of(connection, ref.name)
            rows = revised(self._select(connection, selection), chosen(known, columns), revise)
            changes = ", ".join(f'"{name}" = ?' for name in columns)
            statement = f'UPDATE "{ref.name}" SET {changes} WHERE "{key}" = ?'  # noqa: S608
            connection.executemany(statement, [(*row.cells, row.key) for row in rows])
            _remember(connection, once, len(rows))
        return len(rows)

    def remove(self, ref: port.TableRef, selection: GuardedSql, once: Once | None) -> int:
        with self._changing(ref, once) as (connection, done):
            if done is not None:
                return done
            key, _ = columns_of(connection, ref.name)
            keys = self._select(connection, selection).keys
            statement = f'DELETE FROM "{ref.name}" WHERE "{key}" = ?'  # noqa: S608
            connection.executemany(statement, [(value,) for value in keys])
            _remember(connection, once, len(keys))
        return len(keys)

    def reshape(self, table: port.PhysicalTable) -> None:
        name = table.ref.name
        beside = port.PhysicalTable(
            ref=port.TableRef(table.ref.space_id, _BESIDE),
            key_column=table.key_column,
            columns=table.columns,
        )
        with self._file.writing(existing=name) as connection:
            key, known = columns_of(connection, name)
            if (key, known) == (table.key_column, list(table.columns)):
                return
            kept = [each.name for each in known if each in table.columns]
            listed = ", ".join(f'"{each}"' for each in (key, *kept))
            connection.execute(f'DROP TABLE IF EXISTS "{_BESIDE}"')
            connection.execute(create_statement(beside))
            copy = f'INSERT INTO "{_BESIDE}" ({listed}) SELECT {listed} FROM "{name}"'  # noqa: S608
            connection.execute(copy)
            connection.execute(f'DROP TABLE "{name}"')
            connection.execute(f'ALTER TABLE "{_BESIDE}" RENAME TO "{name}"')
            for position, column in enumerate(table.indexed):
                connection.execute(f'CREATE INDEX "{name}_i{position}" ON "{name}" ("{column}")')

    def rewrite(
        self, name: str, source: str, target: str, convert: Callable[[Scalar], Scalar]
    ) -> None:
        with self._file.writing(existing=name) as connection:
            key, known = columns_of(connection, name)
            old, new = chosen(known, (source, target))
            found = connection.execute(f'SELECT "{key}", "{source}" FROM "{name}"').fetchall()  # noqa: S608
            rows = [
                port.TableRow(number, (convert(to_scalar(old.kind, value)),))
                for number, value in found
            ]
            require_all_fit([new], rows)
            statement = f'UPDATE "{name}" SET "{target}" = ? WHERE "{key}" = ?'  # noqa: S608
            connection.executemany(statement, [(*row.cells, row.key) for row in rows])

    def clear(self, name: str) -> None:
        with self._file.writing(existing=name) as connection:
            columns_of(connection, name)
            connection.execute(f'DELETE FROM "{name}"')  # noqa: S608

    @contextmanager
    def _changing(
        self, ref: port.TableRef, once: Once | None
    ) -> Iterator[tuple[sqlite3.Connection, int | None]]:
        """Open the transaction; a number is what this very change did before."""
        if once is not None:
            self._file.create(done_table(ref.space_id))
        with self._file.writing(existing=ref.name) as connection:
            done = None
            if once is not None:
                found = connection.execute(
                    f'SELECT "affected" FROM "{DONE}" WHERE "id" = ?',  # noqa: S608
                    (once.key,),
                ).fetchone()
                done = None if found is None else int(found[0])
            yield connection, done

    def _select(self, connection: sqlite3.Connection, sql: GuardedSql) -> port.ResultSet:
        """Run the guarded statement under SQLite's own supervision, then lift it for the writes."""
        deadline = monotonic() + self._limits.timeout_s
        answer = Answer(sql, changing(self._limits))
        connection.set_authorizer(authorizer(sql))
        connection.set_progress_handler(
            lambda: self._stop.is_set() or monotonic() > deadline, PROGRESS_STEPS
        )
        try:
            for row in connection.execute(sql.text, sql.parameters):
                if not answer.add(row):
                    break
        except sqlite3.Error as exc:
            raise query_error(exc) from exc
        finally:
            connection.set_authorizer(None)
            connection.set_progress_handler(None, 0)
        found = answer.result()
        require_bounded(found)
        return found


def _remember(connection: sqlite3.Connection, once: Once | None, affected: int) -> None:
    if once is None:
        return
    connection.execute(
        f'DELETE FROM "{DONE}" WHERE "made_at" < ?',  # noqa: S608
        (stamp(once.now - KEPT),),
    )
    connection.execute(
        f'INSERT INTO "{DONE}" VALUES (?, ?, ?)',  # noqa: S608
        (once.key, affected, stamp(once.now)),
    )
