"""Brings runs into this process, or into the queue."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from functools import partial
from typing import Final

from application.run.allowance import Admission, RunAllowance
from application.run.log import RunLog
from application.workflow.run.event import EVENTS, RunEvent
from application.workflow.run.executor import RunExecutor, RunJob
from application.workflow.run.live import LiveRun, WorkflowRegistry
from domain.shared.access import TenantScope
from domain.shared.capacity.fair_share import FairShare
from domain.shared.error import AppError, Unavailable
from domain.shared.ids import SpaceId
from domain.shared.limits import Limits
from domain.workflow.engine.error import LeaseLost
from domain.workflow.limit import WorkflowLimits
from domain.workflow.run.workflow_run import RunMode, WorkflowRun
from infra.contract.clock import Clock
from infra.contract.storage.run_count import RunKind

_KEPT: Final = 10
"""One place of so many is never had by one workspace alone: a run may last for a day."""
_NOT_STORED: Final = "The run could not be stored and is not begun; try again."


class RunLauncher:
    """Everything that carries out runs in this process begins here; ``owner`` names it.

    ``takes_queued``: asynchronous runs are work of this process, not of others.
    """

    def __init__(
        self,
        *,
        registry: WorkflowRegistry,
        executor: RunExecutor,
        clock: Clock,
        limits: Limits,
        workflow_limits: WorkflowLimits,
        owner: str,
        takes_queued: bool,
        allowance: RunAllowance,
    ) -> None:
        self._allowance = allowance
        allowance.watch(RunKind.WORKFLOW, registry.places.held_by)
        self.owner = owner
        self._takes_queued = takes_queued
        self.registry = registry
        self._executor = executor
        self._clock = clock
        self._limits = limits
        self._workflow_limits = workflow_limits
        most = workflow_limits.background_runs
        self.background = FairShare(
            "runs in the background", capacity=most, kept=most // _KEPT, waiting=0, wait_s=0.0
        )
        """Places of runs nobody waits for."""

    @property
    def background_room(self) -> int:
        """How many more asynchronous runs this process takes."""
        return self.background.free if self._takes_queued else 0

    @property
    def lease_s(self) -> float:
        return self._limits.run_lease_s

    @asynccontextmanager
    async def admission(self, run: WorkflowRun) -> AsyncGenerator[Admission, None]:
        """Take a new run, or leave it to the queue if it is asynchronous and there is no room.

        It is opened before the admission ends.

        Raises:
            RateLimited: too many runs in this process or space (4013).
            ShuttingDown: the process takes no new work (5002).
            Unavailable: it cannot be found out how many the space has.
        """
        self.registry.require_room(run.space_id)
        async with self._allowance.admission(run.space_id, RunKind.WORKFLOW) as admission:
            is_here = self._takes_queued and self.background.has_room(run.space_id)
            if run.mode is not RunMode.ASYNC or is_here:
                self.take(run)
            yield admission

    def take(self, run: WorkflowRun) -> None:
        """Take a new run into this process."""
        limits = self._workflow_limits
        is_async = run.mode is RunMode.ASYNC
        run.begin(
            self.owner,
            now=self._clock.now(),
            lease_s=self._limits.run_lease_s,
            limit_s=limits.run_background_s if is_async else limits.run_foreground_s,
        )

    async def open(self, job: RunJob, admission: Admission) -> LiveRun:
        """Begin a run that was admitted; an asynchronous one is stored before this returns.

        Raises:
            Unavailable: the storage does not take it.
        """
        try:
            if not job.run.lease_owner:
                live = self.show(job.run)
                await self._executor.recorder(job, live).flush()
                return live
            live = self.launch(job)
            admission.end()
            if job.run.mode is RunMode.ASYNC:
                await live.flush()
        except LeaseLost as exc:  # a new run is nobody else's
            raise Unavailable(_NOT_STORED, retry_after_s=1.0) from exc
        return live

    def launch(self, job: RunJob) -> LiveRun:
        """Carry on a run that this process holds the lease of.

        Raises:
            RateLimited: too many runs in this process (4013).
            ShuttingDown: the process takes no new work (5002).
        """
        last_seq = job.stored.last_seq if job.stored else 0
        live = LiveRun(job.run, log=self._log(last_seq))
        recorder = self._executor.recorder(job, live)
        live.flush = recorder.flush
        space_id, is_async = job.run.space_id, job.run.mode is RunMode.ASYNC
        self.registry.require_room(space_id)
        work = partial(self._executor.execute, job, live, recorder)
        # Who was taken from the queue meanwhile may have had the last place: one more goes on.
        is_counted = is_async and self.background.try_acquire(space_id)
        self.registry.places.try_acquire(space_id)
        self._allowance.changed(space_id)
        try:
            self.registry.launch(
                live, work, leave=partial(self._leave, space_id, is_counted=is_counted)
            )
        except AppError:
            self._leave(space_id, is_counted=is_counted)
            raise
        return live

    def _leave(self, space_id: SpaceId, *, is_counted: bool) -> None:
        self.registry.places.release(space_id)
        self._allowance.changed(space_id)
        if is_counted:
            self.background.release(space_id)

    def find(self, scope: TenantScope, run_id: int) -> LiveRun | None:
        """Return a run in progress here that the scope may see."""
        live = self.registry.find(run_id)
        return live if live is not None and live.is_visible_to(scope) else None

    def show(self, run: WorkflowRun) -> LiveRun:
        """Show a stored run that nobody carries out like one that was carried out here."""
        live = LiveRun(run, log=self._log(0))
        live.is_settled = run.is_over
        live.ended.set()
        return live

    def _log(self, last_seq: int) -> RunLog[RunEvent]:
        return RunLog(EVENTS, clock=self._clock, limits=self._limits, begins_after=last_seq)
