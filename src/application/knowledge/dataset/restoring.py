"""Fills search stores from what the database says, for deployments that moved or came back."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass

from application.knowledge.ingest.indexing import SliceIndexer
from domain.knowledge.dataset import Dataset
from domain.knowledge.rebuild import IndexPlan
from domain.knowledge.repository import KnowledgeStore
from domain.knowledge.slice import Slice
from domain.knowledge.value import DatasetId, SliceId, SliceStatus
from domain.shared.access import TenantScope
from infra.contract.storage.search_index import MAX_BATCH, CollectionNotFound, TextIndexes

PAGE = 1000


@dataclass(frozen=True, slots=True)
class Collection:
    """One collection that a base searches, or that is being built for it."""

    dataset: Dataset
    plan: IndexPlan

    @property
    def name(self) -> str:
        return self.plan.collection(self.dataset.id)


class IndexRestorer:
    """Works on bases of all spaces, while no server does; repeating a batch changes nothing."""

    def __init__(self, *, store: KnowledgeStore, indexer: SliceIndexer, texts: TextIndexes) -> None:
        self._store = store
        self._indexer = indexer
        self._texts = texts

    async def collections(self) -> list[Collection]:
        """All collections that hold something, by base."""
        found: list[Collection] = []
        after = DatasetId(0)
        while True:
            async with self._store.snapshot() as uow:
                page = await uow.upkeep.datasets(after=after, limit=PAGE)
            if not page:
                return found
            after = page[-1].id
            for dataset in page:
                plans = (dataset.index, dataset.shadow)
                found += [
                    Collection(dataset, plan)
                    for plan in plans
                    if plan is not None and plan.embedding_dimensions
                ]

    async def size(self, collection: Collection) -> int:
        """How many entries the database wants in a collection."""
        count = 0
        async with aclosing(self.slices(collection, after=0)) as batches:
            async for batch in batches:
                count += len(batch)
        return count

    async def slices(
        self, collection: Collection, *, after: int
    ) -> AsyncGenerator[list[Slice], None]:
        """Yield what belongs into a collection and has a greater id, by id."""
        dataset = collection.dataset
        while True:
            async with self._store.snapshot() as uow:
                page = await uow.rebuilds.slices(
                    _scope(dataset), dataset.id, after=SliceId(after), limit=MAX_BATCH
                )
            if not page:
                return
            after = page[-1].id
            if done := [item for item in page if item.status is SliceStatus.DONE]:
                yield done

    async def fill(self, collection: Collection, slices: Sequence[Slice]) -> None:
        """Embed and index slices; raises what models and stores raise."""
        dataset = collection.dataset
        await self._indexer.fill(_scope(dataset), dataset, collection.plan, slices)

    async def fill_texts(self, collection: Collection, slices: Sequence[Slice]) -> None:
        """Index the words of slices, whose vectors are there already."""
        await self._indexer.fill_texts(collection.dataset, collection.plan, slices)

    async def count(self, collection: Collection) -> int:
        """How many slices the database has, whatever their state."""
        dataset = collection.dataset
        async with self._store.snapshot() as uow:
            return await uow.rebuilds.count(_scope(dataset), dataset.id)

    async def existing(self, collection: Collection, slice_ids: Sequence[int]) -> set[int]:
        """Which of these are slices of documents that live."""
        dataset = collection.dataset
        async with self._store.snapshot() as uow:
            known = await uow.reconciling.existing(
                _scope(dataset), dataset.id, list(map(SliceId, slice_ids))
            )
        return set(map(int, known))

    async def done(self, collection: Collection, *, after: int, limit: int) -> list[int]:
        """Slices that searches should find and whose id is greater, by id."""
        dataset = collection.dataset
        async with self._store.snapshot() as uow:
            found = await uow.reconciling.done(
                _scope(dataset), dataset.id, after=SliceId(after), limit=limit
            )
        return list(map(int, found))

    async def unfound(self, collection: Collection, *, limit: int) -> list[int]:
        """Which of the first slices are not found by all of their words in their document."""
        async with aclosing(self.slices(collection, after=0)) as batches:
            async for batch in batches:
                found = await self._indexer.found_by_words(collection.plan, batch[:limit])
                return [item.id for item in batch[:limit] if item.id not in found]
        return []

    async def held(self, collection: Collection) -> int:
        """How many entries the index of words has."""
        try:
            return await (await self._texts.open(collection.name)).count()
        except CollectionNotFound:
            return 0


def _scope(dataset: Dataset) -> TenantScope:
    return TenantScope(dataset.creator_id, frozenset({dataset.space_id}))
