"""Reading the files of previews in the background, and forgetting old previews."""

import logging
from datetime import timedelta
from functools import partial
from typing import Final

from application.knowledge.document.preview_chunk import write_chunks
from application.knowledge.ingest.reading import DocumentReading
from application.shared.heartbeat import keeping
from domain.knowledge.document import FIRST_GENERATION, Document
from domain.knowledge.error import (
    UNKNOWN_FAULT,
    DatasetNotFound,
    NothingParsed,
    PreviewNotFound,
    is_retryable,
)
from domain.knowledge.job import IngestJob
from domain.knowledge.preview import MAX_ATTEMPTS, Preview, to_chunks
from domain.knowledge.reading_note import NO_TEXT
from domain.knowledge.repository import KnowledgeStore
from domain.knowledge.service import SliceDraft
from domain.knowledge.value import DocumentId, JobId
from domain.shared.access import TenantScope
from domain.shared.error import AppError, StaleRevision
from infra.contract.clock import Clock
from infra.contract.object_store import ObjectStore

CLAIM: Final = timedelta(minutes=1)
"""Renewed while the file is read; a process that died is replaced after this."""
_RENEW_S: Final = 20.0
_RETRY_S: Final = 2.0
_CANDIDATES: Final = 5
_EXPIRED_AT_ONCE: Final = 100
_OBJECTS_AT_ONCE: Final = 1000
_logger: Final = logging.getLogger(__name__)


class PreviewRunner:
    """Reads for all spaces; safe to run in several processes."""

    def __init__(
        self, *, store: KnowledgeStore, objects: ObjectStore, reading: DocumentReading, clock: Clock
    ) -> None:
        self._store = store
        self._objects = objects
        self._reading = reading
        self._clock = clock

    async def run_due(self) -> None:
        """Read everything that waits."""
        while await self.run_once():
            pass

    async def run_once(self) -> bool:
        """Read one preview; False if none waits."""
        preview = await self._claim()
        if preview is None:
            return False
        scope = TenantScope(preview.creator_id, frozenset({preview.space_id}))
        try:
            await keeping(
                partial(self._read, preview, scope),
                partial(self._renew, preview),
                every_s=_RENEW_S,
            )
        except (StaleRevision, DatasetNotFound, PreviewNotFound):
            _logger.info("The preview %d is not wanted any more.", preview.id)
        except Exception as exc:  # noqa: BLE001 - kept in its row, and in the log if a defect
            await self._settle(preview, scope, exc)
        return True

    async def expire(self) -> None:
        """Remove previews nobody made a document of, with their objects."""
        now = self._clock.now()
        async with self._store.snapshot() as uow:
            expired = await uow.upkeep.expired_previews(now=now, limit=_EXPIRED_AT_ONCE)
        for preview in expired:
            scope = TenantScope(preview.creator_id, frozenset({preview.space_id}))
            owner = [DocumentId(preview.id)]
            async with self._store.snapshot() as uow:
                keys = await uow.objects.of(scope, owner, limit=_OBJECTS_AT_ONCE)
            for key in keys:
                await self._objects.delete(key)
            async with self._store.transaction() as uow:
                await uow.objects.forget(scope, keys, owner)
                if len(keys) < _OBJECTS_AT_ONCE:
                    await uow.previews.forget(scope, preview.id)
                await uow.commit()

    async def _claim(self) -> Preview | None:
        now = self._clock.now()
        async with self._store.snapshot() as uow:
            due = await uow.upkeep.due_previews(now=now, limit=_CANDIDATES)
        for preview in due:
            scope = TenantScope(preview.creator_id, frozenset({preview.space_id}))
            preview.claim(now=now, until=now + CLAIM)
            try:
                await self._save(preview, scope)
            except StaleRevision:  # another process was faster
                continue
            return preview
        return None

    async def _read(self, preview: Preview, scope: TenantScope) -> None:
        async with self._store.snapshot() as uow:
            await uow.datasets.get(scope, preview.dataset_id)
        document = preview.document(now=self._clock.now(), has_chunks=False)
        job = IngestJob.create(
            JobId(preview.id),
            space_id=preview.space_id,
            dataset_id=preview.dataset_id,
            document_id=document.id,
            creator_id=preview.creator_id,
            generation=FIRST_GENERATION,
            now=self._clock.now(),
        )
        intake = await self._reading.fetch(job, document, scope)
        document.locate(
            FIRST_GENERATION,
            source=intake.source,
            size=intake.size,
            content_hash=intake.content_hash,
        )
        await self._reading.parse(job, document, scope)
        chunks = to_chunks(await self._cut(job, document))
        await write_chunks(self._objects, preview.chunks_key, chunks)
        preview.source = intake.source
        preview.size, preview.content_hash = intake.size, intake.content_hash
        preview.ready(len(chunks), now=self._clock.now())
        await self._save(preview, scope)

    async def _cut(self, job: IngestJob, document: Document) -> list[SliceDraft]:
        parsed = await self._reading.parsed(job, document)
        if parsed is None:
            raise NothingParsed(NO_TEXT)
        return await self._reading.cut(document, parsed, intake=document.intake)

    async def _settle(self, preview: Preview, scope: TenantScope, error: Exception) -> None:
        now = self._clock.now()
        if not isinstance(error, AppError):
            _logger.error("The preview %d met a defect.", preview.id, exc_info=error)
        is_worth_a_retry = not isinstance(error, AppError) or is_retryable(error)
        if is_worth_a_retry and preview.attempt < MAX_ATTEMPTS:
            preview.postpone(delay_s=_RETRY_S * preview.attempt, now=now)
        elif isinstance(error, AppError):
            preview.fail(code=error.code, reason=error.message, now=now)
        else:
            preview.fail(
                code=UNKNOWN_FAULT,
                reason="An internal error; try again or ask the operator.",
                now=now,
            )
        try:
            await self._save(preview, scope)
        except StaleRevision:
            _logger.info("The preview %d belongs to another process.", preview.id)

    async def _renew(self, preview: Preview) -> None:
        async with self._store.transaction() as uow:
            await uow.upkeep.renew_preview(preview, until=self._clock.now() + CLAIM)
            await uow.commit()

    async def _save(self, preview: Preview, scope: TenantScope) -> None:
        async with self._store.transaction() as uow:
            await uow.previews.save(scope, preview)
            await uow.commit()
