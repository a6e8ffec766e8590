"""Schemas of tables on the admin surface: guessed from a file, and checked against one."""

import asyncio

import msgspec
from litestar import Controller, post
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody
from litestar.status_codes import HTTP_200_OK

from api.admin.knowledge.dataset import dataset_key
from api.body.large_request import LargeRequest
from api.body.long_text import LongTexts
from api.coze.knowledge.document_request import ColumnBody, DocumentBody, SourceBody, TableSheetBody
from api.coze.knowledge.document_request import read_documents as decode
from application.knowledge.dto import NewDocument
from application.knowledge.table.schema import CheckedTable, InferredTable, TableSchemaService
from domain.shared.access import Principal
from domain.shared.limits import Limits


class TableFileBody(msgspec.Struct, frozen=True, kw_only=True):
    """A file and where in it the table stands; ``table_meta`` as for a new document."""

    source_info: SourceBody
    table_sheet: TableSheetBody | None = None
    table_meta: list[ColumnBody] | None = None

    async def document(self, limits: Limits, texts: LongTexts) -> NewDocument:
        """Read the file beside the event loop."""
        body = DocumentBody(
            name="table",
            source_info=self.source_info,
            table_sheet=self.table_sheet,
            table_meta=self.table_meta,
        )
        (new,) = await asyncio.to_thread(decode, [body], limits, texts)
        return new


class AdminColumn(msgspec.Struct, frozen=True, kw_only=True):
    """A guessed column: type 1 text, 2 number, 3 date, 4 float, 5 boolean, 6 image."""

    column_name: str
    column_type: int
    is_semantic: bool
    sequence: int


class AdminSheet(msgspec.Struct, frozen=True, kw_only=True):
    """A sheet of a workbook; its rows include the header."""

    sheet_id: int
    name: str
    rows: int
    is_hidden: bool


class AdminTableSchema(msgspec.Struct, frozen=True, kw_only=True):
    """What a file looks like as a table, with its first rows."""

    table_meta: list[AdminColumn]
    sheets: list[AdminSheet]
    rows: list[list[str | None]]
    total: int

    @classmethod
    def of(cls, table: InferredTable) -> "AdminTableSchema":
        """Spell a guess."""
        return cls(
            table_meta=[
                AdminColumn(
                    column_name=column.name,
                    column_type=column.type.value,
                    is_semantic=column.is_semantic,
                    sequence=column.sequence,
                )
                for column in table.columns
            ],
            sheets=[
                AdminSheet(
                    sheet_id=sheet.index,
                    name=sheet.name,
                    rows=sheet.rows,
                    is_hidden=sheet.is_hidden,
                )
                for sheet in table.sheets
            ],
            rows=[list(row) for row in table.rows],
            total=table.total,
        )


class AdminCell(msgspec.Struct, frozen=True, kw_only=True):
    """A cell that the table cannot take; rows count from 1, the header included."""

    sheet: str
    row: int
    column: str
    value: str
    reason: str


class AdminTableCheck(msgspec.Struct, frozen=True, kw_only=True):
    """Whether a file fits a table, and if not, why."""

    valid: bool
    missing_columns: list[str]
    unknown_columns: list[str]
    cells: list[AdminCell]

    @classmethod
    def of(cls, checked: CheckedTable) -> "AdminTableCheck":
        """Spell a check."""
        return cls(
            valid=checked.is_valid,
            missing_columns=list(checked.missing),
            unknown_columns=list(checked.unknown),
            cells=[
                AdminCell(
                    sheet=cell.sheet,
                    row=cell.row,
                    column=cell.column,
                    value=cell.value,
                    reason=cell.reason,
                )
                for cell in checked.cells
            ],
        )


class AdminTableSchemaController(Controller):
    """Schemas of tables."""

    path = "/admin/v1"
    tags = ("admin knowledge",)

    @post(
        "/datasets/{dataset_id:str}/table-schema:infer",
        operation_id="admin.datasets.tableSchema.infer",
        status_code=HTTP_200_OK,
        request_class=LargeRequest,
    )
    async def infer(
        self,
        *,
        request: LargeRequest,
        data: JSONBody[TableFileBody],
        principal: NamedDependency[Principal],
        table_schemas: NamedDependency[TableSchemaService],
        limits: NamedDependency[Limits],
        dataset_id: FromPath[str],
    ) -> AdminTableSchema:
        """Guess the columns of a file; nothing is kept of it."""
        new = await data.document(limits, request.long_texts)
        found = await table_schemas.infer(principal, dataset_key(dataset_id), new)
        return AdminTableSchema.of(found)

    @post(
        "/datasets/{dataset_id:str}/table-schema:validate",
        operation_id="admin.datasets.tableSchema.validate",
        status_code=HTTP_200_OK,
        request_class=LargeRequest,
    )
    async def validate(
        self,
        *,
        request: LargeRequest,
        data: JSONBody[TableFileBody],
        principal: NamedDependency[Principal],
        table_schemas: NamedDependency[TableSchemaService],
        limits: NamedDependency[Limits],
        dataset_id: FromPath[str],
    ) -> AdminTableCheck:
        """Check a file against the table of the base, or against the columns of the request."""
        new = await data.document(limits, request.long_texts)
        found = await table_schemas.validate(principal, dataset_key(dataset_id), new)
        return AdminTableCheck.of(found)
