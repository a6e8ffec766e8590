"""Statistics of runs: how many, how long, at what cost."""

from typing import Final

import msgspec
from litestar import Controller, get
from litestar.di import NamedDependency
from litestar.params import FromQuery
from msgspec.structs import replace

from api.admin.trace.filter import (
    RUNS,
    VERDICTS,
    choice,
    instant,
    points,
    spaces,
)
from api.wire import query_flag, query_integer
from application.trace.statistics import AskStatistics, TraceStatistics
from domain.shared.access import Principal
from domain.shared.error import InvalidRequest
from domain.trace.value import MOST_GROUPS, Figures, Series, TraceQuery

_GROUPS: Final = {
    each: each
    for each in ("none", "agent", "workflow", "version", "model", "tool", "tag", "status")
}
_INTERVALS: Final = {each: each for each in ("minute", "hour", "day")}
_GROUP_COUNT: Final = 10


class AdminTraceFigures(msgspec.Struct, frozen=True, kw_only=True):
    """Figures of some runs; percentiles are times that some run really took."""

    runs: int
    """Runs that nobody else called."""
    errors: int
    """Those that failed."""
    duration_p50_us: int
    """Microseconds that half of the runs did not exceed."""
    duration_p95_us: int
    """Microseconds that 95 of 100 runs did not exceed."""
    first_token_p50_ms: int | None
    """Milliseconds to the first token that half of the runs did not exceed; null without any."""
    first_token_p95_ms: int | None
    """Milliseconds to the first token that 95 of 100 runs did not exceed."""
    input_tokens: int
    """Tokens that models were sent."""
    output_tokens: int
    """Tokens that models answered."""
    cost: str
    """Points as a decimal number."""

    @classmethod
    def of(cls, figures: Figures) -> "AdminTraceFigures":
        """Show figures."""
        return cls(
            runs=figures.runs,
            errors=figures.errors,
            duration_p50_us=figures.duration_p50_us,
            duration_p95_us=figures.duration_p95_us,
            first_token_p50_ms=figures.first_token_p50_ms,
            first_token_p95_ms=figures.first_token_p95_ms,
            input_tokens=figures.input_tokens,
            output_tokens=figures.output_tokens,
            cost=points(figures.cost),
        )


class AdminTracePoint(msgspec.Struct, frozen=True, kw_only=True):
    """Figures of the runs that began in one interval."""

    at: int
    """Begin of the interval in Unix seconds; days are those of UTC."""
    figures: AdminTraceFigures
    """Its figures."""


class AdminTraceSeries(msgspec.Struct, frozen=True, kw_only=True):
    """Runs that have something in common."""

    key: str
    """Id of the agent or workflow, version, name of the model or tool, tag, state; or empty."""
    total: AdminTraceFigures
    """Figures of the whole time."""
    points: list[AdminTracePoint]
    """One for each interval that has runs, in order; empty without `interval`."""

    @classmethod
    def of(cls, series: Series) -> "AdminTraceSeries":
        """Show a series."""
        return cls(
            key=series.key,
            total=AdminTraceFigures.of(series.total),
            points=[
                AdminTracePoint(
                    at=int(each.at.timestamp()), figures=AdminTraceFigures.of(each.figures)
                )
                for each in series.points
            ],
        )


class AdminTraceStatistics(msgspec.Struct, frozen=True, kw_only=True):
    """Statistics of runs from one time to another."""

    since: int
    """Begin in Unix seconds."""
    until: int
    """End in Unix seconds."""
    items: list[AdminTraceSeries]
    """The groups with most runs, those with most first."""


class AdminTraceStatisticsController(Controller):
    """Statistics of what the caller may look into."""

    path = "/admin/v1/trace-stats"

    @get(operation_id="admin.trace_stats.get", dependencies=RUNS)
    async def retrieve(
        self,
        *,
        principal: NamedDependency[Principal],
        trace_statistics: NamedDependency[TraceStatistics],
        workspace_id: FromQuery[list[str] | None] = None,
        runs: NamedDependency[TraceQuery],
        pinned: FromQuery[str | None] = None,
        feedback: FromQuery[str | None] = None,
        since: FromQuery[str | None] = None,
        until: FromQuery[str | None] = None,
        interval: FromQuery[str | None] = None,
        group_by: FromQuery[str | None] = None,
        limit: FromQuery[str | None] = None,
    ) -> AdminTraceStatistics:
        """Return how many runs there were, how long they took and what they cost.

        Runs that others called are part of those, and not counted by themselves.
        """
        wanted = AskStatistics(
            space_ids=spaces(workspace_id),
            runs=replace(
                runs,
                pinned=query_flag(pinned, field="pinned"),
                feedback=choice(feedback, VERDICTS, field="feedback"),
            ),
            since=instant(since, field="since"),
            until=instant(until, field="until"),
            interval=choice(interval, _INTERVALS, field="interval"),
            group_by=choice(group_by, _GROUPS, field="group_by") or "none",
            limit=_groups(limit),
        )
        found = await trace_statistics.get(principal, wanted)
        return AdminTraceStatistics(
            since=int(found.since.timestamp()),
            until=int(found.until.timestamp()),
            items=[AdminTraceSeries.of(each) for each in found.series],
        )


def _groups(given: str | None) -> int:
    number = query_integer(given, field="limit")
    if number is None:
        return _GROUP_COUNT
    if not 0 < number <= MOST_GROUPS:
        raise InvalidRequest(f"limit: 1 to {MOST_GROUPS}.", field="limit")
    return number
