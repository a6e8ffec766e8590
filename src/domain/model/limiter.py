"""Bounded concurrency with a bounded queue, per model."""

import asyncio

from domain.model.error import ModelBusy


class Limiter:
    """At most ``concurrency`` calls at once; ``queue`` more wait, each at most ``wait_s``."""

    def __init__(self, name: str, *, concurrency: int, queue: int, wait_s: float) -> None:
        self._name = name
        self._slots = asyncio.Semaphore(concurrency)
        self._queue = queue
        self._wait_s = wait_s
        self._waiting = 0

    async def acquire(self) -> None:
        """Take a slot, to be given back by ``release``; raise ``ModelBusy`` if none gets free."""
        if not self._slots.locked():
            await self._slots.acquire()  # returns without waiting
            return
        if self._waiting >= self._queue:
            raise self._busy("too many calls wait already")
        self._waiting += 1
        try:
            async with asyncio.timeout(self._wait_s):
                await self._slots.acquire()
        except TimeoutError as exc:
            raise self._busy("no place got free in time") from exc
        finally:
            self._waiting -= 1

    def release(self) -> None:
        self._slots.release()

    def _busy(self, reason: str) -> ModelBusy:
        return ModelBusy(
            f"The model {self._name} is busy: {reason}. Try again later.",
            retry_after_s=self._wait_s,
            model=self._name,
        )
