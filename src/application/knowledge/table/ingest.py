"""What the ingest of tables does other than that of texts: a schema first, rows twice, one switch.

Rows are slices, which people read and search, and rows of a physical table, which SQL reads. An
append goes into a table of its own, and joins the table in use just before its slices do.
"""

import asyncio
from typing import Final

from application.knowledge.table.storage import RowTables
from domain.knowledge.document import Document
from domain.knowledge.error import NothingParsed
from domain.knowledge.job import IngestJob
from domain.knowledge.repository import KnowledgeStore
from domain.knowledge.service import SliceDraft
from domain.knowledge.slice import Slice
from domain.knowledge.tables.column import Column
from domain.knowledge.tables.file import guess_schema, slices_of_file, slices_of_rows
from domain.knowledge.tables.table import TableSchema
from domain.knowledge.value import Page
from domain.shared.access import TenantScope
from domain.shared.crashpoint import crashpoint
from domain.shared.id_generator import IdGenerator
from infra.contract.document.parser import ParsedDocument
from infra.contract.table.sql_guard import Scalar

_READ_AT_ONCE: Final = 1000


class TableIngest:
    """Makes slices and rows of table documents."""

    def __init__(self, *, store: KnowledgeStore, rows: RowTables, ids: IdGenerator) -> None:
        self._store = store
        self._rows = rows
        self._ids = ids

    async def guess(
        self, parsed: ParsedDocument, *, known: tuple[Column, ...] = ()
    ) -> tuple[Column, ...]:
        """Guess the columns of a file; one named as a known one is that. Raise ``ColumnsUnfit``."""
        named = {column.name: column.id for column in known}
        ids = [
            named.pop(name.strip(), 0) or self._ids.next_id() for name in parsed.metadata.columns
        ]
        return (await asyncio.to_thread(guess_schema, parsed, ids=ids)).columns

    async def drafts(
        self,
        job: IngestJob,
        scope: TenantScope,
        document: Document,
        parsed: ParsedDocument | None,
    ) -> list[SliceDraft]:
        """Make the table of the job's generation, and return what its slices will be.

        Raises:
            ColumnsUnfit, RowsUnfit: the file does not fit the table, which stays as it was.
            NothingParsed: the file has no rows.
        """
        schema = schema_of(job, document)
        if schema is None:
            raise NothingParsed("The table has no columns.")
        if parsed is None:
            rows = await self._current(scope, document)
            names = _names(document.schema, schema)
            drafts = await asyncio.to_thread(slices_of_rows, rows, names, schema)
        else:
            drafts = await asyncio.to_thread(
                slices_of_file, parsed, schema, ignores_extra=not job.is_append
            )
            if not drafts:
                raise NothingParsed("The table has no rows.")
        await self._rows.prepare(document, job.generation, schema)
        crashpoint("ingest.table.prepared")
        return drafts

    async def write(self, job: IngestJob, document: Document, slices: list[Slice]) -> None:
        """Write the rows of a batch into the table of the job's generation."""
        schema = schema_of(job, document)
        if schema is not None:
            await self._rows.write(document, job.generation, schema, slices)

    async def absorb(self, job: IngestJob, document: Document) -> None:
        """Let SQL see what was appended; the transaction that shows the slices follows at once."""
        await self._rows.absorb(document, job.generation)

    async def collect(self, document: Document) -> None:
        """Remove the tables that nobody reads or fills any more."""
        await self._rows.drop_outdated(document)

    async def _current(self, scope: TenantScope, document: Document) -> list[tuple[Scalar, ...]]:
        rows: list[tuple[Scalar, ...]] = []
        number = 0
        while True:
            number += 1
            async with self._store.snapshot() as uow:
                slices, _ = await uow.slices.page(
                    scope,
                    document.id,
                    document.require_active(),
                    keyword="",
                    status=None,
                    page=Page(number=number, size=_READ_AT_ONCE),
                )
            rows += [document.schema.cells(item.content) for item in slices]
            if len(slices) < _READ_AT_ONCE:
                return rows


def is_reshape(job: IngestJob, document: Document) -> bool:
    """Tell whether the rows come from the generation in use, and not from a file.

    Rows that were appended or edited since stand in no file, so that only who asks for it gets
    the file.
    """
    is_first = document.active_generation is None
    return not (job.is_append or is_first or document.rule.rereads)


def schema_of(job: IngestJob, document: Document) -> TableSchema | None:
    """Return the columns the job fills; None if they must be guessed from the file first."""
    if job.is_append:
        return document.schema
    if document.rule.rereads:
        return document.next_schema
    return document.next_schema or (document.schema if document.columns else None)


def _names(old: TableSchema, new: TableSchema) -> list[str]:
    """Return the new names of the old columns; one that goes has none."""
    kept = {column.id: column.name for column in new.columns}
    return [kept.get(column.id, "") for column in old.columns]
