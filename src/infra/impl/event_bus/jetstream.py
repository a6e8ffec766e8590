"""Event bus of many processes: JetStream says that there is work, the database who does what."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from functools import partial
from typing import Final

import msgspec
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.aio.subscription import Subscription
from nats.js.api import DEFAULT_PREFIX, Header
from nats.js.errors import NoStreamResponseError

from domain.shared.crashpoint import crashpoint
from domain.shared.error import Unavailable
from infra.contract.clock import Clock
from infra.contract.messaging.event_bus import Handler
from infra.contract.messaging.event_repository import (
    EventQueue,
    EventRelay,
    Notice,
    Outcome,
    Settlement,
)
from infra.impl.event_bus.delivery import BusTiming, QueueDelivery
from infra.impl.event_bus.jetstream_stream import EventStream, StreamOptions
from infra.impl.nats.connection import FAULTS, NatsConnection

HOLD: Final = 16
"""How many notices of one consumer a process takes at a time, so that others get theirs."""
CHECK_S: Final = 0.8
"""Less than those wait who ask whether the process is ready."""

_log: Final = logging.getLogger(__name__)
EXPIRES_S: Final = 20.0
SLACK_S: Final = 2.0
"""How much later than agreed the server may say that a pull has expired."""
PENDING: Final = 256
_GONE: Final = frozenset({"404", "503"})
_CONFLICT: Final = "409"
BATCH: Final = 100
LEASE: Final = timedelta(seconds=30)
"""How long a batch belongs to a relay; one that dies leaves it to the others after that."""
REPLIES: Final = 1024
SOON_S: Final = 1.0
LONGEST_NAK_S: Final = 30.0
"""Later repetitions are left to the database, so that they do not fill the consumer's window."""
PATIENCE: Final = 2
"""Visits to the queue after which an event that could be claimed, but was not, is passed on."""


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
        self._pending = PendingNotices(relay=relay, clock=clock, holds=self._delivery.holds)
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
            group.create_task(self._pending.answer()),
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
        # From the outside inwards: nothing new, then what is being handled, then the answers for
        # it.
        for puller in self._pullers.values():
            await puller.close()
        await self._delivery.aclose()
        self._pending.give_back()
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
            self._pending.add(consumer, notice, message)
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
        self._pending.visited(settled)
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
        if await self._pending.examine():
            self._delivery.wake()
        now = asyncio.get_running_loop().time()
        if now - self._kept_at >= self._timing.progress_s:
            self._kept_at = now
            self._pending.keep()
        for consumer, puller in self._pullers.items():
            await puller.ask(HOLD - self._pending.count(consumer))


def _said(error: Exception) -> str:
    said = str(error).removeprefix("nats: ").rstrip(".") or type(error).__name__
    return f"{said}."


class Puller:
    """Keeps at most one request for notices open; nobody ever waits in it, so closing is quick.

    ``arrived`` takes each notice with its message; ``ended`` is called when the server has ended
    the request, with whether the consumer seems to be gone.
    """

    def __init__(
        self,
        connection: NatsConnection,
        *,
        stream: str,
        durable: str,
        arrived: Callable[[Notice, Msg], None],
        ended: Callable[[bool], None],
    ) -> None:
        self._connection = connection
        self._client: Client | None = None
        self._subject = f"{DEFAULT_PREFIX}.CONSUMER.MSG.NEXT.{stream}.{durable}"
        self._arrived = arrived
        self._ended = ended
        self._inbox = ""
        self._subscription: Subscription | None = None
        self._awaited = 0
        self._expires_at = 0.0

    async def close(self) -> None:
        """Take nothing more; what the server has sent meanwhile it sends again to somebody."""
        if self._subscription is not None:
            try:
                await self._subscription.unsubscribe()
            except FAULTS as exc:
                _log.debug("a pull did not close: %s", exc)

    def forget(self) -> None:
        """Treat the open request as lost, because the connection was."""
        self._awaited = 0

    async def ask(self, count: int) -> None:
        """Ask for ``count`` notices unless a request is open already."""
        await self._listen()
        now = asyncio.get_running_loop().time()
        if count < 1 or (self._awaited > 0 and now < self._expires_at + SLACK_S):
            return
        self._awaited, self._expires_at = count, now + EXPIRES_S
        # JetStream's own API takes durations in nanoseconds.
        request = {"batch": count, "expires": int(EXPIRES_S * 1e9)}
        await self._connection.client.publish(
            self._subject, msgspec.json.encode(request), reply=self._inbox
        )

    async def _listen(self) -> None:
        """Listen for what the server sends; again if the client has changed."""
        client = self._connection.client
        if self._client is client:
            return
        self._inbox = client.new_inbox()
        self._subscription = await client.subscribe(
            self._inbox, cb=self._take, pending_msgs_limit=PENDING
        )
        self._client, self._awaited = client, 0

    async def _take(self, message: Msg) -> None:
        status = (message.headers or {}).get(Header.STATUS)
        if status is not None:
            said = (message.headers or {}).get(Header.DESCRIPTION, "")
            self._awaited = 0
            self._ended(status in _GONE or (status == _CONFLICT and "Deleted" in said))
            return
        self._awaited = max(self._awaited - 1, 0)
        try:
            notice = msgspec.json.decode(message.data, type=Notice)
        except msgspec.DecodeError:
            _log.warning("a message in the stream is none of ours", extra={"at": message.subject})
            # Not acknowledged and not refused, or the server would send it again and again.
            await message.term()
            return
        self._arrived(notice, message)


class JetStreamRelay:
    """Publishes batches, waits for the server to confirm that it has stored them, marks them.

    Dying anywhere in between means publishing again: the server drops what has an id that it has
    seen, and the event queue drops the rest.
    """

    def __init__(
        self, *, relay: EventRelay, stream: EventStream, clock: Clock, publish_s: float
    ) -> None:
        """``publish_s`` is how long the server may take to confirm a notice."""
        self._relay = relay
        self._stream = stream
        self._clock = clock
        self._publish_s = publish_s

    def listen(self, wake: Callable[[Collection[str]], None]) -> None:
        self._relay.listen(wake)

    async def run(self, routes: Mapping[str, frozenset[str]], *, stop: Callable[[], bool]) -> None:
        """Tell the server of everything that it has not confirmed yet.

        Raises:
            NoStreamResponseError: the stream is gone.
            nats.errors.Error, OSError, TimeoutError: the server did not confirm; what is left
                over is given back.
        """
        while not stop() and await self._relay.has_work(self._clock.now()):
            now = self._clock.now()
            batch = await self._relay.take(routes, now=now, until=now + LEASE, limit=BATCH)
            crashpoint("outbox.taken")
            if batch:
                await self._tell(batch)

    async def _tell(self, batch: Sequence[Notice]) -> None:
        confirmed: list[str] = []
        faults: list[Exception] = []

        async def publish(notice: Notice) -> None:
            try:
                await self._publish(notice)
            except FAULTS as exc:
                faults.append(exc)
            else:
                confirmed.append(notice.event_id)

        try:
            async with asyncio.TaskGroup() as group:
                for notice in batch:
                    group.create_task(publish(notice))
        finally:
            crashpoint("outbox.after_publish")
            if confirmed:
                await self._relay.confirm(confirmed, self._clock.now())
            crashpoint("outbox.marked")
        if faults:
            left = [notice.event_id for notice in batch if notice.event_id not in set(confirmed)]
            await self._relay.give_back(left)
            raise next((e for e in faults if isinstance(e, NoStreamResponseError)), faults[0])

    async def _publish(self, notice: Notice) -> None:
        headers: dict[str, str] = {Header.MSG_ID: notice.message_id}
        if notice.traceparent:
            headers["traceparent"] = notice.traceparent
        await self._stream.context.publish(
            self._stream.subject(notice.topic),
            msgspec.json.encode(notice),
            timeout=self._publish_s,
            stream=self._stream.name,
            headers=headers,
        )


class Reply(StrEnum):
    """What the server is told of a message."""

    ACK = "ack"
    NAK = "nak"
    PROGRESS = "progress"


@dataclass(slots=True)
class PendingNotice:
    """One delivered notice; ``visits`` counts visits to the event queue since it came."""

    consumer: str
    event_id: str
    message: Msg
    visits: int = 0


class PendingNotices:
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
        self._pending: dict[tuple[str, str], PendingNotice] = {}
        self._replies: asyncio.Queue[tuple[Msg, Reply, float] | None] = asyncio.Queue(REPLIES)

    def count(self, consumer: str) -> int:
        """How many notices of a consumer are held."""
        return sum(pending.consumer == consumer for pending in self._pending.values())

    def add(self, consumer: str, notice: Notice, message: Msg) -> None:
        """Take a notice.

        A newer delivery of the same message takes the place of the older; of two messages for one
        event the first is not needed any more.
        """
        key = consumer, notice.event_id
        older = self._pending.get(key)
        if older is not None and not _is_same(older.message, message):
            self._reply(older, Reply.ACK)
        self._pending[key] = PendingNotice(consumer, notice.event_id, message)

    def visited(self, settled: Sequence[Settlement]) -> None:
        """Answer for what was settled in the database."""
        for settlement in settled:
            pending = self._pending.pop((settlement.consumer, settlement.event_id), None)
            if pending is None:
                continue
            if settlement.outcome is Outcome.RETRY and settlement.due_at is not None:
                self._postpone(pending, settlement.due_at)
            elif settlement.outcome is Outcome.RELEASED:
                self._reply(pending, Reply.NAK)
            else:
                self._reply(pending, Reply.ACK)
        for pending in self._pending.values():
            pending.visits += 1

    async def examine(self) -> bool:
        """Find out what became of events that this process could not claim.

        True means that another visit to the queue may claim some of them.
        """
        waiting = False
        unclaimed: dict[str, list[PendingNotice]] = {}
        for pending in self._pending.values():
            if pending.visits and not self._holds(pending.consumer, pending.event_id):
                unclaimed.setdefault(pending.consumer, []).append(pending)
        for consumer, notices in unclaimed.items():
            event_ids = [pending.event_id for pending in notices]
            unsettled = await self._relay.unsettled(consumer, event_ids)
            for pending in notices:
                waiting |= self._waits(pending, unsettled.get(pending.event_id))
        return waiting

    def keep(self) -> None:
        """Tell the server that what is held is still being worked on."""
        for pending in self._pending.values():
            self._reply(pending, Reply.PROGRESS)

    def give_back(self) -> None:
        """Leave everything that is held to others, and end ``answer``."""
        for pending in self._pending.values():
            self._reply(pending, Reply.NAK)
        self._pending.clear()
        # The end must fit in; an answer that is lost the server asks for again.
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

    def _waits(self, pending: PendingNotice, due_at: datetime | None) -> bool:
        """Let go of a notice that there is nothing to wait for with; tell whether there is."""
        key = pending.consumer, pending.event_id
        if self._pending.get(key) is not pending or self._holds(*key):
            return False  # things have changed while the database was asked
        if due_at is None:
            self._reply(pending, Reply.ACK)
        elif due_at > self._clock.now() or pending.visits >= PATIENCE:
            self._postpone(pending, due_at)
        else:
            return True
        del self._pending[key]
        return False

    def _postpone(self, pending: PendingNotice, due_at: datetime) -> None:
        wait_s = (due_at - self._clock.now()).total_seconds()
        if wait_s > LONGEST_NAK_S:
            self._reply(pending, Reply.ACK)
        else:
            self._reply(pending, Reply.NAK, max(wait_s, SOON_S))

    def _reply(self, pending: PendingNotice, kind: Reply, delay_s: float = 0.0) -> None:
        if not self._replies.full():
            self._replies.put_nowait((pending.message, kind, delay_s))


def _is_same(one: Msg, other: Msg) -> bool:
    return one.metadata.sequence.stream == other.metadata.sequence.stream
