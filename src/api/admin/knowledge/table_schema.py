"""Schemas of tables on the admin surface: guessed from a file, and checked against one."""

import asyncio
from typing import Annotated

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
from api.disconnect import EndsWithClient
from api.shape import Shape
from application.knowledge.dto import NewDocument
from application.knowledge.table.schema import CheckedTable, InferredTable, TableSchemaService
from application.shared.projection import At
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


class AdminColumn(Shape):
    """A guessed column: type 1 text, 2 number, 3 date, 4 float, 5 boolean, 6 image."""

    column_name: Annotated[str, At("name")]
    column_type: Annotated[int, At("type")]
    is_semantic: bool
    sequence: int


class AdminSheet(Shape):
    """A sheet of a workbook; its rows include the header."""

    sheet_id: Annotated[int, At("index")]
    name: str
    rows: int
    is_hidden: bool


class AdminTableSchema(
    Shape,
    of=InferredTable,
    only=("columns", "sheets", "rows", "total"),
    rename={"columns": "table_meta"},
):
    """What a file looks like as a table, with its first rows."""

    columns: list[AdminColumn]
    sheets: list[AdminSheet]
    rows: list[list[str | None]]


class AdminCell(Shape):
    """A cell that the table cannot take; rows count from 1, the header included."""

    sheet: str
    row: int
    column: str
    value: str
    reason: str


class AdminTableCheck(Shape, of=CheckedTable, only=()):
    """Whether a file fits a table, and if not, why."""

    valid: Annotated[bool, At("is_valid")]
    missing_columns: Annotated[list[str], At("missing")]
    unknown_columns: Annotated[list[str], At("unknown")]
    cells: list[AdminCell]


class AdminTableSchemaController(Controller):
    """Schemas of tables."""

    path = "/admin/v1"

    @post(
        "/datasets/{dataset_id:str}/table-schema:infer",
        operation_id="admin.datasets.infer_table_schema",
        middleware=[EndsWithClient],
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
        operation_id="admin.datasets.validate_table_schema",
        middleware=[EndsWithClient],
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
