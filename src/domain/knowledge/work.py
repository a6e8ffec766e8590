"""Long work: what goes on in the background, step by step, with one process at a time."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, ClassVar, Final

from domain.knowledge.error import WorkLost
from domain.knowledge.value import MAX_REASON_CHARS
from domain.shared.ids import SpaceId, UserId
from domain.shared.lease import Leased

LONGEST_DELAY_S: Final = 60.0


@dataclass(kw_only=True, eq=False)
class LongWork(Leased):
    """The truth about one piece of work; a message only says that there is some.

    It is due from ``next_run_at`` on, and lent to one process at a time. Every step that a process
    takes saves the work under its revision, with what the step did: so nobody writes who lost it,
    and whoever goes on begins where the last step ended. ``attempt`` counts tries since something
    of it was done, those that ended with their process among them.

    A kind says which states are open, how it calls its ends, and adds its cursor and figures.
    """

    OPEN: ClassVar[frozenset[Any]]
    DONE: ClassVar[Any]
    FAILED: ClassVar[Any]
    MAX_ATTEMPTS: ClassVar[int] = 5

    id: int
    space_id: SpaceId
    creator_id: UserId
    state: Any
    next_run_at: datetime
    last_error_code: int = 0
    last_error: str = ""
    created_at: datetime
    finished_at: datetime | None = None

    @property
    def is_open(self) -> bool:
        return self.state in self.OPEN

    @property
    def is_last_try(self) -> bool:
        """Another failure ends it."""
        return self.attempt >= self.MAX_ATTEMPTS

    @property
    def is_worn_out(self) -> bool:
        """All tries ended with their process; one more would take another process along."""
        return self.attempt > self.MAX_ATTEMPTS

    def is_due(self, *, now: datetime) -> bool:
        """Tell whether a process may claim it."""
        return self.is_open and self.next_run_at <= now and self.is_free(now=now)

    def claim(self, owner: str, *, now: datetime, until: datetime) -> None:
        """Take it over; raise ``WorkLost`` unless it is due."""
        if not self.is_due(now=now):
            raise WorkLost("Another process has this work.", work_id=self.id)
        self._lend(owner, until=until)

    def postpone(self, *, code: int, reason: str, delay_s: float, now: datetime) -> None:
        """Note a failed try and try again later."""
        self.attempt = max(self.attempt, 1)
        self._blame(code, reason)
        self._wait(now + timedelta(seconds=min(delay_s, LONGEST_DELAY_S)))

    def release(self, *, now: datetime) -> None:
        """Give it back undone, without blame: the process stops."""
        self.attempt = max(self.attempt - 1, 0)
        self._wait(now)

    def fail(self, *, code: int, reason: str, now: datetime) -> None:
        """Give up."""
        self._blame(code, reason)
        self._end(self.FAILED, now)

    def finish(self, *, now: datetime) -> None:
        """Note that nothing is left to do."""
        self._end(self.DONE, now)

    def _progress(self) -> None:
        self.attempt = 0

    def _wait(self, until: datetime) -> None:
        self.next_run_at = until
        self._let_go()

    def _end(self, state: Any, now: datetime) -> None:
        self.state = state
        self.finished_at = now
        self._let_go()

    def _blame(self, code: int, reason: str) -> None:
        self.last_error_code, self.last_error = code, reason[:MAX_REASON_CHARS]


def retry_delay_s(attempt: int, *, jitter: float, retry_after_s: float | None) -> float:
    """Return 1 s · 2^(n-1) ± 20 % for attempt n; ``jitter`` is -1 to 1, a longer wish wins."""
    delay = 2.0 ** (attempt - 1) * (1 + 0.2 * jitter)
    return float(min(max(delay, retry_after_s or 0.0), LONGEST_DELAY_S))
