"""Identifiers from the clock: 41 bits of Unix milliseconds, 10 of node, 12 of sequence."""

from datetime import UTC, datetime, timedelta
from threading import Lock
from typing import Final

from infra.contract.clock import Clock

_NODE_BITS: Final = 10
_SEQUENCE_BITS: Final = 12
_MAX_NODE: Final = 2**_NODE_BITS - 1
_MAX_SEQUENCE: Final = 2**_SEQUENCE_BITS - 1
_MAX_MS: Final = 2**41 - 1
_EPOCH: Final = datetime.fromtimestamp(0, UTC)
_MS: Final = timedelta(milliseconds=1)


def first_id_at(moment: datetime) -> int:
    """Return the least id of that millisecond: whatever was drawn before it is less."""
    return max(0, (moment - _EPOCH) // _MS) << (_NODE_BITS + _SEQUENCE_BITS)


class IdGenerator:
    """Ids of one process; ``node`` tells processes on the same database apart.

    Milliseconds count from the Unix epoch, so ids have the 19 digits that Coze's have, until 2039.
    When the clock steps back, or 4096 ids were drawn in one millisecond, the generator goes on from
    the last instant it used instead of waiting. Safe to call from any thread.
    """

    def __init__(self, *, clock: Clock, node: int = 0) -> None:
        if not 0 <= node <= _MAX_NODE:
            raise ValueError(f"node: expected 0 to {_MAX_NODE}.")
        self._clock = clock
        self._lock = Lock()
        self._node = node << _SEQUENCE_BITS
        self._last_ms = 0
        self._sequence = 0

    def move_to(self, node: int) -> None:
        """Go on with another number; ids keep growing, from the next millisecond on."""
        if not 0 <= node <= _MAX_NODE:
            raise ValueError(f"node: expected 0 to {_MAX_NODE}.")
        with self._lock:
            self._node = node << _SEQUENCE_BITS
            self._sequence = _MAX_SEQUENCE

    def next_id(self) -> int:
        """Return an id greater than every id this generator returned before.

        Raises:
            OverflowError: the clock is beyond the range of 41 bits.
        """
        now_ms = int(self._clock.now().timestamp() * 1000)
        with self._lock:
            if now_ms > self._last_ms:
                self._last_ms, self._sequence = now_ms, 0
            elif self._sequence < _MAX_SEQUENCE:
                self._sequence += 1
            else:
                self._last_ms, self._sequence = self._last_ms + 1, 0
            if self._last_ms > _MAX_MS:
                raise OverflowError("The clock is beyond 2039: 63-bit ids end there.")
            return self._last_ms << (_NODE_BITS + _SEQUENCE_BITS) | self._node | self._sequence
