"""Search over one question set with the embedded indexes, channel by channel."""

from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import numpy as np
from numpy.typing import NDArray

from application.knowledge.evaluation import (
    Judgement,
    Passage,
    Question,
    read_lines,
    relevant_passages,
)
from domain.knowledge.analyzer import ANALYZER_VERSION, Analyzer
from domain.knowledge.fusion import fuse_channels
from domain.knowledge.lexical_rerank import rerank_lexically
from domain.knowledge.score import Scores, SearchMode, embedding_score, full_text_score, relevance
from domain.shared.limits import Limits
from infra.contract.embedder import EmbeddingEndpoint
from infra.contract.search_index import (
    MAX_BATCH,
    EntryKey,
    Hit,
    QueryTerm,
    TextCollection,
    TextEntry,
    TextIndex,
    VectorCollection,
    VectorEntry,
    VectorIndex,
)
from infra.impl.embedder.factory import RegistryEmbedderFactory
from infra.impl.http.door import HttpDoor
from infra.impl.search_index.sqlite_text import SqliteTextIndexes
from infra.impl.search_index.sqlite_vector import SqliteVectorIndexes

WEIGHT: Final = 0.05
"""What the offline embedder counts beside words."""

_VECTOR_LIMIT, _TEXT_LIMIT = 80, 60
_DEPTH: Final = 100
_NAME: Final = "bench"


class _Clock:
    def now(self) -> datetime:
        return datetime(2030, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class QuestionSet:
    """Passages, and questions with the passages that answer them."""

    name: str
    passages: Sequence[Passage]
    questions: Sequence[Question]
    relevant: dict[str, frozenset[str]]
    unanswerable: Sequence[Question]

    @classmethod
    def read(cls, folder: Path) -> "QuestionSet":
        """Read the four files of a set."""

        def data(name: str) -> bytes:
            return (folder / f"{name}.jsonl").read_bytes()

        return cls(
            name=folder.name,
            passages=read_lines(data("passages"), Passage, name="passages"),
            questions=read_lines(data("queries"), Question, name="queries"),
            relevant=relevant_passages(read_lines(data("qrels"), Judgement, name="qrels")),
            unanswerable=read_lines(data("out_of_scope_queries"), Question, name="out of scope"),
        )


@dataclass(frozen=True, slots=True)
class Found:
    """Positions of texts, best first, and the score shown for the first."""

    ranked: Sequence[int]
    score: float


class System:
    """Texts indexed for both channels; every search returns positions of texts."""

    def __init__(
        self,
        texts: Sequence[str],
        *,
        words: TextIndex,
        vectors: VectorIndex,
        embedders: RegistryEmbedderFactory,
        dimensions: int,
    ) -> None:
        self._texts = texts
        self._words = words
        self._vectors = vectors
        self._analyzer = Analyzer()
        self._matrix: NDArray[np.float32] | None = None
        self._embedder = embedders.open(
            EmbeddingEndpoint(kind="offline", model="offline", dimensions=dimensions)
        )

    async def fill(self) -> None:
        """Index every text."""
        for batch in _batched(enumerate(self._texts)):
            keys = [_key(number) for number, _ in batch]
            texts = [text for _, text in batch]
            await self._words.upsert(
                [
                    TextEntry(key=key, tokens=self._analyzer.index_tokens(text))
                    for key, text in zip(keys, texts, strict=True)
                ]
            )
            embedded = await self._embedder.embed(texts, purpose="document")
            await self._vectors.upsert(
                [
                    VectorEntry(key=key, vector=vector)
                    for key, vector in zip(keys, embedded.vectors, strict=True)
                ]
            )

    async def by_words(self, question: str, *, limit: int = _DEPTH) -> Found:
        return self._found(await self._text_hits(question, limit), [], SearchMode.FULL_TEXT)

    async def by_words_reranked(self, question: str, *, limit: int = _DEPTH) -> Found:
        hits = self._reranked(question, await self._text_hits(question, limit))
        return self._found(hits, [], SearchMode.FULL_TEXT)

    async def by_vectors(self, question: str) -> Found:
        return self._found([], await self._vector_hits(question, _DEPTH), SearchMode.SEMANTIC)

    async def hybrid(self, question: str) -> Found:
        hits = await self._text_hits(question, _TEXT_LIMIT)
        near = await self._vector_hits(question, _VECTOR_LIMIT)
        return self._found(hits, near, SearchMode.HYBRID)

    async def hybrid_reranked(self, question: str) -> Found:
        hits = self._reranked(question, await self._text_hits(question, _TEXT_LIMIT))
        near = await self._vector_hits(question, _VECTOR_LIMIT)
        return self._found(hits, near, SearchMode.HYBRID)

    async def embedded(self, question: str) -> tuple[float, ...]:
        """Return the vector of a question."""
        return (await self._embedder.embed([question], purpose="query")).vectors[0]

    async def nearest_exactly(self, question: str, *, count: int) -> list[int]:
        """Return what comparing every vector finds."""
        if self._matrix is None:
            parts = []
            for batch in _batched(enumerate(self._texts)):
                texts = [text for _, text in batch]
                embedded = await self._embedder.embed(texts, purpose="document")
                parts.append(np.array(embedded.vectors, dtype=np.float32))
            self._matrix = np.concatenate(parts)
        products = self._matrix @ np.array(await self.embedded(question), dtype=np.float32)
        return [int(at) for at in np.argsort(-products, kind="stable")[:count]]

    async def _text_hits(self, question: str, limit: int) -> list[Hit]:
        terms = [
            QueryTerm(token=term.token, weight=term.weight)
            for term in self._analyzer.query_terms(question)
        ]
        return await self._words.search(terms, limit=limit)

    async def _vector_hits(self, question: str, limit: int) -> list[Hit]:
        return await self._vectors.search(await self.embedded(question), limit=limit)

    def _reranked(self, question: str, hits: Sequence[Hit]) -> list[Hit]:
        texts = [self._texts[_position(hit.id)] for hit in hits]
        scores = [hit.raw for hit in hits]
        order = rerank_lexically(question, texts, scores, analyzer=self._analyzer)
        return [hits[at] for at, _ in order]

    def _found(self, hits: Sequence[Hit], near: Sequence[Hit], mode: SearchMode) -> Found:
        weight = {SearchMode.SEMANTIC: 1.0, SearchMode.FULL_TEXT: 0.0}.get(mode, WEIGHT)
        full_text = {hit.id: full_text_score(hit.coverage or 0.0) for hit in hits}
        embedding = {hit.id: embedding_score(hit.raw) for hit in near}

        def score(entry_id: int) -> float:
            scores = Scores(embedding=embedding.get(entry_id), full_text=full_text.get(entry_id))
            return relevance(scores, mode=mode, embedding_weight=weight)

        fused = fuse_channels(
            embedding=[hit.id for hit in near],
            full_text=[hit.id for hit in hits],
            embedding_weight=weight,
            tie=lambda entry_id: -score(entry_id),
        )
        ranked = [item.key for item in fused]
        return Found(
            ranked=[_position(entry_id) for entry_id in ranked],
            score=score(ranked[0]) if ranked else 0.0,
        )


@asynccontextmanager
async def opened(
    texts: Sequence[str], *, dimensions: int, budget_bytes: int = 1 << 30
) -> AsyncIterator[System]:
    """Index texts in a temporary directory."""
    limits = Limits()
    door = HttpDoor(limits=limits)
    embedders = RegistryEmbedderFactory(door=door, limits=limits, clock=_Clock())
    with TemporaryDirectory() as folder:
        words = SqliteTextIndexes(Path(folder))
        vectors = SqliteVectorIndexes(Path(folder), budget_bytes=budget_bytes)
        await words.start()
        await vectors.start()
        try:
            await words.create(TextCollection(name=_NAME, analyzer=ANALYZER_VERSION))
            await vectors.create(VectorCollection(name=_NAME, dimensions=dimensions))
            system = System(
                texts,
                words=await words.open(_NAME),
                vectors=await vectors.open(_NAME),
                embedders=embedders,
                dimensions=dimensions,
            )
            await system.fill()
            yield system
        finally:
            await words.aclose()
            await vectors.aclose()
            await door.aclose()


def _batched(items: Iterable[tuple[int, str]]) -> Iterator[list[tuple[int, str]]]:
    waiting = iter(items)
    while batch := list(islice(waiting, MAX_BATCH)):
        yield batch


def _key(position: int) -> EntryKey:
    return EntryKey(
        id=position + 1, document_id=1, slice_id=position + 1, generation=1, creator_id=1
    )


def _position(entry_id: int) -> int:
    return entry_id - 1
