"""The worker of channels: claims what is due, keeps its lease, tries again, gives up."""

import asyncio
import logging
from collections import Counter
from contextlib import AsyncExitStack
from datetime import timedelta
from functools import partial
from typing import Final
from uuid import uuid4

from application.channel.answering import Answering, NotYet
from application.channel.intake import CHANNEL_MESSAGE
from application.channel.reply_context import ReplyContext
from application.shared.background import Background
from application.shared.heartbeat import with_heartbeat
from domain.channel.message import (
    ChannelMessage,
    ChannelMessageId,
    ThreadLost,
    retry_delay_s,
)
from domain.channel.repository import ChannelStore
from domain.shared.account import Origin, originate
from domain.shared.capacity.processor import work_for
from domain.shared.crashpoint import crashpoint
from domain.shared.error import AppError, StaleRevision
from infra.contract.channel import ChannelAdapters, PlatformBusy, PlatformRefused
from infra.contract.clock import Clock
from infra.contract.messaging.signal import Signals

LEASE_S: Final = 30.0
RENEW_S: Final = 10.0
_LOOK_S: Final = 1.0
_PLACES: Final = 64
"""Messages that a process answers at the same time."""
_PER_SPACE: Final = 32
_KEPT: Final = timedelta(days=3)
"""How long a message is known after its end: no platform delivers again later."""
_FORGOTTEN_AT_ONCE: Final = 1000
_INTERNAL: Final = "An internal error."
_logger: Final = logging.getLogger(__name__)


class ChannelWorker:
    """Runs in every server. Workspaces have turns, and none has all places of a process.

    ``begins_alone``: no other process used the database when this one began, so that whoever had
    a lease is gone.
    """

    def __init__(
        self,
        *,
        store: ChannelStore,
        adapters: ChannelAdapters,
        answering: Answering,
        signals: Signals,
        clock: Clock,
        begins_alone: bool,
    ) -> None:
        self._store = store
        self._adapters = adapters
        self._answering = answering
        self._clock = clock
        self._begins_alone = begins_alone
        self._working: Counter[int] = Counter()
        self._stack = AsyncExitStack()
        self._group: asyncio.TaskGroup | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._loop = Background(self.take, name="channels", interval_s=_LOOK_S)
        signals.listen(CHANNEL_MESSAGE, self._on_signal)

    async def start(self) -> None:
        if self._begins_alone:
            async with self._store.transaction() as uow:
                await uow.queue.release_all()
                await uow.commit()
        self._group = await self._stack.enter_async_context(asyncio.TaskGroup())
        await self._loop.start()

    async def aclose(self) -> None:
        await self._loop.aclose()
        for task in self._tasks:
            task.cancel()
        await self._stack.aclose()

    def _on_signal(self, _: str) -> None:
        self._loop.wake()

    async def take(self) -> None:
        """Claim as many messages as there are places for, and work on them."""
        room = _PLACES - self._working.total()
        if room <= 0 or self._group is None:
            return
        full = [space for space, count in self._working.items() if count >= _PER_SPACE]
        now = self._clock.now()
        async with self._store.snapshot() as uow:
            due = await uow.queue.due(now=now, limit=room, but=full)
        for message in due:
            if self._working[message.space_id] >= _PER_SPACE:
                continue
            try:
                owner = uuid4().hex
                message.claim(owner, now=now, until=now + timedelta(seconds=LEASE_S))
                async with self._store.transaction() as uow:
                    await uow.queue.save(message)
                    await uow.commit()
            except StaleRevision:  # another process was faster
                continue
            self._working[message.space_id] += 1
            task = self._group.create_task(self._guarded(message))
            self._tasks.add(task)
            task.add_done_callback(partial(self._done, message.space_id))

    async def forget(self) -> int:
        """Remove messages that ended long ago; return how many those were."""
        gone = 0
        while True:
            async with self._store.transaction() as uow:
                before = self._clock.now() - _KEPT
                found = await uow.queue.forget(before=before, limit=_FORGOTTEN_AT_ONCE)
                await uow.commit()
            gone += found
            if found < _FORGOTTEN_AT_ONCE:
                return gone

    def _done(self, space_id: int, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        self._working[space_id] -= 1
        if not self._working[space_id]:
            del self._working[space_id]
        self._loop.wake()  # the next of its thread may go

    async def _guarded(self, message: ChannelMessage) -> None:
        """Work on a message; a storage that is gone must not end the others with it."""
        try:
            await self._work(message)
        except Exception:  # its lease runs out, and somebody tries again
            _logger.exception("Message %d of a channel was left.", message.id)

    async def _work(self, message: ChannelMessage) -> None:
        """Work on a message under its lease; what goes wrong is kept in its row."""
        work_for(message.space_id)
        originate(Origin(source="channel"))
        owner = message.lease_owner
        crashpoint("channel.claimed")
        try:
            await with_heartbeat(
                partial(self._answer, message),
                partial(self._renew, message, owner),
                every_s=RENEW_S,
            )
        except asyncio.CancelledError:
            if message.is_open:
                message.release(now=self._clock.now())
                await self._keep(message)
            raise
        except ThreadLost:
            _logger.info("Message %d of a channel is somebody else's.", message.id)
        except Exception as exc:  # noqa: BLE001 - it is kept
            await self._settle(message.id, owner, exc)

    async def _answer(self, message: ChannelMessage) -> None:
        async with self._store.snapshot() as uow:
            channel = await uow.directory.of(message.channel_id)
        if channel is None or not channel.settings.is_enabled:
            message.drop("The channel was deleted or turned off.", now=self._clock.now())
            await self._keep(message)
            return
        adapter = self._adapters.get(channel.platform)
        context = ReplyContext(message=message, channel=channel, adapter=adapter, store=self._store)
        await self._answering.answer(context)

    async def _renew(self, message: ChannelMessage, owner: str) -> bool:
        until = self._clock.now() + timedelta(seconds=LEASE_S)
        async with self._store.transaction() as uow:
            is_kept = await uow.queue.renew(message.id, owner, until=until)
            await uow.commit()
        if is_kept and message.lease_owner == owner:
            message.lease_until = until  # what the next step saves must not be older
        return is_kept or not message.lease_owner  # which it has ended itself

    async def _settle(self, message_id: int, owner: str, error: Exception) -> None:
        """Put a message off or give it up, as it is stored."""
        is_known = isinstance(error, AppError)
        if not is_known:
            _logger.error("Message %d of a channel met a defect.", message_id, exc_info=error)
        async with self._store.snapshot() as uow:
            message = await uow.queue.find(ChannelMessageId(message_id))
        if message is None or message.lease_owner != owner:
            return
        now = self._clock.now()
        reason = error.message if isinstance(error, AppError) else _INTERNAL
        wish_s = error.retry_after_s if isinstance(error, AppError) else None
        if isinstance(error, NotYet | StaleRevision):
            message.attempt = max(message.attempt - 1, 1)
            message.postpone(reason, delay_s=wish_s or 1.0, now=now)
        elif message.is_worn_out or isinstance(error, PlatformRefused):
            if not isinstance(error, PlatformBusy | PlatformRefused):
                await self._apologise(message)
            message.fail(reason, now=now)
            _logger.warning("A message of channel %d was given up: %s", message.channel_id, reason)
        else:
            delay_s = retry_delay_s(message.attempt, wish_s=wish_s)
            message.postpone(reason, delay_s=delay_s, now=now)
        await self._keep(message)

    async def _apologise(self, message: ChannelMessage) -> None:
        """Tell the author that no answer will come."""
        async with self._store.snapshot() as uow:
            channel = await uow.directory.of(message.channel_id)
        if channel is None:
            return
        adapter = self._adapters.get(channel.platform)
        try:
            await ReplyContext(
                message=message, channel=channel, adapter=adapter, store=self._store
            ).say("failed")
        except PlatformBusy:
            _logger.info("The author of message %d was not told.", message.id)

    async def _keep(self, message: ChannelMessage) -> None:
        try:
            async with self._store.transaction() as uow:
                await uow.queue.save(message)
                await uow.commit()
        except StaleRevision:
            _logger.info("Message %d of a channel is somebody else's.", message.id)
