"""Files for the other contexts."""

from collections.abc import AsyncGenerator, Sequence

from crossdomain.file.contract import FileDescription, LoadedFile, LoadedImage
from domain.file.service import FileResolver
from domain.file.value import DescribedFile
from domain.shared.access import TenantScope
from domain.shared.ids import FileId


class DomainFiles:
    """Answers ``Files``, ``FileBytes`` and ``FileLoader`` from the file context."""

    def __init__(self, resolver: FileResolver) -> None:
        self._resolver = resolver

    async def describe(
        self, scope: TenantScope, file_ids: Sequence[FileId]
    ) -> dict[FileId, FileDescription]:
        described = await self._resolver.describe(scope, file_ids)
        return {file_id: _description(item) for file_id, item in described.items()}

    async def find(
        self, scope: TenantScope, *, file_id: FileId | None = None, object_key: str = ""
    ) -> FileDescription:
        found = await self._resolver.find(scope, file_id=file_id, object_key=object_key)
        return _description(found)

    def read(self, scope: TenantScope, file_id: FileId) -> AsyncGenerator[bytes, None]:
        return self._resolver.read(scope, file_id)

    async def load(
        self,
        scope: TenantScope,
        *,
        file_id: FileId | None = None,
        url: str = "",
        max_bytes: int,
        hosts: frozenset[str] = frozenset(),
    ) -> LoadedFile:
        found = await self._resolver.load(
            scope, file_id=file_id, url=url, max_bytes=max_bytes, hosts=hosts
        )
        return LoadedFile(name=found.name, media_type=found.media_type, data=found.data)

    async def load_image(
        self, scope: TenantScope, *, file_id: FileId | None = None, url: str = ""
    ) -> LoadedImage:
        image = await self._resolver.load_image(scope, file_id=file_id, url=url)
        return LoadedImage(data=image.data, media_type=image.media_type, sha256=image.sha256)


def _description(item: DescribedFile) -> FileDescription:
    file = item.file
    return FileDescription(
        id=file.id,
        name=file.name,
        media_type=file.media_type,
        size=file.size,
        url=item.url,
        sha256=file.sha256,
    )
