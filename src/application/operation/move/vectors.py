"""Moves stored vectors: nothing is embedded again."""

from typing import Final

from application.operation.archive.digest import Digest
from application.operation.move.transfer import (
    Journal,
    PartReport,
    Tell,
    decode_cursor,
    encode_cursor,
)
from infra.contract.storage.search_index import (
    MAX_BATCH,
    CollectionNotFound,
    EntryStore,
    VectorCollection,
    VectorIndexes,
    Where,
)
from infra.contract.storage.transfer import VectorSource

PREFIX: Final = "vectors/"
_PROBES: Final = 20
_NEAREST: Final = 10
_SAME: Final = 0.999
_PAGE: Final = 1000


class VectorMove:
    """Collection by collection, in the order of entries' ids."""

    def __init__(self, source: VectorSource, target: VectorIndexes, *, tell: Tell) -> None:
        self._source = source
        self._target = target
        self._tell = tell

    async def run(self, journal: Journal) -> None:
        """Move what is not there yet; entries are written by id, so that repeating is harmless."""
        for collection in await self._source.collections():
            await self._move(collection, journal)

    async def verify(self, journal: Journal | None) -> list[PartReport]:
        """Compare ids, and look samples up by their own vector.

        With a journal, drop what differs, to be moved by the next run.
        """
        reports = []
        for collection in await self._source.collections():
            report = await self._compare(collection)
            reports.append(report)
            if journal is not None and not report.is_equal:
                await self._target.drop(collection.name)
                await journal.again([report.name])
        return reports

    async def _move(self, collection: VectorCollection, journal: Journal) -> None:
        step = journal.step(f"{PREFIX}{collection.name}")
        if step.is_over:
            return
        await self._target.create(collection)
        index = await self._target.open(collection.name)
        while True:
            after = decode_cursor(step.cursor)
            entries = await self._source.read(
                collection.name, after=-1 if after is None else after, limit=MAX_BATCH
            )
            if not entries:
                break
            await index.upsert(entries)
            step = step.advanced(len(entries), cursor=encode_cursor(entries[-1].key.id))
            await journal.save(step)
            self._tell(step.name, step.done, step.done)
        await journal.save(step.ended())

    async def _compare(self, collection: VectorCollection) -> PartReport:
        name = f"{PREFIX}{collection.name}"
        ours = await self._digest(collection.name)
        try:
            index = await self._target.open(collection.name)
        except CollectionNotFound:
            return PartReport(name=name, source=ours.count, target=0, is_equal=False)
        theirs = await entries_digest(index)
        lost = 0
        if is_equal := (ours.count, ours.text) == (theirs.count, theirs.text):
            for entry in await self._source.read(collection.name, after=-1, limit=_PROBES):
                where = Where(documents=frozenset({entry.key.document_id}))
                hits = await index.search(entry.vector, limit=_NEAREST, where=where)
                lost += not hits or hits[0].raw < _SAME
        return PartReport(
            name=name,
            source=ours.count,
            target=theirs.count,
            checksum=ours.text,
            is_equal=is_equal and not lost,
            note=f"{lost} of {_PROBES} samples are not found" if lost else "",
        )

    async def _digest(self, name: str) -> Digest:
        digest, after = Digest(), -1
        while entries := await self._source.read(name, after=after, limit=_PAGE):
            digest.add([(e.key.id, e.key.document_id, e.key.generation) for e in entries])
            after = entries[-1].key.id
        return digest


async def entries_digest(index: EntryStore) -> Digest:
    """Count and check whose entries a collection holds."""
    digest, after = Digest(), -1
    while keys := await index.scan(after=after, limit=_PAGE):
        digest.add([(key.id, key.document_id, key.generation) for key in keys])
        after = keys[-1].id
    return digest
