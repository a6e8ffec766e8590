"""Reading the files of previews in the background, and forgetting old previews."""

from typing import Final

from application.knowledge.document.preview_chunk import write_chunks
from application.knowledge.ingest.reading import DocumentReading
from application.knowledge.work import WorkKind
from domain.knowledge.document import FIRST_GENERATION, Document
from domain.knowledge.error import DatasetNotFound, NothingParsed, WorkLost
from domain.knowledge.job import IngestJob
from domain.knowledge.preview import Preview, to_chunks
from domain.knowledge.reading_note import NO_TEXT
from domain.knowledge.repository import KnowledgeStore, KnowledgeUnitOfWork, WorkQueue
from domain.knowledge.service import SliceDraft
from domain.knowledge.value import DocumentId
from domain.shared.access import TenantScope
from infra.contract.clock import Clock
from infra.contract.storage.object_store import ObjectStore

_EXPIRED_AT_ONCE: Final = 100
_OBJECTS_AT_ONCE: Final = 1000


class PreviewKind(WorkKind[Preview]):
    """Reads files and cuts them."""

    name = "preview"

    def __init__(
        self, *, store: KnowledgeStore, objects: ObjectStore, reading: DocumentReading, clock: Clock
    ) -> None:
        self._store = store
        self._objects = objects
        self._reading = reading
        self._clock = clock

    def queue(self, uow: KnowledgeUnitOfWork) -> WorkQueue[Preview]:
        return uow.upkeep.previews

    async def proceed(self, work: Preview, scope: TenantScope) -> None:
        try:
            await self._read(work, scope)
        except DatasetNotFound as exc:
            raise WorkLost("The base of this preview is gone.", work_id=work.id) from exc

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

    async def _read(self, preview: Preview, scope: TenantScope) -> None:
        async with self._store.snapshot() as uow:
            await uow.datasets.get(scope, preview.dataset_id)
        document = preview.document(now=self._clock.now(), has_chunks=False)
        job = IngestJob.of(document, preview.id, generation=FIRST_GENERATION, now=self._clock.now())
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
        async with self._store.transaction() as uow:
            await uow.upkeep.previews.save(preview)
            await uow.commit()

    async def _cut(self, job: IngestJob, document: Document) -> list[SliceDraft]:
        parsed = await self._reading.parsed(job, document)
        if parsed is None:
            raise NothingParsed(NO_TEXT)
        return await self._reading.cut(document, parsed, intake=document.intake)
