"""Values of the file context."""

from dataclasses import dataclass

import msgspec

from domain.file.entity import File
from domain.shared.ids import FileId


@dataclass(frozen=True, slots=True, kw_only=True)
class DescribedFile:
    """A file with a signed address."""

    file: File
    url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Image:
    """Bytes of a checked image."""

    data: bytes
    media_type: str
    sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FileContent:
    """A whole file in memory."""

    name: str
    media_type: str
    data: bytes


class FileQuery(msgspec.Struct, frozen=True, kw_only=True):
    """A page of files in the order of their ids; the file ``after`` is excluded."""

    purposes: frozenset[str] | None = None
    after: FileId | None = None
    descending: bool = True
    limit: int = 100
