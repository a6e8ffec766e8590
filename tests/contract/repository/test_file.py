"""What the repository of files promises, on every database."""

from datetime import datetime, timedelta

import pytest

from domain.file.entity import File, FileStatus
from domain.file.error import FileNotFound
from domain.file.repository import FileStore
from domain.shared.access import TenantScope
from domain.shared.error import StaleRevision
from domain.shared.ids import FileId, SpaceId, UserId
from infra.contract.storage.object_store import StoredObject
from infra.impl.repository.sql.engine.database import Database
from infra.impl.repository.sql.file.repository import SqlFileStore
from tests.support.clock import FrozenClock

SPACE = SpaceId(7)
SCOPE = TenantScope(UserId(1), frozenset({SPACE}))
FOREIGN = TenantScope(UserId(2), frozenset({SpaceId(8)}))
NOBODY = TenantScope(UserId(3), frozenset())
STORED = StoredObject(size=5, sha256="ab" * 32)


@pytest.fixture
def store(database: Database, clock: FrozenClock) -> FileStore:
    return SqlFileStore(database, clock)


def uploading(file_id: int, *, now: datetime) -> File:
    return File.begin(FileId(file_id), SPACE, creator_id=UserId(1), name="汉.txt", now=now)


def ready(file_id: int, *, now: datetime) -> File:
    file = uploading(file_id, now=now)
    file.complete(STORED, media_type="text/plain", now=now)
    return file


async def save(store: FileStore, *files: File) -> None:
    async with store.transaction() as uow:
        for file in files:
            await uow.files.save(SCOPE, file)
        await uow.commit()


async def test_a_saved_file_comes_back_whole(store: FileStore, clock: FrozenClock) -> None:
    file = ready(2**62, now=clock.now())
    await save(store, file)

    async with store.snapshot() as uow:
        found = await uow.files.get(SCOPE, file.id)

    assert {k: v for k, v in vars(found).items() if k != "_events"} == {
        k: v for k, v in vars(file).items() if k != "_events"
    }


async def test_only_the_own_space_sees_a_file(store: FileStore, clock: FrozenClock) -> None:
    await save(store, ready(1, now=clock.now()))

    async with store.snapshot() as uow:
        for scope in (FOREIGN, NOBODY):
            with pytest.raises(FileNotFound) as foreign:
                await uow.files.get(scope, FileId(1))
            with pytest.raises(FileNotFound) as missing:
                await uow.files.get(scope, FileId(2))
            assert foreign.value.message.replace("1", "2") == missing.value.message
            assert await uow.files.get_many(scope, [FileId(1)]) == {}


async def test_a_file_is_found_by_the_key_of_its_object(
    store: FileStore, clock: FrozenClock
) -> None:
    file, unfinished = ready(1, now=clock.now()), uploading(2, now=clock.now())
    await save(store, file, unfinished)

    async with store.snapshot() as uow:
        assert (await uow.files.get_by_key(SCOPE, file.object_key)).id == file.id
        for scope, key in (
            (FOREIGN, file.object_key),
            (NOBODY, file.object_key),
            (SCOPE, unfinished.object_key),
        ):
            with pytest.raises(FileNotFound):
                await uow.files.get_by_key(scope, key)


async def test_a_scope_of_one_end_user_sees_what_that_person_uploaded(
    store: FileStore, clock: FrozenClock
) -> None:
    for number, end_user_id in ((1, ""), (2, "anna"), (3, "ben")):
        file = File.begin(
            FileId(number),
            SPACE,
            creator_id=UserId(1),
            end_user_id=end_user_id,
            name="a",
            now=clock.now(),
        )
        file.complete(STORED, media_type="text/plain", now=clock.now())
        await save(store, file)
    numbers = [FileId(1), FileId(2), FileId(3)]

    async with store.snapshot() as uow:
        anna = TenantScope(UserId(1), frozenset({SPACE}), "anna")
        assert list(await uow.files.get_many(anna, numbers)) == [2]
        assert list(await uow.files.get_many(SCOPE, numbers)) == [1, 2, 3]


async def test_a_file_of_another_space_cannot_be_saved_or_removed(
    store: FileStore, clock: FrozenClock
) -> None:
    file = uploading(1, now=clock.now())
    await save(store, file)

    async with store.transaction() as uow:
        with pytest.raises(FileNotFound):
            await uow.files.save(FOREIGN, file)
        await uow.files.remove(FOREIGN, file.id)
        await uow.commit()

    async with store.snapshot() as uow:
        assert await dead_ids(store, clock, after=timedelta(days=1)) == [1]


async def test_only_ready_files_are_found(store: FileStore, clock: FrozenClock) -> None:
    deleted = ready(3, now=clock.now())
    deleted.delete(now=clock.now())
    await save(store, uploading(1, now=clock.now()), ready(2, now=clock.now()), deleted)

    async with store.snapshot() as uow:
        found = await uow.files.get_many(SCOPE, [FileId(1), FileId(2), FileId(3), FileId(4)])

    assert list(found) == [2]
    assert found[FileId(2)].status is FileStatus.READY


async def test_saving_an_old_copy_is_refused(store: FileStore, clock: FrozenClock) -> None:
    await save(store, ready(1, now=clock.now()))
    async with store.snapshot() as uow:
        first, second = [await uow.files.get(SCOPE, FileId(1)) for _ in range(2)]
    first.delete(now=clock.now())
    second.delete(now=clock.now())

    await save(store, first)

    with pytest.raises(StaleRevision):
        await save(store, second)


async def test_removing_takes_only_unfinished_uploads(store: FileStore, clock: FrozenClock) -> None:
    await save(store, uploading(1, now=clock.now()), ready(2, now=clock.now()))

    async with store.transaction() as uow:
        await uow.files.remove(SCOPE, FileId(1))
        await uow.files.remove(SCOPE, FileId(2))
        await uow.commit()

    assert await dead_ids(store, clock, after=timedelta(days=1)) == []
    async with store.snapshot() as uow:
        assert list(await uow.files.get_many(SCOPE, [FileId(1), FileId(2)])) == [2]


async def dead_ids(
    store: FileStore, clock: FrozenClock, *, after: timedelta, limit: int = 10
) -> list[int]:
    moment = clock.now() + after
    async with store.snapshot() as uow:
        dead = await uow.janitor.find_dead(deleted_before=moment, begun_before=moment, limit=limit)
    return [file.id for file in dead]


async def test_the_janitor_finds_what_is_due_oldest_first(
    store: FileStore, clock: FrozenClock
) -> None:
    deleted = ready(2, now=clock.now() - timedelta(hours=1))
    deleted.delete(now=clock.now())
    await save(store, uploading(1, now=clock.now()), deleted, ready(3, now=clock.now()))

    assert await dead_ids(store, clock, after=timedelta(0)) == []
    assert await dead_ids(store, clock, after=timedelta(seconds=1)) == [2, 1]
    assert await dead_ids(store, clock, after=timedelta(seconds=1), limit=1) == [2]


async def test_what_the_janitor_forgets_is_gone(store: FileStore, clock: FrozenClock) -> None:
    file = uploading(1, now=clock.now())
    await save(store, file)

    async with store.transaction() as uow:
        await uow.janitor.forget(file)
        await uow.commit()

    assert await dead_ids(store, clock, after=timedelta(days=1)) == []


async def test_an_upload_key_belongs_to_its_first_file_for_a_while(
    store: FileStore, clock: FrozenClock
) -> None:
    async def claim(scope: TenantScope, file_id: int) -> int:
        async with store.transaction() as uow:
            owner = await uow.upload_keys.claim(
                scope,
                "key",
                FileId(file_id),
                now=clock.now(),
                since=clock.now() - timedelta(hours=1),
            )
            await uow.commit()
        return owner

    assert await claim(SCOPE, 1) == 1
    assert await claim(SCOPE, 2) == 1
    assert await claim(FOREIGN, 3) == 3
    clock.advance(hours=2)
    assert await claim(SCOPE, 4) == 4
    async with store.transaction() as uow:
        await uow.janitor.forget_upload_keys(before=clock.now() + timedelta(seconds=1))
        await uow.commit()
    assert await claim(SCOPE, 5) == 5
