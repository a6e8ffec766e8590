"""Documents whose bytes and rule a base has already."""

from collections.abc import Sequence

from domain.knowledge.document import Document
from domain.knowledge.repository import KnowledgeUnitOfWork
from domain.knowledge.value import OnDuplicate
from domain.shared.access import TenantScope


async def settle_duplicates(
    uow: KnowledgeUnitOfWork,
    scope: TenantScope,
    documents: Sequence[Document],
    policy: OnDuplicate,
) -> list[Document]:
    """Return what stands for each new document: itself, or the one that is there.

    What is replaced can be found until its successor can. Two equal ones of one request count as
    one. Web pages are never equal: their bytes are not known yet. The base must be locked, or two
    requests at the same time do not see each other.
    """
    if policy is OnDuplicate.KEEP:
        return list(documents)
    hashes = {document.content_hash for document in documents if document.content_hash}
    stored = await uow.documents.with_content(scope, documents[0].dataset_id, sorted(hashes))
    leaving = {replaced for document in stored for replaced in document.replaces}
    known = [document for document in stored if document.id not in leaving]
    if policy is OnDuplicate.REPLACE:
        known = []
    result: list[Document] = []
    for document in documents:
        twin = next((each for each in [*known, *result] if _is_twin(each, document)), document)
        result.append(twin)
    if policy is OnDuplicate.REPLACE:
        for new in result:
            new.replaces = tuple(old.id for old in stored if _is_twin(old, new))
    return result


def _is_twin(one: Document, other: Document) -> bool:
    return bool(one.content_hash) and _traits(one) == _traits(other)


def _traits(document: Document) -> tuple[object, ...]:
    """The columns of a table do not count: a new one may not know them yet."""
    rule = document.rule
    return document.content_hash, rule.reading, rule.chunking, rule.caption
