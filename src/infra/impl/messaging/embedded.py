"""Messaging through the database alone; signals reach this process and those of its parent."""

from collections.abc import Callable

from infra.contract.adapter import (
    AdapterSettings,
    Channel,
    ManagedEventBus,
    ManagedSignals,
    Messaging,
    Place,
)
from infra.contract.clock import Clock
from infra.contract.messaging.event_repository import EventQueue, EventRelay
from infra.impl.event_bus.embedded import EmbeddedEventBus
from infra.impl.messaging import BUSES
from infra.impl.signal.local import LocalSignals


class EmbeddedBus(AdapterSettings, frozen=True, kw_only=True):
    """No server; needs no settings either."""

    def build(self, place: Place) -> Messaging:
        return EmbeddedMessaging(place.channel)


class EmbeddedMessaging:
    """Makes the bus, and signals that go as far as there are siblings."""

    def __init__(self, channel: Channel | None) -> None:
        self._channel = channel

    def event_bus(
        self, *, queue: EventQueue, relay: Callable[[], EventRelay], clock: Clock
    ) -> ManagedEventBus:
        return EmbeddedEventBus(queue=queue, clock=clock)

    def signals(self) -> ManagedSignals:
        if self._channel is None:
            return LocalSignals()
        from infra.impl.signal.siblings import SiblingSignals

        return SiblingSignals(self._channel)


BUSES.register("embedded")(EmbeddedBus)
