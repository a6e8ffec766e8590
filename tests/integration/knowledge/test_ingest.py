"""Documents become searchable, whatever dies or fails on the way."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any, Literal

import msgspec
import pytest
import sqlalchemy as sa

from application.knowledge.document_service import DocumentService
from application.knowledge.dto import CreateDocuments, NewDocument
from application.knowledge.indexing import SliceIndexer
from application.knowledge.ingest_cleaner import TOPICS, IngestCleaner
from application.knowledge.ingest_pipeline import IngestPipeline
from application.knowledge.ingest_worker import IngestSettings, IngestWorker
from application.knowledge.slice_service import SliceService
from crossdomain.model.contract import EmbeddingDescription, EmbeddingResult
from domain.knowledge.analyzer import Analyzer
from domain.knowledge.document import Document
from domain.knowledge.repository import KnowledgeStore
from domain.knowledge.value import (
    DEFAULT_RULE,
    ChunkRule,
    ChunkType,
    DatasetId,
    DocumentId,
    DocumentStatus,
    ParseRule,
    SliceId,
    SourceType,
)
from domain.shared.access import Principal, Role
from domain.shared.call import CallContext
from domain.shared.error import Unavailable
from domain.shared.ids import TokenId, UserId
from infra.contract.chat_model import ModelCallFailed, ModelFailure
from infra.contract.document_parser import (
    DocumentMetadata,
    DocumentSource,
    Paragraph,
    ParsedDocument,
    ParseOptions,
    ParseSink,
)
from infra.contract.embedder import EmbeddingEndpoint
from infra.contract.event_bus import Delivery
from infra.contract.search_index import CollectionNotFound, QueryTerm
from infra.impl.embedder.hashing import HashingEmbedder
from infra.impl.id_generator.snowflake import SnowflakeIdGenerator
from infra.impl.object_store.local import LocalObjectStore
from infra.impl.repository.sql.database import Database
from infra.impl.repository.sql.knowledge import SqlKnowledgeStore
from infra.impl.repository.sql.schema import outbox
from infra.impl.search_index.sqlite_text import SqliteTextIndexes
from infra.impl.search_index.sqlite_vector import SqliteVectorIndexes
from tests.fakes import FrozenClock
from tests.knowledge_samples import SCOPE, SPACE, new_dataset

OWNER = Principal(
    user_id=UserId(1), token_id=TokenId(1), roles={SPACE: Role.OWNER}, personal_space_id=SPACE
)
LINES = ParseRule(chunking=ChunkRule(chunk_type=ChunkType.CUSTOM, separator="##"))
TEXT = "The red fox runs.##A blue whale swims.##Green parrots fly."


class Died(BaseException):
    """Stands for kill -9: nothing may catch it."""


class PlainTextParser:
    """Reads UTF-8 as one paragraph."""

    async def parse(
        self, source: DocumentSource, options: ParseOptions, sink: ParseSink, *, owner: int
    ) -> ParsedDocument:
        text = b"".join([chunk async for chunk in source()]).decode()
        return ParsedDocument.of([Paragraph(text=text)], metadata=DocumentMetadata(format="txt"))


@dataclass
class OfflineModels:
    """The offline embedder behind the contract; ``before`` may fail a call."""

    before: Callable[[Sequence[str]], None] = lambda _: None
    embedder: HashingEmbedder = field(
        default_factory=lambda: HashingEmbedder(EmbeddingEndpoint(kind="offline", model="offline"))
    )

    async def describe_embedding(self, model: str) -> EmbeddingDescription:
        name = model or "offline"
        return EmbeddingDescription(id=name, identity=name, is_offline=name == "offline")

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

    @asynccontextmanager
    async def transaction(self) -> AsyncGenerator[Any, None]:
        async with self._store.transaction() as uow:
            commit = uow.commit

            async def dying() -> None:
                self._left -= 1
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
    clock: FrozenClock
    ids: SnowflakeIdGenerator
    models: OfflineModels

    @property
    def documents(self) -> DocumentService:
        return DocumentService(
            store=self.store, objects=self.objects, clock=self.clock, ids=self.ids
        )

    @property
    def slices(self) -> SliceService:
        return SliceService(store=self.store, clock=self.clock, ids=self.ids)

    def indexer(self) -> SliceIndexer:
        return SliceIndexer(
            models=self.models,  # type: ignore[arg-type]  # embedding is all that is asked of it
            vectors=self.vectors,
            texts=self.texts,
            analyzer=Analyzer(),
        )

    def cleaner(self) -> IngestCleaner:
        return IngestCleaner(store=self.store, objects=self.objects, indexer=self.indexer())

    def worker(
        self,
        store: KnowledgeStore | None = None,
        settings: IngestSettings = IngestSettings(),  # noqa: B008
    ) -> IngestWorker:
        store = store or self.store
        pipeline = IngestPipeline(
            store=store,
            objects=self.objects,
            parser=PlainTextParser(),
            indexer=self.indexer(),
            readers={},
            clock=self.clock,
            ids=self.ids,
        )
        return IngestWorker(
            store=store,
            pipeline=pipeline,
            cleaner=self.cleaner(),
            clock=self.clock,
            settings=settings,
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


@pytest.fixture
async def world(
    sqlite_database: Database, tmp_path: Path, clock: FrozenClock, ids: SnowflakeIdGenerator
) -> AsyncGenerator[World, None]:
    objects = LocalObjectStore(tmp_path / "objects")
    vectors = SqliteVectorIndexes(tmp_path / "vectors")
    texts = SqliteTextIndexes(tmp_path / "texts")
    for adapter in (objects, vectors, texts):
        await adapter.start()
    yield World(
        database=sqlite_database,
        store=SqlKnowledgeStore(sqlite_database),
        objects=objects,
        vectors=vectors,
        texts=texts,
        clock=clock,
        ids=ids,
        models=OfflineModels(),
    )
    for adapter in (texts, vectors, objects):
        await adapter.aclose()


async def test_a_text_becomes_searchable(world: World) -> None:
    document_id = await world.accept()
    assert await world.worker().run_once()

    document = await world.load(document_id)
    assert (document.status, document.slice_count) == (DocumentStatus.ENABLED, 3)
    assert await world.find("whale") == ["A blue whale swims."]
    assert await world.entries() == (3, 3)
    assert not await world.worker().run_once()
    async with world.store.snapshot() as uow:
        assert (await uow.datasets.get(SCOPE, DatasetId(1))).embedding_dimensions > 0


@pytest.mark.parametrize("is_after", [False, True], ids=["before", "after"])
async def test_a_worker_may_die_at_any_commit(world: World, *, is_after: bool) -> None:
    document_id = await world.accept()
    await world.work(rounds=1)
    generation, at, died = 1, 0, True
    while died:
        at += 1
        assert at < 30
        await world.documents.resegment(OWNER, document_id, LINES)
        generation += 1
        died = False
        try:
            await world.worker(DyingStore(world.store, at=at, is_after=is_after)).run_once()
        except* Died:
            died = True
        except* asyncio.CancelledError:
            pass
        assert await world.find("whale") == ["A blue whale swims."]
        world.clock.advance(seconds=61)
        await world.work(rounds=1)

        document = await world.load(document_id)
        assert (document.status, document.active_generation) == (
            DocumentStatus.ENABLED,
            generation,
        )
        assert document.slice_count == 3
        assert await world.find("whale") == ["A blue whale swims."]
        assert await world.entries() == (3, 3)
    assert at > 7


async def test_scattered_failures_of_the_model_are_survived(world: World) -> None:
    calls = 0

    def fail_two_of_three(_: Sequence[str]) -> None:
        nonlocal calls
        calls += 1
        if calls % 3:
            raise Unavailable("busy")

    world.models.before = fail_two_of_three
    document_id = await world.accept()
    await world.work(rounds=4)

    assert (await world.load(document_id)).status is DocumentStatus.ENABLED


async def test_a_model_that_always_fails_is_asked_three_times(world: World) -> None:
    calls = 0

    def fail(_: Sequence[str]) -> None:
        nonlocal calls
        calls += 1
        raise Unavailable("busy")

    world.models.before = fail
    document_id = await world.accept()
    await world.work(rounds=6)

    document = await world.load(document_id)
    assert (document.status, document.fail_reason, calls) == (DocumentStatus.FAILED, "busy", 3)
    await world.clean()
    async with world.store.snapshot() as uow:
        assert (await uow.slices.totals(SCOPE, document_id, 1)).count == 0


async def test_one_text_at_fault_costs_only_itself(world: World) -> None:
    def refuse_one(texts: Sequence[str]) -> None:
        if any("number 7 " in text for text in texts):
            raise ModelCallFailed("too long", failure=ModelFailure.CONTEXT_OVERFLOW)

    world.models.before = refuse_one
    document_id = await world.accept("##".join(f"Line number {n} ends." for n in range(40)))
    await world.work(rounds=1)

    document = await world.load(document_id)
    assert (document.status, document.slice_count) == (DocumentStatus.ENABLED, 40)
    assert document.fail_reason == "1 of 40 slices could not be indexed."
    assert await world.entries() == (39, 39)


async def test_too_many_texts_at_fault_fail_the_document(world: World) -> None:
    def refuse_one(texts: Sequence[str]) -> None:
        if any("fox" in text for text in texts):
            raise ModelCallFailed("filtered", failure=ModelFailure.CONTENT_FILTER)

    world.models.before = refuse_one
    document_id = await world.accept()
    await world.work(rounds=1)

    assert (await world.load(document_id)).status is DocumentStatus.FAILED


async def test_nothing_remains_of_a_document_deleted_while_it_is_indexed(world: World) -> None:
    document_id = await world.accept()
    deletions: list[DocumentId] = []
    embed = world.models.embed

    async def delete_meanwhile(*args: Any, **kwargs: Any) -> EmbeddingResult:
        if not deletions:
            deletions.append(document_id)
            await world.documents.delete(OWNER, [document_id])
            await world.clean()
        return await embed(*args, **kwargs)

    world.models.embed = delete_meanwhile  # type: ignore[method-assign]
    await world.work(rounds=2)

    assert deletions
    assert await world.entries() == (0, 0)
    async with world.store.snapshot() as uow:
        assert await uow.batches.of_documents(SCOPE, [document_id], limit=9) == []
        assert await uow.objects.of(SCOPE, [document_id], limit=9) == []
        assert await uow.documents.deleted(SCOPE, DatasetId(1), limit=9) == []


async def test_a_forced_resegmentation_fences_the_running_job(world: World) -> None:
    document_id = await world.accept()
    forced: list[int] = []
    embed = world.models.embed

    async def force_meanwhile(*args: Any, **kwargs: Any) -> EmbeddingResult:
        if not forced:
            forced.append(2)
            await world.documents.resegment(OWNER, document_id, DEFAULT_RULE, force=True)
        return await embed(*args, **kwargs)

    world.models.embed = force_meanwhile  # type: ignore[method-assign]
    await world.work(rounds=2)

    document = await world.load(document_id)
    assert (document.active_generation, document.slice_count) == (2, 1)
    assert await world.find("whale") == [TEXT]
    assert await world.entries() == (1, 1)


async def test_a_crash_that_repeats_gives_the_job_up(world: World) -> None:
    document_id = await world.accept()
    await world.work(rounds=1)
    await world.documents.resegment(OWNER, document_id, LINES)
    for _ in range(4):
        with pytest.raises(BaseExceptionGroup):
            await world.worker(DyingStore(world.store, at=2, is_after=False)).run_once()
        world.clock.advance(seconds=61)
    await world.work(rounds=1)

    document = await world.load(document_id)
    assert (document.status, document.active_generation) == (DocumentStatus.ENABLED, 1)
    assert document.fail_reason


async def test_edited_slices_are_found_by_their_new_text(world: World) -> None:
    document_id = await world.accept()
    await world.work(rounds=1)
    added = await world.slices.create(OWNER, document_id, "Yellow tigers sleep.")
    await world.clean(times=2)
    assert await world.find("tigers") == ["Yellow tigers sleep."]

    await world.slices.edit(OWNER, added.id, "Black panthers sleep.")
    assert await world.find("tigers") == ["Black panthers sleep."]  # the old entry, the new text
    await world.clean(times=2)
    assert (await world.find("tigers"), await world.find("panthers")) == (
        [],
        ["Black panthers sleep."],
    )

    await world.slices.delete(OWNER, [added.id])
    assert await world.find("panthers") == []
    await world.clean(times=2)
    assert await world.entries() == (3, 3)


async def test_a_stopping_worker_gives_its_job_back(world: World) -> None:
    await world.accept()
    worker = world.worker(settings=IngestSettings(poll_s=0.01))
    reached = asyncio.Event()
    embed = world.models.embed

    async def slow(*args: Any, **kwargs: Any) -> EmbeddingResult:
        reached.set()
        await asyncio.sleep(0.05)
        return await embed(*args, **kwargs)

    world.models.embed = slow  # type: ignore[method-assign]
    await worker.start()
    await reached.wait()
    await worker.aclose()

    async with world.store.snapshot() as uow:
        assert await uow.queue.next_due_at() == world.clock.now()
    assert await world.entries() == (3, 3)
    await world.work(rounds=1)
    assert await world.find("fox") == ["The red fox runs."]


async def test_damaged_blocks_are_parsed_again(world: World) -> None:
    document_id = await world.accept()
    await world.work(rounds=1)
    async with world.store.snapshot() as uow:
        keys = await uow.objects.of(SCOPE, [document_id], limit=9)
    (parsed,) = (key for key in keys if key.value.startswith("parse/"))
    await world.objects.delete(parsed)

    await world.documents.resegment(OWNER, document_id, DEFAULT_RULE)
    await world.work(rounds=1)

    assert (await world.load(document_id)).active_generation == 2


def test_the_cleaner_knows_its_topics() -> None:
    assert {"knowledge.index_slice", "knowledge.delete_data", "knowledge.drop_generation"} == TOPICS
    assert msgspec.structs.asdict(IngestSettings())["lease_s"] == timedelta(minutes=1).seconds
