"""Lateness of the machine: what a promise in seconds cannot be held against while others work."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

_BEAT_S: Final = 0.02
_WAKES: Final = 5
"""How often something is woken on the way of a change: whoever looks, what reads the database for
it, the server's loop, what stands between, and the test."""


@contextmanager
def lateness() -> Iterator[Callable[[], float]]:
    """Yield what tells how late a change may seem: next to nothing on an idle machine.

    A thread is woken again and again, and notes by how much that was too late at worst.
    """
    is_over, worst = threading.Event(), [0.0]

    def beat() -> None:
        while True:
            due = time.monotonic() + _BEAT_S
            if is_over.wait(_BEAT_S):
                return
            worst[0] = max(worst[0], time.monotonic() - due)

    thread = threading.Thread(target=beat, daemon=True)
    thread.start()
    try:
        yield lambda: _WAKES * worst[0]
    finally:
        is_over.set()
        thread.join()
