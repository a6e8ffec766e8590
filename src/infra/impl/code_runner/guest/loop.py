"""An event loop without sockets, threads or waiting: time jumps to the next timer."""

import asyncio
from typing import Any


class _Timers:
    """Stands where a loop keeps its selector: nothing ever comes from outside."""

    def __init__(self) -> None:
        self.elapsed_s = 0.0

    def select(self, timeout_s: float | None) -> list[Any]:
        if timeout_s is None:
            raise RuntimeError("The code awaits something that can never happen.")
        self.elapsed_s += max(timeout_s, 0.0)
        return []


class IsolatedLoop(asyncio.BaseEventLoop):
    """Runs coroutines to their end; ``asyncio.sleep`` costs no time."""

    def __init__(self) -> None:
        super().__init__()
        self._selector = _Timers()

    def time(self) -> float:
        return self._selector.elapsed_s

    def _process_events(self, event_list: list[Any]) -> None:
        """Nothing to hand on."""

    def _write_to_self(self) -> None:
        """No other thread waits to be heard."""


def install() -> None:
    """Make ``asyncio.run`` and friends use this loop."""
    asyncio.new_event_loop = IsolatedLoop
    asyncio.events.new_event_loop = IsolatedLoop
