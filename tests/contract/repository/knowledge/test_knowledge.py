"""What the repositories of knowledge promise, on every database."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

import pytest
import sqlalchemy as sa

from domain.knowledge.document import Document
from domain.knowledge.error import (
    DatasetNameTaken,
    DatasetNotFound,
    DocumentNotFound,
    RequestKeyReused,
    SliceNotFound,
    WorkLost,
)
from domain.knowledge.job import JobStage, JobState
from domain.knowledge.repository import JobQuota, KnowledgeStore, KnowledgeUnitOfWork, SliceTotals
from domain.knowledge.slice import Place, Slice
from domain.knowledge.value import (
    DEFAULT_RULE,
    HAS_FAILED,
    IN_WORK,
    IS_READY,
    NAMES_SHOWN,
    DatasetId,
    DatasetState,
    DocumentId,
    DocumentListing,
    DocumentOrder,
    DocumentStatus,
    FormatType,
    JobId,
    Page,
    SliceId,
    SliceKind,
    SliceStatus,
    Source,
    SourceType,
)
from domain.shared.access import TenantScope
from domain.shared.error import StaleRevision
from domain.shared.repository import RequestKey
from infra.contract.storage.object_store import ObjectKey
from infra.impl.repository.sql.engine.database import Database
from infra.impl.repository.sql.event.table import outbox
from infra.impl.repository.sql.knowledge.repository import SqlKnowledgeStore
from tests.support.clock import FrozenClock
from tests.support.knowledge.sample import (
    FOREIGN,
    NOBODY,
    OTHER_SPACE,
    OWNER,
    SCOPE,
    SPACE,
    enabled_document,
    new_dataset,
    new_document,
    new_job,
    new_slice,
)

FIRST = Page(number=1, size=10)
QUOTA = JobQuota(per_dataset=2, per_space=4)
Change = Callable[[KnowledgeUnitOfWork], Awaitable[None]]


@pytest.fixture
def store(database: Database) -> KnowledgeStore:
    return SqlKnowledgeStore(database)


async def write(store: KnowledgeStore, change: Change) -> None:
    async with store.transaction() as uow:
        await change(uow)
        await uow.commit()


async def put_document(
    store: KnowledgeStore, document: Document, *slices: Slice, named: str = "faq"
) -> None:
    async with store.transaction() as uow:
        await uow.datasets.save(
            SCOPE, new_dataset(document.dataset_id, now=document.created_at, name=named)
        )
        await uow.documents.save(SCOPE, document)
        await uow.batches.add_new(SCOPE, slices)
        await uow.commit()


def state(thing: object) -> dict[str, object]:
    return {key: value for key, value in vars(thing).items() if key != "_events"}


async def test_everything_saved_comes_back_whole(store: KnowledgeStore, clock: FrozenClock) -> None:
    document = enabled_document(now=clock.now())
    document.tag({"k": ("x", "y"), "n": 1, "b": True}, now=clock.now(), actor_id=OWNER)
    item = new_slice(21, now=clock.now())
    item.heading_path = ("A", "B")
    item.place = Place(page_from=1, page_to=2, boxes=((1, 2.0, 3.0, 4.0, 5.5),))
    await put_document(store, document, item)
    job = new_job(31, now=clock.now())
    await write(store, lambda uow: uow.jobs.add(SCOPE, job))

    async with store.snapshot() as uow:
        dataset = await uow.datasets.get(SCOPE, DatasetId(1))
        assert (dataset.name, dataset.collection) == ("faq", "kb_1")
        assert state(await uow.documents.get(SCOPE, document.id)) == state(document)
        assert state(await uow.slices.get(SCOPE, item.id)) == state(item)
        assert state((await uow.jobs.latest(SCOPE, [document.id]))[document.id]) == state(job)


async def test_only_the_own_space_sees_anything(store: KnowledgeStore, clock: FrozenClock) -> None:
    document, item = enabled_document(now=clock.now()), new_slice(21, now=clock.now())
    await put_document(store, document, item)
    await write(store, lambda uow: uow.jobs.add(SCOPE, new_job(31, now=clock.now())))

    for scope in (FOREIGN, NOBODY):
        async with store.transaction() as uow:
            with pytest.raises(DatasetNotFound):
                await uow.datasets.get(scope, DatasetId(1))
            with pytest.raises(DocumentNotFound):
                await uow.documents.get(scope, document.id)
            with pytest.raises(DocumentNotFound):
                await uow.documents.lock(scope, document.id)
            with pytest.raises(SliceNotFound):
                await uow.slices.get(scope, item.id)
            with pytest.raises(DocumentNotFound):
                await uow.documents.save(scope, document)
            with pytest.raises(SliceNotFound):
                await uow.slices.save(scope, item)
            with pytest.raises(SliceNotFound):
                await uow.batches.add_new(scope, [item])
            assert await uow.datasets.page(scope, name="", format_type=None, page=FIRST) == ([], 0)
            assert await uow.documents.page(scope, DatasetId(1), page=FIRST) == ([], 0)
            found = await uow.slices.page(
                scope, document.id, 1, keyword="", status=None, page=FIRST
            )
            assert found == ([], 0)
            assert await uow.retrieval.hydrate(scope, [item.id]) == []
            assert await uow.batches.pending(scope, document.id, 1, limit=9) == []
            assert await uow.batches.of_documents(scope, [document.id], limit=9) == []
            assert await uow.slices.totals(scope, document.id, 1) == SliceTotals()
            assert await uow.jobs.latest(scope, [document.id]) == {}
            assert (await uow.datasets.totals(scope, [DatasetId(1)]))[DatasetId(1)].documents == 0
            await uow.slices.remove(scope, [item.id])
            await uow.jobs.supersede(scope, [document.id])
            await uow.documents.delete_all(scope, DatasetId(1), now=clock.now())
            await uow.retrieval.add_hits(scope, {item.id: 1})
            await uow.commit()

    async with store.snapshot() as uow:
        found_item = await uow.slices.get(SCOPE, item.id)
        assert found_item.hit_count == 0
        jobs = await uow.jobs.latest(SCOPE, [document.id])
        assert jobs[document.id].state is JobState.WAITING


async def test_names_are_unique_among_live_bases_of_a_space(
    store: KnowledgeStore, clock: FrozenClock
) -> None:
    first = new_dataset(1, now=clock.now())
    await write(store, lambda uow: uow.datasets.save(SCOPE, first))
    with pytest.raises(DatasetNameTaken):
        await write(store, lambda uow: uow.datasets.save(SCOPE, new_dataset(2, now=clock.now())))
    other = new_dataset(3, now=clock.now(), name="other")
    await write(store, lambda uow: uow.datasets.save(SCOPE, other))
    other.name = "faq"
    with pytest.raises(DatasetNameTaken):
        await write(store, lambda uow: uow.datasets.save(SCOPE, other))
    elsewhere = new_dataset(4, now=clock.now(), space_id=OTHER_SPACE)
    await write(store, lambda uow: uow.datasets.save(FOREIGN, elsewhere))

    first.delete(now=clock.now(), actor_id=OWNER)
    await write(store, lambda uow: uow.datasets.save(SCOPE, first))

    await write(store, lambda uow: uow.datasets.save(SCOPE, new_dataset(5, now=clock.now())))
    async with store.snapshot() as uow:
        with pytest.raises(DatasetNotFound):
            await uow.datasets.get(SCOPE, first.id)


async def test_lists_filter_and_count(store: KnowledgeStore, clock: FrozenClock) -> None:
    async with store.transaction() as uow:
        for number in range(1, 6):
            clock.advance(seconds=1)
            await uow.datasets.save(
                SCOPE, new_dataset(number, now=clock.now(), name=f"50%_{number}")
            )
            await uow.documents.save(
                SCOPE, new_document(10 + number, now=clock.now(), name=f"d{number}.txt")
            )
        await uow.commit()

    async with store.snapshot() as uow:
        page = Page(number=2, size=2)
        found, total = await uow.datasets.page(SCOPE, name="50%_", format_type=None, page=page)
        assert ([dataset.id for dataset in found], total) == ([3, 2], 5)
        for name, kind in (("50%x", None), ("", FormatType.TABLE)):
            nothing = await uow.datasets.page(SCOPE, name=name, format_type=kind, page=FIRST)
            assert nothing == ([], 0)
        named = DocumentListing(keyword="D3")
        documents, total = await uow.documents.page(SCOPE, DatasetId(1), page=FIRST, listing=named)
        assert ([document.id for document in documents], total) == ([13], 1)
        totals = (await uow.datasets.totals(SCOPE, [DatasetId(1), DatasetId(2)]))[DatasetId(1)]
        assert (totals.documents, totals.bytes) == (5, 50)
        assert totals.processing_names == totals.names
        assert totals.failed_names == ()


async def test_bases_are_listed_by_the_state_of_what_they_hold(
    store: KnowledgeStore, clock: FrozenClock
) -> None:
    held = {
        1: {DocumentStatus.FAILED, DocumentStatus.INIT},
        2: {DocumentStatus.CHUNKING, DocumentStatus.ENABLED},
        3: {DocumentStatus.ENABLED},
        4: {DocumentStatus.DELETED},
        5: set(),
        6: {DocumentStatus.ENABLED, DocumentStatus.DISABLED},
    }
    async with store.transaction() as uow:
        for number, statuses in held.items():
            dataset = new_dataset(number, now=clock.now(), name=f"base {number}")
            if number in {5, 6}:
                dataset.switch(is_enabled=False, now=clock.now(), actor_id=OWNER)
            await uow.datasets.save(SCOPE, dataset)
            for at, status in enumerate(sorted(statuses)):
                document = new_document(10 * number + at, now=clock.now(), dataset=number)
                document.status = status
                await uow.documents.save(SCOPE, document)
        await uow.commit()

    async with store.snapshot() as uow:
        found = {
            state: await uow.datasets.page(
                SCOPE, name="", format_type=None, state=state, page=FIRST
            )
            for state in DatasetState
        }

    assert {state: {each.id for each in items} for state, (items, _) in found.items()} == {
        DatasetState.FAILED: {1},
        DatasetState.IN_WORK: {1, 2},
        DatasetState.OFF: {5, 6},
        DatasetState.EMPTY: {4, 5},
        DatasetState.READY: {3},
    }
    assert all(len(items) == total for items, total in found.values())


async def test_any_number_of_documents_is_counted_and_listed_by_state(
    store: KnowledgeStore, clock: FrozenClock
) -> None:
    states = (IS_READY, IN_WORK, HAS_FAILED)
    kinds = sorted(status for state in states for status in state)
    numbers: dict[DocumentStatus, list[int]] = {}
    many, now = NAMES_SHOWN + 10, clock.now()
    async with store.transaction() as uow:
        await uow.datasets.save(SCOPE, new_dataset(1, now=now))
        for at in range(len(kinds) * many):
            document = new_document(1000 + at, now=now, name=f"{at}.txt")
            document.status = kinds[at // many]
            numbers.setdefault(document.status, []).append(document.id)
            await uow.documents.save(SCOPE, document)
        await uow.commit()

    async with store.snapshot() as uow:
        totals = (await uow.datasets.totals(SCOPE, [DatasetId(1)]))[DatasetId(1)]
        listed = {
            state: await uow.documents.page(
                SCOPE,
                DatasetId(1),
                page=Page(number=1, size=10 * many),
                listing=DocumentListing(statuses=state),
            )
            for state in states
        }
    by_state = {state: sorted(n for kind in state for n in numbers[kind]) for state in states}
    assert totals.documents == len(kinds) * many
    assert (totals.failed, totals.processing) == (many, 2 * many)
    assert list(totals.processing_ids) == by_state[IN_WORK][:NAMES_SHOWN]
    assert len(totals.processing_names) == len(totals.failed_names) == NAMES_SHOWN
    assert totals.failed_names[0] == f"{by_state[HAS_FAILED][0] - 1000}.txt"
    for state, (found, total) in listed.items():
        assert (sorted(one.id for one in found), total) == (by_state[state], len(by_state[state]))


@pytest.mark.parametrize(
    ("listing", "expected"),
    [
        (DocumentListing(), [3, 2, 1]),
        (DocumentListing(is_ascending=True), [1, 2, 3]),
        (DocumentListing(order=DocumentOrder.CHANGED), [1, 3, 2]),
        (DocumentListing(order=DocumentOrder.NAME, is_ascending=True), [3, 2, 1]),
        (DocumentListing(order=DocumentOrder.SIZE), [2, 1, 3]),
        (DocumentListing(order=DocumentOrder.SLICES), [3, 1, 2]),
        (DocumentListing(order=DocumentOrder.CHARACTERS), [1, 2, 3]),
        (DocumentListing(order=DocumentOrder.HITS), [3, 2, 1]),
        (DocumentListing(extension="pdf"), [2]),
        (DocumentListing(source_types=frozenset({SourceType.WEB_PAGE})), [3]),
        (DocumentListing(source_types=frozenset({SourceType.WEB_PAGE, SourceType.NOTION})), [3]),
        (DocumentListing(tag="year"), [2, 1]),
        (DocumentListing(tag="year=2030"), [1]),
        (DocumentListing(tag="year=203"), []),
        (DocumentListing(tag="kind=a,b"), [2]),
        (DocumentListing(tag="is_old=true"), [2]),
        (DocumentListing(tag="ear"), []),
        (DocumentListing(tag="%"), []),
        (DocumentListing(tag='say "hi"'), [3]),
        (DocumentListing(tag="hi"), []),
        (DocumentListing(tag="year", extension="pdf", keyword="B."), [2]),
    ],
    ids=str,
)
async def test_documents_are_chosen_and_ordered_by_what_they_are(
    store: KnowledgeStore, clock: FrozenClock, listing: DocumentListing, expected: list[int]
) -> None:
    start = clock.now()
    made = [new_document(n, now=start + timedelta(seconds=n)) for n in (1, 2, 3)]
    for document, name in zip(made, ("b.txt", "B.pdf", "a.html"), strict=True):
        document.name, document.extension = name, name.partition(".")[2]
    made[0].updated_at = start + timedelta(minutes=1)
    for document, size, slices, chars in zip(made, (2, 3, 1), (2, 1, 3), (30, 20, 10), strict=True):
        document.size, document.slice_count, document.char_count = size, slices, chars
    made[0].tags = {"year": 2030, "note": "is_old"}
    made[1].tags = {"kind": "a,b", "is_old": True, "year": ("2030", "2031")}
    made[2].tags = {'say "hi"': '"year":2030,'}
    made[2].source = Source(type=SourceType.WEB_PAGE, url="https://example.org")
    async with store.transaction() as uow:
        await uow.datasets.save(SCOPE, new_dataset(1, now=start))
        for document in made:
            await uow.documents.save(SCOPE, document)
        await uow.commit()

    async with store.snapshot() as uow:
        found, total = await uow.documents.page(SCOPE, DatasetId(1), page=FIRST, listing=listing)
    assert ([document.id for document in found], total) == (expected, len(expected))


async def test_a_stale_document_is_not_saved(store: KnowledgeStore, clock: FrozenClock) -> None:
    document = new_document(now=clock.now())
    await put_document(store, document)
    async with store.snapshot() as uow:
        stale = await uow.documents.get(SCOPE, document.id)
    await write(store, lambda uow: uow.documents.save(SCOPE, document))

    with pytest.raises(StaleRevision):
        await write(store, lambda uow: uow.documents.save(SCOPE, stale))


async def test_searches_show_live_slices_only(store: KnowledgeStore, clock: FrozenClock) -> None:
    document = enabled_document(now=clock.now())
    old = new_slice(21, now=clock.now(), ordinal=1)
    new = new_slice(22, now=clock.now(), generation=2, ordinal=1)
    await put_document(store, document, old, new)

    async def shown() -> list[SliceId]:
        async with store.snapshot() as uow:
            return [item.id for item in await uow.retrieval.hydrate(SCOPE, [old.id, new.id])]

    async def outdated() -> list[SliceId]:
        async with store.snapshot() as uow:
            return await uow.batches.outdated(SCOPE, document.id, limit=10)

    assert (await shown(), await outdated()) == ([old.id], [new.id])
    document.resegment(DEFAULT_RULE, force=False, now=clock.now(), actor_id=OWNER)
    await write(store, lambda uow: uow.documents.save(SCOPE, document))
    assert (await shown(), await outdated()) == ([old.id], [])
    document.activate(2, slices=1, chars=1, now=clock.now())
    await write(store, lambda uow: uow.documents.save(SCOPE, document))
    assert (await shown(), await outdated()) == ([new.id], [old.id])
    document.switch(is_enabled=False, now=clock.now(), actor_id=OWNER)
    await write(store, lambda uow: uow.documents.save(SCOPE, document))
    assert await shown() == []
    document.switch(is_enabled=True, now=clock.now(), actor_id=OWNER)
    await write(store, lambda uow: uow.documents.save(SCOPE, document))

    async def close_base(uow: KnowledgeUnitOfWork) -> None:
        dataset = await uow.datasets.get(SCOPE, DatasetId(1))
        dataset.switch(is_enabled=False, now=clock.now(), actor_id=OWNER)
        await uow.datasets.save(SCOPE, dataset)

    await write(store, close_base)
    assert await shown() == []


async def test_what_is_found_is_read_as_it_was_found(
    store: KnowledgeStore, clock: FrozenClock
) -> None:
    document = enabled_document(now=clock.now())
    item = new_slice(21, now=clock.now(), ordinal=1)
    item.place = Place(page_from=3, sheet="Prices")
    await put_document(store, document, item)

    async with store.snapshot() as uow:
        [found] = await uow.retrieval.hydrate(SCOPE, [item.id])
        [whole] = await uow.slices.get_many(SCOPE, [item.id])
    await write(store, lambda uow: uow.documents.delete_all(SCOPE, DatasetId(1), now=clock.now()))

    read = found.read()
    assert vars(read) == vars(whole)
    for name in set(found.__struct_fields__) - {"read"}:
        assert getattr(found, name) == getattr(read, name)
    assert (found.kind, found.content, read.place) == (item.kind, item.content, item.place)


async def test_a_deleted_base_takes_its_documents_along(
    store: KnowledgeStore, clock: FrozenClock
) -> None:
    document, item = enabled_document(now=clock.now()), new_slice(21, now=clock.now())
    await put_document(store, document, item)
    await write(store, lambda uow: uow.documents.delete_all(SCOPE, DatasetId(1), now=clock.now()))

    async with store.transaction() as uow:
        assert await uow.documents.get_many(SCOPE, [document.id]) == {}
        assert await uow.slices.get_many(SCOPE, [item.id]) == []
        assert await uow.retrieval.hydrate(SCOPE, [item.id]) == []
        assert await uow.documents.deleted(SCOPE, DatasetId(1), limit=9) == [document.id]
        assert await uow.batches.of_documents(SCOPE, [document.id], limit=9) == [item.id]
        await uow.documents.forget(SCOPE, [document.id])
        assert await uow.documents.deleted(SCOPE, DatasetId(1), limit=9) == []


async def test_a_batch_written_twice_is_there_once(
    store: KnowledgeStore, clock: FrozenClock
) -> None:
    document = enabled_document(now=clock.now())
    await put_document(store, document)
    for first in (100, 200):
        items = [new_slice(first + n, now=clock.now(), ordinal=n) for n in range(1, 4)]
        async with store.transaction() as uow:
            await uow.batches.add_new(SCOPE, items)
            await uow.commit()

    async with store.transaction() as uow:
        waiting = await uow.batches.pending(SCOPE, document.id, 1, limit=2)
        assert [item.id for item in waiting] == [101, 102]
        waiting[0].mark_indexed()
        waiting[1].mark_failed("too long")
        await uow.batches.settle(SCOPE, waiting)
        totals = await uow.slices.totals(SCOPE, document.id, 1)
        assert totals == SliceTotals(count=3, chars=18, done=1, failed=1)
        failed, _ = await uow.slices.page(
            SCOPE, document.id, 1, keyword="", status=SliceStatus.FAILED, page=FIRST
        )
        assert [(item.id, item.fail_reason) for item in failed] == [(102, "too long")]


async def test_slices_are_in_the_order_of_their_sequence(
    store: KnowledgeStore, clock: FrozenClock
) -> None:
    document = enabled_document(now=clock.now())
    items = [new_slice(20 + n, now=clock.now(), ordinal=n) for n in (1, 2, 3)]
    items[2].sequence = 1.5
    await put_document(store, document, *items)

    async with store.transaction() as uow:
        around = [
            await uow.slices.around(SCOPE, document.id, 1, position=position)
            for position in (1, 2, 3, 4)
        ]
        assert around == [(None, 1.0), (1.0, 1.5), (1.5, 2.0), (2.0, None)]
        await uow.slices.renumber(SCOPE, document.id, 1)
        found, total = await uow.slices.page(
            SCOPE, document.id, 1, keyword="TEXT", status=None, page=FIRST
        )
    assert [(item.id, item.sequence) for item in found] == [(21, 1.0), (23, 2.0), (22, 3.0)]
    assert total == 3


async def test_hits_change_nothing_else(store: KnowledgeStore, clock: FrozenClock) -> None:
    document, item = enabled_document(now=clock.now()), new_slice(21, now=clock.now())
    await put_document(store, document, item)
    await write(store, lambda uow: uow.retrieval.add_hits(SCOPE, {item.id: 2, SliceId(99): 1}))
    document.rename("b.txt", now=clock.now(), actor_id=OWNER)
    await write(store, lambda uow: uow.documents.save(SCOPE, document))

    async with store.snapshot() as uow:
        assert (await uow.slices.get(SCOPE, item.id)).hit_count == 2
        found = await uow.documents.get(SCOPE, document.id)
        assert (found.hit_count, found.name) == (2, "b.txt")


async def test_objects_are_remembered_until_forgotten(
    store: KnowledgeStore, clock: FrozenClock
) -> None:
    document, key = new_document(now=clock.now()), ObjectKey("kb/1/11/source")
    copy = new_document(12, now=clock.now())
    await put_document(store, document)
    for _ in range(2):
        await write(store, lambda uow: uow.objects.note(SCOPE, document, key))
    await write(store, lambda uow: uow.objects.note(SCOPE, copy, key))

    async with store.transaction() as uow:
        assert await uow.objects.of(FOREIGN, [document.id], limit=9) == []
        await uow.objects.forget(FOREIGN, [key], [document.id])
        assert await uow.objects.of(SCOPE, [document.id], limit=9) == [key]
        assert await uow.objects.shared(SCOPE, [key], besides=[document.id]) == {key}
        await uow.objects.forget(SCOPE, [key], [document.id])
        assert await uow.objects.of(SCOPE, [document.id], limit=9) == []
        assert await uow.objects.of(SCOPE, [copy.id], limit=9) == [key]
        assert await uow.objects.shared(SCOPE, [key], besides=[copy.id]) == set()


async def test_who_lost_a_job_cannot_save_it(store: KnowledgeStore, clock: FrozenClock) -> None:
    job = new_job(31, now=clock.now())
    await write(store, lambda uow: uow.jobs.add(SCOPE, job))
    until = clock.now() + timedelta(seconds=60)
    job.claim("a", now=clock.now(), until=until)
    await write(store, lambda uow: uow.queue.save(job))

    async with store.transaction() as uow:
        later = until + timedelta(seconds=20)
        assert await uow.queue.renew(job.id, "a", until=later)
        assert not await uow.queue.renew(job.id, "b", until=later)
        assert await uow.queue.shared(now=until, quota=QUOTA, limit=9) == []
        assert await uow.queue.next_due_at() == later
        await uow.commit()
    job.enter(JobStage.PARSE)
    await write(store, lambda uow: uow.queue.save(job))
    await write(store, lambda uow: uow.jobs.supersede(SCOPE, [job.document_id]))

    job.enter(JobStage.CHUNK)
    with pytest.raises(WorkLost):
        await write(store, lambda uow: uow.queue.save(job))
    async with store.transaction() as uow:
        assert not await uow.queue.renew(job.id, "a", until=until)
        assert await uow.jobs.waiting(SCOPE) == 0
        assert await uow.queue.next_due_at() is None


async def test_work_is_shared_between_spaces_and_bases(
    store: KnowledgeStore, clock: FrozenClock
) -> None:
    async with store.transaction() as uow:
        for number in range(1, 7):
            await uow.jobs.add(SCOPE, new_job(number, now=clock.now(), document=number))
        await uow.jobs.add(SCOPE, new_job(7, now=clock.now(), document=7, dataset=2))
        clock.advance(seconds=1)
        foreign = new_job(8, now=clock.now(), document=8, dataset=3, space_id=OTHER_SPACE)
        await uow.jobs.add(FOREIGN, foreign)
        await uow.commit()

    order = []
    for _ in range(5):
        async with store.transaction() as uow:
            due = await uow.queue.shared(now=clock.now(), quota=QUOTA, limit=1)
            if not due:
                break
            due[0].claim("w", now=clock.now(), until=clock.now() + timedelta(seconds=60))
            await uow.queue.save(due[0])
            await uow.commit()
            order.append(due[0].id)

    assert order == [1, 8, 2, 7]


async def test_finished_jobs_are_pruned(store: KnowledgeStore, clock: FrozenClock) -> None:
    async with store.transaction() as uow:
        for number in range(1, 7):
            job = new_job(number, now=clock.now(), document=number)
            if number % 2:
                job.finish(now=clock.now())
            else:
                job.fail(code=1, reason="no", now=clock.now())
            await uow.jobs.add(SCOPE, job)
        await uow.queue.prune(SPACE, done=1, failed=2)
        kept = await uow.jobs.latest(SCOPE, [DocumentId(number) for number in range(1, 7)])
        await uow.commit()

    assert sorted(job.id for job in kept.values()) == [JobId(4), JobId(5), JobId(6)]


async def test_events_are_stored_with_the_state(
    store: KnowledgeStore, database: Database, clock: FrozenClock
) -> None:
    await put_document(store, new_document(now=clock.now()))

    async with database.read() as connection:
        rows = (await connection.execute(sa.select(outbox.c.topic, outbox.c.key))).all()
    assert {tuple(row) for row in rows} == {
        ("knowledge.changed", "1"),
        ("knowledge.index_document", "1"),
    }


async def test_a_key_stands_for_the_first_request(
    store: KnowledgeStore, clock: FrozenClock
) -> None:
    now = clock.now()
    since, later = now - timedelta(hours=24), now + timedelta(hours=25)
    request = RequestKey(operation="document.create", key="汉", digest="a" * 64)

    async def claim(
        scope: TenantScope, ids: Sequence[int], key: RequestKey, at: datetime, oldest: datetime
    ) -> tuple[int, ...]:
        async with store.transaction() as uow:
            found = await uow.request_keys.claim(scope, key, ids, now=at, since=oldest)
            await uow.commit()
        return found

    assert await claim(SCOPE, [1, 2], request, now, since) == (1, 2)
    assert await claim(SCOPE, [3], request, now, since) == (1, 2)
    assert await claim(FOREIGN, [4], request, now, since) == (4,)
    assert await claim(SCOPE, [5], replace(request, operation="other"), now, since) == (5,)
    with pytest.raises(RequestKeyReused):
        await claim(SCOPE, [6], replace(request, digest="b" * 64), now, since)
    async with store.snapshot() as uow:
        assert await uow.request_keys.find(SCOPE, request, since=since) == (1, 2)
        assert await uow.request_keys.find(SCOPE, request, since=later) is None
    assert await claim(SCOPE, [7], request, later, now + timedelta(hours=1)) == (7,)


async def test_documents_are_found_by_their_bytes(
    store: KnowledgeStore, clock: FrozenClock
) -> None:
    same, failed, other = (new_document(n, now=clock.now()) for n in (1, 2, 3))
    same.content_hash = failed.content_hash = "a" * 64
    other.content_hash = "b" * 64
    failed.fail(1, code=1, reason="broken", now=clock.now())
    async with store.transaction() as uow:
        await uow.datasets.save(SCOPE, new_dataset(same.dataset_id, now=clock.now()))
        for document in (same, failed, other):
            await uow.documents.save(SCOPE, document)
        await uow.commit()

    async with store.snapshot() as uow:
        found = await uow.documents.with_content(SCOPE, same.dataset_id, ["a" * 64])
        assert [document.id for document in found] == [same.id]
        for scope in (FOREIGN, NOBODY):
            assert not await uow.documents.with_content(scope, same.dataset_id, ["a" * 64])


async def test_appended_slices_follow_those_that_are_there(
    store: KnowledgeStore, clock: FrozenClock
) -> None:
    now = clock.now()
    document = enabled_document(now=now)
    old = [new_slice(n, now=now, ordinal=n) for n in (1, 2)]
    added = [new_slice(100 + n, now=now, generation=2, ordinal=n) for n in (1, 2)]
    await put_document(store, document, *old, *added)

    await write(store, lambda uow: uow.batches.adopt(FOREIGN, document.id, 2, into=1))
    async with store.snapshot() as uow:
        assert (await uow.slices.totals(SCOPE, document.id, 1)).count == 2
    for _ in range(2):  # the second time there is nothing left to move
        await write(store, lambda uow: uow.batches.adopt(SCOPE, document.id, 2, into=1))

    async with store.snapshot() as uow:
        found, total = await uow.slices.page(
            SCOPE, document.id, 1, keyword="", status=None, page=FIRST
        )
    assert [(item.id, item.sequence, item.ordinal) for item in found] == [
        (1, 1.0, 1),
        (2, 2.0, 2),
        (101, 3.0, 101),
        (102, 4.0, 102),
    ]
    assert total == 4


async def test_images_are_listed_with_their_captions(
    store: KnowledgeStore, clock: FrozenClock
) -> None:
    now = clock.now()
    documents = [
        enabled_document(11, now=now),
        enabled_document(12, now=now + timedelta(seconds=1)),
        new_document(13, now=now + timedelta(seconds=2), name="waiting.png"),
    ]
    caption = new_slice(1, now=now, document=11, content="<img>\nA fox")
    caption.kind, caption.index_text = SliceKind.IMAGE, "A fox\nClosed"
    old = new_slice(2, now=now, document=12, generation=7, content="<img>\nold")
    old.kind = SliceKind.IMAGE
    async with store.transaction() as uow:
        await uow.datasets.save(SCOPE, new_dataset(1, now=now))
        for document in documents:
            await uow.documents.save(SCOPE, document)
        await uow.batches.add_new(SCOPE, [caption, old])
        await uow.commit()

    async def listed(
        keyword: str = "", *, has_caption: bool | None = None, scope: TenantScope = SCOPE
    ) -> list[tuple[int, str, str]]:
        async with store.snapshot() as uow:
            found, total = await uow.images.page(
                scope, DatasetId(1), keyword=keyword, has_caption=has_caption, page=FIRST
            )
        assert total == len(found)
        return [(document.id, words.caption, words.text) for document, words in found]

    fox = (11, "A fox", "Closed")
    assert await listed() == [(13, "", ""), (12, "", ""), fox]
    assert await listed(has_caption=True) == [fox]
    assert await listed(has_caption=False) == [(13, "", ""), (12, "", "")]
    assert await listed("FOX") == await listed("closed") == [fox]
    assert await listed("waiting") == [(13, "", "")]
    assert await listed(scope=FOREIGN) == []
    async with store.snapshot() as uow:
        assert await uow.images.slice_of(SCOPE, documents[1]) is None
        assert await uow.images.slice_of(FOREIGN, documents[0]) is None
        found = await uow.images.slice_of(SCOPE, documents[0])
    assert found is not None
    assert state(found) == state(caption)
