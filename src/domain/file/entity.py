"""The file: what is known about an uploaded object, and its events."""

import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from domain.file.error import FileEmpty, FileNotFound
from domain.file.name import sanitise_name
from domain.shared.aggregate import Aggregate, DomainEvent
from domain.shared.ids import FileId, SpaceId, UserId
from infra.contract.storage.object_store import ObjectKey, StoredObject


class FileReady(DomainEvent, frozen=True, kw_only=True, tag="file.ready"):
    """A file was uploaded completely; its object exists with this size and hash."""

    creator_id: int
    media_type: str
    size: int
    sha256: str


class FileDeleted(DomainEvent, frozen=True, kw_only=True, tag="file.deleted"):
    """A file was deleted; its bytes go later."""

    sha256: str


_RANDOM_BYTES = 16
"""128 bits: keys cannot be guessed."""


class FileStatus(StrEnum):
    """Life of a file; an upload that fails leaves no file at all."""

    UPLOADING = "uploading"
    READY = "ready"
    DELETED = "deleted"


@dataclass(kw_only=True, eq=False)
class File(Aggregate):
    """One uploaded object. Ready means: the object exists with the recorded size and hash."""

    id: FileId
    space_id: SpaceId
    creator_id: UserId
    end_user_id: str = ""
    """Whom the uploading token was bound to; such tokens see the files of that person only."""
    name: str
    object_key: ObjectKey
    created_at: datetime
    media_type: str = ""
    size: int = 0
    sha256: str = ""
    status: FileStatus = FileStatus.UPLOADING
    ready_at: datetime | None = None
    deleted_at: datetime | None = None
    purpose: str = ""
    """What its uploader says it is for; nothing here depends on it."""
    expires_at: datetime | None = None
    """From then on it is not found, and soon deleted."""

    @classmethod
    def begin(
        cls,
        file_id: FileId,
        space_id: SpaceId,
        *,
        creator_id: UserId,
        name: str,
        now: datetime,
        end_user_id: str = "",
    ) -> "File":
        """Register an upload under a new unguessable key, before its first byte is stored."""
        return cls(
            id=file_id,
            space_id=space_id,
            creator_id=creator_id,
            end_user_id=end_user_id,
            name=sanitise_name(name),
            object_key=new_object_key(space_id, now=now),
            created_at=now,
        )

    def complete(
        self,
        stored: StoredObject,
        *,
        media_type: str,
        now: datetime,
        purpose: str = "",
        ttl_s: int | None = None,
    ) -> None:
        """Take over what was stored; raise ``FileEmpty`` if that is nothing."""
        if stored.size == 0:
            raise FileEmpty("file: the file is empty.", field="file")
        self.media_type = media_type
        self.size = stored.size
        self.sha256 = stored.sha256
        self.status = FileStatus.READY
        self.ready_at = now
        self.purpose = purpose
        self.expires_at = None if ttl_s is None else self.created_at + timedelta(seconds=ttl_s)
        self.record(
            FileReady(
                creator_id=self.creator_id,
                media_type=media_type,
                size=stored.size,
                sha256=stored.sha256,
            ),
            at=now,
        )

    def delete(self, *, now: datetime) -> None:
        """Make the file unreachable; its bytes are purged later."""
        if self.status is not FileStatus.READY:
            raise FileNotFound(f"No file {self.id}.", file_id=self.id)
        self.status = FileStatus.DELETED
        self.deleted_at = now
        self.record(FileDeleted(sha256=self.sha256), at=now)

    def repeats(self, other: "File", stored: StoredObject) -> bool:
        """Tell whether ``other``, with this content, is the same upload once more."""
        mine = (self.space_id, self.name, self.size, self.sha256)
        return mine == (other.space_id, other.name, stored.size, stored.sha256)


def new_object_key(space_id: SpaceId, *, now: datetime) -> ObjectKey:
    """Make a key ``space/<id>/<yyyy>/<mm>/<random>``; nothing in it comes from a client."""
    random = secrets.token_hex(_RANDOM_BYTES)
    return ObjectKey(f"space/{space_id}/{now:%Y}/{now:%m}/{random}")
