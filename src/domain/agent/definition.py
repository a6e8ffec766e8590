"""Loads what is to be executed; published versions come from a small cache."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import partial

from domain.agent.entity import AgentSnapshot
from domain.agent.error import AgentNotFound
from domain.agent.repository import AgentStore
from domain.shared.access import TenantScope
from domain.shared.ids import AgentId
from domain.shared.limits import Limits
from domain.shared.memo import Memo
from domain.shared.settlement import TraceLevel
from infra.contract.clock import Clock


@dataclass(frozen=True, slots=True)
class _Key:
    """A published version by its label, or by the connector it is active on."""

    agent_id: AgentId
    connector_id: int = 0
    version: str = ""


class AgentDefinitions:
    """Snapshots of drafts and of published versions.

    Versions are immutable, but which one is active may change in another process: entries live for
    ``Limits.definition_cache_s``. In this process ``forget`` makes a change effective at once.
    """

    def __init__(self, *, store: AgentStore, clock: Clock, limits: Limits) -> None:
        self._store = store
        self._known: Memo[_Key, AgentSnapshot] = Memo(
            clock=clock, ttl_s=limits.definition_cache_s, size=limits.definition_cache_entries
        )
        self._captures: Memo[AgentId, TraceLevel | None] = Memo(
            clock=clock, ttl_s=limits.definition_cache_s, size=limits.definition_cache_entries
        )

    async def draft(self, scope: TenantScope, agent_id: AgentId) -> AgentSnapshot:
        """Return the draft; raise ``AgentNotFound``."""
        async with self._store.snapshot() as uow:
            return (await uow.agents.get(scope, agent_id)).draft

    async def active(
        self, scope: TenantScope, agent_id: AgentId, connector_id: int
    ) -> AgentSnapshot:
        """Return what answers on a connector; raise ``AgentNotFound``, ``AgentNotPublished``."""
        return await self._cached(scope, _Key(agent_id, connector_id=connector_id))

    async def version(self, scope: TenantScope, agent_id: AgentId, label: str) -> AgentSnapshot:
        """Return one version; raise ``AgentNotFound``, ``AgentNotPublished``."""
        return await self._cached(scope, _Key(agent_id, version=label))

    async def trace_capture(self, scope: TenantScope, agent_id: int) -> TraceLevel | None:
        """Return how much of its runs is kept; None if it leaves that to its workspace."""
        wanted = AgentId(agent_id)
        return await self._captures.get(wanted, partial(self._load_capture, scope, wanted))

    async def names(self, scope: TenantScope, agent_ids: Sequence[AgentId]) -> dict[AgentId, str]:
        """Return the names of the agents that exist in the scope."""
        if not agent_ids:
            return {}
        async with self._store.snapshot() as uow:
            return await uow.agents.names(scope, agent_ids)

    async def bound_to(self, scope: TenantScope, dataset_id: int) -> dict[AgentId, str]:
        """Return the names of the agents whose drafts search this knowledge base."""
        async with self._store.snapshot() as uow:
            return await uow.agents.bound_to(scope, dataset_id)

    async def count_bound(self, scope: TenantScope, dataset_ids: Collection[int]) -> dict[int, int]:
        """Count the agents whose drafts search each of these knowledge bases."""
        if not dataset_ids:
            return {}
        async with self._store.snapshot() as uow:
            return await uow.agents.count_bound(scope, dataset_ids)

    def forget(self, agent_id: AgentId) -> None:
        """Drop everything cached of an agent, loads under way included."""
        self._known.forget(lambda key: key.agent_id == agent_id)
        self._captures.forget(lambda key: key == agent_id)

    async def _load_capture(self, scope: TenantScope, agent_id: AgentId) -> TraceLevel | None:
        async with self._store.snapshot() as uow:
            try:
                return (await uow.agents.get(scope, agent_id)).trace_capture
            except AgentNotFound:
                return None

    async def _cached(self, scope: TenantScope, key: _Key) -> AgentSnapshot:
        snapshot = await self._known.get(key, partial(self._load, scope, key))
        if snapshot.space_id not in scope.space_ids:
            raise AgentNotFound(f"No agent {key.agent_id}.", agent_id=key.agent_id)
        return snapshot

    async def _load(self, scope: TenantScope, key: _Key) -> AgentSnapshot:
        async with self._store.snapshot() as uow:
            if key.version:
                found = await uow.versions.get(scope, key.agent_id, key.version)
            else:
                found = await uow.versions.active(scope, key.agent_id, key.connector_id)
        return found.content
