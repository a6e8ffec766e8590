"""Event buses of each kind on a database, for tests that every bus passes."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Protocol
from uuid import uuid4

import pytest

from infra.contract.clock import Clock
from infra.contract.lifecycle import Managed
from infra.contract.messaging.event_bus import Handler
from infra.impl.event_bus.delivery import BusTiming
from infra.impl.event_bus.embedded import EmbeddedEventBus
from infra.impl.event_bus.jetstream import JetStreamEventBus, JetStreamTiming
from infra.impl.event_bus.jetstream_stream import StreamOptions
from infra.impl.nats.connection import NatsConnection, NatsOptions
from infra.impl.repository.sql.engine.database import Database
from infra.impl.repository.sql.event.outbox import SqlEventQueue
from infra.impl.repository.sql.event.relay import SqlEventRelay


class Bus(Managed, Protocol):
    """What every bus has."""

    def subscribe(self, consumer: str, topics: frozenset[str], handler: Handler) -> None: ...
    def claim_only(self, consumers: frozenset[str] | set[str]) -> None: ...
    def wake(self) -> None: ...


@dataclass(frozen=True)
class Place:
    """A database, and where its buses meet; the embedded kind has no ``nats``."""

    database: Database
    clock: Clock
    nats: NatsOptions | None
    name: str

    def bus(self, timing: BusTiming, *, database: Database | None = None) -> Bus:
        """Make a bus, as another process would; ``database`` is that process's own."""
        queue = SqlEventQueue(database or self.database)
        if self.nats is None:
            return EmbeddedEventBus(queue=queue, clock=self.clock, timing=timing)
        return self.jetstream(
            JetStreamTiming(delivery=timing, poll_s=0.5, tick_s=0.05), database=database
        )

    def jetstream(
        self,
        timing: JetStreamTiming,
        *,
        database: Database | None = None,
        ack_wait_s: float = 60.0,
    ) -> JetStreamEventBus:
        assert self.nats is not None
        return JetStreamEventBus(
            connection=NatsConnection(self.nats),
            options=StreamOptions(name=self.name, prefix=self.name, ack_wait_s=ack_wait_s),
            queue=SqlEventQueue(database or self.database),
            relay=SqlEventRelay(database or self.database),
            clock=self.clock,
            timing=timing,
        )


@asynccontextmanager
async def open_place(
    request: pytest.FixtureRequest, kind: str, clock: Clock, *, nats_url: str = ""
) -> AsyncGenerator[Place, None]:
    """Open the place that ``kind`` names: a bus and a database, joined by a hyphen."""
    bus, _, store = kind.partition("-")
    database = Database(request.getfixturevalue(f"{store}_url"))
    await database.start()
    if bus == "jetstream" and not nats_url:
        nats_url = request.getfixturevalue("nats_server").url
    nats = NatsOptions(servers=(nats_url,)) if nats_url else None
    yield Place(database, clock, nats, f"t_{uuid4().hex}")
    await database.aclose()
