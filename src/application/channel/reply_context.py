"""What one message needs to be answered: its channel, its platform, and where it is noted."""

import logging
from dataclasses import dataclass
from typing import Final

from domain.channel.channel import Channel
from domain.channel.message import ChannelMessage
from domain.channel.repository import ChannelStore
from domain.channel.text import pieces, rendered
from domain.channel.value import Said
from domain.shared.access import Principal
from infra.contract.channel import (
    ChannelAdapter,
    Incoming,
    Outgoing,
    PlatformRefused,
)

_logger: Final = logging.getLogger(__name__)


@dataclass(kw_only=True)
class ReplyContext:
    """One message under work; whoever has it is the only one who writes it."""

    message: ChannelMessage
    channel: Channel
    adapter: ChannelAdapter
    store: ChannelStore

    @property
    def principal(self) -> Principal:
        """Who asks."""
        return self.channel.principal(self.message.end_user_id)

    @property
    def incoming(self) -> Incoming:
        return self.message.incoming

    async def save(self) -> None:
        """Note how far it is; raise ``StaleRevision`` if another process has it."""
        async with self.store.transaction() as uow:
            await uow.queue.save(self.message)
            await uow.commit()

    def in_pieces(self, text: str) -> tuple[str, ...]:
        """Return a text in the dialect of the platform, in messages that it takes."""
        offered = self.adapter.capabilities
        return pieces(rendered(text, offered.dialect), offered)

    async def send(self, outgoing: Outgoing) -> str:
        """Send where the question was."""
        return await self.adapter.reply(self.channel.access, self.incoming, outgoing)

    async def say(self, what: Said) -> None:
        """Say something of the app's own; who cannot be told is not told."""
        text = self.in_pieces(self.channel.settings.says(what))[0]
        key = f"{self.message.id}-{what}"
        try:
            await self.send(Outgoing(key=key, text=text, is_repeat=self.message.attempt > 1))
        except PlatformRefused as exc:
            _logger.info("A channel could not be told: %s", exc.message)
