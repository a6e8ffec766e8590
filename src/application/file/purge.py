"""Background job: removes the bytes of deleted files and of uploads that never completed."""

import asyncio
import logging
from contextlib import AsyncExitStack
from datetime import timedelta
from typing import Final

from crossdomain.privacy.contract import LegalHolds
from domain.file.entity import File
from domain.file.repository import FileStore
from domain.shared.access import TenantScope
from domain.shared.error import AppError
from domain.shared.limits import Limits
from infra.contract.clock import Clock
from infra.contract.storage.object_store import ObjectStore

_logger: Final = logging.getLogger(__name__)


class FilePurge:
    """Runs from ``start`` to ``aclose``; several processes may purge side by side."""

    def __init__(
        self,
        *,
        store: FileStore,
        objects: ObjectStore,
        holds: LegalHolds,
        clock: Clock,
        limits: Limits,
    ) -> None:
        self._holds = holds
        self._store = store
        self._objects = objects
        self._clock = clock
        self._limits = limits
        self._stack = AsyncExitStack()
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        group = await self._stack.enter_async_context(asyncio.TaskGroup())
        self._task = group.create_task(self._run())

    async def aclose(self) -> None:
        if self._task is not None:
            self._task.cancel()
        await self._stack.aclose()

    async def purge(self) -> int:
        """Remove everything that is due; return how many files that were."""
        await self.expire()
        count = 0
        while batch := await self._purge_batch():
            count += batch
            if batch < self._limits.file_purge_batch:
                break
        now = self._clock.now()
        async with self._store.transaction() as uow:
            before = now - timedelta(seconds=self._limits.idempotency_ttl_s)
            await uow.janitor.forget_upload_keys(before=before)
            await uow.commit()
        return count

    async def expire(self) -> int:
        """Delete the files whose time is over; return how many that were."""
        now, count = self._clock.now(), 0
        while True:
            async with self._store.transaction() as uow:
                due = await uow.janitor.find_expired(now=now, limit=self._limits.file_purge_batch)
                for file in due:
                    file.delete(now=now)
                    scope = TenantScope(file.creator_id, frozenset({file.space_id}))
                    await uow.files.save(scope, file)
                await uow.commit()
            count += len(due)
            if len(due) < self._limits.file_purge_batch:
                return count

    async def _run(self) -> None:
        while True:
            try:
                count = await self.purge()
                if count:
                    _logger.info("Purged %d files.", count)
            except (AppError, TimeoutError):
                _logger.warning("The purge of files failed; it is tried again.", exc_info=True)
            except Exception:  # a defect here must not end the process
                _logger.exception("The purge of files failed unexpectedly.")
            await asyncio.sleep(self._limits.file_purge_interval_s)

    async def _purge_batch(self) -> int:
        now, held = self._clock.now(), await self._holds.held()
        async with self._store.snapshot() as uow:
            files = await uow.janitor.find_dead(
                deleted_before=now - timedelta(seconds=self._limits.file_purge_delay_s),
                begun_before=now - timedelta(seconds=self._limits.upload_abandoned_s),
                limit=self._limits.file_purge_batch,
                but=held,
            )
        return sum([await self._purge_file(file) for file in files])

    async def _purge_file(self, file: File) -> bool:
        """Remove the bytes, then the row: as long as there is a row, the bytes can be found."""
        try:
            async with asyncio.timeout(self._limits.object_store_s):
                await self._objects.delete(file.object_key)
            async with self._store.transaction() as uow:
                await uow.janitor.forget(file)
                await uow.commit()
        except (AppError, TimeoutError):  # the others of the batch must not wait for this one
            _logger.warning("File %d could not be purged.", file.id, exc_info=True)
            return False
        return True
