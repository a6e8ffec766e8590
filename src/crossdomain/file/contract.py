"""What other contexts may ask of uploaded files, in plain types only."""

from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass
from typing import Protocol

from domain.shared.access import TenantScope
from domain.shared.ids import FileId


@dataclass(frozen=True, slots=True, kw_only=True)
class FileDescription:
    """An uploaded file; ``url`` is signed and lasts an hour."""

    id: FileId
    name: str
    media_type: str
    size: int
    url: str
    sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadedImage:
    """The bytes of a checked image; ``media_type`` sniffed from them."""

    data: bytes
    media_type: str
    sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadedFile:
    """A whole file; the media type is what its owner says, empty if nobody does."""

    name: str
    media_type: str
    data: bytes


class FileLoader(Protocol):
    """Whole files for those who hand them on, always within a scope."""

    async def load(
        self,
        scope: TenantScope,
        *,
        file_id: FileId | None = None,
        url: str = "",
        max_bytes: int,
        hosts: frozenset[str] = frozenset(),
    ) -> LoadedFile:
        """Load an upload by id or by its signed address, others through the egress gate.

        ``hosts``: if not empty, only these may be asked for foreign addresses.

        Raises:
            FileNotFound: no such file in the scope.
            RequestTooLarge: it has more than ``max_bytes``.
            InvalidRequest: a signed address is damaged or too old, or nothing can be read there.
            EgressDenied, EgressFailed: the address is not allowed, or does not answer.
            Unavailable: the store does not answer.
        """
        ...


class FileBytes(Protocol):
    """The content of files, always within a scope; an id outside it is not found."""

    async def find(
        self, scope: TenantScope, *, file_id: FileId | None = None, object_key: str = ""
    ) -> FileDescription:
        """Describe one file, by id or by the key of its object; raise ``FileNotFound`` (4200)."""
        ...

    def read(self, scope: TenantScope, file_id: FileId) -> AsyncGenerator[bytes, None]:
        """Yield the bytes in chunks; raise ``FileNotFound``, ``Unavailable``."""
        ...


class Files(Protocol):
    """Read access to files, always within a scope; an id outside it is not found."""

    async def describe(
        self, scope: TenantScope, file_ids: Sequence[FileId]
    ) -> dict[FileId, FileDescription]:
        """Describe all of them; raise ``FileNotFound`` (4200) naming the first unknown id."""
        ...

    async def load_image(
        self, scope: TenantScope, *, file_id: FileId | None = None, url: str = ""
    ) -> LoadedImage:
        """Load an image by id, by http(s) URL through the egress gate, or by ``data:`` URL.

        Raises:
            FileNotFound: no such file in the scope.
            ImageRefused: not an image, too large, or the address is not allowed (4000).
        """
        ...
