"""A blocking call that any number of callers wait for, in at most one thread."""

import asyncio
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class SharedThread(Generic[T]):
    """For questions asked again and again, of disks that may hang.

    A thread cannot be stopped: whoever gave up waiting leaves it behind, and callers that come
    meanwhile wait for the same one instead of starting more until no thread is left for anything.
    """

    def __init__(self, function: Callable[[], T]) -> None:
        self._function = function
        self._running: asyncio.Future[T] | None = None

    async def __call__(self) -> T:
        """Return what the function returns, called now or a moment ago."""
        running = self._running
        if running is None or running.done():
            loop = asyncio.get_running_loop()
            running = self._running = loop.run_in_executor(None, self._function)
        return await asyncio.shield(running)
