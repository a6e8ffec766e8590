"""Workers that index documents: as many jobs at a time as the process may have."""

import asyncio
import logging
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from datetime import datetime
from typing import Final

import msgspec

from application.knowledge.ingest.cleaner import IngestCleaner
from application.knowledge.ingest.pipeline import IngestPipeline
from application.knowledge.meter import IngestMeter
from application.knowledge.work import WorkKind, WorkRunner
from domain.knowledge.error import JobTooOld
from domain.knowledge.job import IngestJob, JobState
from domain.knowledge.repository import JobQuota, KnowledgeStore, KnowledgeUnitOfWork, WorkQueue
from domain.shared.access import TenantScope
from domain.shared.capacity.fair_share import FairShare
from infra.contract.clock import Clock
from infra.contract.messaging.event_bus import Delivery

_logger: Final = logging.getLogger(__name__)


class IngestSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How a process works on jobs."""

    workers: int = 4
    """One space never has more than half of them, rounded up."""
    lease_s: float = 60.0
    renew_s: float = 20.0
    poll_s: float = 5.0
    """How often to look without being told; the database is the truth, not the message."""
    shutdown_s: float = 20.0
    per_dataset: int = 2
    per_space: int = 4
    kept_done: int = 100
    kept_failed: int = 1000
    """Finished jobs to keep of a space."""


class _IngestKind(WorkKind[IngestJob]):
    """Documents, step by step; in each process a space leaves room for another one."""

    name = "ingest"
    worn_out = "The document could not be indexed; try again."

    def __init__(
        self,
        *,
        store: KnowledgeStore,
        pipeline: IngestPipeline,
        cleaner: IngestCleaner,
        clock: Clock,
        settings: IngestSettings,
        meter: IngestMeter,
    ) -> None:
        self.is_stopping = False
        self._store = store
        self._meter = meter
        self._pipeline = pipeline
        self._cleaner = cleaner
        self._clock = clock
        self._settings = settings
        self._quota = JobQuota(per_dataset=settings.per_dataset, per_space=settings.per_space)
        self._places = FairShare(
            "workers that index documents",
            capacity=max(1, settings.workers),
            kept=settings.workers // 2,
            waiting=0,
            wait_s=0.0,
        )

    def queue(self, uow: KnowledgeUnitOfWork) -> WorkQueue[IngestJob]:
        return uow.queue

    async def due(
        self, uow: KnowledgeUnitOfWork, *, now: datetime, limit: int
    ) -> Sequence[IngestJob]:
        return await uow.queue.shared(now=now, quota=self._quota, limit=limit)

    def admit(self, work: IngestJob) -> bool:
        return self._places.try_acquire(work.space_id)

    def has_room(self, work: IngestJob) -> bool:
        return self._places.has_room(work.space_id)

    def dismiss(self, work: IngestJob) -> None:
        self._places.release(work.space_id)

    async def proceed(self, work: IngestJob, scope: TenantScope) -> None:
        with self._meter.active():
            while work.state is JobState.RUNNING:
                if work.is_too_old(now=self._clock.now()):
                    raise JobTooOld("Indexing took longer than a day.")
                if self.is_stopping:
                    await self._release(work)
                    return
                with self._meter.step(work.stage):
                    await self._pipeline.step(work, scope)
        if work.state is JobState.DONE:
            self._meter.ended("done")

    async def leave(self, work: IngestJob, scope: TenantScope) -> None:
        """Take back what was written for a document that is gone."""
        self._meter.lost()
        await self._cleaner.forget_late(scope, work.dataset_id, work.document_id)

    def is_worth_a_retry(self, error: Exception) -> bool:
        return not isinstance(error, JobTooOld) and super().is_worth_a_retry(error)

    async def failed(self, uow: KnowledgeUnitOfWork, scope: TenantScope, work: IngestJob) -> None:
        if work.document_id in await uow.documents.get_many(scope, [work.document_id]):
            document = await uow.documents.lock(scope, work.document_id)
            if document.pending_generation == work.generation:
                document.fail(
                    work.generation,
                    code=work.last_error_code,
                    reason=work.last_error,
                    now=self._clock.now(),
                )
                await uow.documents.save(scope, document)
        await uow.queue.prune(
            work.space_id, done=self._settings.kept_done, failed=self._settings.kept_failed
        )

    async def settled(self, work: IngestJob) -> None:
        self._meter.ended("failed" if work.state is JobState.FAILED else "postponed")

    async def _release(self, job: IngestJob) -> None:
        job.release(now=self._clock.now())
        async with self._store.transaction() as uow:
            await uow.queue.save(job)
            await uow.commit()


class IngestWorker:
    """Works on the jobs of all spaces for as long as the process lives."""

    def __init__(
        self,
        *,
        store: KnowledgeStore,
        pipeline: IngestPipeline,
        cleaner: IngestCleaner,
        clock: Clock,
        settings: IngestSettings,
        meter: IngestMeter,
        release_memory: Callable[[], None] = lambda: None,
    ) -> None:
        """``release_memory`` gives back what documents left free; it blocks for a moment."""
        self._release_memory = release_memory
        self._settings = settings
        self._kind = _IngestKind(
            store=store,
            pipeline=pipeline,
            cleaner=cleaner,
            clock=clock,
            settings=settings,
            meter=meter,
        )
        self._runner = WorkRunner(
            self._kind,
            store=store,
            clock=clock,
            lease_s=settings.lease_s,
            renew_s=settings.renew_s,
        )
        self._bell = asyncio.Event()
        self._looking = asyncio.Lock()
        self._may_be_due = True
        self._stack = AsyncExitStack()
        self._tasks: list[asyncio.Task[None]] = []

    async def start(self) -> None:
        group = await self._stack.enter_async_context(asyncio.TaskGroup())
        self._tasks = [
            group.create_task(self._loop(), name=f"ingest worker {number}")
            for number in range(self._settings.workers)
        ]

    async def aclose(self) -> None:
        """Finish the batches under way and give the jobs back; what takes longer is cut off."""
        self._kind.is_stopping = True
        self._bell.set()
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=self._settings.shutdown_s)
        for task in self._tasks:
            task.cancel()
        await self._stack.aclose()

    async def ring(self, _: Delivery) -> None:
        """Take a message that a job may wait; lost and repeated ones change nothing."""
        self._look_again()

    async def run_once(self) -> bool:
        """Work on one job until it ends or is put off; False if none is due."""
        return await self._runner.run_once()

    async def _loop(self) -> None:
        has_worked = False
        while not self._kind.is_stopping:
            # Before the look: what comes during it rings again.
            self._bell.clear()
            try:
                if (job := await self._next()) is not None:
                    has_worked = True
                    await self._carry_out(job)
                    continue
                if has_worked:
                    # Pieces of long texts lie all over the heap, and allocators keep such pages.
                    await asyncio.to_thread(self._release_memory)
                    has_worked = False
            except Exception:  # whatever it was, the next job may succeed
                _logger.exception("A step of the ingest failed; it is repeated.")
            try:
                async with asyncio.timeout(self._settings.poll_s):
                    await self._bell.wait()
            except TimeoutError:
                self._may_be_due = True

    async def _next(self) -> IngestJob | None:
        """Claim what is due. All wake up for each message: the first one looks for all of them."""
        async with self._looking:
            if not self._may_be_due:
                return None
            # Before the claim, for the same reason: a message that comes during it must count.
            self._may_be_due = False
            try:
                job = await self._runner.claim()
            except BaseException:
                self._may_be_due = True
                raise
            if job is not None and self._runner.saw_more:
                self._look_again()
            return job

    async def _carry_out(self, job: IngestJob) -> None:
        try:
            await self._runner.carry_out(job)
        finally:
            self._may_be_due = True  # its place is free for what was passed over

    def _look_again(self) -> None:
        self._may_be_due = True
        self._bell.set()
