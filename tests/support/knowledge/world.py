"""Knowledge with its real stores: documents in, slices out, with parts that die when told to."""

import csv
import hashlib
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Literal

import msgspec
import sqlalchemy as sa

from application.knowledge.dataset.service import DatasetService
from application.knowledge.document.image_caption import ImageCaptioner
from application.knowledge.document.image_service import DatasetImageService
from application.knowledge.document.service import DocumentService
from application.knowledge.document.slice_service import SliceService
from application.knowledge.dto import CreateDocuments, NewDocument
from application.knowledge.ingest.cleaner import TOPICS, IngestCleaner
from application.knowledge.ingest.indexing import SliceIndexer
from application.knowledge.ingest.pipeline import IngestPipeline
from application.knowledge.ingest.reading import DocumentReading
from application.knowledge.ingest.source import SourceReader
from application.knowledge.ingest.worker import IngestSettings, IngestWorker
from application.knowledge.meter import IngestMeter
from application.knowledge.retrieval.calibration import ScaleLearner
from application.knowledge.table.ingest import TableIngest
from application.knowledge.table.storage import RowTables
from crossdomain.model.contract import EmbeddingDescription, EmbeddingResult, ModelDescription
from domain.knowledge.document import Document
from domain.knowledge.repository import KnowledgeStore
from domain.knowledge.text.analyzer import Analyzer
from domain.knowledge.value import (
    ChunkRule,
    ChunkType,
    DocumentId,
    ParseRule,
    SliceId,
    SourceType,
)
from domain.shared.access import Principal, Role
from domain.shared.call import CallContext
from domain.shared.chat import (
    Capabilities,
    ChatRequest,
    FinishReason,
    ImagePart,
    ModelEvent,
    ReplyFinished,
    TextDelta,
)
from domain.shared.error import AppError
from domain.shared.id_generator import IdGenerator
from domain.shared.ids import TokenId, UserId
from infra.contract.document.parser import (
    Block,
    DocumentMetadata,
    DocumentSource,
    ExtractedImage,
    Paragraph,
    ParsedDocument,
    ParseOptions,
    ParseSink,
    Picture,
    Purpose,
    Table,
)
from infra.contract.messaging.event_bus import Delivery
from infra.contract.model.embedder import EmbeddingEndpoint
from infra.contract.observability.metrics import Metrics
from infra.contract.storage.search_index import CollectionNotFound, QueryTerm
from infra.contract.table.store import TableStore
from infra.impl.embedder.hashing import HashingEmbedder
from infra.impl.object_store.local import LocalObjectStore
from infra.impl.repository.sql.engine.database import Database
from infra.impl.repository.sql.event.table import outbox
from infra.impl.repository.sql.knowledge.repository import SqlKnowledgeStore
from infra.impl.search_index.embedded.text import SqliteTextIndexes
from infra.impl.search_index.embedded.vector import SqliteVectorIndexes
from infra.impl.table_store.sqlite import SqliteTableStore
from tests.support.clock import FrozenClock
from tests.support.knowledge.sample import ACCEPTED, LINKS, SCOPE, SPACE, new_dataset

OWNER = Principal(
    user_id=UserId(1), token_id=TokenId(1), roles={SPACE: Role.OWNER}, personal_space_id=SPACE
)
LINES = ParseRule(chunking=ChunkRule(chunk_type=ChunkType.CUSTOM, separator="##"))
TEXT = "The red fox runs.##A blue whale swims.##Green parrots fly."


class Died(BaseException):
    """Stands for kill -9: nothing may catch it."""


class PlainTextParser:
    """Reads UTF-8 as one paragraph, of a table as lines of cells; any bytes are an image.

    What stands behind ## in an image is the text in it. Where images are asked for, each line that
    begins with @ is one; a line that begins with % is a scanned page, which nothing reads.
    """

    async def parse(
        self, source: DocumentSource, options: ParseOptions, sink: ParseSink, *, owner: int
    ) -> ParsedDocument:
        text = b"".join([chunk async for chunk in source()]).decode()
        if options.purpose is Purpose.IMAGE:
            data = text.encode()
            sha256 = hashlib.sha256(data).hexdigest()
            image = ExtractedImage(sha256=sha256, mime="image/png", width=1, height=1, data=data)
            await sink.add_image(image)
            words = text.partition("##")[2]
            picture = Picture(sha256=sha256, mime="image/png", width=1, height=1, ocr_text=words)
            return ParsedDocument.of([picture], metadata=DocumentMetadata(format="image"))
        if options.purpose is Purpose.TABLE:
            header, *rows = csv.reader(text.splitlines()[options.table.header_line :])
            table = Table(rows=tuple(tuple(c or None for c in row) for row in rows), row=2)
            metadata = DocumentMetadata(format="csv", columns=tuple(header), rows=len(rows))
            return ParsedDocument.of([table], metadata=metadata)
        blocks: list[Block] = []
        kept = "@%" if options.extracts_images else "%" if options.keeps_scans else ""
        for line in text.splitlines() if options.extracts_images or "%" in text else ():
            if line[:1] in {*kept}:
                data = line.encode()
                sha256 = hashlib.sha256(data).hexdigest()
                await sink.add_image(
                    ExtractedImage(sha256=sha256, mime="image/png", width=1, height=1, data=data)
                )
                picture = Picture(sha256=sha256, mime="image/png", width=1, height=1)
                blocks.append(msgspec.structs.replace(picture, is_scan=line.startswith("%")))
            elif line.strip():
                blocks.append(Paragraph(text=line))
        metadata = DocumentMetadata(format="txt")
        return ParsedDocument.of(blocks or [Paragraph(text=text)], metadata=metadata)


@dataclass
class OfflineModels:
    """The offline embedder behind the contract; ``before`` may fail a call."""

    before: Callable[[Sequence[str]], None] = lambda _: None
    sight: str | None = None
    """What the model that looks at images says; None if there is no such model."""
    blindness: AppError | None = None
    """What becomes of looking instead."""
    looked_at: list[bytes] = field(default_factory=list)
    embedder: HashingEmbedder = field(
        default_factory=lambda: HashingEmbedder(EmbeddingEndpoint(kind="offline", model="offline"))
    )

    async def describe_embedding(self, model: str) -> EmbeddingDescription:
        name = model or "offline"
        return EmbeddingDescription(id=name, identity=name, is_offline=name == "offline")

    async def seeing(self) -> ModelDescription | None:
        if self.sight is None:
            return None
        return ModelDescription(
            id="eye", name="eye", capabilities=Capabilities(vision=True), window=9, max_output=9
        )

    async def stream(
        self, context: CallContext, request: ChatRequest, *, purpose: str
    ) -> AsyncGenerator[ModelEvent, None]:
        assert (request.model, purpose) == ("eye", "vision")
        self.looked_at += [
            part.data for part in request.messages[0].parts if isinstance(part, ImagePart)
        ]
        if self.blindness is not None:
            raise self.blindness
        yield TextDelta(self.sight or "")
        yield ReplyFinished(FinishReason.STOP)

    async def embed(
        self,
        context: CallContext,
        texts: Sequence[str],
        *,
        purpose: Literal["query", "document"],
        model: str = "",
    ) -> EmbeddingResult:
        self.before(texts)
        made = await self.embedder.embed(texts, purpose=purpose)
        return EmbeddingResult(vectors=made.vectors, model=made.model, input_tokens=1)


class DyingStore:
    """Dies before or after the given commit, counted from 1."""

    def __init__(self, store: SqlKnowledgeStore, *, at: int, is_after: bool) -> None:
        self._store = store
        self._left = at
        self._is_after = is_after
        self.commits = 0

    @asynccontextmanager
    async def transaction(self) -> AsyncGenerator[Any, None]:
        async with self._store.transaction() as uow:
            commit = uow.commit

            async def dying() -> None:
                self._left -= 1
                self.commits += 1
                if self._left == 0 and not self._is_after:
                    raise Died
                await commit()
                if self._left == 0:
                    raise Died

            uow.commit = dying  # type: ignore[method-assign]
            yield uow

    def snapshot(self) -> Any:
        return self._store.snapshot()


@dataclass
class World:
    database: Database
    store: SqlKnowledgeStore
    objects: LocalObjectStore
    vectors: SqliteVectorIndexes
    texts: SqliteTextIndexes
    tables: SqliteTableStore
    clock: FrozenClock
    ids: IdGenerator
    models: OfflineModels

    @property
    def documents(self) -> DocumentService:
        return DocumentService(
            accepted=ACCEPTED,
            store=self.store,
            objects=self.objects,
            clock=self.clock,
            ids=self.ids,
        )

    @property
    def slices(self) -> SliceService:
        return SliceService(
            store=self.store, rows=self.rows, links=LINKS, clock=self.clock, ids=self.ids
        )

    @property
    def datasets(self) -> DatasetService:
        return DatasetService(store=self.store, clock=self.clock, ids=self.ids)

    @property
    def images(self) -> DatasetImageService:
        return DatasetImageService(
            store=self.store,
            reading=self.reading(self.store),
            captioner=ImageCaptioner(self.models),  # type: ignore[arg-type]
            links=LINKS,
            clock=self.clock,
            ids=self.ids,
        )

    def reading(
        self,
        store: KnowledgeStore,
        readers: Mapping[SourceType, SourceReader] | None = None,
    ) -> DocumentReading:
        return DocumentReading(
            store=store,
            objects=self.objects,
            parser=PlainTextParser(),
            readers=readers or {},
            captioner=ImageCaptioner(self.models),  # type: ignore[arg-type]
        )

    @property
    def rows(self) -> RowTables:
        return RowTables(self.tables)

    def indexer(self) -> SliceIndexer:
        return SliceIndexer(
            models=self.models,  # type: ignore[arg-type]  # embedding is all that is asked of it
            vectors=self.vectors,
            texts=self.texts,
            analyzer=Analyzer(),
        )

    def scales(self) -> ScaleLearner:
        models: Any = self.models
        return ScaleLearner(store=self.store, models=models, indexer=self.indexer())

    def cleaner(self) -> IngestCleaner:
        return IngestCleaner(
            store=self.store, objects=self.objects, indexer=self.indexer(), rows=self.rows
        )

    def worker(
        self,
        store: KnowledgeStore | None = None,
        settings: IngestSettings = IngestSettings(),  # noqa: B008
        tables: TableStore | None = None,
        readers: Mapping[SourceType, SourceReader] | None = None,
    ) -> IngestWorker:
        store = store or self.store
        pipeline = IngestPipeline(
            store=store,
            reading=self.reading(store, readers),
            indexer=self.indexer(),
            tables=TableIngest(store=store, rows=RowTables(tables or self.tables), ids=self.ids),
            scales=self.scales(),
            clock=self.clock,
            ids=self.ids,
        )
        return IngestWorker(
            store=store,
            pipeline=pipeline,
            cleaner=self.cleaner(),
            clock=self.clock,
            settings=settings,
            meter=IngestMeter(Metrics()),
        )

    async def accept(self, text: str = TEXT) -> DocumentId:
        async with self.store.transaction() as uow:
            await uow.datasets.save(SCOPE, new_dataset(now=self.clock.now()))
            await uow.commit()
        new = NewDocument(name="a.txt", source_type=SourceType.CUSTOM_TEXT, content=text.encode())
        command = CreateDocuments(dataset_id=1, documents=(new,), rule=LINES)
        (view,) = await self.documents.create(OWNER, command)
        return DocumentId(view.id)

    async def work(self, *, rounds: int = 9) -> None:
        """Run what is due, letting time pass for what is put off."""
        worker = self.worker()
        for _ in range(rounds):
            while await worker.run_once():
                pass
            self.clock.advance(seconds=61)

    async def clean(self, *, times: int = 1) -> None:
        """Deliver the events of the cleaner, each ``times`` times."""
        async with self.database.read() as connection:
            rows = (await connection.execute(sa.select(outbox).order_by("position"))).all()
        cleaner = self.cleaner()
        for row in rows:
            if row.topic in TOPICS:
                delivery = Delivery(
                    event_id=row.event_id, topic=row.topic, key=row.key, payload=row.payload
                )
                for _ in range(times):
                    await cleaner.handle(delivery)

    async def load(self, document_id: DocumentId) -> Document:
        async with self.store.snapshot() as uow:
            return await uow.documents.get(SCOPE, document_id)

    async def find(self, word: str) -> list[str]:
        """Search by a word, and show what may be shown."""
        try:
            index = await self.texts.open("kb_1")
        except CollectionNotFound:
            return []
        hits = await index.search([QueryTerm(token=Analyzer().stem(word))], limit=9)
        async with self.store.snapshot() as uow:
            shown = await uow.retrieval.hydrate(SCOPE, [SliceId(hit.slice_id) for hit in hits])
        return [item.content for item in shown]

    async def entries(self) -> tuple[int, int]:
        """Count vectors and texts, whoever they belong to."""
        vectors, texts = await self.vectors.open("kb_1"), await self.texts.open("kb_1")
        return await vectors.count(), await texts.count()
