"""The examination compares indexes and files with the database, while work goes on."""

import hashlib
from datetime import UTC, datetime

import pytest
import sqlalchemy as sa

from application.knowledge.dataset.restoring import IndexRestorer
from application.knowledge.ingest.source import in_pieces
from application.operation.examination.doctor import Examination
from application.operation.examination.index import IndexCheck
from application.operation.examination.objects import ObjectCheck
from domain.knowledge.value import DocumentId
from infra.contract.storage.object_store import ObjectKey
from infra.contract.storage.search_index import EntryKey, TextEntry, VectorEntry
from infra.impl.repository.sql.file.table import files
from infra.impl.repository.sql.operation.inspection import SqlInspection
from tests.integration.knowledge.upkeep import held, reconciler
from tests.support.knowledge.world import OWNER, World

DEEP = Examination(deep=True)
DIMENSIONS = 4096
CONTENT = b"Keep this.\n"


def index_check(world: World) -> IndexCheck:
    restorer = IndexRestorer(store=world.store, indexer=world.indexer(), texts=world.texts)
    return IndexCheck(restorer, world.vectors, world.texts, repairing=reconciler(world), settle_s=0)


async def found(world: World, how: Examination = DEEP) -> list[str]:
    return [finding.id for finding in await index_check(world).run(how)]


def object_check(world: World) -> ObjectCheck:
    return ObjectCheck(SqlInspection(world.database), world.objects, world.objects)


async def test_nothing_is_found_at_any_moment_of_normal_work(world: World) -> None:
    document_id = await world.accept()
    assert await found(world) == []
    await world.work(rounds=1)
    assert await found(world) == await found(world, Examination(quick=True)) == []
    await world.slices.create(OWNER, document_id, "Yellow tigers sleep.")
    assert await found(world) == []
    await world.clean()
    assert await found(world) == []
    assert list(await object_check(world).run(DEEP)) == []


async def test_entries_without_a_slice_are_told_and_removed(world: World) -> None:
    await world.accept()
    await world.work(rounds=1)
    key = EntryKey(id=7, document_id=7, slice_id=7, generation=1, creator_id=1)
    vectors, texts = await world.vectors.open("kb_1"), await world.texts.open("kb_1")
    await vectors.upsert([VectorEntry(key=key, vector=[1.0] * DIMENSIONS)])
    await texts.upsert([TextEntry(key=key, tokens=["fox"])])

    assert await found(world) == ["entry_stale"] * 2
    assert await found(world, Examination(quick=True)) == ["entry_stale"] * 2
    mended = await index_check(world).run(Examination(repair=True))
    assert [finding.is_repaired for finding in mended] == [True, True]
    assert await found(world) == []


async def test_entries_of_deleted_documents_are_told_until_they_are_removed(world: World) -> None:
    document_id = await world.accept()
    await world.work(rounds=1)
    await world.documents.delete(OWNER, [document_id])

    assert await found(world) == ["entry_stale"] * 2
    await world.clean()
    assert await found(world) == []


async def test_lost_entries_are_told_though_the_numbers_agree(world: World) -> None:
    await world.accept()
    await world.work(rounds=1)
    texts = await world.texts.open("kb_1")
    (first, *_) = await texts.scan(after=0, limit=9)
    await texts.delete(ids=[first.id])
    key = EntryKey(id=7, document_id=7, slice_id=7, generation=1, creator_id=1)
    await texts.upsert([TextEntry(key=key, tokens=["fox"])])

    assert (await held(world))[0] == (await held(world))[1]
    assert sorted(set(await found(world))) == ["entry_missing", "entry_stale", "text_altered"]
    await world.vectors.drop("kb_1")
    assert (await found(world)).count("entry_missing") == 2


async def test_other_words_in_an_entry_are_found_by_a_deep_look(world: World) -> None:
    await world.accept()
    await world.work(rounds=1)
    texts = await world.texts.open("kb_1")
    (first, *_) = await texts.scan(after=0, limit=9)
    await texts.upsert([TextEntry(key=first, tokens=["elephant"])])

    assert await found(world, Examination()) == []
    (finding,) = await index_check(world).run(DEEP)
    assert (finding.id, finding.examples) == ("text_altered", (str(first.slice_id),))


@pytest.mark.parametrize(
    ("damage", "expected"),
    [
        ("none", set()),
        ("missing", {"object_missing"}),
        ("cut", {"object_size", "object_altered"}),
        ("altered", {"object_altered"}),
        ("deleted", {"object_spare"}),
    ],
)
async def test_files_are_compared_with_their_rows(
    world: World, damage: str, expected: set[str]
) -> None:
    key = ObjectKey("files/a")
    stored = await put(world, key, CONTENT)
    row = {
        "id": 1,
        "space_id": 1,
        "creator_id": 1,
        "end_user_id": "",
        "name": "a",
        "object_key": key.value,
        "media_type": "text/plain",
        "size": len(CONTENT),
        "sha256": stored,
        "status": "deleted" if damage == "deleted" else "ready",
        "created_at": datetime(2030, 1, 1, tzinfo=UTC),
        "revision": 1,
    }
    async with world.database.write() as connection:
        await connection.execute(sa.insert(files).values(**row))
        await connection.commit()
    if damage == "missing":
        await world.objects.delete(key)
    elif damage in {"cut", "altered"}:
        await put(world, key, CONTENT[:5] if damage == "cut" else CONTENT[::-1])

    findings = await object_check(world).run(DEEP)
    assert {finding.id for finding in findings} == expected
    if damage == "altered":
        assert list(await object_check(world).run(Examination())) == []


async def test_the_source_of_a_document_is_missed(world: World) -> None:
    document_id = await world.accept()
    await world.work(rounds=1)
    async with world.store.snapshot() as uow:
        document = await uow.documents.get(OWNER.scope, DocumentId(document_id))
    await world.objects.delete(ObjectKey(document.source.object_key))

    (finding,) = await object_check(world).run(Examination())
    assert (finding.id, finding.examples) == ("object_missing", (document.source.object_key,))


async def put(world: World, key: ObjectKey, content: bytes) -> str:
    await world.objects.put(key, in_pieces(content), limit_bytes=1000)
    return hashlib.sha256(CONTENT).hexdigest()
