"""An answer while it is written: shown by edits where they are offered, else announced."""

import asyncio
import logging
from datetime import datetime
from typing import Final

from application.channel.desk import Desk
from domain.channel.text import joined
from domain.shared.error import StaleRevision
from infra.contract.channel import Outgoing, PlatformBusy, PlatformRefused
from infra.contract.clock import Clock

_PENDING: Final = " …"
_BUSY_S: Final = 5.0
_logger: Final = logging.getLogger(__name__)


class Draft:
    """What the agent wrote so far, and what the reader sees of it.

    ``present`` runs beside the run and ends after ``close``, never in the middle of a call: what
    it sent is known when the answer follows.
    """

    def __init__(self, desk: Desk, *, clock: Clock) -> None:
        self._desk = desk
        self._clock = clock
        self._texts: dict[int, str] = {}
        self._over = asyncio.Event()
        self._shown = ""
        self._edits = 0

    def add(self, message_id: int, text: str) -> None:
        """Take the next piece of an answer."""
        self._texts[message_id] = self._texts.get(message_id, "") + text

    def replace(self, message_id: int, text: str) -> None:
        """Take an answer instead of what it was so far."""
        self._texts[message_id] = text

    @property
    def text(self) -> str:
        """What was written so far, as one text."""
        return joined(list(self._texts.values()))

    def close(self) -> None:
        """Stop presenting: the answer is whole."""
        self._over.set()

    async def present(self) -> None:
        """Show drafts by and by, and ask for patience once, until ``close``."""
        desk, offered = self._desk, self._desk.adapter.capabilities
        settings = desk.channel.settings
        by_edits = bool(offered.edits) and settings.edits
        pause_s = offered.edit_interval_s if by_edits else 1.0
        while not await self._is_over(pause_s):
            pause_s = offered.edit_interval_s if by_edits else 1.0
            try:
                if by_edits and self._edits < offered.edits and (text := self._first_piece()):
                    await self._show(text)
                elif self._is_slow(self._clock.now()):
                    desk.message.tell_slow()
                    await desk.say("slow")
                    await desk.save()
            except PlatformBusy as exc:
                pause_s = exc.retry_after_s or _BUSY_S
            except (PlatformRefused, StaleRevision) as exc:
                _logger.info("A draft could not be shown: %s", exc.message)
                return

    def _is_slow(self, now: datetime) -> bool:
        message, after_s = self._desk.message, self._desk.channel.settings.slow_after_s
        is_waiting = not (message.is_told or message.live_id or message.sent)
        return (
            bool(after_s) and is_waiting and (now - message.created_at).total_seconds() >= after_s
        )

    def _first_piece(self) -> str:
        if not (written := self.text):
            return ""
        first, *more = self._desk.in_pieces(written + _PENDING) or ("",)
        return first if not more or not self._shown else self._shown

    async def _show(self, text: str) -> None:
        if text == self._shown:
            return
        message = self._desk.message
        sent = await self._desk.send(
            Outgoing(
                key=message.piece_key(0),
                text=text,
                replaces=message.live_id,
                is_repeat=message.attempt > 1,
            )
        )
        self._shown, self._edits = text, self._edits + 1
        if not message.live_id and sent:
            message.show(sent)
            await self._desk.save()

    async def _is_over(self, within_s: float) -> bool:
        try:
            async with asyncio.timeout(within_s):
                await self._over.wait()
        except TimeoutError:
            return False
        return True
