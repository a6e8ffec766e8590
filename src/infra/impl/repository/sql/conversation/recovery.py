"""Leases, lost runs and left-overs of all spaces in SQL."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime

import sqlalchemy as sa

from domain.conversation.run import Run, RunRequest
from domain.conversation.value import MessageStatus, RunStatus
from domain.shared.ids import RunId, UserId
from domain.shared.lease import is_over
from infra.impl.repository.sql.conversation.name import named_conversations
from infra.impl.repository.sql.conversation.table import (
    RUNS,
    accepted_requests,
    conversations,
    feedbacks,
    flow_variables,
    messages,
    run_events,
    runs,
    section_agents,
    section_summaries,
)
from infra.impl.repository.sql.engine.database import SqlUnitOfWork
from infra.impl.repository.sql.mapping.lease import Lease

_CONTENTS = (
    feedbacks,
    flow_variables,
    messages,
    named_conversations,
    section_agents,
    section_summaries,
)
_LEASE = Lease(runs)
_ACTIVE = (RunStatus.CREATED, RunStatus.IN_PROGRESS)


class SqlRunRecovery:
    """System jobs: no scope, because they serve the processes and not a caller."""

    def __init__(self, uow: SqlUnitOfWork) -> None:
        self._uow = uow
        self._connection = uow.connection

    async def renew(self, owner: str, run_ids: Collection[RunId], *, until: datetime) -> set[RunId]:
        live = runs.c.id.in_(run_ids) & runs.c.status.in_(_ACTIVE)
        kept = await _LEASE.renew(self._connection, owner, live, until=until)
        return {RunId(run_id) for run_id in kept}

    async def cancel_requested(self, owner: str) -> Sequence[RunId]:
        asked = await self._connection.scalars(
            sa.select(runs.c.id).where(
                runs.c.status.in_(_ACTIVE),
                _LEASE.is_of(owner),
                runs.c.cancel_requested_at.is_not(None),
            )
        )
        return [RunId(run_id) for run_id in asked]

    async def expired(self, *, now: datetime, limit: int) -> list[Run]:
        query = (
            sa.select(runs)
            .where(
                runs.c.status.in_((*_ACTIVE, RunStatus.REQUIRES_ACTION)),
                is_over(runs.c.lease_until, now),
            )
            .order_by(runs.c.lease_until)
            .limit(limit)
            .with_for_update(skip_locked=True)
        )
        return await RUNS.all(self._connection, query)

    async def waiting(self, creator_id: UserId, *, limit: int) -> list[Run]:
        query = (
            sa.select(runs)
            .where(runs.c.creator_id == creator_id, runs.c.status == RunStatus.REQUIRES_ACTION)
            .order_by(runs.c.id)
            .limit(limit)
            .with_for_update(skip_locked=True)
        )
        return await RUNS.all(self._connection, query)

    async def abandoned(self, owner: str, *, limit: int) -> list[Run]:
        query = (
            sa.select(runs)
            .where(runs.c.status.in_(_ACTIVE), sa.not_(_LEASE.is_of(owner)))
            .order_by(runs.c.id)
            .limit(limit)
        )
        return await RUNS.all(self._connection, query)

    async def hold(
        self, run_ids: Collection[RunId], *, waits: bool
    ) -> Mapping[RunId, datetime | None]:
        if not run_ids:
            return {}
        ended_at = sa.case(
            (runs.c.status == RunStatus.COMPLETED, runs.c.completed_at),
            (runs.c.status == RunStatus.FAILED, runs.c.failed_at),
            (runs.c.status == RunStatus.CANCELED, runs.c.canceled_at),
        )
        found = await self._connection.execute(
            sa.select(runs.c.id, ended_at.label("ended_at"))
            .where(runs.c.id.in_(run_ids))
            .with_for_update(read=True, skip_locked=not waits)
        )
        return {RunId(row.id): row.ended_at for row in found}

    async def save(self, run: Run) -> None:
        await self._uow.save(runs, run, RUNS.row(run))

    async def break_partials(self, run_id: RunId, *, now: datetime) -> None:
        await self._connection.execute(
            sa.update(messages)
            .where(messages.c.run_id == run_id, messages.c.status == MessageStatus.STREAMING)
            .values(status=MessageStatus.BROKEN, updated_at=now)
        )

    async def purge_events(self, *, before: datetime, limit: int) -> int:
        old = sa.select(run_events.c.run_id).where(run_events.c.created_at < before).limit(limit)
        purged = await self._connection.execute(
            sa.delete(run_events).where(
                run_events.c.run_id.in_(old), run_events.c.created_at < before
            )
        )
        return purged.rowcount

    async def purge_requests(self, *, before: datetime, limit: int) -> int:
        table = accepted_requests
        old = sa.select(table.c.run_id).where(table.c.created_at < before).limit(limit)
        purged = await self._connection.execute(
            sa.delete(table).where(table.c.run_id.in_(old), table.c.created_at < before)
        )
        return purged.rowcount

    async def purge_conversations(self, *, before: datetime, limit: int) -> int:
        """Remove messages, verdicts and the row; runs stay for the accounts, without content."""
        old = await self._connection.scalars(
            sa.select(conversations.c.id).where(conversations.c.deleted_at < before).limit(limit)
        )
        ids = list(old)
        if not ids:
            return 0
        theirs = sa.select(runs.c.id).where(runs.c.conversation_id.in_(ids))
        await self._connection.execute(sa.delete(run_events).where(run_events.c.run_id.in_(theirs)))
        for table in _CONTENTS:
            await self._connection.execute(sa.delete(table).where(table.c.conversation_id.in_(ids)))
        await self._connection.execute(
            sa.update(runs)
            .where(runs.c.conversation_id.in_(ids))
            .values(request=RunRequest(), meta={}, inserted_message_ids=(), waits_for=None)
        )
        await self._connection.execute(sa.delete(conversations).where(conversations.c.id.in_(ids)))
        return len(ids)
