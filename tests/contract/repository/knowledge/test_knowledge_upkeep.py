"""What the stores of rebuilds, previews and cached vectors promise, on every database."""

from datetime import timedelta

import pytest

from domain.knowledge.document import Document
from domain.knowledge.error import PreviewNotFound, WorkLost
from domain.knowledge.preview import PreviewState
from domain.knowledge.rebuild import RebuildState
from domain.knowledge.repository import KnowledgeStore
from domain.knowledge.slice import Slice
from domain.knowledge.value import (
    DEFAULT_RULE,
    DatasetId,
    DocumentId,
    SliceId,
    UpdateRule,
    UpdateType,
)
from domain.shared.error import NotFound, StaleRevision
from infra.contract.storage.object_store import ObjectKey
from infra.impl.repository.sql.engine.database import Database
from infra.impl.repository.sql.knowledge.repository import SqlKnowledgeStore
from tests.support.clock import FrozenClock
from tests.support.knowledge.sample import (
    FOREIGN,
    OWNER,
    SCOPE,
    SPACE,
    enabled_document,
    new_dataset,
    new_document,
    new_job,
    new_slice,
)
from tests.support.knowledge.work import PLAN, new_preview, new_rebuild

BASE = DatasetId(1)


@pytest.fixture
def store(database: Database) -> KnowledgeStore:
    return SqlKnowledgeStore(database)


async def put(store: KnowledgeStore, clock: FrozenClock, *things: Document | Slice) -> None:
    async with store.transaction() as uow:
        await uow.datasets.save(SCOPE, new_dataset(now=clock.now()))
        for thing in things:
            if isinstance(thing, Document):
                await uow.documents.save(SCOPE, thing)
            else:
                await uow.batches.add_new(SCOPE, [thing])
        await uow.commit()


def state(thing: object) -> dict[str, object]:
    return {key: value for key, value in vars(thing).items() if key != "_events"}


async def test_a_dataset_keeps_the_index_that_is_being_built(
    store: KnowledgeStore, clock: FrozenClock
) -> None:
    dataset = new_dataset(now=clock.now())
    dataset.begin_rebuild(PLAN, now=clock.now())
    async with store.transaction() as uow:
        await uow.datasets.save(SCOPE, dataset)
        await uow.commit()
    async with store.snapshot() as uow:
        assert state(await uow.datasets.get(SCOPE, BASE)) == state(dataset)


async def test_one_process_has_a_rebuild(store: KnowledgeStore, clock: FrozenClock) -> None:
    rebuild = new_rebuild(now=clock.now())
    async with store.transaction() as uow:
        await uow.rebuilds.add(SCOPE, rebuild)
        await uow.commit()
    async with store.snapshot() as uow:
        (first,) = await uow.upkeep.rebuilds.due(now=clock.now(), limit=9)
        (second,) = await uow.upkeep.rebuilds.due(now=clock.now(), limit=9)
        assert await uow.rebuilds.latest(FOREIGN, [BASE]) == {}
    assert state(first) == state(rebuild)

    until = clock.now() + timedelta(minutes=2)
    for owner, each in (("a", first), ("b", second)):
        each.claim(owner, now=clock.now(), until=until)
    async with store.transaction() as uow:
        await uow.upkeep.rebuilds.save(first)
        await uow.commit()
    async with store.transaction() as uow:
        with pytest.raises(WorkLost):
            await uow.upkeep.rebuilds.save(second)
    later = until + timedelta(minutes=1)
    async with store.transaction() as uow:
        assert await uow.upkeep.rebuilds.due(now=clock.now(), limit=9) == []
        assert len(await uow.upkeep.rebuilds.due(now=until, limit=9)) == 1
        queue = uow.upkeep.rebuilds
        assert not await queue.renew(first.id, "b", until=later + timedelta(days=1))
        assert await queue.renew(first.id, "a", until=later)
        assert await uow.upkeep.rebuilds.due(now=until, limit=9) == []
        assert len(await uow.upkeep.rebuilds.due(now=later, limit=9)) == 1
        await uow.commit()

    first.fail(code=1, reason="x", now=clock.now())
    async with store.transaction() as uow:
        await uow.upkeep.rebuilds.save(first)
        await uow.commit()
    async with store.transaction() as uow:
        assert await uow.upkeep.rebuilds.due(now=until, limit=9) == []
        assert (await uow.rebuilds.latest(SCOPE, [BASE]))[BASE].state is RebuildState.FAILED
        await uow.rebuilds.forget(FOREIGN, BASE)
        assert await uow.rebuilds.latest(SCOPE, [BASE])
        await uow.rebuilds.forget(SCOPE, BASE)
        assert await uow.rebuilds.latest(SCOPE, [BASE]) == {}


async def test_a_rebuild_copies_active_and_pending_generations(
    store: KnowledgeStore, clock: FrozenClock
) -> None:
    now = clock.now()
    active, deleted = enabled_document(now=now), enabled_document(12, now=now)
    active.resegment(DEFAULT_RULE, force=False, now=now, actor_id=OWNER)
    deleted.delete(now=now, actor_id=OWNER)
    await put(
        store,
        clock,
        active,
        deleted,
        new_slice(21, now=now),
        new_slice(22, now=now, generation=2),
        new_slice(23, now=now, generation=3),
        new_slice(24, now=now, document=12),
        new_slice(25, now=now, ordinal=2),
    )
    async with store.snapshot() as uow:
        found = await uow.rebuilds.slices(SCOPE, BASE, after=SliceId(0), limit=9)
        assert [item.id for item in found] == [21, 22, 25]
        found = await uow.rebuilds.slices(SCOPE, BASE, after=SliceId(21), limit=1)
        assert [item.id for item in found] == [22]
        again = await uow.rebuilds.reread(SCOPE, BASE, [SliceId(25), SliceId(24), SliceId(99)])
        assert [item.id for item in again] == [25]
        assert await uow.rebuilds.count(SCOPE, BASE) == 3
        assert await uow.rebuilds.count(FOREIGN, BASE) == 0


async def test_previews_wait_get_ready_and_expire(
    store: KnowledgeStore, clock: FrozenClock
) -> None:
    preview = new_preview(now=clock.now())
    async with store.transaction() as uow:
        with pytest.raises(NotFound):
            await uow.previews.save(FOREIGN, preview)
        await uow.previews.save(SCOPE, preview)
        await uow.commit()
    async with store.transaction() as uow:
        (found,) = await uow.upkeep.previews.due(now=clock.now(), limit=9)
        assert state(found) == state(preview)
        assert (await uow.previews.waiting(SCOPE), await uow.previews.waiting(FOREIGN)) == (1, 0)
        with pytest.raises(PreviewNotFound):
            await uow.previews.get(FOREIGN, preview.id)
    found.claim("a", now=clock.now(), until=clock.now() + timedelta(minutes=1))
    found.ready(3, now=clock.now())
    async with store.transaction() as uow:
        await uow.previews.save(SCOPE, found)
        await uow.commit()
    async with store.transaction() as uow:
        preview.ready(4, now=clock.now())
        with pytest.raises(StaleRevision):
            await uow.previews.save(SCOPE, preview)
    async with store.transaction() as uow:
        assert await uow.upkeep.previews.due(now=clock.now(), limit=9) == []
        assert (await uow.previews.get(SCOPE, preview.id)).state is PreviewState.READY
        assert await uow.upkeep.expired_previews(now=clock.now(), limit=9) == []
        later = clock.now() + timedelta(days=7)
        assert len(await uow.upkeep.expired_previews(now=later, limit=9)) == 1
        await uow.previews.forget(SCOPE, preview.id)
        assert await uow.upkeep.expired_previews(now=later, limit=9) == []


async def test_vectors_are_kept_by_space_model_and_text(
    store: KnowledgeStore, clock: FrozenClock
) -> None:
    start = clock.now()
    for vectors in ({"a": b"1", "b": b"2"}, {"b": b"3"}, {"c": b"4"}):
        async with store.transaction() as uow:
            await uow.embeddings.put(SCOPE, SPACE, "m", vectors, now=clock.now())
            await uow.commit()
        clock.advance(hours=1)

    async def known(scope: object = SCOPE, model: str = "m") -> dict[str, bytes]:
        async with store.snapshot() as uow:
            return await uow.embeddings.get(
                scope,  # type: ignore[arg-type]
                SPACE,
                model,
                ["a", "b", "c", "d"],
                since=start,
            )

    assert await known() == {"a": b"1", "b": b"3", "c": b"4"}
    assert await known(FOREIGN) == {}
    assert await known(model="other") == {}
    async with store.transaction() as uow:
        with pytest.raises(NotFound):
            await uow.embeddings.put(FOREIGN, SPACE, "m", {"a": b"9"}, now=start)
        await uow.upkeep.prune_embeddings(before=start + timedelta(minutes=1), kept=9)
        await uow.commit()
    assert await known() == {"b": b"3", "c": b"4"}
    async with store.transaction() as uow:
        await uow.upkeep.prune_embeddings(before=start, kept=1)
        await uow.commit()
    assert await known() == {"c": b"4"}


async def test_what_is_wrong_with_a_base_is_found(
    store: KnowledgeStore, clock: FrozenClock
) -> None:
    now = clock.now()
    fine, lost = enabled_document(now=now), new_document(12, now=now)
    littered, gone = enabled_document(13, now=now), enabled_document(14, now=now)
    gone.delete(now=now, actor_id=OWNER)
    done = new_slice(21, now=now)
    done.mark_indexed()
    await put(
        store,
        clock,
        fine,
        lost,
        littered,
        gone,
        done,
        new_slice(22, now=now, ordinal=2),
        new_slice(23, now=now, document=13, generation=7),
        new_slice(24, now=now, document=14),
    )
    kept, orphan = ObjectKey("kb/1/11/source"), ObjectKey("kb/1/99/source")
    async with store.transaction() as uow:
        await uow.previews.save(SCOPE, new_preview(now=clock.now()))
        for owner, key in ((11, kept), (51, ObjectKey("review/51")), (99, orphan)):
            await uow.objects.note(SCOPE, new_document(owner, now=now), key)
        await uow.jobs.add(SCOPE, new_job(31, now=now, document=99))
        await uow.jobs.add(SCOPE, new_job(32, now=now))
        await uow.commit()

    async with store.transaction() as uow:
        look = uow.reconciling
        wanted = [SliceId(number) for number in (21, 22, 23, 24, 99)]
        assert await look.existing(SCOPE, BASE, wanted) == {21, 22, 23}
        assert await look.existing(FOREIGN, BASE, wanted) == set()
        assert await look.known(SCOPE, [DocumentId(14), DocumentId(99)]) == {14}
        assert await look.done(SCOPE, BASE, after=SliceId(0), limit=9) == [21]
        assert await look.done(SCOPE, BASE, after=SliceId(21), limit=9) == []
        later = now + timedelta(seconds=1)
        assert await look.waiting(SCOPE, BASE, before=now, limit=9) == []
        assert await look.waiting(SCOPE, BASE, before=later, limit=9) == [22]
        assert await look.jobless(SCOPE, BASE, limit=9) == [12]
        assert await look.littered(SCOPE, BASE, limit=9) == [13]
        assert await look.unpurged(SCOPE, BASE, before=now, limit=9) == []
        assert await look.unpurged(SCOPE, BASE, before=later, limit=9) == [14]
        assert await look.lost_objects(FOREIGN, limit=9) == []
        assert await look.lost_objects(SCOPE, limit=9) == [orphan]
        await look.forget_lost_objects(SCOPE, [orphan, kept])
        assert await look.lost_objects(SCOPE, limit=9) == []
        assert await uow.objects.of(SCOPE, [DocumentId(11)], limit=9) == [kept]
        assert await look.drop_orphan_jobs(FOREIGN, BASE) == 0
        assert await look.drop_orphan_jobs(SCOPE, BASE) == 1
        assert await look.drop_orphan_jobs(SCOPE, BASE) == 0


async def test_pages_are_due_when_their_time_has_come(
    store: KnowledgeStore, clock: FrozenClock
) -> None:
    rule = UpdateRule(type=UpdateType.AUTOMATIC, interval_hours=24)
    page, busy = enabled_document(now=clock.now()), new_document(12, now=clock.now())
    for document in (page, busy):
        document.refresh_by(rule, now=clock.now())
    await put(store, clock, page, busy, enabled_document(13, now=clock.now()))
    async with store.snapshot() as uow:
        assert await uow.upkeep.due_refreshes(now=clock.now(), limit=9) == []
        clock.advance(hours=24)
        due = await uow.upkeep.due_refreshes(now=clock.now(), limit=9)
        assert [state(document) for document in due] == [state(page)]


async def test_bases_are_walked_through_over_all_spaces(
    store: KnowledgeStore, clock: FrozenClock
) -> None:
    gone = new_dataset(2, now=clock.now(), name="b")
    gone.delete(now=clock.now(), actor_id=OWNER)
    await put(store, clock)
    async with store.transaction() as uow:
        await uow.datasets.save(SCOPE, gone)
        await uow.commit()
    clock.advance(hours=1)
    async with store.snapshot() as uow:
        assert [d.id for d in await uow.upkeep.datasets(after=DatasetId(0), limit=9)] == [1]
        assert await uow.upkeep.datasets(after=BASE, limit=9) == []
        ids = [DatasetId(number) for number in (1, 2, 3)]
        assert await uow.upkeep.known_datasets(ids) == {1, 2}
        found = await uow.upkeep.unpurged_datasets(before=clock.now(), limit=9)
        assert [d.id for d in found] == [2]
