"""Workers: claim jobs, keep their leases, retry, give up."""

import asyncio
import logging
import random
from collections.abc import Callable
from contextlib import AsyncExitStack
from datetime import timedelta
from typing import Final
from uuid import uuid4

import msgspec

from application.knowledge.ingest.cleaner import IngestCleaner
from application.knowledge.ingest.pipeline import IngestPipeline
from application.knowledge.meter import IngestMeter
from domain.knowledge.error import UNKNOWN_FAULT, JobLost, JobTooOld, WorkerLost, is_retryable
from domain.knowledge.job import IngestJob, JobState, retry_delay_s
from domain.knowledge.repository import JobQuota, KnowledgeStore, KnowledgeUnitOfWork
from domain.shared.access import TenantScope
from domain.shared.crashpoint import crashpoint
from domain.shared.error import AppError
from domain.shared.fair_share import OF_THE_DEPLOYMENT, FairShare
from domain.shared.processor import work_for
from infra.contract.chat_model import RETRYABLE, ModelCallFailed
from infra.contract.clock import Clock
from infra.contract.event_bus import Delivery

_CANDIDATES: Final = 10
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
        self._meter = meter
        self._release_memory = release_memory
        self._store = store
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
        self._bell = asyncio.Event()
        self._is_stopping = False
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
        self._is_stopping = True
        self._bell.set()
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=self._settings.shutdown_s)
        for task in self._tasks:
            task.cancel()
        await self._stack.aclose()

    async def ring(self, _: Delivery) -> None:
        """Take a message that a job may wait; lost and repeated ones change nothing."""
        self._bell.set()

    async def run_once(self) -> bool:
        """Work on one job until it ends or is put off; False if none is due."""
        job = await self._claim()
        if job is None:
            return False
        try:
            work_for(job.space_id)
            async with asyncio.TaskGroup() as group:
                work = group.create_task(self._work(job), name=f"job {job.id}")
                keeper = group.create_task(self._keep(job, work), name=f"lease of job {job.id}")
                with self._meter.active():
                    await asyncio.wait({work})
                keeper.cancel()
        finally:
            work_for(OF_THE_DEPLOYMENT)
            self._places.release(job.space_id)
        return True

    async def _loop(self) -> None:
        has_worked = False
        while not self._is_stopping:
            self._bell.clear()
            try:
                if await self.run_once():
                    has_worked = True
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
                continue

    async def _claim(self) -> IngestJob | None:
        """Take a job whose space has not all but one of the workers here, and its place."""
        now = self._clock.now()
        async with self._store.snapshot() as uow:
            due = await uow.queue.due(now=now, quota=self._quota, limit=_CANDIDATES)
        until = now + timedelta(seconds=self._settings.lease_s)
        for job in due:
            if not self._places.try_acquire(job.space_id):
                continue
            try:
                job.claim(uuid4().hex, now=now, until=until)
                async with self._store.transaction() as uow:
                    await uow.queue.save(job)
                    await uow.commit()
                crashpoint("ingest.claimed")
            except JobLost:  # another worker was faster
                self._places.release(job.space_id)
                continue
            except BaseException:
                self._places.release(job.space_id)
                raise
            return job
        return None

    async def _keep(self, job: IngestJob, work: asyncio.Task[None]) -> None:
        """Renew the lease; whoever cannot must stop."""
        owner = job.lease_owner
        while True:
            await asyncio.sleep(self._settings.renew_s)
            until = self._clock.now() + timedelta(seconds=self._settings.lease_s)
            async with self._store.transaction() as uow:
                is_kept = await uow.queue.renew(job.id, owner, until=until)
                await uow.commit()
            if is_kept:
                job.lease_until = until  # what the next step saves must not be older
            else:
                self._meter.lost()
                work.cancel()
                return

    async def _work(self, job: IngestJob) -> None:
        scope = TenantScope(job.creator_id, frozenset({job.space_id}))
        owner = job.lease_owner
        try:
            while job.state is JobState.RUNNING:
                self._check(job)
                if self._is_stopping:
                    await self._release(job)
                    return
                with self._meter.step(job.stage):
                    await self._pipeline.step(job, scope)
            if job.state is JobState.DONE:
                self._meter.ended("done")
        except JobLost:
            self._meter.lost()
            await self._leave(job, scope)
        except Exception as exc:  # noqa: BLE001 - the job keeps it, and the log if it is a defect
            await self._settle(job, scope, exc, owner=owner)

    def _check(self, job: IngestJob) -> None:
        if job.is_exhausted:
            raise WorkerLost("The document could not be indexed; try again.")
        if job.is_too_old(now=self._clock.now()):
            raise JobTooOld("Indexing took longer than a day.")

    async def _leave(self, job: IngestJob, scope: TenantScope) -> None:
        """Take back what was written for a document that is gone."""
        _logger.info("Job %d belongs to somebody else, or nobody needs it.", job.id)
        await self._cleaner.forget_late(scope, job.dataset_id, job.document_id)

    async def _release(self, job: IngestJob) -> None:
        job.release(now=self._clock.now())
        async with self._store.transaction() as uow:
            await uow.queue.save(job)
            await uow.commit()

    async def _settle(
        self, job: IngestJob, scope: TenantScope, error: Exception, *, owner: str
    ) -> None:
        """Put the job off or give it up."""
        if not isinstance(error, AppError):
            _logger.error("Job %d met a defect.", job.id, exc_info=error)
        try:
            is_mine = await self._record(job, scope, error, owner=owner)
        except JobLost:
            is_mine = False
        if not is_mine:
            self._meter.lost()
            await self._leave(job, scope)

    async def _record(
        self, job: IngestJob, scope: TenantScope, error: Exception, *, owner: str
    ) -> bool:
        """Write down an error in the job as it is stored; False if it is another worker's."""
        code, reason, wish_s = _blame(error)
        now = self._clock.now()
        async with self._store.transaction() as uow:
            stored = (await uow.jobs.latest(scope, [job.document_id])).get(job.document_id)
            if stored is None or stored.id != job.id or stored.lease_owner != owner:
                return False
            jitter = random.uniform(-1, 1)  # noqa: S311 - spreads retries, protects nothing
            delay_s = retry_delay_s(stored.attempt + 1, jitter=jitter, retry_after_s=wish_s)
            stored.postpone(code=code, reason=reason, delay_s=delay_s, now=now)
            if stored.is_exhausted or not _is_worth_a_retry(error):
                stored.fail(code=code, reason=reason, now=now)
            await uow.queue.save(stored)
            if stored.state is JobState.FAILED:
                await self._fail_document(uow, scope, stored)
            crashpoint("ingest.failure.before_commit")
            await uow.commit()
        crashpoint("ingest.failure.committed")
        self._meter.ended("failed" if stored.state is JobState.FAILED else "postponed")
        return True

    async def _fail_document(
        self, uow: KnowledgeUnitOfWork, scope: TenantScope, job: IngestJob
    ) -> None:
        if job.document_id in await uow.documents.get_many(scope, [job.document_id]):
            document = await uow.documents.lock(scope, job.document_id)
            if document.pending_generation == job.generation:
                document.fail(
                    job.generation,
                    code=job.last_error_code,
                    reason=job.last_error,
                    now=self._clock.now(),
                )
                await uow.documents.save(scope, document)
        await uow.queue.prune(
            job.space_id, done=self._settings.kept_done, failed=self._settings.kept_failed
        )


def _blame(error: Exception) -> tuple[int, str, float | None]:
    """Return code, reason for the owner, and how long to wait at least."""
    if isinstance(error, AppError):
        return error.code, error.message, error.retry_after_s
    return UNKNOWN_FAULT, "An internal error; try again or ask the operator.", None


def _is_worth_a_retry(error: Exception) -> bool:
    """Tell what may pass; a defect may too, and is bounded by the attempts."""
    if isinstance(error, ModelCallFailed):
        return error.failure in RETRYABLE
    if isinstance(error, WorkerLost | JobTooOld):
        return False
    return not isinstance(error, AppError) or is_retryable(error)
