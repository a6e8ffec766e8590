"""Previews on the admin surface: files cut, looked at and edited before they are indexed."""

import asyncio

import msgspec
from litestar import Controller, Response, get, post, put
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery, JSONBody
from litestar.status_codes import HTTP_202_ACCEPTED

from api.admin.knowledge.dataset import dataset_key
from api.admin.knowledge.page import AdminPages, AdminWords, page_number, sent, wanted_width
from api.admin.knowledge.shape import AdminDocument, AdminPreview, AdminPreviewList
from api.body.large_request import LargeRequest
from api.coze.knowledge.document_request import (
    ChunkStrategyBody,
    DocumentBody,
    FilterBody,
    ParsingStrategyBody,
    read_documents,
    read_pages,
)
from api.disconnect import EndsWithClient
from api.wire import required_id
from application.knowledge.document.preview import PreviewService
from domain.shared.access import Principal
from domain.shared.limits import Limits


class CreatePreviewsBody(msgspec.Struct, frozen=True, kw_only=True):
    """Up to ten files, and how they are read and cut."""

    document_bases: list[DocumentBody]
    chunk_strategy: ChunkStrategyBody | None = None
    parsing_strategy: ParsingStrategyBody | None = None
    filter_strategy: FilterBody | None = None


class ChunkBody(msgspec.Struct, frozen=True, kw_only=True):
    """A chunk of the preview by its id, with its text as it is to be."""

    id: int
    text: str


class SavePreviewBody(msgspec.Struct, frozen=True, kw_only=True):
    """All chunks to keep, in their order; those left out are dropped."""

    chunks: list[ChunkBody]


class AdminPreviewController(Controller):
    """Previews."""

    path = "/admin/v1"

    @post(
        "/datasets/{dataset_id:str}/previews",
        operation_id="admin.previews.create",
        status_code=HTTP_202_ACCEPTED,
        request_class=LargeRequest,
    )
    async def create(
        self,
        *,
        request: LargeRequest,
        data: JSONBody[CreatePreviewsBody],
        principal: NamedDependency[Principal],
        previews: NamedDependency[PreviewService],
        limits: NamedDependency[Limits],
        dataset_id: FromPath[str],
    ) -> AdminPreviewList:
        """Have files read and cut; nothing is indexed. Ask for each preview until it is ready."""
        documents = await asyncio.to_thread(
            read_documents, data.document_bases, limits, request.long_texts
        )
        views = await previews.create(
            principal,
            dataset_key(dataset_id),
            documents,
            chunking=data.chunk_strategy.decoded() if data.chunk_strategy else None,
            reading=data.parsing_strategy.decoded() if data.parsing_strategy else None,
            skip_pages=read_pages(data.filter_strategy),
        )
        return AdminPreviewList(items=[AdminPreview.of(v) for v in views], total=len(views))

    @get("/previews/{preview_id:str}", operation_id="admin.previews.get")
    async def read(
        self,
        *,
        principal: NamedDependency[Principal],
        previews: NamedDependency[PreviewService],
        preview_id: FromPath[str],
    ) -> AdminPreview:
        """Show a preview with its chunks."""
        return AdminPreview.of(await previews.get(principal, _key(preview_id)))

    @get("/previews/{preview_id:str}/pages", operation_id="admin.previews.list_pages")
    async def pages(
        self,
        *,
        principal: NamedDependency[Principal],
        previews: NamedDependency[PreviewService],
        preview_id: FromPath[str],
    ) -> AdminPages:
        """List the pages of the file of a preview; formats without pages have none."""
        return AdminPages.of(await previews.pages(principal, _key(preview_id)))

    @get(
        "/previews/{preview_id:str}/pages/{number:str}/image",
        operation_id="admin.previews.get_page_image",
        middleware=[EndsWithClient],
        media_type="image/png",
    )
    async def image(
        self,
        *,
        principal: NamedDependency[Principal],
        previews: NamedDependency[PreviewService],
        preview_id: FromPath[str],
        number: FromPath[str],
        width: FromQuery[str | None] = None,
    ) -> Response[bytes]:
        """Draw a page as PNG, or JPEG where that is much smaller; at least ``width`` wide."""
        key = _key(preview_id)
        return sent(
            await previews.image(principal, key, page_number(number), width=wanted_width(width))
        )

    @get(
        "/previews/{preview_id:str}/pages/{number:str}/text",
        operation_id="admin.previews.get_page_text",
        middleware=[EndsWithClient],
    )
    async def words(
        self,
        *,
        principal: NamedDependency[Principal],
        previews: NamedDependency[PreviewService],
        preview_id: FromPath[str],
        number: FromPath[str],
    ) -> AdminWords:
        """List the words of a page with their places, to search and to mark them."""
        key = _key(preview_id)
        return AdminWords.all_of(await previews.words(principal, key, page_number(number)))

    @put("/previews/{preview_id:str}", operation_id="admin.previews.update")
    async def save(
        self,
        *,
        data: JSONBody[SavePreviewBody],
        principal: NamedDependency[Principal],
        previews: NamedDependency[PreviewService],
        preview_id: FromPath[str],
    ) -> AdminPreview:
        """Replace the chunks by edited ones."""
        texts = [(chunk.id, chunk.text) for chunk in data.chunks]
        return AdminPreview.of(await previews.save(principal, _key(preview_id), texts))

    @post("/previews/{preview_id:str}/commit", operation_id="admin.previews.commit")
    async def commit(
        self,
        *,
        principal: NamedDependency[Principal],
        previews: NamedDependency[PreviewService],
        preview_id: FromPath[str],
    ) -> AdminDocument:
        """Make a document of exactly these chunks; its id is that of the preview."""
        return AdminDocument.of(await previews.commit(principal, _key(preview_id)))


def _key(value: str) -> int:
    return required_id(value, field="preview_id")
