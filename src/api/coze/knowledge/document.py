"""Documents on the Coze surface; both knowledge clients of the SDK use these paths."""

from typing import Annotated, Final

import msgspec
from litestar import Controller, get, post, put
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery, HeaderParameter, JSONBody
from litestar.status_codes import HTTP_200_OK

from api.body.large_request import LargeRequest
from api.coze.knowledge.document_request import (
    CreateDocumentsBody,
    DeleteDocumentsBody,
    ListDocumentsBody,
    UpdateDocumentBody,
    read_tags,
)
from api.coze.knowledge.document_shape import CreatedDocuments, DocumentList, Tag, WireDocument
from api.envelope import Envelope, done
from api.wire import page, required_id
from application.knowledge.dataset.service import DatasetService
from application.knowledge.document.service import DocumentService
from application.knowledge.dto import DocumentQuery, EditDocument
from application.knowledge.table.reshape import TableReshaping
from application.knowledge.vocabulary import DocumentNotFound
from domain.knowledge.value import HAS_FAILED, IN_WORK, IS_READY, DocumentStatus
from domain.shared.access import Principal
from domain.shared.error import InvalidRequest
from domain.shared.limits import Limits

_PAGE_SIZE: Final = 10  # as at Coze
_MAX_PAGE_SIZE: Final = 100
_STATUSES: Final = {0: IN_WORK, 1: IS_READY, 9: HAS_FAILED}


class TagsBody(msgspec.Struct, frozen=True, kw_only=True):
    """All tags of a document: texts, numbers, flags or lists of texts by name."""

    tags: dict[str, Tag] | None = None


class DocumentController(Controller):
    """Documents of knowledge bases."""

    path = "/open_api/knowledge/document"

    @post(
        "/create",
        operation_id="documents.create",
        status_code=HTTP_200_OK,
        request_class=LargeRequest,
    )
    async def create(
        self,
        *,
        request: LargeRequest,
        data: JSONBody[CreateDocumentsBody],
        principal: NamedDependency[Principal],
        documents: NamedDependency[DocumentService],
        limits: NamedDependency[Limits],
        idempotency_key: Annotated[str | None, HeaderParameter(name="Idempotency-Key")] = None,
    ) -> CreatedDocuments:
        """Take documents in, all or none; their progress tells when they can be found."""
        command = await data.command(
            required_id(data.dataset_id, field="dataset_id"),
            limits=limits,
            texts=request.long_texts,
            request_key=idempotency_key,
        )
        made = await documents.create(principal, command)
        return CreatedDocuments(document_infos=list(map(WireDocument.of, made)))

    @post("/list", operation_id="documents.list", status_code=HTTP_200_OK)
    async def list(
        self,
        *,
        data: JSONBody[ListDocumentsBody],
        principal: NamedDependency[Principal],
        documents: NamedDependency[DocumentService],
    ) -> DocumentList:
        """List the documents of a knowledge base, the youngest first."""
        return await _listed(principal, documents, data)

    @get("/list", operation_id="documents.list_by_get")
    async def list_by_get(
        self,
        *,
        principal: NamedDependency[Principal],
        documents: NamedDependency[DocumentService],
        dataset_id: FromQuery[str | None] = None,
        keyword: FromQuery[str | None] = None,
        page: FromQuery[str | None] = None,
        size: FromQuery[str | None] = None,
        page_size: FromQuery[str | None] = None,
    ) -> DocumentList:
        """List the documents of a knowledge base, as older JavaScript clients ask for it."""
        wanted = ListDocumentsBody(
            dataset_id=dataset_id, keyword=keyword, page=page, size=size, page_size=page_size
        )
        return await _listed(principal, documents, wanted)

    @post("/update", operation_id="documents.update", status_code=HTTP_200_OK)
    async def update(
        self,
        *,
        data: JSONBody[UpdateDocumentBody],
        principal: NamedDependency[Principal],
        documents: NamedDependency[DocumentService],
        table_reshaping: NamedDependency[TableReshaping],
    ) -> Envelope[None]:
        """Rename a document, change how often its page is fetched, or the columns of a table."""
        document_id, rule = required_id(data.document_id, field="document_id"), data.update_rule
        if columns := data.columns():
            await table_reshaping.reshape(principal, document_id, columns)
        command = EditDocument(
            name=data.document_name,
            update_rule=None if rule is None else rule.decoded(prefix="update_rule"),
        )
        await documents.edit(principal, document_id, command)
        return done()

    @post("/delete", operation_id="documents.delete", status_code=HTTP_200_OK)
    async def delete(
        self,
        *,
        data: JSONBody[DeleteDocumentsBody],
        principal: NamedDependency[Principal],
        documents: NamedDependency[DocumentService],
    ) -> Envelope[None]:
        """Delete documents; unknown ids are ignored."""
        await documents.delete(principal, data.ids())
        return done()


class DocumentTagController(Controller):
    """Tags by which searches choose documents."""

    path = "/v1/datasets/{dataset_id:str}/documents/{document_id:str}"

    @put("/tags", operation_id="documents.update_tags")
    async def replace(
        self,
        *,
        data: JSONBody[TagsBody],
        principal: NamedDependency[Principal],
        datasets: NamedDependency[DatasetService],
        documents: NamedDependency[DocumentService],
        dataset_id: FromPath[str],
        document_id: FromPath[str],
    ) -> Envelope[None]:
        """Replace all tags of a document."""
        if data.tags is None:
            raise InvalidRequest("tags: this field is required.", field="tags")
        wanted = required_id(document_id, field="document_id")
        base = await datasets.get(principal, required_id(dataset_id, field="dataset_id"))
        if (await documents.get(principal, wanted)).dataset_id != base.id:
            raise DocumentNotFound(f"No document {wanted}.", document_id=wanted)
        await documents.edit(principal, wanted, EditDocument(tags=read_tags(data.tags)))
        return done()


async def _listed(
    principal: Principal, documents: DocumentService, data: ListDocumentsBody
) -> DocumentList:
    wanted = page(
        data.page or data.page_num,
        data.size or data.page_size,
        default=_PAGE_SIZE,
        maximum=_MAX_PAGE_SIZE,
        field="page",
    )
    ids = data.document_ids or ()
    if len(ids) > _MAX_PAGE_SIZE:
        raise InvalidRequest(
            f"document_ids: expected up to {_MAX_PAGE_SIZE} ids.", field="document_ids"
        )
    query = DocumentQuery(
        dataset_id=required_id(data.dataset_id, field="dataset_id"),
        keyword=data.keyword or "",
        statuses=_statuses(data.status),
        document_ids=tuple(required_id(each, field="document_ids") for each in ids),
        page=wanted.number,
        size=wanted.size,
    )
    found = await documents.page(principal, query)
    return DocumentList(
        document_infos=[WireDocument.of(each) for each in found.items], total=found.total
    )


def _statuses(number: int | None) -> frozenset[DocumentStatus]:
    if number is None:
        return frozenset()
    if number not in _STATUSES:
        raise InvalidRequest("status: expected 0 (in work), 1 (ready) or 9 (failed).")
    return _STATUSES[number]
