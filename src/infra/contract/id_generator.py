"""Port: identifiers."""

from typing import Protocol


class IdGenerator(Protocol):
    """Source of 63-bit positive integers that grow with time (41 bits ms, 10 node, 12 sequence).

    Tests count from one instead.
    """

    def next_id(self) -> int:
        """Return an id greater than every id this process returned before, clock steps included."""
        ...
