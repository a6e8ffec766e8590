"""Worker of the queue: takes runs that wait for one or lost theirs, and tidies up."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from functools import partial
from typing import Final

from application.run.recovery import disabled_account, in_batches
from application.shared.background import Background
from application.workflow.run.executor import RunJob
from application.workflow.run.launch import RunLauncher
from application.workflow.run.lost import LostTraces
from application.workflow.run.parked import end_parked
from application.workflow.run.signal import WORKFLOW_EVENT, WORKFLOW_QUEUED
from application.workflow.run.state import RunPrograms, rebuild
from crossdomain.identity.contract import People
from domain.shared.crashpoint import crashpoint
from domain.shared.error import AppError, RateLimited, ShuttingDown, StaleRevision
from domain.shared.limits import Limits
from domain.workflow.engine.error import NodeFailed, internal_code_of
from domain.workflow.limit import WorkflowLimits
from domain.workflow.run.repository import WorkflowRunStore, WorkflowRunUnitOfWork
from domain.workflow.run.workflow_run import ACCOUNT_DISABLED, RunFault, RunPhase, WorkflowRun
from infra.contract.clock import Clock
from infra.contract.messaging.event_bus import Delivery
from infra.contract.messaging.signal import Signals

_logger: Final = logging.getLogger(__name__)

_TAKE_S: Final = 0.5
_BATCH: Final = 20


class WorkflowRunWorker:
    """Takes and tidies where it should.

    ``is_alone``: no other process uses the database. Then whoever held a lease before this process
    began is gone, and its runs go on at once.
    """

    def __init__(
        self,
        *,
        store: WorkflowRunStore,
        programs: RunPrograms,
        launcher: RunLauncher,
        signals: Signals,
        clock: Clock,
        people: People,
        limits: Limits,
        workflow_limits: WorkflowLimits,
        is_alone: bool,
        takes: bool,
        tidies: bool,
        traces: LostTraces,
    ) -> None:
        self._traces = traces
        self._store = store
        self._programs = programs
        self._launcher = launcher
        self._signals = signals
        self._clock = clock
        self._people = people
        self._limits = limits
        self._workflow_limits = workflow_limits
        self._is_alone = is_alone
        self._queue = Background(self.take, name="workflow queue", interval_s=_TAKE_S)
        sweeper = Background(self.tidy, name="workflow sweeper", interval_s=limits.sweep_interval_s)
        self._loops: list[Background] = []
        if takes:
            self._loops.append(self._queue)
            signals.listen(WORKFLOW_QUEUED, self._queued)
        if tidies:
            self._loops.append(sweeper)

    async def start(self) -> None:
        for loop in self._loops:
            await loop.start()

    async def aclose(self) -> None:
        for loop in reversed(self._loops):
            await loop.aclose()

    def _queued(self, _: str) -> None:
        self._queue.wake()

    async def take(self) -> None:
        """Take as many runs from the queue as there is room for."""
        room = min(self._launcher.background_room, _BATCH)
        if not room or self._launcher.registry.is_draining:
            return
        owner, now = self._launcher.owner, self._clock.now()
        async with self._store.snapshot() as uow:
            # Asked without a write: a transaction every half second would take turns from others
            # for nothing.
            if not await uow.queue.has_due(owner, now=now, is_alone=self._is_alone):
                return
        async with self._store.transaction() as uow:
            found = await uow.queue.due(
                owner,
                now=now,
                is_alone=self._is_alone,
                limit=room,
                but=self._launcher.background.full_spaces(),
            )
            # A run of this process whose lease seems to have run out, because it was slow to renew
            # it, goes on.
            taken = [run for run in found if self._launcher.registry.find(run.id) is None]
            for run in taken:
                is_lost = bool(run.lease_owner)  # whoever lets a run go has told its trace
                if run.phase is RunPhase.CREATED:
                    self._launcher.take(run)
                else:
                    run.take_over(owner, now=now, lease_s=self._limits.run_lease_s)
                await uow.queue.save(run)
                if is_lost:
                    await uow.settle(
                        await self._traces.recovered_parts(uow, run, is_lost=True, now=now)
                    )
            await uow.commit()
        if taken:
            crashpoint("workflow.taken")
        async with asyncio.TaskGroup() as group:
            for run in taken:
                group.create_task(self._go_on(run))

    async def tidy(self) -> None:
        """Fail runs that nobody answered, and remove what has had its time."""
        now, batch = self._clock.now(), self._limits.sweep_batch
        text = "Nobody answered the question of this run in time."
        lapsed = RunFault.internal(NodeFailed.internal_code, text)
        await self._end_parked(lambda uow: uow.queue.lapsed(now=now, limit=batch), lapsed)
        if self._workflow_limits.run_log_ttl_s:
            before = now - timedelta(seconds=self._workflow_limits.run_log_ttl_s)
            await in_batches(partial(self._purge, before), full=batch)

    async def end_account(self, delivery: Delivery) -> None:
        """Handle that an account was disabled: what waits for it or in the queue ends."""
        user_id, batch = disabled_account(delivery), self._limits.sweep_batch
        await self._end_parked(
            lambda uow: uow.queue.waiting(user_id, limit=batch), ACCOUNT_DISABLED
        )

    async def _end_parked(
        self,
        find: Callable[[WorkflowRunUnitOfWork], Awaitable[list[WorkflowRun]]],
        fault: RunFault,
    ) -> None:
        async def step() -> int:
            async with self._store.transaction() as uow:
                found = await find(uow)
                for run in found:
                    run.fail(fault, now=self._clock.now())
                    await end_parked(uow, run, traces=self._traces)
                await uow.commit()
            for run in found:
                self._signals.send(WORKFLOW_EVENT, str(run.id))
            return len(found)

        await in_batches(step, full=self._limits.sweep_batch)

    async def _purge(self, before: datetime) -> int:
        async with self._store.transaction() as uow:
            purged = await uow.queue.purge(before=before, limit=self._limits.sweep_batch)
            await uow.commit()
        return purged

    async def _go_on(self, run: WorkflowRun) -> None:
        """Carry a run on; one that cannot go on ends with the cause."""
        try:
            # A run that takes its process down each time must not do so for ever.
            if run.attempt > self._workflow_limits.run_attempts:
                text = f"The run was given up: its worker was lost {run.attempt - 1} times."
                await self._fail(run, RunFault.internal(NodeFailed.internal_code, text))
                return
            async with self._store.snapshot() as uow:
                stored = await uow.runs.state(run.scope, run.id)
            plan = await self._programs.plan(run)
            state = await rebuild(run, plan, stored)
            # While nobody carried the run on, nobody heard that its account was disabled.
            if await self._people.is_disabled(run.creator_id):
                await self._fail(run, ACCOUNT_DISABLED)
                return
            self._launcher.launch(RunJob(run=run, plan=plan, state=state, stored=stored))
        # Not its fault: whoever has room takes it next.
        except (RateLimited, ShuttingDown):
            await self._give_back(run)
        except AppError as exc:
            await self._fail(run, RunFault.internal(internal_code_of(exc), exc.message))
        except Exception:
            _logger.exception("Workflow run %d cannot go on.", run.id)
            text = "What the run stored cannot be read."
            await self._fail(run, RunFault.internal(NodeFailed.internal_code, text))

    async def _fail(self, run: WorkflowRun, fault: RunFault) -> None:
        run.fail(fault, now=self._clock.now())
        try:
            async with self._store.transaction() as uow:
                await end_parked(uow, run, traces=self._traces)
                await uow.commit()
        except StaleRevision:
            _logger.info("Workflow run %d was settled elsewhere.", run.id)

    async def _give_back(self, run: WorkflowRun) -> None:
        run.release(now=self._clock.now())
        try:
            async with self._store.transaction() as uow:
                await uow.queue.save(run)
                await uow.commit()
        except StaleRevision:
            _logger.info("Workflow run %d was taken elsewhere.", run.id)
