"""Stored responses in SQL."""

from collections.abc import Collection
from datetime import datetime

import sqlalchemy as sa

from domain.conversation.response import StoredResponse, response_missing
from domain.conversation.value import Scene
from domain.shared.access import TenantScope
from infra.impl.repository.sql.conversation.table import (
    RESPONSES,
    conversations,
    stored_responses,
)
from infra.impl.repository.sql.engine.database import SqlUnitOfWork
from infra.impl.repository.sql.mapping.tenant_rows import TenantRows


class SqlResponseRepository:
    """Responses of their callers."""

    def __init__(self, uow: SqlUnitOfWork) -> None:
        self._connection = uow.connection
        self._rows = TenantRows(uow, RESPONSES, missing=response_missing, visible=_owned)

    async def get(
        self, scope: TenantScope, run_id: int, *, resumes: int = 0, now: datetime
    ) -> StoredResponse:
        found = await self._rows.find(
            scope,
            stored_responses.c.run_id == run_id,
            stored_responses.c.resumes == resumes,
            stored_responses.c.expires_at > now,
        )
        if found is None:
            raise response_missing(run_id)
        return found

    async def save(self, scope: TenantScope, response: StoredResponse) -> None:
        await self._rows.save(scope, response)

    async def remove(self, scope: TenantScope, response: StoredResponse, *, now: datetime) -> None:
        await self._connection.execute(
            sa.delete(stored_responses).where(stored_responses.c.id == response.id, _owned(scope))
        )
        await self._close([response.conversation_id], now=now)

    async def purge(self, *, now: datetime, limit: int) -> int:
        old = await self._connection.execute(
            sa.select(stored_responses.c.id, stored_responses.c.conversation_id)
            .where(stored_responses.c.expires_at <= now)
            .limit(limit)
        )
        rows = old.all()
        if rows:
            await self._connection.execute(
                sa.delete(stored_responses).where(
                    stored_responses.c.id.in_([row.id for row in rows])
                )
            )
            await self._close([row.conversation_id for row in rows], now=now)
        return len(rows)

    async def _close(self, conversation_ids: Collection[int | None], *, now: datetime) -> None:
        """Delete those of the conversations that nothing but responses opened and none is left."""
        ids = {each for each in conversation_ids if each is not None}
        others = sa.exists().where(stored_responses.c.conversation_id == conversations.c.id)
        await self._connection.execute(
            sa.update(conversations)
            .where(
                conversations.c.id.in_(ids),
                conversations.c.scene == Scene.OPENAI,
                conversations.c.deleted_at.is_(None),
                ~others,
            )
            .values(deleted_at=now)
        )


def _owned(scope: TenantScope) -> sa.ColumnElement[bool]:
    mine = (stored_responses.c.creator_id == scope.principal_id) & (
        stored_responses.c.space_id.in_(scope.space_ids)
    )
    if scope.end_user_id:
        return mine & (stored_responses.c.end_user_id == scope.end_user_id)
    return mine
