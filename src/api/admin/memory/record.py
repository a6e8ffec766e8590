"""Rows of database tables on the admin surface: records, the SQL console, imports."""

from collections.abc import Mapping
from typing import Any

import msgspec
from litestar import Controller, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody
from litestar.status_codes import HTTP_200_OK, HTTP_202_ACCEPTED

from api.admin.memory.shape import AdminImport
from api.disconnect import EndsWithClient
from api.wire import WireId, required_id
from application.memory.dto import (
    ConditionInput,
    NewImport,
    RecordPage,
    RecordQuery,
    RecordTarget,
    SqlPlan,
    SqlResult,
)
from application.memory.import_preview import ImportPreview, ImportPreviews
from application.memory.importing import ImportService
from application.memory.record_service import RecordService
from application.shared.page import Part
from domain.shared.access import Principal


class OrderBody(msgspec.Struct, frozen=True, kw_only=True):
    """A field to sort by."""

    field: str
    ascending: bool = True


class TargetBody(msgspec.Struct, frozen=True, kw_only=True):
    """Which rows: ``env`` draft or online; with ``connector_uid`` as that end user sees them."""

    env: str = "online"
    connector_uid: str | None = None

    def target(self, database_id: str) -> RecordTarget:
        return RecordTarget(
            database_id=required_id(database_id, field="database_id"),
            side=self.env,
            end_user_id=self.connector_uid,
        )


class QueryRecordsBody(TargetBody, frozen=True, kw_only=True):
    """A page of rows; ``filter`` is a condition or a group of them."""

    fields: list[str] = []
    filter: ConditionInput | None = None
    order_by: list[OrderBody] = []
    limit: int = 50
    offset: int = 0


class InsertRecordsBody(TargetBody, frozen=True, kw_only=True):
    """Rows to be added, by names of fields."""

    records: list[dict[str, Any]]


class UpdateRecordsBody(TargetBody, frozen=True, kw_only=True):
    """New values for the rows that match."""

    values: dict[str, Any]
    filter: ConditionInput | None = None


class DeleteRecordsBody(TargetBody, frozen=True, kw_only=True):
    """Which rows to remove."""

    filter: ConditionInput | None = None


class SqlBody(TargetBody, frozen=True, kw_only=True):
    """One statement on the table, in the dialect of MySQL."""

    sql: str


class ImportPreviewBody(msgspec.Struct, frozen=True, kw_only=True):
    """A file; sheets and lines count from 0."""

    file_id: WireId
    sheet: int | None = None
    header_row: int = 0


class ImportBody(TargetBody, frozen=True, kw_only=True):
    """A file; sheets and lines count from 0."""

    file_id: WireId
    sheet: int | None = None
    header_row: int = 0


class RecordList(Part[Mapping[str, Any]]):
    """A page of rows; their ids are texts."""

    @classmethod
    def of(cls, page: RecordPage) -> "RecordList":
        return cls(items=list(page.rows), total=page.total, has_more=page.has_more)


class InsertedRecords(msgspec.Struct, frozen=True, kw_only=True):
    """Ids of the new rows."""

    ids: list[str]


class AffectedRecords(msgspec.Struct, frozen=True, kw_only=True):
    """How many rows were touched."""

    affected: int


class AdminRecordController(Controller):
    """Rows, for those who look after a table."""

    path = "/admin/v1/databases/{database_id:str}"

    @post(
        "/records:query",
        operation_id="admin.records.query",
        middleware=[EndsWithClient],
        status_code=HTTP_200_OK,
    )
    async def query(
        self,
        *,
        data: JSONBody[QueryRecordsBody],
        principal: NamedDependency[Principal],
        records: NamedDependency[RecordService],
        database_id: FromPath[str],
    ) -> RecordList:
        """Return rows, the youngest first unless ``order_by`` says otherwise."""
        query = RecordQuery(
            fields=tuple(data.fields),
            filter=data.filter,
            orders=tuple((each.field, each.ascending) for each in data.order_by),
            limit=data.limit,
            offset=data.offset,
        )
        return RecordList.of(await records.query(principal, data.target(database_id), query))

    @post("/records:insert", operation_id="admin.records.insert")
    async def insert(
        self,
        *,
        data: JSONBody[InsertRecordsBody],
        principal: NamedDependency[Principal],
        records: NamedDependency[RecordService],
        database_id: FromPath[str],
    ) -> InsertedRecords:
        """Add rows, all or none."""
        ids = await records.insert(principal, data.target(database_id), data.records)
        return InsertedRecords(ids=[str(each) for each in ids])

    @post("/records:update", operation_id="admin.records.update", status_code=HTTP_200_OK)
    async def update(
        self,
        *,
        data: JSONBody[UpdateRecordsBody],
        principal: NamedDependency[Principal],
        records: NamedDependency[RecordService],
        database_id: FromPath[str],
    ) -> AffectedRecords:
        """Change the rows that match."""
        target = data.target(database_id)
        return AffectedRecords(
            affected=await records.update(principal, target, data.values, data.filter)
        )

    @post("/records:delete", operation_id="admin.records.delete", status_code=HTTP_200_OK)
    async def delete(
        self,
        *,
        data: JSONBody[DeleteRecordsBody],
        principal: NamedDependency[Principal],
        records: NamedDependency[RecordService],
        database_id: FromPath[str],
    ) -> AffectedRecords:
        """Remove the rows that match."""
        target = data.target(database_id)
        return AffectedRecords(affected=await records.delete(principal, target, data.filter))

    @post(
        "/sql",
        operation_id="admin.databases.run_sql",
        middleware=[EndsWithClient],
        status_code=HTTP_200_OK,
    )
    async def sql(
        self,
        *,
        data: JSONBody[SqlBody],
        principal: NamedDependency[Principal],
        records: NamedDependency[RecordService],
        database_id: FromPath[str],
    ) -> SqlResult:
        """Run one guarded SELECT, INSERT, UPDATE or DELETE."""
        return await records.sql(principal, data.target(database_id), data.sql)

    @post(
        "/sql:explain",
        operation_id="admin.databases.explain_sql",
        middleware=[EndsWithClient],
        status_code=HTTP_200_OK,
    )
    async def explain(
        self,
        *,
        data: JSONBody[SqlBody],
        principal: NamedDependency[Principal],
        records: NamedDependency[RecordService],
        database_id: FromPath[str],
    ) -> SqlPlan:
        """Show what the guard makes of a statement; nothing is run."""
        return await records.explain(principal, data.target(database_id), data.sql)

    @post(
        "/imports:preview",
        operation_id="admin.database_imports.preview",
        middleware=[EndsWithClient],
        status_code=HTTP_200_OK,
    )
    async def preview_import(
        self,
        *,
        data: JSONBody[ImportPreviewBody],
        principal: NamedDependency[Principal],
        database_import_previews: NamedDependency[ImportPreviews],
        database_id: FromPath[str],
    ) -> ImportPreview:
        """Read a file as an import would and say which cells do not fit; nothing is added."""
        new = NewImport(
            file_id=required_id(data.file_id, field="file_id"),
            sheet=data.sheet,
            header_line=data.header_row,
        )
        key = required_id(database_id, field="database_id")
        return await database_import_previews.read(principal, key, new)

    @post("/imports", operation_id="admin.database_imports.create", status_code=HTTP_202_ACCEPTED)
    async def import_file(
        self,
        *,
        data: JSONBody[ImportBody],
        principal: NamedDependency[Principal],
        database_imports: NamedDependency[ImportService],
        database_id: FromPath[str],
    ) -> AdminImport:
        """Have a file read into the table: all of its rows, or none and the reason."""
        view = await database_imports.submit(
            principal,
            data.target(database_id),
            NewImport(
                file_id=required_id(data.file_id, field="file_id"),
                sheet=data.sheet,
                header_line=data.header_row,
            ),
        )
        return AdminImport.of(view)

    @get("/imports/{import_id:str}", operation_id="admin.database_imports.get")
    async def import_progress(
        self,
        *,
        principal: NamedDependency[Principal],
        database_imports: NamedDependency[ImportService],
        database_id: FromPath[str],
        import_id: FromPath[str],
    ) -> AdminImport:
        """Say how far an import is."""
        view = await database_imports.get(
            principal,
            required_id(database_id, field="database_id"),
            required_id(import_id, field="import_id"),
        )
        return AdminImport.of(view)
