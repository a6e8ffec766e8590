"""Database tables on the admin surface."""

from typing import Annotated

from litestar import Controller, delete, get, patch, post
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery, JSONBody, QueryParameter
from litestar.response import Stream
from litestar.status_codes import HTTP_204_NO_CONTENT

from api.admin.download import download, downloaded
from api.admin.memory.shape import (
    AdminDatabase,
    AdminDatabaseList,
    AdminDatabaseReference,
    AdminDatabaseReferenceList,
    CreateDatabaseBody,
    PatchDatabaseBody,
)
from api.admin.query import IfMatch, Paging, next_id, revision_of
from api.disconnect import EndsWithClient
from api.wire import required_id
from application.memory.database_service import DatabaseService
from application.memory.dto import RecordTarget
from application.memory.export import ExportService
from domain.shared.access import Principal


class AdminDatabaseController(Controller):
    """Tables that agents and workflows keep rows in."""

    path = "/admin/v1"

    @post("/workspaces/{workspace_id:str}/databases", operation_id="admin.databases.create")
    async def create(
        self,
        *,
        data: JSONBody[CreateDatabaseBody],
        principal: NamedDependency[Principal],
        databases: NamedDependency[DatabaseService],
        workspace_id: FromPath[str],
    ) -> AdminDatabase:
        """Make a table with an empty draft side and an empty online side."""
        command = data.command(required_id(workspace_id, field="workspace_id"))
        return AdminDatabase.of(await databases.create(principal, command))

    @get("/workspaces/{workspace_id:str}/databases", operation_id="admin.databases.list")
    async def list(
        self,
        *,
        principal: NamedDependency[Principal],
        databases: NamedDependency[DatabaseService],
        workspace_id: FromPath[str],
        q: FromQuery[str | None] = None,
        paging: NamedDependency[Paging],
    ) -> AdminDatabaseList:
        """List tables, the youngest first; ``q`` is a part of the name."""
        found = await databases.page(
            principal,
            required_id(workspace_id, field="workspace_id"),
            text=q or "",
            after_id=paging.last_id,
            limit=paging.size,
        )
        items = AdminDatabase.each(found.items)
        return AdminDatabaseList(
            items=items,
            total=found.total,
            next_cursor=next_id(found.items, has_more=found.has_more),
        )

    @get("/databases/{database_id:str}", operation_id="admin.databases.get")
    async def read(
        self,
        *,
        principal: NamedDependency[Principal],
        databases: NamedDependency[DatabaseService],
        database_id: FromPath[str],
    ) -> AdminDatabase:
        """Show a table and the agents it is bound to."""
        return AdminDatabase.of(await databases.get(principal, _id(database_id)))

    @get("/databases/{database_id:str}/references", operation_id="admin.databases.list_references")
    async def references(
        self,
        *,
        principal: NamedDependency[Principal],
        databases: NamedDependency[DatabaseService],
        database_id: FromPath[str],
    ) -> AdminDatabaseReferenceList:
        """List the agents that have a table as a tool, with their names."""
        found = await databases.agents(principal, required_id(database_id, field="database_id"))
        items = [
            AdminDatabaseReference(agent_id=str(agent_id), name=name)
            for agent_id, name in found.items()
        ]
        return AdminDatabaseReferenceList(items=items, total=len(items))

    @patch("/databases/{database_id:str}", operation_id="admin.databases.update")
    async def update(
        self,
        *,
        data: JSONBody[PatchDatabaseBody],
        principal: NamedDependency[Principal],
        databases: NamedDependency[DatabaseService],
        database_id: FromPath[str],
        if_match: IfMatch = None,
    ) -> AdminDatabase:
        """Change a table; a field changes its type only if every cell converts."""
        command = data.command(_id(database_id), revision_of(if_match))
        return AdminDatabase.of(await databases.change(principal, command))

    @delete(
        "/databases/{database_id:str}",
        operation_id="admin.databases.delete",
        status_code=HTTP_204_NO_CONTENT,
    )
    async def remove(
        self,
        *,
        principal: NamedDependency[Principal],
        databases: NamedDependency[DatabaseService],
        database_id: FromPath[str],
    ) -> None:
        """Remove a table with all of its rows."""
        await databases.delete(principal, _id(database_id))

    @post(
        "/databases/{database_id:str}/agents/{agent_id:str}",
        operation_id="admin.databases.bind",
        status_code=HTTP_204_NO_CONTENT,
    )
    async def bind(
        self,
        *,
        principal: NamedDependency[Principal],
        databases: NamedDependency[DatabaseService],
        database_id: FromPath[str],
        agent_id: FromPath[str],
    ) -> None:
        """Give an agent the table as a tool."""
        agent = required_id(agent_id, field="agent_id")
        await databases.bind(principal, _id(database_id), agent)

    @delete(
        "/databases/{database_id:str}/agents/{agent_id:str}",
        operation_id="admin.databases.unbind",
        status_code=HTTP_204_NO_CONTENT,
    )
    async def unbind(
        self,
        *,
        principal: NamedDependency[Principal],
        databases: NamedDependency[DatabaseService],
        database_id: FromPath[str],
        agent_id: FromPath[str],
    ) -> None:
        """Take the table away from an agent."""
        agent = required_id(agent_id, field="agent_id")
        await databases.unbind(principal, _id(database_id), agent)

    @post(
        "/databases/{database_id:str}/reset",
        operation_id="admin.databases.reset",
        status_code=HTTP_204_NO_CONTENT,
    )
    async def reset(
        self,
        *,
        principal: NamedDependency[Principal],
        databases: NamedDependency[DatabaseService],
        database_id: FromPath[str],
    ) -> None:
        """Remove all rows of the draft side."""
        await databases.reset(principal, _id(database_id))

    @get(
        "/databases/{database_id:str}/template",
        operation_id="admin.databases.get_template",
        responses=downloaded("text/csv"),
    )
    async def template(
        self,
        *,
        principal: NamedDependency[Principal],
        database_exports: NamedDependency[ExportService],
        database_id: FromPath[str],
        file_format: Annotated[str, QueryParameter(name="format")] = "csv",
    ) -> Stream:
        """Download a file to be filled in and imported: ``format`` csv, xlsx or jsonl."""
        return download(await database_exports.template(principal, _id(database_id), file_format))

    @get(
        "/databases/{database_id:str}/export",
        operation_id="admin.databases.export",
        middleware=[EndsWithClient],
        responses=downloaded("text/csv"),
    )
    async def export(
        self,
        *,
        principal: NamedDependency[Principal],
        database_exports: NamedDependency[ExportService],
        database_id: FromPath[str],
        side: FromQuery[str] = "online",
        connector_uid: FromQuery[str | None] = None,
        file_format: Annotated[str, QueryParameter(name="format")] = "csv",
    ) -> Stream:
        """Download the rows as csv, xlsx or jsonl; with an end user as that one sees them."""
        target = RecordTarget(database_id=_id(database_id), side=side, end_user_id=connector_uid)
        return download(await database_exports.export(principal, target, file_format))


def _id(text: str) -> int:
    return required_id(text, field="database_id")
