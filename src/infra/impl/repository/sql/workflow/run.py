"""Runs of workflows in SQL, as their owners see them."""

from collections.abc import Sequence
from datetime import datetime
from functools import cached_property

import sqlalchemy as sa

from domain.shared.access import TenantScope
from domain.shared.error import StaleRevision
from domain.shared.ids import RunId, SpaceId
from domain.workflow.canvas.text import Canvas, Dialect
from domain.workflow.run.repository import (
    LogBatch,
    RunQuery,
    Snapshot,
    StoredState,
)
from domain.workflow.run.workflow_run import (
    WorkflowRun,
    WorkflowRunNotFound,
)
from infra.impl.repository.sql.engine.database import Database, SqlStore, SqlUnitOfWork
from infra.impl.repository.sql.mapping.tenant_rows import TenantRows
from infra.impl.repository.sql.mapping.upsert import upsert
from infra.impl.repository.sql.model.call import model_call
from infra.impl.repository.sql.request_key import stored_key
from infra.impl.repository.sql.workflow.run_queue import SqlWorkflowRunQueue
from infra.impl.repository.sql.workflow.run_table import (
    LOG,
    STATES,
    WORKFLOW_RUNS,
    run_canvases,
    run_log,
    run_requests,
    run_states,
    workflow_runs,
)


class SqlWorkflowRunRepository:
    """Runs of the spaces of a scope."""

    def __init__(self, uow: SqlUnitOfWork) -> None:
        self._uow = uow
        self._connection = uow.connection
        self._rows = TenantRows(uow, WORKFLOW_RUNS, missing=_not_found, visible=_seen)

    async def get(self, scope: TenantScope, run_id: RunId) -> WorkflowRun:
        return await self._rows.get(scope, run_id)

    async def find_request(self, scope: TenantScope, key: str) -> tuple[WorkflowRun, str] | None:
        query = (
            sa.select(workflow_runs, run_requests.c.digest)
            .join(run_requests, run_requests.c.run_id == workflow_runs.c.id)
            .where(
                run_requests.c.creator_id == scope.principal_id,
                run_requests.c.key == stored_key(scope, key),
                _seen(scope),
            )
        )
        row = (await self._connection.execute(query)).one_or_none()
        return None if row is None else (WORKFLOW_RUNS.read(row), row.digest)

    async def save(self, scope: TenantScope, run: WorkflowRun) -> None:
        await self._rows.save(scope, run)

    async def remember_request(
        self, scope: TenantScope, run: WorkflowRun, key: str, digest: str
    ) -> None:
        _check(scope, run.space_id, run.id)
        try:
            await self._connection.execute(
                sa.insert(run_requests),
                {
                    "creator_id": run.creator_id,
                    "key": stored_key(scope, key),
                    "space_id": run.space_id,
                    "run_id": run.id,
                    "digest": digest,
                    "created_at": run.created_at,
                },
            )
        except sa.exc.IntegrityError as exc:
            raise StaleRevision("This request was made before.") from exc

    async def append(self, scope: TenantScope, run_id: RunId, batch: LogBatch) -> None:
        space_id = await self._space(scope, run_id)
        row = LOG.row(batch) | {"run_id": run_id, "space_id": space_id}
        await self._connection.execute(sa.insert(run_log), row)

    async def put_snapshot(self, scope: TenantScope, run_id: RunId, snapshot: Snapshot) -> None:
        space_id = await self._space(scope, run_id)
        await self._connection.execute(
            sa.delete(run_states).where(
                run_states.c.run_id == run_id, run_states.c.space_id == space_id
            )
        )
        row = STATES.row(snapshot) | {"run_id": run_id, "space_id": space_id}
        await self._connection.execute(sa.insert(run_states), row)

    async def state(self, scope: TenantScope, run_id: RunId) -> StoredState:
        spaces = scope.space_ids
        snapshot = await STATES.one(
            self._connection,
            sa.select(run_states).where(
                run_states.c.run_id == run_id, run_states.c.space_id.in_(spaces)
            ),
        )
        of_run = (run_log.c.run_id == run_id) & run_log.c.space_id.in_(spaces)
        last = (
            await self._connection.execute(
                sa.select(
                    sa.func.coalesce(sa.func.max(run_log.c.number), 0),
                    sa.func.coalesce(sa.func.max(run_log.c.last_seq), 0),
                ).where(of_run)
            )
        ).one()
        last_call = await self._connection.scalar(
            sa.select(sa.func.coalesce(sa.func.max(model_call.c.call_no), 0)).where(
                model_call.c.run_id == run_id, model_call.c.space_id.in_(spaces)
            )
        )
        query = (
            sa.select(run_log)
            .where(of_run, run_log.c.entries_to > (snapshot.sequence if snapshot else 0))
            .order_by(run_log.c.number)
        )
        batches = tuple(await LOG.all(self._connection, query))
        return StoredState(
            snapshot=snapshot,
            batches=batches,
            last_number=last[0],
            last_seq=last[1],
            last_call=last_call or 0,
        )

    async def log(self, scope: TenantScope, run_id: RunId, *, after: int) -> Sequence[LogBatch]:
        run = sa.select(workflow_runs.c.id).where(workflow_runs.c.id == run_id, _seen(scope))
        query = (
            sa.select(run_log)
            .where(
                run_log.c.run_id == run_id,
                run_log.c.space_id.in_(scope.space_ids),
                run_log.c.last_seq > after,
                run.exists(),
            )
            .order_by(run_log.c.number)
        )
        return await LOG.all(self._connection, query)

    async def request_cancel(self, scope: TenantScope, run_id: RunId, *, now: datetime) -> None:
        await self._connection.execute(
            sa.update(workflow_runs)
            .where(workflow_runs.c.id == run_id, _seen(scope))
            .values(cancel_requested_at=now)
        )

    async def page(self, scope: TenantScope, query: RunQuery) -> Sequence[WorkflowRun]:
        runs = workflow_runs.c
        equal = {runs.phase: query.phase, runs.mode: query.mode, runs.kind: query.kind}
        wanted = [runs.workflow_id == query.workflow_id]
        wanted += [column == value for column, value in equal.items() if value is not None]
        if query.since is not None:
            wanted.append(runs.created_at >= query.since)
        if query.until is not None:
            wanted.append(runs.created_at < query.until)
        if query.before_id is not None:
            wanted.append(runs.id < query.before_id)
        return await self._rows.all(scope, *wanted, order=[runs.id.desc()], limit=query.limit)

    async def put_canvas(self, scope: TenantScope, space_id: SpaceId, canvas: Canvas) -> None:
        _check(scope, space_id, 0)
        insert = upsert(self._connection.dialect.name, run_canvases)
        row = {
            "space_id": space_id,
            "digest": canvas.stamp.digest,
            "dialect": canvas.stamp.dialect,
            "text": canvas.text,
        }
        await self._connection.execute(insert.on_conflict_do_nothing(), row)

    async def canvas(self, scope: TenantScope, space_id: SpaceId, digest: str) -> Canvas | None:
        _check(scope, space_id, 0)
        query = sa.select(run_canvases).where(
            run_canvases.c.space_id == space_id, run_canvases.c.digest == digest
        )
        row = (await self._connection.execute(query)).one_or_none()
        return None if row is None else Canvas.of(row.text, Dialect(row.dialect))

    async def _space(self, scope: TenantScope, run_id: RunId) -> SpaceId:
        query = sa.select(workflow_runs.c.space_id).where(
            workflow_runs.c.id == run_id, _seen(scope)
        )
        space_id = await self._connection.scalar(query)
        if space_id is None:
            raise _not_found(run_id)
        return SpaceId(space_id)


class SqlWorkflowRunUnitOfWork(SqlUnitOfWork):
    """Runs in one transaction."""

    @cached_property
    def runs(self) -> SqlWorkflowRunRepository:
        return SqlWorkflowRunRepository(self)

    @cached_property
    def queue(self) -> SqlWorkflowRunQueue:
        return SqlWorkflowRunQueue(self)


class SqlWorkflowRunStore(SqlStore[SqlWorkflowRunUnitOfWork]):
    """Opens transactions on runs."""

    def __init__(self, database: Database) -> None:
        super().__init__(database, SqlWorkflowRunUnitOfWork)


def _check(scope: TenantScope, space_id: SpaceId, run_id: int) -> None:
    if space_id not in scope.space_ids:
        raise _not_found(run_id)


def _seen(scope: TenantScope) -> sa.ColumnElement[bool]:
    seen: list[sa.ColumnElement[bool]] = [workflow_runs.c.space_id.in_(scope.space_ids)]
    if scope.end_user_id:
        seen.append(workflow_runs.c.end_user_id == scope.end_user_id)
        seen.append(workflow_runs.c.creator_id == scope.principal_id)
    if scope.own_runs_in:
        seen.append(
            workflow_runs.c.space_id.not_in(scope.own_runs_in)
            | (workflow_runs.c.creator_id == scope.principal_id)
        )
    return sa.and_(*seen)


def _not_found(run_id: int) -> WorkflowRunNotFound:
    return WorkflowRunNotFound(f"No workflow run {run_id}.", run_id=run_id)
