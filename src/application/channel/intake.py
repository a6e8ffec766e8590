"""Calls of platforms: believed if they are signed, stored before they are answered."""

from collections.abc import Mapping
from typing import Final, Literal

from domain.channel.channel import Channel
from domain.channel.error import ChannelNotFound, TooManyMessages
from domain.channel.message import ChannelMessage, ChannelMessageId
from domain.channel.repository import ChannelStore
from domain.shared.crashpoint import crashpoint
from domain.shared.id_generator import IdGenerator
from domain.shared.target import is_code
from infra.contract.channel import (
    Acknowledgement,
    ChannelAdapters,
    Incoming,
    PlatformCall,
)
from infra.contract.clock import Clock
from infra.contract.messaging.signal import Signals

CHANNEL_MESSAGE: Final = "channel.message"
"""A message waits for its answer."""
_WAITING: Final = 1000
"""Of one workspace. More are refused, and the platform brings them again."""
_RETRY_S: Final = 30.0


class ChannelIntake:
    """Takes what platforms say; answering it is the worker's."""

    def __init__(
        self,
        *,
        store: ChannelStore,
        adapters: ChannelAdapters,
        signals: Signals,
        ids: IdGenerator,
        clock: Clock,
    ) -> None:
        self._store = store
        self._adapters = adapters
        self._signals = signals
        self._ids = ids
        self._clock = clock

    async def receive(
        self,
        public_id: str,
        *,
        method: Literal["GET", "POST"],
        query: Mapping[str, str],
        headers: Mapping[str, str],
        body: bytes,
    ) -> Acknowledgement:
        """Take a call; what it says is stored when this returns.

        Raises:
            ChannelNotFound: there is no such channel, or it was deleted.
            CallRefused: the call is not the platform's, or a replay.
            CallUnreadable: it is the platform's, and makes no sense.
            TooManyMessages: the workspace has as many waiting as it may.
        """
        channel = None
        if is_code(public_id):
            async with self._store.snapshot() as uow:
                channel = await uow.directory.find(public_id)
        if channel is None:
            raise ChannelNotFound("There is no such channel, or it was deleted.")
        adapter = self._adapters.get(channel.platform)
        call = PlatformCall(method=method, query=query, headers=headers, body=body)
        verified = adapter.verify(call, channel.access, now=self._clock.now())
        if verified.handshake is not None:
            return verified.handshake
        incoming = adapter.parse(verified)
        if incoming is not None and channel.may_hear(incoming):
            await self._take(channel, incoming)
        return adapter.acknowledge()

    async def _take(self, channel: Channel, incoming: Incoming) -> None:
        message = ChannelMessage.take(
            ChannelMessageId(self._ids.next_id()), channel, incoming, now=self._clock.now()
        )
        async with self._store.transaction() as uow:
            is_new = await uow.queue.add(message)
            if is_new and await uow.queue.waiting(channel.space_id) > _WAITING:
                raise TooManyMessages(
                    "Too many messages of this workspace wait for their answer.",
                    retry_after_s=_RETRY_S,
                )
            await uow.commit()
        crashpoint("channel.stored")
        if is_new:
            self._signals.send(CHANNEL_MESSAGE, str(channel.space_id))
