"""Use cases on the health of a base: which of its slices serve nobody."""

from collections import Counter
from typing import Final

import msgspec

from application.knowledge.view import page_of
from application.shared.page import Listed
from domain.knowledge.dataset import Dataset
from domain.knowledge.health import LONGEST, SHORTEST, SliceChoice, script_of
from domain.knowledge.repository import KnowledgeStore, KnowledgeUnitOfWork
from domain.knowledge.value import (
    DatasetId,
    ExaminedSlice,
    FlawCount,
    LengthBin,
    Script,
    ScriptCount,
    SliceFlaw,
    SliceId,
)
from domain.shared.access import Permission, Principal

_SAMPLED: Final = 1000
"""Of so many slices, spread over those that are examined, the letters are looked at."""


class DatasetHealth(msgspec.Struct, frozen=True, kw_only=True):
    """Figures of the slices of a base."""

    slices: int
    """Slices that the base has."""
    examined: int
    """Of them so many were counted: all, or the youngest of a large base."""
    shortest: int
    """Characters below which a text counts as empty."""
    longest: int
    """Characters above which a slice counts as over long."""
    lengths: tuple[LengthBin, ...]
    """Slices by their characters, shortest first."""
    flaws: tuple[FlawCount, ...]
    """How many slices have each flaw."""
    sampled: int
    """Of so many slices, spread over the examined ones, the language was looked at."""
    languages: tuple[ScriptCount, ...]
    """Languages of the sample, as far as letters tell them apart; most frequent first."""


class ExaminedQuery(msgspec.Struct, frozen=True, kw_only=True):
    """Which of the slices that the figures count; what is None does not narrow."""

    dataset_id: int
    flaw: SliceFlaw | None = None
    script: Script | None = None
    at_least: int | None = None
    below: int | None = None
    page: int = 1
    size: int = 20


class ExaminedPage(Listed[ExaminedSlice]):
    """One page of slices and how many there are."""


class HealthService:
    """Looks through the slices of bases for those who may read them."""

    def __init__(self, *, store: KnowledgeStore) -> None:
        self._store = store

    async def get(self, principal: Principal, dataset_id: int) -> DatasetHealth:
        """Return the figures of a base; raise ``DatasetNotFound``."""
        async with self._store.snapshot() as uow:
            dataset = await _readable(uow, principal, dataset_id)
            tally = await uow.health.tally(principal.scope, dataset.id)
            letters = await _sampled(uow, principal, dataset.id)
        scripts = Counter(letters.values())
        return DatasetHealth(
            slices=tally.slices,
            examined=tally.examined,
            shortest=SHORTEST,
            longest=LONGEST,
            lengths=tally.lengths,
            flaws=tally.flaws,
            sampled=len(letters),
            languages=tuple(
                ScriptCount(script=script, count=count) for script, count in scripts.most_common()
            ),
        )

    async def slices(self, principal: Principal, query: ExaminedQuery) -> ExaminedPage:
        """Return the slices behind a figure, the worst first; raise ``DatasetNotFound``."""
        page = page_of(query.page, query.size)
        async with self._store.snapshot() as uow:
            dataset = await _readable(uow, principal, query.dataset_id)
            among: list[SliceId] | None = None
            if query.script is not None:
                letters = await _sampled(uow, principal, dataset.id)
                among = [each for each, script in letters.items() if script is query.script]
            choice = SliceChoice(
                flaw=query.flaw, at_least=query.at_least, below=query.below, among=among
            )
            items, total = await uow.health.page(principal.scope, dataset.id, choice, page)
        return ExaminedPage(items=items, total=total)


async def _readable(uow: KnowledgeUnitOfWork, principal: Principal, dataset_id: int) -> Dataset:
    dataset = await uow.datasets.get(principal.scope, DatasetId(dataset_id))
    principal.require(Permission.DATASET_READ, dataset.space_id)
    return dataset


async def _sampled(
    uow: KnowledgeUnitOfWork, principal: Principal, dataset_id: DatasetId
) -> dict[SliceId, Script]:
    """In which letters the slices of the sample are."""
    found = await uow.health.sample(principal.scope, dataset_id, limit=_SAMPLED)
    return {slice_id: script_of(text) for slice_id, text in found}
