"""Building the index of a base anew: asked for here, done batch by batch in the background."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Final

import msgspec

from application.knowledge.ingest.indexing import SliceIndexer
from application.knowledge.retrieval.calibration import ScaleLearner
from application.knowledge.work import WorkKind
from application.shared.projection import At, Projection
from crossdomain.model.contract import Models
from domain.knowledge.dataset import Dataset
from domain.knowledge.error import DatasetNotFound, EmbeddingChanged, WorkLost
from domain.knowledge.rebuild import IndexPlan, Rebuild, RebuildId, RebuildState
from domain.knowledge.repository import KnowledgeStore, KnowledgeUnitOfWork, WorkQueue
from domain.knowledge.slice import Slice
from domain.knowledge.text.analyzer import ANALYZER_VERSION
from domain.knowledge.value import DatasetId, SliceId, SliceStatus
from domain.shared.access import Permission, Principal, TenantScope
from domain.shared.error import StaleRevision
from domain.shared.id_generator import IdGenerator
from domain.shared.ids import UserId
from infra.contract.clock import Clock

BATCH: Final = 100


class RebuildView(Projection):
    """How far the youngest rebuild of a base is."""

    state: RebuildState
    embedding_model: Annotated[str, At("plan.embedding_model")]
    index_version: Annotated[int, At("plan.version")]
    percent: int
    done: int
    total: int
    error: Annotated[str, At("last_error")]


class RebuildService:
    """Takes wishes for a new index and tells how far they are."""

    def __init__(
        self, *, store: KnowledgeStore, models: Models, clock: Clock, ids: IdGenerator
    ) -> None:
        self._store = store
        self._models = models
        self._clock = clock
        self._ids = ids

    async def request(
        self, principal: Principal, dataset_id: int, *, embedding_model: str | None = None
    ) -> RebuildView:
        """Have the index built anew; searches use the old one until the new one is complete.

        ``embedding_model`` None keeps the model, an empty name means the default one.

        Raises:
            DatasetNotFound: no such base.
            RebuildRefused: one is under way.
            ModelNotFound: no such embedding model.
        """
        async with self._store.snapshot() as uow:
            dataset = await uow.datasets.get(principal.scope, DatasetId(dataset_id))
        principal.require(Permission.DATASET_WRITE, dataset.space_id)
        name = dataset.embedding_model if embedding_model is None else embedding_model
        model = await self._models.describe_embedding(name)
        scope = principal.scope.within(dataset.space_id)
        return _view(await self._begin(scope, dataset.id, model.id, principal.user_id))

    async def renew(self, dataset: Dataset) -> bool:
        """Begin a rebuild if the index was made by an older analyzer; nobody has to ask for it."""
        if dataset.analyzer_version == ANALYZER_VERSION or dataset.shadow is not None:
            return False
        scope = TenantScope(dataset.creator_id, frozenset({dataset.space_id}))
        await self._begin(scope, dataset.id, dataset.embedding_model, dataset.creator_id)
        return True

    async def latest(
        self, principal: Principal, dataset_ids: Sequence[int]
    ) -> dict[int, RebuildView]:
        """Return the youngest rebuild of those bases that had one."""
        keys = [DatasetId(number) for number in dataset_ids]
        async with self._store.snapshot() as uow:
            found = await uow.rebuilds.latest(principal.scope, keys)
        return {
            key: _view(rebuild)
            for key, rebuild in found.items()
            if principal.may(Permission.DATASET_READ, rebuild.space_id)
        }

    async def _begin(
        self, scope: TenantScope, dataset_id: DatasetId, model: str, actor_id: UserId
    ) -> Rebuild:
        now = self._clock.now()
        async with self._store.transaction() as uow:
            dataset = await uow.datasets.get(scope, dataset_id)
            last = (await uow.rebuilds.latest(scope, [dataset_id])).get(dataset_id)
            version = max(dataset.index_version, last.plan.version if last else 0) + 1
            plan = IndexPlan(
                version=version, embedding_model=model, analyzer_version=ANALYZER_VERSION
            )
            dataset.begin_rebuild(plan, now=now)
            rebuild = Rebuild.request(
                RebuildId(self._ids.next_id()),
                space_id=dataset.space_id,
                dataset_id=dataset.id,
                creator_id=actor_id,
                plan=plan,
                old_collection=dataset.collection,
                total=await uow.rebuilds.count(scope, dataset.id),
                now=now,
            )
            await uow.datasets.save(scope, dataset)
            await uow.rebuilds.add(scope, rebuild)
            await uow.commit()
        return rebuild


class RebuildKind(WorkKind[Rebuild]):
    """Copies slices into new indexes."""

    name = "rebuild"

    def __init__(
        self, *, store: KnowledgeStore, indexer: SliceIndexer, scales: ScaleLearner, clock: Clock
    ) -> None:
        self._store = store
        self._indexer = indexer
        self._scales = scales
        self._clock = clock

    def queue(self, uow: KnowledgeUnitOfWork) -> WorkQueue[Rebuild]:
        return uow.upkeep.rebuilds

    async def proceed(self, work: Rebuild, scope: TenantScope) -> None:
        try:
            await self._proceed(work, scope)
        except DatasetNotFound as exc:
            raise WorkLost("The base of this rebuild is gone.", work_id=work.id) from exc

    async def _proceed(self, rebuild: Rebuild, scope: TenantScope) -> None:
        if rebuild.state is RebuildState.SWITCHED:
            await self._drop_old(rebuild)
            return
        while await self._copy_batch(rebuild, scope):
            pass
        await self._switch(rebuild, scope)

    async def _copy_batch(self, rebuild: Rebuild, scope: TenantScope) -> bool:
        """Copy the next slices; False if there are none."""
        async with self._store.snapshot() as uow:
            dataset = await uow.datasets.get(scope, rebuild.dataset_id)
            batch = await uow.rebuilds.slices(
                scope, rebuild.dataset_id, after=rebuild.cursor, limit=BATCH
            )
        plan = dataset.shadow
        if plan is None or plan.version != rebuild.plan.version:
            raise WorkLost("This rebuild is not wanted any more.", rebuild_id=rebuild.id)
        if not batch:
            return False
        await self._copy(scope, dataset, rebuild, batch)
        rebuild.advance(batch[-1].id, count=len(batch))
        await self._save(rebuild)
        return True

    async def _copy(
        self, scope: TenantScope, dataset: Dataset, rebuild: Rebuild, batch: Sequence[Slice]
    ) -> None:
        """Copy slices, and again those that were edited or deleted while that went on."""
        wanted = batch
        while wanted:
            written = await self._indexer.fill(scope, dataset, rebuild.plan, wanted)
            if written.dimensions:
                rebuild.plan = msgspec.structs.replace(
                    rebuild.plan, embedding_dimensions=written.dimensions
                )
            before = {item.id: item for item in wanted}
            async with self._store.snapshot() as uow:
                found = await uow.rebuilds.reread(scope, rebuild.dataset_id, list(before))
            now_there = {item.id: item for item in found}
            gone = [key for key in before if key not in now_there]
            if gone:
                await self._indexer.remove(rebuild.dataset_id, slice_ids=gone)
            wanted = [
                item
                for key, item in now_there.items()
                if item.searched_text != before[key].searched_text
            ]
            await self._note_outcome(scope, list(now_there.values()), written.failed)

    async def _note_outcome(
        self, scope: TenantScope, items: Sequence[Slice], failed: Mapping[SliceId, str]
    ) -> None:
        """Mark slices that this model refuses, and those that only the old one refused."""
        changed = []
        for item in items:
            reason = failed.get(item.id)
            if reason is not None and item.status is SliceStatus.DONE:
                item.mark_failed(reason)
                changed.append(item)
            elif reason is None and item.status is SliceStatus.FAILED:
                item.mark_indexed()
                changed.append(item)
        for item in changed:
            try:
                async with self._store.transaction() as uow:
                    await uow.slices.save(scope, item)
                    await uow.commit()
            except StaleRevision:  # edited meanwhile: its event indexes it in both
                continue

    async def _switch(self, rebuild: Rebuild, scope: TenantScope) -> None:
        async with self._store.snapshot() as uow:
            dataset = await uow.datasets.get(scope, rebuild.dataset_id)
        scale = await self._scales.measured(scope, dataset, rebuild.plan)
        now = self._clock.now()
        async with self._store.transaction() as uow:
            dataset = await uow.datasets.get(scope, rebuild.dataset_id)
            dataset.end_rebuild(
                rebuild.plan.version,
                dimensions=rebuild.plan.embedding_dimensions,
                now=now,
            )
            rebuild.switched(now=now)
            await uow.datasets.save(scope, dataset)
            # That of the old model says nothing about the new one.
            await uow.datasets.keep_scale(scope, dataset.id, rebuild.plan.version, scale)
            await uow.upkeep.rebuilds.save(rebuild)
            await uow.commit()

    async def _drop_old(self, rebuild: Rebuild) -> None:
        await self._indexer.drop_collection(rebuild.old_collection)
        rebuild.finish(now=self._clock.now())
        await self._save(rebuild)

    async def leave(self, work: Rebuild, scope: TenantScope) -> None:
        """Forget a rebuild whose base is gone; one of another process stays as it is."""
        async with self._store.transaction() as uow:
            if await uow.datasets.get_many(scope, [work.dataset_id]):
                return
            await uow.rebuilds.forget(scope, work.dataset_id)
            await uow.commit()
        # The last batch may have made the collection again after it was dropped with the base.
        await self._indexer.drop(work.dataset_id)

    def is_worth_a_retry(self, error: Exception) -> bool:
        return not isinstance(error, EmbeddingChanged) and super().is_worth_a_retry(error)

    def reason(self, error: Exception) -> str:
        """That the base was edited meanwhile is nobody's fault."""
        return "" if isinstance(error, StaleRevision) else super().reason(error)

    def may_fail(self, work: Rebuild) -> bool:
        """Once searches use the new index, only the old one is to be dropped, be it late."""
        return work.state is RebuildState.BUILDING

    async def failed(self, uow: KnowledgeUnitOfWork, scope: TenantScope, work: Rebuild) -> None:
        dataset = await uow.datasets.get(scope, work.dataset_id)
        dataset.abandon_rebuild(work.plan.version, now=self._clock.now())
        await uow.datasets.save(scope, dataset)

    async def settled(self, work: Rebuild) -> None:
        if work.state is RebuildState.FAILED:
            await self._indexer.drop_collection(work.plan.collection(work.dataset_id))

    async def _save(self, rebuild: Rebuild) -> None:
        async with self._store.transaction() as uow:
            await uow.upkeep.rebuilds.save(rebuild)
            await uow.commit()


def _view(rebuild: Rebuild) -> RebuildView:
    return RebuildView.of(rebuild, total=max(rebuild.total, rebuild.done))
