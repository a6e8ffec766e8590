"""Previews: a file is cut, looked at, edited, and only then becomes a document."""

import asyncio
import logging
from collections.abc import Mapping, Sequence
from contextlib import aclosing
from datetime import datetime
from types import MappingProxyType
from typing import Annotated, Final

import msgspec

from application.knowledge.document.intake_rule import AcceptedFormats
from application.knowledge.document.page_renderer import (
    Box,
    PageImage,
    PageRenderer,
    PagesView,
    WordView,
)
from application.knowledge.document.preview_chunk import read_chunks, write_chunks
from application.knowledge.document.service import MAX_BYTES, MAX_DOCUMENTS, source_of
from application.knowledge.dto import DocumentView, NewDocument
from application.knowledge.ingest.quota import require_preview_room, require_room, wait_turn
from application.knowledge.ingest.reading import DocumentReading
from application.knowledge.ingest.source import NamedSources, UploadedFiles
from application.knowledge.view import document_view
from application.shared.projection import At, Projection
from domain.knowledge.dataset import Dataset
from domain.knowledge.document import FIRST_GENERATION, Document
from domain.knowledge.error import FormatUnsupported, KnowledgeInvalid
from domain.knowledge.job import IngestJob
from domain.knowledge.preview import Preview, PreviewChunk, PreviewId, PreviewState, edited
from domain.knowledge.repository import KnowledgeStore
from domain.knowledge.service import words_by_box
from domain.knowledge.slice import Box as BoxInPoints
from domain.knowledge.value import (
    ChunkRule,
    DatasetId,
    DocumentId,
    FormatType,
    ParseRule,
    ReadRule,
)
from domain.shared.access import Permission, Principal, TenantScope
from domain.shared.capacity.quota import Quotas, Usage
from domain.shared.error import AppError
from domain.shared.id_generator import IdGenerator
from domain.shared.ids import Id
from domain.shared.limits import Limits
from infra.contract.clock import Clock
from infra.contract.storage.object_store import ObjectKey, ObjectStore

_logger: Final = logging.getLogger(__name__)


class ChunkView(Projection):
    """A slice to be; ``kind`` 0 text, 1 image, 2 table."""

    id: int
    text: str
    kind: int
    heading_path: tuple[str, ...]
    page: Annotated[int | None, At("place.page_from")]
    boxes: tuple[Box, ...] = ()


class PreviewView(Projection):
    """A preview; ``state`` 0 being read, 1 ready, 2 failed, 3 stopped. Chunks once it is ready."""

    id: Id
    dataset_id: Id
    name: str
    extension: str
    size: int
    state: int
    fail_code: int
    fail_reason: str
    chunk_count: int
    created_at: datetime
    expires_at: datetime
    chunks: tuple[ChunkView, ...] = ()


class PreviewService:
    """Takes files for a preview, shows and edits them, and makes documents of them."""

    def __init__(
        self,
        *,
        store: KnowledgeStore,
        objects: ObjectStore,
        uploads: UploadedFiles,
        accepted: AcceptedFormats,
        reading: DocumentReading,
        renderer: PageRenderer,
        clock: Clock,
        ids: IdGenerator,
        quotas: Quotas | None = None,
    ) -> None:
        self._store = store
        self._quotas = quotas or Quotas(Limits())
        self._objects = objects
        self._sources = NamedSources(store=store, objects=objects, uploads=uploads)
        self._accepted = accepted
        self._reading = reading
        self._renderer = renderer
        self._clock = clock
        self._ids = ids

    async def create(
        self,
        principal: Principal,
        dataset_id: int,
        documents: Sequence[NewDocument],
        *,
        chunking: ChunkRule | None = None,
        reading: ReadRule | None = None,
        skip_pages: tuple[int, ...] | None = None,
    ) -> tuple[PreviewView, ...]:
        """Have files read and cut by a rule; nothing is indexed.

        Raises:
            DatasetNotFound: no such base.
            KnowledgeInvalid: too many, none, or a source that is incomplete.
            FormatUnsupported: the base is no text base, or nothing here reads such files.
            ContentTooLarge: a file is too large.
            IngestQueueFull: too many previews of the space wait to be read.
        """
        if not 1 <= len(documents) <= MAX_DOCUMENTS:
            raise KnowledgeInvalid(f"documents: expected 1 to {MAX_DOCUMENTS} files.")
        async with self._store.snapshot() as uow:
            dataset = await uow.datasets.get(principal.scope, DatasetId(dataset_id))
            principal.require(Permission.DATASET_WRITE, dataset.space_id)
            scope = principal.scope.within(dataset.space_id)
            await require_preview_room(uow, scope, len(documents))
        if dataset.format_type is not FormatType.TEXT:
            raise FormatUnsupported("Previews are for text; a table shows its schema instead.")
        rule = ParseRule(
            chunking=chunking or dataset.chunk_rule,
            reading=msgspec.structs.replace(reading or ReadRule(), skip_pages=skip_pages or ()),
        )
        taken: list[Preview] = []
        try:
            for new in documents:
                taken.append(await self._take(principal, dataset, new, rule))  # noqa: PERF401
            await self._register(scope, taken)
        except Exception:
            await self._discard(taken)
            raise
        return tuple(map(_view, taken))

    async def get(self, principal: Principal, preview_id: int) -> PreviewView:
        """Show a preview with its chunks; raise ``PreviewNotFound``."""
        preview = await self._preview(principal, preview_id)
        if preview.state is not PreviewState.READY:
            return _view(preview)
        chunks = await read_chunks(self._objects, preview.chunks_key)
        return await self._placed(principal, preview, chunks)

    async def save(
        self, principal: Principal, preview_id: int, texts: Sequence[tuple[int, str]]
    ) -> PreviewView:
        """Replace the chunks by edited ones: texts by id, in their new order.

        Raises:
            PreviewNotFound: no such preview.
            PreviewNotReady: it is still being read, or that failed.
            KnowledgeInvalid, ContentTooLarge: these are no slices, or an id is unknown.
        """
        async with self._store.snapshot() as uow:
            preview = await uow.previews.get(principal.scope, PreviewId(preview_id))
        principal.require(Permission.DATASET_WRITE, preview.space_id)
        preview.require_ready()
        stored = await read_chunks(self._objects, preview.chunks_key)
        words = await self._words_of_blocks(preview, stored)
        chunks = await asyncio.to_thread(edited, stored, texts, words=words)
        preview.replace(chunks, now=self._clock.now())
        async with self._store.transaction() as uow:
            await uow.previews.save(principal.scope, preview)
            await write_chunks(self._objects, preview.chunks_key, chunks)
            await uow.commit()
        return await self._placed(principal, preview, chunks)

    async def pages(self, principal: Principal, preview_id: int) -> PagesView:
        """List the pages of a file that was read, none for formats without.

        Raises ``PreviewNotFound``, ``PreviewNotReady``, and what ``PageRenderer`` does.
        """
        document = await self._document(principal, preview_id)
        return await self._renderer.pages(document, principal.scope, generation=FIRST_GENERATION)

    async def image(
        self, principal: Principal, preview_id: int, number: int, *, width: int
    ) -> PageImage:
        """Draw a page at least so wide; the errors are those of ``pages``."""
        document = await self._document(principal, preview_id)
        return await self._renderer.image(document, principal.scope, number, width=width)

    async def words(
        self, principal: Principal, preview_id: int, number: int
    ) -> tuple[WordView, ...]:
        """List the words of a page in the order of the file; the errors are those of ``pages``."""
        document = await self._document(principal, preview_id)
        return await self._renderer.words(document, principal.scope, number)

    async def commit(self, principal: Principal, preview_id: int) -> DocumentView:
        """Make a document of exactly the saved chunks; the preview is gone then.

        Raises:
            PreviewNotFound: no such preview.
            PreviewNotReady: it is still being read, or that failed.
            DatasetNotFound: the base was deleted meanwhile.
            IngestQueueFull: the space has too many documents waiting.
        """
        now = self._clock.now()
        async with self._store.transaction() as uow:
            preview = await uow.previews.get(principal.scope, PreviewId(preview_id))
            principal.require(Permission.DATASET_WRITE, preview.space_id)
            preview.require_ready()
            scope = principal.scope.within(preview.space_id)
            await wait_turn(uow, preview.space_id)
            await self._quotas.require(uow, preview.space_id, Usage(documents=1))
            await uow.datasets.lock(scope, preview.dataset_id)
            await require_room(uow, scope, 1)
            document = preview.document(now=now, has_chunks=True)
            job = IngestJob.of(document, self._ids.next_id(), generation=FIRST_GENERATION, now=now)
            await uow.documents.save(scope, document)
            await uow.jobs.add(scope, job)
            await uow.previews.forget(scope, preview.id)
            await uow.commit()
        return document_view(document)

    async def _preview(self, principal: Principal, preview_id: int) -> Preview:
        async with self._store.snapshot() as uow:
            preview = await uow.previews.get(principal.scope, PreviewId(preview_id))
        principal.require(Permission.DATASET_READ, preview.space_id)
        return preview

    async def _document(self, principal: Principal, preview_id: int) -> Document:
        preview = await self._preview(principal, preview_id)
        preview.require_ready()
        return preview.document(now=self._clock.now(), has_chunks=False)

    async def _words_of_blocks(
        self, preview: Preview, chunks: Sequence[PreviewChunk]
    ) -> Mapping[BoxInPoints, str]:
        if not any(chunk.place.boxes for chunk in chunks):
            return {}
        document = preview.document(now=self._clock.now(), has_chunks=False)
        blocks = await self._reading.blocks(document) or ()
        return await asyncio.to_thread(words_by_box, blocks)

    async def _placed(
        self, principal: Principal, preview: Preview, chunks: Sequence[PreviewChunk]
    ) -> PreviewView:
        document = preview.document(now=self._clock.now(), has_chunks=False)
        places = {chunk.id: chunk.place for chunk in chunks if chunk.place.boxes}
        boxes = await self._renderer.boxes(document, principal.scope, places)
        return _view(preview, chunks, boxes)

    async def _take(
        self, principal: Principal, dataset: Dataset, new: NewDocument, rule: ParseRule
    ) -> Preview:
        """Store the bytes of one file; its preview is not stored yet."""
        new = await self._sources.resolve(principal, new)
        preview_id = PreviewId(self._ids.next_id())
        extension, source = source_of(dataset, DocumentId(preview_id), new, accepted=self._accepted)
        preview = Preview.request(
            preview_id,
            space_id=dataset.space_id,
            dataset_id=dataset.id,
            creator_id=principal.user_id,
            name=new.name,
            extension=extension,
            source=source,
            rule=rule,
            now=self._clock.now(),
        )
        preview.document(now=self._clock.now(), has_chunks=False)  # what cannot be one is refused
        if source.object_key:
            async with aclosing(self._sources.read(principal.scope, new)) as content:
                kept = await self._objects.put(
                    ObjectKey(source.object_key), content, limit_bytes=MAX_BYTES
                )
            preview.size, preview.content_hash = kept.size, kept.sha256
        return preview

    async def _register(self, scope: TenantScope, previews: Sequence[Preview]) -> None:
        now = self._clock.now()
        async with self._store.transaction() as uow:
            await wait_turn(uow, previews[0].space_id)
            # Locked, because it may be deleted meanwhile; its previews would stay for ever.
            await uow.datasets.lock(scope, previews[0].dataset_id)
            await require_preview_room(uow, scope, len(previews))
            for preview in previews:
                document = preview.document(now=now, has_chunks=False)
                await uow.previews.save(scope, preview)
                for key in filter(None, (preview.source.object_key, preview.chunks_key)):
                    await uow.objects.note(scope, document, ObjectKey(key))
            await uow.commit()

    async def _discard(self, previews: Sequence[Preview]) -> None:
        for preview in previews:
            if preview.source.object_key:
                try:
                    await self._objects.delete(ObjectKey(preview.source.object_key))
                except AppError:
                    _logger.warning("An object without a preview stays behind.", exc_info=True)


def _view(
    preview: Preview,
    chunks: Sequence[PreviewChunk] = (),
    boxes: Mapping[int, tuple[Box, ...]] = MappingProxyType({}),
) -> PreviewView:
    has_failed = preview.state is PreviewState.FAILED  # else it may have met what passes
    return PreviewView.of(
        preview,
        fail_code=preview.last_error_code if has_failed else 0,
        fail_reason=preview.last_error if has_failed else "",
        chunks=tuple(ChunkView.of(chunk, boxes=boxes.get(chunk.id, ())) for chunk in chunks),
    )
