"""Images of knowledge bases on the Coze surface."""

from typing import Annotated, Final

import msgspec
from litestar import Controller, get, put
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery, JSONBody

from api.envelope import Envelope, done, ok
from api.shape import CozeShape
from api.wire import bounded_text, page, query_flag, required_id
from application.knowledge.dataset.service import DatasetService
from application.knowledge.document.image_service import DatasetImageService, ImageQuery, ImageView
from application.knowledge.view import MAX_KEYWORD_CHARS
from application.shared.projection import At
from domain.shared.access import Principal
from domain.shared.error import InvalidRequest

_PAGE_SIZE: Final = 10  # as at Coze
_MAX_PAGE_SIZE: Final = 299


class WirePhoto(CozeShape, of=ImageView, only=()):
    """An image; ``status`` 0 while it is worked on, 1 when done, 9 when it failed."""

    document_id: Annotated[str, At("document.id")]
    url: str
    name: Annotated[str, At("document.name")]
    size: Annotated[int, At("document.size")]
    type: Annotated[str, At("document.extension")]
    status: Annotated[int, At("document.wire_status")]
    caption: str
    creator_id: Annotated[str, At("document.creator_id")]
    source_type: Annotated[int, At("document.source_type")]
    create_time: Annotated[int, At("document.created_at")]
    update_time: Annotated[int, At("document.updated_at")]


class PhotoList(msgspec.Struct, frozen=True, kw_only=True):
    """One page of images."""

    total_count: int
    photo_infos: list[WirePhoto]


class CaptionBody(msgspec.Struct, frozen=True, kw_only=True):
    """What an image shows; an empty text keeps it out of searches."""

    caption: str | None = None


class DatasetImageController(Controller):
    """Images of a knowledge base of images."""

    path = "/v1/datasets/{dataset_id:str}/images"

    @get("/", operation_id="images.list")
    async def list(
        self,
        *,
        principal: NamedDependency[Principal],
        dataset_images: NamedDependency[DatasetImageService],
        dataset_id: FromPath[str],
        keyword: FromQuery[str | None] = None,
        has_caption: FromQuery[str | None] = None,
        page_num: FromQuery[str | None] = None,
        page_size: FromQuery[str | None] = None,
    ) -> Envelope[PhotoList]:
        """List the images of a knowledge base, the youngest first."""
        wanted = page(page_num, page_size, default=_PAGE_SIZE, maximum=_MAX_PAGE_SIZE)
        query = ImageQuery(
            dataset_id=required_id(dataset_id, field="dataset_id"),
            keyword=bounded_text(keyword, field="keyword", max_chars=MAX_KEYWORD_CHARS),
            has_caption=query_flag(has_caption, field="has_caption"),
            page=wanted.number,
            size=wanted.size,
        )
        found = await dataset_images.page(principal, query)
        return ok(
            PhotoList(
                total_count=found.total, photo_infos=[WirePhoto.of(each) for each in found.items]
            )
        )

    @put("/{document_id:str}", operation_id="images.update")
    async def update(
        self,
        *,
        data: JSONBody[CaptionBody],
        principal: NamedDependency[Principal],
        datasets: NamedDependency[DatasetService],
        dataset_images: NamedDependency[DatasetImageService],
        dataset_id: FromPath[str],
        document_id: FromPath[str],
    ) -> Envelope[None]:
        """Say what an image shows; it is then found by that."""
        if data.caption is None:
            raise InvalidRequest("caption: this field is required.", field="caption")
        wanted = required_id(document_id, field="document_id")
        base = await datasets.get(principal, required_id(dataset_id, field="dataset_id"))
        await dataset_images.set_caption(principal, base.id, wanted, data.caption)
        return done()
