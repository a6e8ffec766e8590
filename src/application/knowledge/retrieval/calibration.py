"""The score scale of a base: what the cosines of its embedding model mean there."""

import asyncio
import logging
from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from operator import mul
from typing import Final

from application.knowledge.ingest.indexing import SliceIndexer
from crossdomain.model.contract import Models
from domain.knowledge.dataset import Dataset
from domain.knowledge.ranking.score import Calibration, LearntScale, family_scale
from domain.knowledge.rebuild import IndexPlan
from domain.knowledge.repository import KnowledgeStore
from domain.knowledge.value import DatasetId
from domain.shared.access import TenantScope
from domain.shared.error import AppError

SAMPLE: Final = 40
"""Slices whose pairs are compared: 780 pairs."""
ENOUGH: Final = 16
"""Slices that speak for themselves: 120 pairs. With fewer, a family or the probes help out."""
_REMEMBERED: Final = 10_000
"""Bases whose documents are counted; begun anew, their scales are looked at more often."""
_GROWN: Final = 2
"""Times as many slices as a scale was learnt from, or as few, make it worth learning again."""

PROBES: Final = (
    "The train to the coast leaves at seven in the morning.",
    "Add two eggs and a pinch of salt to the flour.",
    "Interest is paid at the end of each quarter.",
    "Whales breathe air and nurse their young.",
    "The defendant may appeal within thirty days.",
    "Press the red button to stop the machine.",
    "Her first novel was published after the war.",
    "A triangle has three sides and three angles.",
    "The patient should rest and drink plenty of water.",
    "Our warehouse ships orders on the next working day.",
    "The striker scored twice in the second half.",
    "Volcanoes form where plates of the crust meet.",
    "Passwords must be changed every ninety days.",
    "The choir sings in the old church on Sundays.",
    "Plant the bulbs in autumn, ten centimetres deep.",
    "The bridge was closed for repairs last summer.",
    "Copper conducts electricity better than iron.",
    "Employees accrue two days of leave each month.",
    "The senate rejected the bill by a narrow margin.",
    "Clean the lens with a soft and dry cloth.",
)
"""Sentences that have nothing to do with each other, for bases that are too small to sample."""

_logger: Final = logging.getLogger(__name__)


class ScaleLearner:
    """Learns scales from slices that were taken at random; embedding them anew costs little.

    The built-in embedding model has a scale of its own and is never measured.
    """

    def __init__(self, *, store: KnowledgeStore, models: Models, indexer: SliceIndexer) -> None:
        self._store = store
        self._models = models
        self._indexer = indexer
        self._seen: Counter[DatasetId] = Counter()

    async def document_indexed(self, scope: TenantScope, dataset_id: DatasetId) -> None:
        """Look after the scale of a growing base, every time its documents have doubled.

        Never raises: a base without a scale is still searched.
        """
        if len(self._seen) > _REMEMBERED:
            self._seen.clear()
        self._seen[dataset_id] += 1
        count = self._seen[dataset_id]
        if count & (count - 1):  # not a power of two: counting slices takes time in large bases
            return
        try:
            async with self._store.snapshot() as uow:
                dataset = await uow.datasets.get(scope, dataset_id)
            await self.refresh(scope, dataset)
        except AppError as exc:  # what the model or the database said is all there is to tell
            _logger.warning("Base %d has no scale yet: %s", dataset_id, exc.message)

    async def refresh(self, scope: TenantScope, dataset: Dataset) -> bool:
        """Learn the scale of a base unless it is known well enough; tell whether it did.

        Raises what models and the database raise.
        """
        if not dataset.embedding_dimensions:
            return False
        async with self._store.snapshot() as uow:
            totals = await uow.datasets.totals(scope, [dataset.id])
        slices = totals[dataset.id].slices
        known = dataset.scale
        if known is not None and known.slices <= slices * _GROWN and slices < known.slices * _GROWN:
            return False
        scale = await self.measured(scope, dataset, dataset.index)
        if scale is None:
            return False
        await self.keep(scope, dataset, dataset.index, scale)
        return True

    async def keep(
        self, scope: TenantScope, dataset: Dataset, plan: IndexPlan, scale: LearntScale
    ) -> None:
        """Store the scale of one index of a base."""
        async with self._store.transaction() as uow:
            await uow.datasets.keep_scale(scope, dataset.id, plan.version, scale)
            await uow.commit()

    async def measured(
        self, scope: TenantScope, dataset: Dataset, plan: IndexPlan
    ) -> LearntScale | None:
        """Measure what cosines of an index mean; None if there is nothing to measure."""
        model = await self._models.describe_embedding(plan.embedding_model)
        if model.is_offline:
            return None
        async with self._store.snapshot() as uow:
            sample = await uow.rebuilds.sample(scope, dataset.id, limit=SAMPLE)
            totals = await uow.datasets.totals(scope, [dataset.id])
        slices = totals[dataset.id].slices
        texts = list(dict.fromkeys(item.searched_text for item in sample))
        if not texts:
            return None
        if len(texts) < ENOUGH:
            known = family_scale(model.upstream)
            if known is not None:
                return LearntScale(known.low, known.high, slices)
            texts += PROBES
        vectors = await self._indexer.embedded(scope, dataset, model, texts)
        learnt = await asyncio.to_thread(_learnt, vectors)
        return LearntScale(learnt.low, learnt.high, slices)


def _learnt(vectors: Sequence[Sequence[float]]) -> Calibration:
    units = [
        [value / length for value in vector] for vector in vectors if (length := _norm(vector))
    ]
    return Calibration.automatic(
        [sum(map(mul, one, other)) for one, other in combinations(units, 2)]
    )


def _norm(vector: Sequence[float]) -> float:
    return float(sum(map(mul, vector, vector)) ** 0.5)
