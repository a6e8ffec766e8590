"""Upkeep of traces in SQL, of all spaces: what has had its time, and what was said in them."""

from collections.abc import Collection, Sequence
from datetime import datetime

import sqlalchemy as sa

from domain.shared.id_generator import first_id_at
from domain.shared.ids import SpaceId
from domain.trace.value import Capture, DueText, TraceBody, TraceSummary
from infra.impl.repository.sql.engine.unit_of_work import SqlUnitOfWork
from infra.impl.repository.sql.trace.body import bodies_after, bodies_of, replace, rewrite
from infra.impl.repository.sql.trace.table import (
    DUE,
    SUMMARIES,
    SUMMARY_COLUMNS,
    bodies,
    due_texts,
    traces,
)


class SqlTraceJanitor:
    """Implements ``TraceJanitor``."""

    def __init__(self, uow: SqlUnitOfWork) -> None:
        self._connection = uow.connection

    async def expired(
        self,
        *,
        before: datetime,
        content_only: bool,
        limit: int,
        within: SpaceId | None = None,
        but: Collection[SpaceId] = (),
    ) -> Sequence[TraceSummary]:
        # A run has its id before it begins, so that the key finds them: an index by the time of
        # their start would be written with each run.
        wanted = [
            traces.c.run_id < first_id_at(before),
            traces.c.started_at < before,
            traces.c.pinned_at.is_(None),
        ]
        if within is not None:
            wanted.append(traces.c.space_id == within)
        if but:
            wanted.append(traces.c.space_id.not_in(but))
        if content_only:
            wanted.append(traces.c.capture == Capture.CONTENT)
        statement = (
            sa.select(*SUMMARY_COLUMNS).where(*wanted).order_by(traces.c.run_id).limit(limit)
        )
        return await SUMMARIES.all(self._connection, statement)

    async def bodies(self, run_ids: Collection[int]) -> Sequence[TraceBody]:
        return await bodies_of(self._connection, run_ids)

    async def bodies_after(self, place: tuple[int, datetime], *, limit: int) -> Sequence[TraceBody]:
        return await bodies_after(self._connection, place, limit=limit)

    async def replace_body(self, former: TraceBody, body: TraceBody) -> bool:
        return await replace(self._connection, former, body)

    async def rewrite(self, summary: TraceSummary, bodies: Sequence[TraceBody]) -> None:
        run_id = summary.run_id
        await self._connection.execute(
            sa.update(traces).where(traces.c.run_id == run_id).values(capture=summary.capture)
        )
        for body in bodies:
            await rewrite(self._connection, body)

    async def remove(self, run_ids: Collection[int]) -> None:
        for table in (bodies, traces):
            await self._connection.execute(sa.delete(table).where(table.c.run_id.in_(run_ids)))

    async def known_objects(self, keys: Collection[str]) -> frozenset[str]:
        found = await self._connection.scalars(
            sa.select(bodies.c.object_key).where(bodies.c.object_key.in_(keys))
        )
        return frozenset(found)


class SqlTraceTextQueue:
    """Implements ``TraceTextQueue``."""

    def __init__(self, uow: SqlUnitOfWork) -> None:
        self._connection = uow.connection

    async def due(self, *, limit: int) -> Sequence[DueText]:
        statement = sa.select(due_texts).order_by(due_texts.c.run_id).limit(limit)
        return await DUE.all(self._connection, statement)

    async def bodies(self, run_ids: Collection[int]) -> Sequence[TraceBody]:
        return await bodies_of(self._connection, await self.kept(run_ids))

    async def done(self, texts: Collection[DueText]) -> None:
        same = sa.delete(due_texts).where(
            due_texts.c.run_id == sa.bindparam("of_run"), due_texts.c.at == sa.bindparam("since")
        )
        ended = [{"of_run": each.run_id, "since": each.at} for each in texts]
        await self._connection.execute(same, ended)

    async def everything(self) -> None:
        told = sa.select(traces.c.run_id, traces.c.space_id, traces.c.ended_at).where(
            traces.c.capture == Capture.CONTENT,
            traces.c.parent_run_id == 0,
            traces.c.run_id.not_in(sa.select(due_texts.c.run_id)),
        )
        await self._connection.execute(
            sa.insert(due_texts).from_select(["run_id", "space_id", "at"], told)
        )

    async def kept(self, run_ids: Collection[int]) -> frozenset[int]:
        found = await self._connection.scalars(
            sa.select(traces.c.run_id).where(
                traces.c.run_id.in_(run_ids), traces.c.capture == Capture.CONTENT
            )
        )
        return frozenset(found)
