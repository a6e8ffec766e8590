"""One SQL database behind all repositories: SQLite for one process, PostgreSQL for many."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Collection
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Final, Generic, TypeVar

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine
from sqlalchemy.pool import QueuePool

from domain.shared.error import Unavailable
from infra.contract.storage.database import PoolLimits, priority_scope
from infra.impl.repository.sql.engine.connection import ConnectionLimiter, connected
from infra.impl.repository.sql.engine.postgres import patient_engine, pooled_engine
from infra.impl.repository.sql.engine.sqlite import ACQUIRE_TIMEOUT_S, sqlite_engine
from infra.impl.repository.sql.engine.unit_of_work import OnCommit, SqlUnitOfWork, Watch
from infra.impl.repository.sql.event.audit import AuditRows
from infra.impl.repository.sql.fastpath.kept_connection import KeptConnections
from infra.impl.repository.sql.fastpath.writer_turn import WriterTurn

SQLITE_READERS: Final = 6
_READERS_KEPT: Final = 2
"""From one workspace alone."""
WRITER_WAIT_S: Final = 20.0
"""On SQLite writers form a line; a thousand runs that start at once are served in ten seconds."""
WRITERS_WAITING: Final = 5000
PROBE_TIMEOUT_S: Final = 1.0
START_TIMEOUT_S: Final = 20.0
"""Starting beside a process that writes much, or on a busy machine, takes longer than a probe."""
_ONE_INSTANT: Final = {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}
UnitOfWorkT = TypeVar("UnitOfWorkT", bound=SqlUnitOfWork)


class Database:
    """Owns the engines. On SQLite one writer at a time (``BEGIN IMMEDIATE``), readers beside it.

    Every callback given to ``listen`` is called after a commit with events. ``stored`` are the
    topics that somebody listens to in any process; without it every event is stored. ``turns``
    names a file by which several processes take turns at writing to SQLite. ``audit`` writes the
    audit log in every transaction that it has something to tell of.
    """

    def __init__(
        self,
        url: str,
        *,
        limits: PoolLimits | None = None,
        stored: frozenset[str] | None = None,
        turns: Path | None = None,
        audit: AuditRows | None = None,
    ) -> None:
        self.url = url
        self.stored = stored
        self.audit = audit
        self.is_sqlite = url.startswith("sqlite")
        self._listeners: list[OnCommit] = []
        self._watch: Watch | None = None
        limits = limits or PoolLimits()
        # Waiting for a place in the pool, then asking the server whether it still listens.
        self._checkout_s = None if self.is_sqlite else 2 * limits.acquire_s
        if self.is_sqlite:
            self._writer = sqlite_engine(
                url,
                is_writer=True,
                size=1,
                is_fast=limits.combine_writes,
                turn=WriterTurn(turns, max_wait_s=ACQUIRE_TIMEOUT_S) if turns else None,
            )
            self._patient = self._writer
            self._reader = sqlite_engine(
                url,
                is_writer=False,
                size=SQLITE_READERS,
                is_fast=limits.combine_writes,
                pragmas=("query_only=ON",),
            )
            self._limiter = ConnectionLimiter(
                1,
                longest_s=WRITER_WAIT_S,
                stuck_s=WRITER_WAIT_S,
                most_waiting=WRITERS_WAITING,
            )
            # Readers take short turns among themselves and never wait for the writer.
            self._reader_limiter = ConnectionLimiter(
                SQLITE_READERS,
                kept=_READERS_KEPT,
                longest_s=WRITER_WAIT_S,
                stuck_s=ACQUIRE_TIMEOUT_S,
                most_waiting=WRITERS_WAITING,
            )
        else:
            self._writer = pooled_engine(url, limits)
            self._patient = patient_engine(url, limits)
            # The same pool: a view of one instant, in which the server refuses to write.
            self._reader = self._writer.execution_options(**_ONE_INSTANT)
            self._limiter = self._reader_limiter = ConnectionLimiter(
                limits.pool_size + limits.pool_overflow,
                longest_s=limits.queue_s,
                stuck_s=limits.acquire_s,
                most_waiting=limits.queue_length,
            )

        engines = (self._writer, self._reader) if self.is_sqlite else ()
        self._kept = {engine: KeptConnections(engine) for engine in engines}

    async def start(self) -> None:
        """Open a connection, so that a wrong address fails at start-up."""
        await self.probe(timeout_s=START_TIMEOUT_S)

    async def aclose(self) -> None:
        for kept in self._kept.values():
            await kept.aclose()
        await self._writer.dispose()
        if self.is_sqlite:
            await self._reader.dispose()
        else:
            await self._patient.dispose()

    async def probe(self, *, timeout_s: float = PROBE_TIMEOUT_S) -> None:
        """Raise ``Unavailable`` unless a write transaction can be opened in time."""
        try:
            with priority_scope():  # a long line of newcomers is no fault
                async with asyncio.timeout(timeout_s), self.write() as connection:
                    is_writable = await self._is_writable(connection)
        except TimeoutError as exc:
            raise Unavailable("The database does not answer.") from exc
        if not is_writable:
            raise Unavailable("The database takes no writes: it is a standby, or read-only.")

    async def _is_writable(self, connection: AsyncConnection) -> bool:
        """Tell by what costs no flush; the transaction is rolled back."""
        if not self.is_sqlite:
            state = await connection.scalar(sa.text("SHOW transaction_read_only"))
            return bool(state == "off")
        try:  # to begin is no proof: SQLite reads only where it cannot write, and does not say so
            await connection.execute(sa.text("PRAGMA user_version = 0"))
        except sa.exc.OperationalError as exc:
            if "readonly" in str(exc.orig):
                return False
            raise
        return True

    def listen(self, on_commit: OnCommit) -> None:
        """Have ``on_commit`` called with the topics of every committed batch; must not block."""
        self._listeners.append(on_commit)

    def watch(self, watch: Watch) -> None:
        """Have ``on_saved`` called with the rows of these tables after each commit that saved some.

        There is one who watches; it must not block.
        """
        self._watch = watch

    def transaction(
        self, kind: Callable[..., UnitOfWorkT]
    ) -> Callable[[], AbstractAsyncContextManager[UnitOfWorkT]]:
        """Return a factory of write transactions for one context's unit of work."""
        return partial(self._unit_of_work, self.write, kind)

    def snapshot(
        self, kind: Callable[..., UnitOfWorkT]
    ) -> Callable[[], AbstractAsyncContextManager[UnitOfWorkT]]:
        """Return a factory of read-only transactions, which never wait for the writer."""
        return partial(self._unit_of_work, self.read, kind)

    @asynccontextmanager
    async def _unit_of_work(
        self,
        connect: Callable[[], AbstractAsyncContextManager[AsyncConnection]],
        kind: Callable[..., UnitOfWorkT],
    ) -> AsyncGenerator[UnitOfWorkT, None]:
        async with connect() as connection:
            uow = kind(
                connection,
                on_commit=self._committed,
                stored=self.stored,
                audit=self.audit,
                watch=self._watch,
            )
            try:
                yield uow
            except IntegrityError as exc:
                error = uow.refusal(exc)
                if error is None:
                    raise
                raise error from exc
            finally:
                uow.forget()

    @asynccontextmanager
    async def write(self) -> AsyncGenerator[AsyncConnection, None]:
        """A connection for writing; leaving without commit rolls back.

        Raises:
            Unavailable: no connection, no room on the disk, or other writers hold the database for
                longer than ``WRITER_WAIT_S``.
            RateLimited: more wait for a connection than it can serve.
        """
        async with self._limiter.turn(), self._connection(self._writer) as connection:
            yield connection

    @asynccontextmanager
    async def read(self) -> AsyncGenerator[AsyncConnection, None]:
        """A connection for reading only, on a view of one instant."""
        async with self._reader_limiter.turn(), self._connection(self._reader) as connection:
            yield connection

    @asynccontextmanager
    async def write_at_length(self) -> AsyncGenerator[AsyncConnection, None]:
        """As ``write``, for statements that may take as long as the caller lets the server work."""
        if self.is_sqlite:
            async with self.write() as connection:
                yield connection
            return
        # Without a turn: it opens a connection of its own, which is not one of the pool.
        async with self._connection(self._patient) as connection:
            yield connection

    @asynccontextmanager
    async def read_at_length(self) -> AsyncGenerator[AsyncConnection, None]:
        """As ``read``, for statements that may take as long as the caller lets the server work."""
        if self.is_sqlite:
            async with self.read() as connection:
                yield connection
            return
        patient = self._patient.execution_options(**_ONE_INSTANT)
        async with self._connection(patient) as connection:
            yield connection

    @property
    def waiting(self) -> int:
        """How many wait to write, or on PostgreSQL for any connection."""
        return self._limiter.waiting

    @property
    def in_use(self) -> int:
        """Connections that are checked out."""
        engines = {self._writer.sync_engine.pool, self._reader.sync_engine.pool}
        checked_out = sum(pool.checkedout() for pool in engines if isinstance(pool, QueuePool))
        return checked_out - sum(kept.idle for kept in self._kept.values())

    def _connection(self, engine: AsyncEngine) -> AbstractAsyncContextManager[AsyncConnection]:
        return connected(engine, self._kept.get(engine), within_s=self._checkout_s)

    def _committed(self, topics: Collection[str]) -> None:
        for listener in self._listeners:
            listener(topics)


class SqlStore(Generic[UnitOfWorkT]):
    """Opens transactions of one context, on its unit of work."""

    def __init__(self, database: Database, kind: Callable[..., UnitOfWorkT]) -> None:
        self._transaction = database.transaction(kind)
        self._snapshot = database.snapshot(kind)

    def transaction(self) -> AbstractAsyncContextManager[UnitOfWorkT]:
        return self._transaction()

    def snapshot(self) -> AbstractAsyncContextManager[UnitOfWorkT]:
        return self._snapshot()
