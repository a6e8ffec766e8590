"""Rows of table documents as files that make the same table again."""

import re
from collections.abc import AsyncGenerator, Sequence
from typing import Final

from application.knowledge.table.storage import RowTables
from application.shared.table_export import ROWS_AT_ONCE, Export, Rows, open_export
from domain.knowledge.document import Document
from domain.knowledge.error import DocumentNotReady, FormatUnsupported
from domain.knowledge.repository import KnowledgeStore
from domain.knowledge.tables.column import ColumnType
from domain.knowledge.value import DocumentId, FormatType
from domain.shared.access import Permission, Principal
from infra.contract.table.file import OpenTableFile
from infra.contract.table.store import TableMissing, TableRow

_EXTENSION: Final = re.compile(r"\.(csv|tsv|xlsx|xls|json)$", re.IGNORECASE)


class TableExports:
    """Writes all rows that questions to a table see, the oldest first."""

    def __init__(self, *, store: KnowledgeStore, rows: RowTables, open_file: OpenTableFile) -> None:
        self._store = store
        self._rows = rows
        self._open_file = open_file

    async def export(self, principal: Principal, document_id: int, format_: str) -> Export:
        """Begin a file.

        Raises:
            DocumentNotFound: no such document.
            FormatUnsupported: it is no table.
            DocumentNotReady: its rows are not there yet.
            InvalidRequest: no such format.
        """
        async with self._store.snapshot() as uow:
            document = await uow.documents.get(principal.scope, DocumentId(document_id))
        principal.require(Permission.DATASET_READ, document.space_id)
        if document.format_type is not FormatType.TABLE:
            raise FormatUnsupported("The document is no table; its slices can be listed.")
        document.require_active()
        columns = document.schema.columns
        first = await self._page(document, after=0)
        return await open_export(
            self._open_file,
            format_,
            title=_EXTENSION.sub("", document.name),
            columns=[column.name for column in columns],
            dates=[at for at, column in enumerate(columns) if column.type is ColumnType.DATE],
            pages=self._pages(document, first),
        )

    async def _pages(
        self, document: Document, page: Sequence[TableRow]
    ) -> AsyncGenerator[Rows, None]:
        while page:
            yield [row.cells for row in page]
            page = await self._page(document, after=page[-1].key)

    async def _page(self, document: Document, *, after: int) -> list[TableRow]:
        """Return rows of one generation; fail rather than end early when another takes over."""
        try:
            return await self._rows.page(document, after=after, limit=ROWS_AT_ONCE)
        except TableMissing as exc:
            raise DocumentNotReady("The table was indexed anew meanwhile; ask again.") from exc
