"""Runs in SQL."""

from collections.abc import Sequence
from datetime import datetime

import sqlalchemy as sa

from domain.conversation.error import ConversationBusy, RunNotFound
from domain.conversation.run import Run
from domain.conversation.value import RunStatus
from domain.shared.access import TenantScope
from domain.shared.ids import AgentId, ConversationId, RunId, SectionId
from infra.impl.repository.sql.conversation.table import RUNS, runs
from infra.impl.repository.sql.engine.database import SqlUnitOfWork
from infra.impl.repository.sql.mapping.tenant_rows import TenantRows

UNSETTLED = (RunStatus.CREATED, RunStatus.IN_PROGRESS, RunStatus.REQUIRES_ACTION)


class SqlRunRepository:
    """Runs of their owners."""

    def __init__(self, uow: SqlUnitOfWork) -> None:
        self._uow = uow
        self._own = TenantRows(uow, RUNS, missing=_not_found, visible=_owned)
        self._rows = TenantRows(uow, RUNS, missing=_not_found, visible=_of_spaces)

    async def get(self, scope: TenantScope, run_id: RunId) -> Run:
        found = await self._own.find(scope, runs.c.id == run_id, runs.c.deleted_at.is_(None))
        if found is None:
            raise _not_found(run_id)
        return found

    async def unsettled(self, scope: TenantScope, conversation_id: ConversationId) -> Sequence[Run]:
        return await self._own.all(
            scope, runs.c.conversation_id == conversation_id, runs.c.status.in_(UNSETTLED)
        )

    async def last(
        self, scope: TenantScope, conversation_id: ConversationId, section_id: SectionId
    ) -> Run | None:
        newest = await self._own.all(
            scope,
            runs.c.conversation_id == conversation_id,
            runs.c.section_id == section_id,
            runs.c.deleted_at.is_(None),
            runs.c.is_saved,
            order=[runs.c.id.desc()],
            limit=1,
        )
        return next(iter(newest), None)

    async def save(self, scope: TenantScope, run: Run) -> None:
        row = self._rows.row_of(scope, run)
        if run.revision:
            await self._uow.change(runs, run, row)
            return
        busy = ConversationBusy(
            "The conversation has a run in progress.", conversation_id=run.conversation_id
        )
        # Ids are never drawn twice, so it can only be the index of active runs.
        await self._uow.add(runs, run, row, taken=busy)

    async def request_cancel(self, scope: TenantScope, run_id: RunId, *, now: datetime) -> None:
        await self._uow.connection.execute(
            sa.update(runs)
            .where(runs.c.id == run_id, runs.c.status.in_(UNSETTLED), _owned(scope))
            .values(cancel_requested_at=now)
        )

    async def administered(self, scope: TenantScope, run_id: RunId) -> Run:
        return await self._rows.get(scope, run_id)

    async def administered_page(
        self,
        scope: TenantScope,
        *,
        agent_id: AgentId | None,
        conversation_id: ConversationId | None,
        status: RunStatus | None,
        before_id: RunId | None,
        limit: int,
    ) -> Sequence[Run]:
        wanted = []
        if agent_id is not None:
            wanted.append(runs.c.agent_id == agent_id)
        if conversation_id is not None:
            wanted.append(runs.c.conversation_id == conversation_id)
        if status is not None:
            wanted.append(runs.c.status == status)
        if before_id is not None:
            wanted.append(runs.c.id < before_id)
        return await self._rows.all(scope, *wanted, order=[runs.c.id.desc()], limit=limit)


def _of_spaces(scope: TenantScope) -> sa.ColumnElement[bool]:
    """Deleted ones as well: they stay for the accounts."""
    return runs.c.space_id.in_(scope.space_ids)


def _owned(scope: TenantScope) -> sa.ColumnElement[bool]:
    owned = [runs.c.creator_id == scope.principal_id, _of_spaces(scope)]
    if scope.end_user_id:
        owned.append(runs.c.end_user_id == scope.end_user_id)
    if scope.agent_ids is not None:
        owned.append(runs.c.agent_id.in_(scope.agent_ids))
    return sa.and_(*owned)


def _not_found(run_id: int) -> RunNotFound:
    return RunNotFound(f"No run {run_id}.", run_id=run_id)
