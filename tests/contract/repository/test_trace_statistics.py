"""Pages and statistics of traces on both databases: what a plain pass over the runs gives."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from itertools import product
from random import Random
from typing import Final

import pytest
from msgspec.structs import replace

from domain.shared.access import TenantScope
from domain.shared.ids import SpaceId, UserId
from domain.trace.repository import Readers, TracePart
from domain.trace.statistics import STEPS, StatisticsQuery
from domain.trace.value import (
    Capture,
    Figures,
    GroupKey,
    Interval,
    SortKey,
    TraceBody,
    TraceQuery,
    TraceSummary,
)
from infra.impl.repository.sql.engine.database import Database
from infra.impl.repository.sql.trace.repository import SqlTraceStore

BEGIN: Final = datetime(2026, 11, 20, tzinfo=UTC)
HOURS: Final = 50
RUNS: Final = 400
SPACES: Final = (SpaceId(1), SpaceId(2))
READERS: Final = Readers(
    space_ids=frozenset({SPACES[0]}), own_space_ids=frozenset(), user_id=UserId(9)
)
SCOPE: Final = TenantScope(UserId(9), frozenset({SPACES[0]}))
NAMES: Final = ("gpt-4", "GPT-4", "a_b", "aXb", "50%", "a/b")


def made() -> list[TraceSummary]:
    """Invent runs: of two workspaces, some of them parts of others."""
    draw = Random(7)  # noqa: S311 - no secret
    found = []
    for number in range(1, RUNS + 1):
        started = BEGIN + timedelta(seconds=draw.randrange(HOURS * 3600))
        found.append(
            TraceSummary(
                run_id=number,
                space_id=draw.choice([SPACES[0], SPACES[0], SPACES[0], SPACES[1]]),
                kind="chat",
                parent_run_id=1 if draw.random() < 0.1 else 0,
                agent_id=draw.choice([0, 11, 12]),
                workflow_id=draw.choice([0, 21]),
                version=draw.choice(["", "1", "2"]),
                source="api",
                creator_id=UserId(9),
                capture=Capture.METADATA,
                status=draw.choice(["completed", "failed", "cancelled", "interrupted"]),
                started_at=started,
                ended_at=started + timedelta(seconds=1),
                duration_us=draw.randrange(10**7),
                first_token_ms=draw.choice([None, draw.randrange(5000)]),
                input_tokens=draw.randrange(5000),
                output_tokens=draw.randrange(500),
                cost=draw.randrange(10**12),
                models=tuple(draw.sample(NAMES, draw.randrange(3))),
                tools=tuple(draw.sample(NAMES, draw.randrange(4))),
                tags=tuple(draw.sample(NAMES, draw.randrange(3))),
            )
        )
    return found


KEYS: Final[dict[GroupKey, Callable[[TraceSummary], Sequence[str]]]] = {
    "none": lambda run: [""],
    "agent": lambda run: [str(run.agent_id)] if run.agent_id else [],
    "workflow": lambda run: [str(run.workflow_id)] if run.workflow_id else [],
    "version": lambda run: [run.version],
    "model": lambda run: run.models,
    "tool": lambda run: run.tools,
    "tag": lambda run: run.tags,
    "status": lambda run: [run.status],
}


def rank(values: Sequence[int], percent: int) -> int | None:
    """Return the nearest rank by its definition: the least that so many do not exceed."""
    return next(
        (v for v in sorted(values) if sum(w <= v for w in values) * 100 >= percent * len(values)),
        None,
    )


def figures(runs: Sequence[TraceSummary]) -> Figures:
    times = [run.duration_us for run in runs]
    firsts = [run.first_token_ms for run in runs if run.first_token_ms is not None]
    return Figures(
        runs=len(runs),
        errors=sum(run.status == "failed" for run in runs),
        duration_p50_us=rank(times, 50) or 0,
        duration_p95_us=rank(times, 95) or 0,
        first_token_p50_ms=rank(firsts, 50),
        first_token_p95_ms=rank(firsts, 95),
        input_tokens=sum(run.input_tokens for run in runs),
        output_tokens=sum(run.output_tokens for run in runs),
        cost=sum(run.cost for run in runs),
    )


def expected(
    query: StatisticsQuery, runs: Sequence[TraceSummary]
) -> list[tuple[str, Figures, list[tuple[datetime, Figures]]]]:
    groups: dict[str, list[TraceSummary]] = {}
    for run in runs:
        is_asked = query.runs.status in {None, run.status}
        is_there = run.space_id == SPACES[0] and not run.parent_run_id
        if is_asked and is_there and query.since <= run.started_at < query.until:
            for key in KEYS[query.group_by](run):
                groups.setdefault(key, []).append(run)
    most = sorted(groups, key=lambda key: (-len(groups[key]), key))[: query.limit]
    found = []
    for key in most:
        points: dict[datetime, list[TraceSummary]] = {}
        if query.interval:
            step, epoch = STEPS[query.interval], datetime.fromtimestamp(0, UTC)
            for run in groups[key]:
                at = epoch + (run.started_at - epoch) // step * step
                points.setdefault(at, []).append(run)
        series = [(at, figures(points[at])) for at in sorted(points)]
        found.append((key, figures(groups[key]), series))
    return found


@pytest.fixture
async def store(database: Database) -> SqlTraceStore:
    store = SqlTraceStore(database)
    async with store.transaction() as uow:
        for run in made():
            body = TraceBody(run_id=run.run_id, space_id=run.space_id, began_at=run.started_at)
            await uow.settle([TracePart(summary=run, body=body, is_first=True)])
        await uow.commit()
    return store


async def test_figures_are_those_of_the_runs(store: SqlTraceStore) -> None:
    runs = made()
    intervals: tuple[Interval | None, ...] = (None, "hour", "day")
    for group, interval, limit in product(KEYS, intervals, (3, 50)):
        for status in (None, "failed"):
            query = StatisticsQuery(
                runs=TraceQuery(status=status),
                since=BEGIN + timedelta(hours=5, seconds=7),
                until=BEGIN + timedelta(hours=45),
                group_by=group,
                interval=interval,
                limit=limit,
            )
            async with store.snapshot() as uow:
                found = await uow.traces.statistics(SCOPE, query, readers=READERS)
            told = [(s.key, s.total, [(p.at, p.figures) for p in s.points]) for s in found]
            assert told == expected(query, runs), (group, interval, limit, status)


async def test_no_runs_have_no_figures(store: SqlTraceStore) -> None:
    for group in KEYS:
        query = StatisticsQuery(
            runs=TraceQuery(agent_id=404),
            since=BEGIN,
            until=BEGIN + timedelta(days=1),
            group_by=group,
            interval="hour",
        )
        async with store.snapshot() as uow:
            assert await uow.traces.statistics(SCOPE, query, readers=READERS) == []


MIDDLE: Final = BEGIN + timedelta(hours=HOURS // 2)
FILTERS: Final[Sequence[tuple[TraceQuery, Callable[[TraceSummary], bool]]]] = (
    (TraceQuery(), lambda run: True),
    (TraceQuery(agent_id=11, version="1"), lambda run: (run.agent_id, run.version) == (11, "1")),
    (TraceQuery(workflow_id=21), lambda run: run.workflow_id == 21),
    (TraceQuery(status="failed"), lambda run: run.status == "failed"),
    (TraceQuery(tool="a_b"), lambda run: "a_b" in run.tools),
    (TraceQuery(model="GPT-4"), lambda run: "GPT-4" in run.models),
    (
        TraceQuery(min_duration_us=10**6, max_duration_us=5 * 10**6),
        lambda run: 10**6 <= run.duration_us <= 5 * 10**6,
    ),
    (TraceQuery(min_cost=10**11), lambda run: run.cost >= 10**11),
    (TraceQuery(max_tokens=2000), lambda run: run.input_tokens + run.output_tokens <= 2000),
    (TraceQuery(since=MIDDLE), lambda run: run.started_at >= MIDDLE),
    (TraceQuery(until=MIDDLE), lambda run: run.started_at < MIDDLE),
    (TraceQuery(pinned=True), lambda run: False),
)
SORTS: Final[dict[SortKey, Callable[[TraceSummary], int]]] = {
    "time": lambda run: (
        (run.started_at - datetime.fromtimestamp(0, UTC)) // timedelta(microseconds=1)
    ),
    "duration": lambda run: run.duration_us,
    "cost": lambda run: run.cost,
}


async def test_pages_have_each_run_that_fits_once_and_in_order(store: SqlTraceStore) -> None:
    mine = [run for run in made() if run.space_id == SPACES[0] and not run.parent_run_id]
    for (query, fits), (sort, key), ascending in product(FILTERS, SORTS.items(), (False, True)):
        found: list[int] = []
        after: tuple[int, int] | None = None
        async with store.snapshot() as uow:
            while True:
                asked = replace(query, sort=sort, is_ascending=ascending, after=after, limit=90)
                page = await uow.traces.page(SCOPE, asked, readers=READERS)
                found += [run.run_id for run in page]
                if len(page) < asked.limit:
                    break
                after = key(page[-1]), page[-1].run_id
        right = sorted((key(run), run.run_id) for run in mine if fits(run))
        assert found == [run_id for _, run_id in (right if ascending else reversed(right))], query
