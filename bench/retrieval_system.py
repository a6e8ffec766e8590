"""Search over one question set with all of the retrieval, as agents and workflows use it."""

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

from application.knowledge.retrieval.evaluation import (
    Judgement,
    Passage,
    Question,
    read_lines,
    relevant_passages,
)
from application.knowledge.retrieval.settings import RetrievalSettings
from bootstrap.compose.container import Container
from bootstrap.server.lifecycle import opened as running
from bootstrap.settings import DefaultModels, ModelSettings, Settings
from crossdomain.knowledge.contract import RecallRequest, RetrievalStrategy, SearchType
from domain.knowledge.dataset import Dataset
from domain.knowledge.document import Document
from domain.knowledge.slice import Slice
from domain.knowledge.text.analyzer import ANALYZER_VERSION
from domain.knowledge.value import (
    DEFAULT_RULE,
    DatasetId,
    DocumentId,
    FormatType,
    SliceId,
    Source,
    SourceType,
)
from domain.model.value import OFFLINE_KIND, EmbeddingSettings, ModelType
from domain.shared.access import CONNECTOR_API, TenantScope
from domain.shared.call import CallContext
from domain.shared.ids import SpaceId, UserId
from infra.contract.storage.search_index import MAX_BATCH

_DEPTH: Final = 100
_NAME: Final = "bench"
_SPACE, _OWNER, _DATASET = SpaceId(1), UserId(1), DatasetId(1)
_SCOPE: Final = TenantScope(_OWNER, frozenset({_SPACE}))
_PATIENT: Final = RetrievalSettings(embed_s=60.0, store_s=60.0, rerank_s=60.0)
"""A slow machine makes searches late, and no figure wrong."""
_NOW: Final = datetime(2030, 1, 1, tzinfo=UTC)
_SLICES: Final = 1_000_000
"""Ids of slices begin here, those of documents are below."""


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
    """Texts in one knowledge base; every search returns positions of texts."""

    def __init__(self, container: Container, texts: Sequence[str], *, per_document: int) -> None:
        self._texts = texts
        self._per_document = per_document
        self._knowledge = container.knowledge()
        self._models = container.model().contract
        self._retrieval = container.knowledge().retrieval
        self._context = CallContext(scope=_SCOPE, space_id=_SPACE, connector_id=CONNECTOR_API)
        self._matrix: NDArray[np.float32] | None = None

    async def fill(self) -> None:
        """Store and index every text."""
        store, indexer = self._knowledge.store, self._knowledge.indexer
        dataset = _dataset()
        for batch in _batched(enumerate(self._texts)):
            slices = [_slice(at, text, document=at // self._per_document) for at, text in batch]
            known = {item.document_id for item in slices}
            async with store.transaction() as uow:
                await uow.datasets.save(_SCOPE, dataset)
                found = await uow.documents.get_many(_SCOPE, sorted(known))
                for document_id in sorted(known - found.keys()):
                    await uow.documents.save(_SCOPE, _document(document_id))
                await uow.batches.add_new(_SCOPE, slices)
                await uow.commit()
            await indexer.write(_SCOPE, dataset, slices)
        async with store.transaction() as uow:
            await uow.datasets.save(_SCOPE, dataset)
            await uow.commit()

    async def by_words(self, question: str, *, limit: int = _DEPTH) -> Found:
        return await self.found(question, "full_text", limit=limit)

    async def by_words_reranked(self, question: str, *, limit: int = _DEPTH) -> Found:
        return await self.found(question, "full_text", reranks=True, limit=limit)

    async def by_vectors(self, question: str) -> Found:
        return await self.found(question, "semantic")

    async def hybrid(self, question: str) -> Found:
        return await self.found(question, "hybrid")

    async def hybrid_reranked(self, question: str) -> Found:
        return await self.found(question, "hybrid", reranks=True)

    async def found(
        self, question: str, kind: SearchType, *, reranks: bool = False, limit: int = _DEPTH
    ) -> Found:
        """Search with nothing cut off by scores or tokens."""
        recall = await self._retrieval.retrieve(
            self._context,
            RecallRequest(
                query=question,
                dataset_ids=(_DATASET,),
                strategy=RetrievalStrategy(
                    search_type=kind,
                    top_k=limit,
                    min_score=0.0,
                    max_tokens=1_000_000,
                    reranks=reranks,
                ),
            ),
        )
        if recall.degraded:
            raise RuntimeError(f"Not everything was searched: {recall.degraded}")
        items = recall.items
        return Found([item.slice_id - _SLICES for item in items], items[0].score if items else 0.0)

    async def embedded(self, question: str) -> Sequence[float]:
        """Return the vector of a question."""
        made = await self._models.embed(self._context, [question], purpose="query")
        return made.vectors[0]

    async def nearest_exactly(self, question: str, *, count: int) -> list[int]:
        """Return what comparing every vector finds."""
        if self._matrix is None:
            parts = []
            for batch in _batched(enumerate(self._texts)):
                texts = [text for _, text in batch]
                made = await self._models.embed(self._context, texts, purpose="document")
                parts.append(np.array(made.vectors, dtype=np.float32))
            self._matrix = np.concatenate(parts)
        products = self._matrix @ np.array(await self.embedded(question), dtype=np.float32)
        return [int(at) for at in np.argsort(-products, kind="stable")[:count]]


@asynccontextmanager
async def opened(
    texts: Sequence[str], *, dimensions: int, per_document: int = 1
) -> AsyncIterator[System]:
    """Run the product on a temporary directory and index texts in it."""
    with TemporaryDirectory() as folder:
        embedding = ModelSettings(
            id=_NAME,
            kind=OFFLINE_KIND,
            type=ModelType.EMBEDDING,
            embedding=EmbeddingSettings(dimensions=dimensions),
        )
        settings = Settings(
            data_dir=folder,
            models=(embedding,),
            defaults=DefaultModels(embedding=_NAME),
            retrieval=_PATIENT,
        )
        container = Container(settings=settings)
        async with running(container):
            system = System(container, texts, per_document=per_document)
            await system.fill()
            yield system


def _batched(items: Iterable[tuple[int, str]]) -> Iterator[list[tuple[int, str]]]:
    waiting = iter(items)
    while batch := list(islice(waiting, MAX_BATCH)):
        yield batch


def _dataset() -> Dataset:
    return Dataset.create(
        _DATASET,
        _SPACE,
        creator_id=_OWNER,
        name=_NAME,
        description="",
        format_type=FormatType.TEXT,
        analyzer_version=ANALYZER_VERSION,
        now=_NOW,
    )


def _document(document_id: DocumentId) -> Document:
    document = Document.accept(
        document_id,
        space_id=_SPACE,
        dataset_id=_DATASET,
        creator_id=_OWNER,
        name=f"{document_id}.txt",
        extension="txt",
        format_type=FormatType.TEXT,
        source=Source(type=SourceType.CUSTOM_TEXT),
        rule=DEFAULT_RULE,
        now=_NOW,
    )
    document.begin(1, now=_NOW)
    document.activate(1, slices=1, chars=1, now=_NOW)
    document.pull_events()
    return document


def _slice(position: int, text: str, *, document: int) -> Slice:
    return Slice(
        id=SliceId(_SLICES + position),
        space_id=_SPACE,
        dataset_id=_DATASET,
        document_id=DocumentId(document + 1),
        generation=1,
        ordinal=position,
        sequence=float(position),
        content=text,
        created_at=_NOW,
        updated_at=_NOW,
    )
