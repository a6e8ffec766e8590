"""Captions of images on the admin surface."""

import msgspec
from litestar import Controller, post
from litestar.di import NamedDependency
from litestar.params import FromPath
from litestar.status_codes import HTTP_200_OK

from api.disconnect import EndsWithClient
from api.wire import required_id
from application.knowledge.document.image_service import DatasetImageService
from domain.shared.access import Principal


class AdminCaption(msgspec.Struct, frozen=True, kw_only=True):
    """What a model sees in an image."""

    caption: str


class AdminCaptionController(Controller):
    """Captions."""

    path = "/admin/v1"

    @post(
        "/documents/{document_id:str}/caption:extract",
        operation_id="admin.documents.extract_caption",
        middleware=[EndsWithClient],
        status_code=HTTP_200_OK,
    )
    async def extract(
        self,
        *,
        principal: NamedDependency[Principal],
        dataset_images: NamedDependency[DatasetImageService],
        document_id: FromPath[str],
    ) -> AdminCaption:
        """Ask the model that looks at images for a caption; it is not saved."""
        key = required_id(document_id, field="document_id")
        return AdminCaption(caption=await dataset_images.extract_caption(principal, key))
