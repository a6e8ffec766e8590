"""Variables of agents for the memory context: the declarations in their settings."""

from crossdomain.memory.contract import DeclaredVariable, DeclaredVariables
from domain.agent.definition import AgentDefinitions
from domain.agent.entity import AgentSnapshot
from domain.agent.error import AgentNotPublished
from domain.agent.value import VariableChannel, VariableDefinition, VariableType
from domain.shared.access import TenantScope
from domain.shared.ids import AgentId


class AgentVariableSource:
    """Implements ``VariableSource``; publishing an agent publishes its variables with it."""

    def __init__(self, definitions: AgentDefinitions) -> None:
        self._definitions = definitions

    async def declared(
        self, scope: TenantScope, owner_id: int, *, is_draft: bool, connector_id: int
    ) -> DeclaredVariables:
        snapshot = await self._snapshot(scope, AgentId(owner_id), is_draft, connector_id)
        return DeclaredVariables(
            space_id=snapshot.space_id,
            items=tuple(_declared(each) for each in snapshot.config.variables),
        )

    async def _snapshot(
        self, scope: TenantScope, agent_id: AgentId, is_draft: bool, connector_id: int
    ) -> AgentSnapshot:
        if not is_draft:
            try:
                return await self._definitions.active(scope, agent_id, connector_id)
            except AgentNotPublished:
                pass  # its values can be prepared before it is published
        return await self._definitions.draft(scope, agent_id)


def _declared(variable: VariableDefinition) -> DeclaredVariable:
    return DeclaredVariable(
        keyword=variable.keyword,
        default_value=variable.default_value,
        description=variable.description,
        is_list=variable.variable_type is VariableType.LIST,
        is_system=variable.channel is VariableChannel.SYSTEM,
        is_enabled=variable.enabled,
        is_shown=variable.prompt_enabled,
    )
