"""Files for OpenAI's clients, beside the two literal paths of Coze's."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Final

import msgspec
from litestar import Controller, Request, Response, delete, get, post
from litestar.di import NamedDependency
from litestar.openapi.spec import OpenAPIType, Schema
from litestar.params import FromPath, FromQuery, HeaderParameter
from litestar.status_codes import HTTP_200_OK

from api.body.multipart import UploadOperation
from api.coze.file import receive_file
from api.download import ANSWERS, download
from api.openai.message import FILE_PREFIX
from api.wire import query_choice, query_integer, seconds
from application.file.dto import FileUse, FileView
from application.file.service import FileService
from domain.file.value import FileQuery
from domain.shared.access import Principal
from domain.shared.error import InvalidRequest
from domain.shared.ids import FileId, parse_id
from domain.shared.limits import Limits

_DEFAULT_PURPOSE: Final = "user_data"
"""Of uploads by clients that name none."""

_PURPOSES: Final = (_DEFAULT_PURPOSE, "assistants", "vision")
_SHORTEST_S: Final = 3_600
_LONGEST_S: Final = 2_592_000
_PAGE: Final = 100
_LARGEST_PAGE: Final = 10_000
_ORDERS: Final[Mapping[str, str]] = {"asc": "", "desc": "1"}


class FileObject(msgspec.Struct, frozen=True, kw_only=True):
    """An uploaded file; times in Unix seconds."""

    id: str
    object: str = "file"
    bytes: int
    created_at: int
    expires_at: int | None
    filename: str
    purpose: str
    status: str = "processed"
    status_details: str | None = None

    @classmethod
    def of(cls, file: FileView) -> "FileObject":
        return cls(
            id=f"{FILE_PREFIX}{file.id}",
            bytes=file.size,
            created_at=seconds(file.created_at),
            expires_at=seconds(file.expires_at) if file.expires_at else None,
            filename=file.name,
            purpose=file.purpose or _DEFAULT_PURPOSE,
        )


class FileList(msgspec.Struct, frozen=True, kw_only=True):
    """A page of files."""

    object: str = "list"
    data: list[FileObject]
    has_more: bool
    first_id: str | None
    last_id: str | None


class FileGone(msgspec.Struct, frozen=True, kw_only=True):
    """A file that was deleted."""

    id: str
    object: str = "file"
    deleted: bool = True


@dataclass
class _PurposefulUpload(UploadOperation):
    """Describes the form of an upload that says what it is for."""

    more: ClassVar[Mapping[str, Schema]] = {
        "purpose": Schema(type=OpenAPIType.STRING, enum=list(_PURPOSES))
    }


class OpenAIFileController(Controller):
    """Uploaded files, as OpenAI's clients know them."""

    path = "/v1/files"

    @post(
        operation_id="openai.files.create",
        operation_class=_PurposefulUpload,
        status_code=HTTP_200_OK,
    )
    async def create(
        self,
        *,
        request: Request[Any, Any, Any],
        principal: NamedDependency[Principal],
        files: NamedDependency[FileService],
        limits: NamedDependency[Limits],
        idempotency_key: Annotated[str | None, HeaderParameter(name="Idempotency-Key")] = None,
    ) -> FileObject:
        """Store the file of a multipart form; its type is found by its content."""
        file = await receive_file(
            request,
            principal,
            files,
            limits=limits,
            space_id=principal.personal_space_id,
            idempotency_key=idempotency_key,
            use=_use,
        )
        return FileObject.of(file)

    @get(operation_id="openai.files.list")
    async def list_files(
        self,
        *,
        principal: NamedDependency[Principal],
        files: NamedDependency[FileService],
        purpose: FromQuery[str | None] = None,
        limit: FromQuery[str | None] = None,
        order: FromQuery[str | None] = None,
        after: FromQuery[str | None] = None,
    ) -> FileList:
        """List the caller's own uploads, newest first unless asked otherwise."""
        size = query_integer(limit, field="limit")
        if size is not None and not 1 <= size <= _LARGEST_PAGE:
            raise InvalidRequest(f"limit: expected 1 to {_LARGEST_PAGE}.", field="limit")
        is_descending = query_choice(order, _ORDERS, field="order")
        query = FileQuery(
            purposes=_meant(purpose),
            after=_file_id(after, field="after") if after else None,
            descending=is_descending != "",
            limit=size or _PAGE,
        )
        found, has_more = await files.list_own(principal, principal.personal_space_id, query)
        data = [FileObject.of(file) for file in found]
        return FileList(
            data=data,
            has_more=has_more,
            first_id=data[0].id if data else None,
            last_id=data[-1].id if data else None,
        )

    @get("/{file_id:str}", operation_id="openai.files.get")
    async def retrieve(
        self,
        principal: NamedDependency[Principal],
        files: NamedDependency[FileService],
        file_id: FromPath[str],
    ) -> FileObject:
        """Describe a file."""
        return FileObject.of(await files.get(principal, _file_id(file_id)))

    @get(
        "/{file_id:str}/content",
        operation_id="openai.files.download",
        media_type="application/octet-stream",
        responses=ANSWERS,
    )
    async def content(
        self,
        request: Request[Any, Any, Any],
        principal: NamedDependency[Principal],
        files: NamedDependency[FileService],
        limits: NamedDependency[Limits],
        file_id: FromPath[str],
    ) -> Response[bytes]:
        """Download a file; takes ranges and conditions."""
        opened = await files.open(principal, _file_id(file_id), is_attachment=True)
        return download(opened, request, limits=limits)

    @delete("/{file_id:str}", operation_id="openai.files.delete", status_code=HTTP_200_OK)
    async def remove(
        self,
        principal: NamedDependency[Principal],
        files: NamedDependency[FileService],
        file_id: FromPath[str],
    ) -> FileGone:
        """Delete a file: its creator may, and whoever manages its workspace."""
        wanted = _file_id(file_id)
        await files.delete(principal, wanted)
        return FileGone(id=f"{FILE_PREFIX}{wanted}")


def _file_id(value: str, *, field: str = "file_id") -> FileId:
    return FileId(parse_id(value.removeprefix(FILE_PREFIX), field=field))


def _meant(purpose: str | None) -> frozenset[str] | None:
    """Return the stored purposes that a filter means; uploads of other surfaces have none."""
    if not purpose:
        return None
    return frozenset({purpose, ""} if purpose == _DEFAULT_PURPOSE else {purpose})


def _use(form: Mapping[str, str]) -> FileUse:
    """Read the fields beside the file."""
    purpose = form.get("purpose", "")
    if purpose not in _PURPOSES:
        known = ", ".join(_PURPOSES)
        raise InvalidRequest(f"purpose: required; one of {known}.", field="purpose")
    anchor, after = form.get("expires_after[anchor]"), form.get("expires_after[seconds]")
    if anchor is None and after is None:
        return FileUse(purpose=purpose)
    if anchor != "created_at":
        raise InvalidRequest(
            "expires_after.anchor: only created_at is known.", field="expires_after.anchor"
        )
    ttl_s = query_integer(after, field="expires_after.seconds")
    if ttl_s is None or not _SHORTEST_S <= ttl_s <= _LONGEST_S:
        raise InvalidRequest(
            f"expires_after.seconds: expected {_SHORTEST_S} to {_LONGEST_S}.",
            field="expires_after.seconds",
        )
    return FileUse(purpose=purpose, ttl_s=ttl_s)
