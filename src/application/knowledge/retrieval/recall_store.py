"""Asking the search stores: every base, every wording, a few calls at a time."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from typing import Any, Final, TypeVar

from application.knowledge.retrieval.recall_embedding import Vector
from application.knowledge.retrieval.settings import RetrievalSettings
from application.knowledge.retrieval.trace import reason
from domain.knowledge.dataset import Dataset
from domain.knowledge.error import RetrievalFailed
from domain.knowledge.ranking.fusion import fuse_variants
from domain.knowledge.ranking.score import COZE_SCALE, Calibration, embedding_score, full_text_score
from domain.shared.capacity.fair_share import FairShare
from domain.shared.capacity.share_meter import ShareFigures
from domain.shared.error import AppError
from infra.contract.storage.search_index import (
    CollectionNotFound,
    Hit,
    QueryTerm,
    TermStats,
    TextIndexes,
    UnfitEntry,
    VectorIndexes,
    Where,
)

T = TypeVar("T")

Embedding = tuple[str, int]
"""Model and dimensions of an index; only vectors of the same compare."""

_REINDEX: Final = "{name}: its index was made with another embedding model; index it anew"


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """A base to search, and where in it."""

    dataset: Dataset
    where: Where


@dataclass(frozen=True, slots=True, kw_only=True)
class Channel:
    """What one kind of search found over all bases and wordings: slices, best first.

    ``scores`` are in 0 to 1, ``raw`` those of the index. ``is_cut`` tells that there may be more.
    ``has_failed`` means that nothing was searched at all.
    """

    ranked: tuple[int, ...] = ()
    scores: Mapping[int, float] = field(default_factory=dict)
    raw: Mapping[int, float] = field(default_factory=dict)
    is_cut: bool = False
    failures: tuple[str, ...] = ()
    has_failed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Lookup:
    """One call of a store: the list that its hits join, and what they are worth."""

    place: tuple[Embedding | None, int]
    call: Callable[[], Awaitable[list[Hit]]]
    score: Callable[[Hit], float]


_WAITING: Final = 1000
"""Calls of one space that wait; each search gives up after ``store_s`` anyway."""

NOTHING: Final = Channel()
FAILED: Final = Channel(has_failed=True)


class StoreCalls:
    """Bounds the calls of one search, and those of the process.

    The first bound is the search's own, so there is nobody to share with; the second is fair.
    """

    def __init__(self, *, process: FairShare, space_id: int, own: int) -> None:
        self._process = process
        self._space_id = space_id
        self._own = asyncio.Semaphore(own)

    async def run(self, call: Callable[[], Awaitable[T]]) -> T:
        """Call when it is its turn; what fails is tried once more."""
        async with AsyncExitStack() as stack:
            await stack.enter_async_context(self._own)
            await stack.enter_async_context(self._process.hold(self._space_id))
            try:
                return await call()
            except (CollectionNotFound, RetrievalFailed):
                raise
            except AppError:
                return await call()


class StoreRecall:
    """Searches vectors and words of several bases as if they were one."""

    def __init__(
        self,
        *,
        vectors: VectorIndexes,
        texts: TextIndexes,
        settings: RetrievalSettings,
        figures: ShareFigures | None = None,
    ) -> None:
        self._vectors = vectors
        self._texts = texts
        self._settings = settings
        self._process = FairShare(
            "the search stores",
            capacity=settings.stores,
            kept=settings.stores // 2,
            waiting=_WAITING,
            wait_s=settings.store_s,
        )
        if figures is not None:
            figures.show("searches", self._process)

    def calls(self, space_id: int) -> StoreCalls:
        """Open the account of one search."""
        return StoreCalls(
            process=self._process, space_id=space_id, own=self._settings.stores_per_search
        )

    async def by_vector(
        self,
        calls: StoreCalls,
        targets: Sequence[Target],
        vectors: Mapping[Embedding, Mapping[str, Vector]],
        wordings: Mapping[int, Sequence[Sequence[str]]],
        *,
        limit: int,
        scales: Mapping[Embedding, Calibration],
    ) -> Channel:
        """Search by the vectors that each embedding model made of the texts.

        ``wordings`` has, by base, the texts of each wording; a slice counts by its best one.
        Lists of different models are fused by rank: their products do not compare. What they mean
        is a matter of the base, unless ``scales`` knows it of the model.
        """
        searches = [
            Lookup(
                place=(embedding, number),
                call=partial(self._near, target.dataset, vector, limit, target.where),
                score=partial(_by_cosine, scales.get(embedding) or scale_of(target.dataset)),
            )
            for target in targets
            for embedding in [embedding_of(target.dataset)]
            for number, texts in enumerate(wordings[target.dataset.id])
            for vector in _of(vectors.get(embedding, {}), texts)
        ]
        return await self._channel(calls, searches, limit=limit)

    async def by_words(
        self,
        calls: StoreCalls,
        targets: Sequence[Target],
        wordings: Mapping[int, Sequence[Sequence[QueryTerm]]],
        *,
        limit: int,
    ) -> Channel:
        """Search by the terms of each wording, by base, with statistics over all bases."""
        stats: TermStats | None = None
        if len(targets) > 1:
            stats = await self._stats(calls, targets, wordings)
        searches = [
            Lookup(
                place=(None, number),
                call=partial(self._having, target.dataset, terms, limit, target.where, stats),
                score=_by_coverage,
            )
            for target in targets
            for number, terms in enumerate(wordings[target.dataset.id])
        ]
        return await self._channel(calls, searches, limit=limit)

    async def _channel(
        self, calls: StoreCalls, searches: Sequence[Lookup], *, limit: int
    ) -> Channel:
        if not searches:
            return NOTHING
        outcomes = await self._all(calls, [search.call for search in searches])
        lists: dict[tuple[Embedding | None, int], list[Hit]] = {}
        scores: dict[int, float] = {}
        raw: dict[int, float] = {}
        failures: list[str] = []
        is_cut = False
        for search, outcome in zip(searches, outcomes, strict=True):
            if isinstance(outcome, str):
                failures.append(outcome)
                continue
            lists.setdefault(search.place, []).extend(outcome)
            is_cut = is_cut or len(outcome) >= limit
            for hit in outcome:
                key, score = hit.slice_id, search.score(hit)
                if key not in raw:  # most are found once
                    scores[key], raw[key] = score, hit.raw
                else:
                    scores[key], raw[key] = max(score, scores[key]), max(hit.raw, raw[key])
        for hits in lists.values():
            hits.sort(key=lambda hit: (-hit.raw, hit.id))
        ranked = fuse_variants(
            [[hit.slice_id for hit in hits] for hits in lists.values()],
            limit=limit,
            tie=lambda slice_id: -scores[slice_id],
        )
        return Channel(
            ranked=tuple(ranked),
            scores=scores,
            raw=raw,
            is_cut=is_cut,
            failures=tuple(dict.fromkeys(failures)),
            has_failed=len(failures) == len(searches),
        )

    async def _all(
        self, calls: StoreCalls, searches: Sequence[Callable[[], Awaitable[list[Hit]]]]
    ) -> list[list[Hit] | str]:
        """Run searches side by side; one that fails leaves the reason in its place."""
        deadline = asyncio.get_running_loop().time() + self._settings.store_s

        async def one(search: Callable[[], Awaitable[list[Hit]]]) -> list[Hit] | str:
            try:
                async with asyncio.timeout_at(deadline):
                    return await calls.run(search)
            except CollectionNotFound:
                return []  # nothing was indexed yet
            except Exception as exc:  # noqa: BLE001 - the other bases still count
                return reason(exc, budget_s=self._settings.store_s)

        return await side_by_side([one(search) for search in searches])

    async def _stats(
        self,
        calls: StoreCalls,
        targets: Sequence[Target],
        wordings: Mapping[int, Sequence[Sequence[QueryTerm]]],
    ) -> TermStats | None:
        """Add up what the bases know of the terms; None if one of them does not answer."""
        all_terms = chain.from_iterable(chain.from_iterable(wordings.values()))
        tokens = list(dict.fromkeys(term.token for term in all_terms))

        async def one(dataset: Dataset) -> TermStats:
            try:
                return await (await self._texts.open(dataset.collection)).term_stats(tokens)
            except CollectionNotFound:
                return TermStats()

        try:
            async with asyncio.timeout(self._settings.store_s / 2), asyncio.TaskGroup() as group:
                tasks = [
                    group.create_task(calls.run(partial(one, target.dataset))) for target in targets
                ]
        except (TimeoutError, ExceptionGroup):
            return None  # scores of each base by its own statistics are better than none
        total = TermStats()
        for task in tasks:
            total = total.plus(task.result())
        return total

    async def _near(self, dataset: Dataset, vector: Vector, limit: int, where: Where) -> list[Hit]:
        index = await self._vectors.open(dataset.collection)
        try:
            return await index.search(vector, limit=limit, where=where)
        except UnfitEntry as exc:
            raise RetrievalFailed(_REINDEX.format(name=dataset.name)) from exc

    async def _having(
        self,
        dataset: Dataset,
        terms: Sequence[QueryTerm],
        limit: int,
        where: Where,
        stats: TermStats | None,
    ) -> list[Hit]:
        index = await self._texts.open(dataset.collection)
        return await index.search(terms, limit=limit, where=where, stats=stats)


async def side_by_side(works: Sequence[Coroutine[Any, Any, T]]) -> list[T]:
    """Await all at once; a single one, which is most of what is asked, needs no task."""
    if len(works) == 1:
        return [await works[0]]
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(work) for work in works]
    return [task.result() for task in tasks]


def embedding_of(dataset: Dataset) -> Embedding:
    """Return what the index of a base was made with; no dimensions before the first slice."""
    return dataset.embedding_model, dataset.embedding_dimensions


def scale_of(dataset: Dataset) -> Calibration:
    """Return what cosines mean in the index of a base, as far as that was learnt."""
    return COZE_SCALE if dataset.scale is None else dataset.scale.calibration


def _of(vectors: Mapping[str, Vector], texts: Sequence[str]) -> list[Vector]:
    return [vectors[text] for text in texts if text in vectors]


def _by_cosine(scale: Calibration, hit: Hit) -> float:
    return embedding_score(hit.raw, scale)


def _by_coverage(hit: Hit) -> float:
    return full_text_score(hit.coverage or 0.0)
