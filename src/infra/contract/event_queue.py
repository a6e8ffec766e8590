"""Port: the stored side of the event bus, which hands out deliveries under a lease."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from infra.contract.event_bus import Delivery


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
