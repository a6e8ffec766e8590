"""Transactions as contexts use them: aggregates saved under their revisions, and what they tell."""

import re
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from typing import Any, Final

import msgspec
import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from domain.shared.account import current_origin
from domain.shared.act import Act, current_act
from domain.shared.aggregate import Aggregate, DomainEvent
from domain.shared.error import AppError, StaleRevision
from domain.shared.settlement import SettlementPart
from domain.shared.tracing.span import traceparent
from infra.impl.repository.sql.engine.settlement import SETTLED
from infra.impl.repository.sql.event.audit import AuditRows, Changed, Row
from infra.impl.repository.sql.event.table import outbox
from infra.impl.repository.sql.fastpath.combined import Write, plain, table_name
from infra.impl.repository.sql.fastpath.kept_connection import driver_of, execute_on
from infra.impl.repository.sql.fastpath.postgres_write import (
    can_wait,
    combines_writes,
    defer,
    write_now,
)

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

    def told(self, table: sa.Table, *, id_: int, space_id: int, parent_id: int) -> None:
        """Keep for whoever watches a table that a row without a revision got on."""
        if self._watch is None or table not in self._watch.tables:
            return
        self._saved[(table.name, id_)] = SavedRow(
            table=table,
            id=id_,
            space_id=space_id,
            revision=0,
            parent_id=parent_id,
            is_new=False,
            is_deleted=False,
            topics=frozenset(),
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
