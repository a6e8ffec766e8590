"""Bounded concurrency with a bounded queue, per model."""

import asyncio
import time
from collections.abc import Callable

from domain.model.error import ModelBusy


class Limiter:
    """At most ``concurrency`` calls at once; ``queue`` more wait, each at most ``wait_s``."""

    def __init__(self, name: str, *, concurrency: int, queue: int, wait_s: float) -> None:
        self._name = name
        self._slots = asyncio.Semaphore(concurrency)
        self._queue = queue
        self._wait_s = wait_s
        self._waiting = 0
        self._report: Callable[[float], None] | None = None

    @property
    def waiting(self) -> int:
        """How many calls wait now."""
        return self._waiting

    def report_to(self, report: Callable[[float], None]) -> None:
        """Have the seconds that each call waited told, refused ones too."""
        self._report = report

    async def acquire(self) -> None:
        """Take a slot, to be given back by ``release``; raise ``ModelBusy`` if none gets free."""
        if not self._slots.locked():
            await self._slots.acquire()  # returns without waiting
            self._waited(0.0)
            return
        if self._waiting >= self._queue:
            raise self._busy("too many calls wait already")
        self._waiting += 1
        since = time.monotonic()
        try:
            async with asyncio.timeout(self._wait_s):
                await self._slots.acquire()
        except TimeoutError as exc:
            raise self._busy("no place got free in time") from exc
        finally:
            self._waiting -= 1
            self._waited(time.monotonic() - since)

    def release(self) -> None:
        self._slots.release()

    def _waited(self, seconds: float) -> None:
        if self._report is not None:
            self._report(seconds)

    def _busy(self, reason: str) -> ModelBusy:
        return ModelBusy(
            f"The model {self._name} is busy: {reason}. Try again later.",
            retry_after_s=self._wait_s,
            model=self._name,
        )
