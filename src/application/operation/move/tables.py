"""Moves the tables whose columns tenants define."""

import asyncio
from collections.abc import Sequence
from dataclasses import asdict
from typing import Final, Protocol

from application.operation.archive.digest import Digest
from application.operation.move.transfer import (
    Journal,
    PartReport,
    Tell,
    decode_cursor,
    encode_cursor,
)
from infra.contract.storage.transfer import TableCatalogue
from infra.contract.table.store import (
    MAX_ROWS_PER_CALL,
    PhysicalTable,
    TableMissing,
    TableRef,
    TableRow,
    TableStore,
)

PREFIX: Final = "tables/"


class ScannedTables(Protocol):
    """What a move reads of a table store."""

    async def scan(self, ref: TableRef, *, after: int, limit: int) -> Sequence[TableRow]: ...

    async def count(self, ref: TableRef) -> int: ...


class TableMove:
    """Through the ports of both stores: whatever engine they are of."""

    def __init__(
        self, catalogue: TableCatalogue, source: ScannedTables, target: TableStore, *, tell: Tell
    ) -> None:
        self._catalogue = catalogue
        self._source = source
        self._target = target
        self._tell = tell

    async def run(self, journal: Journal) -> None:
        """Move what is not there yet; rows are written by key, so that repeating is harmless."""
        for table in await self._catalogue.tables():
            await self._move(table, journal)

    async def verify(self, journal: Journal | None) -> list[PartReport]:
        """Compare both sides; with a journal, drop what differs, to be moved by the next run."""
        reports = []
        for table in await self._catalogue.tables():
            report = await self._compare(table)
            reports.append(report)
            if journal is not None and not report.is_equal:
                await self._target.drop(table.ref)
                await journal.again([report.name])
        return reports

    async def _move(self, table: PhysicalTable, journal: Journal) -> None:
        step = journal.step(_name(table.ref))
        if step.is_over:
            return
        total = await self._source.count(table.ref)
        await self._target.create(table)
        while True:
            after = decode_cursor(step.cursor)
            rows = await self._source.scan(
                table.ref, after=-1 if after is None else after, limit=MAX_ROWS_PER_CALL
            )
            if not rows:
                break
            await self._target.upsert(table.ref, rows)
            step = step.advanced(len(rows), cursor=encode_cursor(rows[-1].key))
            await journal.save(step)
            self._tell(step.name, step.done, total)
        await journal.save(step.ended())

    async def _compare(self, table: PhysicalTable) -> PartReport:
        source = await _digest(self._source, table.ref)
        try:
            target = await _digest(self._target, table.ref)
        except TableMissing:
            target = Digest()
            return _report(table.ref, source, target, is_equal=False)
        is_equal = (source.count, source.text) == (target.count, target.text)
        return _report(table.ref, source, target, is_equal=is_equal)


async def _digest(store: ScannedTables, ref: TableRef) -> Digest:
    digest, after = Digest(), -1
    while rows := await store.scan(ref, after=after, limit=MAX_ROWS_PER_CALL):
        await asyncio.to_thread(digest.add, [asdict(row) for row in rows])
        after = rows[-1].key
    return digest


def _report(ref: TableRef, source: Digest, target: Digest, *, is_equal: bool) -> PartReport:
    return PartReport(
        name=_name(ref),
        source=source.count,
        target=target.count,
        checksum=source.text,
        is_equal=is_equal,
    )


def _name(ref: TableRef) -> str:
    return f"{PREFIX}{ref.space_id}/{ref.name}"
