"""Documents fetched and read: their bytes, blocks and images as objects that belong to them."""

import asyncio
import codecs
import gzip
import hashlib
import logging
import zlib
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import aclosing
from functools import partial
from typing import Final

from msgspec.structs import replace

from application.knowledge.document.image_caption import ImageCaptioner
from application.knowledge.document.intake_rule import PURPOSES
from application.knowledge.document.preview_chunk import read_chunks
from application.knowledge.ingest.source import SourceReader
from application.shared.aside import aside
from domain.knowledge.document import Document
from domain.knowledge.error import (
    CaptionUnsupported,
    FormatUnsupported,
    NothingParsed,
    SourceRefused,
)
from domain.knowledge.image import picture_of, recognised, seen_by_models, uncaptioned
from domain.knowledge.job import IngestJob
from domain.knowledge.preview import from_chunks
from domain.knowledge.reading_note import NO_TEXT, notes_on
from domain.knowledge.repository import KnowledgeStore, KnowledgeUnitOfWork
from domain.knowledge.service import SliceDraft, slice_document
from domain.knowledge.value import FormatType, Intake, ParsingType, Source, SourceType
from domain.shared.access import CONNECTOR_API, TenantScope
from domain.shared.account import INGEST, Account
from domain.shared.call import CallContext, RecordCall, drop_call
from domain.shared.capacity.fair_share import MAX_WAIT_S
from domain.shared.crashpoint import crashpoint
from domain.shared.error import AppError, Unavailable
from infra.contract.document.parser import (
    Block,
    DocumentParser,
    ExtractedImage,
    ParsedDocument,
    ParseMode,
    ParseOptions,
    ParseProgress,
    Picture,
    TableRange,
)
from infra.contract.storage.object_store import ObjectKey, ObjectNotFound, ObjectStore

_log: Final = logging.getLogger(__name__)

MAX_SOURCE_BYTES: Final = 100 * 1024 * 1024
MAX_PARSED_BYTES: Final = 200 * 1024 * 1024
MAX_IMAGE_BYTES: Final = 20 * 1024 * 1024
_AT_ONCE_BYTES: Final = 4096  # of blocks: about as long as a thread takes to do it
_HEAD_BYTES: Final = 1024 * 1024
"""Metadata take less than this."""
_GZIP: Final = 16 + zlib.MAX_WBITS


OnProgress = Callable[[ParseProgress], Awaitable[None]]


class DocumentReading:
    """Every object is noted as the document's before it is written."""

    def __init__(
        self,
        *,
        store: KnowledgeStore,
        objects: ObjectStore,
        parser: DocumentParser,
        readers: Mapping[SourceType, SourceReader],
        captioner: ImageCaptioner,
    ) -> None:
        self._store = store
        self._objects = objects
        self._parser = parser
        self._readers = readers
        self._captioner = captioner

    async def fetch(self, job: IngestJob, document: Document, scope: TenantScope) -> Intake:
        """Make the bytes ours, unless they are, and return where they are.

        Raises ``SourceUnavailable``, ``SourceRefused``, ``FormatUnsupported``.
        """
        intake = job.intake or document.intake
        if intake.source.object_key:
            return intake
        key = _source_key(job)
        await self._note(document, scope, key)
        stored = await self._objects.put(
            key, self._read_source(intake.source, scope), limit_bytes=MAX_SOURCE_BYTES
        )
        return replace(
            intake,
            source=replace(intake.source, object_key=key.value),
            size=stored.size,
            content_hash=stored.sha256,
        )

    async def parse(
        self,
        job: IngestJob,
        document: Document,
        scope: TenantScope,
        *,
        on_progress: OnProgress | None = None,
        is_new: bool = False,
    ) -> tuple[ParsedDocument, int]:
        """Read the bytes and store the blocks, unless they are stored.

        Returns them, and how many pages and pictures were recognised. A document ``is_new`` whose
        blocks were noted with ``note_parsed`` just now, and never before. Raises
        ``DocumentNotParsed``, ``Unavailable``, ``SourceRefused``.
        """
        intake = job.intake or document.intake
        key = _parsed_key(document, intake)
        if not is_new:
            if (stored := await self._read_parsed(key)) is not None:
                return stored, 0
            await self._note(document, scope, key)
        crashpoint("ingest.parse.noted")
        sink = _ImageSink(self, document, scope, on_progress)
        parsed = await self._parser.parse(
            partial(self._read_whole, intake),
            parse_options(document.format_type, intake),
            sink,
            owner=document.space_id,
        )
        if document.format_type is FormatType.TEXT and sink.has_images:
            parsed = await self._with_captions(document, scope, parsed, record=job.calls.append)
        # Without the time, so that the same document gives the same object.
        packed = await aside(
            parsed.size_bytes,
            lambda: gzip.compress(parsed.to_bytes(), mtime=0),
            most=_AT_ONCE_BYTES,
        )
        crashpoint("ingest.parse.read")
        await self._objects.put(key, _once(packed), limit_bytes=MAX_PARSED_BYTES)
        crashpoint("ingest.parse.stored")
        if not sink.has_images:
            return parsed, 0
        return parsed, await asyncio.to_thread(lambda: recognised(list(parsed.blocks())))

    async def note_parsed(
        self, uow: KnowledgeUnitOfWork, scope: TenantScope, document: Document, intake: Intake
    ) -> None:
        """Note where the blocks will be, in a transaction of the caller's."""
        await uow.objects.note(scope, document, _parsed_key(document, intake))

    async def _with_captions(
        self,
        document: Document,
        scope: TenantScope,
        parsed: ParsedDocument,
        *,
        record: RecordCall,
    ) -> ParsedDocument:
        """Describe pictures without words; what no model describes fails no document."""
        blocks = await asyncio.to_thread(lambda: list(parsed.blocks()))
        captions: dict[str, str] = {}
        for picture in uncaptioned(blocks):
            try:
                captions[picture.sha256] = await self.caption(
                    document, scope, picture, record=record
                )
            except (CaptionUnsupported, Unavailable) as exc:
                _log.info("pictures are not described", extra={"reason": exc.message})
                break
            except AppError as exc:  # the model does not like this one
                _log.info("a picture is not described", extra={"reason": exc.message})
        if not any(captions.values()):
            return parsed
        described = (
            replace(block, caption=captions[block.sha256])
            if isinstance(block, Picture) and block.sha256 in captions
            else block
            for block in blocks
        )
        return ParsedDocument.of(described, metadata=parsed.metadata)

    async def caption(
        self,
        document: Document,
        scope: TenantScope,
        picture: Picture,
        *,
        record: RecordCall = drop_call,
    ) -> str:
        """Have an image of a document described; the errors are those of ``ImageCaptioner``."""
        sha256, media_type = seen_by_models(picture)
        context = CallContext(
            scope=scope,
            space_id=document.space_id,
            connector_id=CONNECTOR_API,
            record_call=record,
            account=Account(
                origin=INGEST, dataset_id=document.dataset_id, member_id=document.creator_id
            ),
            max_wait_s=MAX_WAIT_S,
        )
        image = await self.image(document, sha256)
        return await self._captioner.describe(
            context, image, media_type=media_type, name=document.name
        )

    async def parsed(self, job: IngestJob, document: Document) -> ParsedDocument | None:
        """Return the stored blocks; None if there are none, or they are damaged."""
        return await self._read_parsed(_parsed_key(document, job.intake or document.intake))

    async def cut(
        self, document: Document, parsed: ParsedDocument, *, intake: Intake
    ) -> list[SliceDraft]:
        """Return the slices of a text; raise ``NothingParsed`` if there are none, and say why."""
        drafts = await aside(
            parsed.size_bytes,
            lambda: slice_document(
                list(parsed.blocks()),
                document.rule.chunking,
                image_key=lambda sha256: image_key(document, sha256).value,
            ),
            most=_AT_ONCE_BYTES,
        )
        if not drafts:
            raise NothingParsed("\n".join([NO_TEXT, *notes_on(parsed.metadata, intake.reading)]))
        return drafts

    async def notes(self, document: Document, intake: Intake) -> list[str]:
        """Say what of the bytes was not read; nothing once the blocks are gone."""
        if not intake.parsed_name:
            return []
        inflate, head = zlib.decompressobj(_GZIP), ""
        decode = codecs.getincrementaldecoder("utf-8")("replace")
        try:
            async with aclosing(self._objects.read(_parsed_key(document, intake))) as chunks:
                async for chunk in chunks:
                    # Bounded: text of a hostile document may be packed to a thousandth of its size.
                    head += decode.decode(inflate.decompress(chunk, _HEAD_BYTES))
                    metadata = ParsedDocument.metadata_in(head)
                    if metadata is not None:
                        return notes_on(metadata, intake.reading)
                    if len(head) >= _HEAD_BYTES:
                        break
        except (ObjectNotFound, zlib.error):
            return []
        return []

    async def prepared(self, document: Document) -> list[SliceDraft]:
        """Return the slices that people prepared in a preview; raise ``PreviewNotFound``."""
        return from_chunks(await read_chunks(self._objects, document.source.chunks_key))

    async def joined(self, document: Document, addition: Intake, scope: TenantScope) -> Intake:
        """Store a text with what is added to it, so that it can be cut anew as a whole.

        Raises ``RequestTooLarge`` if it becomes too long.
        """
        key = ObjectKey(f"{addition.source.object_key}-whole")
        await self._note(document, scope, key)

        async def whole() -> AsyncGenerator[bytes, None]:
            async with aclosing(self._objects.read(ObjectKey(document.source.object_key))) as old:
                async for chunk in old:
                    yield chunk
            yield b"\n\n"
            async with aclosing(self._objects.read(ObjectKey(addition.source.object_key))) as new:
                async for chunk in new:
                    yield chunk

        stored = await self._objects.put(key, whole(), limit_bytes=MAX_SOURCE_BYTES)
        return replace(
            document.intake,
            source=replace(document.source, object_key=key.value),
            size=stored.size,
            content_hash=stored.sha256,
        )

    async def image(self, document: Document, sha256: str) -> bytes:
        """Return an image of a document; raise ``ObjectNotFound``."""
        return await _collected(self._objects.read(image_key(document, sha256)))

    async def picture(self, document: Document) -> tuple[bytes, str] | None:
        """Return an image as models see it, with its media type; None before it was read."""
        intake = document.intake
        if not intake.parsed_name:
            return None
        parsed = await self._read_parsed(_parsed_key(document, intake))
        found = None if parsed is None else picture_of(list(parsed.blocks()))
        if found is None:
            return None
        sha256, media_type = seen_by_models(found)
        return await self.image(document, sha256), media_type

    async def keep_image(
        self, document: Document, scope: TenantScope, image: ExtractedImage
    ) -> None:
        """Store an image of a document under its hash."""
        key = image_key(document, image.sha256)
        await self._note(document, scope, key)
        await self._objects.put(key, _once(image.data), limit_bytes=MAX_IMAGE_BYTES)

    def source(self, document: Document) -> AsyncGenerator[bytes, None]:
        """Yield the bytes that a document was made of."""
        return self._read_whole(document.intake)

    async def blocks(self, document: Document) -> Sequence[Block] | None:
        """Return what was read; None if that is gone, or was never stored."""
        if not document.intake.parsed_name:
            return None
        parsed = await self._read_parsed(_parsed_key(document, document.intake))
        return None if parsed is None else await asyncio.to_thread(lambda: list(parsed.blocks()))

    async def drafts(self, document: Document) -> Sequence[SliceDraft] | None:
        """Return the slices as they were cut, in their order; None if nothing tells any more."""
        if document.source.chunks_key:
            return await self.prepared(document)
        if not document.intake.parsed_name:
            return None
        parsed = await self._read_parsed(_parsed_key(document, document.intake))
        if parsed is None:
            return None
        return await self.cut(document, parsed, intake=document.intake)

    async def keep(
        self, document: Document, scope: TenantScope, key: ObjectKey, data: bytes
    ) -> None:
        """Store something made of a document, which goes with it."""
        await self._note(document, scope, key)
        await self._objects.put(key, _once(data), limit_bytes=MAX_IMAGE_BYTES)

    async def kept(self, key: ObjectKey) -> bytes | None:
        """Return what was stored; None if it is gone."""
        try:
            return await _collected(self._objects.read(key))
        except ObjectNotFound:
            return None

    async def _note(self, document: Document, scope: TenantScope, key: ObjectKey) -> None:
        async with self._store.transaction() as uow:
            await uow.objects.note(scope, document, key)
            await uow.commit()

    async def _read_source(self, source: Source, scope: TenantScope) -> AsyncGenerator[bytes, None]:
        reader = self._readers.get(source.type)
        if reader is None:
            raise FormatUnsupported("This deployment cannot read such sources.")
        async with aclosing(reader.read(scope, source)) as chunks:
            async for chunk in chunks:
                yield chunk

    async def _read_whole(self, intake: Intake) -> AsyncGenerator[bytes, None]:
        """Yield the stored bytes; they are never taken for whole if a part of them is lost."""
        digest = hashlib.sha256()
        async with aclosing(self._objects.read(ObjectKey(intake.source.object_key))) as chunks:
            async for chunk in chunks:
                digest.update(chunk)
                yield chunk
        # Known at the end only; who reads gets the error, and throws away what it has made so far.
        if intake.content_hash and digest.hexdigest() != intake.content_hash:
            raise SourceRefused("The stored file is damaged or incomplete; upload it again.")

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


class _ImageSink:
    """Takes the images of one document while it is parsed."""

    def __init__(
        self,
        reading: DocumentReading,
        document: Document,
        scope: TenantScope,
        on_progress: OnProgress | None,
    ) -> None:
        self.has_images = False
        self._on_progress = on_progress
        self._reading = reading
        self._document = document
        self._scope = scope

    async def add_image(self, image: ExtractedImage) -> None:
        self.has_images = True
        await self._reading.keep_image(self._document, self._scope, image)

    async def report(self, progress: ParseProgress) -> None:
        if self._on_progress is not None:
            await self._on_progress(progress)


def _source_key(job: IngestJob) -> ObjectKey:
    suffix = f"-{job.generation:d}" if job.is_append else ""
    return ObjectKey(f"kb/{job.dataset_id:d}/{job.document_id:d}/source{suffix}")


def parse_options(format_type: FormatType, intake: Intake) -> ParseOptions:
    """Return how a file is read for a document of this format."""
    reading, sheet = intake.reading, intake.reading.sheet
    # An image is nothing without its text: that is read wherever it can be.
    is_image = format_type is FormatType.IMAGE
    is_accurate = is_image or reading.parsing_type is ParsingType.ACCURATE
    return ParseOptions(
        extension=intake.extension,
        purpose=PURPOSES[format_type],
        mode=ParseMode.ACCURATE if is_accurate else ParseMode.FAST,
        image_extraction=reading.image_extraction,
        table_extraction=reading.table_extraction,
        image_ocr=is_image or bool(reading.image_ocr),
        scan_ocr=reading.image_ocr is not False,
        skip_pages=reading.skip_pages,
        table=TableRange(
            sheet=sheet.sheet, header_line=sheet.header_line, data_line=sheet.data_line
        ),
    )


def _parsed_key(document: Document, intake: Intake) -> ObjectKey:
    """Address the blocks by content: used again by retries and other ways of cutting."""
    if not intake.parsed_name:
        raise SourceRefused("The document has not been fetched.")
    return ObjectKey(f"parse/{document.id:d}/{intake.parsed_name}")


def image_key(document: Document, sha256: str) -> ObjectKey:
    """Name an image of a document."""
    return ObjectKey(f"kb/{document.dataset_id:d}/{document.id:d}/images/{sha256}")


async def _collected(chunks: AsyncGenerator[bytes, None]) -> bytes:
    async with aclosing(chunks):
        return b"".join([chunk async for chunk in chunks])


async def _once(data: bytes) -> AsyncGenerator[bytes, None]:
    yield data
