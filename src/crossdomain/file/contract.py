"""What other contexts may ask of uploaded files, in plain types only."""

from collections.abc import AsyncGenerator, AsyncIterable, Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from domain.shared.access import Principal, TenantScope
from domain.shared.ids import FileId, SpaceId


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


@dataclass(frozen=True, slots=True, kw_only=True)
class FileUse:
    """What a file is for, and how long it is kept: None is for good."""

    purpose: str = ""
    ttl_s: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class UploadFile:
    """What a client says about the file it sends; none of it is trusted.

    ``space_id`` None means the caller's personal space. An ``idempotency_key`` makes the same
    upload return the same file for a day. ``use`` is asked once the bytes are there: forms may
    tell it after the file; what it raises refuses the upload.
    """

    name: str
    declared_type: str = ""
    space_id: int | None = None
    idempotency_key: str = ""
    use: Callable[[], FileUse] = FileUse


ReadRange = Callable[[int, int], AsyncGenerator[bytes, None]]
"""Streams the bytes from the first number to the second (exclusive)."""


AddressOf = Callable[[str, str], str]
"""Where clients can fetch a file by themselves, as this type and with this disposition."""


def nowhere(_: str, __: str) -> str:
    """The file is to be had from us alone."""
    return ""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileContent:
    """A file to hand out; ``read`` is iterated inside ``aclosing``.

    ``is_attachment`` forbids showing it in place, whatever its type. ``address`` returns where it
    can be had without us, or nothing.
    """

    name: str
    media_type: str
    size: int
    sha256: str
    is_attachment: bool
    read: ReadRange
    address: AddressOf = nowhere


class StoredFile(Protocol):
    """A file that was taken."""

    @property
    def id(self) -> int: ...

    @property
    def name(self) -> str: ...

    @property
    def media_type(self) -> str: ...


class Uploads(Protocol):
    """Files that somebody sends and fetches by way of another context."""

    async def upload(
        self, principal: Principal, command: UploadFile, chunks: AsyncIterable[bytes]
    ) -> StoredFile:
        """Store a file; nothing remains of one that breaks off, is empty or too large.

        Raises:
            RequestTooLarge: more bytes than the limit for uploads.
            FileEmpty: not a single byte.
            UploadKeyReused: the idempotency key belongs to another content.
            QuotaExceeded: the workspace has as much as it may have.
        """
        ...

    async def open(self, principal: Principal, file_id: FileId) -> FileContent:
        """Hand out a file; raise ``FileNotFound``."""
        ...


class Pictures(Protocol):
    """Small images that another context shows, kept in a workspace."""

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
        ...

    async def open(self, scope: TenantScope, file_id: FileId) -> FileContent:
        """Hand out a picture; raise ``FileNotFound`` for other files."""
        ...

    async def remove(self, scope: TenantScope, file_id: FileId) -> None:
        """Delete a picture, whoever sent it; one that is gone already is no failure."""
        ...
