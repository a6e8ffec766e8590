"""What follows from edits and deletions: consumers of events, each safe to repeat."""

from typing import Final

import msgspec

from application.knowledge.indexing import REMOVED_AT_ONCE, SliceIndexer
from domain.knowledge.error import DatasetNotFound, SliceNotFound
from domain.knowledge.event import DataDeleted, GenerationDropped, SliceChanged
from domain.knowledge.repository import KnowledgeStore
from domain.knowledge.value import DatasetId, DocumentId, SliceId
from domain.shared.access import TenantScope
from domain.shared.error import StaleRevision
from domain.shared.ids import SpaceId, UserId
from infra.contract.event_bus import Delivery
from infra.contract.object_store import ObjectStore

Event = DataDeleted | GenerationDropped | SliceChanged
TOPICS: Final = frozenset(
    str(event.__struct_config__.tag) for event in (DataDeleted, GenerationDropped, SliceChanged)
)


class IngestCleaner:
    """Indexes edited slices, and removes the data of what was deleted or given up."""

    def __init__(
        self, *, store: KnowledgeStore, objects: ObjectStore, indexer: SliceIndexer
    ) -> None:
        self._store = store
        self._objects = objects
        self._indexer = indexer

    async def handle(self, delivery: Delivery) -> None:
        """Take one event of ``TOPICS``."""
        event: Event = msgspec.json.decode(delivery.payload, type=Event)
        scope = TenantScope(UserId(event.actor_id), frozenset({SpaceId(event.space_id)}))
        dataset_id = DatasetId(event.aggregate_id)
        match event:
            case SliceChanged():
                await self._index(scope, dataset_id, SliceId(event.slice_id))
            case GenerationDropped():
                await self._drop_outdated(scope, dataset_id, DocumentId(event.document_id))
            case DataDeleted():
                await self._delete(scope, dataset_id, event)

    async def forget_late(
        self, scope: TenantScope, dataset_id: DatasetId, document_id: DocumentId
    ) -> None:
        """Remove what a worker wrote after its document was deleted; else change nothing."""
        async with self._store.snapshot() as uow:
            if document_id in await uow.documents.get_many(scope, [document_id]):
                return
            try:
                await uow.datasets.get(scope, dataset_id)
                is_there = True
            except DatasetNotFound:
                is_there = False
        if is_there:
            await self._indexer.remove(dataset_id, document_ids=[document_id])
        else:
            await self._indexer.drop(dataset_id)
        await self._purge(scope, [document_id])

    async def _index(self, scope: TenantScope, dataset_id: DatasetId, slice_id: SliceId) -> None:
        try:
            async with self._store.snapshot() as uow:
                dataset = await uow.datasets.get(scope, dataset_id)
                item = await uow.slices.get(scope, slice_id)
        except (DatasetNotFound, SliceNotFound):
            return
        was_fixed = bool(dataset.embedding_dimensions)
        await self._indexer.write(scope, dataset, [item])
        try:
            async with self._store.transaction() as uow:
                await uow.slices.save(scope, item)
                if not was_fixed:
                    await uow.datasets.save(scope, dataset)
                await uow.commit()
        except StaleRevision:
            # Edited, deleted or replaced meanwhile: whatever it was has an event of its own, but
            # the entry of a slice that is gone must not come back.
            async with self._store.snapshot() as uow:
                is_gone = not await uow.slices.get_many(scope, [slice_id])
            if is_gone:
                await self._indexer.remove(dataset_id, slice_ids=[slice_id])

    async def _drop_outdated(
        self, scope: TenantScope, dataset_id: DatasetId, document_id: DocumentId
    ) -> None:
        while True:
            async with self._store.snapshot() as uow:
                try:
                    await uow.datasets.get(scope, dataset_id)
                except DatasetNotFound:
                    return
                old = await uow.batches.outdated(scope, document_id, limit=REMOVED_AT_ONCE)
            if not old:
                return
            await self._indexer.remove(dataset_id, slice_ids=old)
            await self._forget_slices(scope, old)

    async def _delete(self, scope: TenantScope, dataset_id: DatasetId, event: DataDeleted) -> None:
        slice_ids = [SliceId(number) for number in event.slice_ids]
        document_ids = [DocumentId(number) for number in event.document_ids]
        if slice_ids or document_ids:
            await self._indexer.remove(dataset_id, slice_ids=slice_ids, document_ids=document_ids)
            await self._purge(scope, document_ids)
            return
        await self._indexer.drop(dataset_id)
        while True:
            async with self._store.snapshot() as uow:
                deleted = await uow.documents.deleted(scope, dataset_id, limit=REMOVED_AT_ONCE)
            if not deleted:
                break
            await self._purge(scope, deleted)
        async with self._store.transaction() as uow:
            await uow.rebuilds.forget(scope, dataset_id)
            await uow.datasets.forget(scope, dataset_id)
            await uow.commit()

    async def _purge(self, scope: TenantScope, document_ids: list[DocumentId]) -> None:
        """Remove slices, objects, then the rows of deleted documents."""
        if not document_ids:
            return
        while True:
            async with self._store.snapshot() as uow:
                old = await uow.batches.of_documents(scope, document_ids, limit=REMOVED_AT_ONCE)
                keys = await uow.objects.of(scope, document_ids, limit=REMOVED_AT_ONCE)
                shared = await uow.objects.shared(scope, keys, besides=document_ids)
            if not old and not keys:
                break
            for key in keys:
                if key not in shared:
                    await self._objects.delete(key)
            async with self._store.transaction() as uow:
                await uow.objects.forget(scope, keys, document_ids)
                await uow.commit()
            await self._forget_slices(scope, old)
        async with self._store.transaction() as uow:
            await uow.documents.forget(scope, document_ids)
            await uow.commit()

    async def _forget_slices(self, scope: TenantScope, slice_ids: list[SliceId]) -> None:
        async with self._store.transaction() as uow:
            await uow.slices.remove(scope, slice_ids)
            await uow.commit()
