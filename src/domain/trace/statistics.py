"""Questions for statistics of runs: which of them, over which time, by what they have in common."""

from datetime import datetime, timedelta
from typing import Final

import msgspec

from domain.shared.error import InvalidRequest
from domain.trace.value import GroupKey, Interval, TraceQuery

STEPS: Final[dict[Interval, timedelta]] = {
    "minute": timedelta(minutes=1),
    "hour": timedelta(hours=1),
    "day": timedelta(days=1),
}
MOST_POINTS: Final = 1000


class StatisticsQuery(msgspec.Struct, frozen=True, kw_only=True):
    """Which runs to count, from ``since`` up to ``until``, and how to divide them.

    ``runs`` says which; its own times and order mean nothing here. Groups are the ``limit`` with
    most runs. A run counts for each of its models, tools and tags. ``interval`` None: no series.
    """

    runs: TraceQuery
    since: datetime
    until: datetime
    group_by: GroupKey = "none"
    interval: Interval | None = None
    limit: int = 10

    def __post_init__(self) -> None:
        if self.since >= self.until:
            raise InvalidRequest("until: later than since.", field="until")
        if self.interval and (self.until - self.since) / STEPS[self.interval] > MOST_POINTS:
            text = f"interval: {self.interval} makes more than {MOST_POINTS} points; take a longer."
            raise InvalidRequest(text, field="interval")
