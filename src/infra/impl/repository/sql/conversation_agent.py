"""Agents that sections were handed to, in SQL."""

from datetime import datetime

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from domain.conversation.error import ConversationNotFound
from domain.conversation.repository import ActiveAgent
from domain.shared.access import TenantScope
from domain.shared.ids import AgentId, SectionId
from infra.impl.repository.sql.conversation_schema import section_agents
from infra.impl.repository.sql.upsert import upsert


class SqlActiveAgentRepository:
    """At most one row per section and agent that was asked."""

    def __init__(self, connection: AsyncConnection) -> None:
        self._connection = connection

    async def path(
        self, scope: TenantScope, section_id: SectionId, agent_id: AgentId
    ) -> tuple[int, ...]:
        query = sa.select(section_agents.c.path).where(
            section_agents.c.section_id == section_id,
            section_agents.c.agent_id == agent_id,
            section_agents.c.space_id.in_(scope.space_ids),
        )
        found = await self._connection.scalar(query)
        return () if found is None else tuple(found)

    async def put(self, scope: TenantScope, active: ActiveAgent, *, now: datetime) -> None:
        if active.space_id not in scope.space_ids:
            raise ConversationNotFound(f"No conversation {active.conversation_id}.")
        insert = upsert(self._connection.dialect.name, section_agents).values(
            section_id=active.section_id,
            agent_id=active.agent_id,
            conversation_id=active.conversation_id,
            space_id=active.space_id,
            path=active.path,
            updated_at=now,
        )
        await self._connection.execute(
            insert.on_conflict_do_update(
                index_elements=[section_agents.c.section_id, section_agents.c.agent_id],
                set_={"path": insert.excluded.path, "updated_at": insert.excluded.updated_at},
            )
        )
