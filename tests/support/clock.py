"""Doubles that are not worth shipping as adapters."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta


@dataclass
class FrozenClock:
    """Moves only when told to."""

    instant: datetime

    def now(self) -> datetime:
        return self.instant

    def advance(self, **by: float) -> None:
        """Move by the given ``timedelta`` arguments."""
        self.instant += timedelta(**by)


@dataclass
class ShiftedClock:
    """The clock of a machine whose time somebody sets."""

    ahead: timedelta = timedelta()

    def now(self) -> datetime:
        return datetime.now(UTC) + self.ahead
