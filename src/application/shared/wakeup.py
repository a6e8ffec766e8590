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


class Bell:
    """Rings when something may have happened to what its owner waits for."""

    def __init__(self) -> None:
        self._rung = asyncio.Event()
        self._is_alive = False

    def ring(self) -> None:
        self._is_alive = True
        self._rung.set()

    async def pause(self, longest_s: float | None = None) -> None:
        """Return at the next ring, at once if it rang since the last pause, or after a while."""
        if longest_s is None:
            longest_s = RARELY_S if self._is_alive else OFTEN_S
        try:
            async with asyncio.timeout(longest_s):
                await self._rung.wait()
        except TimeoutError:
            self._is_alive = False
            return
        self._rung.clear()


class Wakeups:
    """Bells by key for one subject; make it before the signals start.

    Whoever waits takes a bell first, then looks, then pauses: so nothing is missed.
    """

    def __init__(self, signals: Signals, *, subject: str) -> None:
        self._bells: dict[str, set[Bell]] = {}
        signals.listen(subject, self._ring)

    @contextmanager
    def bell(self, key: int) -> Iterator[Bell]:
        """A bell that rings for ``key``."""
        name, bell = str(key), Bell()
        self._bells.setdefault(name, set()).add(bell)
        try:
            yield bell
        finally:
            bells = self._bells[name]
            bells.discard(bell)
            if not bells:
                del self._bells[name]

    def _ring(self, key: str) -> None:
        for bell in self._bells.get(key, ()):
            bell.ring()
