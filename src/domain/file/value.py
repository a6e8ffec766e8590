"""Values of the file context."""

from dataclasses import dataclass

from domain.file.entity import File


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
