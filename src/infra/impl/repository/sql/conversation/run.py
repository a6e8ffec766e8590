"""Runs in SQL: their event log, leases, and what a lost process left of them."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from domain.conversation.error import ConversationBusy, RunNotFound
from domain.conversation.run import Run, RunRequest
from domain.conversation.run_repository import EventBatch
from domain.conversation.value import MessageStatus, RunStatus
from domain.shared.access import TenantScope
from domain.shared.ids import AgentId, ConversationId, RunId, SectionId, SpaceId, UserId
from domain.shared.lease import is_over
from infra.impl.repository.sql.conversation.name import named_conversations
from infra.impl.repository.sql.conversation.table import (
    EVENTS,
    RUNS,
    UNSETTLED,
    accepted_requests,
    client_waits,
    conversations,
    feedbacks,
    flow_variables,
    messages,
    run_events,
    runs,
    section_agents,
    section_summaries,
    stored_responses,
)
from infra.impl.repository.sql.engine.unit_of_work import SqlUnitOfWork
from infra.impl.repository.sql.mapping.lease import Lease
from infra.impl.repository.sql.mapping.tenant_rows import (
    PreparedByScope,
    TenantRows,
    agents_of,
    owned,
)
from infra.impl.repository.sql.mapping.upsert import upsert

_CONTENTS = (
    client_waits,
    feedbacks,
    flow_variables,
    messages,
    named_conversations,
    section_agents,
    section_summaries,
    stored_responses,
)
_LEASE = Lease(runs)
_ACTIVE = (RunStatus.CREATED, RunStatus.IN_PROGRESS)


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
        found = await _UNSETTLED.rows(self._uow.connection, scope, conversation=conversation_id)
        return [RUNS.read(row) for row in found]

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
            .where(runs.c.id == run_id, UNSETTLED, _owned(scope))
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
    mine = owned(runs, scope)
    return mine if scope.agent_ids is None else mine & runs.c.agent_id.in_(agents_of(scope))


_UNSETTLED: Final = PreparedByScope(
    lambda scope: sa.select(runs).where(
        runs.c.conversation_id == sa.bindparam("conversation"), _owned(scope), UNSETTLED
    )
)


def _not_found(run_id: int) -> RunNotFound:
    return RunNotFound(f"No run {run_id}.", run_id=run_id)


class SqlRunEventLog:
    """Batches of events; writing one twice changes nothing."""

    def __init__(self, connection: AsyncConnection) -> None:
        self._connection = connection

    async def append(self, batches: Sequence[EventBatch], *, now: datetime) -> None:
        if not batches:
            return
        insert = upsert(self._connection.dialect.name, run_events)
        rows = [EVENTS.row(batch) | {"created_at": now} for batch in batches]
        await self._connection.execute(insert.on_conflict_do_nothing(), rows)

    async def read(
        self, scope: TenantScope, run_id: RunId, *, after: int, limit: int
    ) -> Sequence[EventBatch]:
        query = (
            sa.select(run_events)
            .where(
                run_events.c.run_id == run_id,
                run_events.c.last_seq > after,
                run_events.c.space_id.in_(scope.space_ids),
            )
            .order_by(run_events.c.first_seq)
            .limit(limit)
        )
        return await EVENTS.all(self._connection, query)


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

    async def purge_conversations(
        self, *, before: datetime, limit: int, but: Collection[SpaceId] = ()
    ) -> int:
        """Remove messages, verdicts and the row; runs stay for the accounts, without content."""
        due = sa.select(conversations.c.id).where(conversations.c.deleted_at < before)
        if but:
            due = due.where(conversations.c.space_id.not_in(but))
        old = await self._connection.scalars(due.limit(limit))
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
