"""Composition of the knowledge context: its parts, what handlers ask for, and its events."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from dependency_injector import containers, providers

from application.knowledge.calibration import ScaleLearner
from application.knowledge.copying import CopyRunner, CopyService
from application.knowledge.dataset_service import DatasetService
from application.knowledge.document_service import DocumentService
from application.knowledge.document_text import DocumentTexts
from application.knowledge.embedding_cache import EmbeddingCache
from application.knowledge.image_caption import ImageCaptioner
from application.knowledge.image_service import DatasetImageService
from application.knowledge.indexing import SliceIndexer
from application.knowledge.ingest_cleaner import IngestCleaner
from application.knowledge.ingest_pipeline import IngestPipeline
from application.knowledge.ingest_reading import DocumentReading
from application.knowledge.ingest_source import UploadedFiles, WebPageReader
from application.knowledge.ingest_worker import IngestWorker
from application.knowledge.intake_rule import AcceptedFormats
from application.knowledge.meter import IngestMeter, SearchMeter
from application.knowledge.preview import PreviewService
from application.knowledge.preview_runner import PreviewRunner
from application.knowledge.rebuild import RebuildRunner, RebuildService
from application.knowledge.recall_channels import ChannelRecall
from application.knowledge.recall_embedding import QueryEmbedder
from application.knowledge.recall_query import QueryWriter
from application.knowledge.recall_scope import SearchScopes
from application.knowledge.recall_store import StoreRecall
from application.knowledge.reconcile import Reconciler
from application.knowledge.refetch import PageRefresher
from application.knowledge.resegment import ResegmentService
from application.knowledge.retrieval import RetrievalService
from application.knowledge.retrieval_hits import HitCounter
from application.knowledge.retrieval_image import ImageService
from application.knowledge.retrieval_intake import KnowledgeIntake
from application.knowledge.retrieval_show import RecallPresenter
from application.knowledge.retrieval_try import SearchTests
from application.knowledge.rounds import KnowledgeRounds
from application.knowledge.slice_service import SliceService
from application.knowledge.table_answers import TableAnswers
from application.knowledge.table_ingest import TableIngest
from application.knowledge.table_reshape import TableReshaping
from application.knowledge.table_schema import TableSchemaService
from application.knowledge.table_storage import RowTables
from application.knowledge.upkeep import Upkeep
from bootstrap import adapters
from crossdomain.knowledge.impl import DomainKnowledge
from domain.knowledge.analyzer import Analyzer
from domain.knowledge.image_link import ImageLinks
from domain.knowledge.value import FormatType, SourceType
from domain.shared.share_meter import ShareFigures
from infra.impl.repository.sql.knowledge import SqlKnowledgeStore

"""Consumers that belong to the role of indexing."""


def index_path(data: Path) -> Path:
    """Where the embedded search stores keep their files."""
    return data / "index"


class KnowledgeContainer(containers.DeclarativeContainer):
    """Datasets, ingest and retrieval."""

    settings: providers.Dependency[Any] = providers.Dependency()
    limits = settings.provided.limits
    clock: providers.Dependency[Any] = providers.Dependency()
    ids: providers.Dependency[Any] = providers.Dependency()
    database: providers.Dependency[Any] = providers.Dependency()
    objects: providers.Dependency[Any] = providers.Dependency()
    egress: providers.Dependency[Any] = providers.Dependency()
    models: providers.Dependency[Any] = providers.Dependency()
    files: providers.Dependency[Any] = providers.Dependency()
    master_key: providers.Dependency[Any] = providers.Dependency()
    file_links: providers.Dependency[Any] = providers.Dependency()
    metrics: providers.Dependency[Any] = providers.Dependency()
    quotas: providers.Dependency[Any] = providers.Dependency()
    roster: providers.Dependency[Any] = providers.Dependency()

    store = providers.Singleton(SqlKnowledgeStore, database)
    analyzer = providers.Singleton(Analyzer)
    indexes = providers.Callable(index_path, settings.provided.data_path)
    vectors = providers.Singleton(adapters.vector_indexes, indexes, settings.provided.vector_index)
    texts = providers.Singleton(
        adapters.text_indexes,
        indexes,
        settings.provided.text_index,
        settings.provided.vector_index,
    )
    ocr = providers.Singleton(adapters.ocr_engine, limits, metrics)
    parser = providers.Singleton(adapters.document_parser, limits, ocr, metrics)

    accepted = providers.Singleton(AcceptedFormats, providers.Callable(adapters.document_formats))
    table_extensions = accepted.provided.extensions.call(FormatType.TABLE)
    uploads = providers.Singleton(UploadedFiles, files, max_bytes=limits.document_bytes)
    datasets = providers.Singleton(DatasetService, store=store, clock=clock, ids=ids)
    documents = providers.Singleton(
        DocumentService,
        store=store,
        objects=objects,
        clock=clock,
        ids=ids,
        accepted=accepted,
        uploads=uploads,
        quotas=quotas,
    )
    tables = providers.Singleton(
        adapters.table_store,
        settings.provided.database_url,
        settings.provided.data_path,
        limits,
        metrics,
    )
    rows = providers.Singleton(RowTables, tables)
    image_links = providers.Singleton(
        ImageLinks, keys=providers.List(master_key), public_url=settings.provided.external_url
    )
    slices = providers.Singleton(
        SliceService, store=store, rows=rows, links=image_links, clock=clock, ids=ids
    )

    table_reshaping = providers.Singleton(TableReshaping, store=store, clock=clock, ids=ids)
    table_schemas = providers.Singleton(
        TableSchemaService, store=store, parser=parser, uploads=uploads, ids=ids
    )

    embeddings = providers.Singleton(EmbeddingCache, store=store, clock=clock)
    indexer = providers.Singleton(
        SliceIndexer,
        models=models,
        vectors=vectors,
        texts=texts,
        analyzer=analyzer,
        cache=embeddings,
    )
    scales = providers.Singleton(ScaleLearner, store=store, models=models, indexer=indexer)
    pages = providers.Singleton(WebPageReader, egress=egress, accepted=accepted)
    reading = providers.Singleton(
        DocumentReading,
        store=store,
        objects=objects,
        parser=parser,
        readers=providers.Dict({SourceType.WEB_PAGE: pages}),
    )
    table_channel = providers.Singleton(
        TableAnswers,
        store=store,
        tables=tables,
        rows=rows,
        models=models,
        open_guard=providers.Factory(adapters.sql_guard, tables, limits).provider,
        clock=clock,
        limits=limits,
    )
    captioner = providers.Singleton(ImageCaptioner, models)
    pipeline = providers.Singleton(
        IngestPipeline,
        store=store,
        reading=reading,
        indexer=indexer,
        tables=providers.Singleton(TableIngest, store=store, rows=rows, ids=ids),
        captioner=captioner,
        scales=scales,
        clock=clock,
        ids=ids,
    )
    cleaner = providers.Singleton(
        IngestCleaner, store=store, objects=objects, indexer=indexer, rows=rows
    )
    worker = providers.Singleton(
        IngestWorker,
        store=store,
        pipeline=pipeline,
        cleaner=cleaner,
        clock=clock,
        settings=settings.provided.ingest,
        meter=providers.Singleton(IngestMeter, metrics),
        release_memory=providers.Object(adapters.release_memory),
    )

    query_embedder = providers.Singleton(
        QueryEmbedder,
        models=models,
        size=settings.provided.retrieval.cached_queries,
        ttl_s=settings.provided.retrieval.cached_s,
    )
    stores = providers.Singleton(
        StoreRecall,
        vectors=vectors,
        texts=texts,
        settings=settings.provided.retrieval,
        figures=providers.Singleton(ShareFigures, metrics),
    )
    channels = providers.Singleton(
        ChannelRecall,
        store=store,
        stores=stores,
        embedder=query_embedder,
        tables=table_channel,
        analyzer=analyzer,
        settings=settings.provided.retrieval,
    )
    hits = providers.Singleton(HitCounter, store=store, settings=settings.provided.retrieval)
    dataset_images = providers.Singleton(
        DatasetImageService,
        store=store,
        reading=reading,
        captioner=captioner,
        links=image_links,
        clock=clock,
        ids=ids,
    )
    presenter = providers.Singleton(RecallPresenter, store=store, images=image_links, clock=clock)
    query_writer = providers.Singleton(QueryWriter, models=models, embedder=query_embedder)
    retrieval = providers.Singleton(
        RetrievalService,
        scopes=providers.Singleton(SearchScopes, store),
        writer=query_writer,
        channels=channels,
        presenter=presenter,
        hits=hits,
        models=models,
        analyzer=analyzer,
        settings=settings.provided.retrieval,
        meter=providers.Singleton(SearchMeter, metrics),
    )
    search_tests = providers.Singleton(
        SearchTests,
        retrieval=retrieval,
        store=store,
        clock=clock,
        settings=settings.provided.retrieval,
    )
    images = providers.Singleton(ImageService, links=image_links, objects=objects, clock=clock)
    intake = providers.Singleton(
        KnowledgeIntake, documents=documents, store=store, links=file_links, clock=clock
    )
    contract = providers.Singleton(
        DomainKnowledge,
        retrieval=retrieval,
        intake=intake,
        store=store,
    )
    document_texts = providers.Singleton(DocumentTexts, files=files, parser=parser)

    storage = providers.List(tables, vectors, texts, ocr, parser)
    resegmenting = providers.Singleton(ResegmentService, store=store, clock=clock, ids=ids)
    rebuilds = providers.Singleton(RebuildService, store=store, models=models, clock=clock, ids=ids)
    previews = providers.Singleton(
        PreviewService,
        store=store,
        objects=objects,
        uploads=uploads,
        accepted=accepted,
        clock=clock,
        ids=ids,
        quotas=quotas,
    )
    copying = providers.Singleton(CopyService, store=store, clock=clock, ids=ids)
    reconciler = providers.Singleton(
        Reconciler,
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
    preview_runner = providers.Singleton(
        PreviewRunner, store=store, objects=objects, reading=reading, clock=clock
    )
    upkeep = providers.Singleton(
        Upkeep,
        rebuilds=providers.Singleton(
            RebuildRunner, store=store, indexer=indexer, scales=scales, clock=clock
        ),
        previews=preview_runner,
        copies=providers.Singleton(
            CopyRunner, store=store, rows=rows, clock=clock, ids=ids, quotas=quotas
        ),
    )
    rounds = providers.Singleton(
        KnowledgeRounds,
        previews=preview_runner,
        pages=providers.Singleton(PageRefresher, store=store, pages=pages, clock=clock, ids=ids),
        reconciler=reconciler,
        embeddings=embeddings,
        roster=roster,
    )

    counting = providers.List(hits)
    ingesting = providers.List(worker, upkeep)
    scheduled = providers.List(rounds)


def dependencies(knowledge: Any) -> Mapping[str, Any]:
    """What handlers ask for by name."""
    return {
        "dataset_images": knowledge.dataset_images,
        "datasets": knowledge.datasets,
        "documents": knowledge.documents,
        "copying": knowledge.copying,
        "previews": knowledge.previews,
        "rebuilds": knowledge.rebuilds,
        "reconciler": knowledge.reconciler,
        "resegmenting": knowledge.resegmenting,
        "knowledge_images": knowledge.images,
        "search_tests": knowledge.search_tests,
        "slices": knowledge.slices,
        "table_reshaping": knowledge.table_reshaping,
        "table_schemas": knowledge.table_schemas,
    }
