"""Notices this process has taken: what becomes of them, and what the server is told of it."""

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Final

from nats.aio.msg import Msg

from infra.contract.clock import Clock
from infra.contract.event_queue import Outcome, Settlement
from infra.contract.event_relay import EventRelay, Notice
from infra.impl.nats.connection import FAULTS

REPLIES: Final = 1024
SOON_S: Final = 1.0
LONGEST_NAK_S: Final = 30.0
"""Later repetitions are left to the database, so that they do not fill the consumer's window."""
PATIENCE: Final = 2
"""Visits to the queue after which an event that could be claimed, but was not, is passed on."""

_log: Final = logging.getLogger(__name__)


class Reply(StrEnum):
    """What the server is told of a message."""

    ACK = "ack"
    NAK = "nak"
    PROGRESS = "progress"


@dataclass(slots=True)
class Ticket:
    """One delivered notice; ``visits`` counts visits to the event queue since it came."""

    consumer: str
    event_id: str
    message: Msg
    visits: int = 0


class Tickets:
    """Holds a notice until the database says what became of its event.

    ``holds`` tells whether this process handles the event. Answers go through a bounded queue;
    one that is lost is repeated by the server, and the database says the same again.
    """

    def __init__(
        self, *, relay: EventRelay, clock: Clock, holds: Callable[[str, str], bool]
    ) -> None:
        self._relay = relay
        self._clock = clock
        self._holds = holds
        self._tickets: dict[tuple[str, str], Ticket] = {}
        self._replies: asyncio.Queue[tuple[Msg, Reply, float] | None] = asyncio.Queue(REPLIES)

    def count(self, consumer: str) -> int:
        """How many notices of a consumer are held."""
        return sum(ticket.consumer == consumer for ticket in self._tickets.values())

    def add(self, consumer: str, notice: Notice, message: Msg) -> None:
        """Take a notice.

        A newer delivery of the same message takes the place of the older; of two messages for one
        event the first is not needed any more.
        """
        key = consumer, notice.event_id
        older = self._tickets.get(key)
        if older is not None and not _is_same(older.message, message):
            self._reply(older, Reply.ACK)
        self._tickets[key] = Ticket(consumer, notice.event_id, message)

    def visited(self, settled: Sequence[Settlement]) -> None:
        """Answer for what was settled in the database."""
        for settlement in settled:
            ticket = self._tickets.pop((settlement.consumer, settlement.event_id), None)
            if ticket is None:
                continue
            if settlement.outcome is Outcome.RETRY and settlement.due_at is not None:
                self._postpone(ticket, settlement.due_at)
            elif settlement.outcome is Outcome.RELEASED:
                self._reply(ticket, Reply.NAK)
            else:
                self._reply(ticket, Reply.ACK)
        for ticket in self._tickets.values():
            ticket.visits += 1

    async def examine(self) -> bool:
        """Find out what became of events that this process could not claim.

        True means that another visit to the queue may claim some of them.
        """
        waiting = False
        open_tickets: dict[str, list[Ticket]] = {}
        for ticket in self._tickets.values():
            if ticket.visits and not self._holds(ticket.consumer, ticket.event_id):
                open_tickets.setdefault(ticket.consumer, []).append(ticket)
        for consumer, tickets in open_tickets.items():
            event_ids = [ticket.event_id for ticket in tickets]
            unsettled = await self._relay.unsettled(consumer, event_ids)
            for ticket in tickets:
                waiting |= self._waits(ticket, unsettled.get(ticket.event_id))
        return waiting

    def keep(self) -> None:
        """Tell the server that what is held is still being worked on."""
        for ticket in self._tickets.values():
            self._reply(ticket, Reply.PROGRESS)

    def give_back(self) -> None:
        """Leave everything that is held to others, and end ``answer``."""
        for ticket in self._tickets.values():
            self._reply(ticket, Reply.NAK)
        self._tickets.clear()
        if self._replies.full():
            self._replies.get_nowait()
        self._replies.put_nowait(None)

    async def answer(self) -> None:
        """Send the answers, until ``give_back``."""
        while (reply := await self._replies.get()) is not None:
            message, kind, delay_s = reply
            try:
                match kind:
                    case Reply.ACK:
                        await message.ack()
                    case Reply.NAK:
                        await message.nak(delay_s)
                    case Reply.PROGRESS:
                        await message.in_progress()
            except FAULTS as exc:
                _log.debug("an answer was not sent, the server will ask again: %s", exc)

    def _waits(self, ticket: Ticket, due_at: datetime | None) -> bool:
        """Let go of a notice that there is nothing to wait for with; tell whether there is."""
        key = ticket.consumer, ticket.event_id
        if self._tickets.get(key) is not ticket or self._holds(*key):
            return False  # things have changed while the database was asked
        if due_at is None:
            self._reply(ticket, Reply.ACK)
        elif due_at > self._clock.now() or ticket.visits >= PATIENCE:
            self._postpone(ticket, due_at)
        else:
            return True
        del self._tickets[key]
        return False

    def _postpone(self, ticket: Ticket, due_at: datetime) -> None:
        wait_s = (due_at - self._clock.now()).total_seconds()
        if wait_s > LONGEST_NAK_S:
            self._reply(ticket, Reply.ACK)
        else:
            self._reply(ticket, Reply.NAK, max(wait_s, SOON_S))

    def _reply(self, ticket: Ticket, kind: Reply, delay_s: float = 0.0) -> None:
        if not self._replies.full():
            self._replies.put_nowait((ticket.message, kind, delay_s))


def _is_same(one: Msg, other: Msg) -> bool:
    return one.metadata.sequence.stream == other.metadata.sequence.stream
