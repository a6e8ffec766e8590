"""Leases of this process's runs, renewed by one loop; another looks for requests to cancel."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from datetime import timedelta
from typing import Any, Generic, Protocol, TypeVar

from application.run.registry import Live, RunRegistry, Stop
from application.shared.background import Background
from domain.shared.ids import RunId
from domain.shared.lease import RunLeases
from domain.shared.limits import Limits
from infra.contract.clock import Clock
from infra.contract.messaging.signal import Signals


class _Transaction(Protocol):
    async def commit(self) -> None: ...


U = TypeVar("U", bound=_Transaction)


class LeaseKeeper(Generic[U]):
    """One loop for all runs. A run whose lease is lost is stopped: somebody else settled it.

    ``is_shared`` says that other processes use the database too, so that a request to cancel may
    arrive there. The signal ``cancels`` tells of one at once; looking for them is the backup.
    """

    def __init__(
        self,
        *,
        transaction: Callable[[], AbstractAsyncContextManager[U]],
        snapshot: Callable[[], AbstractAsyncContextManager[U]],
        leases: Callable[[U], RunLeases],
        registry: RunRegistry[Any],
        signals: Signals,
        cancels: str,
        clock: Clock,
        limits: Limits,
        owner: str,
        is_shared: bool,
        poll_s: float,
    ) -> None:
        self._transaction = transaction
        self._snapshot = snapshot
        self._leases = leases
        self._registry = registry
        self._clock = clock
        self._limits = limits
        self._owner = owner
        self._is_shared = is_shared
        self._heartbeat = Background(
            self.renew, name=f"leases ({cancels})", interval_s=limits.run_heartbeat_s
        )
        self._requests = Background(
            self.stop_requested, name=f"requests ({cancels})", interval_s=poll_s
        )
        signals.listen(cancels, self._on_signal)

    async def start(self) -> None:
        await self._heartbeat.start()
        if self._is_shared:
            await self._requests.start()

    async def aclose(self) -> None:
        if self._is_shared:
            await self._requests.aclose()
        await self._heartbeat.aclose()

    async def renew(self) -> None:
        """Extend all leases by their full length."""
        # Chosen before the transaction: a run that begins meanwhile has a fresh lease, and must not
        # seem to have lost it.
        live: dict[RunId, Live] = {
            each.run_id: each for each in self._registry.in_progress() if each.is_leased
        }
        if not live:
            return
        until = self._clock.now() + timedelta(seconds=self._limits.run_lease_s)
        async with self._transaction() as uow:
            kept = await self._leases(uow).renew(self._owner, live.keys(), until=until)
            await uow.commit()
        for run_id, each in live.items():
            # Nobody renews a lease in its place: what it stores from now on would be refused
            # anyway.
            if run_id not in kept:
                each.stop(Stop.LEASE_LOST)

    def _on_signal(self, key: str) -> None:
        if key.isdecimal() and self._registry.find(int(key)) is not None:
            # Only woken, not stopped: the row tells what is to be cancelled, whatever a signal
            # says.
            self._requests.wake()

    async def stop_requested(self) -> None:
        """Stop what other processes were asked to cancel."""
        if not self._registry.size:
            return
        async with self._snapshot() as uow:
            asked = await self._leases(uow).cancel_requested(self._owner)
        for run_id in asked:
            if (live := self._registry.find(run_id)) is not None:
                live.stop(Stop.REQUESTED)
