"""Variables that workflows left in conversations, in SQL."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from domain.conversation.error import ConversationNotFound
from domain.conversation.repository import FlowVariables
from domain.shared.access import TenantScope
from domain.shared.ids import ConversationId
from infra.impl.repository.sql.conversation.table import flow_variables
from infra.impl.repository.sql.mapping.upsert import upsert


class SqlFlowVariablesRepository:
    """At most one row per conversation and workflow."""

    def __init__(self, connection: AsyncConnection) -> None:
        self._connection = connection

    async def get(
        self, scope: TenantScope, conversation_id: ConversationId, workflow_id: int
    ) -> Mapping[str, Any]:
        table = flow_variables
        query = sa.select(table.c.variables).where(
            table.c.conversation_id == conversation_id,
            table.c.workflow_id == workflow_id,
            table.c.space_id.in_(scope.space_ids),
        )
        found: Mapping[str, Any] | None = await self._connection.scalar(query)
        return found or {}

    async def put(self, scope: TenantScope, kept: FlowVariables, *, now: datetime) -> None:
        if kept.space_id not in scope.space_ids:
            raise ConversationNotFound(f"No conversation {kept.conversation_id}.")
        table = flow_variables
        insert = upsert(self._connection.dialect.name, table).values(
            {
                "conversation_id": kept.conversation_id,
                "workflow_id": kept.workflow_id,
                "space_id": kept.space_id,
                "variables": dict(kept.values),
                "updated_at": now,
            }
        )
        changed = {name: insert.excluded[name] for name in ("variables", "updated_at")}
        await self._connection.execute(
            insert.on_conflict_do_update(
                index_elements=[table.c.conversation_id, table.c.workflow_id], set_=changed
            )
        )
