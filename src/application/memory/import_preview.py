"""Use case on files before they become rows: what of them would fit."""

import asyncio
from pathlib import PurePosixPath
from typing import Any, Final

import msgspec

from application.memory.database_service import permitted
from application.memory.dto import NewImport
from application.memory.importing import NO_SINK, checked_file, lines_of
from crossdomain.file.contract import FileBytes
from domain.memory.database import DatabaseTable, Field
from domain.memory.error import FieldUnknown, RecordInvalid
from domain.memory.record import cell_of
from domain.memory.repository import MemoryStore
from domain.shared.access import Permission, Principal
from domain.shared.limits import Limits
from infra.contract.document.parser import (
    DocumentParser,
    ParsedDocument,
    ParseOptions,
    Purpose,
    TableRange,
)

SHOWN_ROWS: Final = 20
_CELL_CHARS: Final = 200


class PreviewColumn(msgspec.Struct, frozen=True, kw_only=True):
    """A column of a file."""

    name: str
    """As the file's header names it."""
    is_field: bool
    """Whether the table has a field of this name; no file with another column is imported."""


class CellProblem(msgspec.Struct, frozen=True, kw_only=True):
    """A cell that does not fit its field."""

    row: int
    """Of the file, from 1; the header does not count."""
    column: str
    """Name of the field."""
    message: str
    """What is wrong with it."""


class ImportPreview(msgspec.Struct, frozen=True, kw_only=True):
    """What a file has, and what of it does not fit a table."""

    columns: tuple[PreviewColumn, ...]
    """Columns of the file, in its order."""
    rows: tuple[tuple[str | None, ...], ...]
    """Its first rows, up to 20, as texts; null for an empty cell."""
    total: int
    """Rows of the file."""
    missing: tuple[str, ...]
    """Required fields that the file has no column for."""
    wrong_rows: int
    """Rows with at least one cell that does not fit."""
    problems: tuple[CellProblem, ...]
    """The first of those cells, up to 20."""


class ImportPreviews:
    """Reads files as an import would, and changes nothing."""

    def __init__(
        self,
        *,
        store: MemoryStore,
        files: FileBytes,
        parser: DocumentParser,
        limits: Limits,
        extensions: frozenset[str],
    ) -> None:
        """``extensions`` are those of the tables that can be read."""
        self._store = store
        self._files = files
        self._parser = parser
        self._limits = limits
        self._extensions = extensions

    async def read(self, principal: Principal, database_id: int, new: NewImport) -> ImportPreview:
        """Say what of a file fits; errors as of an import, and ``DocumentUnreadable``."""
        async with self._store.snapshot() as uow:
            table = await permitted(uow, principal, database_id, Permission.DATASET_WRITE)
        file = await checked_file(
            self._files, principal, new, limits=self._limits, extensions=self._extensions
        )
        parsed = await self._parser.parse(
            lambda: self._files.read(principal.scope, file.id),
            ParseOptions(
                extension=PurePosixPath(file.name).suffix.removeprefix(".").lower(),
                purpose=Purpose.TABLE,
                table=TableRange(sheet=new.sheet, header_line=new.header_line),
            ),
            NO_SINK,
            owner=table.space_id,
        )
        return await asyncio.to_thread(_preview, table, parsed)


def _preview(table: DatabaseTable, parsed: ParsedDocument) -> ImportPreview:
    names = [name.strip() for name in parsed.metadata.columns]
    fields: list[Field | None] = []
    for name in names:
        try:
            fields.append(table.field(name))
        except FieldUnknown:
            fields.append(None)
    given = {field.id for field in fields if field is not None}
    rows: list[tuple[str | None, ...]] = []
    problems: list[CellProblem] = []
    wrong, total = 0, 0
    for total, row in enumerate(lines_of(parsed), 1):
        if len(rows) < SHOWN_ROWS:
            rows.append(tuple(_shown(cell) for cell in row))
        is_wrong = False
        for field, cell in zip(fields, row, strict=False):
            if field is None:
                continue
            try:
                cell_of(field, cell)
            except RecordInvalid as exc:
                is_wrong = True
                if len(problems) < SHOWN_ROWS:
                    problems.append(CellProblem(row=total, column=field.name, message=exc.message))
        wrong += is_wrong
    return ImportPreview(
        columns=tuple(
            PreviewColumn(name=name, is_field=field is not None)
            for name, field in zip(names, fields, strict=True)
        ),
        rows=tuple(rows),
        total=total,
        missing=tuple(
            each.name for each in table.fields if each.is_required and each.id not in given
        ),
        wrong_rows=wrong,
        problems=tuple(problems),
    )


def _shown(cell: Any) -> str | None:
    return None if cell is None or cell == "" else str(cell)[:_CELL_CHARS]
