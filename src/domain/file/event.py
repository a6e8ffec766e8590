"""Facts about files."""

from domain.shared.aggregate import DomainEvent


class FileReady(DomainEvent, frozen=True, kw_only=True, tag="file.ready"):
    """A file was uploaded completely; its object exists with this size and hash."""

    creator_id: int
    media_type: str
    size: int
    sha256: str


class FileDeleted(DomainEvent, frozen=True, kw_only=True, tag="file.deleted"):
    """A file was deleted; its bytes go later."""

    sha256: str
