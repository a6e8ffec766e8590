"""Documents whose bytes and rule a base has already."""

from collections.abc import Sequence
from datetime import datetime

from domain.knowledge.document import Document
from domain.knowledge.repository import KnowledgeUnitOfWork
from domain.knowledge.value import OnDuplicate
from domain.shared.access import TenantScope
from domain.shared.ids import UserId


async def settle_duplicates(
    uow: KnowledgeUnitOfWork,
    scope: TenantScope,
    documents: Sequence[Document],
    policy: OnDuplicate,
    *,
    now: datetime,
    actor_id: UserId,
) -> list[Document]:
    """Return what stands for each new document: itself, or the one that is there.

    What is replaced is deleted in the same transaction. Two equal ones of one request count as one.
    Web pages are never equal: their bytes are not known yet.
    """
    if policy is OnDuplicate.KEEP:
        return list(documents)
    hashes = {document.content_hash for document in documents if document.content_hash}
    stored = await uow.documents.with_content(scope, documents[0].dataset_id, sorted(hashes))
    known = stored if policy is OnDuplicate.SKIP else []
    result: list[Document] = []
    for document in documents:
        twin = next((each for each in [*known, *result] if _is_twin(each, document)), document)
        result.append(twin)
    if policy is OnDuplicate.REPLACE:
        outdated = [old for old in stored if any(_is_twin(old, new) for new in result)]
        await _delete(uow, scope, outdated, now=now, actor_id=actor_id)
    return result


def _is_twin(one: Document, other: Document) -> bool:
    return bool(one.content_hash) and _traits(one) == _traits(other)


def _traits(document: Document) -> tuple[object, ...]:
    """The columns of a table do not count: a new one may not know them yet."""
    rule = document.rule
    return document.content_hash, rule.reading, rule.chunking, rule.caption


async def _delete(
    uow: KnowledgeUnitOfWork,
    scope: TenantScope,
    documents: Sequence[Document],
    *,
    now: datetime,
    actor_id: UserId,
) -> None:
    # The jobs first: everybody locks in this order.
    await uow.jobs.supersede(scope, [document.id for document in documents])
    for old in documents:
        document = await uow.documents.lock(scope, old.id)
        document.delete(now=now, actor_id=actor_id)
        await uow.documents.save(scope, document)
