"""One SQL database behind all repositories: SQLite for one process, PostgreSQL for many."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import partial
from typing import Any, Final, TypeVar

import msgspec
import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine
from sqlalchemy.pool import AsyncAdaptedQueuePool

from domain.shared.aggregate import Aggregate, DomainEvent
from domain.shared.error import StaleRevision, Unavailable
from infra.impl.repository.sql.schema import outbox

SQLITE_READERS: Final = 4
POOL_SIZE: Final = 20
POOL_OVERFLOW: Final = 10
ACQUIRE_TIMEOUT_S: Final = 5.0
STATEMENT_TIMEOUT_MS: Final = 5000


class SqlUnitOfWork:
    """One connection in one transaction; contexts derive a class with their repositories.

    Events of saved aggregates are collected and written to the outbox by ``commit``, in the same
    transaction.
    """

    def __init__(self, connection: AsyncConnection, *, on_commit: Callable[[], None]) -> None:
        self.connection = connection
        self._on_commit = on_commit
        self._events: list[DomainEvent] = []

    async def commit(self) -> None:
        """Write the collected events and make everything last."""
        events, self._events = self._events, []
        if events:
            await self.connection.execute(sa.insert(outbox), [_to_outbox_row(e) for e in events])
        await self.connection.commit()
        if events:
            self._on_commit()

    def collect(self, *events: DomainEvent) -> None:
        """Take events that no aggregate recorded."""
        self._events.extend(events)

    async def save(self, table: sa.Table, aggregate: Aggregate, row: dict[str, Any]) -> None:
        """Insert or update the aggregate's row under its revision, and collect its events.

        ``row`` holds every column except ``revision``; ``row["id"]`` is the key.

        Raises:
            StaleRevision: the stored revision is not the one this aggregate was loaded with, or
                the id exists already.
        """
        values = {**row, "revision": aggregate.revision + 1}
        if aggregate.revision == 0:
            try:
                await self.connection.execute(sa.insert(table).values(**values))
            except IntegrityError as exc:
                raise StaleRevision(f"{table.name}: this exists already.") from exc
        else:
            unchanged = (table.c.id == row["id"]) & (table.c.revision == aggregate.revision)
            result = await self.connection.execute(
                sa.update(table).where(unchanged).values(**values)
            )
            if result.rowcount == 0:
                raise StaleRevision(f"{table.name}: this changed meanwhile; read it again.")
        self.collect(*aggregate.pull_events())
        aggregate.revision += 1


UnitOfWorkT = TypeVar("UnitOfWorkT", bound=SqlUnitOfWork)


class Database:
    """Owns the engines. On SQLite one writer at a time (``BEGIN IMMEDIATE``), readers beside it."""

    def __init__(self, url: str, *, on_commit: Callable[[], None] = lambda: None) -> None:
        self.url = url
        self.is_sqlite = url.startswith("sqlite")
        self._on_commit = on_commit
        self._write_lock = asyncio.Lock()
        if self.is_sqlite:
            self._writer = _sqlite_engine(url, begin="BEGIN IMMEDIATE", size=1)
            self._reader = _sqlite_engine(url, begin="BEGIN", size=SQLITE_READERS)
        else:
            self._writer = self._reader = create_async_engine(
                url,
                pool_size=POOL_SIZE,
                max_overflow=POOL_OVERFLOW,
                pool_timeout=ACQUIRE_TIMEOUT_S,
                pool_pre_ping=True,
                connect_args={
                    "server_settings": {"statement_timeout": str(STATEMENT_TIMEOUT_MS)},
                    "timeout": ACQUIRE_TIMEOUT_S,
                },
            )

    async def start(self) -> None:
        """Open a connection, so that a wrong address fails at start-up."""
        await self.probe()

    async def aclose(self) -> None:
        await self._writer.dispose()
        if self._reader is not self._writer:
            await self._reader.dispose()

    async def probe(self) -> None:
        """Raise ``Unavailable`` unless a write transaction can be opened within a second."""
        try:
            async with asyncio.timeout(1.0), self.write() as connection:
                await connection.execute(sa.text("SELECT 1"))
        except TimeoutError as exc:
            raise Unavailable("The database does not answer.") from exc

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
            yield kind(connection, on_commit=self._on_commit)

    @asynccontextmanager
    async def write(self) -> AsyncGenerator[AsyncConnection, None]:
        """A connection for writing; leaving without commit rolls back."""
        if not self.is_sqlite:
            async with _translated(), self._writer.connect() as connection:
                yield connection
            return
        async with self._write_lock, _translated(), self._writer.connect() as connection:
            yield connection

    @asynccontextmanager
    async def read(self) -> AsyncGenerator[AsyncConnection, None]:
        """A connection for reading only."""
        async with _translated(), self._reader.connect() as connection:
            yield connection


@asynccontextmanager
async def _translated() -> AsyncGenerator[None, None]:
    """Turn lost connections, full disks and exhausted pools into ``Unavailable``."""
    try:
        yield
    except IntegrityError:
        raise
    except (DBAPIError, sa.exc.TimeoutError, OSError) as exc:
        raise Unavailable("The database is unavailable; try again.") from exc


def _sqlite_engine(url: str, *, begin: str, size: int) -> AsyncEngine:
    engine = create_async_engine(
        url,
        poolclass=AsyncAdaptedQueuePool,
        pool_size=size,
        max_overflow=0,
        pool_timeout=ACQUIRE_TIMEOUT_S,
        connect_args={"timeout": ACQUIRE_TIMEOUT_S},
    )

    @sa.event.listens_for(engine.sync_engine, "connect")
    def _configure(connection: Any, _: Any) -> None:
        connection.isolation_level = None  # the driver must not open transactions of its own
        cursor = connection.cursor()
        for pragma in (
            "journal_mode=WAL",
            "synchronous=FULL",
            "foreign_keys=ON",
            "busy_timeout=5000",
            "cache_size=-8000",
        ):
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    @sa.event.listens_for(engine.sync_engine, "begin")
    def _begin(connection: sa.Connection) -> None:
        connection.exec_driver_sql(begin)

    return engine


def _to_outbox_row(event: DomainEvent) -> dict[str, Any]:
    return {
        "event_id": event.event_id,
        "topic": str(event.__struct_config__.tag),
        "key": str(event.aggregate_id),
        "space_id": event.space_id,
        "payload": msgspec.json.encode(event),
        "created_at": event.occurred_at,
    }
