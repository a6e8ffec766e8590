"""Which agents a caller may use, and whether what a configuration refers to exists."""

from collections.abc import Sequence

from application.agent.dto import ToolReferences
from crossdomain.file.contract import Files
from crossdomain.knowledge.contract import Knowledge
from crossdomain.model.contract import Models
from domain.agent.entity import Agent
from domain.agent.error import AgentNotFound, KnowledgeNotFound, ToolNotFound
from domain.agent.repository import AgentUnitOfWork
from domain.shared.access import Permission, Principal, TenantScope
from domain.shared.ids import AgentId, FileId, SpaceId


async def permitted_agent(
    uow: AgentUnitOfWork, principal: Principal, agent_id: int, permission: Permission
) -> Agent:
    """Return an agent the caller may use in this way.

    Raises:
        AgentNotFound: it does not exist, is in a foreign space, or the token excludes it.
        Forbidden: the permission is missing in the agent's space.
    """
    wanted = AgentId(agent_id)
    if principal.agent_ids is not None and wanted not in principal.agent_ids:
        raise AgentNotFound(f"No agent {agent_id}.", agent_id=agent_id)
    agent = await uow.agents.get(principal.scope, wanted)
    principal.require(permission, agent.space_id)
    return agent


class AgentReferences:
    """Checks what a configuration refers to, before any transaction begins."""

    def __init__(self, *, files: Files, models: Models, knowledge: Knowledge) -> None:
        self._files = files
        self._models = models
        self._knowledge = knowledge

    async def check(
        self,
        scope: TenantScope,
        space_id: SpaceId,
        *,
        model: str | None,
        icon_file_id: int | None,
        dataset_ids: Sequence[int],
        tools: ToolReferences,
    ) -> None:
        """Check what is given; None refers to nothing.

        Raises:
            ModelNotFound: no chat model has this id, name or alias.
            FileNotFound: no such file in the scope.
            KnowledgeNotFound: a dataset is not one of the agent's space.
            ToolNotFound: no such plugin or workflow in the scope.
        """
        for plugin_id, tool_id in tools.plugin_tools:
            raise ToolNotFound(f"No tool {tool_id} of plugin {plugin_id}.", plugin_id=plugin_id)
        for workflow_id in tools.workflows:
            raise ToolNotFound(f"No workflow {workflow_id}.", workflow_id=workflow_id)
        if dataset_ids:
            described = await self._knowledge.describe(scope.within(space_id), dataset_ids)
            known = {each.id for each in described}
            for dataset_id in dataset_ids:
                if dataset_id not in known:
                    raise KnowledgeNotFound(
                        f"No dataset {dataset_id} in the agent's workspace.", dataset_id=dataset_id
                    )
        if model:
            await self._models.describe(model)
        if icon_file_id is not None:
            await self._files.describe(scope, [FileId(icon_file_id)])
