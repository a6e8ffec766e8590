"""Whether the threads of a busy process share one core.

Threads of Python compute one at a time. One that waits for a moment, as for each row of a database,
lets another one have the interpreter. If that one is on another core it is woken up there, and the
first one waits until it gets the interpreter back: two cores then do less than one. On one core
nobody is woken up for so little.
"""

from collections.abc import Callable
from typing import Final

_BUSY: Final = 0.5
_CALM: Final = 0.25
"""Shares of one core from which threads meet each other, and below which they hardly do."""
_SHORT_S: Final = 0.0002
"""Threads that wait after less than that pass the interpreter on and on: with searches it is 50 µs.
What computes beside others, in the database or with vectors, does so for milliseconds."""
_TOGETHER_S: Final = 3.0
"""Then they are let go for one look: as long as they share a core the kernel cannot move them off
one that others use, and they do not compute beside each other if they would by now."""


class OneCore:
    """Looks at what a process does; ``keep_together`` is told whether its threads share a core."""

    def __init__(self, keep_together: Callable[[bool], None]) -> None:
        self._keep_together = keep_together
        self.is_shared = False
        self._until = 0.0

    def look(self, *, load: float, run_s: float, now: float) -> None:
        """Judge the time since the last look.

        ``load`` is how many cores the process used, ``run_s`` for how long a thread computed before
        it waited.
        """
        if self.is_shared:
            is_shared = load >= _CALM and now < self._until
        else:
            is_shared = load >= _BUSY and run_s < _SHORT_S
            self._until = now + _TOGETHER_S
        if is_shared is not self.is_shared:
            self.is_shared = is_shared
            self._keep_together(is_shared)
