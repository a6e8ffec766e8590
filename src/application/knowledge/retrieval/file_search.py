"""Knowledge bases that a request names itself: whether it may, and what is found in them."""

from collections.abc import Sequence
from typing import Final

from application.knowledge.retrieval.service import RetrievalService
from crossdomain.knowledge.contract import Recall, RecallRequest, RetrievalStrategy
from domain.knowledge.error import DatasetNotFound
from domain.knowledge.repository import KnowledgeStore
from domain.knowledge.value import DatasetId
from domain.shared.access import Permission, Principal
from domain.shared.call import CallContext
from domain.shared.ids import SpaceId
from domain.shared.tracing.correlation import current_log_id

__all__ = ["FileSearchService", "Recall"]

_RESULTS: Final = 10
"""Pieces that a model gets which is asked without an agent."""


class FileSearchService:
    """Searches bases for those who may read them."""

    def __init__(self, *, retrieval: RetrievalService, store: KnowledgeStore) -> None:
        self._retrieval = retrieval
        self._store = store

    async def require(
        self, principal: Principal, dataset_ids: Sequence[int], *, space_id: SpaceId | None = None
    ) -> SpaceId:
        """Return the workspace of bases, all of which the caller may read.

        Raises:
            DatasetNotFound: one is not there, or in another workspace than the others, or than
                ``space_id``: one search has the rights of one workspace.
            Forbidden: the token or role may not read it.
        """
        wanted = [DatasetId(number) for number in dataset_ids]
        async with self._store.snapshot() as uow:
            found = await uow.datasets.get_many(principal.scope, wanted)
        for key in wanted:
            space_id = found[key].space_id if space_id is None and key in found else space_id
            if key not in found or found[key].space_id != space_id:
                raise DatasetNotFound(
                    f"tools: no knowledge base {key} in this workspace.", field="tools"
                )
            principal.require(Permission.DATASET_READ, found[key].space_id)
        if space_id is None:
            raise DatasetNotFound("tools: no knowledge base is named.", field="tools")
        return space_id

    async def search(
        self, principal: Principal, query: str, dataset_ids: Sequence[int], *, most: int | None
    ) -> Recall:
        """Return what fits a question; raise as ``require``, and ``RetrievalFailed``."""
        space_id = await self.require(principal, dataset_ids)
        context = CallContext(
            scope=principal.scope.within(space_id),
            space_id=space_id,
            connector_id=principal.connector_id,
            end_user_id=principal.end_user_id,
            log_id=current_log_id(),
        )
        request = RecallRequest(
            query=query,
            dataset_ids=tuple(dataset_ids),
            strategy=RetrievalStrategy(top_k=most or _RESULTS),
        )
        return await self._retrieval.retrieve(context, request)
