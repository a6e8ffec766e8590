"""Knowledge bases, documents and slices as people keep them."""

from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec
import pytest

from application.knowledge.dataset.service import DatasetService
from application.knowledge.document.batch import BatchAction, ChangeDocuments, DocumentBatches
from application.knowledge.document.service import DocumentService
from application.knowledge.document.slice_service import SliceService
from application.knowledge.dto import (
    CreateDataset,
    CreateDocuments,
    DatasetQuery,
    DatasetView,
    DocumentQuery,
    DocumentView,
    EditDataset,
    EditDocument,
    NewDocument,
    SliceQuery,
)
from application.knowledge.table.storage import RowTables
from domain.knowledge.error import (
    DatasetNotFound,
    DocumentNotFound,
    DocumentNotReady,
    FormatUnsupported,
    KnowledgeInvalid,
    ResegmentRefused,
    SliceNotFound,
    SlicePositionUnfit,
)
from domain.knowledge.job import JobState
from domain.knowledge.repository import KnowledgeStore
from domain.knowledge.value import (
    DEFAULT_RULE,
    DocumentId,
    DocumentStatus,
    SliceId,
    SourceType,
    TagValue,
)
from domain.shared.access import Principal, Role
from domain.shared.error import Forbidden, NotFound
from domain.shared.id_generator import IdGenerator
from domain.shared.ids import SpaceId, TokenId, UserId
from infra.contract.storage.object_store import ObjectKey, ObjectNotFound
from infra.impl.object_store.local import LocalObjectStore
from infra.impl.repository.sql.engine.database import Database
from infra.impl.repository.sql.knowledge.repository import SqlKnowledgeStore
from infra.impl.table_store.sqlite import SqliteTableStore
from tests.support.clock import FrozenClock
from tests.support.knowledge.sample import ACCEPTED, LINKS, SCOPE, SPACE


def principal(role: Role, *, space_id: SpaceId = SPACE, user: int = 1) -> Principal:
    return Principal(
        user_id=UserId(user),
        token_id=TokenId(user),
        roles={space_id: role},
        personal_space_id=space_id,
    )


EDITOR, VIEWER = principal(Role.EDITOR), principal(Role.VIEWER, user=2)
STRANGER = principal(Role.OWNER, space_id=SpaceId(8), user=3)
TEXT = NewDocument(name="a.txt", source_type=SourceType.CUSTOM_TEXT, content=b"Hello there.")


@dataclass
class World:
    store: KnowledgeStore
    objects: LocalObjectStore
    datasets: DatasetService
    documents: DocumentService
    slices: SliceService
    batches: DocumentBatches
    clock: FrozenClock

    async def base(self, name: str = "faq", format_type: int = 0) -> DatasetView:
        command = CreateDataset(space_id=SPACE, name=name, format_type=format_type)
        return await self.datasets.create(EDITOR, command)

    async def document(self) -> DocumentView:
        base = await self.base()
        command = CreateDocuments(dataset_id=base.id, documents=(TEXT,))
        return (await self.documents.create(EDITOR, command))[0]

    async def activated(self) -> DocumentView:
        view = await self.document()
        async with self.store.transaction() as uow:
            document = await uow.documents.get(SCOPE, DocumentId(view.id))
            document.activate(1, slices=0, chars=0, now=self.clock.now())
            await uow.documents.save(SCOPE, document)
            await uow.commit()
        return view


@pytest.fixture
async def world(
    sqlite_database: Database, tmp_path: Path, clock: FrozenClock, ids: IdGenerator
) -> AsyncGenerator[World, None]:
    store, objects = SqlKnowledgeStore(sqlite_database), LocalObjectStore(tmp_path / "objects")
    rows = RowTables(SqliteTableStore(tmp_path / "tables"))
    await objects.start()
    yield World(
        store=store,
        objects=objects,
        datasets=DatasetService(store=store, clock=clock, ids=ids),
        documents=DocumentService(
            store=store, objects=objects, clock=clock, ids=ids, accepted=ACCEPTED
        ),
        slices=SliceService(store=store, rows=rows, links=LINKS, clock=clock, ids=ids),
        batches=DocumentBatches(store=store, clock=clock, ids=ids),
        clock=clock,
    )
    await objects.aclose()


async def test_a_base_is_made_listed_edited_and_deleted(world: World) -> None:
    base = await world.base()
    await world.datasets.edit(EDITOR, base.id, EditDataset(name="new", description="d"))
    await world.datasets.switch(EDITOR, base.id, is_enabled=False)

    page = await world.datasets.page(VIEWER, DatasetQuery(space_id=SPACE, name="NE"))
    assert [(item.name, item.status, item.can_edit) for item in page.items] == [("new", 3, False)]
    await world.datasets.delete(EDITOR, base.id)

    with pytest.raises(DatasetNotFound):
        await world.datasets.get(EDITOR, base.id)
    await world.base("new")


async def test_viewers_read_and_strangers_find_nothing(world: World) -> None:
    document = await world.activated()
    item = await world.slices.create(EDITOR, document.id, "one")

    await world.datasets.get(VIEWER, document.dataset_id)
    await world.documents.page(VIEWER, DocumentQuery(dataset_id=document.dataset_id))
    await world.slices.page(VIEWER, SliceQuery(document_id=document.id))
    for caller, refusal in ((VIEWER, Forbidden), (STRANGER, NotFound)):
        with pytest.raises(refusal):
            await world.datasets.create(
                caller, CreateDataset(space_id=SPACE, name="x", format_type=0)
            )
        with pytest.raises(refusal):
            await world.datasets.delete(caller, document.dataset_id)
        with pytest.raises(refusal):
            await world.documents.create(
                caller, CreateDocuments(dataset_id=document.dataset_id, documents=(TEXT,))
            )
        with pytest.raises(refusal):
            await world.documents.edit(caller, document.id, EditDocument(name="x"))
        with pytest.raises(refusal):
            await world.documents.resegment(caller, document.id, DEFAULT_RULE)
        with pytest.raises(refusal):
            await world.slices.create(caller, document.id, "x")
        with pytest.raises(refusal):
            await world.slices.edit(caller, item.id, "x")
    with pytest.raises(Forbidden):
        await world.documents.delete(VIEWER, [document.id])
    await world.documents.delete(STRANGER, [document.id])
    await world.slices.delete(STRANGER, [item.id])
    await world.documents.get(EDITOR, document.id)
    assert (await world.slices.page(EDITOR, SliceQuery(document_id=document.id))).total == 1
    for call in (
        world.datasets.get(STRANGER, document.dataset_id),
        world.documents.get(STRANGER, document.id),
        world.slices.page(STRANGER, SliceQuery(document_id=document.id)),
        world.documents.progress(STRANGER, document.dataset_id, [document.id]),
    ):
        with pytest.raises(NotFound):
            await call


async def test_an_accepted_document_has_bytes_and_a_job(world: World) -> None:
    document = await world.document()

    assert (document.status, document.wire_status) == (DocumentStatus.INIT, 0)
    assert document.size == len(TEXT.content)
    key = ObjectKey(f"kb/{document.dataset_id}/{document.id}/source")
    assert b"".join([chunk async for chunk in world.objects.read(key)]) == TEXT.content
    (progress,) = await world.documents.progress(
        VIEWER, document.dataset_id, [document.id, document.id, 99]
    )
    assert (progress.percent, progress.remaining_s) == (0, 300)


@pytest.mark.parametrize(
    ("new", "refusal"),
    [
        (NewDocument(name="a", source_type=SourceType.LOCAL_FILE), KnowledgeInvalid),
        (
            NewDocument(name="a", source_type=SourceType.LOCAL_FILE, content=b"x", extension="exe"),
            FormatUnsupported,
        ),
        (
            NewDocument(name="a", source_type=SourceType.WEB_PAGE, url="file:///etc/passwd"),
            KnowledgeInvalid,
        ),
        (NewDocument(name="a", source_type=SourceType.NOTION), FormatUnsupported),
        (NewDocument(name=" ", source_type=SourceType.LOCAL_FILE, content=b"x"), KnowledgeInvalid),
    ],
)
async def test_unreadable_documents_are_refused_together_with_the_others(
    world: World, new: NewDocument, refusal: type[Exception]
) -> None:
    base = await world.base()
    with pytest.raises(refusal):
        await world.documents.create(
            EDITOR, CreateDocuments(dataset_id=base.id, documents=(TEXT, new))
        )

    assert (await world.documents.page(EDITOR, DocumentQuery(dataset_id=base.id))).total == 0


async def test_the_format_is_that_of_the_base(world: World) -> None:
    base, table = await world.base(), await world.base("table", format_type=1)
    with pytest.raises(KnowledgeInvalid):
        await world.documents.create(
            EDITOR, CreateDocuments(dataset_id=base.id, documents=(TEXT,), format_type=1)
        )
    note = NewDocument(
        name="a.txt", source_type=SourceType.LOCAL_FILE, content=b"Hello", extension="txt"
    )
    with pytest.raises(FormatUnsupported, match=r"csv, json, .*, xlsx"):
        await world.documents.create(
            EDITOR, CreateDocuments(dataset_id=table.id, documents=(note,))
        )


async def test_nothing_remains_of_documents_whose_base_is_gone(world: World) -> None:
    document = await world.document()
    await world.datasets.delete(EDITOR, document.dataset_id)

    with pytest.raises(DocumentNotFound):
        await world.documents.get(EDITOR, document.id)
    async with world.store.snapshot() as uow:
        assert await uow.jobs.waiting(SCOPE) == 0
    with pytest.raises(DatasetNotFound):
        await world.documents.create(
            EDITOR, CreateDocuments(dataset_id=document.dataset_id, documents=(TEXT,))
        )


async def test_a_forced_resegmentation_replaces_the_job(world: World) -> None:
    document = await world.document()
    with pytest.raises(ResegmentRefused):
        await world.documents.resegment(EDITOR, document.id, DEFAULT_RULE)
    async with world.store.snapshot() as uow:
        assert await uow.jobs.waiting(SCOPE) == 1

    await world.documents.resegment(EDITOR, document.id, DEFAULT_RULE, force=True)

    async with world.store.snapshot() as uow:
        job = (await uow.jobs.latest(SCOPE, [DocumentId(document.id)]))[DocumentId(document.id)]
        assert (job.generation, job.state) == (2, JobState.WAITING)
        assert await uow.jobs.waiting(SCOPE) == 1


async def test_a_document_is_renamed_tagged_and_switched(world: World) -> None:
    document = await world.activated()
    command = EditDocument(name="b.txt", tags={"year": 2030}, is_enabled=False)
    view = await world.documents.edit(EDITOR, document.id, command)

    assert (view.name, view.tags, view.enabled) == ("b.txt", {"year": 2030}, False)
    assert (view.status, view.wire_status) == (DocumentStatus.DISABLED, 1)


async def test_slices_are_put_in_order_counted_and_removed(world: World) -> None:
    document = await world.activated()
    last = await world.slices.create(EDITOR, document.id, "three")
    first = await world.slices.create(EDITOR, document.id, "one", position=1)
    middle = first
    for _ in range(25):
        middle = await world.slices.create(EDITOR, document.id, "two", position=2)
    with pytest.raises(SlicePositionUnfit):
        await world.slices.create(EDITOR, document.id, "x", position=29)

    page = await world.slices.page(EDITOR, SliceQuery(document_id=document.id, size=300))
    assert [page.items[0].id, page.items[1].id, page.items[-1].id] == [
        first.id,
        middle.id,
        last.id,
    ]
    await world.slices.edit(EDITOR, first.id, "first!")
    await world.slices.delete(EDITOR, [middle.id, 99])

    view = await world.documents.get(EDITOR, document.id)
    assert (view.slice_count, view.char_count) == (26, len("first!three") + 24 * len("two"))
    with pytest.raises(SliceNotFound):
        await world.slices.edit(EDITOR, middle.id, "x")


async def test_a_slice_is_moved_to_any_place_among_the_others(world: World) -> None:
    document = await world.activated()
    for word in "abcd":
        await world.slices.create(EDITOR, document.id, word)
    query = SliceQuery(document_id=document.id, size=300)
    items = (await world.slices.page(EDITOR, query)).items
    ids = {item.content: item.id for item in items}

    async def order() -> str:
        return "".join(item.content for item in (await world.slices.page(EDITOR, query)).items)

    for _ in range(15):  # until the numbers between two neighbours are used up
        await world.slices.edit(EDITOR, ids["d"], position=2)
        await world.slices.edit(EDITOR, ids["c"], position=2)
    assert await order() == "acdb"
    await world.slices.edit(EDITOR, ids["a"], position=4)
    await world.slices.edit(EDITOR, ids["b"], position=2)
    assert await order() == "cbda"
    for wrong in (0, 5):
        with pytest.raises(SlicePositionUnfit):
            await world.slices.edit(EDITOR, ids["a"], position=wrong)


async def test_a_switched_off_slice_is_neither_edited_nor_lost_from_the_counts(
    world: World,
) -> None:
    document = await world.activated()
    made = await world.slices.create(EDITOR, document.id, "one")

    off = await world.slices.edit(EDITOR, made.id, is_enabled=False)

    view = await world.documents.get(EDITOR, document.id)
    assert (off.enabled, off.is_edited, off.content, view.slice_count) == (False, False, "one", 1)
    assert (await world.slices.edit(EDITOR, made.id, is_enabled=True)).enabled


async def test_slices_cannot_be_added_before_there_is_content(world: World) -> None:
    document = await world.document()

    assert (await world.slices.page(EDITOR, SliceQuery(document_id=document.id))).total == 0
    with pytest.raises(DocumentNotReady):
        await world.slices.create(EDITOR, document.id, "x")


async def test_bytes_of_a_refused_request_do_not_stay(world: World) -> None:
    base = await world.base()
    stored: list[ObjectKey] = []
    put = world.objects.put

    async def delete_base_meanwhile(key: ObjectKey, *args: object, **kwargs: object) -> object:
        stored.append(key)
        done = await put(key, *args, **kwargs)  # type: ignore[arg-type]
        await world.datasets.delete(EDITOR, base.id)
        return done

    world.objects.put = delete_base_meanwhile  # type: ignore[assignment, method-assign]
    with pytest.raises(DatasetNotFound):
        await world.documents.create(EDITOR, CreateDocuments(dataset_id=base.id, documents=(TEXT,)))

    with pytest.raises(ObjectNotFound):
        [chunk async for chunk in world.objects.read(stored[0])]


async def test_pictures_of_a_slice_have_addresses_when_shown_and_none_when_stored(
    world: World,
) -> None:
    view = await world.activated()
    key, foreign = f"kb/{view.dataset_id}/{view.id}/images/ab", "kb/9/9/images/cd"
    tags = [f'<img src="" data-tos-key="{each}">' for each in (key, foreign)]
    async with world.store.transaction() as uow:
        document = await uow.documents.get(SCOPE, DocumentId(view.id))
        await uow.objects.note(SCOPE, document, ObjectKey(key))
        await uow.commit()
    made = await world.slices.create(EDITOR, view.id, f"A door. {tags[0]} {tags[1]}")

    shown = await world.slices.get(EDITOR, made.id)
    page = await world.slices.page(EDITOR, SliceQuery(document_id=view.id))
    await world.slices.edit(EDITOR, made.id, shown.content + " Open.")
    async with world.store.snapshot() as uow:
        stored = await uow.slices.get(SCOPE, SliceId(made.id))

    assert 'src="http://x/knowledge/images/' in shown.content
    assert tags[1] in shown.content  # the picture of another document stays without one
    assert page.items[0].content == shown.content
    assert stored.content == f"A door. {tags[0]} {tags[1]} Open."


async def _batch_of(world: World, *, names: Sequence[str]) -> list[DocumentView]:
    base = await world.base()
    documents = tuple(
        msgspec.structs.replace(TEXT, name=name, content=name.encode()) for name in names
    )
    command = CreateDocuments(dataset_id=base.id, documents=documents)
    return list(await world.documents.create(EDITOR, command))


def _change(
    views: Sequence[DocumentView], action: BatchAction, **more: TagValue | None
) -> ChangeDocuments:
    ids = tuple(view.id for view in views)
    return ChangeDocuments(
        dataset_id=views[0].dataset_id, document_ids=ids, action=action, tags=more
    )


async def test_documents_are_switched_tagged_and_deleted_together(world: World) -> None:
    views = await _batch_of(world, names=["a.txt", "b.txt"])
    await world.documents.edit(EDITOR, views[0].id, EditDocument(tags={"old": "x", "year": 1}))

    off = await world.batches.change(EDITOR, _change(views, BatchAction.DISABLE))
    tagged = await world.batches.change(EDITOR, _change(views, BatchAction.TAG, year=2, old=None))
    on = await world.batches.change(EDITOR, _change(views, BatchAction.ENABLE))
    gone = await world.batches.change(EDITOR, _change([*views, views[0]], BatchAction.DELETE))

    assert [view.enabled for view in (*off, *on)] == [False, False, True, True]
    assert [view.tags for view in tagged] == [{"year": 2}, {"year": 2}]
    assert gone == ()
    page = await world.documents.page(EDITOR, DocumentQuery(dataset_id=views[0].dataset_id))
    assert page.total == 0
    assert await world.batches.change(EDITOR, _change(views, BatchAction.DELETE)) == ()


async def test_documents_are_indexed_anew_together_or_not_at_all(world: World) -> None:
    views = await _batch_of(world, names=["a.txt", "b.txt"])
    command = _change(views, BatchAction.RESEGMENT)

    with pytest.raises(ResegmentRefused):
        await world.batches.change(EDITOR, command)
    async with world.store.transaction() as uow:
        for view in views:
            document = await uow.documents.get(SCOPE, DocumentId(view.id))
            document.activate(1, slices=0, chars=0, now=world.clock.now())
            await uow.documents.save(SCOPE, document)
        await uow.commit()
    begun = await world.batches.change(EDITOR, command)
    working, total = await world.documents.in_work(VIEWER, views[0].dataset_id, limit=1)

    assert {view.status for view in begun} == {DocumentStatus.CHUNKING}
    assert ([each.document.id for each in working], total) == ([views[0].id], 2)
    async with world.store.snapshot() as uow:
        jobs = await uow.jobs.latest(SCOPE, [DocumentId(view.id) for view in views])
    assert {job.generation for job in jobs.values()} == {2}


@pytest.mark.parametrize("action", BatchAction)
async def test_a_batch_is_for_editors_and_for_one_base(world: World, action: BatchAction) -> None:
    views = await _batch_of(world, names=["a.txt"])
    other = await world.base("other")
    command = _change(views, action, year=1)

    with pytest.raises(Forbidden):
        await world.batches.change(VIEWER, command)
    with pytest.raises(NotFound):
        await world.batches.change(STRANGER, command)
    elsewhere = msgspec.structs.replace(command, dataset_id=other.id)
    with pytest.raises(DocumentNotFound):
        await world.batches.change(EDITOR, elsewhere)
    for ids in ((), tuple(range(1, 102))):
        with pytest.raises(KnowledgeInvalid):
            await world.batches.change(EDITOR, msgspec.structs.replace(command, document_ids=ids))


async def test_only_pages_are_fetched_again_and_tags_need_a_name(world: World) -> None:
    views = await _batch_of(world, names=["a.txt"])

    for action in (BatchAction.REFETCH, BatchAction.TAG):
        with pytest.raises(KnowledgeInvalid):
            await world.batches.change(EDITOR, _change(views, action))
