"""Copies of bases: whole, once, and independent of the original."""

import pytest

from application.knowledge.dto import CreateDocuments, NewDocument
from domain.knowledge.copying import CopyStatus
from domain.knowledge.error import DatasetNameTaken, DocumentNotFound, KnowledgeInvalid
from domain.knowledge.value import DocumentId, Source, SourceType
from domain.shared.error import NotFound
from tests.integration.knowledge.test_preview import STRANGER
from tests.integration.knowledge.upkeep import copier, copying, dataset_of, reconcile, search
from tests.support.knowledge.sample import FOREIGN, OTHER_SPACE, SCOPE, new_dataset
from tests.support.knowledge.world import LINES, OWNER, Died, DyingStore, World

WHALE = ["A blue whale swims."]


async def test_a_copy_is_independent_of_the_original(world: World) -> None:
    document_id = await world.accept()
    await world.work(rounds=1)
    added = await world.slices.create(OWNER, document_id, "Yellow tigers sleep.", position=1)
    await world.clean()

    made = await copying(world).copy(OWNER, 1, request_key="k")
    assert made.status == CopyStatus.PROCESSING
    await copier(world).run_due()
    again = await copying(world).copy(OWNER, 1, request_key="k")
    assert (again.dataset_id, again.status) == (made.dataset_id, CopyStatus.SUCCESS)
    with pytest.raises(DatasetNameTaken):
        await copying(world).copy(OWNER, 1)
    with pytest.raises(KnowledgeInvalid):
        await copying(world).copy(OWNER, made.dataset_id, request_key="k")
    await world.work(rounds=1)

    number = made.dataset_id
    target = await dataset_of(world, number)
    assert (target.name, target.embedding_model) == ("faq (copy)", "offline")
    assert await search(world, "whale", dataset=number) == WHALE
    assert await search(world, "tigers", dataset=number) == ["Yellow tigers sleep."]
    await world.slices.edit(OWNER, added.id, "Black panthers sleep.")
    await world.documents.delete(OWNER, [document_id])
    await world.clean()
    assert await search(world, "whale") == []
    assert await search(world, "tigers", dataset=number) == ["Yellow tigers sleep."]

    # Its source was shared, and is still there.
    (copied,) = await documents_of(world, number)
    await world.documents.resegment(OWNER, copied, LINES)
    await world.work(rounds=1)
    assert (await world.load(copied)).slice_count == 3
    assert await search(world, "whale", dataset=number) == WHALE
    for each in (1, number):
        assert not any((await reconcile(world, dataset=each)).findings.values())


async def test_a_copy_survives_death_at_any_commit(world: World) -> None:
    await world.accept()
    await world.work(rounds=1)
    at, died = 0, True
    while died:
        at += 1
        assert at < 9
        made = await copying(world).copy(OWNER, 1, name=f"copy {at}", request_key=f"k{at}")
        died = False
        try:
            await copier(world, DyingStore(world.store, at=at, is_after=at % 2 == 0)).run_due()
        except* Died:
            died = True
        world.clock.advance(minutes=3)
        await copier(world).run_due()
        await world.work(rounds=1)

        assert len(await documents_of(world, made.dataset_id)) == 1
        assert await search(world, "whale", dataset=made.dataset_id) == WHALE
    assert at > 2


async def test_a_copy_into_a_base_that_is_deleted_gives_up(world: World) -> None:
    await world.accept()
    await world.work(rounds=1)
    made = await copying(world).copy(OWNER, 1, request_key="k")
    await world.datasets.delete(OWNER, made.dataset_id)
    for _ in range(6):
        await copier(world).run_due()
        world.clock.advance(minutes=3)
    view = await copying(world).copy(OWNER, 1, request_key="k")
    assert (view.status, view.error) == (
        CopyStatus.FAILED,
        "The new knowledge base was deleted.",
    )


async def test_others_cannot_copy_and_nobody_copies_into_foreign_spaces(world: World) -> None:
    await world.accept()
    with pytest.raises(NotFound):
        await copying(world).copy(STRANGER, 1)
    with pytest.raises(NotFound):
        await copying(world).copy(OWNER, 1, space_id=8)


async def documents_of(world: World, dataset: int) -> list[DocumentId]:
    view = await world.datasets.get(OWNER, dataset)
    async with world.store.snapshot() as uow:
        target = await uow.datasets.get(SCOPE, (await dataset_of(world, dataset)).id)
        found = await uow.copies.next_document(SCOPE, target.id, after=DocumentId(0))
    return [] if found is None else [found] * view.doc_count


async def second_base(world: World) -> None:
    async with world.store.transaction() as uow:
        other = new_dataset(2, now=world.clock.now(), name="other")
        await uow.datasets.save(SCOPE, other)
        await uow.commit()


def same_as(document_id: int) -> CreateDocuments:
    new = NewDocument(name="mine", source_type=SourceType.LOCAL_FILE, document_id=document_id)
    return CreateDocuments(dataset_id=2, documents=(new,), rule=LINES)


async def test_a_document_is_read_once_more_in_another_base_and_outlives_the_first(
    world: World,
) -> None:
    first = await world.accept()
    await second_base(world)
    (made,) = await world.documents.create(OWNER, same_as(first))
    await world.documents.delete(OWNER, [first])
    await world.clean()
    await world.work(rounds=1)

    copied = await world.load(DocumentId(made.id))
    assert (copied.name, copied.extension, copied.source.type) == (
        "mine",
        "txt",
        SourceType.CUSTOM_TEXT,
    )
    assert await search(world, "whale", dataset=2) == WHALE


async def test_a_document_that_the_caller_may_not_read_becomes_none(world: World) -> None:
    first = await world.accept()
    async with world.store.transaction() as uow:
        theirs = new_dataset(2, now=world.clock.now(), space_id=OTHER_SPACE)
        await uow.datasets.save(FOREIGN, theirs)
        await uow.commit()
    with pytest.raises(DocumentNotFound):
        await world.documents.create(STRANGER, same_as(first))


async def test_a_page_is_fetched_once_more_and_a_document_without_a_file_says_so(
    world: World,
) -> None:
    first = await world.accept()
    await second_base(world)
    page = Source(type=SourceType.WEB_PAGE, url="https://example.org/a")
    for source in (page, Source(type=SourceType.LOCAL_FILE)):
        async with world.store.transaction() as uow:
            document = await uow.documents.lock(SCOPE, first)
            document.source = source
            await uow.documents.save(SCOPE, document)
            await uow.commit()
        if source.url:
            (made,) = await world.documents.create(OWNER, same_as(first))
            assert made.url == source.url
        else:
            with pytest.raises(KnowledgeInvalid, match="upload it once more"):
                await world.documents.create(OWNER, same_as(first))
