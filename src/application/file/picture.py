"""Pictures that other contexts show: small images, checked before anything of them is kept."""

from collections.abc import AsyncGenerator, AsyncIterable
from typing import Final

from application.file.dto import FileContent, FileUse, UploadFile
from application.file.service import FileService
from domain.file.image import check_image
from domain.shared.access import Principal, TenantScope
from domain.shared.error import NotFound, RequestTooLarge
from domain.shared.ids import FileId, SpaceId
from domain.shared.limits import Limits

_PURPOSE: Final = "picture"


class PictureService:
    """Keeps pictures as files of a workspace."""

    def __init__(self, *, files: FileService, limits: Limits) -> None:
        self._files = files
        self._limits = limits

    async def keep(
        self,
        principal: Principal,
        space_id: SpaceId,
        chunks: AsyncIterable[bytes],
        *,
        name: str,
        max_bytes: int,
    ) -> FileId:
        """Store a picture in a workspace of the caller.

        Raises:
            RequestTooLarge: it has more than ``max_bytes``.
            ImageRefused: it is no PNG, JPEG, GIF or WebP, is damaged, or has too many pixels.
            QuotaExceeded: the workspace has as much as it may have.
        """
        data = bytearray()
        async for chunk in chunks:
            data += chunk
            if len(data) > max_bytes:
                raise RequestTooLarge(
                    f"file: a picture may have {max_bytes} bytes at most.", field="file"
                )
        check_image(bytes(data), limits=self._limits)
        command = UploadFile(name=name, space_id=space_id, use=lambda: FileUse(purpose=_PURPOSE))
        kept = await self._files.upload(principal, command, _once(bytes(data)))
        return FileId(kept.id)

    async def open(self, scope: TenantScope, file_id: FileId) -> FileContent:
        """Hand out a picture; raise ``FileNotFound`` for other files."""
        return await self._files.open_for(scope, file_id, purpose=_PURPOSE)

    async def remove(self, scope: TenantScope, file_id: FileId) -> None:
        """Delete a picture, whoever sent it; one that is gone already is no failure."""
        try:
            await self._files.delete_for(scope, file_id, purpose=_PURPOSE)
        except NotFound:
            return


async def _once(data: bytes) -> AsyncGenerator[bytes, None]:
    yield data
