"""Traces in SQL: written with the end of their run, read by those who may."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from functools import cached_property
from typing import Any, Final

import sqlalchemy as sa
from msgspec.structs import replace

from domain.conversation.value import FeedbackKind
from domain.shared.access import TenantScope
from domain.shared.ids import UserId
from domain.trace.error import TraceNotFound
from domain.trace.repository import Readers, TracePart
from domain.trace.statistics import StatisticsQuery
from domain.trace.value import (
    Capture,
    DueText,
    Series,
    SortKey,
    TraceBody,
    TraceQuery,
    TraceSummary,
    Verdict,
    Verdicts,
)
from infra.impl.repository.sql.conversation.table import feedbacks, messages
from infra.impl.repository.sql.engine.database import Database, SqlStore
from infra.impl.repository.sql.engine.mapped_write import MappedWrite
from infra.impl.repository.sql.engine.settlement import SETTLED
from infra.impl.repository.sql.engine.unit_of_work import SqlUnitOfWork
from infra.impl.repository.sql.mapping.column import marked_name
from infra.impl.repository.sql.mapping.upsert import upsert
from infra.impl.repository.sql.trace.body import bodies_of
from infra.impl.repository.sql.trace.rule import SqlTraceRuleUnitOfWork
from infra.impl.repository.sql.trace.statistics import statistics
from infra.impl.repository.sql.trace.table import (
    BODIES,
    DUE,
    MOST_IN_ROW_BYTES,
    SUMMARIES,
    SUMMARY_COLUMNS,
    bodies,
    due_texts,
    traces,
)
from infra.impl.repository.sql.trace.upkeep import SqlTraceJanitor, SqlTraceTextQueue

_SORT: Final[dict[SortKey, sa.Column[Any]]] = {
    "time": traces.c.started_at,
    "duration": traces.c.duration_us,
    "cost": traces.c.cost,
}
_VERDICTS: Final[Mapping[Verdict, FeedbackKind]] = {
    "up": FeedbackKind.LIKE,
    "down": FeedbackKind.UNLIKE,
}
_IN_INDEX: Final = {
    whose: whose != sa.literal_column("0") for whose in (traces.c.agent_id, traces.c.workflow_id)
}
"""Which rows the index of a column has; with a parameter in place of 0 it would not be used."""
_TOKENS: Final = traces.c.input_tokens + traces.c.output_tokens
_ADDED: Final = ("duration_us", "steps", "tool_calls", "spans", "cost")
"""What stretches of a run sum up to; tokens are counted by the run itself."""
_JOINED: Final = ("models", "tools", "tags")
_REPLACED: Final = (
    "status",
    "error_code",
    "error",
    "capture",
    "ended_at",
    "input_tokens",
    "output_tokens",
    "cached_tokens",
    "reasoning_tokens",
)


@SETTLED.add(TracePart)
async def put_traces(uow: SqlUnitOfWork, parts: Sequence[TracePart]) -> None:
    """Store traces with the transaction that settles their runs."""
    connection = uow.connection
    await _TRACE.later(connection, parts)
    apart: list[TraceBody] = []
    said: list[DueText] = []
    for part in parts:
        told = part.summary
        if not _is_one_row(part):
            apart.append(part.body)
        if told.capture is Capture.CONTENT and not told.parent_run_id:
            said.append(DueText(run_id=told.run_id, space_id=told.space_id, at=told.ended_at))
    if apart:
        await _BODY.later(connection, apart)
    if said:
        await _DUE.later(connection, said)


def _is_one_row(part: TracePart) -> bool:
    """Tell whether the body stands in the row of its trace."""
    body = part.body
    return part.is_first and not body.object_key and len(body.sealed) <= MOST_IN_ROW_BYTES


def _row(part: TracePart) -> tuple[Any, ...]:
    return (*SUMMARIES.values(part.summary), part.body.sealed if _is_one_row(part) else None)


def _put_trace(dialect: str) -> Any:
    insert = upsert(dialect, traces)
    new = insert.excluded
    changed: dict[str, Any] = {name: new[name] for name in _REPLACED}
    changed |= {name: traces.c[name] + new[name] for name in _ADDED}
    changed |= {
        name: sa.type_coerce(traces.c[name], sa.Text).concat(sa.type_coerce(new[name], sa.Text))
        for name in _JOINED
    }
    # What is said in the text of a statement need not be put among the values of each row.
    is_nameless = traces.c.name == sa.literal_column("''")
    changed["name"] = sa.case((is_nameless, new.name), else_=traces.c.name)
    changed["first_token_ms"] = sa.func.coalesce(traces.c.first_token_ms, new.first_token_ms)
    changed["is_rebuilt"] = sa.or_(traces.c.is_rebuilt, new.is_rebuilt)
    changed["body"] = sa.func.coalesce(traces.c.body, new.body)
    return insert.on_conflict_do_update(index_elements=[traces.c.run_id], set_=changed)


def _put_body(dialect: str) -> Any:
    return upsert(dialect, bodies).on_conflict_do_nothing()


def _put_due(dialect: str) -> Any:
    insert = upsert(dialect, due_texts)
    return insert.on_conflict_do_update(
        index_elements=[due_texts.c.run_id], set_={"at": insert.excluded.at}
    )


_TRACE: Final = MappedWrite((*SUMMARIES.columns, traces.c.body.name), _row, _put_trace)
_BODY: Final = MappedWrite(BODIES.columns, BODIES.values, _put_body)
_DUE: Final = MappedWrite(DUE.columns, DUE.values, _put_due)


class SqlTraceRepository:
    """Implements ``TraceRepository``."""

    def __init__(self, uow: SqlUnitOfWork) -> None:
        self._connection = uow.connection

    async def page(
        self, scope: TenantScope, query: TraceQuery, *, readers: Readers
    ) -> Sequence[TraceSummary]:
        key = _SORT[query.sort]
        wanted = [_readable(scope, readers), traces.c.parent_run_id == 0, *_filters(query)]
        if query.after is not None:
            place = sa.tuple_(_plain(key), traces.c.run_id)
            value, run_id = query.after
            last = sa.tuple_(sa.literal(value, sa.BigInteger), sa.literal(run_id, sa.BigInteger))
            wanted.append(place > last if query.is_ascending else place < last)
        order = [key, traces.c.run_id]
        statement = (
            sa.select(*SUMMARY_COLUMNS)
            .where(*wanted)
            .order_by(*(order if query.is_ascending else [each.desc() for each in order]))
            .limit(query.limit)
        )
        return await SUMMARIES.all(self._connection, statement)

    async def get(self, scope: TenantScope, run_id: int, *, readers: Readers) -> TraceSummary:
        found = await self.parts(scope, [run_id], readers=readers)
        if not found:
            raise TraceNotFound(f"No trace of a run {run_id}.", run_id=run_id)
        return found[0]

    async def parts(
        self, scope: TenantScope, run_ids: Collection[int], *, readers: Readers
    ) -> Sequence[TraceSummary]:
        if not run_ids:
            return ()
        statement = sa.select(*SUMMARY_COLUMNS).where(
            traces.c.run_id.in_(run_ids), _readable(scope, readers)
        )
        return await SUMMARIES.all(self._connection, statement)

    async def children(
        self, scope: TenantScope, run_ids: Collection[int]
    ) -> Sequence[TraceSummary]:
        statement = sa.select(*SUMMARY_COLUMNS).where(
            traces.c.parent_run_id.in_(run_ids),
            sa.text("parent_run_id <> 0"),
            traces.c.space_id.in_(scope.space_ids),
        )
        return await SUMMARIES.all(self._connection, statement)

    async def bodies(self, scope: TenantScope, run_ids: Collection[int]) -> Sequence[TraceBody]:
        return await bodies_of(self._connection, run_ids, within=scope.space_ids)

    async def unindexed(self, scope: TenantScope, *, limit: int) -> frozenset[int]:
        statement = (
            sa.select(due_texts.c.run_id)
            .where(due_texts.c.space_id.in_(scope.space_ids))
            .order_by(due_texts.c.run_id.desc())
            .limit(limit)
        )
        return frozenset(await self._connection.scalars(statement))

    async def verdicts(
        self, scope: TenantScope, run_ids: Collection[int]
    ) -> Mapping[int, Verdicts]:
        if not run_ids:
            return {}
        statement = (
            sa.select(
                messages.c.run_id,
                *(
                    sa.func.count().filter(feedbacks.c.kind == kind).label(verdict)
                    for verdict, kind in _VERDICTS.items()
                ),
            )
            .join(feedbacks, feedbacks.c.message_id == messages.c.id)
            .join(traces, traces.c.run_id == messages.c.run_id)
            .where(messages.c.run_id.in_(run_ids), traces.c.space_id.in_(scope.space_ids))
            .group_by(messages.c.run_id)
        )
        found = await self._connection.execute(statement)
        return {row.run_id: Verdicts(up=row.up, down=row.down) for row in found}

    async def stretches(self, scope: TenantScope, run_id: int) -> int:
        return len(await bodies_of(self._connection, [run_id], within=scope.space_ids))

    async def statistics(
        self, scope: TenantScope, query: StatisticsQuery, *, readers: Readers
    ) -> list[Series]:
        wanted = [
            _readable(scope, readers),
            traces.c.parent_run_id == 0,
            *_filters(replace(query.runs, since=None, until=None)),
        ]
        return await statistics(self._connection, query, wanted)

    async def pin(
        self, scope: TenantScope, run_id: int, *, at: datetime | None, by: UserId | None
    ) -> None:
        await self._connection.execute(
            sa.update(traces)
            .where(traces.c.run_id == run_id, traces.c.space_id.in_(scope.space_ids))
            .values(pinned_at=at, pinned_by=by)
        )


def _plain(column: sa.Column[Any]) -> sa.ColumnElement[Any]:
    return sa.type_coerce(column, sa.BigInteger)


def _readable(scope: TenantScope, readers: Readers) -> sa.ColumnElement[bool]:
    own = (
        traces.c.space_id.in_(readers.own_space_ids)
        & (traces.c.creator_id == readers.user_id)
        & (traces.c.version == "")
    )
    wanted: list[sa.ColumnElement[bool]] = [
        traces.c.space_id.in_(scope.space_ids),
        traces.c.space_id.in_(readers.space_ids) | own,
    ]
    if readers.agent_ids is not None:
        wanted.append(traces.c.agent_id.in_(readers.agent_ids))
    return sa.and_(*wanted)


def _filters(query: TraceQuery) -> list[sa.ColumnElement[bool]]:
    columns = traces.c
    equal = {
        columns.agent_id: query.agent_id,
        columns.workflow_id: query.workflow_id,
        columns.version: query.version,
        columns.kind: query.kind,
        columns.status: query.status,
        columns.error_code: query.error_code,
        columns.source: query.source,
        columns.connector_id: query.connector_id,
        columns.end_user_id: query.end_user_id,
        columns.conversation_id: query.conversation_id,
    }
    wanted = [column == value for column, value in equal.items() if value is not None]
    wanted += [words for column, words in _IN_INDEX.items() if equal[column]]
    ranges: tuple[tuple[sa.ColumnElement[Any], Any, Any], ...] = (
        (columns.duration_us, query.min_duration_us, query.max_duration_us),
        (columns.cost, query.min_cost, query.max_cost),
        (_TOKENS, query.min_tokens, query.max_tokens),
    )
    for column, least, most in ranges:
        if least is not None:
            wanted.append(column >= least)
        if most is not None:
            wanted.append(column <= most)
    if query.since is not None:
        wanted.append(columns.started_at >= query.since)
    if query.until is not None:
        wanted.append(columns.started_at < query.until)
    named = (columns.tools, query.tool), (columns.models, query.model), (columns.tags, query.tag)
    for names, name in named:
        if name is not None:
            text = sa.type_coerce(names, sa.Text)
            # Not LIKE, which ignores case on SQLite and heeds it on PostgreSQL.
            wanted.append(sa.func.replace(text, marked_name(name), "") != text)
    if query.pinned is not None:
        is_pinned = columns.pinned_at.is_not(None)
        wanted.append(is_pinned if query.pinned else ~is_pinned)
    if query.run_ids is not None:
        wanted.append(columns.run_id.in_(query.run_ids))
    if query.keeps_content:
        wanted.append(columns.capture == Capture.CONTENT)
    if query.feedback is not None:
        rated = (
            sa.select(messages.c.run_id)
            .join(feedbacks, feedbacks.c.message_id == messages.c.id)
            .where(feedbacks.c.kind == _VERDICTS[query.feedback], messages.c.run_id.is_not(None))
        )
        wanted.append(columns.run_id.in_(rated))
    return wanted


class SqlTraceUnitOfWork(SqlTraceRuleUnitOfWork):
    """Implements ``TraceUnitOfWork``."""

    @cached_property
    def traces(self) -> SqlTraceRepository:
        return SqlTraceRepository(self)

    @cached_property
    def janitor(self) -> SqlTraceJanitor:
        return SqlTraceJanitor(self)

    @cached_property
    def texts(self) -> SqlTraceTextQueue:
        return SqlTraceTextQueue(self)


class SqlTraceStore(SqlStore[SqlTraceUnitOfWork]):
    """Opens transactions on traces."""

    def __init__(self, database: Database) -> None:
        super().__init__(database, SqlTraceUnitOfWork)
