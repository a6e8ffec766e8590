"""Pages and reading of a document on the admin surface, and the shaping of its slices."""

from collections.abc import Sequence
from typing import Final

import msgspec
from litestar import Controller, Response, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery, JSONBody
from litestar.status_codes import HTTP_200_OK

from api.admin.knowledge.document import document_key, placed
from api.admin.knowledge.shape import AdminSlice
from api.disconnect import EndsWithClient
from api.shape import Shape
from api.wire import query_integer, required_id
from application.knowledge.document.page_renderer import PageImage, PagesView, PageView, WordView
from application.knowledge.document.pages import BLOCKS, BlockView, DocumentPages
from application.knowledge.document.slice_service import SliceService
from application.knowledge.document.slice_shaping import SliceShaping
from domain.shared.access import Principal
from domain.shared.error import InvalidRequest

_WIDTH: Final = 1200
_HEADERS: Final = {"Cache-Control": "private, max-age=31536000, immutable"}


class AdminPage(Shape, of=PageView):
    """A page; its sides are in points."""


class AdminPages(Shape, of=PagesView):
    """The pages of a document, none for formats without; ``generation`` names this reading."""

    pages: list[AdminPage]


class AdminWord(Shape, of=WordView):
    """A word; ``box`` is left, top, right and bottom as parts of the page, 0 to 1."""

    box: list[float]


class AdminWords(msgspec.Struct, frozen=True, kw_only=True):
    """The words of a page, in the order of the file."""

    items: list[AdminWord]
    total: int
    next_cursor: None = None

    @classmethod
    def all_of(cls, words: Sequence[WordView]) -> "AdminWords":
        return cls(items=[AdminWord.of(word) for word in words], total=len(words))


class AdminBlock(Shape, of=BlockView):
    """A part of a document as it was read.

    ``kind`` heading, paragraph, list_item, code, table, image, formula or page_break.
    """


class AdminReading(msgspec.Struct, frozen=True, kw_only=True):
    """Blocks in reading order, up to 200 at a time."""

    items: list[AdminBlock]
    total: int
    next_cursor: str | None


class SplitBody(msgspec.Struct, frozen=True, kw_only=True):
    """Before which character the second slice begins."""

    at: int


class AdminPageController(Controller):
    """What a document was made of, beside its slices."""

    path = "/admin/v1"

    @get("/documents/{document_id:str}/pages", operation_id="admin.documents.list_pages")
    async def pages(
        self,
        *,
        principal: NamedDependency[Principal],
        document_pages: NamedDependency[DocumentPages],
        document_id: FromPath[str],
    ) -> AdminPages:
        """List the pages of a document; formats without pages have none."""
        return AdminPages.of(await document_pages.pages(principal, document_key(document_id)))

    @get(
        "/documents/{document_id:str}/pages/{number:str}/image",
        operation_id="admin.documents.get_page_image",
        middleware=[EndsWithClient],
        media_type="image/png",
    )
    async def image(
        self,
        *,
        principal: NamedDependency[Principal],
        document_pages: NamedDependency[DocumentPages],
        document_id: FromPath[str],
        number: FromPath[str],
        width: FromQuery[str | None] = None,
        generation: FromQuery[str | None] = None,
    ) -> Response[bytes]:
        """Draw a page as PNG, or JPEG where that is much smaller; at least ``width`` wide."""
        query_integer(generation, field="generation")  # only tells one address from another
        key = document_key(document_id)
        return sent(
            await document_pages.image(
                principal, key, page_number(number), width=wanted_width(width)
            )
        )

    @get(
        "/documents/{document_id:str}/pages/{number:str}/text",
        operation_id="admin.documents.get_page_text",
        middleware=[EndsWithClient],
    )
    async def words(
        self,
        *,
        principal: NamedDependency[Principal],
        document_pages: NamedDependency[DocumentPages],
        document_id: FromPath[str],
        number: FromPath[str],
    ) -> AdminWords:
        """List the words of a page with their places, to search and to mark them."""
        key = document_key(document_id)
        return AdminWords.all_of(await document_pages.words(principal, key, page_number(number)))

    @get("/documents/{document_id:str}/reading", operation_id="admin.documents.get_reading")
    async def reading(
        self,
        *,
        principal: NamedDependency[Principal],
        document_pages: NamedDependency[DocumentPages],
        document_id: FromPath[str],
        cursor: FromQuery[str | None] = None,
    ) -> AdminReading:
        """List what was read, block by block; nothing once that is not kept any more."""
        start = query_integer(cursor, field="cursor") or 0
        if start < 0:
            raise InvalidRequest("cursor: take it from the page before.", field="cursor")
        found = await document_pages.blocks(principal, document_key(document_id), start=start)
        behind = start + BLOCKS
        return AdminReading(
            items=[AdminBlock.of(block) for block in found.blocks],
            total=found.total,
            next_cursor=str(behind) if behind < found.total else None,
        )

    @post("/slices/{slice_id:str}/split", operation_id="admin.slices.split")
    async def split(
        self,
        *,
        data: JSONBody[SplitBody],
        principal: NamedDependency[Principal],
        slices: NamedDependency[SliceService],
        slice_shaping: NamedDependency[SliceShaping],
        document_pages: NamedDependency[DocumentPages],
        slice_id: FromPath[str],
    ) -> AdminSlice:
        """Make two slices of one and answer the second; both are indexed by themselves."""
        made = await slice_shaping.split(principal, _slice_key(slice_id), at=data.at)
        return await placed(principal, document_pages, await slices.get(principal, made))

    @post(
        "/slices/{slice_id:str}/merge",
        operation_id="admin.slices.merge",
        status_code=HTTP_200_OK,
    )
    async def merge(
        self,
        *,
        principal: NamedDependency[Principal],
        slices: NamedDependency[SliceService],
        slice_shaping: NamedDependency[SliceShaping],
        document_pages: NamedDependency[DocumentPages],
        slice_id: FromPath[str],
    ) -> AdminSlice:
        """Add the next slice to this one; the next one is gone then."""
        key = _slice_key(slice_id)
        await slice_shaping.merge(principal, key)
        return await placed(principal, document_pages, await slices.get(principal, key))

    @post(
        "/slices/{slice_id:str}/reset",
        operation_id="admin.slices.reset",
        status_code=HTTP_200_OK,
    )
    async def reset(
        self,
        *,
        principal: NamedDependency[Principal],
        slices: NamedDependency[SliceService],
        slice_shaping: NamedDependency[SliceShaping],
        document_pages: NamedDependency[DocumentPages],
        slice_id: FromPath[str],
    ) -> AdminSlice:
        """Let a slice say again what was read from the document."""
        key = _slice_key(slice_id)
        await slice_shaping.reset(principal, key)
        return await placed(principal, document_pages, await slices.get(principal, key))


def _slice_key(value: str) -> int:
    return required_id(value, field="slice_id")


def sent(drawn: PageImage) -> Response[bytes]:
    """Answer with a page that never changes."""
    return Response(drawn.data, media_type=drawn.media_type, headers=_HEADERS)


def wanted_width(value: str | None) -> int:
    """Read how wide a page is to be."""
    width = query_integer(value, field="width")
    return _WIDTH if width is None else width


def page_number(value: str) -> int:
    """Read the number of a page; raise ``InvalidRequest``."""
    number = query_integer(value, field="number")
    if number is None or number < 1:
        raise InvalidRequest("number: pages count from 1.", field="number")
    return number
