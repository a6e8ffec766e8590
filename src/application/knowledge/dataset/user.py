"""Who uses a knowledge base."""

import msgspec

from crossdomain.agent.contract import Agents
from domain.knowledge.repository import KnowledgeStore
from domain.knowledge.value import DatasetId
from domain.shared.access import Permission, Principal


class AgentReference(msgspec.Struct, frozen=True, kw_only=True):
    """An agent whose draft searches the base."""

    agent_id: int
    name: str


class DatasetReferences:
    """Tells who would miss a base."""

    def __init__(self, *, store: KnowledgeStore, agents: Agents) -> None:
        self._store = store
        self._agents = agents

    async def agents(self, principal: Principal, dataset_id: int) -> tuple[AgentReference, ...]:
        """Return the agents of the space that are bound to a base; raise ``DatasetNotFound``."""
        async with self._store.snapshot() as uow:
            dataset = await uow.datasets.get(principal.scope, DatasetId(dataset_id))
        principal.require(Permission.DATASET_READ, dataset.space_id)
        scope = principal.scope.within(dataset.space_id)
        names = await self._agents.bound_to(scope, dataset.id)
        return tuple(AgentReference(agent_id=key, name=name) for key, name in names.items())
