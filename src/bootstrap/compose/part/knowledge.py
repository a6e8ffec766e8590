"""Composition of knowledge: datasets, ingest, and retrieval."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from application.knowledge.copying import CopyKind, CopyService
from application.knowledge.dataset.health import HealthService
from application.knowledge.dataset.rebuild import RebuildKind, RebuildService
from application.knowledge.dataset.reconcile import Reconciler
from application.knowledge.dataset.refetch import PageRefresher
from application.knowledge.dataset.service import DatasetService
from application.knowledge.document.batch import DocumentBatches
from application.knowledge.document.image_caption import ImageCaptioner
from application.knowledge.document.image_service import DatasetImageService
from application.knowledge.document.intake_rule import AcceptedFormats
from application.knowledge.document.page_renderer import PageRenderer
from application.knowledge.document.pages import DocumentPages
from application.knowledge.document.preview import PreviewService
from application.knowledge.document.preview_kind import PreviewKind
from application.knowledge.document.resegment import ResegmentService
from application.knowledge.document.service import DocumentService
from application.knowledge.document.slice_service import SliceService
from application.knowledge.document.slice_shaping import SliceShaping
from application.knowledge.document.task import TaskService
from application.knowledge.document.text import DocumentTexts
from application.knowledge.ingest.cleaner import IngestCleaner
from application.knowledge.ingest.embedding_cache import EmbeddingCache
from application.knowledge.ingest.indexing import SliceIndexer
from application.knowledge.ingest.pipeline import IngestPipeline
from application.knowledge.ingest.reading import DocumentReading
from application.knowledge.ingest.source import NamedSources, UploadedFiles, WebPageReader
from application.knowledge.ingest.worker import IngestWorker
from application.knowledge.meter import IngestMeter, SearchMeter
from application.knowledge.operations import KnowledgeOperations
from application.knowledge.retrieval.calibration import ScaleLearner
from application.knowledge.retrieval.file_search import FileSearchService
from application.knowledge.retrieval.hits import HitCounter
from application.knowledge.retrieval.image import ImageService
from application.knowledge.retrieval.recall_channels import ChannelRecall
from application.knowledge.retrieval.recall_embedding import QueryEmbedder
from application.knowledge.retrieval.recall_query import QueryWriter
from application.knowledge.retrieval.recall_scope import SearchScopes
from application.knowledge.retrieval.recall_store import StoreRecall
from application.knowledge.retrieval.service import RetrievalService
from application.knowledge.retrieval.show import RecallPresenter
from application.knowledge.retrieval.trial import SearchTests
from application.knowledge.rounds import KnowledgeRounds
from application.knowledge.table.answers import TableAnswers
from application.knowledge.table.export import TableExports
from application.knowledge.table.ingest import TableIngest
from application.knowledge.table.reshape import TableReshaping
from application.knowledge.table.schema import TableSchemaService
from application.knowledge.table.storage import RowTables
from application.knowledge.upkeep import Upkeep
from bootstrap.compose import adapters
from bootstrap.settings import Settings
from crossdomain.file.impl import DomainFiles
from crossdomain.knowledge.contract import Knowledge, QueryWordings
from crossdomain.model.contract import Models
from domain.file.signature import FileLinks
from domain.knowledge.image_link import ImageLinks
from domain.knowledge.repository import KnowledgeStore
from domain.knowledge.text.analyzer import Analyzer
from domain.knowledge.value import SourceType
from domain.shared.capacity.quota import Quotas
from domain.shared.capacity.share_meter import ShareFigures
from domain.shared.id_generator import IdGenerator
from domain.shared.ids import FileId
from domain.shared.secret import Secret
from infra.contract.clock import Clock
from infra.contract.document.parser import DocumentParser
from infra.contract.egress import EgressClient
from infra.contract.messaging.leader_election import LeaderElection
from infra.contract.observability.metrics import Metrics
from infra.contract.storage.object_store import ObjectStore
from infra.contract.storage.search_index import TextIndexes, VectorIndexes
from infra.contract.table.store import TableStore
from infra.impl.repository.sql.engine.database import Database
from infra.impl.repository.sql.knowledge.repository import SqlKnowledgeStore
from infra.impl.table_file import open_table_file


@dataclass(frozen=True, kw_only=True)
class KnowledgeParts:
    """Datasets, ingest and retrieval."""

    store: KnowledgeStore
    contract: Knowledge
    questions: QueryWordings
    document_texts: DocumentTexts
    analyzer: Analyzer
    accepted: AcceptedFormats

    # For clients
    datasets: DatasetService
    dataset_health: HealthService
    documents: DocumentService
    slices: SliceService
    slice_shaping: SliceShaping
    document_pages: DocumentPages
    table_reshaping: TableReshaping
    table_schemas: TableSchemaService
    table_exports: TableExports
    dataset_images: DatasetImageService
    images: ImageService
    retrieval: RetrievalService
    search_tests: SearchTests
    file_searches: FileSearchService
    resegmenting: ResegmentService
    document_batches: DocumentBatches
    tasks: TaskService
    rebuilds: RebuildService
    previews: PreviewService
    copying: CopyService
    reconciler: Reconciler

    # In the background
    indexer: SliceIndexer
    cleaner: IngestCleaner
    worker: IngestWorker
    upkeep: Upkeep
    rounds: KnowledgeRounds
    hits: HitCounter


def compose_knowledge(
    *,
    settings: Settings,
    database: Database,
    objects: ObjectStore,
    vectors: VectorIndexes,
    texts: TextIndexes,
    tables: TableStore,
    parser: DocumentParser,
    egress: EgressClient,
    models: Models,
    files: DomainFiles,
    file_links: FileLinks,
    master_keys: Sequence[Secret],
    quotas: Quotas,
    election: LeaderElection,
    clock: Clock,
    ids: IdGenerator,
    metrics: Metrics,
) -> KnowledgeParts:
    """Needs files and models."""
    store = SqlKnowledgeStore(database)
    analyzer = Analyzer()
    accepted = AcceptedFormats(adapters.document_formats())
    uploads = UploadedFiles(files, max_bytes=settings.limits.document_bytes)
    image_links = ImageLinks(keys=master_keys, public_url=settings.external_url)
    rows = RowTables(tables)
    documents = DocumentService(
        store=store,
        objects=objects,
        clock=clock,
        ids=ids,
        accepted=accepted,
        uploads=uploads,
        quotas=quotas,
    )
    rebuilds = RebuildService(store=store, models=models, clock=clock, ids=ids)

    # Ingest
    embeddings = EmbeddingCache(store=store, clock=clock)
    indexer = SliceIndexer(
        models=models, vectors=vectors, texts=texts, analyzer=analyzer, cache=embeddings
    )
    scales = ScaleLearner(store=store, models=models, indexer=indexer)
    pages = WebPageReader(egress, accepted=accepted)
    captioner = ImageCaptioner(models)
    reading = DocumentReading(
        store=store,
        objects=objects,
        parser=parser,
        readers={SourceType.WEB_PAGE: pages},
        captioner=captioner,
    )
    cleaner = IngestCleaner(store=store, objects=objects, indexer=indexer, rows=rows)
    worker = IngestWorker(
        store=store,
        pipeline=IngestPipeline(
            store=store,
            reading=reading,
            indexer=indexer,
            tables=TableIngest(store=store, rows=rows, ids=ids),
            scales=scales,
            clock=clock,
            ids=ids,
        ),
        cleaner=cleaner,
        clock=clock,
        settings=settings.ingest,
        meter=IngestMeter(metrics),
        release_memory=adapters.release_memory,
    )
    preview_kind = PreviewKind(store=store, objects=objects, reading=reading, clock=clock)
    reconciler = Reconciler(
        store=store,
        objects=objects,
        vectors=vectors,
        texts=texts,
        tables=tables,
        rebuilds=rebuilds,
        scales=scales,
        metrics=metrics,
        clock=clock,
        ids=ids,
    )

    # Retrieval
    embedder = QueryEmbedder(
        models=models,
        size=settings.retrieval.cached_queries,
        ttl_s=settings.retrieval.cached_s,
    )
    questions = QueryWriter(models=models, embedder=embedder)
    hits = HitCounter(store=store, settings=settings.retrieval)
    retrieval = RetrievalService(
        scopes=SearchScopes(store),
        writer=questions,
        channels=ChannelRecall(
            store=store,
            stores=StoreRecall(
                vectors=vectors,
                texts=texts,
                settings=settings.retrieval,
                figures=ShareFigures(metrics),
            ),
            embedder=embedder,
            tables=TableAnswers(
                store=store,
                tables=tables,
                rows=rows,
                models=models,
                open_guard=partial(adapters.sql_guard, tables, settings.limits),
                clock=clock,
                limits=settings.limits,
            ),
            analyzer=analyzer,
            settings=settings.retrieval,
        ),
        presenter=RecallPresenter(store=store, images=image_links, clock=clock),
        hits=hits,
        models=models,
        analyzer=analyzer,
        settings=settings.retrieval,
        meter=SearchMeter(metrics),
    )

    def own_file(url: str) -> FileId | None:
        link = file_links.own(url, now=clock.now())
        return None if link is None else link.file_id

    renderer = PageRenderer(store=store, objects=objects, parser=parser, reading=reading, ids=ids)
    return KnowledgeParts(
        store=store,
        contract=KnowledgeOperations(
            retrieval=retrieval, documents=documents, store=store, own_file=own_file
        ),
        questions=questions,
        document_texts=DocumentTexts(files=files, parser=parser),
        analyzer=analyzer,
        accepted=accepted,
        datasets=DatasetService(store=store, clock=clock, ids=ids),
        dataset_health=HealthService(store=store),
        documents=documents,
        slices=SliceService(store=store, rows=rows, links=image_links, clock=clock, ids=ids),
        slice_shaping=SliceShaping(store=store, reading=reading, clock=clock, ids=ids),
        document_pages=DocumentPages(
            store=store, renderer=renderer, reading=reading, links=image_links, clock=clock
        ),
        table_reshaping=TableReshaping(store=store, clock=clock, ids=ids),
        table_schemas=TableSchemaService(
            store=store,
            parser=parser,
            sources=NamedSources(store=store, objects=objects, uploads=uploads),
            ids=ids,
        ),
        table_exports=TableExports(store=store, rows=rows, open_file=open_table_file),
        dataset_images=DatasetImageService(
            store=store,
            reading=reading,
            captioner=captioner,
            links=image_links,
            clock=clock,
            ids=ids,
        ),
        images=ImageService(links=image_links, objects=objects, clock=clock),
        retrieval=retrieval,
        file_searches=FileSearchService(retrieval=retrieval, store=store),
        search_tests=SearchTests(
            retrieval=retrieval, store=store, clock=clock, settings=settings.retrieval
        ),
        resegmenting=ResegmentService(store=store, clock=clock, ids=ids),
        document_batches=DocumentBatches(store=store, clock=clock, ids=ids),
        tasks=TaskService(store=store, clock=clock, ids=ids),
        rebuilds=rebuilds,
        previews=PreviewService(
            store=store,
            objects=objects,
            uploads=uploads,
            accepted=accepted,
            reading=reading,
            renderer=renderer,
            clock=clock,
            ids=ids,
            quotas=quotas,
        ),
        copying=CopyService(store=store, clock=clock, ids=ids),
        reconciler=reconciler,
        indexer=indexer,
        cleaner=cleaner,
        worker=worker,
        upkeep=Upkeep(
            RebuildKind(store=store, indexer=indexer, scales=scales, clock=clock),
            preview_kind,
            CopyKind(store=store, rows=rows, clock=clock, ids=ids, quotas=quotas),
            store=store,
            clock=clock,
        ),
        rounds=KnowledgeRounds(
            previews=preview_kind,
            pages=PageRefresher(store=store, pages=pages, clock=clock, ids=ids),
            reconciler=reconciler,
            embeddings=embeddings,
            election=election,
        ),
        hits=hits,
    )
