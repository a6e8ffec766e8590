"""Commands and views of the file use cases."""

from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

import msgspec

from application.shared.projection import At, Projection
from domain.shared.ids import Id


class FileUse(msgspec.Struct, frozen=True, kw_only=True):
    """What a file is for, and how long it is kept: None is for good."""

    purpose: str = ""
    ttl_s: int | None = None


class UploadFile(msgspec.Struct, frozen=True, kw_only=True):
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


class FileView(Projection):
    """A file as shown to members of its space; ``url`` is signed.

    ``object_key`` names its object; it opens nothing without the rights to the file.
    """

    id: Id
    space_id: Id
    creator_id: Id
    name: str
    media_type: str
    size: int
    sha256: str
    object_key: Annotated[str, At("object_key.value")]
    url: str
    created_at: datetime
    purpose: str
    expires_at: datetime | None


class LinkView(msgspec.Struct, frozen=True, kw_only=True):
    """A signed address of a file."""

    url: str
    expires_at: datetime


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
