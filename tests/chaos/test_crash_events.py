"""Relays and consumers that die at every crash point: no event is lost, none is handled anew.

What a consumer had begun, and not settled, comes again: it has to be safe to repeat, as the tests
of each consumer show. What it had settled does not.
"""

import asyncio
import signal
import subprocess
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from infra.contract.messaging.event_bus import Delivery
from infra.impl.clock.system import SystemClock
from infra.impl.event_bus.delivery import BusTiming
from infra.impl.event_bus.jetstream import JetStreamTiming
from infra.impl.event_bus.jetstream_stream import EventStream
from infra.impl.nats.connection import NatsConnection
from tests.chaos.crash_points import CONSUMING, RELAYING
from tests.support.clock import FrozenClock
from tests.support.event import bus_process
from tests.support.event.bus import Bus, Place, open_place
from tests.support.event.effect import (
    CONSUMER,
    TOPICS,
    effects,
    is_settled,
    prepare,
    publish,
    record,
    settled_ids,
)
from tests.support.wait import until_so

EVENTS = 100
TIMING = BusTiming(poll_s=0.2, coalesce_s=0.005, close_grace_s=1.0)
LATER = timedelta(seconds=120)
"""After this the leases of the dead are over."""


KINDS = [pytest.param("embedded-sqlite", marks=pytest.mark.long), "jetstream-postgres"]
"""The embedded bus has no relay."""


@pytest.fixture(params=KINDS)
async def place(request: pytest.FixtureRequest) -> AsyncGenerator[Place, None]:
    async with open_place(request, request.param, SystemClock()) as place:
        await prepare(place.database)
        yield place


async def dies_at(place: Place, point: str) -> None:
    """Let another process work until it kills itself."""
    nats = place.nats.servers[0] if place.nats else ""
    command = [
        sys.executable,
        "-m",
        "tests.support.event.bus_process",
        place.database.url,
        nats,
        place.name,
    ]
    done = await asyncio.to_thread(
        subprocess.run,
        [*command, point],
        env=bus_process.environment(),
        timeout=120,
        check=False,
    )
    assert done.returncode == -signal.SIGKILL


@asynccontextmanager
async def running(place: Place) -> AsyncGenerator[Bus, None]:
    """Run the next process, which comes when the leases of the last one are over."""
    place = replace(place, clock=FrozenClock(datetime.now(UTC) + LATER))
    timing = JetStreamTiming(delivery=TIMING, poll_s=2.0, tick_s=0.1, publish_s=1.0)
    bus: Bus = (
        place.bus(TIMING)
        if place.nats is None
        else place.jetstream(timing, ack_wait_s=bus_process.ACK_WAIT_S)
    )

    async def handle(delivery: Delivery) -> None:
        await record(place.database, delivery)

    bus.subscribe(CONSUMER, TOPICS, handle)
    await bus.start()
    yield bus
    await bus.aclose()


@asynccontextmanager
async def stream_of(place: Place) -> AsyncGenerator[EventStream, None]:
    assert place.nats is not None
    connection = NatsConnection(place.nats)
    await connection.start()
    yield EventStream(connection, place.jetstream(JetStreamTiming())._stream._options)
    await connection.aclose()


async def is_drained(place: Place) -> bool:
    """Tell whether the server has an acknowledgement for all it has."""
    if place.nats is None:
        return True
    async with stream_of(place) as stream:
        info = await stream.context.consumer_info(stream.name, CONSUMER)
        return not info.num_pending and not info.num_ack_pending


@pytest.mark.parametrize("place", KINDS[1:], indirect=True)
@pytest.mark.parametrize(
    "point",
    [
        pytest.param(each, marks=[] if each == "outbox.after_publish" else pytest.mark.long)
        for each in RELAYING
    ],
)
async def test_a_relay_dies(place: Place, point: str) -> None:
    event_ids = await publish(place.database, place.clock, *range(EVENTS))

    await dies_at(place, point)

    async with stream_of(place) as stream:
        told = (await stream.context.stream_info(stream.name)).state.messages
    assert told == (0 if point == "outbox.taken" else EVENTS)
    async with running(place):
        await until_so(lambda: is_settled(place.database))
        await until_so(lambda: is_drained(place))
        async with stream_of(place) as stream:
            state = (await stream.context.stream_info(stream.name)).state
    assert await effects(place.database) == dict.fromkeys(event_ids, 1)
    assert state.last_seq == EVENTS, "no notice is stored twice"


@pytest.mark.parametrize(
    "point",
    [
        pytest.param(each, marks=[] if each == "inbox.settled" else pytest.mark.long)
        for each in CONSUMING
    ],
)
async def test_a_consumer_dies(place: Place, point: str) -> None:
    event_ids = await publish(place.database, place.clock, *range(EVENTS))

    await dies_at(place, point)

    settled, begun = await settled_ids(place.database), await effects(place.database)
    assert bool(settled) == (point == "inbox.settled")
    assert bool(begun) == (point != "inbox.claimed")
    async with running(place):
        await until_so(lambda: is_settled(place.database))
        await until_so(lambda: is_drained(place))
    found = await effects(place.database)
    assert set(found) == set(event_ids)
    assert {found[event_id] for event_id in settled} <= {1}, "what was settled is not repeated"
    assert {found[event_id] for event_id in set(event_ids) - set(begun)} == {1}
    assert max(found.values()) <= 2, "what was begun is repeated once"
