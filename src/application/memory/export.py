"""Rows of database tables as files, and files to be filled in."""

from collections.abc import AsyncGenerator, Sequence
from typing import Any, Final

from application.memory.database_service import permitted
from application.memory.dto import RecordTarget
from application.memory.record_service import RecordService
from application.memory.rows import Found
from application.shared.table_export import ROWS_AT_ONCE, Export, Rows, open_export
from domain.memory.database import DatabaseTable, FieldType
from domain.memory.record import Caller
from domain.memory.repository import MemoryStore
from domain.shared.access import Permission, Principal
from infra.contract.table.file import OpenTableFile

_EXAMPLES: Final = {
    FieldType.TEXT: "text",
    FieldType.NUMBER: 1,
    FieldType.DATE: "2030-01-31 08:30:00",
    FieldType.FLOAT: 1.5,
    FieldType.BOOLEAN: True,
}


class ExportService:
    """Writes what ``records:query`` would show, all of it, the oldest row first."""

    def __init__(
        self, *, store: MemoryStore, records: RecordService, open_file: OpenTableFile
    ) -> None:
        self._store = store
        self._records = records
        self._open_file = open_file

    async def export(self, principal: Principal, target: RecordTarget, format_: str) -> Export:
        """Begin a file.

        Raises:
            DatabaseNotFound: no such table.
            InvalidRequest: no such side or format.
        """
        table, caller = await self._records.open(principal, target)
        first = await self._records.after(table, caller, last=0, limit=ROWS_AT_ONCE)
        return await open_export(
            self._open_file,
            format_,
            title=table.name,
            columns=first.columns,
            pages=self._pages(table, caller, first),
        )

    async def template(self, principal: Principal, database_id: int, format_: str) -> Export:
        """Begin a file to be filled in and imported: names of the fields and one example.

        Raises ``DatabaseNotFound``, and ``InvalidRequest`` for an unknown format.
        """
        async with self._store.snapshot() as uow:
            table = await permitted(uow, principal, database_id, Permission.DATASET_READ)
        columns = tuple(each.name for each in table.fields)
        example = [_EXAMPLES[each.type] for each in table.fields]
        return await open_export(
            self._open_file, format_, title=table.name, columns=columns, pages=_once(example)
        )

    async def _pages(
        self, table: DatabaseTable, caller: Caller, page: Found
    ) -> AsyncGenerator[Rows, None]:
        while page.rows:
            yield [_cells(page, row) for row in page.rows]
            last = int(str(page.rows[-1]["id"]))
            page = await self._records.after(table, caller, last=last, limit=ROWS_AT_ONCE)


async def _once(row: Sequence[Any]) -> AsyncGenerator[Rows, None]:
    yield [row]


def _cells(page: Found, row: dict[str, Any]) -> list[Any]:
    return [row.get(name) for name in page.columns]
