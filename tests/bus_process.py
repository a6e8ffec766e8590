"""A process with an event bus on JetStream, which may die at a chosen moment.

Run as ``python -m tests.bus_process DATABASE_URL NATS_URL NAME MOMENT``.
"""

import asyncio
import os
import signal
import sys
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path

from infra.contract.event_bus import Delivery
from infra.contract.event_queue import Claim, Exchange
from infra.impl.clock.system import SystemClock
from infra.impl.event_bus.delivery import BusTiming
from infra.impl.event_bus.jetstream import JetStreamEventBus, JetStreamTiming
from infra.impl.event_bus.jetstream_stream import StreamOptions
from infra.impl.nats.connection import NatsConnection, NatsOptions
from infra.impl.repository.sql.database import Database
from infra.impl.repository.sql.outbox import SqlEventQueue
from infra.impl.repository.sql.outbox_relay import SqlEventRelay
from tests.effects import CONSUMER, TOPICS, record

BEFORE_MARK = "before-mark"
"""The server has confirmed the notices, the database does not know yet."""
BEFORE_ACK = "before-ack"
"""The database has settled the events, the server does not know yet."""
ACK_WAIT_S = 2.0


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


class DyingRelay(SqlEventRelay):
    async def confirm(self, event_ids: Sequence[str], now: datetime) -> None:
        die()
        await super().confirm(event_ids, now)


class DyingQueue(SqlEventQueue):
    async def exchange(self, visit: Exchange) -> list[Claim]:
        claims = await super().exchange(visit)
        if visit.settled:
            die()
        return claims


async def work(database_url: str, nats_url: str, name: str, moment: str) -> None:
    database = Database(database_url)
    await database.start()
    bus = JetStreamEventBus(
        connection=NatsConnection(NatsOptions(servers=(nats_url,))),
        options=StreamOptions(name=name, prefix=name, ack_wait_s=ACK_WAIT_S),
        queue=(DyingQueue if moment == BEFORE_ACK else SqlEventQueue)(database),
        relay=(DyingRelay if moment == BEFORE_MARK else SqlEventRelay)(database),
        clock=SystemClock(),
        timing=JetStreamTiming(delivery=BusTiming(concurrency=50)),
    )

    async def handle(delivery: Delivery) -> None:
        await record(database, delivery)

    bus.subscribe(CONSUMER, TOPICS, handle)
    if moment == BEFORE_MARK:
        bus.claim_only(set())  # a relay and nothing else
    await bus.start()
    await asyncio.Event().wait()


def environment() -> Mapping[str, str]:
    """What a child needs to import this module."""
    root = Path(__file__).parents[1]
    return {**os.environ, "PYTHONPATH": f"{root / 'src'}:{root}"}


if __name__ == "__main__":
    asyncio.run(work(*sys.argv[1:5]))
