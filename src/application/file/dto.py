"""Commands and views of the file use cases."""

from datetime import datetime
from typing import Annotated

import msgspec

from application.shared.projection import At, Projection
from crossdomain.file.contract import FileContent, FileUse, UploadFile
from domain.shared.ids import Id

__all__ = ["FileContent", "FileUse", "FileView", "LinkView", "UploadFile"]


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
