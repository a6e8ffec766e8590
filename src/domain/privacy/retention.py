"""Retention: how long a workspace keeps what was said there, and whether it keeps everything."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta

from domain.privacy.value import Aging, KeptDays
from domain.shared.aggregate import Aggregate
from domain.shared.ids import SpaceId, UserId


@dataclass(kw_only=True, eq=False)
class Retention(Aggregate):
    """That of one workspace, whose id is its own."""

    id: SpaceId
    days: KeptDays = field(default_factory=KeptDays)
    is_held: bool = False
    """A legal hold: nothing is removed, neither by its age nor for somebody who asks for it."""
    updated_at: datetime | None = None
    updated_by: UserId | None = None

    @property
    def subject(self) -> tuple[int, int]:
        return self.id, self.id

    def change(self, days: KeptDays, *, is_held: bool, by: UserId, now: datetime) -> None:
        """Replace all of it; raise ``RetentionInvalid``."""
        days.require_valid()
        self.days, self.is_held = days, is_held
        self.updated_at, self.updated_by = now, by

    def bound(self, aging: Aging, *, now: datetime) -> datetime | None:
        """Return the moment before which things of a kind are over; None keeps them all."""
        days = {
            Aging.CONVERSATIONS: self.days.conversations,
            Aging.FILES: self.days.files,
            Aging.LOGS: self.days.logs,
        }[aging]
        return None if self.is_held or days is None else now - timedelta(days=days)
