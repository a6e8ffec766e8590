"""What one run's model calls cost, until it is written down."""

from collections.abc import Sequence

from domain.shared.chat import ModelCall, Usage

NumberedCalls = tuple[tuple[int, ModelCall], ...]


class CallLedger:
    """Numbers the calls and sums them up; each is handed out for writing once.

    A run that goes on after it waited has had ``count`` calls before, which cost ``usage``.
    """

    def __init__(self, *, count: int = 0, usage: Usage | None = None) -> None:
        self.usage = usage or Usage()
        self.count = self._before = count
        self._unwritten: dict[int, ModelCall] = {}

    @property
    def is_written(self) -> bool:
        return not self._unwritten

    @property
    def has_recorded(self) -> bool:
        """Tell whether calls were counted here, besides those of before."""
        return self.count > self._before

    def record(self, call: ModelCall) -> None:
        self.count += 1
        self._unwritten[self.count] = call
        self.usage += call.usage

    def take(self) -> NumberedCalls:
        """Hand over the calls that nobody has begun to write."""
        taken, self._unwritten = tuple(self._unwritten.items()), {}
        return taken

    def give_back(self, calls: Sequence[tuple[int, ModelCall]]) -> None:
        """Take back calls whose transaction failed."""
        self._unwritten |= dict(calls)
