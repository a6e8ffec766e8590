"""Files on the Coze surface, and the addresses under which signed links are served."""

from collections.abc import Callable, Mapping
from typing import Annotated, Any

from litestar import Controller, Request, Response, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery, HeaderParameter
from litestar.status_codes import HTTP_200_OK

from api.body.multipart import UploadOperation, open_upload
from api.download import REDIRECTED, download
from api.envelope import Envelope, ok
from api.shape import CozeShape
from api.wire import bounded_text, optional_id, required_id
from application.file.dto import FileUse, FileView, UploadFile
from application.file.icon import IconService
from application.file.service import FileService
from domain.shared.access import Principal
from domain.shared.ids import FileId
from domain.shared.limits import Limits


class WireFile(
    CozeShape,
    of=FileView,
    only=("id", "size", "created_at", "name", "url", "object_key", "media_type"),
    rename={
        "size": "bytes",
        "name": "file_name",
        "object_key": "uri",
        "media_type": "content_type",
    },
):
    """A file as the Coze clients know it; ``url`` is signed and lasts an hour.

    ``uri`` is what requests call ``tos_uri``.
    """


class FileController(Controller):
    """Uploaded files."""

    path = "/v1/files"

    @post(
        "/upload",
        operation_id="files.upload",
        operation_class=UploadOperation,
        status_code=HTTP_200_OK,
    )
    async def upload(
        self,
        *,
        request: Request[Any, Any, Any],
        principal: NamedDependency[Principal],
        files: NamedDependency[FileService],
        limits: NamedDependency[Limits],
        space_id: FromQuery[str | None] = None,
        idempotency_key: Annotated[str | None, HeaderParameter(name="Idempotency-Key")] = None,
    ) -> Envelope[WireFile]:
        """Store the file of a multipart form; its type is found by its content."""
        return ok(
            WireFile.of(
                await receive_file(
                    request,
                    principal,
                    files,
                    limits=limits,
                    space_id=space_id,
                    idempotency_key=idempotency_key,
                )
            )
        )

    @get("/retrieve", operation_id="files.get")
    async def retrieve(
        self,
        principal: NamedDependency[Principal],
        files: NamedDependency[FileService],
        file_id: FromQuery[str | None] = None,
    ) -> Envelope[WireFile]:
        """Describe a file."""
        wanted = FileId(required_id(file_id, field="file_id"))
        return ok(WireFile.of(await files.get(principal, wanted)))


class PublicFileController(Controller):
    """What is served without a token: signed links, which check themselves, and icons."""

    opt = {"public": True}  # noqa: RUF012

    @get(
        "/files/{file_id:str}",
        operation_id="files.download_signed",
        media_type="application/octet-stream",
        responses=REDIRECTED,
    )
    async def open_link(
        self,
        request: Request[Any, Any, Any],
        files: NamedDependency[FileService],
        limits: NamedDependency[Limits],
        file_id: FromPath[str],
    ) -> Response[bytes]:
        """Download the file that a signed token names."""
        return download(await files.open_link(file_id), request, limits=limits)

    @get("/icons/{name:str}", operation_id="icons.download", media_type="image/png")
    async def icon(
        self, icons: NamedDependency[IconService], name: FromPath[str]
    ) -> Response[bytes]:
        """Download a built-in icon, ``<kind>.png``."""
        return Response(
            icons.image(name.removesuffix(".png")),
            media_type="image/png",
            headers={"cache-control": "public, max-age=86400"},
        )


def _unspecified(_: Mapping[str, str]) -> FileUse:
    return FileUse()


async def receive_file(
    request: Request[Any, Any, Any],
    principal: Principal,
    files: FileService,
    *,
    limits: Limits,
    space_id: str | int | None,
    idempotency_key: str | None,
    use: Callable[[Mapping[str, str]], FileUse] = _unspecified,
) -> FileView:
    """Store what a multipart request brings; ``use`` reads the other fields of the form."""
    key = bounded_text(
        idempotency_key, field="Idempotency-Key", max_chars=limits.idempotency_key_chars
    )
    space = optional_id(space_id, field="space_id")
    incoming = await open_upload(request, limits=limits)
    command = UploadFile(
        name=incoming.name,
        declared_type=incoming.declared_type,
        space_id=space,
        idempotency_key=key,
        use=lambda: use(incoming.fields),
    )
    return await files.upload(principal, command, incoming)
