"""What one run's model calls cost, until it is written down."""

from collections.abc import Sequence

from domain.shared.chat import ModelCall, Usage

NumberedCalls = tuple[tuple[int, ModelCall], ...]


class CallLedger:
    """Numbers the calls from 1 and sums them up; each is handed out for writing once."""

    def __init__(self) -> None:
        self.usage = Usage()
        self.count = 0
        self._unwritten: dict[int, ModelCall] = {}

    @property
    def is_written(self) -> bool:
        return not self._unwritten

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
