"""Documents that a request names one by one."""

from collections.abc import Sequence

from application.knowledge.dto import DocumentPage, DocumentQuery, DocumentView
from application.knowledge.view import document_view, page_of
from domain.knowledge.repository import KnowledgeUnitOfWork
from domain.knowledge.value import DocumentId
from domain.shared.access import TenantScope


async def documents_chosen(
    uow: KnowledgeUnitOfWork, scope: TenantScope, query: DocumentQuery
) -> DocumentPage:
    """Return one page of those documents that are of the base."""
    page = page_of(query.page, query.size)
    wanted = [DocumentId(number) for number in query.document_ids]
    found = sorted(
        (
            document
            for document in (await uow.documents.get_many(scope, wanted)).values()
            if document.dataset_id == query.dataset_id
            and (not query.statuses or document.status in query.statuses)
            and query.keyword.lower() in document.name.lower()
        ),
        key=lambda document: document.id,
        reverse=True,
    )
    shown = found[page.offset : page.offset + page.size]
    return DocumentPage(items=tuple(map(document_view, shown)), total=len(found))


async def documents_made(
    uow: KnowledgeUnitOfWork, scope: TenantScope, ids: Sequence[int]
) -> tuple[DocumentView, ...]:
    """Show documents of an earlier request; those deleted since are left out."""
    wanted = [DocumentId(number) for number in ids]
    found = await uow.documents.get_many(scope, wanted)
    return tuple(document_view(found[key]) for key in wanted if key in found)
