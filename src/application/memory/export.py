"""Rows of database tables as files, and files to be filled in."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from application.memory.database_service import permitted
from application.memory.dto import RecordTarget
from application.memory.record_service import RecordService
from application.memory.rows import Found
from domain.memory.database import DatabaseTable, FieldType
from domain.memory.record import Caller
from domain.memory.repository import MemoryStore
from domain.shared.access import Permission, Principal
from infra.contract.table_file import TableFile, TableFiles

ROWS_AT_ONCE: Final = 500
_EXAMPLES: Final = {
    FieldType.TEXT: "text",
    FieldType.NUMBER: 1,
    FieldType.DATE: "2030-01-31 08:30:00",
    FieldType.FLOAT: 1.5,
    FieldType.BOOLEAN: True,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Export:
    """A file on its way; ``chunks`` are read once."""

    name: str
    media_type: str
    chunks: AsyncGenerator[bytes, None]


class ExportService:
    """Writes what ``records:query`` would show, all of it, the oldest row first."""

    def __init__(self, *, store: MemoryStore, records: RecordService, files: TableFiles) -> None:
        self._store = store
        self._records = records
        self._files = files

    async def export(self, principal: Principal, target: RecordTarget, format_: str) -> Export:
        """Begin a file.

        Raises:
            DatabaseNotFound: no such table.
            InvalidRequest: no such side or format.
        """
        table, caller = await self._records.open(principal, target)
        first = await self._records.after(table, caller, last=0, limit=ROWS_AT_ONCE)
        file = await asyncio.to_thread(
            self._files.open, format_, title=table.name, columns=first.columns
        )
        return Export(
            name=f"{table.name}.{file.extension}",
            media_type=file.media_type,
            chunks=self._chunks(file, table, caller, first),
        )

    async def template(self, principal: Principal, database_id: int, format_: str) -> Export:
        """Begin a file to be filled in and imported: names of the fields and one example.

        Raises ``DatabaseNotFound``, and ``InvalidRequest`` for an unknown format.
        """
        async with self._store.snapshot() as uow:
            table = await permitted(uow, principal, database_id, Permission.DATASET_READ)
        columns = tuple(each.name for each in table.fields)
        example = [_EXAMPLES[each.type] for each in table.fields]
        file = await asyncio.to_thread(self._files.open, format_, title=table.name, columns=columns)
        return Export(
            name=f"{table.name}.{file.extension}",
            media_type=file.media_type,
            chunks=_written(file, example),
        )

    async def _chunks(
        self, file: TableFile, table: DatabaseTable, caller: Caller, page: Found
    ) -> AsyncGenerator[bytes, None]:
        is_done = False
        try:
            while page.rows:
                rows = [_cells(page, row) for row in page.rows]
                if data := await asyncio.to_thread(file.add, rows):
                    yield data
                last = int(str(page.rows[-1]["id"]))
                page = await self._records.after(table, caller, last=last, limit=ROWS_AT_ONCE)
            is_done = True
            async for data in _rest(file):
                yield data
        finally:
            if not is_done:
                await asyncio.to_thread(file.discard)


async def _written(file: TableFile, row: Sequence[Any]) -> AsyncGenerator[bytes, None]:
    yield await asyncio.to_thread(file.add, [row])
    async for data in _rest(file):
        yield data


async def _rest(file: TableFile) -> AsyncGenerator[bytes, None]:
    rest = file.finish()
    while data := await asyncio.to_thread(next, rest, b""):
        yield data


def _cells(page: Found, row: dict[str, Any]) -> list[Any]:
    return [row.get(name) for name in page.columns]
