"""Images and files as other contexts get them."""

import base64
import hashlib
import io
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from PIL import Image

from crossdomain.file.impl import DomainFiles
from domain.file.entity import File
from domain.file.error import FileNotFound, ImageRefused
from domain.file.service import FileResolver
from domain.file.signature import FileLinks, LinkSigner
from domain.shared.access import TenantScope
from domain.shared.ids import FileId, SpaceId, UserId
from domain.shared.limits import Limits
from domain.shared.secret import Secret
from infra.contract.egress import (
    EgressDenied,
    EgressFailed,
    EgressPolicy,
    EgressRequest,
    EgressResponse,
)
from infra.impl.object_store.local import LocalObjectStore
from infra.impl.repository.sql.engine.database import Database
from infra.impl.repository.sql.file.repository import SqlFileStore
from tests.support.clock import FrozenClock

SPACE = SpaceId(7)
SCOPE = TenantScope(UserId(1), frozenset({SPACE}))
FOREIGN = TenantScope(UserId(2), frozenset({SpaceId(8)}))
LIMITS = Limits(image_bytes=10_000)


def png() -> bytes:
    buffer = io.BytesIO()
    Image.new("RGB", (4, 4), "red").save(buffer, "PNG")
    return buffer.getvalue()


class ScriptedEgress:
    """Answers every request with what it was given, and remembers the policy."""

    def __init__(self, answer: EgressResponse | Exception) -> None:
        self.answer = answer
        self.policies: list[EgressPolicy] = []

    async def request(self, request: EgressRequest, policy: EgressPolicy) -> EgressResponse:
        self.policies.append(policy)
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


def answer(body: bytes, status: int = 200) -> EgressResponse:
    return EgressResponse(status=status, headers={}, body=body, url="http://a.example/x")


@pytest.fixture
def egress() -> ScriptedEgress:
    return ScriptedEgress(answer(png()))


@pytest.fixture
def store(sqlite_database: Database, clock: FrozenClock) -> SqlFileStore:
    return SqlFileStore(sqlite_database, clock)


@pytest.fixture
async def objects(tmp_path: Path) -> LocalObjectStore:
    objects = LocalObjectStore(tmp_path / "objects")
    await objects.start()
    return objects


@pytest.fixture
def links() -> FileLinks:
    return FileLinks(signer=LinkSigner([Secret("k" * 32)]), public_url="http://server.example")


@pytest.fixture
def files(
    store: SqlFileStore,
    objects: LocalObjectStore,
    egress: ScriptedEgress,
    links: FileLinks,
    clock: FrozenClock,
) -> DomainFiles:
    return DomainFiles(
        FileResolver(
            store=store, objects=objects, egress=egress, links=links, clock=clock, limits=LIMITS
        )
    )


async def put(
    store: SqlFileStore, objects: LocalObjectStore, clock: FrozenClock, data: bytes, id_: int = 1
) -> File:
    async def chunks() -> AsyncIterator[bytes]:
        yield data

    file = File.begin(FileId(id_), SPACE, creator_id=UserId(1), name="a.png", now=clock.now())
    stored = await objects.put(file.object_key, chunks(), limit_bytes=10**6)
    file.complete(stored, media_type="image/png", now=clock.now())
    async with store.transaction() as uow:
        await uow.files.save(SCOPE, file)
        await uow.commit()
    return file


async def test_files_are_described_with_signed_addresses(
    files: DomainFiles,
    store: SqlFileStore,
    objects: LocalObjectStore,
    links: FileLinks,
    clock: FrozenClock,
) -> None:
    file = await put(store, objects, clock, png())

    described = (await files.describe(SCOPE, [file.id]))[file.id]

    assert (described.name, described.size, described.sha256) == ("a.png", file.size, file.sha256)
    link = links.own(described.url, now=clock.now())
    assert link is not None
    assert link.file_id == file.id
    assert await files.describe(SCOPE, []) == {}


async def test_the_first_unknown_file_is_named(
    files: DomainFiles, store: SqlFileStore, objects: LocalObjectStore, clock: FrozenClock
) -> None:
    file = await put(store, objects, clock, png())

    with pytest.raises(FileNotFound, match="No file 5"):
        await files.describe(SCOPE, [file.id, FileId(5), FileId(6)])
    with pytest.raises(FileNotFound, match="No file 1"):
        await files.describe(FOREIGN, [file.id])


async def test_an_image_is_loaded_by_id_within_its_space(
    files: DomainFiles, store: SqlFileStore, objects: LocalObjectStore, clock: FrozenClock
) -> None:
    file = await put(store, objects, clock, png())

    image = await files.load_image(SCOPE, file_id=file.id)

    assert (image.data, image.media_type, image.sha256) == (png(), "image/png", file.sha256)
    with pytest.raises(FileNotFound):
        await files.load_image(FOREIGN, file_id=file.id)


async def test_what_is_stored_as_an_image_is_checked_again(
    files: DomainFiles, store: SqlFileStore, objects: LocalObjectStore, clock: FrozenClock
) -> None:
    text = await put(store, objects, clock, b"<svg/>", 1)
    large = await put(store, objects, clock, png() + b"\0" * 10_000, 2)

    for file in (text, large):
        with pytest.raises(ImageRefused):
            await files.load_image(SCOPE, file_id=file.id)


async def test_an_address_of_our_own_needs_no_network(
    *,
    files: DomainFiles,
    store: SqlFileStore,
    objects: LocalObjectStore,
    links: FileLinks,
    egress: ScriptedEgress,
    clock: FrozenClock,
) -> None:
    file = await put(store, objects, clock, png())
    url = links.url(SPACE, file.id, now=clock.now())

    assert (await files.load_image(SCOPE, url=url)).data == png()
    with pytest.raises(FileNotFound):
        await files.load_image(FOREIGN, url=url)
    with pytest.raises(ImageRefused):
        await files.load_image(SCOPE, url=url + "A")
    assert egress.policies == []


async def test_a_remote_image_comes_through_the_egress_gate(
    files: DomainFiles, egress: ScriptedEgress
) -> None:
    image = await files.load_image(SCOPE, url="https://a.example/x.png")

    assert image.sha256 == hashlib.sha256(png()).hexdigest()
    policy = egress.policies[0]
    assert policy.profile == "tenant"
    assert policy.max_bytes == LIMITS.image_bytes
    assert policy.allow_methods == {"GET"}


@pytest.mark.parametrize(
    "result",
    [
        EgressDenied("private address"),
        EgressFailed("time-out"),
        answer(png(), 404),
        answer(b"<html>"),
    ],
)
async def test_a_remote_image_that_fails_is_refused(
    files: DomainFiles, egress: ScriptedEgress, result: EgressResponse | Exception
) -> None:
    egress.answer = result

    with pytest.raises(ImageRefused):
        await files.load_image(SCOPE, url="https://a.example/x.png")


async def test_a_data_address_is_decoded_and_sniffed(files: DomainFiles) -> None:
    text = base64.b64encode(png()).decode()

    for header in ("data:image/png;base64,", "DATA:image/jpeg;BASE64,", "data:;base64,"):
        assert (await files.load_image(SCOPE, url=header + text)).media_type == "image/png"


@pytest.mark.parametrize(
    "url",
    [
        "",
        "ftp://a.example/x.png",
        "file:///etc/passwd",
        "//a.example/x.png",
        "data:",
        "data:image/png,abc",
        "data:image/png;base64,%%%",
        "data:image/png;base64,ä",
        "data:image/png;base64,",
        "data:image/png;base64," + base64.b64encode(b"<svg/>").decode(),
        "data:image/png;base64," + base64.b64encode(png() + b"\0" * 10_000).decode(),
        "data:" + "a" * 300 + ";base64,AAAA",
    ],
)
async def test_other_addresses_are_refused(files: DomainFiles, url: str) -> None:
    with pytest.raises(ImageRefused):
        await files.load_image(SCOPE, url=url)
