"""Templates: agents that their workspace offers for copying."""

from dataclasses import replace

from application.agent.access import permitted_agent
from application.agent.dto import AgentPage, AgentView
from application.agent.service import AgentService
from application.agent.view import AgentViews
from domain.agent.error import TemplateNotFound
from domain.agent.repository import AgentQuery, AgentStore
from domain.shared.access import Permission, Principal
from domain.shared.ids import SpaceId


class TemplateService:
    """Lists templates, and makes agents from them; members of its workspace see a template."""

    def __init__(self, *, store: AgentStore, agents: AgentService, views: AgentViews) -> None:
        self._store = store
        self._agents = agents
        self._views = views

    async def list(
        self, principal: Principal, *, limit: int, text: str = "", after_id: int | None = None
    ) -> AgentPage:
        """Return one page of the templates of all workspaces of the caller, newest first."""
        readable = (each for each in principal.roles if principal.may(Permission.AGENT_READ, each))
        scope = replace(principal.scope, space_ids=frozenset(readable))
        query = AgentQuery(
            limit=limit + 1,
            by_id=True,
            after_id=after_id,
            text=text,
            agent_ids=principal.agent_ids,
            is_template=True,
        )
        async with self._store.snapshot() as uow:
            found, total = await uow.agents.search(scope, query)
        items = await self._views.listing(scope, found[:limit], names_parts=True)
        return AgentPage(items=items, total=total, has_more=len(found) > limit)

    async def duplicate(
        self, principal: Principal, template_id: int, *, space_id: int, name: str = ""
    ) -> AgentView:
        """Copy a template into a workspace, under its own name unless another is given.

        Raises:
            TemplateNotFound: the agent is not offered as a template.
            AgentNotFound: no such agent where the caller is a member.
        """
        principal.require(Permission.AGENT_WRITE, SpaceId(space_id))
        principal.require_beyond_agents()
        async with self._store.snapshot() as uow:
            source = await permitted_agent(uow, principal, template_id, Permission.AGENT_READ)
        if source.template_category is None:
            raise TemplateNotFound(f"No template {template_id}.", template_id=template_id)
        return await self._agents.duplicate(
            principal, template_id, name=name or source.name, space_id=space_id
        )
