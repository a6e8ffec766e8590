"""Text that is added to a text: all of it appears at once, and cutting anew keeps it."""

import asyncio

import pytest

from application.knowledge.dto import CreateDocuments, NewDocument
from domain.knowledge.error import KnowledgeInvalid, ResegmentRefused
from domain.knowledge.value import DocumentId, DocumentStatus, SourceType
from infra.contract.storage.object_store import ObjectKey
from tests.support.knowledge.world import LINES, OWNER, TEXT, Died, DyingStore, World

MORE = "Grey wolves howl.##Brown bears sleep."


async def add(
    world: World,
    text: str = MORE,
    *,
    name: str = "a.txt",
    type_: SourceType = SourceType.CUSTOM_TEXT,
) -> DocumentId:
    new = NewDocument(name=name, source_type=type_, content=text.encode())
    command = CreateDocuments(dataset_id=1, documents=(new,), rule=LINES, is_append=True)
    (view,) = await world.documents.create(OWNER, command)
    return DocumentId(view.id)


async def found(world: World) -> tuple[int, int]:
    return len(await world.find("whale")), len(await world.find("bear"))


async def test_text_is_added_to_that_of_the_same_name(world: World) -> None:
    document_id = await world.accept()
    await world.work(rounds=1)

    assert await add(world) == document_id
    with pytest.raises(ResegmentRefused):
        await add(world)
    assert await found(world) == (1, 0)
    await world.work(rounds=1)

    document = await world.load(document_id)
    assert (document.status, document.slice_count) == (DocumentStatus.ENABLED, 5)
    assert document.size == len(f"{TEXT}\n\n{MORE}")
    assert await found(world) == (1, 1)
    await world.documents.resegment(OWNER, document_id, LINES)
    await world.work(rounds=1)
    await world.clean()
    assert await found(world) == (1, 1)
    assert await world.entries() == (4, 4)  # one reaches from the old text into the new one


async def test_the_first_text_of_a_name_is_a_document_and_files_are_not_added(
    world: World,
) -> None:
    document_id = await world.accept()
    await world.work(rounds=1)

    assert await add(world, name="b.txt") != document_id
    with pytest.raises(KnowledgeInvalid):
        await add(world, type_=SourceType.LOCAL_FILE)


@pytest.mark.parametrize("is_after", [False, True], ids=["before", "after"])
async def test_a_worker_may_die_at_any_commit_of_an_addition(
    world: World, *, is_after: bool
) -> None:
    document_id = await world.accept()
    await world.work(rounds=1)
    at, died, slices = 0, True, 3
    while died:
        at += 1
        assert at < 30
        await add(world, f"Bear number {at}.")
        died = False
        try:
            await world.worker(DyingStore(world.store, at=at, is_after=is_after)).run_once()
        except* Died:
            died = True
        except* asyncio.CancelledError:
            pass
        world.clock.advance(seconds=61)
        await world.work(rounds=1)

        slices += 1
        document = await world.load(document_id)
        assert (document.status, document.slice_count) == (DocumentStatus.ENABLED, slices)
    await world.clean()
    assert await world.entries() == (slices, slices)
    await world.documents.resegment(OWNER, document_id, LINES)
    await world.work(rounds=1)
    text = b"".join([part async for part in world.objects.read(await key(world, document_id))])
    assert text.decode().split("\n\n") == [TEXT, *(f"Bear number {n + 1}." for n in range(at))]


async def key(world: World, document_id: DocumentId) -> ObjectKey:
    return ObjectKey((await world.load(document_id)).source.object_key)
