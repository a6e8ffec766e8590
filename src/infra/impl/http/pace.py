"""Pace of reading streams: what arrives while the event loop is late is taken together.

Each piece of a stream costs a read, a wake-up of its run and of every follower, a rendering and a
write. While the loop keeps up, each goes its way at once. As it falls behind, readers let data
gather, the longer the later timers come: what is saved serves the beginnings of other runs, which
wait for many turns of the loop. Data gathers in the socket, before anything is spent on it.
"""

import asyncio
import time
from collections.abc import Callable
from typing import Final

_TICK_S: Final = 0.01
_PROMPT_S: Final = 0.0015
"""Timers of a loop that keeps up come so late at most: its clock has milliseconds."""
_GAIN: Final = 8.0
"""Times by which timers are late: at 6.5 ms of lateness the window is as wide as it gets."""
_WEIGHT: Final = 0.2
"""Of the newest of the latenesses in their average: a single long step changes little."""


class ReadPace:
    """Watches one event loop while somebody reads streams on it.

    ``window_s`` is for how long a reader lets data gather: 0 while the loop keeps up, at most
    ``most_s``, and never more if that is 0.
    """

    def __init__(self, *, most_s: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.window_s = 0.0
        self._most_s = most_s
        self._clock = clock
        self._late_s = 0.0
        self._readers = 0
        self._timer: asyncio.TimerHandle | None = None

    @property
    def is_watching(self) -> bool:
        """A timer waits."""
        return self._timer is not None

    def enter(self) -> None:
        """Watch, because one more reads."""
        self._readers += 1
        if self._timer is None and self._most_s:
            self._wait(asyncio.get_running_loop())

    def leave(self) -> None:
        """One of those who read is done."""
        self._readers -= 1

    def see(self, late_s: float) -> None:
        """Take by how much a timer was late."""
        self._late_s += _WEIGHT * (late_s - self._late_s)
        wanted = _GAIN * (self._late_s - _PROMPT_S)
        self.window_s = min(max(wanted, 0.0), self._most_s)

    def _wait(self, loop: asyncio.AbstractEventLoop) -> None:
        self._timer = loop.call_later(_TICK_S, self._tick, loop, self._clock() + _TICK_S)

    def _tick(self, loop: asyncio.AbstractEventLoop, due: float) -> None:
        self.see(max(0.0, self._clock() - due))
        if self._readers:
            self._wait(loop)
        else:
            self._timer = None
            self._late_s = self.window_s = 0.0
