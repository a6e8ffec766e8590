"""The parts that keep bases in order, put together for tests."""

from collections.abc import AsyncGenerator, Sequence
from typing import Any, Literal

from application.knowledge.copying import CopyKind, CopyService
from application.knowledge.dataset.rebuild import RebuildKind, RebuildService
from application.knowledge.dataset.reconcile import ReconcileCounts, Reconciler
from application.knowledge.dataset.refetch import PageRefresher
from application.knowledge.document.page_renderer import PageRenderer
from application.knowledge.document.preview import PreviewService
from application.knowledge.document.preview_kind import PreviewKind
from application.knowledge.document.resegment import ResegmentService
from application.knowledge.ingest.indexing import SliceIndexer
from application.knowledge.ingest.source import UploadedFiles
from application.knowledge.work import WorkRunner
from crossdomain.model.contract import EmbeddingDescription, EmbeddingResult
from domain.knowledge.copying import DatasetCopy
from domain.knowledge.dataset import Dataset
from domain.knowledge.preview import Preview
from domain.knowledge.rebuild import Rebuild
from domain.knowledge.repository import KnowledgeStore
from domain.knowledge.text.analyzer import Analyzer
from domain.knowledge.value import DatasetId, SliceId, Source
from domain.shared.access import TenantScope
from domain.shared.call import CallContext
from infra.contract.model.embedder import EmbeddingEndpoint
from infra.contract.observability.metrics import Metrics
from infra.contract.storage.search_index import CollectionNotFound, QueryTerm
from infra.impl.embedder.hashing import HashingEmbedder
from tests.support.knowledge.sample import ACCEPTED, SCOPE
from tests.support.knowledge.world import OfflineModels, PlainTextParser, World


class SizedModels(OfflineModels):
    """``small`` gives short vectors, every other name those of the offline model."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[str] = []
        self._small = HashingEmbedder(
            EmbeddingEndpoint(kind="offline", model="small", dimensions=256)
        )

    async def describe_embedding(self, model: str) -> EmbeddingDescription:
        name = model or "offline"
        return EmbeddingDescription(id=name, identity=name)

    async def embed(
        self,
        context: CallContext,
        texts: Sequence[str],
        *,
        purpose: Literal["query", "document"],
        model: str = "",
    ) -> EmbeddingResult:
        self.before(texts)
        self.asked.extend(texts)
        embedder = self._small if model == "small" else self.embedder
        made = await embedder.embed(texts, purpose=purpose)
        return EmbeddingResult(vectors=made.vectors, model=made.model, input_tokens=1)


class FixedPage:
    """A page whose text a test changes; an error stands for one that cannot be read."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.error: Exception | None = None

    async def read(self, scope: TenantScope, source: Source) -> AsyncGenerator[bytes, None]:
        if self.error is not None:
            raise self.error
        yield self.text.encode()


def rebuilds(world: World) -> RebuildService:
    models: Any = world.models
    return RebuildService(store=world.store, models=models, clock=world.clock, ids=world.ids)


def runner(
    world: World, store: KnowledgeStore | None = None, *, indexer: SliceIndexer | None = None
) -> WorkRunner[Rebuild]:
    kind = RebuildKind(
        store=store or world.store,
        indexer=indexer or world.indexer(),
        scales=world.scales(),
        clock=world.clock,
    )
    return WorkRunner(kind, store=store or world.store, clock=world.clock)


def resegmenting(world: World) -> ResegmentService:
    return ResegmentService(store=world.store, clock=world.clock, ids=world.ids)


def copying(world: World) -> CopyService:
    return CopyService(store=world.store, clock=world.clock, ids=world.ids)


def copier(world: World, store: KnowledgeStore | None = None) -> WorkRunner[DatasetCopy]:
    used = store or world.store
    kind = CopyKind(store=used, rows=world.rows, clock=world.clock, ids=world.ids)
    return WorkRunner(kind, store=used, clock=world.clock)


def previews(world: World, uploads: UploadedFiles | None = None) -> PreviewService:
    files: Any = None  # few tests upload
    reading = world.reading(world.store)
    return PreviewService(
        accepted=ACCEPTED,
        reading=reading,
        renderer=PageRenderer(
            store=world.store,
            objects=world.objects,
            parser=PlainTextParser(),
            reading=reading,
            ids=world.ids,
        ),
        store=world.store,
        objects=world.objects,
        uploads=uploads or UploadedFiles(files, max_bytes=1000),
        clock=world.clock,
        ids=world.ids,
    )


def preview_kind(world: World) -> PreviewKind:
    reading = world.reading(world.store)
    return PreviewKind(store=world.store, objects=world.objects, reading=reading, clock=world.clock)


def reading_previews(world: World) -> WorkRunner[Preview]:
    return WorkRunner(preview_kind(world), store=world.store, clock=world.clock)


def refresher(world: World, page: FixedPage) -> PageRefresher:
    return PageRefresher(store=world.store, pages=page, clock=world.clock, ids=world.ids)


def reconciler(world: World) -> Reconciler:
    return Reconciler(
        store=world.store,
        objects=world.objects,
        vectors=world.vectors,
        texts=world.texts,
        tables=world.tables,
        rebuilds=rebuilds(world),
        scales=world.scales(),
        metrics=Metrics(),
        clock=world.clock,
        ids=world.ids,
    )


async def dataset_of(world: World, number: int = 1) -> Dataset:
    async with world.store.snapshot() as uow:
        return await uow.datasets.get(SCOPE, DatasetId(number))


async def reconcile(world: World, *, dataset: int = 1) -> ReconcileCounts:
    return await reconciler(world).run(await dataset_of(world, dataset))


async def search(world: World, word: str, *, dataset: int = 1) -> list[str]:
    """Search the collection in use by a word, as a retrieval does."""
    collection = (await dataset_of(world, dataset)).collection
    try:
        index = await world.texts.open(collection)
    except CollectionNotFound:
        return []
    hits = await index.search([QueryTerm(token=Analyzer().stem(word))], limit=9)
    async with world.store.snapshot() as uow:
        shown = await uow.retrieval.hydrate(SCOPE, [SliceId(hit.slice_id) for hit in hits])
    return [item.content for item in shown]


async def held(world: World) -> tuple[int, int]:
    """Count vectors and texts of the collection in use."""
    collection = (await dataset_of(world)).collection
    vectors, texts = await world.vectors.open(collection), await world.texts.open(collection)
    return await vectors.count(), await texts.count()
