"""What follows from edits and deletions: consumers of events, each safe to repeat."""

from typing import Final

import msgspec

from application.knowledge.ingest.indexing import REMOVED_AT_ONCE, SliceIndexer
from application.knowledge.table.storage import RowTables
from domain.knowledge.error import DatasetNotFound, DocumentNotFound, SliceNotFound
from domain.knowledge.event import DataDeleted, GenerationDropped, SliceChanged
from domain.knowledge.repository import KnowledgeStore
from domain.knowledge.value import DatasetId, DocumentId, FormatType, Page, SliceId, SliceKind
from domain.shared.access import TenantScope
from domain.shared.crashpoint import crashpoint
from domain.shared.error import StaleRevision
from domain.shared.ids import SpaceId, UserId
from infra.contract.messaging.event_bus import Delivery
from infra.contract.storage.object_store import ObjectStore

Event = DataDeleted | GenerationDropped | SliceChanged
TOPICS: Final = frozenset(
    str(event.__struct_config__.tag) for event in (DataDeleted, GenerationDropped, SliceChanged)
)


class IngestCleaner:
    """Indexes edited slices, and removes the data of what was deleted or given up."""

    def __init__(
        self,
        *,
        store: KnowledgeStore,
        objects: ObjectStore,
        indexer: SliceIndexer,
        rows: RowTables,
    ) -> None:
        self._rows = rows
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
        """Remove what a worker wrote after its document was deleted, or another took over."""
        async with self._store.snapshot() as uow:
            found = await uow.documents.get_many(scope, [document_id])
            if (document := found.get(document_id)) is not None:
                if document.format_type is FormatType.TABLE:
                    await self._rows.drop_outdated(document)
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
                document = await uow.documents.get(scope, item.document_id)
        except (DatasetNotFound, DocumentNotFound, SliceNotFound):
            return
        if item.kind is SliceKind.ROW:
            await self._rows.write(document, item.generation, document.schema, [item])
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
                if item.kind is SliceKind.ROW:
                    await self._rows.remove(document, [slice_id])

    async def _drop_outdated(
        self, scope: TenantScope, dataset_id: DatasetId, document_id: DocumentId
    ) -> None:
        while True:
            async with self._store.snapshot() as uow:
                try:
                    await uow.datasets.get(scope, dataset_id)
                    document = await uow.documents.get(scope, document_id)
                except (DatasetNotFound, DocumentNotFound):
                    return
                old = await uow.batches.outdated(scope, document_id, limit=REMOVED_AT_ONCE)
            if document.format_type is FormatType.TABLE:
                # Without their table the rows of an append cannot join the one in use any more.
                await self._rows.drop_outdated(document)
                await self._rows.remove(document, old)
            if not old:
                return
            # The entries first: those of slices without rows would never be found again.
            await self._indexer.remove(dataset_id, slice_ids=old)
            await self._forget_slices(scope, old)

    async def _delete(self, scope: TenantScope, dataset_id: DatasetId, event: DataDeleted) -> None:
        slice_ids = [SliceId(number) for number in event.slice_ids]
        document_ids = [DocumentId(number) for number in event.document_ids]
        if slice_ids or document_ids:
            await self._indexer.remove(dataset_id, slice_ids=slice_ids, document_ids=document_ids)
            crashpoint("ingest.delete.unindexed")
            await self._remove_rows(scope, dataset_id, slice_ids)
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
            await uow.copies.forget(scope, dataset_id)
            await uow.datasets.forget(scope, dataset_id)
            await uow.commit()

    async def _remove_rows(
        self, scope: TenantScope, dataset_id: DatasetId, slice_ids: list[SliceId]
    ) -> None:
        """Remove rows from the table of their base; it has one."""
        if not slice_ids:
            return
        async with self._store.snapshot() as uow:
            page = Page(number=1, size=REMOVED_AT_ONCE)
            found, _ = await uow.documents.page(scope, dataset_id, page=page)
        for document in found:
            if document.format_type is FormatType.TABLE:
                await self._rows.remove(document, slice_ids)

    async def _purge(self, scope: TenantScope, document_ids: list[DocumentId]) -> None:
        """Remove slices, objects, then the rows of deleted documents."""
        if not document_ids:
            return
        for space_id in scope.space_ids:
            await self._rows.drop(space_id, document_ids)
        while True:
            async with self._store.snapshot() as uow:
                old = await uow.batches.of_documents(scope, document_ids, limit=REMOVED_AT_ONCE)
                keys = await uow.objects.of(scope, document_ids, limit=REMOVED_AT_ONCE)
                shared = await uow.objects.shared(scope, keys, besides=document_ids)
            if not old and not keys:
                break
            for key in keys:
                if key not in shared:
                    # Objects before the rows that name them: after a crash in between they are
                    # found, and deleted, again.
                    await self._objects.delete(key)
            crashpoint("ingest.delete.objects_gone")
            async with self._store.transaction() as uow:
                await uow.objects.forget(scope, keys, document_ids)
                await uow.commit()
            await self._forget_slices(scope, old)
        crashpoint("ingest.delete.slices_gone")
        async with self._store.transaction() as uow:
            # Last, for all that was removed above is found through them.
            await uow.documents.forget(scope, document_ids)
            await uow.commit()

    async def _forget_slices(self, scope: TenantScope, slice_ids: list[SliceId]) -> None:
        async with self._store.transaction() as uow:
            await uow.slices.remove(scope, slice_ids)
            await uow.commit()
