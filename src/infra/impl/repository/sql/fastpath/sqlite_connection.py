"""A SQLite connection on a thread of its own: one hop between loop and thread per statement.

SQLAlchemy's aiosqlite dialect takes it through ``async_creator``. aiosqlite itself makes a hop to
open a cursor, one to execute, one to fetch and one to close, with ``BEGIN`` and ``ROLLBACK`` on
top; a transaction of three statements costs a third of that here.
"""

import asyncio
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from queue import SimpleQueue
from threading import Thread
from time import monotonic, sleep
from typing import Any, Final, Self, TypeVar

from infra.impl.repository.sql.fastpath.writer_turn import WriterTurn

T = TypeVar("T")

RETRY_S: Final = 0.01

_Job = tuple[asyncio.Future[Any], Callable[[], Any]]
_Rows = list[Any]


class SqliteConnection:
    """What SQLAlchemy's adapter expects of an aiosqlite connection, and ``begin``.

    The driver opens no transaction by itself; after ``begin``, ``opening`` runs together with
    the first statement, and an empty transaction costs nothing. With ``turn`` each transaction
    waits for its turn first, and gives it back with its end.
    """

    def __init__(
        self,
        path: str,
        *,
        pragmas: Sequence[str],
        busy_timeout_s: float,
        opening: str = "BEGIN IMMEDIATE",
        turn: WriterTurn | None = None,
    ) -> None:
        self.is_abandoned = False
        """Somebody did not wait for his statement, which may still run."""
        self._opening = opening
        self._path = path
        self._turn = turn
        self._has_turn = False
        self._pragmas = pragmas
        self._busy_timeout_s = busy_timeout_s
        self._begin = ""
        self._deferred: list[_Execution] = []
        self._connection: sqlite3.Connection | None = None
        self._jobs: SimpleQueue[_Job | None] = SimpleQueue()

    async def open(self) -> Self:
        """Start the thread and connect."""
        # A daemon: a connection that nobody closed must not keep the process alive.
        Thread(target=_serve, args=(self._jobs,), name="sqlite", daemon=True).start()
        try:
            self._connection = await self._run(self._connect)
        except BaseException:
            self._jobs.put(None)
            raise
        return self

    def begin(self) -> None:
        """Open a transaction as soon as something is executed, unless one is open."""
        if not self._opened.in_transaction:
            self._begin = self._opening

    def defer(self, sql: str, rows: Sequence[Any], *, unchanged: Exception | None = None) -> None:
        """Keep a statement back, to run in one hop with the next one or the commit.

        Its errors surface where it runs, and ``unchanged`` if it changes nothing.
        """
        many = len(rows) > 1
        self._deferred.append(_Execution(sql, rows if many else rows[0], many, unchanged))

    def cursor(self) -> "SqliteCursor":
        return SqliteCursor(self)

    async def execute(self, sql: str, parameters: Any, *, many: bool) -> "Result":
        """Run one statement, for one or ``many`` sets of parameters, and fetch all its rows."""
        self._deferred.append(_Execution(sql, parameters, many))
        return await self._run(partial(self._execute, self._opened, *self._take()))

    async def create_function(
        self, name: str, arity: int, function: Callable[..., Any], *, deterministic: bool = False
    ) -> None:
        register = self._opened.create_function
        await self._run(partial(register, name, arity, function, deterministic=deterministic))

    async def commit(self) -> None:
        if self._deferred:
            await self._run(partial(self._execute_and_commit, self._opened, *self._take()))
        elif self._opened.in_transaction:
            await self._run(partial(self._commit, self._opened))
        self._begin = ""

    async def rollback(self) -> None:
        self.undo()

    def undo(self) -> None:
        """Forget what waits and what is not committed."""
        self._take()
        if self._opened.in_transaction:
            self._opened.rollback()  # in WAL mode this only forgets pages: no I/O, no need to hop
        self._give_turn()

    async def close(self) -> None:
        """Let the running statement end, roll back, and end the thread."""
        if self._connection is None:
            return
        connection, self._connection = self._connection, None
        try:
            await self._run(partial(self._close, connection))
        finally:
            self._jobs.put(None)

    def stop(self) -> None:
        """Close without waiting; for connections that were given up."""
        if self._connection is not None:
            connection, self._connection = self._connection, None
            self._jobs.put(
                (asyncio.get_running_loop().create_future(), partial(self._close, connection))
            )
            self._jobs.put(None)

    def _take(self) -> "tuple[str, list[_Execution]]":
        """Hand over what waits to be run: the statement that opens the transaction, and others."""
        begin, self._begin = self._begin, ""
        waiting, self._deferred = self._deferred, []
        return begin, waiting

    @property
    def _opened(self) -> sqlite3.Connection:
        if self._connection is None:
            raise sqlite3.OperationalError("Connection closed")  # as aiosqlite words it
        return self._connection

    def _connect(self) -> sqlite3.Connection:
        deadline = monotonic() + self._busy_timeout_s
        while True:
            try:
                return self._connected()
            except sqlite3.OperationalError as exc:
                # Of processes that switch a new file to WAL together, some are refused at once,
                # whatever the timeout.
                is_busy = exc.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY
                if not is_busy or monotonic() > deadline:
                    raise
                sleep(RETRY_S)

    def _connected(self) -> sqlite3.Connection:
        connection = sqlite3.connect(
            self._path,
            timeout=self._busy_timeout_s,
            isolation_level=None,
            check_same_thread=False,  # the loop's thread reads ``in_transaction``
            cached_statements=512,
        )
        try:
            for pragma in self._pragmas:
                connection.execute(f"PRAGMA {pragma}")
        except BaseException:
            connection.close()
            raise
        return connection

    def _execute(
        self, connection: sqlite3.Connection, begin: str, waiting: "Sequence[_Execution]"
    ) -> "Result":
        if begin and self._turn is not None:
            self._turn.take()
            self._has_turn = True
        try:
            return _execute(connection, begin, waiting)
        finally:
            if not connection.in_transaction:  # it was refused, or SQLite has ended it
                self._give_turn()

    def _commit(self, connection: sqlite3.Connection) -> None:
        connection.commit()
        self._give_turn()

    def _execute_and_commit(
        self, connection: sqlite3.Connection, begin: str, waiting: "Sequence[_Execution]"
    ) -> None:
        try:
            self._execute(connection, begin, waiting)
            connection.commit()
        except BaseException:
            connection.rollback()  # whoever asks for a commit takes the transaction for over
            raise
        finally:
            self._give_turn()

    def _close(self, connection: sqlite3.Connection) -> None:
        try:
            _close(connection)
        finally:
            self._give_turn()

    def _give_turn(self) -> None:
        if self._has_turn and self._turn is not None:
            self._has_turn = False
            self._turn.give()

    async def _run(self, call: Callable[[], T]) -> T:
        future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._jobs.put((future, call))
        try:
            return await future
        except asyncio.CancelledError:
            self.is_abandoned = True
            raise


class SqliteCursor:
    """Cursor over rows that are already fetched."""

    description: Any = None
    rowcount = -1
    lastrowid = 0
    arraysize = 1

    def __init__(self, connection: SqliteConnection) -> None:
        self._connection = connection
        self._rows: _Rows = []

    async def __aenter__(self) -> Self:
        return self

    async def execute(self, sql: str, parameters: Any = ()) -> None:
        result = await self._connection.execute(sql, parameters, many=False)
        self._rows, self.lastrowid = result.rows, result.lastrowid
        self.description, self.rowcount = result.description, result.rowcount

    async def executemany(self, sql: str, parameters: Any) -> None:
        result = await self._connection.execute(sql, parameters, many=True)
        self._rows = result.rows
        self.description, self.rowcount = result.description, result.rowcount

    async def fetchall(self) -> _Rows:
        rows, self._rows = self._rows, []
        return rows

    async def close(self) -> None:
        self._rows = []


@dataclass(frozen=True, slots=True)
class _Execution:
    sql: str
    parameters: Any
    many: bool
    unchanged: Exception | None = None


@dataclass(frozen=True, slots=True)
class Result:
    """What a statement found, or did."""

    rows: _Rows
    description: Any
    rowcount: int
    lastrowid: int


def _execute(connection: sqlite3.Connection, begin: str, waiting: Sequence[_Execution]) -> Result:
    """Run statements in order and return what the last one found."""
    if begin:
        connection.execute(begin)
    with closing(connection.cursor()) as cursor:
        for execution in waiting:
            if execution.many:
                cursor.executemany(execution.sql, execution.parameters)
            else:
                cursor.execute(execution.sql, execution.parameters)
            if execution.unchanged is not None and not cursor.rowcount:
                raise execution.unchanged
        rows = cursor.fetchall() if cursor.description else []
        return Result(rows, cursor.description, cursor.rowcount, cursor.lastrowid or 0)


def _close(connection: sqlite3.Connection) -> None:
    """Close for good: while anything remembers a cursor, SQLite would keep the transaction open."""
    try:
        if connection.in_transaction:
            connection.rollback()
    finally:
        connection.close()


def _serve(jobs: "SimpleQueue[_Job | None]") -> None:
    while (job := jobs.get()) is not None:
        future, call = job
        result: Any = None
        error: BaseException | None = None
        try:
            result = call()
        except BaseException as exc:  # noqa: BLE001 - it is raised where the future is awaited
            error = exc
        try:
            future.get_loop().call_soon_threadsafe(_settle, future, result, error)
        except RuntimeError:  # the loop is closed: nobody waits any more
            continue


def _settle(future: asyncio.Future[Any], result: Any, error: BaseException | None) -> None:
    if future.done():  # cancelled meanwhile
        return
    if error is None:
        future.set_result(result)
    else:
        future.set_exception(error)
