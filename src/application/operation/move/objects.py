"""Moves objects from one store into another."""

import asyncio
import hashlib
from collections.abc import AsyncGenerator, AsyncIterable, Sequence
from contextlib import aclosing
from typing import Final, Protocol

from application.operation.archive.digest import Digest
from application.operation.move.transfer import (
    Journal,
    PartReport,
    Tell,
    decode_cursor,
    encode_cursor,
)
from infra.contract.storage.object_store import ObjectKey, ObjectNotFound, ObjectStore
from infra.contract.storage.transfer import ListedObject, ObjectCatalogue

NAME: Final = "objects"
_AT_ONCE: Final = 4


class ReadableObjects(ObjectCatalogue, Protocol):
    """Objects that can be listed and read."""

    def read(
        self, key: ObjectKey, *, start: int = 0, end: int | None = None
    ) -> AsyncGenerator[bytes, None]: ...


class ObjectMove:
    """Object by object, in the order of keys; what is read back must have the same bytes."""

    def __init__(self, source: ReadableObjects, target: ObjectStore, *, tell: Tell) -> None:
        self._source = source
        self._target = target
        self._tell = tell

    async def run(self, journal: Journal) -> None:
        """Move what is not there yet; a key always names the same bytes."""
        step = journal.step(NAME)
        if step.is_over:
            return
        total = step.done + await _count(self._source, after=decode_cursor(step.cursor) or "")
        async for batch in _batches(self._source, after=decode_cursor(step.cursor) or ""):
            async with asyncio.TaskGroup() as group:
                for item in batch:
                    group.create_task(self._copy(item))
            step = step.advanced(len(batch), cursor=encode_cursor(batch[-1].key.value))
            await journal.save(step)
            self._tell(NAME, step.done, total)
        await journal.save(step.ended())

    async def verify(self, journal: Journal | None) -> list[PartReport]:
        """Read everything on both sides and compare; with a journal, remove what differs."""
        ours, theirs = Digest(), Digest()
        wrong: list[ObjectKey] = []
        async for batch in _batches(self._source):
            async with asyncio.TaskGroup() as group:
                pairs = [
                    (
                        item.key,
                        group.create_task(digest_of(self._source, item.key)),
                        group.create_task(digest_of(self._target, item.key)),
                    )
                    for item in batch
                ]
            for key, source, target in pairs:
                ours.add([(key.value, source.result())])
                if (found := target.result()) is not None:
                    theirs.add([(key.value, found)])
                if found != source.result():
                    wrong.append(key)
            self._tell("compare objects", ours.count, ours.count)
        for key in wrong if journal is not None else ():
            await self._target.delete(key)
        if wrong and journal is not None:
            await journal.again([NAME])
        report = PartReport(
            name=NAME,
            source=ours.count,
            target=theirs.count,
            checksum=ours.text,
            is_equal=not wrong,
            note=", ".join(key.value for key in wrong[:_AT_ONCE]),
        )
        return [report]

    async def _copy(self, item: ListedObject) -> None:
        try:
            async with aclosing(self._source.read(item.key)) as chunks:
                await self._target.put(item.key, chunks, limit_bytes=item.size)
        except ObjectNotFound:
            return  # removed since it was listed


async def digest_of(store: ReadableObjects | ObjectStore, key: ObjectKey) -> str | None:
    """Return the SHA-256 of an object; None if there is none."""
    hashed = hashlib.sha256()
    try:
        async with aclosing(store.read(key)) as chunks:
            async for chunk in chunks:
                await asyncio.to_thread(hashed.update, chunk)
    except ObjectNotFound:
        return None
    return hashed.hexdigest()


async def _count(catalogue: ObjectCatalogue, *, after: str) -> int:
    count = 0
    async for _ in catalogue.listed(after=after):
        count += 1
    return count


async def _batches(
    catalogue: ObjectCatalogue, *, after: str = ""
) -> AsyncIterable[Sequence[ListedObject]]:
    batch: list[ListedObject] = []
    async for item in catalogue.listed(after=after):
        batch.append(item)
        if len(batch) == _AT_ONCE:
            yield batch
            batch = []
    if batch:
        yield batch
