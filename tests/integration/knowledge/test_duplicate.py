"""Documents that a base has already: replaced without a gap, and never taken twice."""

import asyncio
from pathlib import Path

import pytest

from application.knowledge.document.service import DocumentService
from application.knowledge.dto import CreateDocuments, DocumentQuery, DocumentView, NewDocument
from domain.knowledge.error import DocumentNotFound
from domain.knowledge.value import DocumentId, DocumentStatus, OnDuplicate, SourceType
from domain.shared.error import InvalidRequest
from domain.shared.id_generator import IdGenerator
from infra.impl.object_store.local import LocalObjectStore
from infra.impl.repository.sql.engine.database import Database
from infra.impl.repository.sql.knowledge.repository import SqlKnowledgeStore
from tests.support.clock import FrozenClock
from tests.support.knowledge.sample import ACCEPTED, SCOPE, new_dataset
from tests.support.knowledge.world import LINES, OWNER, TEXT, Died, DyingStore, World

WHALE = ["A blue whale swims."]


def again(policy: OnDuplicate, text: str = TEXT) -> CreateDocuments:
    new = NewDocument(name="b.txt", source_type=SourceType.CUSTOM_TEXT, content=text.encode())
    return CreateDocuments(dataset_id=1, documents=(new,), rule=LINES, on_duplicate=policy)


async def replace(world: World) -> DocumentId:
    (view,) = await world.documents.create(OWNER, again(OnDuplicate.REPLACE))
    return DocumentId(view.id)


async def is_there(world: World, document_id: DocumentId) -> bool:
    try:
        await world.load(document_id)
    except DocumentNotFound:
        return False
    return True


@pytest.mark.parametrize("is_after", [False, True], ids=["before", "after"])
async def test_what_is_replaced_is_found_until_its_successor_is(
    world: World, *, is_after: bool
) -> None:
    old = await world.accept()
    await world.work(rounds=1)
    at, died = 0, True
    while died:
        at += 1
        assert at < 30
        new = await replace(world)
        died = False
        try:
            await world.worker(DyingStore(world.store, at=at, is_after=is_after)).run_once()
        except* Died:
            died = True
        except* asyncio.CancelledError:
            pass
        assert await world.find("whale") == WHALE
        world.clock.advance(seconds=61)
        await world.work(rounds=1)

        assert await world.find("whale") == WHALE
        assert not await is_there(world, old)
        assert (await world.load(new)).replaces == ()
        await world.clean()
        assert await world.entries() == (3, 3)
        old = new


async def test_what_is_replaced_stays_if_its_successor_fails(world: World) -> None:
    old = await world.accept()
    await world.work(rounds=1)

    def refuse(_: object) -> None:
        raise InvalidRequest("no")

    world.models.before = refuse
    new = await replace(world)
    await world.work(rounds=1)

    assert (await world.load(new)).status is DocumentStatus.FAILED
    assert await is_there(world, old)
    assert await world.find("whale") == WHALE


async def test_the_last_of_several_successors_is_left(world: World) -> None:
    await world.accept()
    await world.work(rounds=1)
    await replace(world)
    last = await replace(world)
    skipped = await world.documents.create(OWNER, again(OnDuplicate.SKIP))
    await world.work(rounds=1)

    page = await world.documents.page(OWNER, DocumentQuery(dataset_id=1))
    assert [item.id for item in page.items] == [last]
    assert [item.id for item in skipped] == [last]
    assert await world.find("whale") == WHALE


async def test_requests_at_the_same_time_take_a_document_once(
    database: Database, tmp_path: Path, clock: FrozenClock, ids: IdGenerator
) -> None:
    store, objects = SqlKnowledgeStore(database), LocalObjectStore(tmp_path / "objects")
    await objects.start()
    service = DocumentService(store=store, objects=objects, clock=clock, ids=ids, accepted=ACCEPTED)
    async with store.transaction() as uow:
        await uow.datasets.save(SCOPE, new_dataset(now=clock.now()))
        await uow.commit()

    async def take() -> tuple[DocumentView, ...]:
        return await service.create(OWNER, again(OnDuplicate.SKIP))

    made = await asyncio.gather(*(take() for _ in range(8)))

    page = await service.page(OWNER, DocumentQuery(dataset_id=1))
    assert page.total == 1
    assert {view.id for (view,) in made} == {page.items[0].id}
