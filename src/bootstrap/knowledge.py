"""Composition of the knowledge context: its parts, what handlers ask for, and its events."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from dependency_injector import containers, providers

from application.knowledge.dataset_detail import DatasetDetails
from application.knowledge.dataset_service import DatasetService
from application.knowledge.document_service import DocumentService
from application.knowledge.image_caption import ImageCaptioner
from application.knowledge.indexing import SliceIndexer
from application.knowledge.ingest_cleaner import TOPICS as CLEANED
from application.knowledge.ingest_cleaner import IngestCleaner
from application.knowledge.ingest_pipeline import IngestPipeline
from application.knowledge.ingest_reading import DocumentReading
from application.knowledge.ingest_source import UploadedFiles, WebPageReader
from application.knowledge.ingest_worker import IngestWorker
from application.knowledge.slice_service import SliceService
from application.knowledge.table_ingest import TableIngest
from application.knowledge.table_storage import RowTables
from bootstrap import adapters
from domain.knowledge.analyzer import Analyzer
from domain.knowledge.value import SourceType
from infra.impl.event_bus.embedded import EmbeddedEventBus
from infra.impl.repository.sql.knowledge import SqlKnowledgeStore

INDEXED: Final = frozenset({"knowledge.index_document"})
INGEST: Final = "knowledge.ingest"
CLEANER: Final = "knowledge.cleaner"
WORKED: Final = frozenset({INGEST, CLEANER})
"""Consumers that processes without listener serve as well."""


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
    people: providers.Dependency[Any] = providers.Dependency()

    store = providers.Singleton(SqlKnowledgeStore, database)
    analyzer = providers.Singleton(Analyzer)
    indexes = providers.Callable(index_path, settings.provided.data_path)
    vectors = providers.Singleton(adapters.vector_indexes, indexes)
    texts = providers.Singleton(adapters.text_indexes, indexes, settings.provided.text_index)
    ocr = providers.Singleton(adapters.ocr_engine, limits)
    parser = providers.Singleton(adapters.document_parser, limits, ocr)

    uploads = providers.Singleton(UploadedFiles, files, max_bytes=limits.document_bytes)
    datasets = providers.Singleton(DatasetService, store=store, clock=clock, ids=ids)
    dataset_details = providers.Singleton(DatasetDetails, files=files, people=people)
    documents = providers.Singleton(
        DocumentService, store=store, objects=objects, clock=clock, ids=ids, uploads=uploads
    )
    tables = providers.Singleton(
        adapters.table_store, settings.provided.database_url, settings.provided.data_path
    )
    rows = providers.Singleton(RowTables, tables)
    slices = providers.Singleton(SliceService, store=store, rows=rows, clock=clock, ids=ids)

    indexer = providers.Singleton(
        SliceIndexer, models=models, vectors=vectors, texts=texts, analyzer=analyzer
    )
    reading = providers.Singleton(
        DocumentReading,
        store=store,
        objects=objects,
        parser=parser,
        readers=providers.Dict(
            {SourceType.WEB_PAGE: providers.Singleton(WebPageReader, egress=egress)}
        ),
    )
    captioner = providers.Singleton(ImageCaptioner, models)
    pipeline = providers.Singleton(
        IngestPipeline,
        store=store,
        reading=reading,
        indexer=indexer,
        tables=providers.Singleton(TableIngest, store=store, rows=rows, ids=ids),
        captioner=captioner,
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
    )

    storage = providers.List(tables, vectors, texts, ocr, parser)
    background = providers.List(worker)


def dependencies(knowledge: Any) -> Mapping[str, Any]:
    """What handlers ask for by name."""
    return {
        "dataset_details": knowledge.dataset_details,
        "datasets": knowledge.datasets,
        "documents": knowledge.documents,
        "slices": knowledge.slices,
    }


def subscribe(bus: EmbeddedEventBus, knowledge: Any) -> None:
    """Register the consumers of this context."""
    bus.subscribe(CLEANER, CLEANED, knowledge.cleaner().handle)
    bus.subscribe(INGEST, INDEXED, knowledge.worker().ring)
