"""Port: wake-ups between processes, sent without a promise that they arrive."""

from collections.abc import Callable
from typing import Protocol

SignalHandler = Callable[[str], None]
"""Called on the event loop with the key that was sent; must not block or raise."""


class Signals(Protocol):
    """Tells other processes early what they would find in the database a little later.

    A lost signal costs latency, never correctness: each listener also polls. A sender hears its
    own signals. ``subject`` names what happened (``run.cancel``), ``key`` to whom (a run's id).
    """

    def send(self, subject: str, key: str) -> None:
        """Send without waiting; what cannot be sent is dropped."""
        ...

    def listen(self, subject: str, handler: SignalHandler) -> None:
        """Call ``handler`` with each key sent to ``subject``; register before ``start``."""
        ...
