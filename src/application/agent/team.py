"""Whom an agent works with: checked when it is saved, fixed when it is published."""

from collections.abc import Mapping, Sequence
from typing import Final

import msgspec

from domain.agent.entity import Agent, AgentSnapshot
from domain.agent.error import AgentInvalid, AgentNotPublished, MemberNotFound, TeamCycle
from domain.agent.repository import AgentQuery, AgentStore, AgentUnitOfWork
from domain.agent.teams.graph import cycle_from
from domain.agent.value import AgentConfig, Mode
from domain.agent.value.finding import Finding, FindingCode, finding
from domain.agent.value.team import AgentBinding, rebound
from domain.shared.access import TenantScope
from domain.shared.error import NotFound
from domain.shared.ids import AgentId, SpaceId

_MOST_VISITED: Final = 200
"""Agents that are looked at for cycles; runs have their own limit of depth."""


class TeamReferences:
    """Reads other agents of a space on behalf of one of them."""

    def __init__(self, store: AgentStore) -> None:
        self._store = store

    async def check(
        self,
        scope: TenantScope,
        space_id: SpaceId,
        *,
        agent_id: int,
        agents: Sequence[AgentBinding],
    ) -> None:
        """Check what an agent is to be bound to.

        Raises:
            MemberNotFound: no such agent in the space, or no such version of it.
            TeamCycle: it is the agent itself, or works with it, directly or not.
            AgentInvalid: a workflow answers for it.
        """
        if not agents:
            return
        within = scope.within(space_id)
        edges: dict[int, set[int]] = {agent_id: {each.agent_id for each in agents}}
        if agent_id in edges[agent_id]:
            raise TeamCycle("agents: an agent cannot work with itself.", field="agents")
        async with self._store.snapshot() as uow:
            following: list[AgentBinding] = []
            for each in agents:
                found = await _content(uow, within, each)
                if found.mode is not Mode.SINGLE:
                    raise AgentInvalid(
                        f"agents: a workflow answers for the agent {each.agent_id}; bind that "
                        "workflow instead.",
                        field="agents",
                    )
                following += _connected(each, found, edges)
            await _visit(uow, within, following, edges)
            cycle = cycle_from(agent_id, edges)
            if cycle:
                names = await uow.agents.names(within, [AgentId(each) for each in cycle])
                way = " → ".join(names.get(AgentId(each), str(each)) for each in cycle)
                raise TeamCycle(f"agents: they lead back to this agent: {way}.", field="agents")

    async def newest(self, scope: TenantScope, agent: Agent) -> Mapping[int, str]:
        """Return the newest versions of those that the draft names without one."""
        open_ids = [each.agent_id for each in agent.config.agents if not each.version]
        if not open_ids:
            return {}
        within = scope.within(agent.space_id)
        found: dict[int, str] = {}
        async with self._store.snapshot() as uow:
            for member_id in open_ids:
                try:
                    member = await uow.agents.get(within, AgentId(member_id))
                except NotFound:
                    continue
                if member.last_version:
                    found[member_id] = str(member.last_version)
        return found

    async def found(
        self,
        scope: TenantScope,
        config: AgentConfig,
        *,
        names: Mapping[int, str],
        is_home: bool,
        warnings: list[str],
    ) -> AgentConfig:
        """Return a configuration from a document, bound to the agents of this workspace.

        At home they are those of the same ids, elsewhere the only ones of the same names.
        """
        ids: dict[int, int] = {}
        async with self._store.snapshot() as uow:
            for each in config.agents:
                name = names.get(each.agent_id, "")
                known = await (
                    _by_id(uow, scope, each.agent_id) if is_home else _by_name(uow, scope, name)
                )
                if known is None:
                    warnings.append(f"the agent {name or each.agent_id} is not in this workspace")
                else:
                    ids[each.agent_id] = known
        agents, router = rebound(config.agents, config.router, ids, keeps_versions=is_home)
        return msgspec.structs.replace(config, agents=agents, router=router)

    async def findings(self, scope: TenantScope, agent: Agent) -> list[Finding]:
        """Name those without whom the agent cannot be published."""
        newest = await self.newest(scope, agent)
        missing = [
            each.agent_id
            for each in agent.config.agents
            if not each.version and each.agent_id not in newest
        ]
        if not missing:
            return []
        async with self._store.snapshot() as uow:
            within = scope.within(agent.space_id)
            names = await uow.agents.names(within, [AgentId(each) for each in missing])
        return [
            finding(FindingCode.AGENT_UNPUBLISHED, name=names[AgentId(each)])
            if AgentId(each) in names
            else finding(FindingCode.AGENT_GONE, id=each)
            for each in missing
        ]


async def _by_id(uow: AgentUnitOfWork, scope: TenantScope, agent_id: int) -> int | None:
    try:
        found = await uow.agents.get(scope, AgentId(agent_id))
    except NotFound:
        return None
    return found.id if found.mode is Mode.SINGLE else None


async def _by_name(uow: AgentUnitOfWork, scope: TenantScope, name: str) -> int | None:
    if not name:
        return None
    page, _ = await uow.agents.search(scope, AgentQuery(limit=_MOST_VISITED, text=name))
    same = [each.agent for each in page if each.agent.name == name]
    return same[0].id if len(same) == 1 and same[0].mode is Mode.SINGLE else None


async def _content(
    uow: AgentUnitOfWork, within: TenantScope, binding: AgentBinding
) -> AgentSnapshot:
    agent_id = AgentId(binding.agent_id)
    try:
        if binding.version:
            return (await uow.versions.get(within, agent_id, binding.version)).content
        return (await uow.agents.get(within, agent_id)).draft
    except AgentNotPublished as exc:
        raise MemberNotFound(f"agents: {exc.message}", agent_id=agent_id) from exc
    except NotFound as exc:
        raise MemberNotFound(
            f"agents: no agent {agent_id} in the agent's workspace.", agent_id=agent_id
        ) from exc


def _connected(
    binding: AgentBinding, found: AgentSnapshot, edges: dict[int, set[int]]
) -> Sequence[AgentBinding]:
    """Note whom an agent works with, and return what is new."""
    known = edges.setdefault(binding.agent_id, set())
    fresh = [each for each in found.config.agents if each.agent_id not in known]
    known.update(each.agent_id for each in fresh)
    return fresh


async def _visit(
    uow: AgentUnitOfWork,
    within: TenantScope,
    following: list[AgentBinding],
    edges: dict[int, set[int]],
) -> None:
    """Follow the bindings as far as they lead; agents that are gone lead nowhere."""
    while following and len(edges) < _MOST_VISITED:
        binding = following.pop()
        try:
            found = await _content(uow, within, binding)
        except MemberNotFound:
            continue
        following += _connected(binding, found, edges)
