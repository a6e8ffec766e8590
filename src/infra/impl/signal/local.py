"""Signals within one process, for deployments that have no other."""

import asyncio

from infra.contract.messaging.signal import SignalHandler
from infra.impl.signal.handlers import Handlers


class LocalSignals:
    """Calls the listeners of this process on the next turn of the event loop."""

    def __init__(self) -> None:
        self._handlers = Handlers()
        self._loop: asyncio.AbstractEventLoop | None = None

    async def start(self) -> None:
        """Begin to pass signals on; those sent before are dropped."""
        self._loop = asyncio.get_running_loop()

    async def aclose(self) -> None:
        self._loop = None

    def send(self, subject: str, key: str) -> None:
        """Send without waiting; what cannot be sent is dropped."""
        if self._loop is not None:
            self._loop.call_soon(self._handlers.call, subject, key)

    def listen(self, subject: str, handler: SignalHandler) -> None:
        """Call ``handler`` with each key sent to ``subject``; register before ``start``."""
        if self._loop is not None:
            raise RuntimeError("Listen before the signals start.")
        self._handlers.add(subject, handler)
