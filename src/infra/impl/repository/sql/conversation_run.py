"""Runs in SQL."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from domain.conversation.error import ConversationBusy, RunNotFound
from domain.conversation.run import Run
from domain.conversation.value import RunPhase, RunStatus
from domain.shared.access import TenantScope
from domain.shared.ids import (
    AgentId,
    ConversationId,
    MessageId,
    RunId,
    SectionId,
    SpaceId,
    UserId,
)
from infra.impl.repository.sql.conversation_schema import runs
from infra.impl.repository.sql.database import SqlUnitOfWork

UNSETTLED = (RunStatus.CREATED, RunStatus.IN_PROGRESS, RunStatus.REQUIRES_ACTION)


class SqlRunRepository:
    """Runs of their owners."""

    def __init__(self, uow: SqlUnitOfWork) -> None:
        self._uow = uow

    async def get(self, scope: TenantScope, run_id: RunId) -> Run:
        query = sa.select(runs).where(
            runs.c.id == run_id, runs.c.deleted_at.is_(None), *_owned(scope)
        )
        return self._one(await self._uow.connection.execute(query), run_id)

    async def unsettled(self, scope: TenantScope, conversation_id: ConversationId) -> Sequence[Run]:
        query = sa.select(runs).where(
            runs.c.conversation_id == conversation_id,
            runs.c.status.in_(UNSETTLED),
            *_owned(scope),
        )
        return [to_run(row) for row in (await self._uow.connection.execute(query)).mappings()]

    async def last(
        self, scope: TenantScope, conversation_id: ConversationId, section_id: SectionId
    ) -> Run | None:
        query = (
            sa.select(runs)
            .where(
                runs.c.conversation_id == conversation_id,
                runs.c.section_id == section_id,
                runs.c.deleted_at.is_(None),
                runs.c.is_saved,
                *_owned(scope),
            )
            .order_by(runs.c.id.desc())
            .limit(1)
        )
        row = (await self._uow.connection.execute(query)).mappings().one_or_none()
        return None if row is None else to_run(row)

    async def save(self, scope: TenantScope, run: Run) -> None:
        if run.space_id not in scope.space_ids:
            raise RunNotFound(f"No run {run.id}.", run_id=run.id)
        if run.revision:
            await self._uow.change(runs, run, to_row(run))
            return
        busy = ConversationBusy(
            "The conversation has a run in progress.", conversation_id=run.conversation_id
        )
        # Ids are never drawn twice, so it can only be the index of active runs.
        await self._uow.add(runs, run, to_row(run), taken=busy)

    async def request_cancel(self, scope: TenantScope, run_id: RunId, *, now: datetime) -> None:
        await self._uow.connection.execute(
            sa.update(runs)
            .where(runs.c.id == run_id, runs.c.status.in_(UNSETTLED), *_owned(scope))
            .values(cancel_requested_at=now)
        )

    async def administered(self, scope: TenantScope, run_id: RunId) -> Run:
        query = sa.select(runs).where(runs.c.id == run_id, runs.c.space_id.in_(scope.space_ids))
        return self._one(await self._uow.connection.execute(query), run_id)

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
        query = sa.select(runs).where(runs.c.space_id.in_(scope.space_ids))
        if agent_id is not None:
            query = query.where(runs.c.agent_id == agent_id)
        if conversation_id is not None:
            query = query.where(runs.c.conversation_id == conversation_id)
        if status is not None:
            query = query.where(runs.c.status == status)
        if before_id is not None:
            query = query.where(runs.c.id < before_id)
        query = query.order_by(runs.c.id.desc()).limit(limit)
        return [to_run(row) for row in (await self._uow.connection.execute(query)).mappings()]

    @staticmethod
    def _one(rows: sa.CursorResult[Any], run_id: RunId) -> Run:
        row = rows.mappings().one_or_none()
        if row is None:
            raise RunNotFound(f"No run {run_id}.", run_id=run_id)
        return to_run(row)


def _owned(scope: TenantScope) -> list[sa.ColumnElement[bool]]:
    owned = [
        runs.c.creator_id == scope.principal_id,
        runs.c.space_id.in_(scope.space_ids),
    ]
    if scope.end_user_id:
        owned.append(runs.c.end_user_id == scope.end_user_id)
    if scope.agent_ids is not None:
        owned.append(runs.c.agent_id.in_(scope.agent_ids))
    return owned


def to_row(run: Run) -> dict[str, Any]:
    """Everything but ``cancel_requested_at``, which others write beside the owner."""
    return {
        "id": run.id,
        "space_id": run.space_id,
        "conversation_id": run.conversation_id,
        "section_id": run.section_id,
        "agent_id": run.agent_id,
        "agent_version": run.agent_version,
        "creator_id": run.creator_id,
        "end_user_id": run.end_user_id,
        "connector_id": run.connector_id,
        "question_id": run.question_id,
        "request": run.request,
        "meta": run.meta,
        "inserted_message_ids": run.inserted_message_ids,
        "replaces_run_id": run.replaces_run_id,
        "is_saved": run.is_saved,
        "workflow_run_id": run.workflow_run_id,
        "waits_for": run.waits_for,
        "status": run.status,
        "phase": run.phase,
        "attempt": run.attempt,
        "lease_owner": run.lease_owner,
        "lease_until": run.lease_until,
        "cancel_reason": run.cancel_reason,
        "usage": run.usage,
        "finish_reason": run.finish_reason,
        "error": run.error,
        "created_at": run.created_at,
        "started_at": run.started_at,
        "first_token_at": run.first_token_at,
        "completed_at": run.completed_at,
        "failed_at": run.failed_at,
        "canceled_at": run.canceled_at,
        "deleted_at": run.deleted_at,
    }


def to_run(row: sa.RowMapping) -> Run:
    """Build the aggregate from its row."""
    return Run(
        id=RunId(row["id"]),
        space_id=SpaceId(row["space_id"]),
        conversation_id=ConversationId(row["conversation_id"]),
        section_id=SectionId(row["section_id"]),
        agent_id=AgentId(row["agent_id"]),
        agent_version=row["agent_version"],
        creator_id=UserId(row["creator_id"]),
        end_user_id=row["end_user_id"],
        connector_id=row["connector_id"],
        question_id=None if row["question_id"] is None else MessageId(row["question_id"]),
        request=row["request"],
        meta=row["meta"],
        inserted_message_ids=row["inserted_message_ids"],
        replaces_run_id=None if row["replaces_run_id"] is None else RunId(row["replaces_run_id"]),
        is_saved=row["is_saved"],
        workflow_run_id=row["workflow_run_id"],
        waits_for=row["waits_for"],
        status=RunStatus(row["status"]),
        phase=RunPhase(row["phase"]),
        attempt=row["attempt"],
        lease_owner=row["lease_owner"],
        lease_until=row["lease_until"],
        usage=row["usage"],
        finish_reason=row["finish_reason"],
        error=row["error"],
        cancel_reason=row["cancel_reason"],
        created_at=row["created_at"],
        started_at=row["started_at"],
        first_token_at=row["first_token_at"],
        completed_at=row["completed_at"],
        failed_at=row["failed_at"],
        canceled_at=row["canceled_at"],
        deleted_at=row["deleted_at"],
        revision=row["revision"],
    )
