"""Targets of strangers: whether they answer, and through which connector."""

from dataclasses import dataclass

from crossdomain.agent.contract import Agents, AgentSelector, FlowSelector
from domain.shared.access import CONNECTOR_API, CONNECTOR_WEB_SDK, TenantScope
from domain.shared.error import NotFound
from domain.shared.ids import AgentId
from domain.shared.target import TargetKind

_CONNECTORS = (CONNECTOR_WEB_SDK, CONNECTOR_API)


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """What answers."""

    name: str
    connector_id: int


class Targets:
    """Finds what strangers talk to, as they would."""

    def __init__(self, agents: Agents) -> None:
        self._agents = agents

    async def find(self, scope: TenantScope, kind: TargetKind, target_id: int) -> Target:
        """Return what answers; raise ``NotFound`` if it is gone, or not published any more.

        An agent on the web channel answers there, else on the API's.
        """
        if kind is TargetKind.WORKFLOW:
            flow = await self._agents.load_flow(scope, FlowSelector(workflow_id=target_id))
            return Target(name=flow.name, connector_id=CONNECTOR_API)
        *others, last = _CONNECTORS
        for connector_id in others:
            try:
                return await self._agent(scope, target_id, connector_id)
            except NotFound:
                continue
        return await self._agent(scope, target_id, last)

    async def _agent(self, scope: TenantScope, agent_id: int, connector_id: int) -> Target:
        selector = AgentSelector(kind="published", connector_id=connector_id)
        found = await self._agents.load(scope, AgentId(agent_id), selector)
        return Target(name=found.name, connector_id=connector_id)
