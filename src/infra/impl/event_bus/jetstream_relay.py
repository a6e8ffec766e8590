"""Telling JetStream of committed events, whichever process committed them."""

import asyncio
import logging
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import timedelta
from typing import Final

import msgspec
from nats.js.api import Header
from nats.js.errors import NoStreamResponseError

from domain.shared.crashpoint import crashpoint
from infra.contract.clock import Clock
from infra.contract.event_relay import EventRelay, Notice
from infra.impl.event_bus.jetstream_stream import EventStream
from infra.impl.nats.connection import FAULTS

BATCH: Final = 100
LEASE: Final = timedelta(seconds=30)
"""How long a batch belongs to a relay; one that dies leaves it to the others after that."""

_log: Final = logging.getLogger(__name__)


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
        await self._stream.context.publish(
            self._stream.subject(notice.topic),
            msgspec.json.encode(notice),
            timeout=self._publish_s,
            stream=self._stream.name,
            headers={Header.MSG_ID: notice.message_id},
        )
