"""Runs of workflows in SQL: as owners see them, group commits, leases and left-overs."""

from collections.abc import Collection, Sequence
from datetime import datetime
from functools import cache, cached_property
from typing import Any

import sqlalchemy as sa

from domain.shared.access import TenantScope
from domain.shared.error import StaleRevision
from domain.shared.ids import RunId, SpaceId, UserId
from domain.shared.lease import is_over
from domain.workflow.canvas.text import Canvas, Dialect
from domain.workflow.run.repository import (
    LogBatch,
    RunQuery,
    RunWrite,
    StoredState,
)
from domain.workflow.run.workflow_run import (
    RunPhase,
    WorkflowRun,
    WorkflowRunNotFound,
)
from infra.impl.repository.sql.engine.database import Database, SqlStore
from infra.impl.repository.sql.engine.unit_of_work import SqlUnitOfWork, insert_into, write_later
from infra.impl.repository.sql.fastpath.prepared import Prepared
from infra.impl.repository.sql.mapping.column import Instant
from infra.impl.repository.sql.mapping.lease import Lease
from infra.impl.repository.sql.mapping.row_mapper import REVISION
from infra.impl.repository.sql.mapping.tenant_rows import TenantRows
from infra.impl.repository.sql.mapping.upsert import upsert
from infra.impl.repository.sql.model.call import SqlModelCallLedger, model_call
from infra.impl.repository.sql.request_key import stored_key
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

_LEASE = Lease(workflow_runs)
_LIVE = (RunPhase.CREATED, RunPhase.RUNNING)
_UPDATE = sa.update(workflow_runs).where(
    workflow_runs.c.id == sa.bindparam("loaded_id"),
    workflow_runs.c.revision == sa.bindparam("loaded_revision"),
)
"""Of runs whose fencing token was checked in the same transaction; built once."""


class SqlWorkflowRunQueue:
    """System jobs: no scope, because they serve the processes and not a caller."""

    def __init__(self, uow: SqlUnitOfWork) -> None:
        self._uow = uow
        self._connection = uow.connection

    async def write(self, writes: Sequence[RunWrite], *, is_repeated: bool) -> set[RunId]:
        checked = [each for each in writes if is_repeated or each.revision]
        found = await self._revisions([each.run.id for each in checked]) if checked else {}
        written = await self._numbers([each.run.id for each in writes]) if is_repeated else {}
        lost: set[RunId] = set()
        valid: list[RunWrite] = []
        for each in writes:
            stored = found.get(each.run.id, 0)
            if stored == each.revision:
                if each.batch is None or each.batch.number > written.get(each.run.id, 0):
                    valid.append(each)
            elif not (is_repeated and each.saves and stored == each.revision + 1):
                lost.add(each.run.id)
        await self._apply(valid)
        return lost

    async def has_due(self, owner: str, *, now: datetime, is_alone: bool) -> bool:
        values = {"now": now, "owner": owner} if is_alone else {"now": now}
        return await _any_due(is_alone=is_alone).row(self._connection, values) is not None

    async def due(
        self,
        owner: str,
        *,
        now: datetime,
        is_alone: bool,
        limit: int,
        but: Collection[int] = (),
    ) -> list[WorkflowRun]:
        runs = workflow_runs.c
        turn = sa.func.row_number().over(partition_by=runs.space_id, order_by=runs.id)
        due = (
            sa.select(runs.id, turn.label("turn"))
            .where(*_due(owner, now, is_alone=is_alone), runs.space_id.not_in(but))
            .subquery("due")
        )
        query = (
            sa.select(workflow_runs)
            .join(due, due.c.id == runs.id)
            .where(*_due(owner, now, is_alone=is_alone))
            .order_by(due.c.turn, runs.id)
            .limit(limit)
            .with_for_update(skip_locked=True, of=workflow_runs)
        )
        return await WORKFLOW_RUNS.all(self._connection, query)

    async def save(self, run: WorkflowRun) -> None:
        await self._uow.save(workflow_runs, run, WORKFLOW_RUNS.row(run))

    async def renew(self, owner: str, run_ids: Collection[RunId], *, until: datetime) -> set[RunId]:
        runs = workflow_runs.c
        running = runs.id.in_(run_ids) & (runs.phase == RunPhase.RUNNING)
        kept = await _LEASE.renew(self._connection, owner, running, until=until)
        return {RunId(run_id) for run_id in kept}

    async def cancel_requested(self, owner: str) -> Sequence[RunId]:
        runs = workflow_runs.c
        asked = await self._connection.scalars(
            sa.select(runs.id).where(
                runs.phase.in_(_LIVE),
                _LEASE.is_of(owner),
                runs.cancel_requested_at.is_not(None),
            )
        )
        return [RunId(run_id) for run_id in asked]

    async def lapsed(self, *, now: datetime, limit: int) -> list[WorkflowRun]:
        runs = workflow_runs.c
        query = (
            sa.select(workflow_runs)
            .where(runs.phase == RunPhase.INTERRUPTED, is_over(runs.expires_at, now))
            .order_by(runs.expires_at)
            .limit(limit)
            .with_for_update(skip_locked=True)
        )
        return await WORKFLOW_RUNS.all(self._connection, query)

    async def waiting(self, creator_id: UserId, *, limit: int) -> list[WorkflowRun]:
        runs = workflow_runs.c
        query = (
            sa.select(workflow_runs)
            .where(
                runs.creator_id == creator_id,
                runs.phase.in_((RunPhase.CREATED, RunPhase.INTERRUPTED)),
                runs.lease_owner == "",
            )
            .order_by(runs.id)
            .limit(limit)
            .with_for_update(skip_locked=True)
        )
        return await WORKFLOW_RUNS.all(self._connection, query)

    async def purge(self, *, before: datetime, limit: int) -> int:
        runs = workflow_runs.c
        old = await self._connection.scalars(
            sa.select(runs.id)
            .where(runs.purged_at.is_(None), runs.finished_at < before)
            .limit(limit)
        )
        ids = list(old)
        if ids:
            for table in (run_log, run_states, run_requests):
                await self._connection.execute(sa.delete(table).where(table.c.run_id.in_(ids)))
            await self._connection.execute(
                sa.update(workflow_runs).where(runs.id.in_(ids)).values(purged_at=before)
            )
            await self._purge_canvases(ids)
        return len(ids)

    async def _purge_canvases(self, ids: Sequence[int]) -> None:
        """Remove the canvases of these drafts that no other run may need."""
        runs, canvases = workflow_runs.c, run_canvases.c
        needed = sa.select(runs.id).where(
            runs.space_id == canvases.space_id,
            runs.canvas_digest == canvases.digest,
            runs.canvas_digest != "",
            runs.purged_at.is_(None),
        )
        digests = sa.select(runs.canvas_digest).where(runs.id.in_(ids), runs.canvas_digest != "")
        await self._connection.execute(
            sa.delete(run_canvases).where(canvases.digest.in_(digests), ~needed.exists())
        )

    async def _revisions(self, run_ids: Sequence[RunId]) -> dict[RunId, int]:
        query = (
            sa.select(workflow_runs.c.id, workflow_runs.c.revision)
            .where(workflow_runs.c.id.in_(run_ids))
            .with_for_update()
        )
        rows = await self._connection.execute(query)
        return {RunId(row.id): row.revision for row in rows}

    async def _numbers(self, run_ids: Sequence[RunId]) -> dict[RunId, int]:
        """Number of the last batch of each run."""
        query = (
            sa.select(run_log.c.run_id, sa.func.max(run_log.c.number).label("number"))
            .where(run_log.c.run_id.in_(run_ids))
            .group_by(run_log.c.run_id)
        )
        rows = await self._connection.execute(query)
        return {RunId(row.run_id): row.number for row in rows}

    async def _apply(self, writes: Sequence[RunWrite]) -> None:
        connection = self._connection
        new = [WORKFLOW_RUNS.row(each.run) | {REVISION: 1} for each in writes if not each.revision]
        changed = [
            {
                **WORKFLOW_RUNS.row(each.run),
                "revision": each.revision + 1,
                "loaded_id": each.run.id,
                "loaded_revision": each.revision,
            }
            for each in writes
            if each.revision and each.saves
        ]
        batches = [LOG.row(each.batch) | _of(each.run) for each in writes if each.batch is not None]
        snapshots = [
            STATES.row(each.snapshot) | _of(each.run)
            for each in writes
            if each.snapshot is not None
        ]
        if new:
            await write_later(connection, insert_into(workflow_runs), new)
        if changed:
            await write_later(connection, _UPDATE, changed)
        if batches:
            await write_later(connection, insert_into(run_log), batches)
        if snapshots:
            insert = upsert(connection.dialect.name, run_states)
            replace = insert.on_conflict_do_update(
                index_elements=[run_states.c.run_id],
                set_={"sequence": insert.excluded.sequence, "state": insert.excluded.state},
            )
            await write_later(connection, replace, snapshots)
        ledger = SqlModelCallLedger(self._uow)
        for each in writes:
            if each.calls:
                run = each.run
                await ledger.append(run.space_id, run.id, each.first_call, each.calls, run.account)
            self._uow.collect(*each.events)
        await self._uow.settle([part for each in writes for part in each.parts])


def _of(run: WorkflowRun) -> dict[str, int]:
    return {"run_id": run.id, "space_id": run.space_id}


@cache
def _any_due(*, is_alone: bool) -> Prepared:
    now: Any = sa.bindparam("now", type_=Instant())
    owner: Any = sa.bindparam("owner", type_=sa.String())
    due = _due(owner, now, is_alone=is_alone)
    return Prepared(sa.select(workflow_runs.c.id).where(*due).limit(1))


def _due(owner: str, now: datetime, *, is_alone: bool) -> list[sa.ColumnElement[bool]]:
    runs = workflow_runs.c
    is_free = _LEASE.is_free(now)
    if is_alone:
        is_free |= sa.not_(_LEASE.is_of(owner))
    return [runs.phase.in_(_LIVE), is_free]


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

    async def newest(
        self, scope: TenantScope, workflow_ids: Collection[int]
    ) -> Sequence[WorkflowRun]:
        if not workflow_ids:
            return []
        runs = workflow_runs.alias()
        last = [  # each is found at the end of its index, however many runs there are
            sa.select(sa.func.max(runs.c.id)).where(runs.c.workflow_id == each)
            for each in workflow_ids
        ]
        return await self._rows.all(
            scope,
            workflow_runs.c.id.in_(sa.union_all(*last)),
            order=[workflow_runs.c.workflow_id],
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
