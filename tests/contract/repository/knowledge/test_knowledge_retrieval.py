"""What searches read from the database, on every kind of it."""

from collections.abc import Sequence

import pytest

from domain.knowledge.document import Document
from domain.knowledge.repository import KnowledgeStore
from domain.knowledge.slice import Slice
from domain.knowledge.value import DatasetId, DocumentId, SliceId
from domain.shared.access import TenantScope
from domain.shared.ids import UserId
from infra.impl.repository.sql.engine.database import Database
from infra.impl.repository.sql.knowledge.repository import SqlKnowledgeStore
from tests.support.clock import FrozenClock
from tests.support.knowledge.sample import (
    FOREIGN,
    NOBODY,
    SCOPE,
    enabled_document,
    new_dataset,
    new_document,
    new_slice,
)

BASE, OTHER_BASE = DatasetId(1), DatasetId(2)


@pytest.fixture
def store(database: Database) -> KnowledgeStore:
    return SqlKnowledgeStore(database)


async def put(
    store: KnowledgeStore, documents: Sequence[Document], slices: Sequence[Slice], now: FrozenClock
) -> None:
    async with store.transaction() as uow:
        for number in (BASE, OTHER_BASE):
            await uow.datasets.save(SCOPE, new_dataset(number, now=now.now(), name=f"b{number}"))
        for document in documents:
            await uow.documents.save(SCOPE, document)
        await uow.batches.add_new(SCOPE, slices)
        await uow.commit()


def hidden(number: int, clock: FrozenClock) -> Document:
    document = enabled_document(number, now=clock.now())
    document.switch(is_enabled=False, now=clock.now(), actor_id=UserId(1))
    return document


async def test_bases_come_by_id_within_the_scope(store: KnowledgeStore, clock: FrozenClock) -> None:
    await put(store, [], [], clock)
    async with store.snapshot() as uow:
        found = await uow.datasets.get_many(SCOPE, [OTHER_BASE, BASE, DatasetId(9)])
        foreign = await uow.datasets.get_many(FOREIGN, [BASE])
    assert ({key: found[key].name for key in found}, foreign) == (
        {BASE: "b1", OTHER_BASE: "b2"},
        {},
    )


async def test_facts_are_those_of_documents_that_may_be_found(
    store: KnowledgeStore, clock: FrozenClock
) -> None:
    now = clock.now()
    tagged = enabled_document(11, now=now)
    tagged.tags = {"lang": "en", "areas": ("a", "b"), "year": 2030}
    tagged.creator_id = UserId(5)
    gone = enabled_document(14, now=now)
    gone.delete(now=now, actor_id=UserId(1))
    documents = [
        tagged,
        enabled_document(12, now=now),
        hidden(13, clock),
        gone,
        new_document(15, now=now),
        enabled_document(16, now=now, dataset=2),
    ]
    await put(store, documents, [], clock)

    async def ids(scope: TenantScope = SCOPE, **options: object) -> list[int]:
        async with store.snapshot() as uow:
            given = {"limit": 9, **options}
            found = await uow.retrieval.facts(scope, [BASE], **given)  # type: ignore[arg-type]
        return [one.document_id for one in found]

    assert await ids() == [11, 12]
    assert await ids(after=11) == [12]
    assert await ids(limit=1) == [11]
    assert await ids(creator_id=UserId(5)) == [11]
    assert await ids(document_ids=[DocumentId(12), DocumentId(13), DocumentId(16)]) == [12]
    assert await ids(FOREIGN) == await ids(NOBODY) == []
    async with store.snapshot() as uow:
        (facts,) = await uow.retrieval.facts(SCOPE, [BASE], limit=1)
        found = await uow.retrieval.hidden(SCOPE, [BASE, OTHER_BASE], limit=9)
        foreign = await uow.retrieval.hidden(FOREIGN, [BASE], limit=9)
    assert (facts.name, facts.creator_id, facts.create_time) == ("a.txt", 5, now)
    assert facts.tags == {"lang": "en", "areas": ("a", "b"), "year": 2030}
    assert (found, foreign) == ([13], [])


async def test_slices_come_with_those_beside_them(
    store: KnowledgeStore, clock: FrozenClock
) -> None:
    now = clock.now()
    items = [new_slice(at, now=now, ordinal=at) for at in range(1, 6)]
    for item in items[1:4]:
        item.parent_id = SliceId(77)
    old = new_slice(9, now=now, generation=2, ordinal=3)
    old.parent_id = SliceId(77)
    out_of_sight = new_slice(8, now=now, document=13, ordinal=1)
    off = new_slice(10, now=now, ordinal=10)
    off.sequence = 2.5
    off.switch(is_enabled=False)
    for item in (out_of_sight, off):
        item.parent_id = SliceId(77)
    await put(
        store,
        [enabled_document(11, now=now), hidden(13, clock)],
        [*items, old, out_of_sight, off],
        clock,
    )
    async with store.snapshot() as uow:
        family = await uow.retrieval.family(SCOPE, items[1:2], limit=9)
        some = await uow.retrieval.family(SCOPE, items[1:2], limit=2)
        foreign = await uow.retrieval.family(FOREIGN, items[1:2], limit=9)
        middle = await uow.retrieval.neighbours(SCOPE, items[2], count=1)
        first = await uow.retrieval.neighbours(SCOPE, items[0], count=2)
        shown = await uow.retrieval.hydrate(SCOPE, [SliceId(number) for number in range(1, 11)])
    assert [item.id for item in family] == [2, 3, 4]
    assert ([item.id for item in some], foreign) == ([2, 3], [])
    assert [item.id for item in middle] == [2, 3, 4]
    assert [item.id for item in first] == [1, 2, 3]
    assert [item.id for item in shown] == [1, 2, 3, 4, 5]


async def test_a_slice_that_is_switched_on_again_is_shown_again(
    store: KnowledgeStore, clock: FrozenClock
) -> None:
    item = new_slice(1, now=clock.now(), ordinal=1)
    await put(store, [enabled_document(11, now=clock.now())], [item], clock)
    shown: list[list[int]] = []
    for is_enabled in (False, True):
        async with store.transaction() as uow:
            kept = await uow.slices.get(SCOPE, item.id)
            kept.switch(is_enabled=is_enabled)
            await uow.slices.save(SCOPE, kept)
            await uow.commit()
        async with store.snapshot() as uow:
            shown.append([each.id for each in await uow.retrieval.hydrate(SCOPE, [item.id])])
    assert shown == [[], [1]]
