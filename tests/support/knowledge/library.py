"""Indexed knowledge and its whole retrieval, with models that say what they are told."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from application.knowledge.meter import SearchMeter
from application.knowledge.retrieval.hits import HitCounter
from application.knowledge.retrieval.recall_channels import ChannelRecall
from application.knowledge.retrieval.recall_embedding import QueryEmbedder
from application.knowledge.retrieval.recall_query import QueryWriter
from application.knowledge.retrieval.recall_scope import SearchScopes
from application.knowledge.retrieval.recall_store import StoreRecall
from application.knowledge.retrieval.service import RetrievalService
from application.knowledge.retrieval.settings import RetrievalSettings
from application.knowledge.retrieval.show import RecallPresenter
from application.knowledge.table.channel import SqlHit, SqlHits
from crossdomain.model.contract import (
    EmbeddingDescription,
    EmbeddingResult,
    ModelDescription,
    RankedText,
    RerankResult,
)
from domain.knowledge.dataset import Dataset
from domain.knowledge.document import Document
from domain.knowledge.image_link import ImageLinks
from domain.knowledge.slice import Slice
from domain.knowledge.text.analyzer import Analyzer
from domain.knowledge.value import FormatType
from domain.shared.access import CONNECTOR_API
from domain.shared.call import CallContext
from domain.shared.chat import (
    Capabilities,
    ChatRequest,
    FinishReason,
    ModelEvent,
    ReplyFinished,
    TextDelta,
    Usage,
    UsageReported,
)
from domain.shared.error import Unavailable
from domain.shared.secret import Secret
from infra.contract.model.embedder import EmbeddingEndpoint
from infra.contract.observability.metrics import Metrics
from infra.impl.embedder.hashing import HashingEmbedder
from tests.support.knowledge.sample import SCOPE, SPACE, enabled_document, new_dataset, new_slice
from tests.support.knowledge.world import World

CONTEXT = CallContext(scope=SCOPE, space_id=SPACE, connector_id=CONNECTOR_API)
PATIENT = RetrievalSettings(
    rewrite_s=60.0, embed_s=60.0, store_s=60.0, sql_s=60.0, rerank_s=60.0, hits_flush_s=3600.0
)
"""No part that answers is ever too late."""

Fault = Literal["", "fails", "hangs", "breaks"]


async def strike(fault: Fault) -> None:
    """Fail as parts do: with an error of theirs, by never answering, or by a defect."""
    if fault == "fails":
        raise Unavailable("The part is away.")
    if fault == "hangs":
        await asyncio.Event().wait()
    if fault == "breaks":
        raise RuntimeError("a defect")


@dataclass
class ScriptedModels:
    """Models of every kind; ``faults`` by what is asked of them: stream, embed, rerank."""

    reply: str = ""
    is_offline: bool = False
    scores: Mapping[str, float] | None = None
    """Of a reranking model, by a word of the text; None is no such model."""
    faults: dict[str, Fault] = field(default_factory=dict)
    requests: list[ChatRequest] = field(default_factory=list)
    embedded: list[tuple[str, ...]] = field(default_factory=list)
    rerankers: list[str] = field(default_factory=list)
    """The model of each reranking, empty for the default one."""
    dimensions: Mapping[str, int] = field(default_factory=dict)
    offline_embedder: bool = True

    async def describe(self, model: str, *, space_id: int = 0) -> ModelDescription:
        return ModelDescription(
            id="m",
            name="m",
            capabilities=Capabilities(),
            window=8000,
            max_output=1000,
            is_offline=self.is_offline,
        )

    async def stream(
        self, context: CallContext, request: ChatRequest, *, purpose: str = "chat"
    ) -> AsyncGenerator[ModelEvent, None]:
        assert purpose == "query_rewrite"
        self.requests.append(request)
        await strike(self.faults.get("stream", ""))
        yield TextDelta(self.reply)
        yield UsageReported(Usage(input_tokens=7, output_tokens=3))
        yield ReplyFinished(FinishReason.STOP)

    async def describe_embedding(self, model: str) -> EmbeddingDescription:
        name = model or "offline"
        return EmbeddingDescription(id=name, identity=name, is_offline=True)

    async def embed(
        self,
        context: CallContext,
        texts: Sequence[str],
        *,
        purpose: Literal["query", "document"],
        model: str = "",
    ) -> EmbeddingResult:
        if purpose == "query":
            self.embedded.append(tuple(texts))
            await strike(self.faults.get("embed", ""))
        endpoint = EmbeddingEndpoint(
            kind="offline", model=model, dimensions=self.dimensions.get(model, 0)
        )
        made = await HashingEmbedder(endpoint).embed(texts, purpose=purpose)
        return EmbeddingResult(
            vectors=made.vectors, model=model, input_tokens=1, is_offline=self.offline_embedder
        )

    async def has_reranker(self) -> bool:
        return self.scores is not None

    async def rerank(
        self, context: CallContext, query: str, texts: Sequence[str], *, model: str = ""
    ) -> RerankResult:
        await strike(self.faults.get("rerank", ""))
        self.rerankers.append(model)
        scored = [
            (at, score)
            for at, text in enumerate(texts)
            for word, score in (self.scores or {}).items()
            if word in text
        ]
        scored.sort(key=lambda item: -item[1])
        ranked = tuple(RankedText(index=at, score=score) for at, score in scored)
        return RerankResult(ranked=ranked, model="order", tokens=11)


@dataclass
class FaultyIndexes:
    """Search stores whose searches may fail; counts how many run at once."""

    inner: Any
    fault: Fault = ""
    left: int = 1_000_000
    """How many calls fail before they work again."""
    running: int = 0
    most: int = 0

    async def open(self, name: str) -> Any:
        self.running += 1
        self.most = max(self.most, self.running)
        try:
            await asyncio.sleep(0)
            if self.fault and self.left > 0:
                self.left -= 1
                await strike(self.fault)
            return await self.inner.open(name)
        finally:
            self.running -= 1


@dataclass
class ScriptedTables:
    """Table knowledge with rows that are known beforehand."""

    rows: tuple[SqlHit, ...] = ()
    fault: Fault = ""

    async def answer(
        self, context: CallContext, datasets: Sequence[Dataset], question: str
    ) -> SqlHits:
        await strike(self.fault)
        return SqlHits(items=self.rows, usage=Usage(input_tokens=5))


class Library:
    """Bases with documents, found by all of the retrieval."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.models = ScriptedModels()
        self.vectors = FaultyIndexes(world.vectors)
        self.texts = FaultyIndexes(world.texts)
        self.tables = ScriptedTables()
        self.links = ImageLinks([Secret("k")], "http://here")
        self.hits = HitCounter(store=world.store, settings=PATIENT)
        self.settings = PATIENT
        self._service: RetrievalService | None = None

    @property
    def service(self) -> RetrievalService:
        """The retrieval over the parts as they are at the first use."""
        if self._service is None:
            models: Any = self.models
            analyzer = Analyzer()
            embedder = QueryEmbedder(models=models, size=10, ttl_s=600.0)
            self._service = RetrievalService(
                scopes=SearchScopes(self.world.store),
                writer=QueryWriter(models=models, embedder=embedder),
                channels=ChannelRecall(
                    store=self.world.store,
                    stores=StoreRecall(
                        vectors=self.vectors,  # type: ignore[arg-type]  # opening is all
                        texts=self.texts,  # type: ignore[arg-type]
                        settings=self.settings,
                    ),
                    embedder=embedder,
                    tables=self.tables,
                    analyzer=analyzer,
                    settings=self.settings,
                ),
                presenter=RecallPresenter(
                    store=self.world.store, images=self.links, clock=self.world.clock
                ),
                hits=self.hits,
                models=models,
                analyzer=analyzer,
                settings=self.settings,
                meter=SearchMeter(Metrics()),
            )
        return self._service

    async def base(
        self, number: int, *, format_type: FormatType = FormatType.TEXT, model: str = ""
    ) -> Dataset:
        """Make a base."""
        dataset = new_dataset(number, now=self.world.clock.now(), name=f"base {number}")
        dataset.format_type = format_type
        dataset.embedding_model = model
        async with self.world.store.transaction() as uow:
            await uow.datasets.save(SCOPE, dataset)
            await uow.commit()
        return dataset

    async def shelve(
        self,
        dataset: Dataset,
        number: int,
        *contents: str,
        change: Callable[[Document], None] = lambda _: None,
        slices: Callable[[Slice], None] = lambda _: None,
    ) -> list[Slice]:
        """Put an indexed document into a base; ids of its slices are 100 times its own."""
        now = self.world.clock.now()
        document = enabled_document(number, now=now, dataset=dataset.id)
        document.slice_count = len(contents)
        change(document)
        items = [
            new_slice(
                100 * number + at,
                now=now,
                document=number,
                ordinal=at,
                content=content,
                dataset=dataset.id,
            )
            for at, content in enumerate(contents, 1)
        ]
        for item in items:
            slices(item)
        async with self.world.store.transaction() as uow:
            await uow.documents.save(SCOPE, document)
            await uow.batches.add_new(SCOPE, items)
            await uow.commit()
        indexer = replace_models(self.world, self.models)
        await indexer.write(SCOPE, dataset, items)
        async with self.world.store.transaction() as uow:
            await uow.datasets.save(SCOPE, dataset)
            await uow.commit()
        return items


def replace_models(world: World, models: ScriptedModels) -> Any:
    """Return the indexer of a world that embeds with these models."""
    return replace(world, models=models).indexer()  # type: ignore[arg-type]
