"""Which agents a caller may use, and whether what a configuration refers to exists."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from crossdomain.file.contract import Files
from crossdomain.knowledge.contract import Knowledge
from crossdomain.model.contract import Models
from crossdomain.plugin.contract import Plugins
from crossdomain.workflow.contract import Workflows
from domain.agent.entity import Agent
from domain.agent.error import AgentNotFound, KnowledgeNotFound, ToolNotFound
from domain.agent.repository import AgentUnitOfWork
from domain.shared.access import Permission, Principal
from domain.shared.error import NotFound
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


async def deleted_agent(
    uow: AgentUnitOfWork, principal: Principal, agent_id: int, *, since: datetime
) -> Agent:
    """Return an agent that was deleted since then, for somebody who may edit it.

    Raises:
        AgentNotFound: as in ``permitted_agent``, and if it is not deleted.
        Forbidden: the permission is missing in the agent's space.
    """
    principal.require_beyond_agents()
    agent = await uow.agents.get_deleted(principal.scope, AgentId(agent_id), since=since)
    principal.require(Permission.AGENT_WRITE, agent.space_id)
    return agent


def require_bindings(
    principal: Principal,
    space_id: SpaceId,
    *,
    dataset_ids: Sequence[int],
    workflow_ids: Sequence[int],
    plugin_tools: Sequence[tuple[int, int]],
    agent_ids: Sequence[int],
) -> None:
    """Raise ``Forbidden`` for what the caller may not look into: an agent would tell of it."""
    for bound, permission in (
        (dataset_ids, Permission.DATASET_READ),
        (workflow_ids, Permission.WORKFLOW_READ),
        (plugin_tools, Permission.PLUGIN_READ),
    ):
        if bound:
            principal.require(permission, space_id)
    if agent_ids:
        principal.require_beyond_agents()


class AgentReferences:
    """Checks what a configuration refers to, before any transaction begins."""

    def __init__(
        self,
        *,
        files: Files,
        models: Models,
        knowledge: Knowledge,
        plugins: Plugins,
        flows: Workflows,
    ) -> None:
        self._files = files
        self._plugins = plugins
        self._flows = flows
        self._models = models
        self._knowledge = knowledge

    async def check(
        self,
        principal: Principal,
        space_id: SpaceId,
        *,
        model: str | None,
        icon_file_id: int | None,
        dataset_ids: Sequence[int],
        workflow_ids: Sequence[int] = (),
        plugin_tools: Sequence[tuple[int, int]] = (),
        agent_ids: Sequence[int] = (),
    ) -> None:
        """Check what is given; None refers to nothing. Tools of plugins are pairs of ids.

        Raises:
            ModelNotFound: no chat model has this id, name or alias.
            FileNotFound: no such file in the scope.
            KnowledgeNotFound: a dataset is not one of the agent's space.
            ToolNotFound: no such plugin or workflow in the scope.
            Forbidden: the caller may not read what it would bind.
        """
        require_bindings(
            principal,
            space_id,
            dataset_ids=dataset_ids,
            workflow_ids=workflow_ids,
            plugin_tools=plugin_tools,
            agent_ids=agent_ids,
        )
        scope = principal.scope
        if plugin_tools:
            found = await self._plugins.existing(scope.within(space_id), plugin_tools)
            for plugin_id, tool_id in plugin_tools:
                if (plugin_id, tool_id) not in found:
                    raise ToolNotFound(
                        f"No tool {tool_id} of plugin {plugin_id}.", plugin_id=plugin_id
                    )
        for workflow_id in workflow_ids:
            try:
                await self._flows.find(scope.within(space_id), workflow_id=workflow_id)
            except NotFound as exc:
                raise ToolNotFound(
                    f"No published workflow {workflow_id} in the agent's workspace.",
                    workflow_id=workflow_id,
                ) from exc
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
            await self._files.describe(scope.home, [FileId(icon_file_id)])

    async def check_search(self, changes: Mapping[str, Any]) -> None:
        """Check changes of how knowledge is searched.

        Raises:
            ModelNotFound: no chat model writes questions anew.
            KnowledgeInvalid: the metadata filter is none.
        """
        if model := changes.get("expansion_model"):
            await self._models.describe(model)
        if wanted := changes.get("filter"):
            self._knowledge.check_filter(wanted)
