"""Slices into the search stores of their base, and out again."""

import asyncio
from array import array
from collections.abc import Sequence
from typing import Final

from crossdomain.model.contract import Models
from domain.knowledge.analyzer import Analyzer
from domain.knowledge.dataset import Dataset
from domain.knowledge.slice import Slice
from domain.knowledge.value import DocumentId, SliceId
from domain.shared.access import CONNECTOR_API, TenantScope
from domain.shared.call import CallContext
from domain.shared.error import AppError, InvalidRequest
from infra.contract.chat_model import ModelCallFailed, ModelFailure
from infra.contract.search_index import (
    MAX_BATCH,
    CollectionNotFound,
    EntryKey,
    TextCollection,
    TextEntry,
    TextIndexes,
    VectorCollection,
    VectorEntry,
    VectorIndexes,
)

REMOVED_AT_ONCE: Final = 1000
_TEXT_AT_FAULT: Final = frozenset(
    {ModelFailure.CONTEXT_OVERFLOW, ModelFailure.CONTENT_FILTER, ModelFailure.INVALID_REQUEST}
)


class SliceIndexer:
    """Keeps vectors and tokens of slices; all stores accept a batch, or it is not done."""

    def __init__(
        self, *, models: Models, vectors: VectorIndexes, texts: TextIndexes, analyzer: Analyzer
    ) -> None:
        self._models = models
        self._vectors = vectors
        self._texts = texts
        self._analyzer = analyzer

    async def write(self, scope: TenantScope, dataset: Dataset, slices: Sequence[Slice]) -> None:
        """Index up to ``MAX_BATCH`` slices and mark each done, or failed if its text is at fault.

        The first call fixes the embedding of ``dataset``, which the caller saves. Raises what
        models and stores raise.
        """
        if len(slices) > MAX_BATCH:
            raise ValueError(f"{len(slices)} slices at once")
        context = CallContext(scope=scope, space_id=dataset.space_id, connector_id=CONNECTOR_API)
        found = await self._embed(context, dataset, slices)
        good = [item for item in slices if item.id in found]
        if not good:
            return
        tokens = await asyncio.to_thread(self._tokens, good)
        await self._vectors.create(
            VectorCollection(name=dataset.collection, dimensions=dataset.embedding_dimensions)
        )
        await self._texts.create(
            TextCollection(name=dataset.collection, analyzer=dataset.analyzer_version)
        )
        vectors = await self._vectors.open(dataset.collection)
        await vectors.upsert([VectorEntry(key=_key(i, dataset), vector=found[i.id]) for i in good])
        texts = await self._texts.open(dataset.collection)
        await texts.upsert(
            [
                TextEntry(key=_key(item, dataset), tokens=words)
                for item, words in zip(good, tokens, strict=True)
            ]
        )
        for item in good:
            item.mark_indexed()

    async def remove(
        self,
        collection: str,
        *,
        slice_ids: Sequence[SliceId] = (),
        document_ids: Sequence[DocumentId] = (),
    ) -> None:
        """Remove entries; absent ones, or an absent collection, are no error."""
        for indexes in (self._vectors, self._texts):
            try:
                index = await indexes.open(collection)
            except CollectionNotFound:
                continue
            await index.delete(ids=slice_ids, document_ids=document_ids)

    async def drop(self, collection: str) -> None:
        """Remove a collection with all entries."""
        await self._vectors.drop(collection)
        await self._texts.drop(collection)

    async def _embed(
        self, context: CallContext, dataset: Dataset, slices: Sequence[Slice]
    ) -> dict[SliceId, Sequence[float]]:
        """Embed what can be; a batch with a text at fault is split down to that one."""
        if not slices:
            return {}
        try:
            result = await self._models.embed(
                context,
                [item.searched_text for item in slices],
                purpose="document",
                model=dataset.embedding_model,
            )
        except (ModelCallFailed, InvalidRequest) as exc:
            if not _is_text_at_fault(exc):
                raise
            if len(slices) == 1:
                slices[0].mark_failed(exc.message)
                return {}
            half = len(slices) // 2
            first = await self._embed(context, dataset, slices[:half])
            return first | await self._embed(context, dataset, slices[half:])
        # The name that was asked for: what a provider answers with need not be known here.
        dataset.fix_embedding(model=dataset.embedding_model, dimensions=len(result.vectors[0]))
        return {
            item.id: array("f", vector) for item, vector in zip(slices, result.vectors, strict=True)
        }

    def _tokens(self, slices: Sequence[Slice]) -> list[list[str]]:
        return [list(self._analyzer.index_tokens(item.searched_text)) for item in slices]


def _is_text_at_fault(error: AppError) -> bool:
    return not isinstance(error, ModelCallFailed) or error.failure in _TEXT_AT_FAULT


def _key(item: Slice, dataset: Dataset) -> EntryKey:
    return EntryKey(
        id=item.id,
        document_id=item.document_id,
        slice_id=item.id,
        generation=item.generation,
        creator_id=dataset.creator_id,
    )
