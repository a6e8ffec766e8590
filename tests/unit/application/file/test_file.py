"""Rules of uploads, links and deletion, on real embedded adapters."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing
from datetime import timedelta
from pathlib import Path

import pytest

from application.file.dto import FileContent, FileUse, FileView, UploadFile
from application.file.purge import FilePurge
from application.file.service import FileService
from domain.file.error import FileEmpty, FileNotFound, LinkRefused, UploadKeyReused, UploadTimedOut
from domain.file.signature import FileLinks, LinkSigner
from domain.file.value import FileQuery
from domain.shared.access import Grant, Permission, Principal, Role
from domain.shared.error import Forbidden, InvalidRequest, NotFound, RequestTooLarge
from domain.shared.id_generator import IdGenerator
from domain.shared.ids import FileId, SpaceId, TokenId, UserId
from domain.shared.limits import Limits
from domain.shared.secret import Secret
from infra.impl.object_store.local import LocalObjectStore
from infra.impl.repository.sql.engine.database import Database
from infra.impl.repository.sql.file.repository import SqlFileStore
from tests.support.clock import FrozenClock
from tests.support.hold import Holds

LIMITS = Limits(upload_bytes=1000, upload_total_s=5.0)
OWN, SHARED, FOREIGN = SpaceId(10), SpaceId(20), SpaceId(30)
ALICE = Principal(
    user_id=UserId(1),
    token_id=TokenId(1),
    roles={OWN: Role.OWNER, SHARED: Role.EDITOR},
    personal_space_id=OWN,
)
BOB = Principal(
    user_id=UserId(2),
    token_id=TokenId(2),
    roles={FOREIGN: Role.OWNER, SHARED: Role.VIEWER},
    personal_space_id=FOREIGN,
)
BOSS = Principal(
    user_id=UserId(3), token_id=TokenId(3), roles={SHARED: Role.ADMIN}, personal_space_id=SHARED
)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "objects"


@pytest.fixture
def store(sqlite_database: Database, clock: FrozenClock) -> SqlFileStore:
    return SqlFileStore(sqlite_database, clock)


@pytest.fixture
async def objects(root: Path) -> LocalObjectStore:
    objects = LocalObjectStore(root)
    await objects.start()
    return objects


@pytest.fixture
def links() -> FileLinks:
    return FileLinks(signer=LinkSigner([Secret("k" * 32)]), public_url="http://server.example")


@pytest.fixture
def purge(store: SqlFileStore, objects: LocalObjectStore, clock: FrozenClock) -> FilePurge:
    return FilePurge(holds=Holds(), store=store, objects=objects, clock=clock, limits=LIMITS)


Make = Callable[[Limits], FileService]


@pytest.fixture
def make(
    store: SqlFileStore,
    objects: LocalObjectStore,
    links: FileLinks,
    clock: FrozenClock,
    ids: IdGenerator,
) -> Make:
    def build(limits: Limits) -> FileService:
        return FileService(
            store=store, objects=objects, links=links, clock=clock, ids=ids, limits=limits
        )

    return build


@pytest.fixture
def files(make: Make) -> FileService:
    return make(LIMITS)


async def pieces(*chunks: bytes) -> AsyncIterator[bytes]:
    for chunk in chunks:
        yield chunk


async def upload(
    files: FileService,
    *chunks: bytes,
    by: Principal = ALICE,
    name: str = "a.txt",
    space_id: int | None = None,
    key: str = "",
) -> FileView:
    command = UploadFile(name=name, space_id=space_id, idempotency_key=key)
    return await files.upload(by, command, pieces(*chunks))


async def bytes_of(content: FileContent) -> bytes:
    async with aclosing(content.read(0, content.size)) as chunks:
        return b"".join([chunk async for chunk in chunks])


def stored_files(root: Path) -> list[Path]:
    return [path for path in root.rglob("*") if path.is_file()]


async def row_count(store: SqlFileStore, clock: FrozenClock) -> int:
    clock.advance(days=400)
    async with store.snapshot() as uow:
        dead = await uow.janitor.find_dead(
            deleted_before=clock.now(), begun_before=clock.now(), limit=100
        )
    return len(dead)


async def test_an_upload_lands_in_the_personal_space(files: FileService) -> None:
    view = await upload(files, b"hel", b"lo", name="../notes.md")

    assert (view.space_id, view.creator_id) == (OWN, 1)
    assert (view.name, view.media_type, view.size) == ("notes.md", "text/markdown", 5)
    assert await files.get(ALICE, FileId(view.id)) == view
    assert await bytes_of(await files.open(ALICE, FileId(view.id))) == b"hello"


async def test_a_named_space_must_be_the_callers(files: FileService) -> None:
    view = await upload(files, b"x", space_id=SHARED)

    assert view.space_id == SHARED
    with pytest.raises(NotFound):
        await upload(files, b"x", space_id=FOREIGN)


async def test_a_token_without_the_permission_cannot_upload(files: FileService) -> None:
    narrow = Principal(
        user_id=UserId(1),
        token_id=TokenId(9),
        roles=ALICE.roles,
        personal_space_id=OWN,
        grant=Grant(permissions=frozenset({Permission.CHAT})),
    )

    with pytest.raises(Forbidden):
        await upload(files, b"x", by=narrow)


async def test_a_file_of_another_space_is_not_found(files: FileService) -> None:
    view = await upload(files, b"x")

    for use in (files.get, files.open, files.link, files.delete):
        with pytest.raises(FileNotFound):
            await use(BOB, FileId(view.id))


async def test_a_file_may_have_exactly_the_limit(
    files: FileService, store: SqlFileStore, root: Path, clock: FrozenClock
) -> None:
    await upload(files, b"x" * 999, b"x")
    with pytest.raises(RequestTooLarge):
        await upload(files, b"x" * 999, b"xx")

    assert len(stored_files(root)) == 1
    assert await row_count(store, clock) == 0


async def test_an_empty_file_is_refused(
    files: FileService, store: SqlFileStore, root: Path, clock: FrozenClock
) -> None:
    with pytest.raises(FileEmpty):
        await upload(files)

    assert stored_files(root) == []
    assert await row_count(store, clock) == 0


async def test_a_broken_upload_leaves_nothing(
    files: FileService, store: SqlFileStore, root: Path, clock: FrozenClock
) -> None:
    async def broken() -> AsyncIterator[bytes]:
        yield b"abc"
        raise ConnectionError("gone")

    with pytest.raises(ConnectionError):
        await files.upload(ALICE, UploadFile(name="a"), broken())

    assert stored_files(root) == []
    assert await row_count(store, clock) == 0


async def test_an_upload_that_never_ends_is_given_up(make: Make, root: Path) -> None:
    async def endless() -> AsyncIterator[bytes]:
        yield b"abc"
        await asyncio.Event().wait()

    with pytest.raises(UploadTimedOut):
        await make(Limits(upload_total_s=0.05)).upload(ALICE, UploadFile(name="a"), endless())

    assert stored_files(root) == []


async def test_the_same_key_and_content_is_the_same_file(
    files: FileService, root: Path, store: SqlFileStore, clock: FrozenClock
) -> None:
    first = await upload(files, b"abc", key="k")
    again = await upload(files, b"abc", key="k")

    assert again.id == first.id
    assert len(stored_files(root)) == 1
    for other in ({"name": "b.txt"}, {"space_id": SHARED}):
        with pytest.raises(UploadKeyReused):
            await upload(files, b"abc", key="k", **other)
    with pytest.raises(UploadKeyReused):
        await upload(files, b"abd", key="k")
    assert len(stored_files(root)) == 1
    assert (await upload(files, b"abd", key="k", by=BOB)).id != first.id
    assert await row_count(store, clock) == 0


async def test_a_key_is_forgotten_after_a_day(files: FileService, clock: FrozenClock) -> None:
    first = await upload(files, b"abc", key="k")
    clock.advance(days=1, seconds=1)

    assert (await upload(files, b"abc", key="k")).id != first.id


async def test_uploads_that_race_with_one_key_make_one_file(files: FileService, root: Path) -> None:
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(upload(files, b"abc", key="k")) for _ in range(8)]

    assert len({task.result().id for task in tasks}) == 1
    assert len(stored_files(root)) == 1


async def test_a_link_opens_without_a_token(files: FileService, clock: FrozenClock) -> None:
    view = await upload(files, b"abc")
    token = view.url.removeprefix("http://server.example/files/")

    content = await files.open_link(token)

    assert await bytes_of(content) == b"abc"
    assert not content.is_attachment
    clock.advance(seconds=LIMITS.signed_url_ttl_s)
    with pytest.raises(LinkRefused):
        await files.open_link(token)


async def test_a_link_may_force_a_download(files: FileService) -> None:
    view = await upload(files, b"abc")

    link = await files.link(ALICE, FileId(view.id), is_attachment=True)

    assert (await files.open_link(link.url.rpartition("/")[2])).is_attachment


async def test_a_deleted_file_is_gone_at_once_and_its_bytes_later(
    files: FileService, purge: FilePurge, root: Path, clock: FrozenClock
) -> None:
    view = await upload(files, b"abc")

    await files.delete(ALICE, FileId(view.id))

    for use in (files.get, files.open, files.delete):
        with pytest.raises(FileNotFound):
            await use(ALICE, FileId(view.id))
    with pytest.raises(FileNotFound):
        await files.open_link(view.url.rpartition("/")[2])
    assert await purge.purge() == 0
    clock.advance(seconds=LIMITS.file_purge_delay_s + 1)
    assert await purge.purge() == 1
    assert await purge.purge() == 0
    assert stored_files(root) == []


async def test_only_creator_and_administrators_delete(files: FileService) -> None:
    mine, yours = [await upload(files, b"x", space_id=SHARED) for _ in range(2)]

    with pytest.raises(Forbidden):
        await files.delete(BOB, FileId(mine.id))
    await files.delete(ALICE, FileId(mine.id))
    await files.delete(BOSS, FileId(yours.id))


async def test_what_a_dead_process_left_is_purged(
    *,
    files: FileService,
    store: SqlFileStore,
    purge: FilePurge,
    root: Path,
    clock: FrozenClock,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def dies(*_: object, **__: object) -> None:
        raise asyncio.CancelledError

    with monkeypatch.context() as patch:
        patch.setattr(FileService, "_complete", dies)
        with pytest.raises(asyncio.CancelledError):
            await upload(files, b"abc")
    assert len(stored_files(root)) == 1

    assert await purge.purge() == 0
    clock.advance(seconds=LIMITS.upload_abandoned_s + 1)
    assert await purge.purge() == 1

    assert stored_files(root) == []
    assert await row_count(store, clock) == 0


async def test_the_purge_goes_through_all_batches(
    store: SqlFileStore, objects: LocalObjectStore, files: FileService, clock: FrozenClock
) -> None:
    for _ in range(5):
        await files.delete(ALICE, FileId((await upload(files, b"x")).id))
    clock.advance(days=2)

    small = FilePurge(
        holds=Holds(), store=store, objects=objects, clock=clock, limits=Limits(file_purge_batch=2)
    )

    assert await small.purge() == 5


async def test_the_purge_runs_by_itself_and_stops(
    store: SqlFileStore,
    objects: LocalObjectStore,
    files: FileService,
    clock: FrozenClock,
    root: Path,
) -> None:
    await files.delete(ALICE, FileId((await upload(files, b"x")).id))
    clock.advance(days=2)
    purge = FilePurge(holds=Holds(), store=store, objects=objects, clock=clock, limits=LIMITS)

    await purge.start()
    async with asyncio.timeout(60):
        while stored_files(root):  # noqa: ASYNC110
            await asyncio.sleep(0.01)
    await purge.aclose()


async def test_no_setting_makes_links_last_longer_than_an_hour(make: Make) -> None:
    files = make(Limits(signed_url_ttl_s=7200))

    view = await upload(files, b"x")

    link = await files.link(ALICE, FileId(view.id))
    assert (link.expires_at - view.created_at).total_seconds() == 3600


async def test_an_expired_file_is_not_found_and_then_purged(
    files: FileService, purge: FilePurge, store: SqlFileStore, clock: FrozenClock, root: Path
) -> None:
    command = UploadFile(name="a.txt", use=lambda: FileUse(purpose="vision", ttl_s=3600))
    view = await files.upload(ALICE, command, pieces(b"hello"))
    kept = await upload(files, b"hello")
    assert (view.purpose, view.expires_at) == ("vision", clock.now() + timedelta(hours=1))

    clock.advance(seconds=3599)
    assert await files.get(ALICE, FileId(view.id)) is not None
    assert await purge.expire() == 0
    clock.advance(seconds=1)

    for what in (files.get(ALICE, FileId(view.id)), files.delete(ALICE, FileId(view.id))):
        with pytest.raises(FileNotFound):
            await what
    listed, has_more = await files.list_own(ALICE, OWN, FileQuery())
    assert ([each.id for each in listed], has_more) == ([kept.id], False)

    assert await purge.expire() == 1
    clock.advance(seconds=LIMITS.file_purge_delay_s + 1)
    assert await purge.purge() == 1
    assert len(stored_files(root)) == 1


async def test_what_refuses_the_use_of_a_file_leaves_nothing(
    files: FileService, root: Path
) -> None:
    def refuse() -> FileUse:
        raise InvalidRequest("purpose: required.")

    with pytest.raises(InvalidRequest):
        await files.upload(ALICE, UploadFile(name="a.txt", use=refuse), pieces(b"hello"))

    assert not stored_files(root)


async def test_files_are_listed_page_by_page_and_for_their_creator_only(
    files: FileService,
) -> None:
    ids = [(await upload(files, b"%d" % n)).id for n in range(3)]
    command = UploadFile(name="v.png", use=lambda: FileUse(purpose="vision"))
    ids.append((await files.upload(ALICE, command, pieces(b"seen"))).id)

    first, has_more = await files.list_own(ALICE, OWN, FileQuery(limit=3))
    after = FileId(first[-1].id)
    rest, ends = await files.list_own(ALICE, OWN, FileQuery(limit=3, after=after))
    seen, _ = await files.list_own(ALICE, OWN, FileQuery(purposes=frozenset({"vision"})))

    assert [each.id for each in (*first, *rest)] == ids[::-1]
    assert (has_more, ends) == (True, False)
    assert [each.id for each in seen] == ids[-1:]
    with pytest.raises(FileNotFound):
        await files.list_own(ALICE, OWN, FileQuery(after=FileId(1)))
