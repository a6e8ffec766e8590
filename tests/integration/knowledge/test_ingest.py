"""Documents become searchable, whatever dies or fails on the way."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from datetime import timedelta
from typing import Any

import msgspec
import pytest

from application.knowledge.dto import CreateDocuments, NewDocument
from application.knowledge.ingest.cleaner import TOPICS
from application.knowledge.ingest.pipeline import INDEXED_AT_ONCE
from application.knowledge.ingest.worker import IngestSettings, IngestWorker
from crossdomain.model.contract import EmbeddingResult
from domain.knowledge.job import IngestJob, JobStage
from domain.knowledge.value import (
    DEFAULT_RULE,
    DatasetId,
    DocumentId,
    DocumentStatus,
    Source,
    SourceType,
)
from domain.shared.access import Principal, Role, TenantScope
from domain.shared.error import Unavailable
from domain.shared.ids import TokenId, UserId
from infra.contract.model.chat_model import ModelCallFailed, ModelFailure
from tests.support.knowledge.sample import FOREIGN, OTHER_SPACE, SCOPE, new_dataset
from tests.support.knowledge.world import LINES, OWNER, TEXT, Died, DyingStore, World


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
    assert at > 4


async def test_a_short_text_takes_few_transactions(world: World) -> None:
    document_id = await world.accept()
    store = DyingStore(world.store, at=100, is_after=False)
    assert await world.worker(store).run_once()

    assert (await world.load(document_id)).status is DocumentStatus.ENABLED
    assert store.commits == 4  # claimed, fetched, cut, indexed


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
        with pytest.raises((Died, BaseExceptionGroup)):
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
    more = "".join(f"##Line {number}." for number in range(INDEXED_AT_ONCE))
    await world.accept(TEXT + more)
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
    assert await world.entries() == (INDEXED_AT_ONCE, INDEXED_AT_ONCE)
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


class Step:
    """A stage that outlasts the lease it was claimed with."""

    def __init__(self, world: World) -> None:
        self._world = world
        self.leases: list[Any] = []

    async def step(self, job: IngestJob, scope: TenantScope) -> None:
        claimed_until = job.lease_until
        self._world.clock.advance(seconds=50)
        async with asyncio.timeout(60):
            while await self._stored(job) == claimed_until:  # noqa: ASYNC110 (it is a row)
                await asyncio.sleep(0.01)
        renewed_until = await self._stored(job)
        job.finish(now=self._world.clock.now()) if self.leases else job.enter(JobStage.PARSE)
        async with self._world.store.transaction() as uow:
            await uow.queue.save(job)
            await uow.commit()
        self.leases.append((renewed_until, await self._stored(job)))

    async def _stored(self, job: IngestJob) -> Any:
        async with self._world.store.snapshot() as uow:
            return (await uow.jobs.latest(SCOPE, [job.document_id]))[job.document_id].lease_until


async def test_a_saved_step_keeps_the_lease_that_was_renewed(world: World) -> None:
    await world.accept()
    worker = world.worker(settings=IngestSettings(renew_s=0.01))
    step: Any = Step(world)
    worker._kind._pipeline = step
    async with asyncio.timeout(60):
        await worker.run_once()

    renewed_until, saved_until = step.leases[0]
    assert saved_until >= renewed_until


async def test_memory_is_given_back_when_the_work_is_done(world: World) -> None:
    await world.accept()
    given_back = asyncio.Event()
    loop = asyncio.get_running_loop()
    worker = world.worker()
    worker._release_memory = lambda: loop.call_soon_threadsafe(given_back.set)  # type: ignore[assignment]
    await worker.start()
    async with asyncio.timeout(60):
        await given_back.wait()
    await worker.aclose()

    assert await world.find("whale") == ["A blue whale swims."]


class Looks:
    """Counts how often workers look for work, until some of them have nothing left to do."""

    def __init__(self, worker: IngestWorker) -> None:
        self.count = 0
        self._worker = worker
        self._idle = asyncio.Semaphore(0)
        kind: Any = worker._kind
        due, loop = kind.due, asyncio.get_running_loop()

        async def counted(uow: Any, **options: Any) -> Any:
            self.count += 1
            return await due(uow, **options)

        kind.due = counted
        worker._release_memory = lambda: loop.call_soon_threadsafe(self._idle.release)  # type: ignore[assignment]

    async def work(self, *, at_a_time: int) -> None:
        message: Any = None
        await self._worker.ring(message)
        async with asyncio.timeout(60):
            for _ in range(at_a_time):
                await self._idle.acquire()
        await self._worker.aclose()


async def test_when_a_document_comes_one_worker_looks_for_all(world: World) -> None:
    worker = world.worker(settings=IngestSettings(workers=4, poll_s=600.0))
    looks = Looks(worker)
    await worker.start()
    await world.accept()
    await looks.work(at_a_time=1)

    assert await world.find("whale") == ["A blue whale swims."]
    assert looks.count <= 3, "at the start, for the message, and once the document is done"


async def test_nobody_looks_for_what_has_no_place_here(world: World) -> None:
    settings = IngestSettings(workers=4, per_space=9, per_dataset=9, poll_s=600.0)
    worker = world.worker(settings=settings)
    looks = Looks(worker)
    await world.accept()
    for number in range(5):
        text = NewDocument(
            name=f"{number}", source_type=SourceType.CUSTOM_TEXT, content=TEXT.encode()
        )
        await world.documents.create(
            OWNER, CreateDocuments(dataset_id=1, documents=(text,), rule=LINES)
        )
    await worker.start()
    await looks.work(at_a_time=2)

    async with world.store.snapshot() as uow:
        assert not await uow.queue.due(now=world.clock.now(), limit=9)
    assert looks.count <= 10, "one for each document, and as many at the ends as there are workers"


async def test_documents_of_one_space_leave_workers_to_others(world: World) -> None:
    gate, begun = asyncio.Event(), 0

    class SlowPages:
        async def read(self, scope: TenantScope, source: Source) -> AsyncGenerator[bytes, None]:
            nonlocal begun
            begun += 1
            await gate.wait()
            yield b"late"

    other = Principal(
        user_id=UserId(2),
        token_id=TokenId(2),
        roles={OTHER_SPACE: Role.OWNER},
        personal_space_id=OTHER_SPACE,
    )
    async with world.store.transaction() as uow:
        await uow.datasets.save(SCOPE, new_dataset(now=world.clock.now()))
        foreign = new_dataset(2, now=world.clock.now(), space_id=OTHER_SPACE)
        await uow.datasets.save(FOREIGN, foreign)
        await uow.commit()
    pages = [
        NewDocument(name=f"{at}", source_type=SourceType.WEB_PAGE, url=f"http://here/{at}")
        for at in range(6)
    ]
    for page in pages:
        await world.documents.create(
            OWNER, CreateDocuments(dataset_id=1, documents=(page,), rule=LINES)
        )
    settings = IngestSettings(workers=4, per_space=9, per_dataset=9, poll_s=0.01)
    worker = world.worker(settings=settings, readers={SourceType.WEB_PAGE: SlowPages()})
    await worker.start()

    text = NewDocument(name="a", source_type=SourceType.CUSTOM_TEXT, content=TEXT.encode())
    (made,) = await world.documents.create(
        other, CreateDocuments(dataset_id=2, documents=(text,), rule=LINES)
    )
    async with asyncio.timeout(60):
        while True:
            async with world.store.snapshot() as uow:
                document = await uow.documents.get(FOREIGN, DocumentId(made.id))
            if document.status is DocumentStatus.ENABLED and begun > 1:
                break
            await asyncio.sleep(0.01)

    assert begun == 2
    gate.set()
    await worker.aclose()
