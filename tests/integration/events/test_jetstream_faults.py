"""Events over JetStream while servers and processes die: each handled once, none lost."""

import asyncio
import gc
from collections import Counter
from collections.abc import AsyncGenerator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import msgspec
import pytest
from nats.js.errors import NotFoundError

from domain.shared.error import Unavailable
from domain.shared.secret import Secret
from infra.contract.messaging.event_bus import Delivery, Handler
from infra.contract.messaging.event_repository import LetterQuery, Notice
from infra.impl.clock.system import SystemClock
from infra.impl.event_bus.delivery import LEASE, BusTiming
from infra.impl.event_bus.jetstream import JetStreamEventBus, JetStreamTiming
from infra.impl.event_bus.jetstream_stream import EventStream
from infra.impl.nats.connection import NatsConnection, NatsOptions
from infra.impl.repository.sql.engine.database import Database
from infra.impl.repository.sql.event.dead_letter import SqlDeadLetters
from tests.support.clock import FrozenClock
from tests.support.event.bus import Place, open_place
from tests.support.event.dead_letter import leave_letter
from tests.support.event.effect import (
    CONSUMER,
    TOPICS,
    effects,
    is_settled,
    prepare,
    publish,
    record,
)
from tests.support.service.nats import NatsServer, running_nats
from tests.support.wait import until_so

TIMING = JetStreamTiming(
    delivery=BusTiming(poll_s=0.2, coalesce_s=0.005, close_grace_s=1.0),
    poll_s=2.0,
    tick_s=0.1,
    publish_s=1.0,
)


@pytest.fixture(scope="module")
def server() -> Iterator[NatsServer]:
    """A server that the tests may hurt."""
    with running_nats() as server:
        yield server


@pytest.fixture
async def place(request: pytest.FixtureRequest, server: NatsServer) -> AsyncGenerator[Place, None]:
    kind = "jetstream-postgres"
    async with open_place(request, kind, SystemClock(), nats_url=server.url) as place:
        await prepare(place.database)
        yield place


@asynccontextmanager
async def running(
    place: Place,
    *,
    count: int = 1,
    timing: JetStreamTiming = TIMING,
    ack_wait_s: float = 60.0,
    handler: Handler | None = None,
) -> AsyncGenerator[list[JetStreamEventBus], None]:
    """Run buses with a database of their own each, as processes would."""
    async with AsyncExitStack() as stack:
        buses = []
        for _ in range(count):
            database = Database(place.database.url)
            stack.push_async_callback(database.aclose)
            bus = place.jetstream(timing, database=database, ack_wait_s=ack_wait_s)

            async def handle(delivery: Delivery) -> None:
                await record(place.database, delivery)

            bus.subscribe(CONSUMER, TOPICS, handler or handle)
            stack.push_async_callback(bus.aclose)
            await bus.start()
            buses.append(bus)
        yield buses


@asynccontextmanager
async def stream_of(place: Place) -> AsyncGenerator[EventStream, None]:
    """Look at the stream, as an operator would."""
    assert place.nats is not None
    connection = NatsConnection(place.nats)
    await connection.start()
    yield EventStream(connection, place.jetstream(TIMING)._stream._options)
    await connection.aclose()


async def is_drained(place: Place) -> bool:
    """Tell whether the server has an acknowledgement for all it has."""
    async with stream_of(place) as stream:
        info = await stream.context.consumer_info(stream.name, CONSUMER)
        return not info.num_pending and not info.num_ack_pending


async def works(bus: JetStreamEventBus, wanted: bool) -> bool:
    """Tell whether events pass through the server, as they are ``wanted`` to."""
    try:
        await bus.check()
    except Unavailable:
        return not wanted
    return wanted


async def handled_once(place: Place, event_ids: list[str], *, deadline_s: float = 60.0) -> None:
    await until_so(lambda: is_settled(place.database), wait_s=deadline_s)
    assert await effects(place.database) == Counter(event_ids)


async def test_notices_alone_bring_work_to_every_process(place: Place) -> None:
    never = replace(TIMING, poll_s=3600.0, delivery=replace(TIMING.delivery, concurrency=2))

    async with running(place, count=2, timing=never):
        event_ids = await publish(place.database, place.clock, *range(60))
        await handled_once(place, event_ids)
        await until_so(lambda: is_drained(place))


async def test_the_server_is_killed_and_comes_back_while_events_flow(
    place: Place, server: NatsServer
) -> None:
    event_ids: list[str] = []
    async with running(place, count=2, ack_wait_s=2.0):  # answers are lost with the server
        for _ in range(3):
            for book in range(40):
                event_ids += await publish(place.database, place.clock, book)
            await asyncio.to_thread(server.kill)
            for book in range(40):
                event_ids += await publish(place.database, place.clock, book)
            await asyncio.to_thread(server.start)
        await handled_once(place, event_ids)
        await until_so(lambda: is_drained(place))


async def test_a_server_that_hangs_delays_and_loses_nothing(
    place: Place, server: NatsServer
) -> None:
    async with running(place, count=2) as (bus, _):
        event_ids = await publish(place.database, place.clock, *range(20))
        server.pause()
        try:
            event_ids += await publish(place.database, place.clock, *range(20))
            await handled_once(place, event_ids)
            with pytest.raises(Unavailable):
                await bus.check()
        finally:
            server.resume()
        await until_so(lambda: works(bus, True))
        event_ids += await publish(place.database, place.clock, *range(20))
        await handled_once(place, event_ids)


async def test_duplicates_in_any_order_change_nothing(place: Place) -> None:
    keys: list[str] = []

    async def handle(delivery: Delivery) -> None:
        await record(place.database, delivery)
        keys.append(delivery.event_id)

    async with running(place, handler=handle), stream_of(place) as stream:
        event_ids = await publish(place.database, place.clock, *([7] * 10))
        for event_id in [*reversed(event_ids)] * 3:
            notice = Notice(event_id=event_id, topic="book.opened", key="7")
            subject = stream.subject("book.opened")
            await stream.context.publish(subject, msgspec.json.encode(notice))
        await stream.context.publish(stream.subject("book.opened"), b"not ours")
        await handled_once(place, event_ids)
        await until_so(lambda: is_drained(place))

    assert keys == event_ids, "in the order of the commits"


async def test_a_dead_letter_that_is_retried_is_told_again(place: Place) -> None:
    never = replace(TIMING, poll_s=3600.0)
    letters = SqlDeadLetters(place.database)

    async with running(place, timing=never):
        (event_id,) = await publish(place.database, place.clock, 1)
        await handled_once(place, [event_id])
        await leave_letter(place.database, event_id, died_at=place.clock.now(), consumer=CONSUMER)
        found = await letters.find(LetterQuery(), limit=1)
        await letters.deliver_again(found, now=place.clock.now())
        await until_so(lambda: is_settled(place.database))

        assert await effects(place.database) == {event_id: 2}


async def test_relays_that_race_tell_everything_once(place: Place) -> None:
    async with running(place, count=3):
        event_ids: list[str] = []
        for _ in range(10):
            event_ids += await publish(place.database, place.clock, *range(20))
        await handled_once(place, event_ids)
        async with stream_of(place) as stream:
            state = (await stream.context.stream_info(stream.name)).state

    assert state.last_seq <= len(event_ids), "no notice is stored twice"


async def test_a_stream_that_is_deleted_under_way_is_made_again(place: Place) -> None:
    async with running(place, count=2), stream_of(place) as stream:
        event_ids = await publish(place.database, place.clock, *range(20))
        await stream.context.delete_stream(stream.name)
        event_ids += await publish(place.database, place.clock, *range(20))
        await handled_once(place, event_ids)

        async def exists() -> bool:
            try:
                await stream.context.consumer_info(stream.name, CONSUMER)
            except NotFoundError:
                return False
            return True

        await until_so(exists)
        event_ids += await publish(place.database, place.clock, *range(20))
        await handled_once(place, event_ids)


async def test_a_process_that_wakes_up_too_late_changes_nothing(place: Place) -> None:
    then = FrozenClock(datetime.now(UTC))
    late = FrozenClock(then.instant + LEASE + timedelta(seconds=1))
    asleep, woken = asyncio.Event(), asyncio.Event()

    async def sleep(_: Delivery) -> None:
        asleep.set()
        await woken.wait()

    silent = replace(TIMING, progress_s=3600.0)  # it does not say that it still works
    stuck = replace(place, clock=then)
    async with running(stuck, timing=silent, ack_wait_s=1.0, handler=sleep):
        event_ids = await publish(place.database, then, 1)
        async with asyncio.timeout(60):
            await asleep.wait()
        async with running(replace(place, clock=late), ack_wait_s=1.0):
            await handled_once(place, event_ids)
            woken.set()
            await until_so(lambda: is_drained(place))

    assert await effects(place.database) == Counter(event_ids)
    assert await is_settled(place.database)


async def test_a_process_that_the_server_throws_out_comes_back(place: Place) -> None:
    allowed, other = (f"authorization {{ user: u, password: {p} }}" for p in ("right", "other"))
    with running_nats(options=allowed) as server:
        nats = NatsOptions(servers=(server.url,), user="u", password=Secret("right"))
        guarded = replace(place, nats=nats)
        async with running(guarded, ack_wait_s=2.0) as (bus,):
            await until_so(lambda: is_drained(guarded))
            server.reload(other)
            await until_so(lambda: works(bus, False))
            event_ids = await publish(place.database, place.clock, *range(20))
            await handled_once(place, event_ids)
            server.reload(allowed)
            await until_so(lambda: works(bus, True))
            event_ids += await publish(place.database, place.clock, *range(20))
            await handled_once(place, event_ids)
            await until_so(lambda: is_drained(guarded))
    gc.collect()  # a socket left to the collector is told now, not in the next test


async def test_closing_never_hangs(place: Place) -> None:
    for number in range(10):
        async with asyncio.timeout(60), running(place):
            if number % 2:
                await publish(place.database, place.clock, *range(5))


async def test_closing_does_not_wait_for_a_server_that_hangs(
    place: Place, server: NatsServer
) -> None:
    try:
        async with asyncio.timeout(60), running(place):
            server.pause()
            await publish(place.database, place.clock, *range(5))
    finally:
        server.resume()


async def test_a_missing_server_is_a_clear_error() -> None:
    options = NatsOptions(servers=("nats://127.0.0.1:1",))
    connection = NatsConnection(options, first_connect_s=0.5)

    with pytest.raises(Unavailable, match=r"NATS at 127\.0\.0\.1:1 .*bus\.urls"):
        await connection.start()
    await connection.aclose()


async def test_a_server_without_streams_is_a_clear_error(place: Place) -> None:
    with running_nats(jetstream=False) as server:
        bus = replace(place, nats=NatsOptions(servers=(server.url,))).jetstream(
            replace(TIMING, first_s=0.2)
        )
        with pytest.raises(Unavailable, match="JetStream is enabled"):
            await bus.start()
        await bus.aclose()
