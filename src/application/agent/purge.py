"""Background job: removes agents for whose return it is too late."""

from datetime import timedelta
from typing import Final

from crossdomain.privacy.contract import LegalHolds
from domain.agent.repository import AgentStore
from domain.shared.limits import Limits
from infra.contract.clock import Clock

_AT_ONCE: Final = 100


class AgentPurge:
    """Ends the time in which a deleted agent can be restored; runs and conversations stay."""

    def __init__(
        self, *, store: AgentStore, holds: LegalHolds, clock: Clock, limits: Limits
    ) -> None:
        self._store = store
        self._holds = holds
        self._clock = clock
        self._limits = limits

    async def purge(self) -> int:
        """Remove what is due; return how many agents that were."""
        before = self._clock.now() - timedelta(seconds=self._limits.agent_restore_s)
        held, gone = await self._holds.held(), 0
        while True:
            async with self._store.transaction() as uow:
                found = await uow.janitor.purge(before=before, limit=_AT_ONCE, but=held)
                await uow.commit()
            gone += found
            if found < _AT_ONCE:
                return gone
