"""Knowledge for other contexts: the use cases of this one in the words of the contract."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from crossdomain.knowledge.contract import (
    DatasetDescription,
    DocumentProgress,
    DocumentToStore,
    Recall,
    RecallRequest,
    StoredDocument,
)
from domain.knowledge.dataset import Dataset
from domain.knowledge.ranking.filter import parse_filter
from domain.knowledge.repository import KnowledgeStore
from domain.knowledge.value import DatasetId, DocumentId, DocumentStatus
from domain.shared.access import TenantScope
from domain.shared.call import CallContext


class Retrieval(Protocol):
    """Searches and counts hits."""

    async def retrieve(self, context: CallContext, request: RecallRequest) -> Recall: ...


class Intake(Protocol):
    """Takes documents in and out."""

    async def add(
        self, context: CallContext, document: DocumentToStore, *, key: str
    ) -> StoredDocument: ...

    async def remove(
        self, context: CallContext, dataset_ids: Sequence[int], document_id: int
    ) -> bool: ...


class DomainKnowledge:
    """Implements ``crossdomain.knowledge.contract.Knowledge``."""

    def __init__(self, *, retrieval: Retrieval, intake: Intake, store: KnowledgeStore) -> None:
        self._retrieval = retrieval
        self._intake = intake
        self._store = store

    async def retrieve(self, context: CallContext, request: RecallRequest) -> Recall:
        return await self._retrieval.retrieve(context, request)

    def check_filter(self, value: Mapping[str, Any]) -> None:
        parse_filter(value)

    async def describe(
        self, scope: TenantScope, dataset_ids: Sequence[int]
    ) -> tuple[DatasetDescription, ...]:
        wanted = [DatasetId(number) for number in dict.fromkeys(dataset_ids)]
        async with self._store.snapshot() as uow:
            found = await uow.datasets.get_many(scope, wanted)
        return tuple(_description(found[key]) for key in wanted if key in found)

    async def store_document(
        self, context: CallContext, document: DocumentToStore, *, key: str
    ) -> StoredDocument:
        return await self._intake.add(context, document, key=key)

    async def progress(self, scope: TenantScope, document_id: int) -> DocumentProgress:
        async with self._store.snapshot() as uow:
            document = await uow.documents.get(scope, DocumentId(document_id))
        if document.status is DocumentStatus.FAILED:
            return DocumentProgress(is_over=True, failure=document.fail_reason)
        return DocumentProgress(is_over=document.pending_generation is None)

    async def delete_document(
        self, context: CallContext, dataset_ids: Sequence[int], document_id: int
    ) -> bool:
        return await self._intake.remove(context, dataset_ids, document_id)


def _description(dataset: Dataset) -> DatasetDescription:
    return DatasetDescription(
        id=dataset.id,
        name=dataset.name,
        description=dataset.description,
        format_type=dataset.format_type,
        is_enabled=dataset.is_searchable,
    )
