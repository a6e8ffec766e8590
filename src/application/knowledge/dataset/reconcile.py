"""Compares a base with its stores, and repairs what interrupted work left behind."""

import logging
import re
import zlib
from collections.abc import Sequence
from datetime import timedelta
from typing import Final

import msgspec

from application.knowledge.dataset.rebuild import RebuildService
from application.knowledge.ingest.indexing import collections_of
from application.knowledge.retrieval.calibration import ScaleLearner
from domain.knowledge.dataset import Dataset
from domain.knowledge.error import DatasetNotFound, SliceNotFound, WorkerLost
from domain.knowledge.event import DataDeleted, GenerationDropped
from domain.knowledge.job import IngestJob
from domain.knowledge.rebuild import UNFINISHED
from domain.knowledge.repository import KnowledgeStore
from domain.knowledge.slice import Slice
from domain.knowledge.value import DatasetId, DocumentId, FormatType, SliceId, SliceStatus
from domain.shared.access import Permission, Principal, TenantScope
from domain.shared.error import AppError, StaleRevision
from domain.shared.id_generator import IdGenerator
from domain.shared.ids import UserId
from infra.contract.clock import Clock
from infra.contract.observability.metrics import Metrics
from infra.contract.storage.object_store import ObjectStore
from infra.contract.storage.search_index import (
    CollectionNotFound,
    EntryKey,
    EntryStore,
    TextIndexes,
    VectorIndexes,
)
from infra.contract.table.store import TableRef, TableStore

PAGE: Final = 1000
PATIENCE: Final = timedelta(hours=1)
"""How long deletions and edits may wait for their consumers before they are repeated."""
_HOURS: Final = 24
_TABLE: Final = re.compile(r"table_(\d+)_")
_SYSTEM: Final = UserId(0)
_logger: Final = logging.getLogger(__name__)


class ReconcileCounts(msgspec.Struct, kw_only=True):
    """What was found, and repaired or given to those who repair it; all 0 after normal work."""

    stale_entries: int = 0
    """Entries of search stores without a slice."""
    missing_entries: int = 0
    """Slices that a search store lost; they are indexed again."""
    waiting_slices: int = 0
    """Edited slices that nobody indexed; they are indexed again."""
    lost_jobs: int = 0
    """Documents being indexed by nobody; they get a job."""
    orphan_jobs: int = 0
    littered_documents: int = 0
    """Documents with slices of old generations."""
    unpurged_documents: int = 0
    """Deleted documents whose data is still there."""
    lost_objects: int = 0
    stale_collections: int = 0
    stale_tables: int = 0
    is_skipped: bool = False
    """The index is being built anew; nothing was compared."""

    @property
    def findings(self) -> dict[str, int]:
        """The counts by name."""
        return {
            name: value
            for name, value in msgspec.structs.asdict(self).items()
            if name != "is_skipped"
        }


class Reconciler:
    """Safe beside normal work: whatever it reads may change, so each repair looks again."""

    def __init__(
        self,
        *,
        store: KnowledgeStore,
        objects: ObjectStore,
        vectors: VectorIndexes,
        texts: TextIndexes,
        tables: TableStore,
        rebuilds: RebuildService,
        scales: ScaleLearner,
        metrics: Metrics,
        clock: Clock,
        ids: IdGenerator,
    ) -> None:
        self._store = store
        self._objects = objects
        self._vectors = vectors
        self._texts = texts
        self._tables = tables
        self._rebuilds = rebuilds
        self._scales = scales
        self._metrics = metrics
        self._clock = clock
        self._ids = ids
        self._last_hour = -1

    async def reconcile(self, principal: Principal, dataset_id: int) -> ReconcileCounts:
        """Compare one base now; raise ``DatasetNotFound``."""
        async with self._store.snapshot() as uow:
            dataset = await uow.datasets.get(principal.scope, DatasetId(dataset_id))
        principal.require(Permission.DATASET_WRITE, dataset.space_id)
        return await self.run(dataset)

    async def run(self, dataset: Dataset) -> ReconcileCounts:
        """Compare a base with its stores and repair it."""
        scope = TenantScope(dataset.creator_id, frozenset({dataset.space_id}))
        counts = ReconcileCounts()
        if dataset.shadow is not None:
            counts.is_skipped = True
            return counts
        await self._repair_jobs(scope, dataset, counts)
        await self._repeat_deletions(scope, dataset, counts)
        for indexes in (self._vectors, self._texts):
            await self._compare(scope, dataset, indexes, counts)
            await self._drop_collections(scope, dataset, indexes, counts)
        await self._announce_waiting(scope, dataset, counts)
        await self._forget_objects(scope, counts)
        await self._drop_tables(scope, dataset, counts)
        self._report(counts)
        return counts

    async def run_hour(self) -> None:
        """Compare the bases whose hour it is: each once a day, whenever the process started."""
        hour = self._clock.now().hour
        if hour == self._last_hour:
            return
        self._last_hour = hour
        after = DatasetId(0)
        while True:
            async with self._store.snapshot() as uow:
                page = await uow.upkeep.datasets(after=after, limit=PAGE)
            if not page:
                break
            after = page[-1].id
            for dataset in page:
                if zlib.crc32(str(dataset.id).encode()) % _HOURS == hour:
                    await self._run_safely(dataset)
        await self.drop_orphans()

    async def drop_orphans(self) -> None:
        """Drop collections of bases that are gone, and repeat deletions of whole bases."""
        now = self._clock.now()
        async with self._store.transaction() as uow:
            for dataset in await uow.upkeep.unpurged_datasets(before=now - PATIENCE, limit=PAGE):
                uow.collect(
                    DataDeleted(occurred_at=now, space_id=dataset.space_id, aggregate_id=dataset.id)
                )
            await uow.commit()
        for indexes in (self._vectors, self._texts):
            owners = {name: _owner(name) for name in await indexes.names("kb_")}
            for start in range(0, len(owners), PAGE):
                page = list(owners.items())[start : start + PAGE]
                async with self._store.snapshot() as uow:
                    known = await uow.upkeep.known_datasets([key for _, key in page if key])
                for name, key in page:
                    if key and key not in known:
                        await indexes.drop(name)

    async def _run_safely(self, dataset: Dataset) -> None:
        """One base that cannot be compared must not keep the others waiting."""
        try:
            if not await self._rebuilds.renew(dataset):
                counts = await self.run(dataset)
                scope = TenantScope(dataset.creator_id, frozenset({dataset.space_id}))
                await self._scales.refresh(scope, dataset)
                if any(counts.findings.values()):
                    _logger.warning("Repaired base %d: %s", dataset.id, counts.findings)
        except AppError:
            _logger.warning("Base %d could not be compared.", dataset.id, exc_info=True)

    async def _repair_jobs(
        self, scope: TenantScope, dataset: Dataset, counts: ReconcileCounts
    ) -> None:
        now = self._clock.now()
        async with self._store.transaction() as uow:
            for document_id in await uow.reconciling.jobless(scope, dataset.id, limit=PAGE):
                document = await uow.documents.lock(scope, document_id)
                if document.pending_generation is None:
                    continue
                counts.lost_jobs += 1
                if document.format_type is FormatType.TABLE and document.active_generation:
                    # What was to be appended was known to the job only.
                    document.fail(
                        document.generation,
                        code=WorkerLost.code,
                        reason="The rows that were being added are lost; send them again.",
                        now=now,
                    )
                    await uow.documents.save(scope, document)
                    continue
                # The number of the generation may have been used by a job that is over.
                document.restart(now=now)
                job = IngestJob.of(
                    document, self._ids.next_id(), generation=document.generation, now=now
                )
                await uow.documents.save(scope, document)
                await uow.jobs.add(scope, job)
            counts.orphan_jobs += await uow.reconciling.drop_orphan_jobs(scope, dataset.id)
            await uow.commit()

    async def _repeat_deletions(
        self, scope: TenantScope, dataset: Dataset, counts: ReconcileCounts
    ) -> None:
        now = self._clock.now()
        async with self._store.transaction() as uow:
            littered = await uow.reconciling.littered(scope, dataset.id, limit=PAGE)
            unpurged = await uow.reconciling.unpurged(
                scope, dataset.id, before=now - PATIENCE, limit=PAGE
            )
            uow.collect(
                *(
                    GenerationDropped(
                        occurred_at=now,
                        space_id=dataset.space_id,
                        aggregate_id=dataset.id,
                        document_id=document_id,
                    )
                    for document_id in littered
                )
            )
            if unpurged:
                uow.collect(
                    DataDeleted(
                        occurred_at=now,
                        space_id=dataset.space_id,
                        aggregate_id=dataset.id,
                        document_ids=tuple(unpurged),
                    )
                )
            await uow.commit()
        counts.littered_documents += len(littered)
        counts.unpurged_documents += len(unpurged)

    async def _compare(
        self,
        scope: TenantScope,
        dataset: Dataset,
        indexes: VectorIndexes | TextIndexes,
        counts: ReconcileCounts,
    ) -> None:
        """Walk through one store and the slices side by side."""
        try:
            index: EntryStore | None = await indexes.open(dataset.collection)
        except CollectionNotFound:
            index = None
        if index is not None:
            await self._drop_stale(scope, dataset, index, counts)
        after = SliceId(0)
        while True:
            # The slices first: what is marked done has been in the store by then.
            async with self._store.snapshot() as uow:
                done = await uow.reconciling.done(scope, dataset.id, after=after, limit=PAGE)
            if not done:
                return
            held = set() if index is None else await _held(index, after=after, last=done[-1])
            lost = [key for key in done if key not in held]
            for key in lost:
                counts.missing_entries += await self._announce(scope, key, SliceStatus.DONE)
            after = done[-1]

    async def _drop_stale(
        self, scope: TenantScope, dataset: Dataset, index: EntryStore, counts: ReconcileCounts
    ) -> None:
        after = 0
        while True:
            # The entries first: a slice is stored before it is indexed.
            entries = await index.scan(after=after, limit=PAGE)
            if not entries:
                return
            after = entries[-1].id
            async with self._store.snapshot() as uow:
                known = await uow.reconciling.existing(
                    scope, dataset.id, [SliceId(entry.slice_id) for entry in entries]
                )
            stale = [entry.id for entry in entries if SliceId(entry.slice_id) not in known]
            if stale:
                counts.stale_entries += await index.delete(ids=stale)

    async def _announce_waiting(
        self, scope: TenantScope, dataset: Dataset, counts: ReconcileCounts
    ) -> None:
        before = self._clock.now() - PATIENCE
        async with self._store.snapshot() as uow:
            waiting = await uow.reconciling.waiting(scope, dataset.id, before=before, limit=PAGE)
        for key in waiting:
            counts.waiting_slices += await self._announce(scope, key, SliceStatus.PENDING)

    async def _announce(self, scope: TenantScope, slice_id: SliceId, status: SliceStatus) -> int:
        """Have a slice indexed again, unless it changed meanwhile; return how many that were."""
        try:
            async with self._store.transaction() as uow:
                item: Slice = await uow.slices.get(scope, slice_id)
                if item.status is not status:
                    return 0
                item.announce(now=self._clock.now(), actor_id=_SYSTEM)
                await uow.slices.save(scope, item)
                await uow.commit()
        except (SliceNotFound, StaleRevision):
            return 0
        return 1

    async def _drop_collections(
        self,
        scope: TenantScope,
        dataset: Dataset,
        indexes: VectorIndexes | TextIndexes,
        counts: ReconcileCounts,
    ) -> None:
        names = await collections_of(indexes, dataset.id)
        try:
            async with self._store.snapshot() as uow:
                fresh = await uow.datasets.get(scope, dataset.id)
                last = (await uow.rebuilds.latest(scope, [dataset.id])).get(dataset.id)
        except DatasetNotFound:
            return
        needed = {fresh.collection}
        if fresh.shadow is not None:
            needed.add(fresh.shadow.collection(dataset.id))
        if last is not None and last.state in UNFINISHED:
            needed.add(last.old_collection)
        for name in names:
            if name not in needed:
                await indexes.drop(name)
                counts.stale_collections += 1

    async def _drop_tables(
        self, scope: TenantScope, dataset: Dataset, counts: ReconcileCounts
    ) -> None:
        """Drop physical tables of documents that are gone, whatever base they were of."""
        if dataset.format_type is not FormatType.TABLE:
            return
        names = await self._tables.names(dataset.space_id)
        owners = {name: DocumentId(int(m[1])) for name in names if (m := _TABLE.match(name))}
        async with self._store.snapshot() as uow:
            known = await uow.reconciling.known(scope, sorted(set(owners.values())))
        for name, owner in owners.items():
            if owner not in known:
                await self._tables.drop(TableRef(dataset.space_id, name))
                counts.stale_tables += 1

    async def _forget_objects(self, scope: TenantScope, counts: ReconcileCounts) -> None:
        async with self._store.snapshot() as uow:
            keys = await uow.reconciling.lost_objects(scope, limit=PAGE)
        for key in keys:
            await self._objects.delete(key)
        if keys:
            async with self._store.transaction() as uow:
                await uow.reconciling.forget_lost_objects(scope, keys)
                await uow.commit()
        counts.lost_objects += len(keys)

    def _report(self, counts: ReconcileCounts) -> None:
        for kind, count in counts.findings.items():
            self._metrics.counter(
                "knowledge_reconciled_total",
                "What reconcilers found and repaired, by kind.",
                kind=kind,
            ).add(count)


async def _held(index: EntryStore, *, after: int, last: int) -> set[int]:
    """Return the slices with an entry between two ids."""
    held: set[int] = set()
    while after < last:
        entries: Sequence[EntryKey] = await index.scan(after=after, limit=PAGE)
        if not entries:
            break
        held.update(entry.slice_id for entry in entries)
        after = entries[-1].id
    return held


def _owner(name: str) -> DatasetId:
    """Read the base a collection belongs to; 0 for a name that is not ours."""
    digits = name.removeprefix("kb_").partition("_")[0]
    return DatasetId(int(digits)) if digits.isdigit() else DatasetId(0)
