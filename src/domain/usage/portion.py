"""Portions: what one process may hand out of a budget before it asks the others again.

The shared row of a period counts what entries of the ledger took (``spent``); that of a process
what it holds: what is idle, what calls under way reserve, and what ended calls took whose entries
are not stored yet. All of it together never exceeds the limit.
"""

from dataclasses import dataclass
from typing import Final

_PARTS: Final = 20


@dataclass(frozen=True, slots=True)
class Taken:
    """What the shared row said, and gave; ``held`` is what all processes hold besides."""

    granted: int
    spent: int
    held: int = 0


def share(limit: int, *, spent: int, held: int, lacking: int, is_last: bool) -> int:
    """Return what a process gets: what it lacks, or a twentieth of what is left if that is more.

    It gets nothing if there is not so much, unless this is its ``last`` call: all that is left.
    """
    left = limit - spent - held
    if left <= 0:
        return 0
    if lacking > left:
        return left if is_last else 0
    return min(left, max(lacking, left // _PARTS))


@dataclass(slots=True)
class Portion:
    """What one process holds of one period of a budget, but for entries that are being stored."""

    idle: int = 0
    reserved: int = 0
    calls: int = 0
    """How many reserve."""

    def reserve(self, amount: int) -> bool:
        """Set an amount aside for a call; False if there is not so much."""
        if amount > self.idle:
            return False
        self.idle -= amount
        self.reserved += amount
        self.calls += 1
        return True

    def settle(self, reserved: int, cost: int) -> int:
        """Take what a call did cost; return how much of it this process held."""
        covered = min(cost, reserved + self.idle)
        self.idle += reserved - covered
        self.reserved -= reserved
        self.calls -= 1
        return covered

    def give_back(self) -> int:
        """Return what is idle, and have it no more."""
        idle, self.idle = self.idle, 0
        return idle
