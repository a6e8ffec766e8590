"""Building the index of a base anew: asked for here, done batch by batch in the background."""

import logging
import random
from collections.abc import Mapping, Sequence
from datetime import timedelta
from functools import partial
from typing import Final

import msgspec

from application.knowledge.ingest.indexing import SliceIndexer
from application.knowledge.retrieval.calibration import ScaleLearner
from application.shared.heartbeat import keeping
from crossdomain.model.contract import Models
from domain.knowledge.dataset import Dataset
from domain.knowledge.error import (
    UNKNOWN_FAULT,
    DatasetNotFound,
    EmbeddingChanged,
    is_retryable,
)
from domain.knowledge.job import retry_delay_s
from domain.knowledge.rebuild import (
    IndexPlan,
    Rebuild,
    RebuildId,
    RebuildLost,
    RebuildState,
)
from domain.knowledge.repository import KnowledgeStore, KnowledgeUnitOfWork
from domain.knowledge.slice import Slice
from domain.knowledge.text.analyzer import ANALYZER_VERSION
from domain.knowledge.value import DatasetId, SliceId, SliceStatus
from domain.shared.access import Permission, Principal, TenantScope
from domain.shared.error import AppError, StaleRevision
from domain.shared.ids import UserId
from infra.contract.chat_model import RETRYABLE, ModelCallFailed
from infra.contract.clock import Clock
from infra.contract.id_generator import IdGenerator

BATCH: Final = 100
CLAIM: Final = timedelta(minutes=1)
"""Renewed while the work goes on; a process that died is replaced after this."""
RENEW_S: Final = 20.0
_CANDIDATES: Final = 5
_logger: Final = logging.getLogger(__name__)


class RebuildView(msgspec.Struct, frozen=True, kw_only=True):
    """How far the youngest rebuild of a base is."""

    state: RebuildState
    embedding_model: str
    index_version: int
    percent: int
    done: int
    total: int
    error: str


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


class RebuildRunner:
    """Copies slices into new indexes, for all spaces; safe to run in several processes."""

    def __init__(
        self, *, store: KnowledgeStore, indexer: SliceIndexer, scales: ScaleLearner, clock: Clock
    ) -> None:
        self._store = store
        self._indexer = indexer
        self._scales = scales
        self._clock = clock

    async def run_due(self) -> None:
        """Work on everything that is due."""
        while await self.run_once():
            pass

    async def run_once(self) -> bool:
        """Work on one rebuild until it ends or is put off; False if none is due."""
        rebuild = await self._claim()
        if rebuild is None:
            return False
        scope = TenantScope(rebuild.creator_id, frozenset({rebuild.space_id}))
        try:
            await keeping(
                partial(self._proceed, rebuild, scope),
                partial(self._renew, rebuild),
                every_s=RENEW_S,
            )
        except (RebuildLost, DatasetNotFound):
            await self._leave(rebuild, scope)
        except StaleRevision:  # the base was edited meanwhile; again at once
            await self._postpone(rebuild, scope, None)
        except Exception as exc:  # noqa: BLE001 - kept in its row, and in the log if a defect
            await self._postpone(rebuild, scope, exc)
        return True

    async def _proceed(self, rebuild: Rebuild, scope: TenantScope) -> None:
        if rebuild.state is RebuildState.SWITCHED:
            await self._drop_old(rebuild)
            return
        while await self._copy_batch(rebuild, scope):
            pass
        await self._switch(rebuild, scope)

    async def _renew(self, rebuild: Rebuild) -> None:
        async with self._store.transaction() as uow:
            await uow.upkeep.renew_rebuild(rebuild, until=self._clock.now() + CLAIM)
            await uow.commit()

    async def _claim(self) -> Rebuild | None:
        now = self._clock.now()
        async with self._store.snapshot() as uow:
            due = await uow.upkeep.due_rebuilds(now=now, limit=_CANDIDATES)
        for rebuild in due:
            try:
                rebuild.claim(now=now, until=now + CLAIM)
                await self._save(rebuild)
            except RebuildLost:  # another process was faster
                continue
            return rebuild
        return None

    async def _copy_batch(self, rebuild: Rebuild, scope: TenantScope) -> bool:
        """Copy the next slices; False if there are none."""
        async with self._store.snapshot() as uow:
            dataset = await uow.datasets.get(scope, rebuild.dataset_id)
            batch = await uow.rebuilds.slices(
                scope, rebuild.dataset_id, after=rebuild.cursor, limit=BATCH
            )
        plan = dataset.shadow
        if plan is None or plan.version != rebuild.plan.version:
            raise RebuildLost("This rebuild is not wanted any more.", rebuild_id=rebuild.id)
        if not batch:
            return False
        await self._copy(scope, dataset, rebuild, batch)
        now = self._clock.now()
        rebuild.advance(batch[-1].id, count=len(batch), until=now + CLAIM)
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
            await uow.upkeep.save_rebuild(rebuild)
            await uow.commit()

    async def _drop_old(self, rebuild: Rebuild) -> None:
        await self._indexer.drop_collection(rebuild.old_collection)
        rebuild.finish(now=self._clock.now())
        await self._save(rebuild)

    async def _leave(self, rebuild: Rebuild, scope: TenantScope) -> None:
        """Forget a rebuild whose base is gone; one of another process stays as it is."""
        _logger.info("The rebuild %d is not wanted any more.", rebuild.id)
        async with self._store.transaction() as uow:
            if await uow.datasets.get_many(scope, [rebuild.dataset_id]):
                return
            await uow.rebuilds.forget(scope, rebuild.dataset_id)
            await uow.commit()
        # The last batch may have made the collection again after it was dropped with the base.
        await self._indexer.drop(rebuild.dataset_id)

    async def _postpone(
        self, rebuild: Rebuild, scope: TenantScope, error: Exception | None
    ) -> None:
        now = self._clock.now()
        if error is not None and not isinstance(error, AppError):
            _logger.error("The rebuild %d met a defect.", rebuild.id, exc_info=error)
        async with self._store.transaction() as uow:
            stored = (await uow.rebuilds.latest(scope, [rebuild.dataset_id])).get(
                rebuild.dataset_id
            )
            if stored is None or stored.id != rebuild.id or stored.revision != rebuild.revision:
                return
            code, reason, wish_s = _blame(error)
            jitter = random.uniform(-1, 1)  # noqa: S311 - spreads retries, protects nothing
            delay_s = retry_delay_s(stored.attempt + 1, jitter=jitter, retry_after_s=wish_s)
            stored.postpone(code=code, reason=reason, delay_s=delay_s, now=now)
            is_given_up = stored.is_exhausted or not _is_worth_a_retry(error)
            if is_given_up and stored.state is RebuildState.BUILDING:
                stored.fail(now=now)
                await self._abandon(uow, scope, stored)
            await uow.upkeep.save_rebuild(stored)
            await uow.commit()
        if stored.state is RebuildState.FAILED:
            await self._indexer.drop_collection(stored.plan.collection(stored.dataset_id))

    async def _abandon(
        self, uow: KnowledgeUnitOfWork, scope: TenantScope, rebuild: Rebuild
    ) -> None:
        dataset = await uow.datasets.get(scope, rebuild.dataset_id)
        dataset.abandon_rebuild(rebuild.plan.version, now=self._clock.now())
        await uow.datasets.save(scope, dataset)

    async def _save(self, rebuild: Rebuild) -> None:
        async with self._store.transaction() as uow:
            await uow.upkeep.save_rebuild(rebuild)
            await uow.commit()


def _view(rebuild: Rebuild) -> RebuildView:
    return RebuildView(
        state=rebuild.state,
        embedding_model=rebuild.plan.embedding_model,
        index_version=rebuild.plan.version,
        percent=rebuild.percent,
        done=rebuild.done,
        total=max(rebuild.total, rebuild.done),
        error=rebuild.last_error,
    )


def _blame(error: Exception | None) -> tuple[int, str, float | None]:
    """Return code, reason for the owner, and how long to wait at least."""
    if error is None:
        return 0, "", None
    if isinstance(error, AppError):
        return error.code, error.message, error.retry_after_s
    return UNKNOWN_FAULT, "An internal error; try again or ask the operator.", None


def _is_worth_a_retry(error: Exception | None) -> bool:
    if isinstance(error, ModelCallFailed):
        return error.failure in RETRYABLE
    if isinstance(error, EmbeddingChanged):
        return False
    return not isinstance(error, AppError) or is_retryable(error)
