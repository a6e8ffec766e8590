"""Ports: the stored side of the event bus: deliveries, relays, dead letters, newest events."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from infra.contract.messaging.event_bus import Delivery


class Outcome(StrEnum):
    """What became of a delivery."""

    DONE = "done"
    RETRY = "retry"
    DEAD = "dead"
    RELEASED = "released"
    """Given back untried; the attempt does not count."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A delivery lent to this process for one consumer."""

    consumer: str
    delivery: Delivery


@dataclass(frozen=True, slots=True, kw_only=True)
class Settlement:
    """The end of a claim; ``due_at`` is when to try again."""

    consumer: str
    event_id: str
    outcome: Outcome
    due_at: datetime | None = None
    error: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """One visit to the queue: give back what ended, keep what runs, take what is due.

    ``routes`` are the topics of each consumer, ``wanted`` how many deliveries it can take.
    """

    owner: str
    now: datetime
    lease_until: datetime
    routes: Mapping[str, frozenset[str]]
    wanted: Mapping[str, int]
    settled: Sequence[Settlement] = ()
    running: Sequence[Claim] = field(default=())


@dataclass(frozen=True, slots=True, kw_only=True)
class Backlog:
    """How far delivery lags behind."""

    pending: int
    oldest_at: datetime | None
    dead: int


class EventQueue(Protocol):
    """Every committed event, once per consumer whose topics it matches, until it is settled.

    Deliveries of one key to one consumer are handed out in the order of their commits, the next
    only after the one before is settled. A claim that is neither settled nor renewed before its
    lease ends is handed out again; settling it after that has no effect.
    """

    def listen(self, wake: Callable[[Collection[str]], None]) -> None:
        """Have ``wake`` called with the topics whenever this process commits events."""
        ...

    async def has_work(self, consumers: Sequence[str], now: datetime) -> bool:
        """Tell cheaply whether an exchange could hand out anything."""
        ...

    async def exchange(self, visit: Exchange) -> list[Claim]:
        """Settle, renew and claim in one transaction."""
        ...

    async def purge(self, *, before: datetime, limit: int) -> int:
        """Forget at most ``limit`` events settled for all consumers; return how many."""
        ...

    async def backlog(self) -> Backlog:
        """Measure what is not settled."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """What a broker is told of an event: where it belongs, never what it says.

    ``queued_at`` is when it came into the queue, which a retried dead letter does once more.
    """

    event_id: str
    topic: str
    key: str
    queued_at: datetime | None = None
    traceparent: str = ""
    """The step that recorded the event, for headers."""

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


@dataclass(frozen=True, slots=True, kw_only=True)
class DeadLetter:
    """An event that one consumer could not handle."""

    consumer: str
    event_id: str
    topic: str
    key: str
    payload: bytes
    attempts: int
    error: str
    died_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class LetterQuery:
    """Which letters are meant; empty fields match all."""

    event_id: str = ""
    consumer: str = ""
    topic: str = ""
    text: str = ""
    """A part of the error, the key or the topic, whatever its case."""


class DeadLetters(Protocol):
    """Dead letters of all spaces: they belong to the deployment, not to a tenant."""

    async def find(self, query: LetterQuery, *, limit: int) -> list[DeadLetter]:
        """Return letters, the oldest first."""
        ...

    async def count(self, query: LetterQuery) -> int: ...

    async def deliver_again(self, letters: Sequence[DeadLetter], *, now: datetime) -> int:
        """Put letters back into the queue with all their attempts; return how many were there."""
        ...

    async def drop(self, letters: Sequence[DeadLetter]) -> int:
        """Forget letters for good; return how many were there."""
        ...


class EventTail(Protocol):
    """The newest committed events, whoever else has handled them."""

    async def read(self, after: int, topics: frozenset[str]) -> tuple[int, list[Delivery]]:
        """Return the newest position, and the events of these topics after a position, in order.

        An event may appear below positions that were seen before: positions are given when a
        transaction begins to write, and seen when it has ended. Positions may begin anew once all
        events were removed.
        """
        ...
