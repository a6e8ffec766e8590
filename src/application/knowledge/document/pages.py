"""Pages of a document as they are shown beside its slices: drawn, measured, and as words."""

from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import aclosing
from functools import partial
from typing import Final, assert_never

import msgspec

from application.knowledge.ingest.reading import DocumentReading, image_key
from application.shared.table_export import Export
from domain.knowledge.document import Document
from domain.knowledge.error import DocumentNotReady, KnowledgeInvalid
from domain.knowledge.image_link import ImageLinks
from domain.knowledge.repository import KnowledgeStore
from domain.knowledge.slice import Place
from domain.knowledge.value import DocumentId, FormatType
from domain.shared.access import Permission, Principal, TenantScope
from domain.shared.error import Unavailable
from domain.shared.id_generator import IdGenerator
from infra.contract.clock import Clock
from infra.contract.document import parser as document_parser
from infra.contract.document.parser import (
    DocumentNotParsed,
    DocumentParser,
    ExtractedImage,
    PageSize,
    PageWanted,
    Paragraph,
    ParsedDocument,
    ParseOptions,
    ParseProgress,
    Picture,
)
from infra.contract.storage.object_store import ObjectKey, ObjectStore

MIN_WIDTH: Final = 200
MAX_WIDTH: Final = 3000
_WIDTHS: Final = (400, 800, 1200, 1600, 2400, MAX_WIDTH)
"""Widths that pages are drawn in: what browsers ask for in between is scaled down by them."""
_PAGED: Final = frozenset({"pdf"})
_KEPT: Final = 200
"""Drawn pages that are kept of a document; the oldest make room."""
_LISTED: Final = 10_000
BLOCKS: Final = 200
Box = tuple[int, float, float, float, float]


class PageView(msgspec.Struct, frozen=True, kw_only=True):
    """A page in points; ``has_text`` where something of it was read as text."""

    number: int
    width: float
    height: float
    has_text: bool


class PagesView(msgspec.Struct, frozen=True, kw_only=True):
    """The pages of what searches see; none for formats without."""

    generation: int
    pages: tuple[PageView, ...]


class WordView(msgspec.Struct, frozen=True, kw_only=True):
    """A word and its place: left, top, right and bottom as parts of the page, 0 to 1."""

    text: str
    box: tuple[float, float, float, float]


class BlockView(msgspec.Struct, frozen=True, kw_only=True):
    """A part of a document as it was read; tables by their rows.

    Of a picture the words, and an address that lasts about an hour.
    """

    kind: str
    text: str = ""
    level: int = 0
    page: int | None = None
    rows: tuple[tuple[str | None, ...], ...] = ()
    url: str = ""


class ReadingView(msgspec.Struct, frozen=True, kw_only=True):
    """Some blocks of a document, and how many there are."""

    blocks: tuple[BlockView, ...]
    total: int


class PageImage(msgspec.Struct, frozen=True, kw_only=True):
    """A drawn page."""

    data: bytes
    media_type: str


class DocumentPages:
    """Shows the file that a document was made of; its parser runs where all parsers do."""

    def __init__(
        self,
        *,
        store: KnowledgeStore,
        objects: ObjectStore,
        parser: DocumentParser,
        reading: DocumentReading,
        links: ImageLinks,
        clock: Clock,
        ids: IdGenerator,
    ) -> None:
        self._store = store
        self._objects = objects
        self._parser = parser
        self._reading = reading
        self._links = links
        self._clock = clock
        self._ids = ids

    async def original(self, principal: Principal, document_id: int) -> Export:
        """Begin the file that a document was made of, as a download of no type in particular.

        Raises ``DocumentNotFound``, ``DocumentNotReady`` before it was fetched, ``ObjectNotFound``.
        """
        document = await self._document(principal, document_id)
        if not document.source.object_key:
            raise DocumentNotReady("The document has not been fetched.", document_id=document.id)
        chunks = self._reading.source(document)
        first = await anext(chunks, b"")
        return Export(
            name=_file_name(document),
            media_type="application/octet-stream",
            chunks=_begun(first, chunks),
        )

    async def pages(self, principal: Principal, document_id: int) -> PagesView:
        """List the pages; raise ``DocumentNotFound``, ``DocumentNotReady``, ``Unavailable``."""
        document = await self._document(principal, document_id)
        generation = document.require_active()
        if not _is_paged(document):
            return PagesView(generation=generation, pages=())
        sizes = await self._sizes(document, principal.scope)
        blocks = await self._reading.blocks(document) or ()
        with_text = {block.page for block in blocks if not isinstance(block, Picture)}
        return PagesView(
            generation=generation,
            pages=tuple(
                PageView(
                    number=number,
                    width=size.width,
                    height=size.height,
                    has_text=number in with_text,
                )
                for number, size in enumerate(sizes, 1)
            ),
        )

    async def image(
        self, principal: Principal, document_id: int, number: int, *, width: int
    ) -> PageImage:
        """Draw a page at least so wide, or return what was drawn before.

        Raises:
            DocumentNotFound, DocumentNotReady: there is nothing to show.
            KnowledgeInvalid: no such page, or a width that is none.
            DocumentNotParsed: the page is damaged, or takes too much.
            Unavailable: no parser is free.
        """
        if not MIN_WIDTH <= width <= MAX_WIDTH:
            raise KnowledgeInvalid(f"width: expected {MIN_WIDTH} to {MAX_WIDTH}.", field="width")
        document = await self._paged(principal, document_id, number)
        drawn = next(each for each in _WIDTHS if each >= width)
        ending = f"-{document.content_hash[:16]}-{number:d}-{drawn:d}"
        scope = principal.scope.within(document.space_id)
        async with self._store.snapshot() as uow:
            noted = await uow.objects.of(scope, [document.id], limit=_LISTED)
        pages = sorted(key.value for key in noted if _folder(document) in key.value)
        for key in pages:
            if key.endswith(ending):
                kept = await self._reading.kept(ObjectKey(key))
                if kept is not None:
                    return _image(kept)
        sink = _Sink()
        await self._parse(document, PageWanted(number=number, width=drawn), sink)
        if sink.image is None:
            raise KnowledgeInvalid("The page cannot be drawn.", field="number")
        made = ObjectKey(f"{_folder(document)}{self._ids.next_id():020d}{ending}")
        await self._reading.keep(document, scope, made, sink.image.data)
        await self._make_room(document, scope, pages)
        return _image(sink.image.data)

    async def words(
        self, principal: Principal, document_id: int, number: int
    ) -> tuple[WordView, ...]:
        """List the words of a page in the order of the file; the errors are those of ``image``."""
        document = await self._paged(principal, document_id, number)
        size = (await self._sizes(document, principal.scope))[number - 1]
        parsed = await self._parse(document, PageWanted(number=number), _Sink())
        return tuple(
            WordView(text=block.text, box=_share(block.bbox, size))
            for block in parsed.blocks()
            if isinstance(block, Paragraph) and block.bbox is not None
        )

    async def blocks(self, principal: Principal, document_id: int, *, start: int) -> ReadingView:
        """List what was read, 200 blocks at a time; none once that is gone."""
        document = await self._document(principal, document_id)
        document.require_active()
        found = await self._reading.blocks(document) or ()
        now = self._clock.now()

        def address(picture: Picture) -> str:
            return self._links.url(image_key(document, picture.sha256).value, now=now)

        return ReadingView(
            blocks=tuple(_shown(block, address) for block in found[start : start + BLOCKS]),
            total=len(found),
        )

    async def boxes(
        self, principal: Principal, document_id: int, places: Mapping[int, Place]
    ) -> dict[int, tuple[Box, ...]]:
        """Return where slices stand as parts of their pages; nothing while nobody can measure.

        Whoever has their places was allowed to see them.
        """
        if not any(place.boxes for place in places.values()):
            return {}
        async with self._store.snapshot() as uow:
            document = await uow.documents.get(principal.scope, DocumentId(document_id))
        if not _is_paged(document):
            return {}
        try:
            sizes = await self._sizes(document, principal.scope)
        except (Unavailable, DocumentNotParsed):
            return {}
        return {
            key: tuple(
                (int(page), *_share(box, sizes[int(page) - 1]))
                for page, *box in place.boxes
                if 0 < page <= len(sizes)
            )
            for key, place in places.items()
        }

    async def _document(self, principal: Principal, document_id: int) -> Document:
        async with self._store.snapshot() as uow:
            document = await uow.documents.get(principal.scope, DocumentId(document_id))
        principal.require(Permission.DATASET_READ, document.space_id)
        return document

    async def _paged(self, principal: Principal, document_id: int, number: int) -> Document:
        document = await self._document(principal, document_id)
        document.require_active()
        count = len(await self._sizes(document, principal.scope)) if _is_paged(document) else 0
        if not 1 <= number <= count:
            raise KnowledgeInvalid(f"number: the document has {count} pages.", field="number")
        return document

    async def _sizes(self, document: Document, scope: TenantScope) -> Sequence[PageSize]:
        """Measure the pages of a file, once."""
        key = ObjectKey(f"{_folder(document)}sizes-{document.content_hash[:16]}")
        kept = await self._reading.kept(key)
        if kept is not None:
            return msgspec.json.decode(kept, type=tuple[PageSize, ...])
        parsed = await self._parse(document, PageWanted(), _Sink())
        sizes = parsed.metadata.page_sizes
        within = scope.within(document.space_id)
        await self._reading.keep(document, within, key, msgspec.json.encode(sizes))
        return sizes

    async def _parse(self, document: Document, wanted: PageWanted, sink: "_Sink") -> ParsedDocument:
        return await self._parser.parse(
            partial(self._reading.source, document),
            ParseOptions(extension=document.extension, page=wanted),
            sink,
            owner=document.space_id,
        )

    async def _make_room(
        self, document: Document, scope: TenantScope, pages: Sequence[str]
    ) -> None:
        drawn = [ObjectKey(key) for key in pages if "/sizes-" not in key]
        oldest = drawn[: max(0, len(drawn) + 1 - _KEPT)]
        for key in oldest:
            await self._objects.delete(key)
        if oldest:
            async with self._store.transaction() as uow:
                await uow.objects.forget(scope, oldest, [document.id])
                await uow.commit()


class _Sink:
    """Keeps the one image that a drawn page is."""

    def __init__(self) -> None:
        self.image: ExtractedImage | None = None

    async def add_image(self, image: ExtractedImage) -> None:
        self.image = image

    async def report(self, progress: ParseProgress) -> None:
        """Nobody waits for a part of a page."""


def _file_name(document: Document) -> str:
    """Name the file of a document; a text or page is called without the ending of its file."""
    ending = f".{document.extension}"
    has_ending = not document.extension or document.name.lower().endswith(ending)
    return document.name if has_ending else f"{document.name}{ending}"


async def _begun(first: bytes, rest: AsyncGenerator[bytes, None]) -> AsyncGenerator[bytes, None]:
    async with aclosing(rest):
        yield first
        async for chunk in rest:
            yield chunk


def _folder(document: Document) -> str:
    return f"kb/{document.dataset_id:d}/{document.id:d}/pages/"


def _is_paged(document: Document) -> bool:
    return (
        document.extension in _PAGED
        and document.format_type is FormatType.TEXT
        and bool(document.source.object_key)
    )


def _image(data: bytes) -> PageImage:
    is_png = data.startswith(b"\x89PNG")
    return PageImage(data=data, media_type="image/png" if is_png else "image/jpeg")


def _share(box: Sequence[float], size: PageSize) -> tuple[float, float, float, float]:
    left, top, right, bottom = box
    width, height = size.width or 1.0, size.height or 1.0
    return (
        _clipped(left / width),
        _clipped(top / height),
        _clipped(right / width),
        _clipped(bottom / height),
    )


def _clipped(share: float) -> float:
    return round(min(1.0, max(0.0, share)), 5)


def _shown(block: document_parser.Block, address: Callable[[Picture], str]) -> BlockView:
    """Show a block."""
    kind = str(block.__struct_config__.tag)
    match block:
        case document_parser.Heading() | document_parser.ListItem():
            marker = block.marker if isinstance(block, document_parser.ListItem) else ""
            text = f"{marker} {block.text}".strip()
            return BlockView(kind=kind, text=text, level=block.level, page=block.page)
        case document_parser.Paragraph() | document_parser.Code() | document_parser.Formula():
            return BlockView(kind=kind, text=block.text, page=block.page)
        case document_parser.Table():
            return BlockView(kind=kind, text=block.caption, page=block.page, rows=block.rows)
        case document_parser.Picture():
            words = "\n".join(filter(None, (block.alt, block.caption, block.ocr_text)))
            return BlockView(kind=kind, text=words, page=block.page, url=address(block))
        case document_parser.PageBreak():
            return BlockView(kind=kind, page=block.page)
        case _:
            assert_never(block)
