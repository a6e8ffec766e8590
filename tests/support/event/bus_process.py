"""A process with an event bus that dies at a crash point.

Run as ``python -m tests.support.event.bus_process DATABASE_URL NATS_URL NAME POINT``; an empty
address of NATS means the embedded bus.
"""

import asyncio
import os
import sys
from collections.abc import Mapping
from pathlib import Path

from bootstrap.crashpoint import CrashpointKill
from domain.shared.crashpoint import arm
from infra.contract.messaging.event_bus import Delivery
from infra.impl.clock.system import SystemClock
from infra.impl.event_bus.delivery import BusTiming
from infra.impl.event_bus.jetstream import JetStreamTiming
from infra.impl.nats.connection import NatsOptions
from infra.impl.repository.sql.engine.database import Database
from tests.support.event.bus import Place
from tests.support.event.effect import CONSUMER, TOPICS, record

ACK_WAIT_S = 2.0


async def work(database_url: str, nats_url: str, name: str, point: str) -> None:
    arm(CrashpointKill(point))
    database = Database(database_url)
    await database.start()
    nats = NatsOptions(servers=(nats_url,)) if nats_url else None
    place = Place(database, SystemClock(), nats, name)
    timing = BusTiming(concurrency=50)
    bus = (
        place.bus(timing)
        if nats is None
        else place.jetstream(JetStreamTiming(delivery=timing), ack_wait_s=ACK_WAIT_S)
    )

    async def handle(delivery: Delivery) -> None:
        await record(database, delivery)

    bus.subscribe(CONSUMER, TOPICS, handle)
    if point.startswith("outbox."):
        bus.claim_only(set())  # a relay and nothing else
    await bus.start()
    await asyncio.Event().wait()


def environment() -> Mapping[str, str]:
    """What a child needs to import this module."""
    root = Path(__file__).parents[3]
    return {**os.environ, "PYTHONPATH": f"{root / 'src'}:{root}"}


if __name__ == "__main__":
    asyncio.run(work(*sys.argv[1:5]))
