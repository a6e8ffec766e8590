"""Rows of table documents in the table store: one physical table for each generation."""

from collections.abc import Sequence

from domain.knowledge.document import Document
from domain.knowledge.slice import Slice
from domain.knowledge.tables.table import TableSchema, table_name, table_prefix
from domain.knowledge.value import DocumentId, SliceId
from infra.contract.table.store import (
    MAX_KEYS_PER_CALL,
    TableMissing,
    TableRef,
    TableRow,
    TableStore,
)


class RowTables:
    """Keeps the rows that SQL sees equal to the slices that people see.

    Slices are the truth: every row can be written again from its slice, under the same key. The
    table of the active generation is the one in use, so that activating a generation switches it.
    """

    def __init__(self, tables: TableStore) -> None:
        self._tables = tables

    def active(self, document: Document) -> TableRef:
        """Name the table in use; raise ``DocumentNotReady``."""
        return _ref(document, document.require_active())

    async def prepare(self, document: Document, generation: int, schema: TableSchema) -> None:
        """Make the table of a generation; an existing one is kept with its rows."""
        await self._tables.create(schema.physical(_ref(document, generation)))

    async def write(
        self, document: Document, generation: int, schema: TableSchema, slices: Sequence[Slice]
    ) -> None:
        """Write the rows of up to 500 slices, again if need be."""
        rows = [TableRow(item.id, schema.cells(item.content)) for item in slices]
        await self._tables.upsert(_ref(document, generation), rows)

    async def page(self, document: Document, *, after: int, limit: int) -> list[TableRow]:
        """Return rows of the table in use behind a key, by key. Raises ``TableMissing``."""
        return await self._tables.scan(self.active(document), after=after, limit=limit)

    async def absorb(self, document: Document, generation: int) -> None:
        """Add the rows of an append to the table in use; repeating it changes nothing."""
        await self._tables.absorb(_ref(document, generation), into=self.active(document))

    async def remove(self, document: Document, slice_ids: Sequence[SliceId]) -> None:
        """Remove rows from the table in use; absent ones are no error."""
        if document.active_generation is None:
            return
        ref = self.active(document)
        try:
            for start in range(0, len(slice_ids), MAX_KEYS_PER_CALL):
                await self._tables.delete(ref, slice_ids[start : start + MAX_KEYS_PER_CALL])
        except TableMissing:
            return  # the base is being deleted

    async def drop_outdated(self, document: Document) -> None:
        """Remove the tables of generations that are neither in use nor being made."""
        kept = {
            table_name(document.id, generation)
            for generation in (document.active_generation, document.pending_generation)
            if generation is not None
        }
        await self._drop(document.space_id, [document.id], kept)

    async def drop(self, space_id: int, document_ids: Sequence[DocumentId]) -> None:
        """Remove all tables of documents, whatever they are of."""
        await self._drop(space_id, document_ids, set())

    async def _drop(
        self, space_id: int, document_ids: Sequence[DocumentId], kept: set[str]
    ) -> None:
        prefixes = tuple(table_prefix(document_id) for document_id in document_ids)
        for name in await self._tables.names(space_id):
            if name.startswith(prefixes) and name not in kept:
                await self._tables.drop(TableRef(space_id, name))


def _ref(document: Document, generation: int) -> TableRef:
    return TableRef(document.space_id, table_name(document.id, generation))
