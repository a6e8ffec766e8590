"""Dead letters on both databases: found, delivered again, forgotten."""

from datetime import timedelta

import pytest
import sqlalchemy as sa

from infra.contract.messaging.event_repository import Exchange, LetterQuery, Outcome, Settlement
from infra.impl.repository.sql.engine.database import Database
from infra.impl.repository.sql.event.dead_letter import SqlDeadLetters
from infra.impl.repository.sql.event.outbox import SqlEventQueue, inbox
from infra.impl.repository.sql.event.table import outbox
from tests.support.clock import FrozenClock

CONSUMER, TOPIC = "mailer", "lending.loan_opened"
EVERY = LetterQuery()


@pytest.fixture
async def letters(database: Database, clock: FrozenClock) -> SqlDeadLetters:
    """Two events that one consumer gave up."""
    async with database.write() as connection:
        for number in (1, 2):
            row = {
                "event_id": f"e{number}",
                "topic": TOPIC,
                "key": "k",
                "space_id": 7,
                "payload": b'{"space_id": 7}',
                "created_at": clock.now(),
            }
            await connection.execute(sa.insert(outbox).values(**row))
        await connection.commit()
    for number in (1, 2):
        assert await taken(database, clock) == [f"e{number}"]
        dead = Settlement(
            consumer=CONSUMER, event_id=f"e{number}", outcome=Outcome.DEAD, error="no"
        )
        await visit(database, clock, wanted=0, settled=dead)
    return SqlDeadLetters(database)


async def visit(
    database: Database, clock: FrozenClock, *, wanted: int, settled: Settlement | None = None
) -> list[tuple[str, int]]:
    claims = await SqlEventQueue(database).exchange(
        Exchange(
            owner="me",
            now=clock.now(),
            lease_until=clock.now() + timedelta(minutes=1),
            routes={CONSUMER: frozenset({TOPIC})},
            wanted={CONSUMER: wanted},
            settled=() if settled is None else (settled,),
        )
    )
    return [(claim.delivery.event_id, claim.delivery.attempt) for claim in claims]


async def taken(database: Database, clock: FrozenClock) -> list[str]:
    return [event_id for event_id, _ in await visit(database, clock, wanted=1)]


async def test_letters_are_found_by_event_consumer_and_topic(letters: SqlDeadLetters) -> None:
    (first,) = await letters.find(LetterQuery(event_id="e1"), limit=10)

    assert (first.consumer, first.topic, first.error, first.attempts) == (CONSUMER, TOPIC, "no", 1)
    assert await letters.count(LetterQuery(consumer=CONSUMER, topic=TOPIC)) == 2
    assert await letters.count(LetterQuery(consumer="another")) == 0
    assert await letters.count(LetterQuery(text="LOAN_")) == 2
    assert await letters.count(LetterQuery(text="loan%")) == 0


@pytest.mark.parametrize("is_purged", [False, True])
async def test_a_retried_letter_is_delivered_with_all_its_attempts(
    letters: SqlDeadLetters, database: Database, clock: FrozenClock, *, is_purged: bool
) -> None:
    found = await letters.find(LetterQuery(event_id="e1"), limit=10)
    if is_purged:
        async with database.write() as connection:
            for table in (inbox, outbox):
                await connection.execute(sa.delete(table))
            await connection.commit()

    count = await letters.deliver_again(found, now=clock.now())
    again = await letters.deliver_again(found, now=clock.now())

    assert (count, again) == (1, 0)
    assert await visit(database, clock, wanted=5) == [("e1", 1)]
    assert await letters.count(EVERY) == 1


async def test_a_dropped_letter_is_gone(
    letters: SqlDeadLetters, database: Database, clock: FrozenClock
) -> None:
    found = await letters.find(EVERY, limit=10)

    assert await letters.drop(found) == 2
    assert await letters.drop(found) == 0
    assert await letters.count(EVERY) == 0
    assert await taken(database, clock) == []
