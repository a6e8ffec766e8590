"""Pauses that a signal of any process ends early."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from infra.contract.messaging.signal import Signals

OFTEN_S: Final = 0.25
"""How often to look at the database while no signal shows that signals arrive at all."""
RARELY_S: Final = 2.0
"""How often to look after one did, until another is missing: a lost one costs this much."""


class Waiter:
    """Woken when something may have happened to what its owner waits for."""

    def __init__(self) -> None:
        self._is_woken = asyncio.Event()
        self._is_alive = False

    def wake(self) -> None:
        self._is_alive = True
        self._is_woken.set()

    async def pause(self, longest_s: float | None = None) -> None:
        """Return when woken, at once if that was since the last pause, or after a while."""
        if longest_s is None:
            longest_s = RARELY_S if self._is_alive else OFTEN_S
        try:
            async with asyncio.timeout(longest_s):
                await self._is_woken.wait()
        except TimeoutError:
            self._is_alive = False
            return
        self._is_woken.clear()


class Wakeups:
    """Waiters by key for one subject; make it before the signals start.

    Whoever waits takes a waiter first, then looks, then pauses: so nothing is missed.
    """

    def __init__(self, signals: Signals, *, subject: str) -> None:
        self._waiters: dict[str, set[Waiter]] = {}
        signals.listen(subject, self._wake)

    @contextmanager
    def waiter(self, key: int) -> Iterator[Waiter]:
        """A waiter that is woken for ``key``."""
        name, waiter = str(key), Waiter()
        self._waiters.setdefault(name, set()).add(waiter)
        try:
            yield waiter
        finally:
            waiters = self._waiters[name]
            waiters.discard(waiter)
            if not waiters:
                del self._waiters[name]

    def _wake(self, key: str) -> None:
        for waiter in self._waiters.get(key, ()):
            waiter.wake()
