"""The stages of a job; each ends in a transaction that the job's revision guards."""

import asyncio
import gzip
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import aclosing
from functools import partial
from typing import Final

import msgspec

from application.knowledge.indexing import REMOVED_AT_ONCE, SliceIndexer
from application.knowledge.ingest_source import SourceReader
from domain.knowledge.document import Document
from domain.knowledge.error import FormatUnsupported, NothingParsed, SourceRefused, TooFewIndexed
from domain.knowledge.job import IngestJob, JobStage
from domain.knowledge.repository import KnowledgeStore, KnowledgeUnitOfWork, SliceTotals
from domain.knowledge.service import SliceDraft, slice_document
from domain.knowledge.slice import Slice
from domain.knowledge.value import ParsingType, SliceId, Source, SourceType
from domain.shared.access import TenantScope
from infra.contract.clock import Clock
from infra.contract.document_parser import (
    DocumentParser,
    ExtractedImage,
    ParsedDocument,
    ParseMode,
    ParseOptions,
    ParseProgress,
)
from infra.contract.id_generator import IdGenerator
from infra.contract.object_store import ObjectKey, ObjectNotFound, ObjectStore

CHUNKED_AT_ONCE: Final = 500
INDEXED_AT_ONCE: Final = 100
MAX_SOURCE_BYTES: Final = 100 * 1024 * 1024
MAX_PARSED_BYTES: Final = 200 * 1024 * 1024
MAX_IMAGE_BYTES: Final = 20 * 1024 * 1024
ENOUGH_INDEXED: Final = 0.95
"""Share of the slices; with fewer the document fails."""

Stage = Callable[[IngestJob, TenantScope], Awaitable[None]]
Change = Callable[[KnowledgeUnitOfWork], Awaitable[None]]


class IngestPipeline:
    """Does the stages of a job. Every call of ``step`` ends with one committed transaction."""

    def __init__(
        self,
        *,
        store: KnowledgeStore,
        objects: ObjectStore,
        parser: DocumentParser,
        indexer: SliceIndexer,
        readers: Mapping[SourceType, SourceReader],
        clock: Clock,
        ids: IdGenerator,
    ) -> None:
        self._store = store
        self._objects = objects
        self._parser = parser
        self._indexer = indexer
        self._readers = readers
        self._clock = clock
        self._ids = ids
        self._stages: Mapping[JobStage, Stage] = {
            JobStage.FETCH: self._fetch,
            JobStage.PARSE: self._parse,
            JobStage.CHUNK: self._chunk,
            JobStage.INDEX: self._index,
            JobStage.ACTIVATE: self._activate,
            JobStage.COLLECT: self._collect,
        }

    async def step(self, job: IngestJob, scope: TenantScope) -> None:
        """Do the next part of a claimed job.

        Raises:
            JobLost: another worker has the job, or nobody needs it any more.
            AppError: whatever went wrong; the job is as it was before.
        """
        await self._stages[job.stage](job, scope)

    async def _fetch(self, job: IngestJob, scope: TenantScope) -> None:
        document = await self._load(job, scope)
        key = ObjectKey(document.source.object_key or f"kb/{job.dataset_id}/{document.id}/source")
        size, content_hash = document.size, document.content_hash
        if not document.source.object_key:
            await self._note(document, scope, key)
            stored = await self._objects.put(
                key, self._read_source(document, scope), limit_bytes=MAX_SOURCE_BYTES
            )
            size, content_hash = stored.size, stored.sha256

        async def commit(uow: KnowledgeUnitOfWork) -> None:
            fresh = await uow.documents.lock(scope, job.document_id)
            fresh.begin(job.generation, now=self._clock.now())
            fresh.locate(
                job.generation,
                source=_located(fresh, key),
                size=size,
                content_hash=content_hash,
            )
            await uow.documents.save(scope, fresh)

        await self._commit(job, lambda: job.enter(JobStage.PARSE), commit)

    async def _parse(self, job: IngestJob, scope: TenantScope) -> None:
        document = await self._load(job, scope)
        key = _parsed_key(document)
        if await self._read_parsed(key) is None:
            await self._note(document, scope, key)
            source = ObjectKey(document.source.object_key)
            parsed = await self._parser.parse(
                partial(self._objects.read, source),
                _options(document),
                _ImageSink(self, document, scope),
                owner=document.space_id,
            )
            packed = await asyncio.to_thread(lambda: gzip.compress(parsed.to_bytes(), mtime=0))
            await self._objects.put(key, _once(packed), limit_bytes=MAX_PARSED_BYTES)
        await self._commit(job, lambda: job.enter(JobStage.CHUNK))

    async def _chunk(self, job: IngestJob, scope: TenantScope) -> None:
        document = await self._load(job, scope)
        parsed = await self._read_parsed(_parsed_key(document))
        if parsed is None:  # the object is gone: read the document again
            await self._commit(job, lambda: job.enter(JobStage.PARSE))
            return
        drafts = await asyncio.to_thread(
            lambda: slice_document(
                list(parsed.blocks()),
                document.rule.chunking,
                image_key=lambda sha256: _image_key(document, sha256).value,
            )
        )
        if not drafts:
            raise NothingParsed("The document has no text.")
        for start in range(job.cursor, len(drafts), CHUNKED_AT_ONCE):
            job.total_units = len(drafts)
            await self._add(job, scope, drafts[start : start + CHUNKED_AT_ONCE], after=start)
        await self._commit(job, lambda: job.enter(JobStage.INDEX, total=len(drafts)))

    async def _add(
        self, job: IngestJob, scope: TenantScope, drafts: list[SliceDraft], *, after: int
    ) -> None:
        slices = [self._slice(job, draft, ordinal=n) for n, draft in enumerate(drafts, after + 1)]
        end = after + len(drafts)
        await self._commit(
            job,
            lambda: job.advance(cursor=end, done=end),
            lambda uow: uow.batches.add_new(scope, slices),
        )

    async def _index(self, job: IngestJob, scope: TenantScope) -> None:
        """Index one batch."""
        async with self._store.snapshot() as uow:
            dataset = await uow.datasets.get(scope, job.dataset_id)
            batch = await uow.batches.pending(
                scope, job.document_id, job.generation, limit=INDEXED_AT_ONCE
            )
        if not batch:
            await self._commit(job, lambda: job.enter(JobStage.ACTIVATE))
            return
        was_fixed = bool(dataset.embedding_dimensions)
        await self._indexer.write(scope, dataset, batch)

        async def commit(uow: KnowledgeUnitOfWork) -> None:
            await uow.batches.settle(scope, batch)
            if not was_fixed:
                await uow.datasets.save(scope, dataset)

        done = job.done_units + len(batch)
        await self._commit(job, lambda: job.advance(cursor=batch[-1].ordinal, done=done), commit)

    async def _activate(self, job: IngestJob, scope: TenantScope) -> None:
        async def commit(uow: KnowledgeUnitOfWork) -> None:
            totals = await uow.slices.totals(scope, job.document_id, job.generation)
            _require_enough(totals)
            document = await uow.documents.lock(scope, job.document_id)
            now = self._clock.now()
            document.activate(job.generation, slices=totals.count, chars=totals.chars, now=now)
            if totals.failed:
                document.warn(f"{totals.failed} of {totals.count} slices could not be indexed.")
            await uow.documents.save(scope, document)

        await self._commit(job, lambda: job.enter(JobStage.COLLECT), commit)

    async def _collect(self, job: IngestJob, scope: TenantScope) -> None:
        """Remove one batch of older generations."""
        async with self._store.snapshot() as uow:
            dataset = await uow.datasets.get(scope, job.dataset_id)
            old = await uow.batches.outdated(scope, job.document_id, limit=REMOVED_AT_ONCE)
        if not old:
            await self._commit(job, lambda: job.finish(now=self._clock.now()))
            return
        await self._indexer.remove(dataset.collection, slice_ids=old)
        done = job.cursor + len(old)
        await self._commit(
            job,
            lambda: job.advance(cursor=done, done=done),
            lambda uow: uow.slices.remove(scope, old),
        )

    async def keep_image(
        self, document: Document, scope: TenantScope, image: ExtractedImage
    ) -> None:
        """Store an image of a document under its hash."""
        key = _image_key(document, image.sha256)
        await self._note(document, scope, key)
        await self._objects.put(key, _once(image.data), limit_bytes=MAX_IMAGE_BYTES)

    async def _commit(
        self, job: IngestJob, move: Callable[[], None], change: Change | None = None
    ) -> None:
        """Move the job, together with ``change``. The job first: everybody locks in this order."""
        async with self._store.transaction() as uow:
            move()
            await uow.queue.save(job)
            if change is not None:
                await change(uow)
            await uow.commit()

    async def _load(self, job: IngestJob, scope: TenantScope) -> Document:
        async with self._store.snapshot() as uow:
            document = await uow.documents.get(scope, job.document_id)
        document.require_pending(job.generation)
        return document

    async def _note(self, document: Document, scope: TenantScope, key: ObjectKey) -> None:
        async with self._store.transaction() as uow:
            await uow.objects.note(scope, document, key)
            await uow.commit()

    async def _read_source(
        self, document: Document, scope: TenantScope
    ) -> AsyncGenerator[bytes, None]:
        reader = self._readers.get(document.source.type)
        if reader is None:
            raise FormatUnsupported("This deployment cannot read such sources.")
        async with aclosing(reader.read(scope, document.source)) as chunks:
            async for chunk in chunks:
                yield chunk

    async def _read_parsed(self, key: ObjectKey) -> ParsedDocument | None:
        """Return the stored blocks; None if there are none, or they are damaged."""
        try:
            packed = await _collected(self._objects.read(key))
        except ObjectNotFound:
            return None
        try:
            return await asyncio.to_thread(
                lambda: ParsedDocument.from_bytes(gzip.decompress(packed))
            )
        except (ValueError, OSError, EOFError):
            return None

    def _slice(self, job: IngestJob, draft: SliceDraft, *, ordinal: int) -> Slice:
        now = self._clock.now()
        return Slice(
            id=SliceId(self._ids.next_id()),
            space_id=job.space_id,
            dataset_id=job.dataset_id,
            document_id=job.document_id,
            generation=job.generation,
            ordinal=ordinal,
            sequence=float(ordinal),
            content=draft.content,
            index_text=draft.index_text,
            heading_path=draft.heading_path,
            place=draft.place,
            created_at=now,
            updated_at=now,
        )


class _ImageSink:
    """Takes the images of one document while it is parsed."""

    def __init__(self, pipeline: IngestPipeline, document: Document, scope: TenantScope) -> None:
        self._pipeline = pipeline
        self._document = document
        self._scope = scope

    async def add_image(self, image: ExtractedImage) -> None:
        await self._pipeline.keep_image(self._document, self._scope, image)

    async def report(self, progress: ParseProgress) -> None:
        """Progress is that of the job's stages."""


def _located(document: Document, key: ObjectKey) -> Source:
    return msgspec.structs.replace(document.source, object_key=key.value)


def _options(document: Document) -> ParseOptions:
    reading = document.rule.reading
    is_accurate = reading.parsing_type is ParsingType.ACCURATE
    return ParseOptions(
        extension=document.extension,
        mode=ParseMode.ACCURATE if is_accurate else ParseMode.FAST,
        image_extraction=reading.image_extraction,
        table_extraction=reading.table_extraction,
        image_ocr=reading.image_ocr,
        skip_pages=reading.skip_pages,
    )


def _parsed_key(document: Document) -> ObjectKey:
    """Address the blocks by content: used again by retries and other ways of cutting."""
    if not document.content_hash:
        raise SourceRefused("The document has not been fetched.")
    name = f"{document.content_hash}-{document.rule.reading_hash}"
    return ObjectKey(f"parse/{document.id:d}/{name}")


def _image_key(document: Document, sha256: str) -> ObjectKey:
    return ObjectKey(f"kb/{document.dataset_id:d}/{document.id:d}/images/{sha256}")


def _require_enough(totals: SliceTotals) -> None:
    if not totals.count:
        raise NothingParsed("The document has no text.")
    if totals.done < totals.count * ENOUGH_INDEXED:
        raise TooFewIndexed(
            f"{totals.count - totals.done} of {totals.count} slices could not be indexed."
        )


async def _collected(chunks: AsyncGenerator[bytes, None]) -> bytes:
    async with aclosing(chunks):
        return b"".join([chunk async for chunk in chunks])


async def _once(data: bytes) -> AsyncGenerator[bytes, None]:
    yield data
