"""Statistics of traces in SQL: one pass with window functions, which both databases have."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from domain.trace.statistics import STEPS, StatisticsQuery
from domain.trace.value import Figures, GroupKey, Point, Series
from infra.impl.repository.sql.mapping.column import marked_name
from infra.impl.repository.sql.trace.table import traces

_EPOCH: Final = datetime.fromtimestamp(0, UTC)
_US: Final = timedelta(microseconds=1)
_NAMES: Final = 200
"""Models, tools or tags that are looked at; the rest have fewer runs than a chart shows."""
_LISTS: Final = 1000
"""Distinct sets of models, tools or tags that they are taken from."""

_GROUPS: Final[dict[GroupKey, sa.ColumnElement[Any]]] = {
    "none": sa.literal("", sa.Text),
    "agent": sa.cast(traces.c.agent_id, sa.Text),
    "workflow": sa.cast(traces.c.workflow_id, sa.Text),
    "version": traces.c.version,
    "status": traces.c.status,
}
_LISTED: Final[dict[GroupKey, sa.Column[Any]]] = {
    "model": traces.c.models,
    "tool": traces.c.tools,
    "tag": traces.c.tags,
}
_EXISTS: Final[dict[GroupKey, sa.ColumnElement[bool]]] = {
    "agent": traces.c.agent_id != 0,
    "workflow": traces.c.workflow_id != 0,
}


async def statistics(
    connection: AsyncConnection, query: StatisticsQuery, wanted: Sequence[sa.ColumnElement[bool]]
) -> list[Series]:
    """Return the groups with most runs, each with its points."""
    wanted = [
        *wanted,
        traces.c.started_at >= query.since,
        traces.c.started_at < query.until,
    ]
    if query.group_by in _EXISTS:
        wanted.append(_EXISTS[query.group_by])
    source: sa.FromClause = traces
    group = _GROUPS.get(query.group_by)
    if group is None:
        names = await _names(connection, _LISTED[query.group_by], wanted)
        if not names:
            return []
        is_sqlite = connection.dialect.name == "sqlite"
        source, group = _joined(_LISTED[query.group_by], names, is_sqlite=is_sqlite)
    totals = await _figures(
        connection, source, group, wanted, bucket=sa.literal(0, sa.BigInteger), query=query
    )
    keys = [key for key, _, _ in sorted(totals, key=lambda row: (-row[2].runs, row[0]))]
    kept = keys[: query.limit]
    points: dict[str, list[Point]] = {key: [] for key in kept}
    if query.interval and kept:
        step = STEPS[query.interval] // _US
        bucket = sa.type_coerce(traces.c.started_at, sa.BigInteger) // step
        rows = await _figures(
            connection, source, group, [*wanted, group.in_(kept)], bucket=bucket, query=query
        )
        for key, number, figures in sorted(rows, key=lambda row: row[1]):
            at = _EPOCH + number * STEPS[query.interval]
            points[key].append(Point(at=at, figures=figures))
    by_key = {key: figures for key, _, figures in totals}
    return [Series(key=key, total=by_key[key], points=tuple(points[key])) for key in kept]


async def _names(
    connection: AsyncConnection, column: sa.Column[Any], wanted: Sequence[sa.ColumnElement[bool]]
) -> list[str]:
    """Return the models, tools or tags that occur, those of the most runs first."""
    statement = (
        sa.select(column, sa.func.count().label("runs"))
        .where(*wanted)
        .group_by(column)
        .order_by(sa.desc("runs"))
        .limit(_LISTS)
    )
    runs: dict[str, int] = {}
    for names, count in await connection.execute(statement):
        for name in set(names):
            runs[name] = runs.get(name, 0) + count
    return sorted(runs, key=lambda name: (-runs[name], name))[:_NAMES]


def _joined(
    column: sa.Column[Any], names: Sequence[str], *, is_sqlite: bool
) -> tuple[sa.FromClause, sa.ColumnElement[Any]]:
    """Join each run with each of its names."""
    listed = sa.union_all(
        *(
            sa.select(
                sa.literal(name, sa.Text).label("name"),
                sa.literal(marked_name(name), sa.Text).label("mark"),
            )
            for name in names
        )
    ).subquery("listed")
    # Not by LIKE: on SQLite that would take names for one that differ in case.
    place = sa.func.instr if is_sqlite else sa.func.strpos
    has = place(sa.type_coerce(column, sa.Text), listed.c.mark) > 0
    return traces.join(listed, has), listed.c.name


async def _figures(
    connection: AsyncConnection,
    source: sa.FromClause,
    group: sa.ColumnElement[Any],
    wanted: Sequence[sa.ColumnElement[bool]],
    *,
    bucket: sa.ColumnElement[Any],
    query: StatisticsQuery,
) -> list[tuple[str, int, Figures]]:
    columns = traces.c
    inner = (
        sa.select(
            group.label("key"),
            bucket.label("bucket"),
            sa.case((columns.status == "failed", 1), else_=0).label("is_error"),
            columns.duration_us,
            columns.first_token_ms,
            columns.input_tokens,
            columns.output_tokens,
            columns.cost,
        )
        .select_from(source)
        .where(*wanted)
        .subquery("runs")
    )
    here = (inner.c.key, inner.c.bucket)
    first = inner.c.first_token_ms
    ranked = sa.select(
        inner,
        sa.func.row_number().over(partition_by=here, order_by=inner.c.duration_us).label("rank"),
        sa.func.count().over(partition_by=here).label("runs"),
        sa.func.row_number()
        .over(partition_by=here, order_by=(sa.case((first.is_(None), 1), else_=0), first))
        .label("first_rank"),
        sa.func.count(first).over(partition_by=here).label("firsts"),
    ).subquery("ranked")
    row = ranked.c
    statement = sa.select(
        row.key,
        row.bucket,
        sa.func.max(row.runs),
        sa.func.sum(row.is_error),
        _at(row.duration_us, row.rank, row.runs, 50),
        _at(row.duration_us, row.rank, row.runs, 95),
        _at(row.first_token_ms, row.first_rank, row.firsts, 50),
        _at(row.first_token_ms, row.first_rank, row.firsts, 95),
        sa.func.sum(row.input_tokens),
        sa.func.sum(row.output_tokens),
        sa.func.sum(row.cost),
    ).group_by(row.key, row.bucket)
    return [
        (
            key,
            int(number),
            Figures(
                runs=int(runs),
                errors=int(errors),
                duration_p50_us=int(half),
                duration_p95_us=int(most),
                first_token_p50_ms=first_half,
                first_token_p95_ms=first_most,
                input_tokens=int(given),
                output_tokens=int(made),
                cost=int(cost),
            ),
        )
        for (
            key,
            number,
            runs,
            errors,
            half,
            most,
            first_half,
            first_most,
            given,
            made,
            cost,
        ) in await connection.execute(statement)
    ]


def _at(
    value: sa.ColumnElement[Any],
    rank: sa.ColumnElement[Any],
    count: sa.ColumnElement[Any],
    percent: int,
) -> sa.ColumnElement[Any]:
    """Return the value of nearest rank: the least that so many percent do not exceed."""
    return sa.func.max(sa.case((rank == (count * percent + 99) // 100, value)))
