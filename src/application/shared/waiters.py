"""Tasks that wait for something to change, all woken at once."""

import asyncio


class Waiters:
    """Any number of tasks; who gives up waiting leaves nothing behind."""

    def __init__(self) -> None:
        self._waiting: list[asyncio.Future[None]] = []

    def __len__(self) -> int:
        return len(self._waiting)

    async def wait(self) -> None:
        """Wait for the next ``wake``."""
        waiter: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append(waiter)
        try:
            await waiter
        finally:
            if waiter in self._waiting:  # given up
                self._waiting.remove(waiter)

    def wake(self) -> None:
        """Let everybody go on who waits now."""
        waiting, self._waiting = self._waiting, []
        for waiter in waiting:
            if not waiter.done():
                waiter.set_result(None)
