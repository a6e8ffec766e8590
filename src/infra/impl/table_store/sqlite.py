"""Table store on SQLite: one file per space, so that no statement can name another tenant's."""

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TypeVar
from weakref import WeakValueDictionary

from domain.shared.share_meter import ShareFigures
from infra.contract.sql_guard import GuardedSql, SqlDialect
from infra.contract.table_store import (
    PhysicalTable,
    QueryLimits,
    ResultSet,
    TableDiffers,
    TableRef,
    TableRow,
    TableStoreUnavailable,
)
from infra.impl.table_store.cells import require_few
from infra.impl.table_store.quota import RowQuota
from infra.impl.table_store.sqlite_file import BUSY_TIMEOUT_S, Check, SqliteFile, Stop
from infra.impl.table_store.thread import in_own_thread
from infra.impl.table_store.turn import BUSY, TableTurns, turn

T = TypeVar("T")


class SqliteTableStore:
    """Files ``<space>.db`` in ``directory``; statements run in threads."""

    dialect = SqlDialect.SQLITE

    def __init__(
        self, directory: Path, *, most_rows: int = 0, figures: ShareFigures | None = None
    ) -> None:
        """``most_rows`` of a space in all its tables; 0 allows any number."""
        self._quota = RowQuota(most_rows)
        self._directory = directory
        self._turns = TableTurns(wait_s=BUSY_TIMEOUT_S, figures=figures)
        self._writers: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()

    async def start(self) -> None:
        """Make the directory; files follow with their first table."""
        await asyncio.to_thread(self._directory.mkdir, parents=True, exist_ok=True)

    async def aclose(self) -> None:
        """Wait for nothing: what still runs is ended by its call."""

    async def create(self, table: PhysicalTable) -> None:
        await self._write(table.ref.space_id, lambda file: file.create(table))

    async def drop(self, ref: TableRef) -> None:
        await self._write(ref.space_id, lambda file: file.drop(ref.name))

    async def drop_space(self, space_id: int) -> None:
        await self._write(space_id, lambda file: file.remove())

    async def names(self, space_id: int) -> list[str]:
        return await asyncio.to_thread(self._file(space_id).names)

    async def upsert(self, ref: TableRef, rows: Sequence[TableRow]) -> None:
        most = self._room(ref.space_id, len(rows))
        await self._write(ref.space_id, lambda file: file.upsert(ref.name, rows, most))

    async def delete(self, ref: TableRef, keys: Sequence[int]) -> int:
        require_few(keys)
        return await self._write(ref.space_id, lambda file: file.delete(ref.name, keys))

    async def absorb(self, staging: TableRef, *, into: TableRef) -> int:
        if staging.space_id != into.space_id:
            raise TableDiffers("Rows move within one space only.")
        return await self._write(into.space_id, lambda file: file.absorb(staging.name, into.name))

    async def get(self, ref: TableRef, keys: Sequence[int]) -> list[TableRow]:
        require_few(keys)
        return await asyncio.to_thread(self._file(ref.space_id).get, ref.name, keys)

    async def scan(self, ref: TableRef, *, after: int, limit: int) -> list[TableRow]:
        return await asyncio.to_thread(self._file(ref.space_id).scan, ref.name, after, limit)

    async def count(self, ref: TableRef) -> int:
        return await asyncio.to_thread(self._file(ref.space_id).count, ref.name)

    async def query(self, sql: GuardedSql, *, limits: QueryLimits) -> ResultSet:
        if sql.dialect is not self.dialect:
            raise ValueError(f"A statement for {sql.dialect.value}.")
        stop, loop = Stop(), asyncio.get_running_loop()
        async with turn(self._turns.queries, sql.space_id, patience_s=limits.patience_s):
            timer = loop.call_later(limits.timeout_s, stop.set)
            try:
                return await in_own_thread(self._file(sql.space_id).query, sql, limits, stop)
            finally:
                timer.cancel()
                stop.set()  # ends the statement of a call that was cancelled

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
            raise TableStoreUnavailable(BUSY, retry_after_s=BUSY_TIMEOUT_S) from exc
        try:
            return await asyncio.to_thread(work, self._file(space_id))
        finally:
            lock.release()

    def _file(self, space_id: int) -> SqliteFile:
        return SqliteFile(self._directory / f"{space_id:d}.db")
