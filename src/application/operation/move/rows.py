"""Moves the rows of the product's database, table by table in the order of keys."""

import asyncio

from application.operation.archive.digest import Digest
from application.operation.move.transfer import (
    BATCH,
    Journal,
    PartReport,
    Tell,
    decode_cursor,
    encode_cursor,
)
from infra.contract.storage.transfer import Row, RowSnapshot, RowSource, RowTable, RowTarget

PREFIX = "rows/"


class RowMove:
    """From one instant of the source; a table whose checksum differs afterwards is begun anew."""

    def __init__(self, source: RowSource, target: RowTarget, *, tell: Tell) -> None:
        self._source = source
        self._target = target
        self._tell = tell

    async def run(self, journal: Journal) -> None:
        """Move what is not there yet."""
        async with self._source.snapshot() as snapshot:
            for table in snapshot.tables:
                await self._move(snapshot, table, journal)

    async def verify(self, journal: Journal | None) -> list[PartReport]:
        """Compare both sides; with a journal, empty what differs, to be moved by the next run."""
        async with self._source.snapshot() as ours, self._target.snapshot() as theirs:
            reports = [await self._compare(ours, theirs, table) for table in ours.tables]
        for report in reports:
            if journal is not None and not report.is_equal:
                step = journal.step(report.name)
                await self._target.clear(report.name.removeprefix(PREFIX), step)
                journal.steps.pop(report.name, None)
        return reports

    async def _move(self, snapshot: RowSnapshot, table: RowTable, journal: Journal) -> None:
        step = journal.step(f"{PREFIX}{table.name}")
        total = await snapshot.count(table.name)
        while not step.is_over:
            after = decode_cursor(step.cursor)
            rows = await snapshot.page(
                table.name, after=None if after is None else tuple(after), limit=BATCH
            )
            if not rows:
                step = step.ended()
                await journal.save(step)
                break
            step = step.advanced(len(rows), cursor=encode_cursor(table.key_of(rows[-1])))
            await self._target.write(table.name, rows, step)
            journal.note(step)
            self._tell(step.name, step.done, total)

    async def _compare(self, ours: RowSnapshot, theirs: RowSnapshot, table: RowTable) -> PartReport:
        name = f"{PREFIX}{table.name}"
        total = await ours.count(table.name)
        source = await self._digest(ours, table, total)
        target = await self._digest(theirs, table, total)
        return PartReport(
            name=name,
            source=source.count,
            target=target.count,
            checksum=source.text,
            is_equal=(source.count, source.text) == (target.count, target.text),
        )

    async def _digest(self, snapshot: RowSnapshot, table: RowTable, total: int) -> Digest:
        digest = Digest()
        after: Row | None = None
        while rows := await snapshot.page(table.name, after=after, limit=BATCH):
            await asyncio.to_thread(digest.add, rows)
            after = table.key_of(rows[-1])
            self._tell(f"compare {table.name}", digest.count, max(total, digest.count))
        return digest
