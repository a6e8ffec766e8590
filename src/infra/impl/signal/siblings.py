"""Signals between the servers of one parent, by datagrams on sockets that it handed out."""

import asyncio
import logging
import os
from contextlib import suppress
from typing import Final

import msgspec

from infra.contract.adapter import Channel
from infra.contract.messaging.signal import SignalHandler
from infra.impl.signal.handlers import Handlers

WAITING: Final = 4096
"""Signals of one turn of the loop; equal ones are sent once."""
TOGETHER: Final = 64
"""Signals in a datagram."""
_HEARD_AT_ONCE: Final = 64
_DATAGRAM_BYTES: Final = 1 << 18

_log: Final = logging.getLogger(__name__)


class SiblingSignals:
    """Tells this process and its siblings; whoever does not keep up misses what does not fit.

    The sockets belong to the parent, so that a process that is started anew hears and is heard
    without anybody being told.
    """

    def __init__(self, channel: Channel) -> None:
        self._channel = channel
        self._handlers = Handlers()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._waiting: dict[tuple[str, str], None] = {}

    async def start(self) -> None:
        """Begin to pass signals on; those sent before are dropped."""
        with suppress(BlockingIOError):
            while True:  # what was meant for the process that had this place before
                os.read(self._channel.receiver, _DATAGRAM_BYTES)
        self._loop = asyncio.get_running_loop()
        self._loop.add_reader(self._channel.receiver, self._hear)

    async def aclose(self) -> None:
        if self._loop is not None:
            self._loop.remove_reader(self._channel.receiver)
            self._loop = None
            self._pass_on()

    def send(self, subject: str, key: str) -> None:
        """Send without waiting; what cannot be sent is dropped."""
        if self._loop is None:
            return
        self._loop.call_soon(self._handlers.call, subject, key)
        if not self._waiting:
            # Once for all signals of this turn.
            self._loop.call_soon(self._pass_on)
        if len(self._waiting) < WAITING:
            self._waiting[subject, key] = None

    def listen(self, subject: str, handler: SignalHandler) -> None:
        """Call ``handler`` with each key sent to ``subject``; register before ``start``."""
        if self._loop is not None:
            raise RuntimeError("Listen before the signals start.")
        self._handlers.add(subject, handler)

    def _pass_on(self) -> None:
        waiting, self._waiting = list(self._waiting), {}
        for start in range(0, len(waiting), TOGETHER):
            datagram = msgspec.json.encode(waiting[start : start + TOGETHER])
            for sender in self._channel.senders:
                with suppress(OSError):  # its queue is full: it reads the database as well
                    os.write(sender, datagram)

    def _hear(self) -> None:
        with suppress(BlockingIOError):
            for _ in range(_HEARD_AT_ONCE):
                datagram = os.read(self._channel.receiver, _DATAGRAM_BYTES)
                try:
                    heard = msgspec.json.decode(datagram, type=list[tuple[str, str]])
                except msgspec.DecodeError:
                    _log.debug("what came as signals is none")
                    continue
                for subject, key in heard:
                    self._handlers.call(subject, key)
