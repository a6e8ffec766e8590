"""Files and icons on the admin surface."""

from typing import Annotated, Any

import msgspec
from litestar import Controller, Request, delete, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery, HeaderParameter

from api.body.multipart import UploadOperation
from api.coze.file import receive_file
from api.shape import Shape
from api.wire import query_flag, required_id, seconds
from application.file.dto import FileView
from application.file.icon import IconService, IconView
from application.file.service import FileService
from application.shared.page import Whole
from domain.shared.access import Principal
from domain.shared.ids import FileId
from domain.shared.limits import Limits


class AdminFile(Shape, of=FileView, without=("object_key",), rename={"space_id": "space_id"}):
    """A file with everything known about it; ``url`` is signed and lasts an hour."""


class FileLink(msgspec.Struct, frozen=True, kw_only=True):
    """A signed address."""

    url: str
    expires_at: int


class IconList(Whole[IconView]):
    """Built-in icons; there are so few that they come at once."""


class AdminFileController(Controller):
    """Uploaded files and built-in icons."""

    path = "/admin/v1"

    @post(
        "/files",
        operation_id="admin.files.create",
        operation_class=UploadOperation,
    )
    async def create(
        self,
        *,
        request: Request[Any, Any, Any],
        principal: NamedDependency[Principal],
        files: NamedDependency[FileService],
        limits: NamedDependency[Limits],
        space_id: FromQuery[str | None] = None,
        idempotency_key: Annotated[str | None, HeaderParameter(name="Idempotency-Key")] = None,
    ) -> AdminFile:
        """Store the file of a multipart form."""
        return AdminFile.of(
            await receive_file(
                request,
                principal,
                files,
                limits=limits,
                space_id=space_id,
                idempotency_key=idempotency_key,
            )
        )

    @get("/files/{file_id:str}", operation_id="admin.files.get")
    async def read(
        self,
        principal: NamedDependency[Principal],
        files: NamedDependency[FileService],
        file_id: FromPath[str],
    ) -> AdminFile:
        """Describe a file."""
        return AdminFile.of(await files.get(principal, _file_id(file_id)))

    @get("/files/{file_id:str}/url", operation_id="admin.files.get_url")
    async def link(
        self,
        principal: NamedDependency[Principal],
        files: NamedDependency[FileService],
        file_id: FromPath[str],
        attachment: FromQuery[str | None] = None,
    ) -> FileLink:
        """Sign a fresh address; with ``attachment`` true browsers always save the file."""
        is_attachment = query_flag(attachment, field="attachment") or False
        view = await files.link(principal, _file_id(file_id), is_attachment=is_attachment)
        return FileLink(url=view.url, expires_at=seconds(view.expires_at))

    @delete("/files/{file_id:str}", operation_id="admin.files.delete")
    async def remove(
        self,
        principal: NamedDependency[Principal],
        files: NamedDependency[FileService],
        file_id: FromPath[str],
    ) -> None:
        """Delete a file; links to it stop working at once."""
        await files.delete(principal, _file_id(file_id))

    @get("/icons", operation_id="admin.icons.list")
    async def icons(
        self, icons: NamedDependency[IconService], kind: FromQuery[str | None] = None
    ) -> IconList:
        """List the built-in icons, all or of one kind."""
        items = icons.list(kind or "")
        return IconList(items=items, total=len(items))


def _file_id(value: str) -> FileId:
    return FileId(required_id(value, field="file_id"))
