"""Memory of whose code took long when it ran last."""

import time
from collections.abc import Callable, Generator
from contextlib import contextmanager

from infra.impl.sandbox.jail import LOOK_S


class LongRuns:
    """Workspaces whose last run went behind others.

    Without it the next one would have its first tenth of a second, too, and code that never ends
    would take the processor so long from others as often as it is started.
    """

    def __init__(
        self, *, remembered: int = 1000, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._spaces: set[int] = set()
        self._remembered = remembered
        self._clock = clock

    @contextmanager
    def noted(self, space: int, went_behind: Callable[[], bool]) -> Generator[bool, None, None]:
        """Tell whether a run is expected to take long; watch whether it does."""
        began = self._clock()
        try:
            yield space in self._spaces
        finally:
            self._spaces.discard(space)
            if went_behind() and self._clock() - began > LOOK_S:
                if len(self._spaces) >= self._remembered:
                    self._spaces.clear()  # whoever is forgotten gets one more chance
                self._spaces.add(space)
