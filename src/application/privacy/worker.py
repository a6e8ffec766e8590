"""Requests for data at work: files of what somebody said and left, and removal with a proof."""

import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, aclosing
from typing import Any, Final

import msgspec

from crossdomain.privacy.contract import PersonalRecords
from domain.privacy.repository import PrivacyStore, Selection
from domain.privacy.request import DataRequest
from domain.privacy.value import DataRequestKind, Section, StoreCount, Subject
from domain.shared.access import TenantScope
from domain.shared.error import AppError, StaleRevision
from infra.contract.clock import Clock
from infra.contract.messaging.signal import Signals
from infra.contract.storage.object_store import ObjectKey, ObjectNotFound, ObjectStore
from infra.contract.storage.transfer import ArchiveWriter, FinishedArchive

_logger: Final = logging.getLogger(__name__)
_AT_ONCE: Final = 20
_ROWS_AT_ONCE: Final = 500
_ROUNDS: Final = 3
"""What began before somebody's data is removed may still end meanwhile, and write."""
_RECORDS: Final = "database_row"
_OBJECTS: Final = "object"
_ARCHIVES: Final = "export_archive"
_LARGEST: Final = 64 * 1024**3
_PREFIX: Final = "privacy"
_README: Final = """What this workspace keeps of one person.

Each folder holds a kind of things: one line of JSON for each row, ids as texts, times in
microseconds since 1970. files/ has the files themselves, by their id. index.json counts it all.
"""

NewArchive = Callable[[], AbstractAsyncContextManager[FinishedArchive]]


class DataRequestWorker:
    """Does what was asked for, the oldest first; what it did twice is done once.

    ``cancels`` names the signal that stops a run, by the table of such runs. ``forget_words`` takes
    what was said in runs that are gone out of the text index.
    """

    def __init__(
        self,
        *,
        store: PrivacyStore,
        records: PersonalRecords,
        objects: ObjectStore,
        new_archive: NewArchive,
        new_name: Callable[[], str],
        signals: Signals,
        cancels: Mapping[str, str],
        forget_words: Callable[[], Awaitable[None]],
        clock: Clock,
    ) -> None:
        self._forget_words = forget_words
        self._signals = signals
        self._cancels = cancels
        self._store = store
        self._records = records
        self._objects = objects
        self._new_archive = new_archive
        self._new_name = new_name
        self._clock = clock

    async def work(self) -> int:
        """Do what waits; return how many requests are over then."""
        async with self._store.snapshot() as uow:
            waiting = await uow.jobs.waiting(limit=_AT_ONCE)
        return sum([await self._process(each) for each in waiting])

    async def drop_expired(self) -> None:
        """Remove the files whose time is over."""
        async with self._store.snapshot() as uow:
            old = await uow.jobs.archived(expired_at=self._clock.now(), limit=_ROWS_AT_ONCE)
        for request in old:
            await self._drop_archive(request)

    async def _process(self, request: DataRequest) -> bool:
        try:
            request.begin(now=self._clock.now())
            if await self._is_held(request):
                request.fail("A legal hold is on the workspace.", now=self._clock.now())
            elif request.kind is DataRequestKind.EXPORT:
                await self._export(request)
            elif await self._has_stopped(request):
                await self._erase(request)
        except StaleRevision:
            return False
        except Exception as exc:  # one that fails must not keep the others waiting
            _logger.exception("Data request %d failed; it is tried again.", request.id)
            text = exc.message if isinstance(exc, AppError) else "It failed unexpectedly."
            request.stumble(text, now=self._clock.now())
        try:
            await self._save(request)
        except StaleRevision:  # another process was faster
            if request.has_archive:
                await self._objects.delete(ObjectKey(request.object_key))
        return request.is_over

    async def _is_held(self, request: DataRequest) -> bool:
        if request.kind is not DataRequestKind.DELETE:
            return False
        async with self._store.snapshot() as uow:
            return await uow.jobs.is_held(request.space_id)

    async def _has_stopped(self, request: DataRequest) -> bool:
        """Tell whether nothing runs for somebody any more, or was given its time."""
        now = self._clock.now()
        async with self._store.transaction() as uow:
            left = await uow.people.stop(request.person, now=now)
            await uow.commit()
        for table, run_id in left:
            self._signals.send(self._cancels[table], str(run_id))
        return not left or not request.is_patient(now)

    async def _erase(self, request: DataRequest) -> None:
        subject = request.person
        found: dict[str, StoreCount] = {}
        gone: dict[str, int] = {}
        for _ in range(_ROUNDS):
            async with self._store.snapshot() as uow:
                selection = await uow.people.of(subject)
                counts = await uow.people.count(selection)
                keys = await uow.people.objects(selection)
            rows = await self._records.count(subject.space_id, subject.name)
            counts = [
                *counts,
                StoreCount(store=_OBJECTS, section=Section.FILES, found=len(keys)),
                StoreCount(store=_RECORDS, section=Section.RECORDS, found=rows),
            ]
            for each in counts:
                known = found.get(each.store)
                total = each.found + (known.found if known else 0)
                found[each.store] = msgspec.structs.replace(each, found=total)
            if not any(each.found for each in counts):
                break
            for key in keys:  # as long as there is a row, its object can be found
                await self._objects.delete(ObjectKey(key))
            _add(gone, {_OBJECTS: len(keys)})
            _add(gone, {_RECORDS: await self._records.remove(subject.space_id, subject.name)})
            async with self._store.transaction() as uow:
                _add(gone, await uow.people.forget(selection))
                await uow.commit()
        await self._forget_words()
        archives = await self._drop_archives(request)
        found[_ARCHIVES] = StoreCount(store=_ARCHIVES, section=Section.FILES, found=archives)
        _add(gone, {_ARCHIVES: archives})
        left = await self._left(subject)
        request.erase(_proof(found, gone, left), now=self._clock.now())

    async def _left(self, subject: Subject) -> Mapping[str, int]:
        async with self._store.snapshot() as uow:
            selection = await uow.people.of(subject)
            counts = {each.store: each.found for each in await uow.people.count(selection)}
        counts[_RECORDS] = await self._records.count(subject.space_id, subject.name)
        return counts

    async def _export(self, request: DataRequest) -> None:
        subject = request.person
        async with self._store.snapshot() as uow:
            selection = await uow.people.of(subject)
            stores = uow.people.stores()
        async with self._new_archive() as archive:
            async with archive.writing() as writer:
                proof = await self._write(writer, request, selection, stores)
            key = ObjectKey(f"{_PREFIX}/{request.space_id}/{request.id}-{self._new_name()}")
            async with aclosing(archive.chunks()) as chunks:
                stored = await self._objects.put(key, chunks, limit_bytes=_LARGEST)
        request.export(proof, object_key=key.value, size=stored.size, now=self._clock.now())

    async def _write(
        self,
        writer: ArchiveWriter,
        request: DataRequest,
        selection: Selection,
        stores: Sequence[tuple[str, Section]],
    ) -> tuple[StoreCount, ...]:
        proof = []
        async with writer.entry("README.txt", is_packed=False) as append:
            await append(_README.encode())
        for store, section in stores:
            count = 0
            pages = self._pages(selection, store)
            first = await anext(pages, None)
            if first is not None:
                name = f"{section.value}/{store}.jsonl"
                async with writer.entry(name, is_packed=False) as append:
                    await append(_lines(first))
                    count += len(first)
                    async for rows in pages:
                        await append(_lines(rows))
                        count += len(rows)
            proof.append(StoreCount(store=store, section=section, found=count))
        proof.append(await self._write_records(writer, request.person))
        proof.append(await self._write_files(writer, selection))
        index = {
            "kind": request.subject_kind.value,
            "workspace_id": str(request.space_id),
            "made_at": self._clock.now().isoformat(),
            "stores": [msgspec.to_builtins(each) for each in proof],
        }
        async with writer.entry("index.json", is_packed=False) as append:
            await append(msgspec.json.format(msgspec.json.encode(index)))
        return tuple(proof)

    async def _write_records(self, writer: ArchiveWriter, subject: Subject) -> StoreCount:
        count = 0
        if await self._records.count(subject.space_id, subject.name):
            async with writer.entry(f"records/{_RECORDS}.jsonl", is_packed=False) as append:
                async for row in self._records.export(subject.space_id, subject.name):
                    await append(_lines([row]))
                    count += 1
        return StoreCount(store=_RECORDS, section=Section.RECORDS, found=count)

    async def _write_files(self, writer: ArchiveWriter, selection: Selection) -> StoreCount:
        count = 0
        async for rows in self._pages(selection, "file"):
            for row in rows:
                count += await self._write_file(writer, row)
        return StoreCount(store=_OBJECTS, section=Section.FILES, found=count)

    async def _write_file(self, writer: ArchiveWriter, row: Mapping[str, Any]) -> bool:
        async with aclosing(self._objects.read(ObjectKey(str(row["object_key"])))) as chunks:
            try:
                chunk = await anext(chunks, b"")
            except ObjectNotFound:  # an upload that never ended, or bytes that went already
                return False
            name = f"files/{row['id']}/{row['name']}"
            async with writer.entry(name, is_packed=True) as append:
                await append(chunk)
                async for chunk in chunks:
                    await append(chunk)
        return True

    async def _pages(
        self, selection: Selection, store: str
    ) -> AsyncIterator[Sequence[Mapping[str, Any]]]:
        after: Sequence[Any] | None = None
        while True:
            async with self._store.snapshot() as uow:
                rows, after = await uow.people.page(
                    selection, store, after=after, limit=_ROWS_AT_ONCE
                )
            if rows:
                yield rows
            if after is None:
                return

    async def _drop_archives(self, request: DataRequest) -> int:
        """Remove files of earlier requests for the same person."""
        digest, count = request.subject_digest, 0
        async with self._store.snapshot() as uow:
            found = await uow.jobs.archived(digest=digest, limit=_ROWS_AT_ONCE)
        for each in found:
            count += await self._drop_archive(each)
        return count

    async def _drop_archive(self, request: DataRequest) -> bool:
        await self._objects.delete(ObjectKey(request.object_key))
        request.drop_archive()
        try:
            await self._save(request)
        except StaleRevision:
            return False
        return True

    async def _save(self, request: DataRequest) -> None:
        scope = TenantScope(request.creator_id, frozenset({request.space_id}))
        async with self._store.transaction() as uow:
            await uow.requests.save(scope, request)
            await uow.commit()


def _add(sums: dict[str, int], more: Mapping[str, int]) -> None:
    for store, count in more.items():
        sums[store] = sums.get(store, 0) + count


def _proof(
    found: Mapping[str, StoreCount], gone: Mapping[str, int], left: Mapping[str, int]
) -> tuple[StoreCount, ...]:
    """Say of each place what became of what was found; what was used stays without a name."""
    proof = []
    for store, each in found.items():
        done, is_usage = gone.get(store, 0), store == "model_call"
        proof.append(
            msgspec.structs.replace(
                each,
                removed=0 if is_usage else done,
                disowned=done if is_usage else 0,
                left=left.get(store, 0),
            )
        )
    return tuple(proof)


def _lines(rows: Sequence[Mapping[str, Any]]) -> bytes:
    return b"".join(msgspec.json.encode(row) + b"\n" for row in rows)
