"""Port: delivery of committed domain events to their consumers."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivery:
    """One event as stored in the outbox; ``payload`` is its JSON, tag included.

    ``attempt`` counts from 1.
    """

    event_id: str
    topic: str
    key: str
    payload: bytes
    attempt: int = 1


Handler = Callable[[Delivery], Awaitable[None]]


class EventBus(Protocol):
    """At-least-once delivery with one inbox per consumer: handlers must be idempotent.

    Events of one key are handled in order. A handler that raises is retried with back-off and,
    after the last attempt, its event goes to the dead letters.
    """

    def subscribe(self, consumer: str, topics: frozenset[str], handler: Handler) -> None:
        """Register before ``start``; ``consumer`` names the durable subscription."""
        ...

    def wake(self) -> None:
        """Say that a transaction with events was committed; never blocks."""
        ...
