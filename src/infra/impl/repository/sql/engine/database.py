"""One SQL database behind all repositories: SQLite for one process, PostgreSQL for many."""

import asyncio
import re
from collections.abc import AsyncGenerator, Awaitable, Callable, Collection, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from functools import cache, partial
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, Generic, TypeVar

import msgspec
import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine
from sqlalchemy.pool import QueuePool

from domain.shared.account import current_origin
from domain.shared.act import Act, current_act
from domain.shared.aggregate import Aggregate, DomainEvent
from domain.shared.error import AppError, StaleRevision, Unavailable
from domain.shared.settlement import SettlementPart
from domain.shared.tracing.span import traceparent
from infra.contract.storage.database import PoolLimits, priority_scope
from infra.impl.repository.sql.engine.connection import ConnectionLimiter, connected
from infra.impl.repository.sql.engine.postgres import patient_engine, pooled_engine
from infra.impl.repository.sql.engine.settlement import SETTLED
from infra.impl.repository.sql.engine.sqlite import ACQUIRE_TIMEOUT_S, sqlite_engine
from infra.impl.repository.sql.event.audit import AuditRows, Changed, Row
from infra.impl.repository.sql.event.table import outbox
from infra.impl.repository.sql.fastpath.combined import Write, plain, table_name
from infra.impl.repository.sql.fastpath.kept_connection import (
    KeptConnections,
    driver_of,
    execute_on,
)
from infra.impl.repository.sql.fastpath.postgres_write import (
    can_wait,
    combines_writes,
    defer,
    write_now,
)
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
_CONSTRAINT: Final = re.compile(r"constraint failed: (\w+)\.")
AUDITED: Final = "audit_log"
"""What listeners are told besides topics: there are rows to be chained."""
OnCommit = Callable[[Collection[str]], None]
"""Takes the topics of events that were just committed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedRow:
    """A row of a watched table as a transaction left it."""

    table: sa.Table
    id: int
    space_id: int
    revision: int
    parent_id: int
    """What it is a part of; 0 for what stands alone."""
    is_new: bool
    is_deleted: bool
    """It is kept, but nobody sees it any more."""
    topics: frozenset[str]
    """Of the facts that the transaction recorded about it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Watch:
    """Somebody who hears after each commit what it left; must not block."""

    tables: Mapping[sa.Table, str]
    """Whose rows are told, with the column of what they are a part of, if they are."""
    on_saved: Callable[[Collection[SavedRow]], None]
    topics: frozenset[str]
    """Facts that are told."""
    on_facts: Callable[[Sequence[DomainEvent]], None]


WriteContended = Callable[[AsyncConnection, Sequence[Any]], Awaitable[None]]


class SqlUnitOfWork:
    """One connection in one transaction; contexts derive a class with their repositories.

    Events of saved aggregates are collected and written to the outbox by ``commit``, in the same
    transaction, if their topics are ``stored``: the others are for nobody.
    """

    def __init__(
        self,
        connection: AsyncConnection,
        *,
        on_commit: OnCommit,
        stored: frozenset[str] | None = None,
        audit: AuditRows | None = None,
        watch: Watch | None = None,
    ) -> None:
        self.connection = connection
        self._on_commit = on_commit
        self._stored = stored
        self._audit = audit
        self._watch = watch
        self._saved: dict[tuple[str, int], SavedRow] = {}
        self._facts_told: list[DomainEvent] = []
        self._changed: list[Changed] = []
        self._events: list[DomainEvent] = []
        self._taken: dict[str, AppError] = {}
        self._contended: dict[WriteContended, list[Any]] = {}

    async def commit(self) -> None:
        """Write the collected events and make everything last."""
        contended, self._contended = self._contended, {}
        for write, items in contended.items():
            await write(self.connection, items)
        events, self._events = self._events, []
        if events:
            rows = [_to_outbox_row(event) for event in events]
            await write_later(self.connection, insert_into(outbox), rows)
        is_audited = self._audit is not None and await self._write_audit(self._audit)
        await self.connection.commit()
        topics = {_topic(event) for event in events}
        if is_audited:
            topics.add(AUDITED)
        if topics:
            self._on_commit(topics)
        saved, self._saved = self._saved, {}
        told, self._facts_told = self._facts_told, []
        if self._watch is not None:
            if saved:
                self._watch.on_saved(saved.values())
            if told:
                self._watch.on_facts(told)

    def forget(self) -> None:
        """Let go of everything: the transaction is over.

        Repositories refer to their transaction and it to them; only the search for garbage, which
        everybody waits for, would find such a circle.
        """
        vars(self).clear()

    async def tell(self, act: Act) -> None:
        """Write the audit row of an act that no transaction told of."""
        if self._audit is not None:
            row = await self._audit.of_act(self.connection, act)
            await write_later(self.connection, insert_into(self._audit.table), [row])
            act.rows += 1

    async def _write_audit(self, audit: AuditRows) -> bool:
        """Tell in the audit log what this transaction changes; tell whether there was anything."""
        act = current_act()
        changed, self._changed = self._changed, []
        rows = audit.of(act, changed) if changed else []
        if not rows and act is not None and not act.rows:
            rows = [await audit.of_act(self.connection, act)]
        await write_later(self.connection, insert_into(audit.table), rows)
        if act is not None:
            act.rows += len(rows)
        return bool(rows)

    def at_last(self, write: WriteContended, items: Sequence[Any]) -> None:
        """Have all ``items`` given for a writer written by it just before the commit.

        For rows that many change: they are locked shortly, and in one order.
        """
        if items:
            self._contended.setdefault(write, []).extend(items)

    async def settle(self, parts: Sequence[SettlementPart]) -> None:
        """Store what takes part in the settlement of runs with the commit."""
        if parts:
            await SETTLED.store(self, parts)

    async def serialise(self, what: str) -> None:
        """Go on alone among the transactions that name the same, until this one ends.

        Call it before reading what the decision depends on. On SQLite there is one writer anyway.
        """
        if self.connection.dialect.name != "sqlite":
            # Keys of advisory locks are signed numbers of 64 bits.
            key = int.from_bytes(sha256(what.encode()).digest()[:8], signed=True)
            await self.connection.execute(sa.select(sa.func.pg_advisory_xact_lock(key)))

    def collect(self, *events: DomainEvent) -> None:
        """Take events that no aggregate recorded."""
        self._collect(events)
        if self._audit is not None and (facts := self._facts(self._audit, events)):
            self._changed.append(Changed(facts=facts))

    def _collect(self, events: Sequence[DomainEvent]) -> None:
        stored = self._stored
        if (watch := self._watch) is not None:
            self._facts_told.extend(each for each in events if _topic(each) in watch.topics)
        self._events.extend(each for each in events if stored is None or _topic(each) in stored)

    def _facts(self, audit: AuditRows, events: Sequence[DomainEvent]) -> list[DomainEvent]:
        return [each for each in events if _topic(each) in audit.topics]

    def _take(
        self, table: sa.Table, aggregate: Aggregate, row: Row, before: Row | None = None
    ) -> None:
        """Take the events of an aggregate that is written, and what others tell of its row."""
        events = aggregate.pull_events()
        if self._watch is not None and table in self._watch.tables:
            is_deleted = row.get("deleted_at") is not None
            parent = self._watch.tables[table]
            self._note(
                table,
                aggregate,
                int(row["space_id"]),
                events,
                parent_id=int(row[parent]) if parent else 0,
                is_deleted=is_deleted,
            )
        if events:
            self._collect(events)
        if self._audit is None:
            return
        facts = self._facts(self._audit, events) if events else []
        if facts or current_act() is not None:
            self._changed.append(
                Changed(table=table, id=int(row["id"]), before=before, after=row, facts=facts)
            )

    def removed(self, table: sa.Table, aggregate: Aggregate) -> None:
        """Take the events of an aggregate whose row was just deleted."""
        events = aggregate.pull_events()
        if self._watch is not None and table in self._watch.tables:
            space_id, _ = aggregate.subject
            self._note(table, aggregate, space_id, events, is_deleted=True)
        self.collect(*events)

    def _note(
        self,
        table: sa.Table,
        aggregate: Aggregate,
        space_id: int,
        events: Sequence[DomainEvent],
        *,
        parent_id: int = 0,
        is_deleted: bool,
    ) -> None:
        """Keep for whoever watches a table what this transaction leaves of a row."""
        place = (table.name, aggregate.id)
        before = self._saved.get(place)
        topics = frozenset(map(_topic, events))
        self._saved[place] = SavedRow(
            table=table,
            id=aggregate.id,
            space_id=space_id,
            revision=aggregate.revision + 1,
            parent_id=parent_id,
            is_new=aggregate.revision == 0 if before is None else before.is_new,
            is_deleted=is_deleted,
            topics=topics if before is None else topics | before.topics,
        )

    async def _before(self, table: sa.Table, id_: int) -> Row | None:
        """Return what a row is before it changes, if the audit log will tell of it."""
        if self._audit is None or current_act() is None:
            return None
        query = sa.select(table).where(table.c.id == id_)
        found = (await self.connection.execute(query)).mappings().one_or_none()
        return None if found is None else dict(found)

    async def witness(self, table: sa.Table, id_: int) -> None:
        """Note that a row is about to be deleted."""
        if before := await self._before(table, id_):
            self._changed.append(Changed(table=table, id=id_, before=before))

    async def save(self, table: sa.Table, aggregate: Aggregate, row: dict[str, Any]) -> None:
        """Insert or update the aggregate's row under its revision, and collect its events.

        ``row`` holds every column except ``revision``; ``row["id"]`` is the key.

        Raises:
            StaleRevision: the stored revision is not the one this aggregate was loaded with, or
                the id exists already.
        """
        values = {**row, "revision": aggregate.revision + 1}
        before = await self._before(table, row["id"]) if aggregate.revision else None
        if aggregate.revision == 0:
            try:
                await _write(self.connection, insert_into(table), {**defaults_of(table), **values})
            except IntegrityError as exc:
                raise StaleRevision(f"{table.name}: this exists already.") from exc
        else:
            loaded = {"loaded_id": row["id"], "loaded_revision": aggregate.revision}
            if not await _write(self.connection, _update_of(table), {**values, **loaded}):
                raise _stale(table)
        self._take(table, aggregate, row, before)
        aggregate.revision += 1

    async def add(
        self,
        table: sa.Table,
        aggregate: Aggregate,
        row: dict[str, Any],
        *,
        taken: AppError | None = None,
    ) -> None:
        """Insert a new aggregate with the commit at the latest; see ``write_later``.

        ``taken`` is then raised if the table has another row in its place.
        """
        await self.later(insert_into(table), [{**row, "revision": 1}], taken=taken)
        self._take(table, aggregate, row)
        aggregate.revision = 1

    async def change(self, table: sa.Table, aggregate: Aggregate, row: dict[str, Any]) -> None:
        """As ``save`` for an aggregate that was loaded, but told by the commit at the latest."""
        loaded = {"loaded_id": row["id"], "loaded_revision": aggregate.revision}
        values = {**row, **loaded, "revision": aggregate.revision + 1}
        before = await self._before(table, row["id"])
        await write_later(self.connection, _update_of(table), [values], unchanged=_stale(table))
        self._take(table, aggregate, row, before)
        aggregate.revision += 1

    async def later(
        self,
        statement: sa.Insert,
        rows: Sequence[Mapping[str, Any]],
        *,
        taken: AppError | None = None,
    ) -> None:
        """Insert rows with the commit at the latest; ``taken`` as in ``add``."""
        if taken is not None:
            self._taken[table_name(statement)] = taken
        await write_later(self.connection, statement, rows)

    def refusal(self, error: IntegrityError) -> AppError | None:
        """Return what it means that a row was refused which was to be inserted later."""
        return self._taken.get(_table_of(error))


@cache
def insert_into(table: sa.Table) -> sa.Insert:
    """Insert of plain rows; built once, because building costs more than executing."""
    return sa.insert(table).inline()


@cache
def defaults_of(table: sa.Table) -> Mapping[str, Any]:
    """Return what new rows have in columns that no aggregate knows."""
    return {
        column.name: column.default.arg
        for column in table.columns
        if isinstance(column.default, sa.ColumnDefault) and column.default.is_scalar
    }


def _stale(table: sa.Table) -> StaleRevision:
    return StaleRevision(f"{table.name}: this changed meanwhile; read it again.")


def _table_of(error: IntegrityError) -> str:
    """Return the table whose constraint was violated, as either database tells it."""
    cause = error.orig.__cause__ if error.orig is not None else None
    named = getattr(cause, "table_name", None)
    if named is None:
        found = _CONSTRAINT.search(str(error.orig))
        named = found[1] if found else ""
    return str(named)


@cache
def _update_of(table: sa.Table) -> sa.Update:
    """Update of an unchanged row; built once, because building costs more than executing."""
    return sa.update(table).where(
        table.c.id == sa.bindparam("loaded_id"),
        table.c.revision == sa.bindparam("loaded_revision"),
    )


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


async def _write(
    connection: AsyncConnection, statement: sa.Insert | sa.Update, row: Mapping[str, Any]
) -> int:
    """Execute a statement that is built once; return how many rows it changed."""
    driver = driver_of(connection)
    if driver is None:
        return (await connection.execute(statement, row)).rowcount
    text, [parameters] = plain(Write(statement, [row]), connection.dialect)
    return (await execute_on(connection, driver, text, parameters)).rowcount


async def write_later(
    connection: AsyncConnection,
    statement: sa.Insert | sa.Update,
    rows: Sequence[Mapping[str, Any]],
    *,
    unchanged: AppError | None = None,
) -> None:
    """Execute a statement nobody looks at the result of; it should be built once.

    It travels to the database together with the next statement or the commit, and its errors
    surface there: not for statements whose refusal somebody handles on the spot. ``unchanged`` is
    raised then if it changes nothing. Where the setting turns that off, it is executed at once.
    """
    if not rows:
        return
    sync = connection.sync_connection
    if sync is None:
        raise TypeError("The connection is not open.")
    write = Write(statement, rows, unchanged)
    if (driver := driver_of(connection)) is not None:
        driver.begin()
        text, parameters = plain(write, sync.dialect)
        driver.defer(text, parameters, unchanged=unchanged)
        return
    if combines_writes(sync):
        if can_wait(sync, write):
            defer(sync, write)
        else:
            await connection.run_sync(write_now, write)
        return
    done = await connection.execute(statement, rows if len(rows) > 1 else rows[0])
    if unchanged is not None and done.rowcount == 0:
        raise unchanged


class SqlStore(Generic[UnitOfWorkT]):
    """Opens transactions of one context, on its unit of work."""

    def __init__(self, database: Database, kind: Callable[..., UnitOfWorkT]) -> None:
        self._transaction = database.transaction(kind)
        self._snapshot = database.snapshot(kind)

    def transaction(self) -> AbstractAsyncContextManager[UnitOfWorkT]:
        return self._transaction()

    def snapshot(self) -> AbstractAsyncContextManager[UnitOfWorkT]:
        return self._snapshot()


def _to_outbox_row(event: DomainEvent) -> dict[str, Any]:
    return {
        "event_id": event.event_id,
        "topic": _topic(event),
        "key": str(event.aggregate_id),
        "space_id": event.space_id,
        "payload": msgspec.json.encode(event),
        "created_at": event.occurred_at,
        "traceparent": traceparent() or current_origin().traceparent or None,
    }


def _topic(event: DomainEvent) -> str:
    return str(event.__struct_config__.tag)
