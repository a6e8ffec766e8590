"""Fills the search stores of a deployment that was moved or restored."""

from contextlib import aclosing
from typing import Final

from application.knowledge.dataset.restoring import Collection, IndexRestorer
from application.operation.move.transfer import (
    Journal,
    PartReport,
    Tell,
    decode_cursor,
    encode_cursor,
)

PREFIX: Final = "texts/"


class IndexMove:
    """Words from the database's slices; with ``is_embedding`` their vectors too, anew."""

    def __init__(self, restorer: IndexRestorer, *, is_embedding: bool, tell: Tell) -> None:
        self._restorer = restorer
        self._is_embedding = is_embedding
        self._tell = tell

    async def run(self, journal: Journal) -> None:
        """Index what is not yet; entries are written by id, so that repeating is harmless."""
        for collection in await self._restorer.collections():
            await self._fill(collection, journal)

    async def verify(self, journal: Journal | None) -> list[PartReport]:
        """Count entries and slices; with a journal, have what differs filled by the next run."""
        reports = []
        for collection in await self._restorer.collections():
            wanted = await self._restorer.size(collection)
            held = await self._restorer.held(collection)
            name = f"{PREFIX}{collection.name}"
            reports.append(
                PartReport(name=name, source=wanted, target=held, is_equal=wanted == held)
            )
            if journal is not None and wanted != held:
                await journal.again([name])
        return reports

    async def _fill(self, collection: Collection, journal: Journal) -> None:
        step = journal.step(f"{PREFIX}{collection.name}")
        if step.is_over:
            return
        total = await self._restorer.size(collection)
        after = decode_cursor(step.cursor) or 0
        async with aclosing(self._restorer.slices(collection, after=after)) as batches:
            async for batch in batches:
                if self._is_embedding:
                    await self._restorer.fill(collection, batch)
                else:
                    await self._restorer.fill_texts(collection, batch)
                step = step.advanced(len(batch), cursor=encode_cursor(batch[-1].id))
                await journal.save(step)
                self._tell(step.name, step.done, total)
        await journal.save(step.ended())
