"""Workflows, their versions, canvases and references in SQL tables."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from domain.shared.access import TenantScope
from domain.shared.ids import SpaceId, UserId
from domain.workflow.canvas.text import Canvas, CanvasStamp
from domain.workflow.definition.error import (
    SavedInputNotFound,
    WorkflowNotFound,
    WorkflowNotPublished,
)
from domain.workflow.definition.repository import (
    Callee,
    Caller,
    ReferenceSource,
    WorkflowQuery,
    WorkflowState,
)
from domain.workflow.definition.saved_input import SavedInput, SavedInputId
from domain.workflow.definition.version import WorkflowId, WorkflowVersion
from domain.workflow.definition.workflow import Workflow
from infra.impl.repository.sql.engine.database import Database, SqlStore
from infra.impl.repository.sql.engine.unit_of_work import SqlUnitOfWork
from infra.impl.repository.sql.mapping.tenant_rows import TenantRows, listed
from infra.impl.repository.sql.mapping.upsert import upsert
from infra.impl.repository.sql.workflow.definition_table import (
    LABEL_CHARS,
    SAVED_INPUTS,
    VERSIONS,
    WORKFLOWS,
    canvases,
    deleted,
    references,
    saved_inputs,
    versions,
    visible,
    workflows,
)

_STATES: Final = {
    WorkflowState.PUBLISHED: workflows.c.latest_version != "",
    WorkflowState.UNPUBLISHED: workflows.c.latest_version == "",
}


class SqlWorkflowRepository:
    """Workflows that are not deleted."""

    def __init__(self, uow: SqlUnitOfWork) -> None:
        self._rows = TenantRows(uow, WORKFLOWS, missing=_not_found)
        self._deleted = TenantRows(uow, WORKFLOWS, missing=_not_found, visible=deleted)

    async def get(self, scope: TenantScope, workflow_id: WorkflowId) -> Workflow:
        return await self._rows.get(scope, workflow_id)

    async def get_deleted(
        self, scope: TenantScope, workflow_id: WorkflowId, *, since: datetime
    ) -> Workflow:
        found = await self._deleted.find(
            scope, workflows.c.id == workflow_id, workflows.c.deleted_at >= since
        )
        if found is None:
            raise _not_found(workflow_id)
        return found

    async def find(
        self, scope: TenantScope, workflow_ids: Collection[WorkflowId]
    ) -> Sequence[Workflow]:
        return await self._rows.all(scope, workflows.c.id.in_(workflow_ids), order=[workflows.c.id])

    async def search(
        self, scope: TenantScope, query: WorkflowQuery
    ) -> tuple[Sequence[Workflow], int]:
        beyond = None
        if query.after_id is not None:
            newer = workflows.c.id > query.after_id
            beyond = workflows.c.id < query.after_id if query.descending else newer
        by_id = [workflows.c.id.desc() if query.descending else workflows.c.id.asc()]
        newest = [workflows.c.updated_at.desc(), workflows.c.id.desc()]
        return await self._rows.page(
            scope,
            *listed(workflows, scope),
            *_wanted(query),
            beyond=beyond,
            order=by_id if query.by_id else newest,
            limit=query.limit,
            offset=query.offset,
        )

    async def save(self, scope: TenantScope, workflow: Workflow) -> None:
        await self._rows.save(scope, workflow)


class SqlWorkflowVersionRepository:
    """Immutable versions."""

    def __init__(self, uow: SqlUnitOfWork) -> None:
        self._workflows = TenantRows(uow, WORKFLOWS, missing=_not_found)
        self._rows = TenantRows(
            uow,
            VERSIONS,
            missing=_not_found,
            visible=visible,
            parent=(workflows, workflows.c.id == versions.c.workflow_id),
        )

    async def add(self, scope: TenantScope, version: WorkflowVersion) -> None:
        await self._rows.add(scope, version)

    async def get(self, scope: TenantScope, workflow_id: WorkflowId, label: str) -> WorkflowVersion:
        found = await self._rows.find(
            scope, versions.c.workflow_id == workflow_id, versions.c.label == label[:LABEL_CHARS]
        )
        if found is None:
            await self._workflows.require(scope, workflow_id)
            raise WorkflowNotPublished(
                f"The workflow {workflow_id} has no version {label[:LABEL_CHARS]}.",
                workflow_id=workflow_id,
            )
        return found

    async def page(
        self, scope: TenantScope, workflow_id: WorkflowId, *, offset: int, limit: int
    ) -> tuple[Sequence[WorkflowVersion], int]:
        newest = [versions.c.id.desc()]
        return await self._rows.page(
            scope, versions.c.workflow_id == workflow_id, order=newest, limit=limit, offset=offset
        )


class SqlCanvasRepository:
    """Texts of canvases: that of the draft, and those of versions."""

    def __init__(self, connection: AsyncConnection) -> None:
        self._connection = connection

    async def put(self, scope: TenantScope, workflow: Workflow, canvas: Canvas) -> None:
        _refuse_foreign(scope, workflow.space_id, workflow.id)
        row = {
            "workflow_id": workflow.id,
            "digest": canvas.stamp.digest,
            "space_id": workflow.space_id,
            "text": canvas.text,
            "created_at": workflow.updated_at,
        }
        insert = _insert(self._connection, canvases).values(**row)
        await self._connection.execute(insert.on_conflict_do_nothing())
        frozen = sa.select(versions.c.canvas_digest).where(versions.c.workflow_id == workflow.id)
        await self._connection.execute(
            sa.delete(canvases).where(
                canvases.c.workflow_id == workflow.id,
                canvases.c.digest.not_in([canvas.stamp.digest, workflow.draft.digest]),
                canvases.c.digest.not_in(frozen),
            )
        )

    async def get(self, scope: TenantScope, workflow_id: WorkflowId, stamp: CanvasStamp) -> Canvas:
        query = sa.select(canvases.c.text).where(
            canvases.c.space_id.in_(scope.space_ids),
            canvases.c.workflow_id == workflow_id,
            canvases.c.digest == stamp.digest,
        )
        text = await self._connection.scalar(query)
        if text is None:
            raise _not_found(workflow_id)
        return Canvas(stamp, text)


class SqlReferenceRepository:
    """Which workflow calls which."""

    def __init__(self, connection: AsyncConnection) -> None:
        self._connection = connection

    async def replace(
        self,
        scope: TenantScope,
        workflow: Workflow,
        source: ReferenceSource,
        callees: Collection[Callee],
    ) -> None:
        _refuse_foreign(scope, workflow.space_id, workflow.id)
        await self._connection.execute(
            sa.delete(references).where(
                references.c.workflow_id == workflow.id, references.c.source == source.value
            )
        )
        rows = [
            {
                "workflow_id": workflow.id,
                "source": source.value,
                "callee_id": callee.workflow_id,
                "version": callee.version,
                "space_id": workflow.space_id,
            }
            for callee in dict.fromkeys(callees)
            if len(callee.version) <= LABEL_CHARS
        ]
        if rows:
            await self._connection.execute(sa.insert(references), rows)

    async def callers(self, scope: TenantScope, workflow_id: WorkflowId) -> Sequence[Caller]:
        query = (
            sa.select(workflows, references.c.source, references.c.version.label("callee_version"))
            .join(references, references.c.workflow_id == workflows.c.id)
            .where(visible(scope), references.c.callee_id == workflow_id)
            .order_by(workflows.c.id, references.c.source, references.c.version)
        )
        return [
            Caller(
                workflow=WORKFLOWS.read(row),
                source=ReferenceSource(row.source),
                version=row.callee_version,
            )
            for row in await self._connection.execute(query)
        ]

    async def count_callers(
        self, scope: TenantScope, workflow_ids: Collection[WorkflowId]
    ) -> dict[WorkflowId, int]:
        query = (
            sa.select(references.c.callee_id, sa.func.count(sa.distinct(references.c.workflow_id)))
            .join(workflows, workflows.c.id == references.c.workflow_id)
            .where(visible(scope), references.c.callee_id.in_(workflow_ids))
            .group_by(references.c.callee_id)
        )
        rows = await self._connection.execute(query)
        return {WorkflowId(callee_id): count for callee_id, count in rows}

    async def callees(
        self, scope: TenantScope, callers: Collection[Callee]
    ) -> dict[Callee, tuple[Callee, ...]]:
        query = (
            sa.select(references)
            .join(workflows, workflows.c.id == references.c.workflow_id)
            .where(
                visible(scope),
                references.c.workflow_id.in_({each.workflow_id for each in callers}),
            )
            .order_by(references.c.callee_id, references.c.version)
        )
        found: dict[tuple[int, str], list[Callee]] = {}
        for row in await self._connection.execute(query):
            callee = Callee(workflow_id=row.callee_id, version=row.version)
            found.setdefault((row.workflow_id, row.source), []).append(callee)
        return {
            each: tuple(found[key])
            for each in callers
            if (key := (each.workflow_id, _source(each).value)) in found
        }


class SqlSavedInputRepository:
    """Inputs of test runs under a name: one's own, and those that are shared."""

    def __init__(self, uow: SqlUnitOfWork) -> None:
        self._connection = uow.connection
        self._rows = TenantRows(uow, SAVED_INPUTS, missing=_no_saved_input)

    async def of(
        self, scope: TenantScope, workflow_id: WorkflowId, reader_id: UserId
    ) -> Sequence[SavedInput]:
        order = [saved_inputs.c.name, saved_inputs.c.id]
        return await self._rows.all(scope, *_usable(workflow_id, reader_id), order=order)

    async def put(self, scope: TenantScope, saved: SavedInput) -> None:
        row = self._rows.row_of(scope, saved)
        key = ["workflow_id", "creator_id", "name"]
        changed = {name: value for name, value in row.items() if name not in (*key, "created_at")}
        insert = _insert(self._connection, saved_inputs).values(**row)
        await self._connection.execute(
            insert.on_conflict_do_update(index_elements=key, set_=changed)
        )

    async def delete(
        self, scope: TenantScope, workflow_id: WorkflowId, saved_id: SavedInputId, user_id: UserId
    ) -> None:
        wanted = [*_usable(workflow_id, user_id), saved_inputs.c.id == saved_id]
        if not await self._rows.delete(scope, *wanted):
            raise _no_saved_input(saved_id)


def _usable(workflow_id: int, reader_id: int) -> list[sa.ColumnElement[bool]]:
    mine = saved_inputs.c.creator_id == reader_id
    return [
        saved_inputs.c.workflow_id == workflow_id,
        sa.or_(mine, saved_inputs.c.is_shared.is_(True)),
    ]


class SqlWorkflowUnitOfWork(SqlUnitOfWork):
    """The repositories of workflow definitions on one connection."""

    @property
    def workflows(self) -> SqlWorkflowRepository:
        return SqlWorkflowRepository(self)

    @property
    def versions(self) -> SqlWorkflowVersionRepository:
        return SqlWorkflowVersionRepository(self)

    @property
    def canvases(self) -> SqlCanvasRepository:
        return SqlCanvasRepository(self.connection)

    @property
    def references(self) -> SqlReferenceRepository:
        return SqlReferenceRepository(self.connection)

    @property
    def saved_inputs(self) -> SqlSavedInputRepository:
        return SqlSavedInputRepository(self)


class SqlWorkflowStore(SqlStore[SqlWorkflowUnitOfWork]):
    """Opens transactions on workflow definitions."""

    def __init__(self, database: Database) -> None:
        super().__init__(database, SqlWorkflowUnitOfWork)


def _wanted(query: WorkflowQuery) -> list[sa.ColumnElement[bool]]:
    wanted = []
    if query.state in _STATES:
        wanted.append(_STATES[query.state])
    if query.mode is not None:
        wanted.append(workflows.c.mode == query.mode)
    if query.app_id is not None:
        wanted.append(workflows.c.app_id == query.app_id)
    if query.creator_id is not None:
        wanted.append(workflows.c.creator_id == query.creator_id)
    if query.plugin_id is not None:
        wanted.append(_names(query.plugin_id))
    if query.text:
        columns = (workflows.c.name, workflows.c.description)
        wanted.append(sa.or_(*(each.icontains(query.text, autoescape=True) for each in columns)))
    return wanted


def _names(plugin_id: int) -> sa.ColumnElement[bool]:
    """Match by the text of canvases: ids are so long that no other number contains one."""
    return sa.exists().where(
        canvases.c.workflow_id == workflows.c.id,
        canvases.c.digest.in_([workflows.c.draft_digest, workflows.c.published_digest]),
        canvases.c.text.contains(str(plugin_id), autoescape=True),
    )


def _source(callee: Callee) -> ReferenceSource:
    return ReferenceSource.PUBLISHED if callee.version else ReferenceSource.DRAFT


def _insert(connection: AsyncConnection, table: sa.Table) -> Any:
    return upsert(connection.dialect.name, table)


def _refuse_foreign(scope: TenantScope, space_id: SpaceId, workflow_id: WorkflowId) -> None:
    if space_id not in scope.space_ids:
        raise _not_found(workflow_id)


def _not_found(workflow_id: int) -> WorkflowNotFound:
    return WorkflowNotFound(f"No workflow {workflow_id}.", workflow_id=workflow_id)


def _no_saved_input(saved_id: int) -> SavedInputNotFound:
    return SavedInputNotFound(f"No saved input {saved_id}.", saved_input_id=saved_id)
