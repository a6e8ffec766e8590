"""A run of a workflow while this process works on it: its events, its task, how to stop it."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress

from application.run.log import RunLog
from application.run.registry import RunRegistry, Stop
from application.workflow.run.event import RunEvent
from domain.shared.access import TenantScope
from domain.shared.error import AppError
from domain.shared.ids import RunId, SpaceId, UserId
from domain.shared.limits import Limits
from domain.workflow.engine.error import JournalClosed
from domain.workflow.engine.execution import Execution
from domain.workflow.run.workflow_run import ACCOUNT_DISABLED, RunFault, WorkflowRun


class LiveRun:
    """One stretch of a run: from its start, or from an answer, to its end or a question."""

    lingers = False
    """Its log is stored before anybody is told the end."""

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
        """Returns when what happened so far is stored; raises ``JournalClosed`` if it never is."""
        self._task: asyncio.Task[None] | None = None

    @property
    def run_id(self) -> RunId:
        return self.run.id

    @property
    def space_id(self) -> SpaceId:
        return self.run.space_id

    @property
    def is_leased(self) -> bool:
        """Tell whether the run is stored."""
        return bool(self.run.revision)

    def is_visible_to(self, scope: TenantScope) -> bool:
        """Tell whether the scope may see the run."""
        run = self.run
        return scope.may_see_run(
            run.space_id, creator_id=run.creator_id, end_user_id=run.end_user_id
        )

    def is_of(self, user_id: UserId) -> bool:
        """Tell whether the run acts for an account."""
        return self.run.creator_id == user_id

    async def flush_for_readers(self) -> None:
        """Return when what happened so far is stored, as far as it ever will be by this worker.

        For who reads a run: that this worker lost it changes nothing about what is stored.
        """
        with suppress(JournalClosed):
            await self.flush()

    def attach(self, task: asyncio.Task[None]) -> None:
        self._task = task

    def stop(self, why: Stop) -> None:
        """End the run for good, soon; if the process ends or lost it, another worker goes on."""
        match why:
            # Its row has no lease any more because it ended, which the loop of leases cannot tell
            # apart.
            case Stop.LEASE_LOST if self.run.is_over:
                return
            case Stop.LEASE_LOST | Stop.SHUTDOWN:
                if self._task is not None:
                    self._task.cancel()
                return
            case Stop.ACCOUNT_DISABLED if not self.is_cancelled:
                self.fault = ACCOUNT_DISABLED
        self.is_cancelled = True
        if self.execution is not None:
            self.execution.cancel()

    def refuse(self, error: AppError) -> bool:
        """Nobody waits for the run to begin: who started it has it already."""
        return False

    def end(self) -> None:
        """Say that the task is over."""
        self.log.close()
        self.ended.set()


async def _nothing() -> None:
    """Store nothing: the run is not carried out here."""


WorkflowRegistry = RunRegistry[LiveRun]


def workflow_registry(limits: Limits) -> WorkflowRegistry:
    """Make the registry of the runs of workflows of a process."""
    crowded = "Workspace {space_id} has {most} workflow runs in progress; try again."
    return RunRegistry("runs of workflows", limits=limits, crowded=crowded)
