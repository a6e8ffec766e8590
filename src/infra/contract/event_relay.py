"""Port: the stored side of a relay, which tells a broker of committed events."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """What a broker is told of an event: where it belongs, never what it says.

    ``queued_at`` is when it came into the queue, which a retried dead letter does once more.
    """

    event_id: str
    topic: str
    key: str
    queued_at: datetime | None = None

    @property
    def message_id(self) -> str:
        """By which a broker knows what it was told already."""
        return f"{self.event_id}@{self.queued_at.isoformat()}" if self.queued_at else self.event_id


class EventRelay(Protocol):
    """Committed events that a broker has not confirmed yet, lent to one relay at a time.

    Telling a broker twice is harmless: the event queue decides what is delivered.
    """

    def listen(self, wake: Callable[[Collection[str]], None]) -> None:
        """Have ``wake`` called with the topics whenever this process commits events."""
        ...

    async def has_work(self, now: datetime) -> bool:
        """Tell cheaply whether ``take`` could return anything."""
        ...

    async def take(
        self, routes: Mapping[str, frozenset[str]], *, now: datetime, until: datetime, limit: int
    ) -> list[Notice]:
        """Lend at most ``limit`` events until ``until``, in the order of their commits.

        Each of them has its place in the queue of every consumer in ``routes`` before it is lent;
        events that nobody waits for are passed over for good.
        """
        ...

    async def confirm(self, event_ids: Sequence[str], now: datetime) -> None:
        """Remember that the broker has stored these."""
        ...

    async def give_back(self, event_ids: Sequence[str]) -> None:
        """Let these be taken again at once."""
        ...

    async def unsettled(self, consumer: str, event_ids: Sequence[str]) -> Mapping[str, datetime]:
        """Of these events, those the consumer has not settled, with the next instant to try."""
        ...
