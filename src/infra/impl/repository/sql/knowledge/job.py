"""Ingest jobs in SQL."""

from collections.abc import Collection, Sequence
from datetime import datetime
from functools import cache
from typing import Any, Final

import sqlalchemy as sa

from domain.knowledge.error import DocumentNotFound
from domain.knowledge.job import LIVE, IngestJob, JobState
from domain.knowledge.repository import JobQuota
from domain.knowledge.value import DatasetId, DocumentId
from domain.shared.access import TenantScope
from domain.shared.ids import RunId, SpaceId
from infra.impl.repository.sql.engine.unit_of_work import SqlUnitOfWork
from infra.impl.repository.sql.fastpath.prepared import Prepared
from infra.impl.repository.sql.knowledge.table import JOBS, documents, jobs
from infra.impl.repository.sql.knowledge.work import SqlWorkQueue, waits
from infra.impl.repository.sql.mapping.column import Instant
from infra.impl.repository.sql.mapping.lease import Lease
from infra.impl.repository.sql.mapping.tenant_rows import TenantRows
from infra.impl.repository.sql.model.call import SqlModelCallLedger

_LEASE: Final = Lease(jobs)


class SqlJobRepository:
    """Jobs as the owners of documents see them."""

    def __init__(self, uow: SqlUnitOfWork) -> None:
        self._uow = uow
        self._rows = TenantRows(uow, JOBS, missing=_not_found)

    async def add(self, scope: TenantScope, job: IngestJob) -> None:
        await self._rows.save(scope, job)

    async def latest(
        self, scope: TenantScope, document_ids: Sequence[DocumentId]
    ) -> dict[DocumentId, IngestJob]:
        found = await self._rows.all(
            scope, jobs.c.document_id.in_(document_ids), order=[jobs.c.generation]
        )
        return {job.document_id: job for job in found}

    async def waiting(self, scope: TenantScope) -> int:
        return await self._rows.count(scope, jobs.c.state.in_(LIVE))

    async def supersede(self, scope: TenantScope, document_ids: Sequence[DocumentId]) -> None:
        await self._end(scope, jobs.c.document_id.in_(document_ids))

    async def supersede_all(self, scope: TenantScope, dataset_id: DatasetId) -> None:
        await self._end(scope, jobs.c.dataset_id == dataset_id)

    async def _end(self, scope: TenantScope, which: sa.ColumnElement[bool]) -> None:
        await self._uow.connection.execute(
            sa.update(jobs)
            .where(which, jobs.c.space_id.in_(scope.space_ids), jobs.c.state.in_(LIVE))
            .values(
                state=JobState.SUPERSEDED,
                **_LEASE.released(),
                revision=jobs.c.revision + 1,
            )
        )


class SqlJobQueue(SqlWorkQueue[IngestJob]):
    """Jobs of all spaces, for the workers."""

    def __init__(self, uow: SqlUnitOfWork) -> None:
        super().__init__(uow, JOBS, lambda _: jobs.c.state.in_(LIVE))

    async def page(
        self,
        space_ids: Collection[SpaceId] | None,
        *,
        states: Collection[JobState],
        limit: int,
        offset: int,
    ) -> tuple[list[IngestJob], int]:
        wanted = [jobs.c.state.in_(states)]
        if space_ids is not None:
            wanted.append(jobs.c.space_id.in_(space_ids))
        is_open = jobs.c.state.in_(LIVE)
        query = (
            sa.select(jobs)
            .where(*wanted)
            .order_by(
                sa.case((jobs.c.state == JobState.RUNNING, 0), (is_open, 1), else_=2),
                sa.case((is_open, jobs.c.id), else_=-jobs.c.id),
            )
            .limit(limit)
            .offset(offset)
        )
        counted = sa.select(sa.func.count()).select_from(jobs).where(*wanted)
        total = await self._uow.connection.scalar(counted)
        return await self._mapper.all(self._uow.connection, query), total or 0

    async def names(self, document_ids: Collection[DocumentId]) -> dict[DocumentId, str]:
        query = sa.select(documents.c.id, documents.c.name).where(documents.c.id.in_(document_ids))
        rows = await self._uow.connection.execute(query)
        return {DocumentId(row[0]): row[1] for row in rows}

    async def charge(self, job: IngestJob) -> None:
        """Store the calls that a job holds."""
        if not job.calls:
            return
        ledger, run_id = SqlModelCallLedger(self._uow), RunId(job.id)
        last = await ledger.last_number(job.space_id, run_id)
        await ledger.append(job.space_id, run_id, last + 1, job.calls, job.account)

    async def shared(self, *, now: datetime, quota: JobQuota, limit: int) -> list[IngestJob]:
        values = {
            "now": now,
            "per_dataset": quota.per_dataset,
            "per_space": quota.per_space,
            "most": limit,
        }
        found = await _shared().rows(self._uow.connection, values)
        return [JOBS.read(row) for row in found]

    async def next_due_at(self) -> datetime | None:
        moment = sa.case(
            (jobs.c.state == JobState.WAITING, jobs.c.next_run_at), else_=jobs.c.lease_until
        )
        query = sa.select(sa.func.min(moment, type_=jobs.c.next_run_at.type)).where(
            jobs.c.state.in_(LIVE)
        )
        found: datetime | None = await self._uow.connection.scalar(query)
        return found

    async def prune(self, space_id: SpaceId, *, done: int, failed: int) -> None:
        for states, kept in (
            ((JobState.DONE, JobState.SUPERSEDED), done),
            ((JobState.FAILED,), failed),
        ):
            of_kind = (jobs.c.space_id == space_id) & jobs.c.state.in_(states)
            newest = sa.select(jobs.c.id).where(of_kind).order_by(jobs.c.id.desc()).limit(kept)
            await self._uow.connection.execute(
                sa.delete(jobs).where(of_kind, jobs.c.id.not_in(newest))
            )


@cache
def _shared() -> Prepared:
    """Take what is due, in turn of workspaces, and not of those that have their share.

    Who has how much is counted once and joined: a subquery for each row would make a claim cost
    the square of what waits.
    """
    now: Any = sa.bindparam("now", type_=Instant())
    is_live = jobs.c.state.in_(LIVE)
    held = sa.select(jobs.c.space_id, jobs.c.dataset_id, sa.func.count().label("count")).where(
        is_live & _LEASE.is_held(now)
    )
    by_dataset = held.group_by(jobs.c.space_id, jobs.c.dataset_id).subquery("by_dataset")
    by_space = (
        sa.select(by_dataset.c.space_id, sa.func.sum(by_dataset.c.count).label("count"))
        .group_by(by_dataset.c.space_id)
        .subquery("by_space")
    )
    in_space = sa.func.coalesce(by_space.c.count, 0)
    turn = sa.func.row_number().over(
        partition_by=jobs.c.space_id, order_by=(jobs.c.next_run_at, jobs.c.id)
    )
    due = (
        sa.select(jobs.c.id, in_space.label("in_space"), turn.label("turn"))
        .outerjoin(by_dataset, by_dataset.c.dataset_id == jobs.c.dataset_id)
        .outerjoin(by_space, by_space.c.space_id == jobs.c.space_id)
        .where(
            is_live,
            waits(jobs, now),
            sa.func.coalesce(by_dataset.c.count, 0) < sa.bindparam("per_dataset", type_=sa.Integer),
            in_space < sa.bindparam("per_space", type_=sa.Integer),
        )
        .subquery("due")
    )
    query = (
        sa.select(jobs)
        .join(due, due.c.id == jobs.c.id)
        .order_by(due.c.in_space + due.c.turn, jobs.c.next_run_at, jobs.c.id)
        .limit(sa.bindparam("most", type_=sa.Integer))
    )
    return Prepared(query)


def _not_found(_: int) -> DocumentNotFound:
    return DocumentNotFound("No such document.")
