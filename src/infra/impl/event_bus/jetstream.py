"""Event bus of many processes: JetStream says that there is work, the database who does what."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from nats.aio.msg import Msg
from nats.js.errors import NoStreamResponseError

from domain.shared.error import Unavailable
from infra.contract.clock import Clock
from infra.contract.event_bus import Handler
from infra.contract.event_queue import EventQueue, Settlement
from infra.contract.event_relay import EventRelay, Notice
from infra.impl.event_bus.delivery import BusTiming, QueueDelivery
from infra.impl.event_bus.jetstream_pull import Puller
from infra.impl.event_bus.jetstream_relay import JetStreamRelay
from infra.impl.event_bus.jetstream_stream import EventStream, StreamOptions
from infra.impl.event_bus.jetstream_ticket import Tickets
from infra.impl.nats.connection import FAULTS, NatsConnection

HOLD: Final = 16
"""How many notices of one consumer a process takes at a time, so that others get theirs."""
CHECK_S: Final = 0.8
"""Less than those wait who ask whether the process is ready."""

_log: Final = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class JetStreamTiming:
    """Intervals in seconds. ``delivery.poll_s`` counts while the server is away."""

    delivery: BusTiming = field(default_factory=BusTiming)
    poll_s: float = 5.0
    """Between looks into the database for what no notice told of, while the server is there."""
    tick_s: float = 1.0
    progress_s: float = 20.0
    publish_s: float = 5.0
    """How long the server may take to confirm a notice."""
    first_s: float = 10.0
    """How long the start waits for the stream."""
    close_s: float = 1.0


class JetStreamEventBus:
    """Delivers what any process committed, on whichever process has room.

    Three things go on beside each other: the relay tells the stream of committed events; notices
    from the stream wake the delivery, which claims, handles and settles in the database; what was
    settled is acknowledged. While the stream is away the database alone is asked, as often as
    without a broker: nothing is lost, it only takes up to ``delivery.poll_s`` longer.
    """

    def __init__(
        self,
        *,
        connection: NatsConnection,
        options: StreamOptions,
        queue: EventQueue,
        relay: EventRelay,
        clock: Clock,
        timing: JetStreamTiming | None = None,
    ) -> None:
        self._timing = timing or JetStreamTiming()
        self._connection = connection
        self._stream = EventStream(connection, options)
        self._relay = JetStreamRelay(
            relay=relay, stream=self._stream, clock=clock, publish_s=self._timing.publish_s
        )
        self._delivery = QueueDelivery(
            queue=queue, clock=clock, timing=self._timing.delivery, on_visit=self._visited
        )
        self._tickets = Tickets(relay=relay, clock=clock, holds=self._delivery.holds)
        self._pullers: dict[str, Puller] = {}
        self._stack = AsyncExitStack()
        self._tasks: list[asyncio.Task[None]] = []
        self._committed = asyncio.Event()
        self._changed = asyncio.Event()
        self._problem = ""
        self._is_lost = self._closing = False
        self._kept_at = 0.0

    def subscribe(self, consumer: str, topics: frozenset[str], handler: Handler) -> None:
        """Register before ``start``; ``consumer`` names the durable subscription."""
        self._delivery.subscribe(consumer, topics, handler)

    @property
    def routes(self) -> Mapping[str, frozenset[str]]:
        """Topics by consumer."""
        return self._delivery.routes

    def claim_only(self, consumers: Collection[str]) -> None:
        """Leave what is for other consumers to other processes on the same database."""
        self._delivery.claim_only(consumers)

    def wake(self) -> None:
        """Say that a transaction with events was committed; never blocks."""
        self._committed.set()
        self._delivery.wake()

    async def check(self) -> None:
        """Raise ``Unavailable`` while events are delivered by way of the database alone."""
        self._connection.check()
        if self._problem:
            raise Unavailable(f"Events do not pass through NATS: {self._problem}")
        try:
            await self._stream.look(timeout_s=CHECK_S)
        except FAULTS as exc:
            raise Unavailable(f"Events do not pass through NATS: {_said(exc)}") from exc

    async def start(self) -> None:
        """Connect, make stream and consumers, and begin to deliver; close it also if this fails.

        Raises:
            Unavailable: no server, or it gives us no stream.
        """
        self._stack.push_async_callback(self._connection.aclose)
        await self._connection.start()
        await self._first_stream()
        self._connection.listen(self._connection_changed)
        self._relay.listen(self._heard_commit)
        self._recovered()
        await self._delivery.start()
        self._make_pullers()
        group = await self._stack.enter_async_context(asyncio.TaskGroup())
        self._tasks += [
            group.create_task(self._repeat(self._committed, self._pass_on)),
            group.create_task(self._repeat(self._changed, self._tend)),
            group.create_task(self._tickets.answer()),
        ]
        self._committed.set()
        self._changed.set()

    async def aclose(self) -> None:
        """Take nothing more, settle what ends in time, give the rest back, disconnect."""
        if self._closing:
            return
        self._closing = True
        self._committed.set()
        self._changed.set()
        for puller in self._pullers.values():
            await puller.close()
        await self._delivery.aclose()
        self._tickets.give_back()
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=self._timing.close_s)
        for task in self._tasks:
            task.cancel()
        await self._stack.aclose()

    async def _first_stream(self) -> None:
        """Make stream and consumers; a cluster may need a moment to choose its leader."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + self._timing.first_s
        while True:
            try:
                await self._stream.ensure(self._delivery.routes)
            except FAULTS as exc:
                if loop.time() >= deadline or not self._connection.is_up:
                    raise Unavailable(
                        f"NATS has no stream for events: {_said(exc)} Check that JetStream is "
                        "enabled for this account and that its limits allow the stream."
                    ) from exc
                await asyncio.sleep(self._timing.tick_s)
            else:
                return

    def _make_pullers(self) -> None:
        for consumer in self._delivery.claimed:
            puller = Puller(
                self._connection,
                stream=self._stream.name,
                durable=self._stream.durable(consumer),
                arrived=partial(self._arrived, consumer),
                ended=self._pull_ended,
            )
            self._pullers[consumer] = puller

    def _heard_commit(self, topics: Collection[str]) -> None:
        """Tell the stream of what somebody wants; while it is away, do it here."""
        if any(not wanted.isdisjoint(topics) for wanted in self._delivery.routes.values()):
            self._committed.set()
            if self._problem:
                self._delivery.wake()

    def _arrived(self, consumer: str, notice: Notice, message: Msg) -> None:
        if not self._closing:
            self._tickets.add(consumer, notice, message)
            self._delivery.wake()

    def _pull_ended(self, is_gone: bool) -> None:
        self._is_lost |= is_gone
        self._changed.set()

    def _connection_changed(self, is_up: bool) -> None:
        for puller in self._pullers.values():
            puller.forget()
        if is_up:
            self._is_lost = True  # look whether stream and consumers are still there
        else:
            self._degraded("the server is not reachable.")
        self._committed.set()
        self._changed.set()

    def _degraded(self, problem: str) -> None:
        if not self._problem and not self._closing:
            _log.warning("events are delivered by way of the database: %s", problem)
        self._problem = problem
        self._delivery.poll_s = self._timing.delivery.poll_s
        self._delivery.wake()

    def _recovered(self) -> None:
        if self._problem:
            _log.info("events pass through NATS again")
        self._problem = ""
        self._delivery.poll_s = max(self._timing.poll_s, self._timing.delivery.poll_s)

    def _visited(self, settled: Sequence[Settlement]) -> None:
        self._tickets.visited(settled)
        self._changed.set()

    async def _repeat(self, event: asyncio.Event, step: Callable[[], Awaitable[None]]) -> None:
        """Take a step when woken, and now and then; no fault ends it."""
        while not self._closing:
            try:
                async with asyncio.timeout(self._timing.tick_s):
                    await event.wait()
            except TimeoutError:
                pass
            event.clear()
            if self._connection.is_up and not await self._succeeds(step):
                await asyncio.sleep(self._timing.tick_s)

    async def _succeeds(self, step: Callable[[], Awaitable[None]]) -> bool:
        try:
            await step()
        except FAULTS as exc:
            self._is_lost |= isinstance(exc, NoStreamResponseError)
            self._degraded(_said(exc))
            self._changed.set()
        except Exception as exc:  # noqa: BLE001 - the database keeps everything; repeated
            _log.warning("events could not be passed on, trying again: %s", exc)
        else:
            return True
        return False

    async def _pass_on(self) -> None:
        await self._relay.run(self._delivery.routes, stop=lambda: self._closing)

    async def _tend(self) -> None:
        """Answer for notices, ask for more, and make anew what has been deleted."""
        if self._is_lost or self._problem:
            self._is_lost = False
            await self._stream.ensure(self._delivery.routes)
            for puller in self._pullers.values():
                puller.forget()
            self._recovered()
            self._committed.set()
        if await self._tickets.examine():
            self._delivery.wake()
        now = asyncio.get_running_loop().time()
        if now - self._kept_at >= self._timing.progress_s:
            self._kept_at = now
            self._tickets.keep()
        for consumer, puller in self._pullers.items():
            await puller.ask(HOLD - self._tickets.count(consumer))


def _said(error: Exception) -> str:
    said = str(error).removeprefix("nats: ").rstrip(".") or type(error).__name__
    return f"{said}."
