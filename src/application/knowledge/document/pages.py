"""A document as it is shown beside its slices: its pages, what was read of it, its file."""

from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import aclosing
from typing import Final, assert_never

import msgspec

from application.knowledge.document.page_renderer import (
    Box,
    PageImage,
    PageRenderer,
    PagesView,
    WordView,
)
from application.knowledge.ingest.reading import DocumentReading, image_key
from application.shared.table_export import Export
from domain.knowledge.document import Document
from domain.knowledge.error import DocumentNotReady
from domain.knowledge.image_link import ImageLinks
from domain.knowledge.repository import KnowledgeStore
from domain.knowledge.slice import Place
from domain.knowledge.value import DocumentId
from domain.shared.access import Permission, Principal
from infra.contract.clock import Clock
from infra.contract.document import parser as document_parser
from infra.contract.document.parser import Picture

BLOCKS: Final = 200


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


class DocumentPages:
    """Shows the file that a document was made of."""

    def __init__(
        self,
        *,
        store: KnowledgeStore,
        renderer: PageRenderer,
        reading: DocumentReading,
        links: ImageLinks,
        clock: Clock,
    ) -> None:
        self._store = store
        self._renderer = renderer
        self._reading = reading
        self._links = links
        self._clock = clock

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
        return await self._renderer.pages(document, principal.scope, generation=generation)

    async def image(
        self, principal: Principal, document_id: int, number: int, *, width: int
    ) -> PageImage:
        """Draw a page at least so wide.

        Raises ``DocumentNotFound``, ``DocumentNotReady``, and what ``PageRenderer`` does.
        """
        document = await self._document(principal, document_id)
        document.require_active()
        return await self._renderer.image(document, principal.scope, number, width=width)

    async def words(
        self, principal: Principal, document_id: int, number: int
    ) -> tuple[WordView, ...]:
        """List the words of a page in the order of the file; the errors are those of ``image``."""
        document = await self._document(principal, document_id)
        document.require_active()
        return await self._renderer.words(document, principal.scope, number)

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
        return await self._renderer.boxes(document, principal.scope, places)

    async def _document(self, principal: Principal, document_id: int) -> Document:
        async with self._store.snapshot() as uow:
            document = await uow.documents.get(principal.scope, DocumentId(document_id))
        principal.require(Permission.DATASET_READ, document.space_id)
        return document


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
