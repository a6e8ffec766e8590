"""Documents and their slices on the admin surface."""

from collections.abc import Mapping
from typing import Annotated, Final

import msgspec
from litestar import Controller, delete, get, patch, post
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery, JSONBody, QueryParameter
from litestar.response import Stream
from msgspec import UNSET, UnsetType

from api.admin.download import download, downloaded
from api.admin.knowledge.shape import AdminDocument, AdminSlice, AdminSliceList
from api.admin.query import Paging
from api.coze.knowledge.document_request import UpdateRuleBody
from api.disconnect import EndsWithClient
from api.wire import query_choice, query_integer, required_id
from application.knowledge.document.pages import DocumentPages
from application.knowledge.document.service import DocumentService
from application.knowledge.document.slice_service import SliceService
from application.knowledge.dto import EditDocument, SliceQuery, SliceView
from application.knowledge.table.export import TableExports
from application.knowledge.view import slice_status_of
from domain.shared.access import Principal
from domain.shared.error import InvalidRequest

_STATES: Final[Mapping[str, str]] = {"0": "0", "1": "1", "9": "9"}

Cells = list[dict[str, str | int | float | bool | None]]
"""Cells of a row: column_id and value."""


class PatchDocumentBody(msgspec.Struct, frozen=True, kw_only=True):
    """A merge patch; searches skip a document that is not enabled."""

    name: str | UnsetType = UNSET
    enabled: bool | UnsetType = UNSET
    update_rule: UpdateRuleBody | UnsetType = UNSET


class AddSliceBody(msgspec.Struct, frozen=True, kw_only=True):
    """A slice to be: text, or the cells of a row; ``sequence`` 1 is the first position."""

    content: str | Cells
    sequence: int | None = None


class PatchSliceBody(msgspec.Struct, frozen=True, kw_only=True):
    """A merge patch: text, or the cells of a row that change; ``sequence`` 1 is the first position.

    Searches skip a slice that is not enabled.
    """

    content: str | Cells | UnsetType = UNSET
    enabled: bool | UnsetType = UNSET
    sequence: int | UnsetType = UNSET


class AdminDocumentController(Controller):
    """Documents and slices."""

    path = "/admin/v1"

    @get("/documents/{document_id:str}", operation_id="admin.documents.get")
    async def read(
        self,
        *,
        principal: NamedDependency[Principal],
        documents: NamedDependency[DocumentService],
        document_id: FromPath[str],
    ) -> AdminDocument:
        """Show a document."""
        return AdminDocument.of(await documents.get(principal, document_key(document_id)))

    @patch("/documents/{document_id:str}", operation_id="admin.documents.update")
    async def update(
        self,
        *,
        data: JSONBody[PatchDocumentBody],
        principal: NamedDependency[Principal],
        documents: NamedDependency[DocumentService],
        document_id: FromPath[str],
    ) -> AdminDocument:
        """Rename a document, or switch whether searches see it; nothing is indexed anew."""
        rule = data.update_rule
        command = EditDocument(
            name=None if data.name is UNSET else data.name,
            is_enabled=None if data.enabled is UNSET else data.enabled,
            update_rule=None if rule is UNSET else rule.decoded(prefix="update_rule"),
        )
        key = document_key(document_id)
        return AdminDocument.of(await documents.edit(principal, key, command))

    @delete("/documents/{document_id:str}", operation_id="admin.documents.delete")
    async def remove(
        self,
        *,
        principal: NamedDependency[Principal],
        documents: NamedDependency[DocumentService],
        document_id: FromPath[str],
    ) -> None:
        """Delete a document."""
        view = await documents.get(principal, document_key(document_id))
        await documents.delete(principal, [view.id])

    @get(
        "/documents/{document_id:str}/export",
        operation_id="admin.documents.export",
        middleware=[EndsWithClient],
        responses=downloaded("application/octet-stream"),
    )
    async def export(
        self,
        *,
        principal: NamedDependency[Principal],
        table_exports: NamedDependency[TableExports],
        document_id: FromPath[str],
        file_format: Annotated[str, QueryParameter(name="format")] = "csv",
    ) -> Stream:
        """Download the rows of a table as csv, xlsx or jsonl; imported, they make it again."""
        key = document_key(document_id)
        return download(await table_exports.export(principal, key, file_format))

    @get(
        "/documents/{document_id:str}/original",
        operation_id="admin.documents.get_original",
        middleware=[EndsWithClient],
        responses=downloaded("application/octet-stream"),
    )
    async def original(
        self,
        *,
        principal: NamedDependency[Principal],
        document_pages: NamedDependency[DocumentPages],
        document_id: FromPath[str],
    ) -> Stream:
        """Download the file that a document was made of."""
        return download(await document_pages.original(principal, document_key(document_id)))

    @get("/documents/{document_id:str}/slices", operation_id="admin.slices.list")
    async def slices(
        self,
        *,
        principal: NamedDependency[Principal],
        slices: NamedDependency[SliceService],
        document_pages: NamedDependency[DocumentPages],
        document_id: FromPath[str],
        q: FromQuery[str | None] = None,
        status: FromQuery[str | None] = None,
        sequence: FromQuery[str | None] = None,
        paging: NamedDependency[Paging],
    ) -> AdminSliceList:
        """List slices in order; ``sequence`` gives the page of that position, from 1."""
        position = query_integer(sequence, field="sequence")
        if position is not None:
            if position < 1:
                raise InvalidRequest("sequence: positions count from 1.", field="sequence")
            paging = paging.at((position - 1) // paging.size + 1)
        state = query_choice(status, _STATES, field="status")
        found = await slices.page(
            principal,
            SliceQuery(
                document_id=document_key(document_id),
                keyword=q or "",
                status=None if state is None else slice_status_of(int(state)),
                page=paging.number,
                size=paging.size,
            ),
        )
        places = {view.id: view.place for view in found.items}
        boxes = await document_pages.boxes(principal, document_key(document_id), places)
        return AdminSliceList(
            items=[
                AdminSlice.of(view, boxes=[list(box) for box in boxes.get(view.id, ())])
                for view in found.items
            ],
            total=found.total,
            next_cursor=paging.next_number(found),
        )

    @post("/documents/{document_id:str}/slices", operation_id="admin.slices.create")
    async def create_slice(
        self,
        *,
        data: JSONBody[AddSliceBody],
        principal: NamedDependency[Principal],
        slices: NamedDependency[SliceService],
        document_pages: NamedDependency[DocumentPages],
        document_id: FromPath[str],
    ) -> AdminSlice:
        """Add a slice, by default behind the last; it is indexed by itself."""
        view = await slices.create(
            principal, document_key(document_id), _text(data.content), position=data.sequence
        )
        return await placed(principal, document_pages, view)

    @patch("/slices/{slice_id:str}", operation_id="admin.slices.update")
    async def update_slice(
        self,
        *,
        data: JSONBody[PatchSliceBody],
        principal: NamedDependency[Principal],
        slices: NamedDependency[SliceService],
        document_pages: NamedDependency[DocumentPages],
        slice_id: FromPath[str],
    ) -> AdminSlice:
        """Replace what a slice says, switch it off or on, or move it.

        Until new words are indexed, the old ones find it; the rest is so at once.
        """
        view = await slices.edit(
            principal,
            required_id(slice_id, field="slice_id"),
            None if data.content is UNSET else _text(data.content),
            is_enabled=None if data.enabled is UNSET else data.enabled,
            position=None if data.sequence is UNSET else data.sequence,
        )
        return await placed(principal, document_pages, view)

    @delete("/slices/{slice_id:str}", operation_id="admin.slices.delete")
    async def delete_slice(
        self,
        *,
        principal: NamedDependency[Principal],
        slices: NamedDependency[SliceService],
        slice_id: FromPath[str],
    ) -> None:
        """Remove a slice."""
        view = await slices.get(principal, required_id(slice_id, field="slice_id"))
        await slices.delete(principal, [view.id])


def document_key(value: str) -> int:
    """Read the id of a document."""
    return required_id(value, field="document_id")


async def placed(
    principal: Principal, document_pages: DocumentPages, view: SliceView
) -> AdminSlice:
    """Show a slice with its place."""
    boxes = await document_pages.boxes(principal, view.document_id, {view.id: view.place})
    return AdminSlice.of(view, boxes=[list(box) for box in boxes.get(view.id, ())])


def _text(content: str | Cells) -> str:
    return content if isinstance(content, str) else msgspec.json.encode(content).decode()
