"""Events whose handling leaves a countable trace in the database."""

from collections import Counter

import sqlalchemy as sa

from domain.shared.aggregate import DomainEvent
from infra.contract.clock import Clock
from infra.contract.messaging.event_bus import Delivery
from infra.impl.repository.sql.engine.database import Database
from infra.impl.repository.sql.engine.unit_of_work import SqlUnitOfWork
from infra.impl.repository.sql.event.outbox import SqlEventQueue, inbox

CONSUMER = "books"
EFFECTS = sa.table("effect", sa.column("event_id"), sa.column("key"))


class BookOpened(DomainEvent, frozen=True, kw_only=True, tag="book.opened"):
    page: int = 0


TOPICS = frozenset({"book.opened"})


async def prepare(database: Database) -> None:
    """Make the table of traces; every execution leaves a row of its own."""
    async with database.write() as connection:
        await connection.execute(sa.text("CREATE TABLE effect (event_id TEXT, key TEXT)"))
        await connection.commit()


async def record(database: Database, delivery: Delivery) -> None:
    async with database.write() as connection:
        await connection.execute(
            sa.insert(EFFECTS), {"event_id": delivery.event_id, "key": delivery.key}
        )
        await connection.commit()


async def effects(database: Database) -> Counter[str]:
    """How often each event was handled."""
    async with database.read() as connection:
        return Counter((await connection.execute(sa.select(EFFECTS.c.event_id))).scalars())


async def publish(database: Database, clock: Clock, *books: int) -> list[str]:
    """Commit one event per book, in one transaction; return their ids."""
    events = [
        BookOpened(occurred_at=clock.now(), space_id=1, aggregate_id=book, page=page)
        for page, book in enumerate(books)
    ]
    async with database.transaction(SqlUnitOfWork)() as uow:
        uow.collect(*events)
        await uow.commit()
    return [event.event_id for event in events]


async def settled_ids(database: Database) -> set[str]:
    """Events that the consumer has settled."""
    settled = sa.select(inbox.c.event_id).where(inbox.c.handled_at.is_not(None))
    async with database.read() as connection:
        return set((await connection.execute(settled)).scalars())


async def is_settled(database: Database) -> bool:
    return (await SqlEventQueue(database).backlog()).pending == 0
