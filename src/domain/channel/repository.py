"""What channels need from a store; implemented in ``infra.impl.repository``."""

from collections.abc import Collection, Sequence
from contextlib import AbstractAsyncContextManager
from datetime import datetime
from typing import Protocol

from domain.channel.channel import Channel, ChannelId
from domain.channel.message import ChannelMessage, ChannelMessageId
from domain.shared.access import TenantScope
from domain.shared.ids import SpaceId


class ChannelRepository(Protocol):
    """Channels of workspaces; one that was deleted is not found."""

    async def get(self, scope: TenantScope, channel_id: ChannelId) -> Channel:
        """Return the channel; raise ``ChannelNotFound``."""
        ...

    async def all(self, scope: TenantScope) -> Sequence[Channel]:
        """Return those of the scope, newest first."""
        ...

    async def save(self, scope: TenantScope, channel: Channel) -> None:
        """Insert or update; raise ``StaleRevision``, or ``ChannelNotFound`` elsewhere."""
        ...


class ChannelDirectory(Protocol):
    """System port of platforms and of the worker, who answer to no scope."""

    async def find(self, public_id: str) -> Channel | None:
        """Return the channel with this address, unless it or its workspace was deleted."""
        ...

    async def of(self, channel_id: ChannelId) -> Channel | None:
        """Return a channel, unless it or its workspace was deleted."""
        ...


class ChannelQueue(Protocol):
    """System port of messages that wait for their answer."""

    async def add(self, message: ChannelMessage) -> bool:
        """Keep a new message; False if it is known already."""
        ...

    async def waiting(self, space_id: SpaceId) -> int:
        """Return how many messages of a workspace are open."""
        ...

    async def due(
        self, *, now: datetime, limit: int, but: Collection[int] = ()
    ) -> Sequence[ChannelMessage]:
        """Return what may be claimed, in turns of workspaces; none ``but`` others than these.

        Of a thread only the first that is open, and what overtakes.
        """
        ...

    async def find(self, message_id: ChannelMessageId) -> ChannelMessage | None:
        """Return a message, whatever its state."""
        ...

    async def before(self, message: ChannelMessage) -> Sequence[ChannelMessage]:
        """Return what is open in the thread of a message, and came before it."""
        ...

    async def save(self, message: ChannelMessage) -> None:
        """Update; raise ``StaleRevision`` if another process has it."""
        ...

    async def renew(self, message_id: ChannelMessageId, owner: str, *, until: datetime) -> bool:
        """Extend the lease of this owner; False if it is somebody else's."""
        ...

    async def release_all(self) -> None:
        """End all leases: no process that had one is left."""
        ...

    async def begin_anew(self, message: ChannelMessage) -> None:
        """Have the thread go on in a new conversation; the same message begins one only."""
        ...

    async def conversation(self, message: ChannelMessage) -> int:
        """Return which conversation of its thread this is: the message that began it, or 0."""
        ...

    async def forget(self, *, before: datetime, limit: int) -> int:
        """Remove messages that ended before some time; return how many those were."""
        ...


class ChannelUnitOfWork(Protocol):
    """One transaction: committed by ``commit``, rolled back by leaving the block without it."""

    @property
    def channels(self) -> ChannelRepository: ...

    @property
    def directory(self) -> ChannelDirectory: ...

    @property
    def queue(self) -> ChannelQueue: ...

    async def serialise(self, name: str) -> None:
        """Wait until no other transaction has this name, and keep it to the end."""
        ...

    async def commit(self) -> None: ...


class ChannelStore(Protocol):
    """Opens transactions."""

    def transaction(self) -> AbstractAsyncContextManager[ChannelUnitOfWork]:
        """Open a transaction for writing."""
        ...

    def snapshot(self) -> AbstractAsyncContextManager[ChannelUnitOfWork]:
        """Open a transaction for reading only."""
        ...
