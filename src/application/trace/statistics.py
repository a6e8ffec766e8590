"""Statistics of runs for those who may look into all of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

import msgspec
from msgspec.structs import replace

from application.trace.service import readers_of
from domain.shared.access import Permission, Principal
from domain.shared.ids import SpaceId
from domain.trace.repository import TraceStore
from domain.trace.statistics import StatisticsQuery
from domain.trace.value import GroupKey, Interval, Series, TraceQuery
from infra.contract.clock import Clock

_DEFAULT: Final = timedelta(days=1)


class AskStatistics(msgspec.Struct, frozen=True, kw_only=True):
    """Which runs to count: of some workspaces, or of all that the caller may look into.

    ``until`` None: until now; ``since`` None: of the day before that.
    """

    runs: TraceQuery
    space_ids: tuple[int, ...] = ()
    since: datetime | None = None
    until: datetime | None = None
    group_by: GroupKey = "none"
    interval: Interval | None = None
    limit: int = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceStatisticsView:
    """Statistics of runs from one time to another."""

    since: datetime
    until: datetime
    series: Sequence[Series]


class TraceStatistics:
    """Counts what happened in workspaces where the caller has ``trace.read``."""

    def __init__(self, *, store: TraceStore, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    async def get(self, principal: Principal, wanted: AskStatistics) -> TraceStatisticsView:
        """Return the groups with most runs.

        Raises:
            NotFound, Forbidden: a workspace is foreign, or the right is missing there.
            InvalidRequest: it would end before it begins, or have too many points.
        """
        until = wanted.until or self._clock.now()
        query = StatisticsQuery(
            runs=wanted.runs,
            since=wanted.since or until - _DEFAULT,
            until=until,
            group_by=wanted.group_by,
            interval=wanted.interval,
            limit=wanted.limit,
        )
        space_ids = wanted.space_ids
        readers = replace(readers_of(principal), own_space_ids=frozenset())
        if space_ids:
            for space_id in space_ids:
                principal.require(Permission.TRACE_READ, SpaceId(space_id))
            readers = replace(readers, space_ids=frozenset(map(SpaceId, space_ids)))
        async with self._store.snapshot() as uow:
            found = await uow.traces.statistics(principal.scope, query, readers=readers)
        return TraceStatisticsView(since=query.since, until=until, series=found)
