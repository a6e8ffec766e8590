"""The workflow runs this process carries out: owner of their tasks."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from functools import partial
from typing import Final

from application.run.log import RunLog
from application.workflow.run.event import RunEvent
from domain.shared.access import TenantScope
from domain.shared.error import AppError, RateLimited, ShuttingDown
from domain.shared.fair_share import FairShare
from domain.shared.ids import RunId, SpaceId, UserId
from domain.shared.limits import Limits
from domain.shared.processor import work_for
from domain.shared.share_meter import ShareFigures
from domain.workflow.engine.execution import Execution
from domain.workflow.run.workflow_run import ACCOUNT_DISABLED, RunFault, WorkflowRun
from infra.contract.database import priority_scope

_logger: Final = logging.getLogger(__name__)

_RETRY_AFTER_S: Final = 1.0
_KEPT: Final = 10
"""One place of so many is never had by one workspace alone: a run may last for a day."""


class LiveRun:
    """A run in this process: its events, its task, and how to stop it."""

    def __init__(self, run: WorkflowRun, *, log: RunLog[RunEvent]) -> None:
        self.run = run
        self.log = log
        self.ended = asyncio.Event()
        self.is_cancelled = False
        self.fault: RunFault | None = None
        """Why it was cancelled, if that is a failure."""
        self.is_settled = False
        """How the stretch ended is stored."""
        self.failure: AppError | None = None
        """Why nobody will ever find the run in the storage; callers get it instead."""
        self.execution: Execution | None = None
        self.flush: Callable[[], Awaitable[None]] = _nothing
        """Returns when what happened so far is stored."""
        self._task: asyncio.Task[None] | None = None

    def is_visible_to(self, scope: TenantScope) -> bool:
        """Tell whether the scope may see the run."""
        run = self.run
        return scope.may_see_run(
            run.space_id, creator_id=run.creator_id, end_user_id=run.end_user_id
        )

    def attach(self, task: asyncio.Task[None]) -> None:
        self._task = task

    def cancel(self) -> None:
        """End the run for good, soon."""
        self.is_cancelled = True
        if self.execution is not None:
            self.execution.cancel()

    def abandon(self) -> None:
        """Stop working on it; another worker goes on."""
        if self._task is not None:
            self._task.cancel()


class WorkflowRunRegistry:
    """Starts tasks, finds live runs, and hands them on when the process ends."""

    def __init__(
        self, *, limits: Limits, background: int, figures: ShareFigures | None = None
    ) -> None:
        """``background`` runs that nobody waits for are carried out at once."""
        self._limits = limits
        self._live: dict[RunId, LiveRun] = {}
        most = limits.runs_per_process
        kept = max(most // _KEPT, most - limits.runs_per_space, 0)
        self._places = FairShare(
            "runs of workflows", capacity=most, kept=kept, waiting=0, wait_s=0.0
        )
        self._background_places = FairShare(
            "runs in the background",
            capacity=background,
            kept=background // _KEPT,
            waiting=0,
            wait_s=0.0,
        )
        if figures is not None:
            figures.show("workflow runs", self._places)
            figures.show("background runs", self._background_places)
        self._tasks: set[asyncio.Task[None]] = set()
        self._stack = AsyncExitStack()
        self._group: asyncio.TaskGroup | None = None
        self._is_draining = False

    @property
    def background(self) -> FairShare:
        """Places of runs nobody waits for."""
        return self._background_places

    @property
    def is_draining(self) -> bool:
        return self._is_draining

    async def start(self) -> None:
        self._group = await self._stack.enter_async_context(asyncio.TaskGroup())

    async def aclose(self) -> None:
        """Drain, then end."""
        await self.drain(0.0)
        await self._stack.aclose()

    async def drain(self, grace_s: float) -> None:
        """Refuse new runs, wait for the others, then let another process go on with the rest."""
        self._is_draining = True
        if self._tasks and grace_s:
            await asyncio.wait(self._tasks, timeout=grace_s)
        for live in self.in_progress():
            live.abandon()
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=self._limits.run_finalise_s)

    def require_room(self, space_id: SpaceId) -> None:
        """Raise ``RateLimited`` or ``ShuttingDown`` unless another run can be launched."""
        if self._is_draining or self._group is None:
            raise ShuttingDown("The server is shutting down.", retry_after_s=_RETRY_AFTER_S)
        if self._places.has_room(space_id):
            return
        if self._places.held_by(space_id) >= self._limits.runs_per_space:
            raise RateLimited(
                f"Workspace {space_id} has {self._limits.runs_per_space} workflow runs in "
                "progress; try again.",
                retry_after_s=_RETRY_AFTER_S,
                limit="runs_per_space",
            )
        raise RateLimited(
            "The server is busy; try again.",
            retry_after_s=_RETRY_AFTER_S,
            limit="runs_per_process",
        )

    def launch(
        self, live: LiveRun, work: Callable[[], Awaitable[None]], *, is_background: bool = False
    ) -> None:
        """Carry out a run as a task of the process; raises as ``require_room``."""
        run = live.run
        self.require_room(run.space_id)
        if self._group is None:
            raise ShuttingDown("The server is shutting down.", retry_after_s=_RETRY_AFTER_S)
        self._live[run.id] = live
        self._places.try_acquire(run.space_id)
        # Who was taken from the queue meanwhile may have had the last place: one more goes on.
        is_counted = is_background and self._background_places.try_acquire(run.space_id)
        task = self._group.create_task(_supervised(live, work), name=f"workflow run {run.id}")
        live.attach(task)
        self._tasks.add(task)
        task.add_done_callback(partial(self._forget, live, is_counted))

    def stop_account(self, user_id: UserId) -> None:
        """End what runs here for an account that was disabled."""
        for live in self.in_progress():
            if live.run.creator_id == user_id and not live.is_cancelled:
                live.fault = ACCOUNT_DISABLED
                live.cancel()

    def find(self, run_id: int) -> LiveRun | None:
        """Return a run in progress."""
        return self._live.get(RunId(run_id))

    def in_progress(self) -> list[LiveRun]:
        """Return the runs in progress."""
        return list(self._live.values())

    def _forget(self, live: LiveRun, is_counted: bool, task: asyncio.Task[None]) -> None:
        run = live.run
        self._tasks.discard(task)
        self._live.pop(run.id, None)
        self._places.release(run.space_id)
        if is_counted:
            self._background_places.release(run.space_id)
        live.log.close()
        live.ended.set()


async def _supervised(live: LiveRun, work: Callable[[], Awaitable[None]]) -> None:
    """A failure must not reach the group and its other runs; the row is settled by a worker."""
    work_for(live.run.space_id)
    try:
        with priority_scope():
            await work()
    except Exception:
        _logger.exception("Workflow run %d ended by a defect.", live.run.id)


async def _nothing() -> None:
    """Store nothing: the run is not carried out here."""
