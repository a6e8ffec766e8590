"""Events that every process has to hear of."""

import asyncio

from application.shared.cache_invalidation import CacheInvalidation
from infra.contract.messaging.event_bus import Delivery
from infra.impl.nats.connection import NatsConnection, NatsOptions
from infra.impl.signal.local import LocalSignals
from infra.impl.signal.nats import NatsSignals
from tests.support.service.nats import NatsServer

DELIVERY = Delivery(event_id="e", topic="cup.broken", key="7", payload=b"{}")


def everywhere(signals: LocalSignals | NatsSignals, forgotten: list[str]) -> CacheInvalidation:
    return CacheInvalidation(
        signals,
        name="cups",
        topics=frozenset({"cup.broken"}),
        key_of=lambda delivery: delivery.key,
        forget=forgotten.append,
    )


async def test_who_gets_the_event_forgets_before_it_is_settled() -> None:
    forgotten: list[str] = []

    await everywhere(LocalSignals(), forgotten).handle(DELIVERY)

    assert forgotten == ["7"]


async def test_the_others_forget_too(nats_server: NatsServer) -> None:
    here, there = (
        NatsSignals(NatsConnection(NatsOptions(servers=(nats_server.url,))), prefix="everywhere")
        for _ in range(2)
    )
    forgotten: list[str] = []
    consumer = everywhere(here, [])
    everywhere(there, forgotten)
    await here.start()
    await there.start()
    async with asyncio.timeout(60):
        while not forgotten:
            await consumer.handle(DELIVERY)
            await asyncio.sleep(0.01)
    await there.aclose()
    await here.aclose()

    assert set(forgotten) == {"7"}
