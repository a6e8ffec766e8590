"""What the health of a base counts, on every database."""

import pytest

from domain.knowledge.health import LONGEST, SliceChoice
from domain.knowledge.repository import KnowledgeStore
from domain.knowledge.slice import Slice
from domain.knowledge.value import DatasetId, Page, SliceFlaw, SliceId
from domain.shared.access import TenantScope
from infra.impl.repository.sql.engine.database import Database
from infra.impl.repository.sql.knowledge import health as sql_health
from infra.impl.repository.sql.knowledge.repository import SqlKnowledgeStore
from tests.support.clock import FrozenClock
from tests.support.knowledge.sample import (
    FOREIGN,
    SCOPE,
    enabled_document,
    new_dataset,
    new_slice,
)

BASE = DatasetId(1)
FIRST = Page(number=1, size=10)
TEXTS = {
    1: "too short",
    2: "Said twice, in the same words.",
    3: "Said twice, in the same words.",
    4: "Found by somebody, and long enough.",
    5: "x" * (LONGEST + 1),
}


@pytest.fixture
async def store(database: Database, clock: FrozenClock) -> KnowledgeStore:
    made = SqlKnowledgeStore(database)
    now = clock.now()
    async with made.transaction() as uow:
        await uow.datasets.save(SCOPE, new_dataset(now=now))
        await uow.documents.save(SCOPE, enabled_document(now=now))
        pieces: list[Slice] = [
            new_slice(number, now=now, ordinal=number, content=text)
            for number, text in TEXTS.items()
        ]
        # Of a reading that nobody sees yet.
        pieces.append(new_slice(90, now=now, generation=2, content="Being read."))
        await uow.batches.add_new(SCOPE, pieces)
        await uow.retrieval.add_hits(SCOPE, {SliceId(4): 3})
        await uow.commit()
    return made


async def found(
    store: KnowledgeStore, choice: SliceChoice, *, scope: TenantScope = SCOPE
) -> list[int]:
    async with store.snapshot() as uow:
        items, total = await uow.health.page(scope, BASE, choice, FIRST)
    assert total == len(items)
    return [each.id for each in items]


async def test_one_pass_counts_lengths_and_flaws(store: KnowledgeStore) -> None:
    async with store.snapshot() as uow:
        tally = await uow.health.tally(SCOPE, BASE)

    assert (tally.slices, tally.examined) == (5, 5)
    assert {each.at_least: each.count for each in tally.lengths if each.count} == {0: 4, 1600: 1}
    assert {each.flaw: each.count for each in tally.flaws} == {
        SliceFlaw.EMPTY: 1,
        SliceFlaw.DUPLICATE: 2,
        SliceFlaw.NEVER_FOUND: 4,
        SliceFlaw.OVER_LONG: 1,
    }


async def test_each_figure_leads_to_its_slices(store: KnowledgeStore) -> None:
    assert await found(store, SliceChoice(flaw=SliceFlaw.EMPTY)) == [1]
    assert await found(store, SliceChoice(flaw=SliceFlaw.DUPLICATE)) == [3, 2]
    assert await found(store, SliceChoice(flaw=SliceFlaw.NEVER_FOUND)) == [5, 3, 2, 1]
    assert await found(store, SliceChoice(flaw=SliceFlaw.OVER_LONG)) == [5]
    assert await found(store, SliceChoice(at_least=20, below=50)) == [4, 3, 2]
    assert await found(store, SliceChoice(among=[SliceId(1), SliceId(4)])) == [4, 1]
    assert await found(store, SliceChoice(among=[])) == []


async def test_a_slice_says_how_it_begins_and_where_it_is_from(store: KnowledgeStore) -> None:
    async with store.snapshot() as uow:
        [long], _ = await uow.health.page(SCOPE, BASE, SliceChoice(flaw=SliceFlaw.OVER_LONG), FIRST)
    assert (long.document_id, long.document_name) == (11, "a.txt")
    assert (long.char_count, long.hit_count, long.copies) == (LONGEST + 1, 0, 1)
    assert long.excerpt == "x" * 400


async def test_the_sample_is_spread_over_all(store: KnowledgeStore) -> None:
    async with store.snapshot() as uow:
        whole = await uow.health.sample(SCOPE, BASE, limit=10)
        part = await uow.health.sample(SCOPE, BASE, limit=2)
        again = await uow.health.sample(SCOPE, BASE, limit=2)
    assert dict(whole).keys() == TEXTS.keys()
    assert part == again == [(SliceId(3), TEXTS[3])]


async def test_of_a_large_base_the_youngest_are_examined(
    store: KnowledgeStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sql_health, "MOST_EXAMINED", 2)
    async with store.snapshot() as uow:
        tally = await uow.health.tally(SCOPE, BASE)
    assert tally.examined == 2
    assert await found(store, SliceChoice()) == [5, 4]


async def test_another_workspace_finds_nothing(store: KnowledgeStore) -> None:
    async with store.snapshot() as uow:
        tally = await uow.health.tally(FOREIGN, BASE)
        assert await uow.health.sample(FOREIGN, BASE, limit=10) == []
    assert (tally.slices, tally.examined) == (0, 0)
    assert await found(store, SliceChoice(), scope=FOREIGN) == []
