"""Documents of a base on the admin surface: taken in, listed, changed together."""

from collections.abc import Mapping
from typing import Annotated, Final

import msgspec
from litestar import Controller, get, post, put
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery, HeaderParameter, JSONBody, QueryParameter
from litestar.status_codes import HTTP_200_OK

from api.admin.knowledge.caption import AdminCaption
from api.admin.knowledge.dataset import dataset_key
from api.admin.knowledge.document import document_key
from api.admin.knowledge.shape import (
    AdminDocument,
    AdminDocumentList,
    AdminDocumentPage,
    AdminImage,
    AdminImagePage,
    AdminProgress,
    AdminProgressList,
)
from api.admin.query import Paging
from api.body.large_request import LargeRequest
from api.coze.knowledge.document_request import DocumentBody, DocumentsBody, read_tags
from api.coze.knowledge.document_shape import Tag
from api.wire import WireId, query_choice, query_flag, required_id
from application.knowledge.document.batch import (
    MAX_CHANGED,
    BatchAction,
    ChangeDocuments,
    DocumentBatches,
)
from application.knowledge.document.image_service import DatasetImageService, ImageQuery
from application.knowledge.document.service import DocumentService
from application.knowledge.dto import DocumentQuery, EditDocument
from application.knowledge.view import keyword_of
from domain.knowledge.value import (
    HAS_FAILED,
    IN_WORK,
    DocumentOrder,
    DocumentStatus,
    SourceType,
)
from domain.shared.access import Principal
from domain.shared.error import InvalidRequest
from domain.shared.limits import Limits

_STATES: Final[Mapping[str, frozenset[DocumentStatus]]] = {
    "in_work": IN_WORK,
    "ready": frozenset({DocumentStatus.ENABLED}),
    "off": frozenset({DocumentStatus.DISABLED}),
    "failed": HAS_FAILED,
}
_SOURCES: Final[Mapping[str, frozenset[SourceType]]] = {
    "file": frozenset({SourceType.LOCAL_FILE, SourceType.UPLOADED_FILE}),
    "web": frozenset({SourceType.WEB_PAGE}),
    "text": frozenset({SourceType.CUSTOM_TEXT}),
}
_DIRECTIONS: Final = {"asc": "asc", "desc": "desc"}


class BatchBody(msgspec.Struct, frozen=True, kw_only=True):
    """Documents, and what is done with all: enable, disable, tag, refetch, resegment or delete.

    ``tags`` for ``tag``: added to those that each has; null takes one away.
    """

    ids: list[WireId]
    action: str
    tags: dict[str, Tag | None] | None = None


class AddDocumentsBody(DocumentsBody, frozen=True, kw_only=True):
    """Up to ten documents, all or none; ``on_duplicate`` keep, skip or replace."""

    document_bases: list[DocumentBody]


class TagsOfDocumentBody(msgspec.Struct, frozen=True, kw_only=True):
    """All tags of a document: texts, numbers, flags or lists of texts by name."""

    tags: dict[str, Tag]


class CaptionOfImageBody(msgspec.Struct, frozen=True, kw_only=True):
    """What an image shows; an empty text keeps it out of searches."""

    caption: str


class AdminDocumentsController(Controller):
    """Documents of a base."""

    path = "/admin/v1"

    @get("/datasets/{dataset_id:str}/documents", operation_id="admin.documents.list")
    async def list(
        self,
        *,
        principal: NamedDependency[Principal],
        documents: NamedDependency[DocumentService],
        dataset_id: FromPath[str],
        q: FromQuery[str | None] = None,
        wanted_state: Annotated[str | None, QueryParameter(name="state")] = None,
        extension: Annotated[str | None, QueryParameter(name="type")] = None,
        source: FromQuery[str | None] = None,
        tag: FromQuery[str | None] = None,
        sort: FromQuery[str | None] = None,
        order: FromQuery[str | None] = None,
        paging: NamedDependency[Paging],
    ) -> AdminDocumentPage:
        """List the documents of a base, by default the youngest first."""
        states = query_choice(wanted_state, {name: name for name in _STATES}, field="state")
        sources = query_choice(source, {name: name for name in _SOURCES}, field="source")
        by = query_choice(sort, {each.value: each.value for each in DocumentOrder}, field="sort")
        direction = query_choice(order, _DIRECTIONS, field="order")
        query = DocumentQuery(
            dataset_id=dataset_key(dataset_id),
            keyword=q or "",
            statuses=_STATES[states] if states else frozenset(),
            extension=extension or "",
            source_types=_SOURCES[sources] if sources else frozenset(),
            tag=tag or "",
            order=DocumentOrder(by) if by else DocumentOrder.CREATED,
            is_ascending=direction == "asc",
            page=paging.number,
            size=paging.size,
        )
        found = await documents.page(principal, query)
        return AdminDocumentPage(
            items=[AdminDocument.of(view) for view in found.items],
            total=found.total,
            next_cursor=paging.next_number(found),
        )

    @post(
        "/datasets/{dataset_id:str}/documents",
        operation_id="admin.documents.create",
        request_class=LargeRequest,
    )
    async def create(
        self,
        *,
        request: LargeRequest,
        data: JSONBody[AddDocumentsBody],
        principal: NamedDependency[Principal],
        documents: NamedDependency[DocumentService],
        limits: NamedDependency[Limits],
        dataset_id: FromPath[str],
        idempotency_key: Annotated[str | None, HeaderParameter(name="Idempotency-Key")] = None,
    ) -> AdminDocumentList:
        """Take documents in, all or none; their progress tells when they can be found."""
        command = await data.command(
            dataset_key(dataset_id),
            limits=limits,
            texts=request.long_texts,
            request_key=idempotency_key,
        )
        made = await documents.create(principal, command)
        return AdminDocumentList(items=[AdminDocument.of(v) for v in made], total=len(made))

    @post(
        "/datasets/{dataset_id:str}/documents:batch",
        operation_id="admin.documents.batch_update",
        status_code=HTTP_200_OK,
    )
    async def batch(
        self,
        *,
        data: JSONBody[BatchBody],
        principal: NamedDependency[Principal],
        document_batches: NamedDependency[DocumentBatches],
        dataset_id: FromPath[str],
    ) -> AdminDocumentList:
        """Change up to 100 documents, all or none; those deleted are not in the answer."""
        if data.action not in set(BatchAction):
            known = ", ".join(BatchAction)
            raise InvalidRequest(f"action: expected one of {known}.", field="action")
        given = data.tags or {}
        added = read_tags({name: value for name, value in given.items() if value is not None})
        command = ChangeDocuments(
            dataset_id=dataset_key(dataset_id),
            document_ids=tuple(required_id(each, field="ids") for each in data.ids),
            action=BatchAction(data.action),
            tags={name: added.get(name) for name in given},
        )
        changed = await document_batches.change(principal, command)
        return AdminDocumentList(items=[AdminDocument.of(v) for v in changed], total=len(changed))

    @get("/datasets/{dataset_id:str}/progress", operation_id="admin.datasets.get_progress")
    async def progress(
        self,
        *,
        principal: NamedDependency[Principal],
        documents: NamedDependency[DocumentService],
        dataset_id: FromPath[str],
    ) -> AdminProgressList:
        """Tell how far documents are that are in work, up to 100, those taken in first first."""
        found, total = await documents.in_work(
            principal, dataset_key(dataset_id), limit=MAX_CHANGED
        )
        return AdminProgressList(items=[AdminProgress.of(each) for each in found], total=total)

    @get("/datasets/{dataset_id:str}/images", operation_id="admin.datasets.list_images")
    async def images(
        self,
        *,
        principal: NamedDependency[Principal],
        dataset_images: NamedDependency[DatasetImageService],
        dataset_id: FromPath[str],
        q: FromQuery[str | None] = None,
        has_caption: FromQuery[str | None] = None,
        paging: NamedDependency[Paging],
    ) -> AdminImagePage:
        """List the images of a base of images, the youngest first."""
        query = ImageQuery(
            dataset_id=dataset_key(dataset_id),
            keyword=keyword_of(q or "", field="q"),
            has_caption=query_flag(has_caption, field="has_caption"),
            page=paging.number,
            size=paging.size,
        )
        found = await dataset_images.page(principal, query)
        return AdminImagePage(
            items=[AdminImage.of(each) for each in found.items],
            total=found.total,
            next_cursor=paging.next_number(found),
        )

    @get("/documents/{document_id:str}/image", operation_id="admin.documents.get_image")
    async def image(
        self,
        *,
        principal: NamedDependency[Principal],
        dataset_images: NamedDependency[DatasetImageService],
        document_id: FromPath[str],
    ) -> AdminImage:
        """Show an image of a base of images."""
        return AdminImage.of(await dataset_images.get(principal, document_key(document_id)))

    @put("/documents/{document_id:str}/tags", operation_id="admin.documents.replace_tags")
    async def replace_tags(
        self,
        *,
        data: JSONBody[TagsOfDocumentBody],
        principal: NamedDependency[Principal],
        documents: NamedDependency[DocumentService],
        document_id: FromPath[str],
    ) -> AdminDocument:
        """Replace all tags of a document, by which searches choose; nothing is indexed anew."""
        command = EditDocument(tags=read_tags(data.tags))
        return AdminDocument.of(await documents.edit(principal, document_key(document_id), command))

    @put("/documents/{document_id:str}/caption", operation_id="admin.documents.set_caption")
    async def set_caption(
        self,
        *,
        data: JSONBody[CaptionOfImageBody],
        principal: NamedDependency[Principal],
        documents: NamedDependency[DocumentService],
        dataset_images: NamedDependency[DatasetImageService],
        document_id: FromPath[str],
    ) -> AdminCaption:
        """Say what an image shows; it is then found by that."""
        view = await documents.get(principal, document_key(document_id))
        await dataset_images.set_caption(principal, view.dataset_id, view.id, data.caption)
        return AdminCaption(caption=data.caption)
