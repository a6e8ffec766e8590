"""Use cases around the schema of a table, before anything is stored: guess it, check a file."""

import asyncio
from functools import partial
from itertools import islice
from typing import Final

import msgspec

from application.knowledge.document.intake_rule import columns_of
from application.knowledge.dto import NewDocument
from application.knowledge.ingest.reading import parse_options
from application.knowledge.ingest.source import NamedSources
from domain.knowledge.error import FormatUnsupported, KnowledgeInvalid
from domain.knowledge.repository import KnowledgeStore
from domain.knowledge.tables.column import Column
from domain.knowledge.tables.error import CellProblem, ColumnsUnfit
from domain.knowledge.tables.file import check_file, guess_schema
from domain.knowledge.tables.table import TableSchema
from domain.knowledge.value import DatasetId, FormatType, Intake, Page, ReadRule, Source, SourceType
from domain.shared.access import Permission, Principal, TenantScope
from domain.shared.id_generator import IdGenerator
from infra.contract.document.parser import (
    DocumentParser,
    ExtractedImage,
    ParsedDocument,
    ParseProgress,
    SheetInfo,
    Table,
)

SHOWN_ROWS: Final = 50
_DOCUMENTS_LOOKED_AT: Final = 100


class InferredTable(msgspec.Struct, frozen=True, kw_only=True):
    """What a file looks like as a table; ``rows`` are the first ones, ``total`` counts all."""

    columns: tuple[Column, ...]
    sheets: tuple[SheetInfo, ...]
    rows: tuple[tuple[str | None, ...], ...]
    total: int


class CheckedTable(msgspec.Struct, frozen=True, kw_only=True):
    """Whether a file fits; ``missing`` and ``unknown`` columns, or the first cells that do not."""

    missing: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    cells: tuple[CellProblem, ...] = ()

    @property
    def is_valid(self) -> bool:
        return not (self.missing or self.unknown or self.cells)


class TableSchemaService:
    """Reads files without keeping them."""

    def __init__(
        self,
        *,
        store: KnowledgeStore,
        parser: DocumentParser,
        sources: NamedSources,
        ids: IdGenerator,
    ) -> None:
        self._store = store
        self._parser = parser
        self._sources = sources
        self._ids = ids

    async def infer(self, principal: Principal, dataset_id: int, new: NewDocument) -> InferredTable:
        """Guess the columns of a file and show its first rows.

        Raises:
            DatasetNotFound: no such base.
            FormatUnsupported: the base does not hold a table.
            KnowledgeInvalid: there is no file, or lines that cannot be those of a table.
            DocumentNotParsed, ColumnsUnfit: the file is no table.
        """
        scope, new = await self._checked(principal, dataset_id, new)
        parsed = await self._parsed(principal, scope, new)
        ids = list(range(1, len(parsed.metadata.columns) + 1))
        schema = await asyncio.to_thread(guess_schema, parsed, ids=ids)
        rows = (row for block in parsed.blocks() if isinstance(block, Table) for row in block.rows)
        return InferredTable(
            columns=schema.columns,
            sheets=parsed.metadata.sheets,
            rows=tuple(islice(rows, SHOWN_ROWS)),
            total=parsed.metadata.rows,
        )

    async def validate(
        self, principal: Principal, dataset_id: int, new: NewDocument
    ) -> CheckedTable:
        """Check whether a file can be appended to the table, or be one with the given columns.

        Raises as ``infer`` does, and for columns that make no table.
        """
        scope, new = await self._checked(principal, dataset_id, new)
        existing = await self._existing_schema(scope, DatasetId(dataset_id))
        if existing is None and not new.columns:
            raise KnowledgeInvalid(
                "table_meta: required as long as the knowledge base has no table.",
                field="table_meta",
            )
        schema = existing or TableSchema(columns_of(new.columns, ids=self._ids))
        parsed = await self._parsed(principal, scope, new)
        try:
            cells = await asyncio.to_thread(
                check_file, parsed, schema, ignores_extra=existing is None
            )
        except ColumnsUnfit:
            names = [name.strip() for name in parsed.metadata.columns]
            wanted = [column.name for column in schema.columns]
            return CheckedTable(
                missing=tuple(name for name in wanted if name not in names),
                unknown=tuple(name for name in names if name not in wanted),
            )
        return CheckedTable(cells=tuple(cells))

    async def _checked(
        self, principal: Principal, dataset_id: int, new: NewDocument
    ) -> tuple[TenantScope, NewDocument]:
        """Return the space of the base, and the request with what is known of its source."""
        async with self._store.snapshot() as uow:
            dataset = await uow.datasets.get(principal.scope, DatasetId(dataset_id))
        principal.require(Permission.DATASET_WRITE, dataset.space_id)
        new.sheet.check()
        new = await self._sources.resolve(principal, new)
        if dataset.format_type is not FormatType.TABLE:
            raise FormatUnsupported("dataset_id: this knowledge base does not hold a table.")
        return principal.scope.within(dataset.space_id), new

    async def _existing_schema(
        self, scope: TenantScope, dataset_id: DatasetId
    ) -> TableSchema | None:
        async with self._store.snapshot() as uow:
            page = Page(number=1, size=_DOCUMENTS_LOOKED_AT)
            found, _ = await uow.documents.page(scope, dataset_id, page=page)
        return next((item.schema for item in found if item.active_generation is not None), None)

    async def _parsed(
        self, principal: Principal, scope: TenantScope, new: NewDocument
    ) -> ParsedDocument:
        if new.file_id is None and new.document_id is None and not new.content:
            raise KnowledgeInvalid("source_info: a file is required.", field="source_info")
        is_custom = new.source_type is SourceType.CUSTOM_TEXT
        intake = Intake(
            source=Source(type=new.source_type),
            extension="json" if is_custom else new.extension.lower().removeprefix("."),
            reading=ReadRule(sheet=new.sheet),
        )
        (space_id,) = scope.space_ids
        return await self._parser.parse(
            partial(self._sources.read, principal.scope, new),
            parse_options(FormatType.TABLE, intake),
            _NoSink(),
            owner=space_id,
        )


class _NoSink:
    """Nobody waits for images or progress."""

    async def add_image(self, image: ExtractedImage) -> None:
        """Images in a sheet are no cells."""

    async def report(self, progress: ParseProgress) -> None:
        """The answer follows at once."""
