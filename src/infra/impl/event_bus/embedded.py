"""Event bus without a broker: the database keeps the queue, a signal in the process wakes it."""

from collections.abc import Collection

from infra.contract.clock import Clock
from infra.contract.messaging.event_repository import EventQueue
from infra.impl.event_bus.delivery import BusTiming, QueueDelivery


class EmbeddedEventBus(QueueDelivery):
    """Delivers committed events as soon as this process commits them, and polls for the others."""

    def __init__(self, *, queue: EventQueue, clock: Clock, timing: BusTiming | None = None) -> None:
        super().__init__(queue=queue, clock=clock, timing=timing)
        self._commits = queue

    async def start(self) -> None:
        """Begin to deliver, with what a former process left behind."""
        self._commits.listen(self._committed)
        await super().start()

    async def check(self) -> None:
        """Find nothing: only the database can delay events, and it has a probe of its own."""

    def _committed(self, topics: Collection[str]) -> None:
        """Wake up for what somebody wants; the rest waits for the next poll, many at a time."""
        if any(not wanted.isdisjoint(topics) for wanted in self.routes.values()):
            self.wake()
