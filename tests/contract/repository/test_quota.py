"""What workspaces may keep: counted where it is added, however many add at the same time."""

import asyncio

import pytest

from domain.file.entity import File
from domain.knowledge.value import DatasetId, DocumentId
from domain.shared.access import TenantScope
from domain.shared.capacity.quota import QuotaExceeded, Quotas, Usage
from domain.shared.ids import FileId, SpaceId
from domain.shared.limits import Limits
from infra.contract.storage.object_store import StoredObject
from infra.impl.repository.sql.engine.database import Database
from infra.impl.repository.sql.file.repository import SqlFileStore
from infra.impl.repository.sql.knowledge.repository import SqlKnowledgeStore
from tests.support.clock import FrozenClock
from tests.support.knowledge.sample import OWNER, SCOPE, SPACE, new_dataset, new_document

OTHER = SpaceId(SPACE + 1)
MOST = 5
BYTES = 10
AT_ONCE = 20


class Writer:
    """Adds to a workspace as services do."""

    def __init__(self, database: Database, clock: FrozenClock, **limits: int) -> None:
        self.files, self.knowledge = SqlFileStore(database, clock), SqlKnowledgeStore(database)
        self.clock = clock
        self.quotas = Quotas(Limits(**limits))

    async def file(self, number: int, space_id: SpaceId = SPACE) -> None:
        scope = TenantScope(OWNER, frozenset({space_id}))
        async with self.files.transaction() as uow:
            await self.quotas.require(uow, space_id, Usage(files=1, bytes=BYTES))
            now = self.clock.now()
            file = File.begin(FileId(number), space_id, creator_id=OWNER, name="a.txt", now=now)
            stored = StoredObject(size=BYTES, sha256="ab" * 32)
            file.complete(stored, media_type="text/plain", now=now)
            await uow.files.save(scope, file)
            await uow.commit()

    async def delete_file(self, number: int) -> None:
        async with self.files.transaction() as uow:
            file = await uow.files.get(SCOPE, FileId(number))
            file.delete(now=self.clock.now())
            await uow.files.save(SCOPE, file)
            await uow.commit()

    async def document(self, number: int) -> None:
        async with self.knowledge.transaction() as uow:
            await self.quotas.require(uow, SPACE, Usage(documents=1, bytes=BYTES))
            document = new_document(number, now=self.clock.now())
            await uow.documents.save(SCOPE, document)
            await uow.commit()

    async def base(self) -> None:
        async with self.knowledge.transaction() as uow:
            await uow.datasets.save(SCOPE, new_dataset(now=self.clock.now()))
            await uow.commit()


async def refused(*adding: "asyncio.Future[None]") -> int:
    ends = await asyncio.gather(*adding, return_exceptions=True)
    unexpected = [end for end in ends if end is not None and not isinstance(end, QuotaExceeded)]
    assert not unexpected
    return sum(isinstance(end, QuotaExceeded) for end in ends)


async def test_files_are_as_many_as_they_may_be(database: Database, clock: FrozenClock) -> None:
    writer = Writer(database, clock, workspace_files=MOST)

    count = await refused(
        *(asyncio.ensure_future(writer.file(number)) for number in range(1, AT_ONCE + 1))
    )
    await writer.file(100, OTHER)

    assert count == AT_ONCE - MOST
    with pytest.raises(QuotaExceeded) as told:
        await writer.file(101)
    assert told.value.context["limit"] == "workspace_files"
    assert "limits.workspace_files" in told.value.message


async def test_a_deleted_file_makes_room_for_another_but_its_bytes_wait_for_the_purge(
    database: Database, clock: FrozenClock
) -> None:
    writer = Writer(database, clock, workspace_files=1, workspace_bytes=2 * BYTES)
    await writer.file(1)
    with pytest.raises(QuotaExceeded):
        await writer.file(2)

    await writer.delete_file(1)
    await writer.file(2)
    await writer.delete_file(2)

    with pytest.raises(QuotaExceeded) as told:
        await writer.file(3)
    assert told.value.context["limit"] == "workspace_bytes"


async def test_documents_are_as_many_as_they_may_be(database: Database, clock: FrozenClock) -> None:
    writer = Writer(database, clock, workspace_documents=MOST)
    await writer.base()

    count = await refused(
        *(asyncio.ensure_future(writer.document(number)) for number in range(1, AT_ONCE + 1))
    )

    assert count == AT_ONCE - MOST
    async with writer.knowledge.transaction() as uow:
        await uow.documents.delete_all(SCOPE, DatasetId(1), now=clock.now())
        await uow.commit()
    await writer.document(100)
    async with writer.knowledge.snapshot() as uow:
        assert (await uow.documents.get(SCOPE, DocumentId(100))).size == BYTES
        assert await uow.usage.of(SPACE) == Usage(bytes=BYTES, documents=1)


async def test_bytes_of_files_and_documents_count_together(
    database: Database, clock: FrozenClock
) -> None:
    writer = Writer(database, clock, workspace_bytes=MOST * BYTES)
    await writer.base()
    adding = [writer.file(number) for number in range(1, 4)]
    adding += [writer.document(number) for number in range(1, 4)]

    count = await refused(*map(asyncio.ensure_future, adding))

    assert count == 1


async def test_without_a_quota_nothing_is_counted(database: Database, clock: FrozenClock) -> None:
    writer = Writer(database, clock)
    async with writer.files.transaction() as uow:
        uow.usage.of = None  # type: ignore[assignment, method-assign]
        await writer.quotas.require(uow, SPACE, Usage(files=10**9, bytes=10**15))
