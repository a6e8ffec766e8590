"""Which tables an agent works with; asked for in every chat."""

from collections.abc import Sequence
from functools import partial

from domain.memory.database import DatabaseTable
from domain.memory.repository import MemoryStore
from domain.shared.access import TenantScope
from domain.shared.ids import AgentId, SpaceId
from domain.shared.limits import Limits
from domain.shared.memo import Memo
from infra.contract.clock import Clock

_Key = tuple[AgentId, frozenset[SpaceId]]


class BoundDatabases:
    """Remembers the tables of agents for ``Limits.definition_cache_s``.

    In this process ``forget`` makes a change effective at once; tables check each use themselves.
    """

    def __init__(self, *, store: MemoryStore, clock: Clock, limits: Limits) -> None:
        self._store = store
        self._known: Memo[_Key, Sequence[DatabaseTable]] = Memo(
            clock=clock, ttl_s=limits.definition_cache_s, size=limits.definition_cache_entries
        )

    async def of_agent(self, scope: TenantScope, agent_id: AgentId) -> Sequence[DatabaseTable]:
        """Return the tables that are bound to an agent in the spaces of the scope."""
        key = agent_id, frozenset(scope.space_ids)
        return await self._known.get(key, partial(self._load, scope, agent_id))

    def forget(self) -> None:
        """Some table or binding changed: that is rare, and agents are many."""
        self._known.forget(lambda _: True)

    async def _load(self, scope: TenantScope, agent_id: AgentId) -> Sequence[DatabaseTable]:
        async with self._store.snapshot() as uow:
            return await uow.databases.of_agent(scope, agent_id)
