"""What a hook is still to be told: that a question of its user was answered, and what that took."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from domain.share.link import ShareLinkId
from domain.shared.ids import RunId, SpaceId
from domain.shared.secret import Secret

ATTEMPTS: Final = 10
_FIRST_WAIT: Final = timedelta(seconds=5)
_LONGEST_WAIT: Final = timedelta(hours=1)
_LONGEST_RUN: Final = timedelta(days=1)
"""A run that waits for its visitor longer than this is not told of."""

_LONGEST_START: Final = timedelta(minutes=5)
"""A question that waits for its turn for longer is refused long since."""


@dataclass(kw_only=True, slots=True)
class HookNotice:
    """One run of a link with a hook; gone once the hook knows of its end, or was told in vain."""

    run_id: RunId
    link_id: ShareLinkId
    space_id: SpaceId
    end_user_id: str
    proof: Secret
    """What the visitor showed, by which the hook knows whom it is about."""
    attempt: int = 0
    created_at: datetime
    due_at: datetime

    def is_given_up(self, now: datetime) -> bool:
        """Tell whether it was tried, or waited for, long enough."""
        return self.attempt >= ATTEMPTS or now - self.created_at > _LONGEST_RUN

    def is_awaited(self, now: datetime) -> bool:
        """Tell whether its run may still come: it is noted before the run is stored."""
        return now - self.created_at <= _LONGEST_START

    def put_off(self, *, now: datetime) -> None:
        """Look again soon, and less often the older it is."""
        age = now - self.created_at
        self.due_at = now + min(max(age / 10, timedelta(seconds=1)), _FIRST_WAIT)

    def failed(self, *, now: datetime) -> None:
        """Try again later, twice as late each time."""
        self.attempt += 1
        self.due_at = now + min(_FIRST_WAIT * 2**self.attempt, _LONGEST_WAIT)
