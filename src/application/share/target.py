"""Targets of share links: whether they answer, and through which connector."""

from dataclasses import dataclass

from crossdomain.agent.contract import Agents, AgentSelector, FlowSelector
from domain.share.link import ShareLink
from domain.share.value import TargetKind
from domain.shared.access import CONNECTOR_API, CONNECTOR_WEB_SDK
from domain.shared.error import NotFound
from domain.shared.ids import AgentId

_CONNECTORS = (CONNECTOR_WEB_SDK, CONNECTOR_API)


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """What answers behind a link."""

    name: str
    connector_id: int


class LinkTargets:
    """Finds what links lead to, as their visitors would."""

    def __init__(self, agents: Agents) -> None:
        self._agents = agents

    async def find(self, link: ShareLink) -> Target:
        """Return what answers; raise ``NotFound`` if it is gone, or not published any more.

        An agent on the web channel answers there, else on the API's.
        """
        scope = link.principal("").scope
        if link.target_kind is TargetKind.WORKFLOW:
            flow = await self._agents.load_flow(scope, FlowSelector(workflow_id=link.target_id))
            return Target(name=flow.name, connector_id=CONNECTOR_API)
        *others, last = _CONNECTORS
        for connector_id in others:
            try:
                return await self._agent(link, connector_id)
            except NotFound:
                continue
        return await self._agent(link, last)

    async def _agent(self, link: ShareLink, connector_id: int) -> Target:
        selector = AgentSelector(kind="published", connector_id=connector_id)
        scope = link.principal("").scope
        found = await self._agents.load(scope, AgentId(link.target_id), selector)
        return Target(name=found.name, connector_id=connector_id)
