"""The events of runs: from memory while they go on, from the log otherwise."""

from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from functools import partial

from application.shared.wakeup import Wakeups
from application.workflow.run.event import RunRecord, decode_records
from application.workflow.run.launch import RunLauncher
from application.workflow.run.live import LiveRun
from domain.shared.access import Permission, Principal, TenantScope
from domain.shared.error import ShuttingDown
from domain.shared.ids import RunId, SpaceId
from domain.workflow.run.repository import WorkflowRunStore


class RunFollower:
    """Any number of callers follow a run; who leaves changes nothing."""

    def __init__(self, *, store: WorkflowRunStore, launcher: RunLauncher, wakeups: Wakeups) -> None:
        self._store = store
        self._launcher = launcher
        self._wakeups = wakeups

    def follow(
        self, principal: Principal, run_id: int, *, after: int = 0
    ) -> AsyncGenerator[list[RunRecord], None]:
        """Yield the events after number ``after`` in batches, until the run ends or waits.

        Iterate inside ``aclosing``. Works for live runs, for those of other processes, and for
        ended ones.

        Raises:
            WorkflowRunNotFound: no such run here; on the first step.
            ShuttingDown: the process ends, and another one goes on with the run.
        """
        allowed = partial(principal.require, Permission.WORKFLOW_READ)
        return self.events(principal.scope, run_id, allowed, after=after)

    async def events(
        self,
        scope: TenantScope,
        run_id: int,
        allowed: Callable[[SpaceId], None],
        *,
        after: int = 0,
    ) -> AsyncGenerator[list[RunRecord], None]:
        """Yield the events as ``follow`` does; ``allowed`` raises if the space is none to read."""
        # Taken before the first look: what is stored between a look and the pause has to wake it.
        with self._wakeups.waiter(run_id) as waiter:
            while True:
                live = self._launcher.find(scope, run_id)
                if live is not None:
                    allowed(live.run.space_id)
                    # A run that goes on begins where its log is stored to, which may be before what
                    # somebody has seen.
                    after = min(after, live.log.last_seq)
                    logged = partial(self._flushed, scope, live)
                    async with aclosing(live.log.follow(after, stored=logged)) as batches:
                        async for batch in batches:
                            after = batch[-1].seq
                            yield batch
                    if live.failure is not None:
                        raise live.failure
                    if live.is_settled:
                        return
                else:
                    async with self._store.snapshot() as uow:
                        run = await uow.runs.get(scope, RunId(run_id))
                    allowed(run.space_id)
                    records = await self.logged(scope, run_id, after=after)
                    if records:
                        after = records[-1].seq
                        yield records
                    if run.is_over:
                        return
                if self._launcher.registry.is_draining:
                    raise ShuttingDown("The server is shutting down; follow the run again later.")
                await waiter.pause()

    async def logged(self, scope: TenantScope, run_id: int, *, after: int = 0) -> list[RunRecord]:
        """Return the stored events after number ``after``."""
        async with self._store.snapshot() as uow:
            batches = await uow.runs.log(scope, RunId(run_id), after=after)
        records = [record for batch in batches for record in decode_records(batch.events)]
        return [record for record in records if record.seq > after]

    async def _flushed(
        self, scope: TenantScope, live: LiveRun, after: int
    ) -> AsyncGenerator[list[RunRecord], None]:
        """Yield the stored events of a run in progress, up to what it tells now."""
        await live.flush_for_readers()
        yield await self.logged(scope, live.run.id, after=after)
