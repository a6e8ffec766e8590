"""What every object store promises."""

import asyncio
import hashlib
import os
import re
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import aclosing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import ParamSpec, Protocol, TypeVar
from uuid import uuid4

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from domain.file.entity import new_object_key
from domain.shared.error import RequestTooLarge, Unavailable
from domain.shared.ids import SpaceId
from infra.contract.storage.object_store import (
    ObjectKey,
    ObjectNotFound,
    ObjectStore,
    ObjectStoreFull,
)
from infra.contract.storage.transfer import ObjectCatalogue
from infra.impl.object_store.local import LocalObjectStore
from infra.impl.object_store.s3.store import S3ObjectStore
from tests.support.clock import FrozenClock
from tests.support.process.port import free_port
from tests.support.service.java import require_java
from tests.support.service.s3 import ACCESS_KEY, SECRET_KEY, S3Server, running_s3
from tests.support.wait import until_so


class ListedStore(ObjectStore, ObjectCatalogue, Protocol):
    """What every adapter is."""


P = ParamSpec("P")
T = TypeVar("T")

KEY = ObjectKey("space/1/2030/05/abc")
MIB = 1024 * 1024
S3_PARTS = re.compile(r"^\.s3proxy-|^\.mpus-|-stub$|^\..*\.tmp")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "objects"


@pytest.fixture(scope="module")
def s3() -> Iterator[S3Server]:
    require_java()
    with running_s3() as server:
        yield server


@pytest.fixture(params=["local", "s3"])
async def objects(request: pytest.FixtureRequest, root: Path) -> AsyncGenerator[ListedStore, None]:
    store: LocalObjectStore | S3ObjectStore
    if request.param == "local":
        store = LocalObjectStore(root)
    else:
        server: S3Server = request.getfixturevalue("s3")
        bucket = f"b{uuid4().hex}"
        server.create_bucket(bucket)
        await asyncio.to_thread(root.symlink_to, server.root / bucket)  # what the tests look into
        store = bucket_of(server.url, bucket)
    await store.start()
    yield store
    await store.aclose()


def bucket_of(url: str, name: str, *, secret_key: str = SECRET_KEY) -> S3ObjectStore:
    return S3ObjectStore(name, endpoint=url, access_key=ACCESS_KEY, secret_key=secret_key)


async def pieces(*chunks: bytes) -> AsyncIterator[bytes]:
    for chunk in chunks:
        yield chunk


async def content(store: ObjectStore, key: ObjectKey, **span: int) -> bytes:
    async with aclosing(store.read(key, **span)) as chunks:
        return b"".join([chunk async for chunk in chunks])


def open_descriptors() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def stored_files(root: Path) -> list[Path]:
    """What readers can see; the S3 server keeps parts of uploads under names of its own."""
    top = root.resolve()
    found = [path for path in top.rglob("*") if path.is_file()]
    return [path for path in found if not any(map(S3_PARTS.search, path.relative_to(top).parts))]


async def test_what_was_put_is_read(objects: ObjectStore) -> None:
    data = os.urandom(3 * MIB + 17)
    chunks = [data[i : i + 70_001] for i in range(0, len(data), 70_001)]

    stored = await objects.put(KEY, pieces(*chunks), limit_bytes=len(data))

    assert (stored.size, stored.sha256) == (len(data), hashlib.sha256(data).hexdigest())
    assert await content(objects, KEY) == data


async def test_nothing_is_an_object_too(objects: ObjectStore) -> None:
    stored = await objects.put(KEY, pieces(), limit_bytes=0)

    assert stored.size == 0
    assert await content(objects, KEY) == b""


@pytest.mark.parametrize(
    ("start", "end", "expected"),
    [(0, 3, b"abc"), (2, None, b"cdef"), (4, 100, b"ef"), (6, None, b""), (2, 2, b"")],
)
async def test_a_part_is_read(
    objects: ObjectStore, start: int, end: int | None, expected: bytes
) -> None:
    await objects.put(KEY, pieces(b"abcdef"), limit_bytes=6)

    async with aclosing(objects.read(KEY, start=start, end=end)) as chunks:
        assert b"".join([chunk async for chunk in chunks]) == expected


async def test_a_missing_object_is_not_found(objects: ObjectStore) -> None:
    with pytest.raises(ObjectNotFound):
        await content(objects, KEY)


async def test_one_byte_over_the_limit_leaves_nothing(objects: ObjectStore, root: Path) -> None:
    with pytest.raises(RequestTooLarge):
        await objects.put(KEY, pieces(b"abc", b"d"), limit_bytes=3)

    assert stored_files(root) == []


async def test_a_source_that_fails_leaves_nothing(objects: ObjectStore, root: Path) -> None:
    async def broken() -> AsyncIterator[bytes]:
        yield b"x" * 2 * MIB
        raise ConnectionError("gone")

    with pytest.raises(ConnectionError):
        await objects.put(KEY, broken(), limit_bytes=10 * MIB)

    assert stored_files(root) == []


@pytest.mark.parametrize("turns", [0, 1, 2, 3, 5, 8, 13])
async def test_a_cancelled_write_leaves_nothing(
    objects: ObjectStore, root: Path, turns: int
) -> None:
    async def endless() -> AsyncIterator[bytes]:
        while True:
            yield b"x" * MIB

    async with asyncio.TaskGroup() as group:
        task = group.create_task(objects.put(KEY, endless(), limit_bytes=10**12))
        for _ in range(turns):
            await asyncio.sleep(0.001)
        task.cancel()

    assert task.cancelled()
    assert stored_files(root) == []


async def test_a_write_cancelled_after_its_first_part_leaves_nothing(
    objects: ObjectStore, root: Path
) -> None:
    def holds_a_part() -> bool:
        """The first of both that the source gave: the store takes the second to tell if it ends."""
        sizes = [path.stat().st_size for path in root.resolve().rglob("*") if path.is_file()]
        return sum(sizes) >= 8 * MIB

    waits, ended = asyncio.Event(), asyncio.Event()

    async def halting() -> AsyncIterator[bytes]:
        for _ in range(16):
            yield b"x" * MIB
        waits.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    async with asyncio.TaskGroup() as group:
        task = group.create_task(objects.put(KEY, halting(), limit_bytes=10**12))
        await until_so(holds_a_part, "the first part is stored")
        await until_so(waits.is_set, "the source has nothing more for now")
        task.cancel()

    assert task.cancelled()
    assert ended.is_set()  # the source does not wait for ever
    assert stored_files(root) == []


async def test_a_write_cancelled_at_its_end_leaves_all_or_nothing(root: Path) -> None:
    objects = LocalObjectStore(root)
    await objects.start()
    for turns in range(40):
        async with asyncio.TaskGroup() as group:
            task = group.create_task(objects.put(KEY, pieces(b"abc"), limit_bytes=3))
            for _ in range(turns):
                await asyncio.sleep(0)
            task.cancel()
        assert len(stored_files(root)) == (0 if task.cancelled() else 1)
        await objects.delete(KEY)


async def test_a_write_replaces_what_was_there(objects: ObjectStore) -> None:
    await objects.put(KEY, pieces(b"old"), limit_bytes=3)
    await objects.put(KEY, pieces(b"new"), limit_bytes=3)

    assert await content(objects, KEY) == b"new"


async def test_deleting_twice_is_fine(objects: ObjectStore) -> None:
    await objects.put(KEY, pieces(b"abc"), limit_bytes=3)

    await objects.delete(KEY)
    await objects.delete(KEY)

    with pytest.raises(ObjectNotFound):
        await content(objects, KEY)


async def test_concurrent_writes_do_not_mix(objects: ObjectStore) -> None:
    bodies = [bytes([i]) * MIB for i in range(8)]
    keys = [ObjectKey(f"space/1/{i}") for i in range(8)]

    async with asyncio.TaskGroup() as group:
        for key, body in zip(keys, bodies, strict=True):
            group.create_task(
                objects.put(key, pieces(body[: MIB // 2], body[MIB // 2 :]), limit_bytes=MIB)
            )

    assert [await content(objects, key) for key in keys] == bodies


async def test_a_reader_that_stops_early_is_fine(objects: ObjectStore) -> None:
    await objects.put(KEY, pieces(b"x" * 3 * MIB), limit_bytes=3 * MIB)

    before = open_descriptors()
    for _ in range(20):
        async with aclosing(objects.read(KEY)) as chunks:
            await anext(chunks)

    assert open_descriptors() <= before


async def test_a_healthy_store_passes_its_probe(objects: ObjectStore, root: Path) -> None:
    await objects.probe()

    assert stored_files(root) == []


BAD_KEYS = ["/", "a/", "/a", "a//b", ".", "..", "a/../b", "a/./b", "a.b", "A", "a\\b", "ä", "~"]


@pytest.mark.parametrize("key", [*BAD_KEYS, "%2e", "C:", "", "a b", "a\0", "a\n", "a" * 513])
def test_keys_are_generated_words(key: str) -> None:
    with pytest.raises(ValueError, match="keys"):
        ObjectKey(key)


@settings(max_examples=50, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(space=st.integers(1, 2**63 - 1))
def test_generated_keys_stay_in_their_space(space: int, clock: FrozenClock) -> None:
    keys = {new_object_key(SpaceId(space), now=clock.now()).value for _ in range(20)}

    assert len(keys) == 20
    assert all(key.startswith(f"space/{space}/2030/05/") for key in keys)


async def test_generated_keys_are_always_inside_the_root(
    tmp_path: Path, root: Path, clock: FrozenClock
) -> None:
    store = LocalObjectStore(root)
    await store.start()
    for space in range(1, 51):
        key = new_object_key(SpaceId(space), now=clock.now())
        await store.put(key, pieces(b"x"), limit_bytes=1)

    assert len(stored_files(root)) == 50
    assert stored_files(tmp_path) == stored_files(root)


async def test_a_planted_link_is_never_followed(tmp_path: Path, root: Path) -> None:
    store = LocalObjectStore(root)
    await store.start()
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret").write_bytes(b"secret")
    (root / "space").symlink_to(outside)
    (root / "direct").symlink_to(outside / "secret")

    for key in ("space/secret", "direct"):
        with pytest.raises(ObjectNotFound):
            await content(store, ObjectKey(key))
    with pytest.raises(Unavailable):
        await store.put(ObjectKey("space/new"), pieces(b"x"), limit_bytes=1)
    await store.put(ObjectKey("direct"), pieces(b"mine"), limit_bytes=4)

    assert (outside / "secret").read_bytes() == b"secret"
    assert stored_files(outside) == [outside / "secret"]


async def test_what_is_no_file_is_not_read(root: Path) -> None:
    store = LocalObjectStore(root)
    await store.start()
    (root / "folder").mkdir()
    os.mkfifo(root / "pipe")

    for key in ("folder", "pipe"):
        with pytest.raises((ObjectNotFound, Unavailable)):
            await content(store, ObjectKey(key))


class CountingThreads(ThreadPoolExecutor):
    """The loop's threads, and how often something was handed to them."""

    handed = 0

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        self.handed += 1
        return super().submit(fn, *args, **kwargs)


async def test_a_small_object_is_written_and_read_in_one_hop_each(root: Path) -> None:
    objects = LocalObjectStore(root)
    await objects.start()
    threads = CountingThreads()
    asyncio.get_running_loop().set_default_executor(threads)

    await objects.put(KEY, pieces(b"small"), limit_bytes=MIB)
    assert threads.handed == 1
    assert await content(objects, KEY) == b"small"
    assert threads.handed == 2


async def test_a_full_disk_is_reported_and_leaves_nothing(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    objects = LocalObjectStore(root)
    await objects.start()

    def full(*_: object) -> int:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with pytest.raises(ObjectStoreFull):
            await objects.put(KEY, pieces(b"abc"), limit_bytes=3)

    assert stored_files(root) == []
    await objects.put(KEY, pieces(b"abc"), limit_bytes=3)


async def test_a_vanished_root_is_unavailable(root: Path) -> None:
    store = LocalObjectStore(root)

    with pytest.raises(Unavailable):
        await store.probe()
    with pytest.raises(Unavailable):
        await store.put(KEY, pieces(b"x"), limit_bytes=1)


async def test_leftovers_of_dead_processes_go_at_start(root: Path) -> None:
    store = LocalObjectStore(root)
    await store.start()
    await store.probe()
    old, young = root / ".incoming" / "old", root / ".incoming" / "young"
    old.write_bytes(b"x")
    young.write_bytes(b"x")
    os.utime(old, (0, 0))

    await store.start()

    assert stored_files(root) == [young]


async def test_large_objects_go_to_a_bucket_in_parts(s3: S3Server, tmp_path: Path) -> None:
    s3.create_bucket("large")
    store = bucket_of(s3.url, "large")
    data = os.urandom(20 * MIB + 5)

    stored = await store.put(
        KEY,
        pieces(*(data[at : at + MIB] for at in range(0, len(data), MIB))),
        limit_bytes=len(data),
    )

    assert stored.sha256 == hashlib.sha256(data).hexdigest()
    assert await content(store, KEY, start=17 * MIB, end=17 * MIB + 9) == data[17 * MIB :][:9]
    assert await content(store, KEY) == data


@pytest.mark.parametrize("fault", ["bucket", "credential", "address"])
async def test_a_bucket_that_cannot_be_used_is_unavailable(s3: S3Server, fault: str) -> None:
    s3.create_bucket(f"usable-{fault}")
    store = {
        "bucket": bucket_of(s3.url, "no-such-bucket"),
        "credential": bucket_of(s3.url, f"usable-{fault}", secret_key="wrong"),
        "address": bucket_of(f"http://127.0.0.1:{free_port()}", f"usable-{fault}"),
    }[fault]

    with pytest.raises(Unavailable):
        await store.probe()
    with pytest.raises(Unavailable):
        await store.put(KEY, pieces(b"abc"), limit_bytes=3)


async def test_clients_fetch_from_a_bucket_by_a_signed_address_for_a_while(s3: S3Server) -> None:
    s3.create_bucket("links")
    store = S3ObjectStore(
        "links",
        endpoint=s3.url,
        access_key=ACCESS_KEY,
        secret_key=SECRET_KEY,
        prefix="deployment",
        links_endpoint=s3.url,
    )
    key = ObjectKey("files/a_1")
    await store.put(key, pieces(b"content"), limit_bytes=100)
    now = datetime.now(UTC)
    wanted = {"media_type": "image/png", "disposition": 'inline; filename="a b.png"'}

    async with httpx.AsyncClient() as client:
        found = await client.get(store.address(key, now=now, ttl_s=60, **wanted))
        old = store.address(key, now=now - timedelta(hours=1), ttl_s=60, **wanted)
        forged = store.address(key, now=now, ttl_s=60, **wanted).replace("a_1", "a_2")
        refused = [(await client.get(each)).status_code for each in (old, forged)]

    assert (found.status_code, found.content) == (200, b"content")
    assert found.headers["content-type"] == "image/png"
    assert found.headers["content-disposition"] == wanted["disposition"]
    assert refused == [403, 403]


async def test_without_an_address_for_clients_objects_come_from_us(objects: ObjectStore) -> None:
    now = datetime.now(UTC)
    assert not objects.address(
        ObjectKey("a"), now=now, ttl_s=60, media_type="text/plain", disposition="inline"
    )


async def test_objects_are_listed_by_key(objects: ListedStore) -> None:
    keys = ["a/b", "a-b", "a/b-c", "a/c/d", "b", "a/z"]
    for key in keys:
        await objects.put(ObjectKey(key), pieces(key.encode()), limit_bytes=MIB)

    everything = [item async for item in objects.listed()]
    rest = [item.key.value async for item in objects.listed(after="a/b")]

    ordered = sorted(keys)
    assert [(item.key.value, item.size) for item in everything] == [(k, len(k)) for k in ordered]
    assert rest == ordered[ordered.index("a/b") + 1 :]
