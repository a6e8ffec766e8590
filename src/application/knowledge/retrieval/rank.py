"""From what the channels found to one order, and from that to what is shown."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal, Self

import msgspec
from msgspec import structs

from application.knowledge.retrieval.recall_store import Channel
from application.knowledge.table.channel import SqlHit
from domain.knowledge.image import shown_content
from domain.knowledge.ranking.fusion import fuse_channels, fuse_rerank
from domain.knowledge.ranking.lexical_rerank import rerank_lexically
from domain.knowledge.ranking.score import Scores, SearchMode, ThresholdMode, passes, relevance
from domain.knowledge.ranking.selection import Passage, Source, top, without_doubles
from domain.knowledge.slice import FoundSlice
from domain.knowledge.text.analyzer import Analyzer

Cut = Literal["", "guard", "filter", "threshold", "duplicate", "top_k", "joined", "tokens"]
"""Why a candidate is not shown; empty if it is."""

LIMITS: Final[Mapping[SearchMode, tuple[int, int]]] = {
    SearchMode.SEMANTIC: (100, 0),
    SearchMode.HYBRID: (80, 60),
    SearchMode.FULL_TEXT: (0, 100),
}
"""Slices found by vector and by words that compete."""

RERANKED: Final = 100
_WORTH: Final = 2  # a reranking of fewer than half of the texts is none


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """All channels of one search. Slices are those that may be shown; ``rows`` by their key.

    Rows without a slice have keys below 0.
    """

    embedding: Channel
    full_text: Channel
    rows: Mapping[int, SqlHit]
    slices: Mapping[int, FoundSlice]


class Candidate(msgspec.Struct, frozen=True, kw_only=True):
    """Something found, with its rank in each channel, from 1; 0 for not found there."""

    key: int
    dataset_id: int
    document_id: int
    content: str
    slice: FoundSlice | None
    scores: Scores
    score: float
    fused: float
    embedding_rank: int = 0
    full_text_rank: int = 0
    sql_rank: int = 0
    rerank_rank: int = 0
    sql: str = ""
    cut: Cut = ""

    @classmethod
    def hidden(cls, key: int, *, embedding_rank: int, full_text_rank: int, cut: Cut) -> Self:
        """Name a slice that may not be shown; nothing else is known of it."""
        return cls(
            key=key,
            dataset_id=0,
            document_id=0,
            content="",
            slice=None,
            scores=Scores(),
            score=0.0,
            fused=0.0,
            embedding_rank=embedding_rank,
            full_text_rank=full_text_rank,
            cut=cut,
        )

    @property
    def source(self) -> Source:
        if self.sql_rank:
            return "nl2sql"
        if self.embedding_rank and self.full_text_rank:
            return "both"
        return "embedding" if self.embedding_rank else "full_text"


@dataclass(frozen=True, slots=True, kw_only=True)
class Weighing:
    """How channels count, and what is relevant enough."""

    mode: SearchMode
    embedding_weight: float
    rerank_weight: float
    min_score: float
    threshold: ThresholdMode
    top_k: int


async def with_lexical_order(
    channel: Channel, query: str, slices: Mapping[int, FoundSlice], *, analyzer: Analyzer
) -> Channel:
    """Reorder what the text index found by words, pairs of words and pieces of words."""
    ids = [slice_id for slice_id in channel.ranked if slice_id in slices]
    texts = [slices[slice_id].searched_text for slice_id in ids]
    scores = [channel.raw[slice_id] for slice_id in ids]
    order = await asyncio.to_thread(rerank_lexically, query, texts, scores, analyzer=analyzer)
    return replace(channel, ranked=tuple(ids[at] for at, _ in order))


def ranked(found: Found, weighing: Weighing, *, bases: Sequence[int]) -> list[Candidate]:
    """Fuse the channels; ``bases`` is the order in which equal candidates of bases come."""
    most_near, most_having = LIMITS[weighing.mode]
    embedding = [key for key in found.embedding.ranked if key in found.slices][:most_near]
    full_text = [key for key in found.full_text.ranked if key in found.slices][:most_having]
    sql = list(found.rows)
    near, having = _ranks(embedding), _ranks(full_text)
    sql_ranks = _ranks(sql)
    owners: dict[int, SqlHit | FoundSlice] = {**found.slices, **found.rows}
    scores: dict[int, Scores] = {}
    relevances: dict[int, float] = {}
    for key in dict.fromkeys([*sql, *embedding, *full_text]):
        scores[key] = Scores(
            embedding=found.embedding.scores.get(key) if key in near else None,
            full_text=found.full_text.scores.get(key) if key in having else None,
            is_sql=key in sql_ranks,
        )
        relevances[key] = relevance(
            scores[key], mode=weighing.mode, embedding_weight=weighing.embedding_weight
        )
    base_at = {base: at for at, base in enumerate(bases)}

    def tie(key: int) -> tuple[bool, bool, float, int, int, float]:
        owner, item = owners[key], found.slices.get(key)
        is_sql = key in sql_ranks
        return (
            not is_sql,
            is_sql or key not in near or key not in having,
            -relevances[key],
            base_at.get(owner.dataset_id, len(base_at)),
            owner.document_id,
            item.sequence if item else 0.0,
        )

    def candidate(key: int, fused: float) -> Candidate:
        owner, item, row = owners[key], found.slices.get(key), found.rows.get(key)
        return Candidate(
            key=key,
            dataset_id=owner.dataset_id,
            document_id=owner.document_id,
            content=shown_content(item) if row is None and item else owner.content,
            slice=item,
            scores=scores[key],
            score=relevances[key],
            fused=fused,
            embedding_rank=near.get(key, 0),
            full_text_rank=having.get(key, 0),
            sql_rank=sql_ranks.get(key, 0),
            sql=row.sql if row else "",
        )

    weight = {SearchMode.SEMANTIC: 1.0, SearchMode.FULL_TEXT: 0.0}.get(
        weighing.mode, weighing.embedding_weight
    )
    order = fuse_channels(
        embedding=embedding, full_text=full_text, sql=sql, embedding_weight=weight, tie=tie
    )
    return [candidate(one.key, one.value) for one in order]


def _ranks(keys: Sequence[int]) -> dict[int, int]:
    return {key: at for at, key in enumerate(keys, 1)}


def reranked(
    candidates: Sequence[Candidate], order: Sequence[tuple[int, float]], weighing: Weighing
) -> list[Candidate]:
    """Take a model's scores in, by position; the first ``RERANKED`` were offered to it."""
    place = {candidates[at].key: (rank, score) for rank, (at, score) in enumerate(order, 1)}
    by_key: dict[int, Candidate] = {}
    for one in candidates:
        rank, score = place.get(one.key, (0, None))
        scores = Scores(
            embedding=one.scores.embedding,
            full_text=one.scores.full_text,
            rerank=score,
            is_sql=one.scores.is_sql,
        )
        shown = relevance(scores, mode=weighing.mode, embedding_weight=weighing.embedding_weight)
        by_key[one.key] = structs.replace(one, scores=scores, score=shown, rerank_rank=rank)
    fused = fuse_rerank(
        [one.key for one in candidates],
        [candidates[at].key for at, _ in order],
        rerank_weight=weighing.rerank_weight,
    )
    return [structs.replace(by_key[one.key], fused=one.value) for one in fused]


def is_worth(order: Sequence[object], offered: int) -> bool:
    """Tell whether a model scored enough of the texts for its order to count."""
    return len(order) * _WORTH >= offered


def chosen(candidates: Sequence[Candidate], weighing: Weighing) -> list[Passage]:
    """Return what is shown: what is relevant, without doubles, no more than wanted."""
    return top(without_doubles(_relevant(candidates, weighing)), weighing.top_k)


def cuts(
    candidates: Sequence[Candidate], weighing: Weighing, first: Sequence[Passage]
) -> dict[int, Cut]:
    """Say why each candidate is not among the ``first`` that were chosen."""
    relevant = _relevant(candidates, weighing)
    cut: dict[int, Cut] = dict.fromkeys((one.key for one in candidates), "threshold")
    cut |= dict.fromkeys((passage.slice_id for passage in relevant), "duplicate")
    cut |= dict.fromkeys((passage.slice_id for passage in without_doubles(relevant)), "top_k")
    for passage in first:
        del cut[passage.slice_id]
    return cut


def _relevant(candidates: Sequence[Candidate], weighing: Weighing) -> list[Passage]:
    return [
        Passage(
            slice_id=one.key,
            document_id=one.document_id,
            knowledge_id=one.dataset_id,
            content=one.content,
            score=one.score,
            source=one.source,
        )
        for one in candidates
        if passes(
            one.scores,
            one.score,
            min_score=weighing.min_score,
            mode=weighing.mode,
            threshold=weighing.threshold,
        )
    ]
