"""Handing out what the event queue holds: claim, handle, retry, settle; common to all buses."""

import asyncio
import logging
import traceback
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from datetime import timedelta
from typing import Final
from uuid import uuid4

from domain.shared.crashpoint import crashpoint
from infra.contract.clock import Clock
from infra.contract.messaging.event_bus import Handler
from infra.contract.messaging.event_repository import (
    Claim,
    EventQueue,
    Exchange,
    Outcome,
    Settlement,
)
from infra.contract.storage.database import priority_scope

_log = logging.getLogger(__name__)

MAX_ATTEMPTS: Final = 8
BACKOFF_S: Final = (1.0, 5.0, 30.0, 120.0, 600.0, 1800.0)
LEASE: Final = timedelta(seconds=60)
PURGE_BATCH: Final = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class BusTiming:
    """Intervals in seconds; ``concurrency`` is per consumer."""

    poll_s: float = 1.0
    coalesce_s: float = 0.02
    """Shortest pause between two visits, so that a burst of commits shares one transaction."""
    handler_timeout_s: float = 600.0
    close_grace_s: float = 5.0
    renew_s: float = 20.0
    purge_s: float = 60.0
    retention_s: float = 3600.0
    concurrency: int = 8


@dataclass(frozen=True, slots=True)
class _Subscription:
    topics: frozenset[str]
    handler: Handler


class QueueDelivery:
    """Delivers what the queue has for this process; one loop visits it for all consumers.

    ``on_visit`` is called after each visit with what was settled by it, once that is committed.
    """

    def __init__(
        self,
        *,
        queue: EventQueue,
        clock: Clock,
        timing: BusTiming | None = None,
        on_visit: Callable[[Sequence[Settlement]], None] | None = None,
    ) -> None:
        self._queue = queue
        self._on_visit = on_visit
        self._clock = clock
        self._timing = timing or BusTiming()
        self.poll_s = self._timing.poll_s
        """Longest time between two visits when nothing wakes; may be changed at any time."""
        self._owner = uuid4().hex
        self._subscriptions: dict[str, _Subscription] = {}
        self._claimed: frozenset[str] | None = None
        self._running: dict[asyncio.Task[None], Claim] = {}
        self._settled: list[Settlement] = []
        self._held: set[tuple[str, str]] = set()
        self._woken = asyncio.Event()
        self._stack = AsyncExitStack()
        self._loop_task: asyncio.Task[None] | None = None
        self._closing = False
        self._renewed_at = self._purged_at = 0.0

    def subscribe(self, consumer: str, topics: frozenset[str], handler: Handler) -> None:
        """Register before ``start``; ``consumer`` names the durable subscription."""
        if consumer in self._subscriptions:
            raise ValueError(f"Two consumers are called {consumer!r}.")
        if self._loop_task is not None:
            raise RuntimeError("Subscribe before the bus starts.")
        self._subscriptions[consumer] = _Subscription(topics, handler)

    @property
    def routes(self) -> Mapping[str, frozenset[str]]:
        """Topics by consumer."""
        return {name: each.topics for name, each in self._subscriptions.items()}

    @property
    def claimed(self) -> Sequence[str]:
        """The consumers whose deliveries this process handles."""
        return [
            name for name in self._subscriptions if self._claimed is None or name in self._claimed
        ]

    def holds(self, consumer: str, event_id: str) -> bool:
        """Tell whether the event is this process's until its settlement is committed."""
        return (consumer, event_id) in self._held

    def claim_only(self, consumers: Collection[str]) -> None:
        """Leave what is for other consumers to other processes on the same database.

        All consumers are subscribed nevertheless: whoever visits the queue first writes down who
        is to get an event, and must know them all.
        """
        if unknown := set(consumers) - set(self._subscriptions):
            raise ValueError(f"Not subscribed: {', '.join(sorted(unknown))}.")
        self._claimed = frozenset(consumers)

    def wake(self) -> None:
        """Say that a transaction with events was committed; never blocks."""
        self._woken.set()

    async def start(self) -> None:
        """Begin to deliver, with what a former process left behind."""
        self._group = await self._stack.enter_async_context(asyncio.TaskGroup())
        with priority_scope():
            self._loop_task = self._group.create_task(self._deliver())
        self.wake()

    async def aclose(self) -> None:
        """Stop claiming, let handlers end for a moment, give back what they did not finish."""
        if self._loop_task is None or self._closing:
            return
        self._closing = True
        self.wake()
        await asyncio.wait([self._loop_task], timeout=self._timing.close_grace_s)
        if self._running:
            await asyncio.wait(list(self._running), timeout=self._timing.close_grace_s)
        for task in (self._loop_task, *self._running):
            task.cancel()
        await self._stack.aclose()
        # What ended while this closed would otherwise be handled once more, by another process.
        if self._settled:
            await self._attempt(self._visit)

    async def _deliver(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            woken = await self._wait()
            if self._closing:
                return
            await self._attempt(self._visit if woken else self._visit_if_needed)
            if loop.time() - self._purged_at >= self._timing.purge_s:
                self._purged_at = loop.time()
                await self._attempt(self._purge)
            await asyncio.sleep(self._timing.coalesce_s)

    async def _wait(self) -> bool:
        """Wait for a signal or the poll interval; tell which it was."""
        try:
            async with asyncio.timeout(self.poll_s):
                await self._woken.wait()
        except TimeoutError:
            return False
        # Before the visit: a commit that comes during it wakes once more.
        self._woken.clear()
        return True

    async def _attempt(self, step: Callable[[], Awaitable[None]]) -> None:
        try:
            await step()
        except Exception as exc:  # noqa: BLE001 - the queue keeps everything; the next poll retries
            _log.warning("Events could not be delivered, trying again: %s", exc)

    async def _visit_if_needed(self) -> None:
        now = self._clock.now()
        if self._settled or self._renewal_is_due() or await self._queue.has_work(self.claimed, now):
            await self._visit()

    async def _visit(self) -> None:
        # Taken out before the wait: what ends during this visit is settled by the next one.
        settled, self._settled = self._settled, []
        running = list(self._running.values())
        busy = dict.fromkeys(self.claimed, 0)
        for claim in running:
            busy[claim.consumer] += 1
        now = self._clock.now()
        visit = Exchange(
            owner=self._owner,
            now=now,
            lease_until=now + LEASE,
            routes=self.routes,
            wanted={
                name: 0 if self._closing else self._timing.concurrency - count
                for name, count in busy.items()
            },
            settled=settled,
            running=running if self._renewal_is_due() else (),
        )
        try:
            claims = await self._queue.exchange(visit)
        except BaseException:
            self._settled = settled + self._settled
            raise
        if visit.running:
            self._renewed_at = asyncio.get_running_loop().time()
        self._held -= {(each.consumer, each.event_id) for each in settled}
        self._held |= {(claim.consumer, claim.delivery.event_id) for claim in claims}
        for claim in claims:
            task = self._group.create_task(self._handle(claim))
            self._running[task] = claim
            task.add_done_callback(self._ended)
        if claims:
            crashpoint("inbox.claimed")
            self.wake()  # there may be more than we could take
        if settled:
            crashpoint("inbox.settled")
        if self._on_visit is not None:
            self._on_visit(settled)

    def _renewal_is_due(self) -> bool:
        if not self._running:
            self._renewed_at = asyncio.get_running_loop().time()
            return False
        elapsed_s = asyncio.get_running_loop().time() - self._renewed_at
        return elapsed_s >= self._timing.renew_s

    def _ended(self, task: asyncio.Task[None]) -> None:
        claim = self._running.pop(task)
        if task.cancelled():
            self._settle(claim, Outcome.RELEASED)
        self.wake()

    async def _handle(self, claim: Claim) -> None:
        delivery = claim.delivery
        if delivery.attempt > MAX_ATTEMPTS:
            self._settle(claim, Outcome.DEAD, error="Every attempt ended with its process.")
            return
        try:
            async with asyncio.timeout(self._timing.handler_timeout_s):
                await self._subscriptions[claim.consumer].handler(delivery)
                crashpoint("inbox.handled")
        except Exception as exc:  # noqa: BLE001 - its reason goes with the retry or dead letter
            _log.warning(
                "%s failed on %s %s (attempt %d)",
                claim.consumer,
                delivery.topic,
                delivery.event_id,
                delivery.attempt,
                exc_info=True,
            )
            error = "".join(traceback.format_exception_only(exc)).strip()
            if delivery.attempt >= MAX_ATTEMPTS:
                self._settle(claim, Outcome.DEAD, error=error)
            else:
                self._settle(claim, Outcome.RETRY, error=error)
        else:
            self._settle(claim, Outcome.DONE)

    def _settle(self, claim: Claim, outcome: Outcome, *, error: str = "") -> None:
        wait_s = BACKOFF_S[min(claim.delivery.attempt, len(BACKOFF_S)) - 1]
        self._settled.append(
            Settlement(
                consumer=claim.consumer,
                event_id=claim.delivery.event_id,
                outcome=outcome,
                due_at=self._clock.now() + timedelta(seconds=wait_s),
                error=error,
            )
        )

    async def _purge(self) -> None:
        before = self._clock.now() - timedelta(seconds=self._timing.retention_s)
        purged = PURGE_BATCH
        while purged == PURGE_BATCH:
            purged = await self._queue.purge(before=before, limit=PURGE_BATCH)
