"""Delivery of committed events; every event bus passes these."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest
import sqlalchemy as sa

from domain.shared.aggregate import DomainEvent
from infra.contract.messaging.event_bus import Delivery
from infra.contract.messaging.event_repository import Exchange, Outcome, Settlement
from infra.impl.event_bus.delivery import MAX_ATTEMPTS, BusTiming
from infra.impl.repository.sql.engine.database import Database
from infra.impl.repository.sql.engine.unit_of_work import SqlUnitOfWork
from infra.impl.repository.sql.event.outbox import SqlEventQueue, dead_letter, inbox
from infra.impl.repository.sql.event.table import outbox
from tests.support.clock import FrozenClock
from tests.support.event.bus import Bus, Place, open_place
from tests.support.wait import until_so

TIMING = BusTiming(poll_s=0.05, coalesce_s=0.001, close_grace_s=0.2)


class BookOpened(DomainEvent, frozen=True, kw_only=True, tag="book.opened"):
    page: int = 0


class BookClosed(DomainEvent, frozen=True, kw_only=True, tag="book.closed"):
    pass


async def publish(database: Database, *events: DomainEvent) -> None:
    async with database.transaction(SqlUnitOfWork)() as uow:
        uow.collect(*events)
        await uow.commit()


def opened(clock: FrozenClock, book: int, page: int = 0) -> BookOpened:
    return BookOpened(occurred_at=clock.now(), space_id=1, aggregate_id=book, page=page)


async def rows(database: Database, table: sa.Table) -> int:
    async with database.read() as connection:
        return (await connection.scalar(sa.select(sa.func.count()).select_from(table))) or 0


async def settled(database: Database) -> bool:
    return (await SqlEventQueue(database).backlog()).pending == 0


class Recorder:
    """A consumer that remembers, and fails as often as told."""

    def __init__(self, *, failures: int = 0) -> None:
        self.seen: list[Delivery] = []
        self.failures = failures

    async def handle(self, delivery: Delivery) -> None:
        self.seen.append(delivery)
        if self.failures:
            self.failures -= 1
            raise ValueError("not yet")


@pytest.fixture(params=["embedded-sqlite", "embedded-postgres", "jetstream-postgres"])
async def place(request: pytest.FixtureRequest, clock: FrozenClock) -> AsyncGenerator[Place, None]:
    """A database and a kind of bus to go with it, each pair in turn."""
    async with open_place(request, request.param, clock) as place:
        yield place


@asynccontextmanager
async def running(
    place: Place,
    *,
    database: Database | None = None,
    timing: BusTiming = TIMING,
    **consumers: Callable[[Delivery], Awaitable[None]],
) -> AsyncGenerator[Bus, None]:
    bus = place.bus(timing, database=database)
    for name, handler in consumers.items():
        bus.subscribe(name, frozenset({"book.opened"}), handler)
    await bus.start()
    try:
        yield bus
    finally:
        await bus.aclose()


async def test_a_committed_event_reaches_each_consumer_once(
    place: Place, clock: FrozenClock
) -> None:
    one, two = Recorder(), Recorder()
    async with running(place, one=one.handle, two=two.handle):
        event = opened(clock, 1)
        await publish(place.database, event)
        await until_so(lambda: settled(place.database))

    assert [d.event_id for d in one.seen] == [d.event_id for d in two.seen] == [event.event_id]
    assert (one.seen[0].topic, one.seen[0].key, one.seen[0].attempt) == ("book.opened", "1", 1)
    assert b'"type":"book.opened"' in one.seen[0].payload


async def test_other_topics_are_not_delivered(place: Place, clock: FrozenClock) -> None:
    recorder = Recorder()
    async with running(place, one=recorder.handle):
        await publish(
            place.database, BookClosed(occurred_at=clock.now(), space_id=1, aggregate_id=1)
        )
        await until_so(lambda: settled(place.database))

    assert recorder.seen == []


async def test_events_of_a_rolled_back_transaction_are_not_delivered(
    place: Place, clock: FrozenClock
) -> None:
    recorder = Recorder()
    async with running(place, one=recorder.handle):
        async with place.database.transaction(SqlUnitOfWork)() as uow:
            uow.collect(opened(clock, 1))
        await publish(place.database, opened(clock, 2))
        await until_so(lambda: settled(place.database))

    assert [d.key for d in recorder.seen] == ["2"]


async def test_events_committed_while_nobody_listens_are_delivered_at_start(
    place: Place, clock: FrozenClock
) -> None:
    await publish(place.database, opened(clock, 1))
    recorder = Recorder()
    async with running(place, one=recorder.handle):
        await until_so(lambda: settled(place.database))

    assert len(recorder.seen) == 1


async def test_events_of_another_process_are_found_without_a_signal(
    place: Place, clock: FrozenClock
) -> None:
    recorder = Recorder()
    other = Database(place.database.url)
    async with running(place, one=recorder.handle):
        await publish(other, opened(clock, 1))
        await until_so(lambda: len(recorder.seen) == 1)
    await other.aclose()


async def test_a_restart_delivers_nothing_twice(place: Place, clock: FrozenClock) -> None:
    recorder = Recorder()
    for _ in range(2):
        async with running(place, one=recorder.handle):
            if not recorder.seen:
                await publish(place.database, opened(clock, 1))
            await until_so(lambda: settled(place.database))

    assert len(recorder.seen) == 1


async def test_a_failed_delivery_is_repeated_after_its_pause(
    place: Place, clock: FrozenClock
) -> None:
    recorder = Recorder(failures=2)
    async with running(place, one=recorder.handle) as bus:
        await publish(place.database, opened(clock, 1))
        await until_so(lambda: len(recorder.seen) == 1)
        for attempt, pause_s in ((2, 1.0), (3, 5.0)):
            await asyncio.sleep(0.03)
            assert len(recorder.seen) == attempt - 1, "repeated too early"
            clock.advance(seconds=pause_s)
            bus.wake()
            await until_so(lambda wanted=attempt: len(recorder.seen) == wanted)  # type: ignore[misc]
        await until_so(lambda: settled(place.database))

    assert [d.attempt for d in recorder.seen] == [1, 2, 3]


async def test_after_the_last_attempt_the_event_goes_to_the_dead_letters(
    place: Place, clock: FrozenClock
) -> None:
    recorder, other = Recorder(failures=1000), Recorder()
    async with running(place, bad=recorder.handle, good=other.handle) as bus:
        event = opened(clock, 1)
        await publish(place.database, event)

        async def dead() -> bool:
            clock.advance(seconds=1800)
            bus.wake()
            return await rows(place.database, dead_letter) == 1

        await until_so(dead)
        await until_so(lambda: settled(place.database))

    assert len(recorder.seen) == MAX_ATTEMPTS
    assert len(other.seen) == 1
    async with place.database.read() as connection:
        letter = (await connection.execute(sa.select(dead_letter))).one()
    assert (letter.consumer, letter.event_id, letter.attempts) == ("bad", event.event_id, 8)
    assert letter.error == "ValueError: not yet"
    assert letter.payload == recorder.seen[0].payload


async def test_events_of_one_key_come_in_order_and_wait_for_a_repetition(
    place: Place, clock: FrozenClock
) -> None:
    recorder = Recorder(failures=1)
    async with running(place, one=recorder.handle) as bus:
        await publish(place.database, *(opened(clock, 1, page) for page in range(3)))
        await until_so(lambda: len(recorder.seen) == 1)
        await publish(place.database, opened(clock, 2))
        await until_so(lambda: len(recorder.seen) == 2)
        assert recorder.seen[-1].key == "2", "another key does not wait"
        clock.advance(seconds=1)
        bus.wake()
        await until_so(lambda: settled(place.database))

    pages = [d.payload.partition(b'"page":')[2][:1] for d in recorder.seen if d.key == "1"]
    assert pages == [b"0", b"0", b"1", b"2"]


async def test_different_keys_are_handled_at_the_same_time_up_to_the_limit(
    place: Place, clock: FrozenClock
) -> None:
    active = peak = 0

    async def handle(_: Delivery) -> None:
        nonlocal active, peak
        active += 1
        peak = max(peak, active)
        await asyncio.sleep(0.01)
        active -= 1

    timing = BusTiming(poll_s=0.05, coalesce_s=0.001, concurrency=3)
    async with running(place, timing=timing, one=handle):
        await publish(place.database, *(opened(clock, book) for book in range(1, 13)))
        await until_so(lambda: settled(place.database))

    assert peak == 3


async def test_a_handler_that_never_ends_fails_its_attempt(
    place: Place, clock: FrozenClock
) -> None:
    seen: list[int] = []

    async def handle(delivery: Delivery) -> None:
        seen.append(delivery.attempt)
        if delivery.attempt == 1:
            await asyncio.Event().wait()

    timing = BusTiming(poll_s=0.05, coalesce_s=0.001, handler_timeout_s=0.02)
    async with running(place, timing=timing, one=handle) as bus:
        await publish(place.database, opened(clock, 1))

        async def repeated() -> bool:
            clock.advance(seconds=1)
            bus.wake()
            return len(seen) == 2

        await until_so(repeated)
        await until_so(lambda: settled(place.database))


async def test_closing_gives_back_what_is_not_finished(place: Place, clock: FrozenClock) -> None:
    started = asyncio.Event()

    async def hang(_: Delivery) -> None:
        started.set()
        await asyncio.Event().wait()

    async with running(place, one=hang):
        await publish(place.database, opened(clock, 1))
        await started.wait()

    recorder = Recorder()
    async with running(place, one=recorder.handle):
        await until_so(lambda: settled(place.database))
    assert [d.attempt for d in recorder.seen] == [1], "an interrupted attempt does not count"


async def test_a_dead_process_loses_its_claims_when_the_lease_ends(
    place: Place, clock: FrozenClock
) -> None:
    queue = SqlEventQueue(place.database)
    await publish(place.database, opened(clock, 1))
    visit = Exchange(
        owner="dead",
        now=clock.now(),
        lease_until=clock.now(),
        routes={"one": frozenset({"book.opened"})},
        wanted={"one": 1},
    )
    (claim,) = await queue.exchange(visit)
    clock.advance(seconds=1)

    recorder = Recorder()
    async with running(place, one=recorder.handle):
        await until_so(lambda: settled(place.database))
    assert [d.attempt for d in recorder.seen] == [2]

    late = Settlement(consumer="one", event_id=claim.delivery.event_id, outcome=Outcome.RETRY)
    await queue.exchange(
        Exchange(
            owner="dead",
            now=clock.now(),
            lease_until=clock.now(),
            routes={},
            wanted={},
            settled=[late],
        )
    )
    assert await settled(place.database), "a late settlement has no effect"


async def test_two_processes_share_the_work_and_repeat_nothing(
    place: Place, clock: FrozenClock
) -> None:
    one, two = Recorder(), Recorder()
    other = Database(place.database.url)
    async with (
        running(place, one=one.handle),
        running(place, database=other, one=two.handle),
    ):
        for book in range(1, 31):
            await publish(place.database, opened(clock, book), opened(clock, book))
        await until_so(lambda: settled(place.database))
    await other.aclose()

    ids = [d.event_id for d in (*one.seen, *two.seen)]
    assert len(ids) == len(set(ids)) == 60


async def test_settled_events_are_forgotten_after_their_retention(
    place: Place, clock: FrozenClock
) -> None:
    recorder = Recorder()
    timing = BusTiming(poll_s=0.02, coalesce_s=0.001, purge_s=0.0, retention_s=60)
    async with running(place, timing=timing, one=recorder.handle):
        await publish(place.database, opened(clock, 1))
        await until_so(lambda: settled(place.database))
        assert await rows(place.database, inbox) == 1
        clock.advance(seconds=61)

        async def forgotten() -> bool:
            return await rows(place.database, inbox) == await rows(place.database, outbox) == 0

        await until_so(forgotten)


async def test_a_consumer_has_one_name_and_registers_before_the_start(
    place: Place, clock: FrozenClock
) -> None:
    recorder = Recorder()
    async with running(place, one=recorder.handle) as bus:
        with pytest.raises(ValueError, match="Two consumers"):
            bus.subscribe("one", frozenset(), recorder.handle)
        with pytest.raises(RuntimeError):
            bus.subscribe("two", frozenset(), recorder.handle)


async def test_a_process_leaves_to_others_what_it_does_not_claim(
    place: Place, clock: FrozenClock
) -> None:
    mine, theirs, other = Recorder(), Recorder(), Recorder()
    bus = place.bus(TIMING)
    for name, recorder in (("mine", mine), ("theirs", other)):
        bus.subscribe(name, frozenset({"book.opened"}), recorder.handle)
    bus.claim_only({"mine"})
    await bus.start()
    await publish(place.database, opened(clock, 1))
    await until_so(lambda: len(mine.seen) == 1)
    await bus.aclose()

    async with running(place, mine=mine.handle, theirs=theirs.handle):
        await until_so(lambda: settled(place.database))

    assert (len(mine.seen), len(theirs.seen), len(other.seen)) == (1, 1, 0)


async def test_only_what_is_subscribed_can_be_claimed(place: Place, clock: FrozenClock) -> None:
    bus = place.bus(TIMING)
    with pytest.raises(ValueError, match="other"):
        bus.claim_only({"other"})
