"""What a reconciler finds, and that it finds nothing after normal work."""

import pytest
import sqlalchemy as sa

from domain.knowledge.document import Document
from domain.knowledge.value import DocumentId, SliceId
from infra.contract.storage.object_store import ObjectKey, ObjectNotFound
from infra.contract.storage.search_index import (
    EntryKey,
    TextCollection,
    TextEntry,
    VectorCollection,
    VectorEntry,
)
from infra.impl.repository.sql.knowledge.table import documents, jobs, slices
from tests.integration.knowledge.upkeep import held, reconcile, reconciler, search
from tests.support.knowledge.sample import SCOPE, new_document, new_job, new_slice
from tests.support.knowledge.world import LINES, OWNER, World


async def found(world: World) -> dict[str, int]:
    return {name: n for name, n in (await reconcile(world)).findings.items() if n}


async def test_nothing_is_found_after_normal_work(world: World) -> None:
    document_id = await world.accept()
    assert await found(world) == {}
    await world.work(rounds=1)
    await world.documents.resegment(OWNER, document_id, LINES)
    await world.work(rounds=1)
    added = await world.slices.create(OWNER, document_id, "Yellow tigers sleep.")
    await world.clean()
    await world.slices.delete(OWNER, [added.id])
    await world.clean()
    assert await found(world) == {}

    await world.documents.delete(OWNER, [document_id])
    await world.clean()
    assert await found(world) == {}


async def test_entries_without_a_slice_go(world: World) -> None:
    await world.accept()
    await world.work(rounds=1)
    key = EntryKey(id=7, document_id=7, slice_id=7, generation=1, creator_id=1)
    vectors, texts = await world.vectors.open("kb_1"), await world.texts.open("kb_1")
    (entry,) = await vectors.scan(after=0, limit=1)
    dimensions = 4096
    await vectors.upsert([VectorEntry(key=key, vector=[1.0] * dimensions)])
    await texts.upsert([TextEntry(key=key, tokens=["fox"])])

    assert await found(world) == {"stale_entries": 2}
    assert await held(world) == (3, 3)
    assert entry in await vectors.scan(after=0, limit=9)
    assert await found(world) == {}


async def test_entries_that_a_store_lost_are_made_again(world: World) -> None:
    await world.accept()
    await world.work(rounds=1)
    texts = await world.texts.open("kb_1")
    (first, *_) = await texts.scan(after=0, limit=9)
    await texts.delete(ids=[first.id])

    assert await found(world) == {"missing_entries": 1}
    await world.clean()
    assert await held(world) == (3, 3)
    assert await found(world) == {}

    await world.vectors.drop("kb_1")
    assert await found(world) == {"missing_entries": 3}
    await world.clean()
    assert await held(world) == (3, 3)


async def test_a_document_without_its_job_is_indexed_all_the_same(world: World) -> None:
    document_id = await world.accept()
    async with world.database.write() as connection:
        await connection.execute(sa.delete(jobs))
        await connection.commit()

    assert await found(world) == {"lost_jobs": 1}
    await world.work(rounds=1)
    assert await search(world, "whale") == ["A blue whale swims."]
    assert (await world.load(document_id)).generation == 2
    assert await found(world) == {}


async def test_jobs_slices_and_objects_without_a_document_go(world: World) -> None:
    document_id = await world.accept()
    await world.work(rounds=1)
    key = ObjectKey("kb/1/99/source")
    gone: Document = new_document(99, now=world.clock.now())
    async with world.store.transaction() as uow:
        await uow.jobs.add(SCOPE, new_job(98, now=world.clock.now(), document=99))
        await uow.objects.note(SCOPE, gone, key)
        await uow.batches.add_new(
            SCOPE,
            [new_slice(97, now=world.clock.now(), document=document_id, generation=9)],
        )
        await uow.commit()

    async def content() -> object:
        yield b"x"

    await world.objects.put(key, content(), limit_bytes=9)  # type: ignore[arg-type]
    assert await found(world) == {
        "orphan_jobs": 1,
        "littered_documents": 1,
        "lost_objects": 1,
    }
    await world.clean()
    with pytest.raises(ObjectNotFound):
        _ = [chunk async for chunk in world.objects.read(key)]
    async with world.database.read() as connection:
        left = await connection.scalar(sa.select(sa.func.count()).where(slices.c.id == 97))
    assert left == 0
    assert await found(world) == {}


async def test_interrupted_deletions_and_edits_are_repeated_after_a_while(world: World) -> None:
    document_id = await world.accept()
    await world.work(rounds=1)
    added = await world.slices.create(OWNER, document_id, "Yellow tigers sleep.")
    other = await world.slices.create(OWNER, document_id, "Old news.")
    await world.documents.delete(OWNER, [await second(world)])
    assert await found(world) == {}

    world.clock.advance(hours=2)
    assert await found(world) == {"waiting_slices": 2, "unpurged_documents": 1}
    await world.clean()
    assert await search(world, "tigers") == ["Yellow tigers sleep."]
    assert await found(world) == {}
    async with world.store.snapshot() as uow:
        shown = await uow.slices.get_many(SCOPE, [SliceId(added.id), SliceId(other.id)])
    assert len(shown) == 2
    async with world.database.read() as connection:
        assert await connection.scalar(sa.select(sa.func.count()).select_from(documents)) == 1


async def second(world: World) -> DocumentId:
    document = new_document(50, now=world.clock.now())
    async with world.store.transaction() as uow:
        await uow.documents.save(SCOPE, document)
        await uow.commit()
    return document.id


async def test_collections_and_tables_of_nobody_go(world: World) -> None:
    await world.accept()
    await world.work(rounds=1)
    for name in ("kb_1_v7", "kb_12"):
        await world.texts.create(TextCollection(name=name, analyzer="ngram-1"))
        await world.vectors.create(VectorCollection(name=name, dimensions=4))

    assert await found(world) == {"stale_collections": 2}
    assert await world.texts.names() == ["kb_1", "kb_12"]
    for _ in range(24):  # whatever hour the base has
        await reconciler(world).run_hour()
        world.clock.advance(hours=1)
    assert (await world.texts.names(), await world.vectors.names()) == (["kb_1"], ["kb_1"])
    assert await held(world) == (3, 3)
