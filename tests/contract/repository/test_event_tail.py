"""Every process hears of every event, whoever handled it, on SQLite and PostgreSQL."""

import sqlalchemy as sa

from application.identity.following import RIGHTS_CHANGED, RightsChange
from application.shared.cache_invalidation import InvalidationPoller
from bootstrap.compose.part.invalidation import rights_invalidation
from domain.identity.entity import User
from domain.shared.ids import SpaceId, UserId
from infra.impl.repository.sql.engine.database import Database
from infra.impl.repository.sql.event.outbox import SqlEventQueue
from infra.impl.repository.sql.event.table import outbox
from infra.impl.repository.sql.identity.repository import SqlIdentityStore
from infra.impl.signal.local import LocalSignals
from tests.support.clock import FrozenClock


class Process:
    """One of several processes on a database, which no signal reaches."""

    def __init__(self, database: Database) -> None:
        self.heard: list[RightsChange] = []
        news = rights_invalidation(LocalSignals(), [self.heard.append])
        self.poller = InvalidationPoller(SqlEventQueue(database), [news])

    async def begin(self) -> None:
        """Start to look, but only when asked to."""
        await self.poller.start()
        await self.poller.aclose()


async def disabled(database: Database, clock: FrozenClock, number: int) -> None:
    user = User.create(
        id=UserId(number),
        name=f"user{number}",
        personal_space_id=SpaceId(number),
        actor_id=UserId(1),
        now=clock.now(),
    )
    user.disable(actor_id=UserId(1), now=clock.now())
    async with SqlIdentityStore(database).transaction() as uow:
        await uow.users.save(user)
        await uow.commit()


async def test_all_processes_hear_of_each_event_once(
    database: Database, clock: FrozenClock
) -> None:
    await disabled(database, clock, 100)
    processes = [Process(database), Process(database)]
    for process in processes:
        await process.begin()

    await disabled(database, clock, 101)
    await disabled(database, clock, 102)

    for process in processes:
        for _ in range(15):  # longer than what is read again
            await process.poller.poll()
        found = [(each.type, each.aggregate_id) for each in process.heard]
        assert found == [("user.disabled", 101), ("user.disabled", 102)]


async def test_an_event_that_appears_below_others_is_heard(
    database: Database, clock: FrozenClock
) -> None:
    process = Process(database)
    await process.begin()
    await disabled(database, clock, 101)
    await disabled(database, clock, 102)
    async with database.write() as connection:  # as if its transaction had ended later
        row = (
            (
                await connection.execute(
                    sa.select(outbox)
                    .where(outbox.c.topic == "user.disabled")
                    .order_by(outbox.c.position)
                )
            )
            .mappings()
            .first()
        )
        assert row is not None
        await connection.execute(sa.delete(outbox).where(outbox.c.position == row["position"]))
        await connection.commit()
    await process.poller.poll()
    async with database.write() as connection:
        await connection.execute(sa.insert(outbox).values(**row))
        await connection.commit()

    await process.poller.poll()

    assert sorted(each.aggregate_id for each in process.heard) == [101, 102]


async def test_positions_that_begin_anew_hide_nothing(
    database: Database, clock: FrozenClock
) -> None:
    for number in range(100, 105):
        await disabled(database, clock, number)
    process = Process(database)
    await process.begin()
    async with database.write() as connection:
        await connection.execute(sa.delete(outbox))
        await connection.commit()

    await disabled(database, clock, 200)
    await process.poller.poll()

    assert [each.aggregate_id for each in process.heard] == [200]
    assert "user.disabled" in RIGHTS_CHANGED
