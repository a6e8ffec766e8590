"""The outbox as a queue: one inbox row per event and consumer, dead letters at the end."""

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime
from functools import cache
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from infra.contract.messaging.event_bus import Delivery
from infra.contract.messaging.event_repository import Backlog, Claim, Exchange, Outcome, Settlement
from infra.impl.repository.sql.engine.database import Database
from infra.impl.repository.sql.engine.unit_of_work import write_later
from infra.impl.repository.sql.event.table import outbox
from infra.impl.repository.sql.fastpath.prepared import Prepared, padded
from infra.impl.repository.sql.mapping.column import Instant, metadata, only_where
from infra.impl.repository.sql.mapping.lease import Lease
from infra.impl.repository.sql.mapping.tenancy import OF_PROCESSES, TENANCY
from infra.impl.repository.sql.mapping.upsert import upsert

PUBLISH_BATCH: Final = 500
ERROR_CHARS: Final = 2000
_PUBLISH_LOCK: Final = 0x636F_7465_7269_65  # PostgreSQL advisory lock, "coterie" in ASCII

inbox: Final = sa.Table(
    "inbox",
    metadata,
    sa.Column("consumer", sa.String(100), primary_key=True),
    sa.Column("event_id", sa.String(32), primary_key=True),
    sa.Column("position", sa.BigInteger, nullable=False),
    sa.Column("key", sa.String(64), nullable=False),
    sa.Column("attempts", sa.Integer, nullable=False),
    sa.Column("due_at", Instant, nullable=False),
    sa.Column("owner", sa.String(32)),
    sa.Column("leased_until", Instant),
    sa.Column("handled_at", Instant),
    sa.Column("error", sa.Text, nullable=False),
    sa.Index(None, "event_id"),
)
is_open: Final = inbox.c.handled_at.is_(None)
_LEASE: Final = Lease(inbox, owner="owner", until="leased_until", attempt="attempts")
sa.Index(
    "ix_inbox_open_by_position",
    inbox.c.consumer,
    inbox.c.position,
    **only_where(is_open),
)
sa.Index(
    "ix_inbox_open_by_key",
    inbox.c.consumer,
    inbox.c.key,
    inbox.c.position,
    **only_where(is_open),
)

dead_letter: Final = sa.Table(
    "dead_letter",
    metadata,
    sa.Column("consumer", sa.String(100), primary_key=True),
    sa.Column("event_id", sa.String(32), primary_key=True),
    sa.Column("topic", sa.String(100), nullable=False),
    sa.Column("key", sa.String(64), nullable=False),
    sa.Column("payload", sa.LargeBinary, nullable=False),
    sa.Column("attempts", sa.Integer, nullable=False),
    sa.Column("error", sa.Text, nullable=False),
    sa.Column("died_at", Instant, nullable=False),
)
TENANCY.apart(OF_PROCESSES, inbox, dead_letter)


class SqlEventQueue:
    """Event queue in the database that the events were committed to.

    Several processes may work on one database: rows are claimed under a lease, and on PostgreSQL
    one process at a time turns outbox rows into inbox rows, so that order within a key holds.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    def listen(self, wake: Callable[[Collection[str]], None]) -> None:
        self._database.listen(wake)

    async def has_work(self, consumers: Sequence[str], now: datetime) -> bool:
        async with self._database.read() as connection:
            values = {"consumers": list(consumers), "now": now}
            (found,) = await _has_work().row(connection, values) or (False,)
            return bool(found)

    async def exchange(self, visit: Exchange) -> list[Claim]:
        async with self._database.write() as connection:
            await self._finish(connection, visit)
            for settlement in visit.settled:
                if settlement.outcome is not Outcome.DONE:
                    await self._settle(connection, settlement, visit)
            await self._renew(connection, visit)
            await fan_out(connection, visit.routes, visit.now)
            wanted = {name: count for name, count in visit.wanted.items() if count > 0}
            claims = [
                claim
                for consumer in await self._served(connection, wanted, visit)
                for claim in await self._claim(connection, consumer, wanted[consumer], visit)
            ]
            await connection.commit()
        return claims

    async def purge(self, *, before: datetime, limit: int) -> int:
        unsettled = sa.select(inbox.c.event_id).where(
            inbox.c.event_id == outbox.c.event_id, is_open
        )
        async with self._database.write() as connection:
            rows = await connection.execute(
                sa.select(outbox.c.event_id)
                .where(outbox.c.published_at < before, ~unsettled.exists())
                .limit(limit)
            )
            event_ids = list(rows.scalars())
            if event_ids:
                for table in (inbox, outbox):
                    await connection.execute(
                        sa.delete(table).where(table.c.event_id.in_(event_ids))
                    )
                await connection.commit()
        return len(event_ids)

    async def read(self, after: int, topics: frozenset[str]) -> tuple[int, list[Delivery]]:
        async with self._database.read() as connection:
            newest = await connection.scalar(sa.select(sa.func.max(outbox.c.position)))
            if not topics or (newest or 0) <= after:
                return newest or 0, []
            rows = await connection.execute(
                sa.select(outbox.c.event_id, outbox.c.topic, outbox.c.key, outbox.c.payload)
                .where(outbox.c.position > after, outbox.c.topic.in_(topics))
                .order_by(outbox.c.position)
            )
            return newest or 0, [Delivery(**row) for row in rows.mappings()]

    async def backlog(self) -> Backlog:
        unsettled = sa.select(inbox.c.event_id).where(
            inbox.c.event_id == outbox.c.event_id, is_open
        )
        open_events = outbox.c.published_at.is_(None) | unsettled.exists()
        async with self._database.read() as connection:
            pending, oldest_at = (
                await connection.execute(
                    sa.select(sa.func.count(), sa.func.min(outbox.c.created_at)).where(open_events)
                )
            ).one()
            dead = await connection.scalar(sa.select(sa.func.count()).select_from(dead_letter))
        return Backlog(pending=pending, oldest_at=oldest_at, dead=dead or 0)

    async def _finish(self, connection: AsyncConnection, visit: Exchange) -> None:
        """Settle what went well, one statement per consumer."""
        done: dict[str, list[str]] = {}
        for settlement in visit.settled:
            if settlement.outcome is Outcome.DONE:
                done.setdefault(settlement.consumer, []).append(settlement.event_id)
        for consumer, event_ids in done.items():
            values = {"mine": consumer, "events": padded(event_ids)}
            await _finished().run(connection, {**values, "by": visit.owner, "now": visit.now})

    async def _settle(
        self, connection: AsyncConnection, settlement: Settlement, visit: Exchange
    ) -> None:
        mine = _row(settlement.consumer, settlement.event_id) & _LEASE.is_of(visit.owner)
        values = _LEASE.released()
        match settlement.outcome:
            case Outcome.DONE:
                values["handled_at"] = visit.now
            case Outcome.RETRY:
                values["due_at"] = settlement.due_at or visit.now
                values["error"] = settlement.error[:ERROR_CHARS]
            case Outcome.RELEASED:
                values["attempts"] = inbox.c.attempts - 1
            case Outcome.DEAD:
                values["handled_at"] = visit.now
                values["error"] = settlement.error[:ERROR_CHARS]
                await self._bury(connection, mine, settlement, visit.now)
        await connection.execute(sa.update(inbox).where(mine, is_open).values(**values))

    async def _bury(
        self,
        connection: AsyncConnection,
        mine: sa.ColumnElement[bool],
        settlement: Settlement,
        now: datetime,
    ) -> None:
        letter = (
            sa.select(
                inbox.c.consumer,
                inbox.c.event_id,
                outbox.c.topic,
                outbox.c.key,
                outbox.c.payload,
                inbox.c.attempts,
                sa.literal(settlement.error[:ERROR_CHARS]),
                sa.literal(now, Instant),
            )
            .select_from(_joined())
            .where(mine, is_open)
        )
        columns = [column.name for column in dead_letter.columns]
        await connection.execute(sa.insert(dead_letter).from_select(columns, letter))

    async def _renew(self, connection: AsyncConnection, visit: Exchange) -> None:
        for claim in visit.running:
            mine = _row(claim.consumer, claim.delivery.event_id)
            await _LEASE.renew(connection, visit.owner, mine, is_open, until=visit.lease_until)

    async def _served(
        self, connection: AsyncConnection, wanted: Collection[str], visit: Exchange
    ) -> Sequence[str]:
        """Return the consumers for whom there is something, mostly none of them."""
        if not wanted:
            return ()
        values = {"consumers": list(wanted), "now": visit.now}
        return sorted(name for (name,) in await _served().rows(connection, values))

    async def _claim(
        self, connection: AsyncConnection, consumer: str, wanted: int, visit: Exchange
    ) -> list[Claim]:
        values = {"consumer": consumer, "now": visit.now, "most": wanted}
        rows = await _claimable().rows(connection, values)
        if not rows:
            return []
        taken = {"mine": consumer, "events": padded([row[0] for row in rows])}
        await _claimed().run(connection, {**taken, "by": visit.owner, "end": visit.lease_until})
        return [
            Claim(
                consumer=consumer,
                delivery=Delivery(
                    event_id=event_id, topic=topic, key=key, payload=payload, attempt=attempts + 1
                ),
            )
            for event_id, attempts, topic, key, payload in rows
        ]


async def fan_out(
    connection: AsyncConnection,
    routes: Mapping[str, frozenset[str]],
    now: datetime,
    *,
    wait: bool = False,
) -> None:
    """Give each consumer its inbox row of every new event.

    Processes take turns at it; who does not ``wait`` leaves it to the one at work.
    """
    is_sqlite = connection.dialect.name == "sqlite"
    if not is_sqlite:
        lock = sa.func.pg_advisory_xact_lock if wait else sa.func.pg_try_advisory_xact_lock
        if await connection.scalar(sa.select(lock(_PUBLISH_LOCK))) is False:
            return
    events = await _unpublished().rows(connection, {})
    if not events:
        return
    rows = [
        {
            "consumer": consumer,
            "event_id": event_id,
            "position": position,
            "key": key,
            "attempts": 0,
            "due_at": now,
            "error": "",
        }
        for position, event_id, topic, key in events
        for consumer, topics in routes.items()
        if topic in topics
    ]
    if rows:
        await write_later(connection, _fan_out(connection.dialect.name), rows)
    positions = padded([position for position, *_ in events])
    await _published().run(connection, {"positions": positions, "now": now})


@cache
def _has_work() -> Prepared:
    now: Any = sa.bindparam("now", type_=Instant())
    consumers = sa.bindparam("consumers", type_=sa.String(), expanding=True)
    unpublished = sa.select(outbox.c.position).where(outbox.c.published_at.is_(None))
    claimable = sa.select(inbox.c.position).where(
        inbox.c.consumer.in_(consumers), _is_claimable(now)
    )
    return Prepared(sa.select(sa.or_(unpublished.exists(), claimable.exists())))


@cache
def _served() -> Prepared:
    now: Any = sa.bindparam("now", type_=Instant())
    consumers = sa.bindparam("consumers", type_=sa.String(), expanding=True)
    return Prepared(
        sa.select(inbox.c.consumer)
        .where(inbox.c.consumer.in_(consumers), _is_claimable(now))
        .distinct()
    )


@cache
def _claimable() -> Prepared:
    """What a consumer may have now; nothing that comes after what is still open of its key."""
    now: Any = sa.bindparam("now", type_=Instant())
    earlier = inbox.alias("earlier")
    is_blocked = (
        sa.select(earlier.c.event_id)
        .where(
            earlier.c.consumer == inbox.c.consumer,
            earlier.c.key == inbox.c.key,
            earlier.c.position < inbox.c.position,
            earlier.c.handled_at.is_(None),
        )
        .exists()
    )
    columns = (inbox.c.event_id, inbox.c.attempts, outbox.c.topic, outbox.c.key, outbox.c.payload)
    return Prepared(
        sa.select(*columns)
        .select_from(_joined())
        .where(
            inbox.c.consumer == sa.bindparam("consumer", type_=sa.String()),
            _is_claimable(now),
            ~is_blocked,
        )
        .order_by(inbox.c.position)
        .limit(sa.bindparam("most", type_=sa.Integer()))
        .with_for_update(of=inbox, skip_locked=True)
    )


@cache
def _unpublished() -> Prepared:
    return Prepared(
        sa.select(outbox.c.position, outbox.c.event_id, outbox.c.topic, outbox.c.key)
        .where(outbox.c.published_at.is_(None))
        .order_by(outbox.c.position)
        .limit(PUBLISH_BATCH)
    )


@cache
def _fan_out(dialect: str) -> Any:
    return upsert(dialect, inbox).on_conflict_do_nothing()


@cache
def _published() -> Prepared:
    wanted = outbox.c.position.in_(sa.bindparam("positions", type_=sa.BigInteger, expanding=True))
    now = sa.bindparam("now", type_=Instant())
    return Prepared(sa.update(outbox).where(wanted).values(published_at=now))


def _some() -> sa.ColumnElement[bool]:
    """Return the condition of some rows of a consumer."""
    events = sa.bindparam("events", type_=sa.String(), expanding=True)
    mine = inbox.c.consumer == sa.bindparam("mine", type_=sa.String())
    return mine & inbox.c.event_id.in_(events)


@cache
def _claimed() -> Prepared:
    by: Any = sa.bindparam("by", type_=sa.String())
    end: Any = sa.bindparam("end", type_=Instant())
    return Prepared(sa.update(inbox).where(_some()).values(**_LEASE.claimed(by, until=end)))


@cache
def _finished() -> Prepared:
    """What went well, if it is still the owner's."""
    by: Any = sa.bindparam("by", type_=sa.String())
    now = sa.bindparam("now", type_=Instant())
    done = sa.update(inbox).where(_some(), _LEASE.is_of(by), is_open)
    return Prepared(done.values(**_LEASE.released(), handled_at=now))


def _is_claimable(now: datetime) -> sa.ColumnElement[bool]:
    return is_open & (inbox.c.due_at <= now) & _LEASE.is_free(now)


def _row(consumer: str, event_id: str) -> sa.ColumnElement[bool]:
    return (inbox.c.consumer == consumer) & (inbox.c.event_id == event_id)


def _joined() -> sa.FromClause:
    return inbox.join(outbox, outbox.c.event_id == inbox.c.event_id)
