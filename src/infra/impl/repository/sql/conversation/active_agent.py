"""Agents that sections were handed to, in SQL."""

from datetime import datetime

from domain.conversation.error import ConversationNotFound
from domain.conversation.repository import ActiveAgent
from domain.shared.access import TenantScope
from domain.shared.ids import AgentId, SectionId
from infra.impl.repository.sql.conversation.table import ACTIVE_AGENTS, section_agents
from infra.impl.repository.sql.engine.database import SqlUnitOfWork
from infra.impl.repository.sql.mapping.tenant_rows import TenantRows


class SqlActiveAgentRepository:
    """At most one row per section and agent that was asked."""

    def __init__(self, uow: SqlUnitOfWork) -> None:
        self._rows = TenantRows(uow, ACTIVE_AGENTS, missing=_not_found)

    async def path(
        self, scope: TenantScope, section_id: SectionId, agent_id: AgentId
    ) -> tuple[int, ...]:
        found = await self._rows.find(
            scope,
            section_agents.c.section_id == section_id,
            section_agents.c.agent_id == agent_id,
        )
        return () if found is None else found.path

    async def put(self, scope: TenantScope, active: ActiveAgent, *, now: datetime) -> None:
        await self._rows.put(scope, active, updated_at=now)


def _not_found(_: int) -> ConversationNotFound:
    return ConversationNotFound("No such conversation.")
