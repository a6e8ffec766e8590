"""Templates: agents that their workspace offers for copying."""

from application.agent.access import permitted_agent
from application.agent.dto import AgentView
from application.agent.service import AgentService
from domain.agent.error import TemplateNotFound
from domain.agent.repository import AgentStore
from domain.shared.access import Permission, Principal
from domain.shared.ids import SpaceId


class TemplateService:
    """Makes agents from templates. A template is seen by the members of its workspace."""

    def __init__(self, *, store: AgentStore, agents: AgentService) -> None:
        self._store = store
        self._agents = agents

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
