"""Pages of a file as they are shown beside its slices: drawn, measured, and as words."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final

import msgspec

from application.knowledge.ingest.reading import DocumentReading
from domain.knowledge.document import Document
from domain.knowledge.error import KnowledgeInvalid
from domain.knowledge.repository import KnowledgeStore
from domain.knowledge.slice import Place
from domain.knowledge.value import FormatType
from domain.shared.access import TenantScope
from domain.shared.error import Unavailable
from domain.shared.id_generator import IdGenerator
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


class PageImage(msgspec.Struct, frozen=True, kw_only=True):
    """A drawn page."""

    data: bytes
    media_type: str


class PageRenderer:
    """Draws pages, and keeps what it made with the document; parsers run where all of them do."""

    def __init__(
        self,
        *,
        store: KnowledgeStore,
        objects: ObjectStore,
        parser: DocumentParser,
        reading: DocumentReading,
        ids: IdGenerator,
    ) -> None:
        self._store = store
        self._objects = objects
        self._parser = parser
        self._reading = reading
        self._ids = ids

    async def pages(self, document: Document, scope: TenantScope, *, generation: int) -> PagesView:
        """List the pages; raise ``DocumentNotParsed``, ``Unavailable``."""
        if not _is_paged(document):
            return PagesView(generation=generation, pages=())
        sizes = await self._sizes(document, scope)
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
        self, document: Document, scope: TenantScope, number: int, *, width: int
    ) -> PageImage:
        """Draw a page at least so wide, or return what was drawn before.

        Raises:
            KnowledgeInvalid: no such page, or a width that is none.
            DocumentNotParsed: the page is damaged, or takes too much.
            Unavailable: no parser is free.
        """
        if not MIN_WIDTH <= width <= MAX_WIDTH:
            raise KnowledgeInvalid(f"width: expected {MIN_WIDTH} to {MAX_WIDTH}.", field="width")
        await self._size(document, scope, number)
        drawn = next(each for each in _WIDTHS if each >= width)
        ending = f"-{document.content_hash[:16]}-{number:d}-{drawn:d}"
        within = scope.within(document.space_id)
        async with self._store.snapshot() as uow:
            noted = await uow.objects.of(within, [document.id], limit=_LISTED)
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
        await self._reading.keep(document, within, made, sink.image.data)
        await self._make_room(document, within, pages)
        return _image(sink.image.data)

    async def words(
        self, document: Document, scope: TenantScope, number: int
    ) -> tuple[WordView, ...]:
        """List the words of a page in the order of the file; the errors are those of ``image``."""
        size = await self._size(document, scope, number)
        parsed = await self._parse(document, PageWanted(number=number), _Sink())
        return tuple(
            WordView(text=block.text, box=_share(block.bbox, size))
            for block in parsed.blocks()
            if isinstance(block, Paragraph) and block.bbox is not None
        )

    async def boxes(
        self, document: Document, scope: TenantScope, places: Mapping[int, Place]
    ) -> dict[int, tuple[Box, ...]]:
        """Return where slices stand as parts of their pages; nothing while nobody can measure."""
        if not _is_paged(document):
            return {}
        try:
            sizes = await self._sizes(document, scope)
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

    async def _size(self, document: Document, scope: TenantScope, number: int) -> PageSize:
        sizes = await self._sizes(document, scope) if _is_paged(document) else ()
        if not 1 <= number <= len(sizes):
            raise KnowledgeInvalid(f"number: the document has {len(sizes)} pages.", field="number")
        return sizes[number - 1]

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
