"""Messaging through the database alone; signals reach this process."""

from collections.abc import Callable

from infra.contract.adapter import (
    AdapterSettings,
    ManagedEventBus,
    ManagedSignals,
    Messaging,
    Place,
)
from infra.contract.clock import Clock
from infra.contract.event_repository import EventQueue, EventRelay
from infra.impl.event_bus.embedded import EmbeddedEventBus
from infra.impl.messaging import BUSES
from infra.impl.signal.local import LocalSignals


class EmbeddedBus(AdapterSettings, frozen=True, kw_only=True):
    """No server; needs no settings either."""

    def build(self, place: Place) -> Messaging:
        return self

    def event_bus(
        self, *, queue: EventQueue, relay: Callable[[], EventRelay], clock: Clock
    ) -> ManagedEventBus:
        return EmbeddedEventBus(queue=queue, clock=clock)

    def signals(self) -> ManagedSignals:
        return LocalSignals()


BUSES.register("embedded")(EmbeddedBus)
