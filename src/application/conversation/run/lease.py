"""Keeps the leases of this process's runs, and hears what others ask of them."""

from datetime import timedelta

from application.conversation.run.registry import RunRegistry, Stop
from application.conversation.signal import RUN_CANCEL
from application.shared.background import Background
from domain.conversation.repository import ConversationStore
from domain.shared.limits import Limits
from infra.contract.clock import Clock
from infra.contract.signal import Signals


class LeaseKeeper:
    """One loop for all runs. A run whose lease is lost is stopped: somebody else settled it.

    ``is_shared`` says that other processes use the database too, so that a request to cancel may
    arrive there. A signal tells of one at once; looking for them is the backup.
    """

    def __init__(
        self,
        *,
        store: ConversationStore,
        registry: RunRegistry,
        signals: Signals,
        clock: Clock,
        limits: Limits,
        owner: str,
        is_shared: bool,
    ) -> None:
        self._store = store
        self._registry = registry
        self._clock = clock
        self._limits = limits
        self._owner = owner
        self._is_shared = is_shared
        self._heartbeat = Background(self.renew, name="leases", interval_s=limits.run_heartbeat_s)
        self._ear = Background(self.hear, name="cancel requests", interval_s=limits.cancel_poll_s)
        signals.listen(RUN_CANCEL, self._told)

    async def start(self) -> None:
        await self._heartbeat.start()
        if self._is_shared:
            await self._ear.start()

    async def aclose(self) -> None:
        if self._is_shared:
            await self._ear.aclose()
        await self._heartbeat.aclose()

    async def renew(self) -> None:
        """Extend all leases by their full length."""
        live = {run.run_id: run for run in self._registry.in_progress() if run.view is not None}
        if not live:
            return
        until = self._clock.now() + timedelta(seconds=self._limits.run_lease_s)
        async with self._store.transaction() as uow:
            kept = await uow.recovery.renew(self._owner, live.keys(), until=until)
            await uow.commit()
        for run_id, run in live.items():
            if run_id not in kept:
                run.stop(Stop.LEASE_LOST)

    def _told(self, key: str) -> None:
        if key.isdecimal() and self._registry.find(int(key)) is not None:
            self._ear.wake()

    async def hear(self) -> None:
        """Stop what other processes were asked to cancel."""
        if not self._registry.size:
            return
        async with self._store.snapshot() as uow:
            asked = await uow.recovery.cancel_requested(self._owner)
        for run_id in asked:
            if (run := self._registry.find(run_id)) is not None:
                run.stop(Stop.REQUESTED)
