"""Port: large binary objects."""

import re
from collections.abc import AsyncGenerator, AsyncIterable
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Protocol

from domain.shared.error import AppError, ErrorKind, Unavailable

_KEY: Final = re.compile(r"[a-z0-9_-]+(/[a-z0-9_-]+)*")
_MAX_KEY: Final = 512


class ObjectNotFound(AppError):
    """No object under this key."""

    code, kind = 4200, ErrorKind.NOT_FOUND


class ObjectStoreFull(Unavailable):
    """The store has no room left; nothing was written."""


@dataclass(frozen=True, slots=True)
class ObjectKey:
    """A generated key, never a client's name: ``[a-z0-9_-]`` segments joined by ``/``."""

    value: str

    def __post_init__(self) -> None:
        if len(self.value) > _MAX_KEY or not _KEY.fullmatch(self.value):
            raise ValueError("Object keys are generated: lower-case words joined by slashes.")


@dataclass(frozen=True, slots=True)
class StoredObject:
    """What was written."""

    size: int
    sha256: str


class ObjectStore(Protocol):
    """Keeps objects by key. A write is all or nothing and durable once it returned."""

    async def put(
        self, key: ObjectKey, chunks: AsyncIterable[bytes], *, limit_bytes: int
    ) -> StoredObject:
        """Stream an object in, hashing on the way; an error leaves nothing behind.

        Raises:
            RequestTooLarge: more than ``limit_bytes`` arrived.
            ObjectStoreFull: no space left.
        """
        ...

    def read(
        self, key: ObjectKey, *, start: int = 0, end: int | None = None
    ) -> AsyncGenerator[bytes, None]:
        """Yield bytes ``start`` to ``end`` (exclusive) in chunks; raise ``ObjectNotFound``."""
        ...

    def address(
        self, key: ObjectKey, *, now: datetime, ttl_s: int, media_type: str, disposition: str
    ) -> str:
        """Return where clients can fetch the object by themselves for so long, as a download.

        The answer there has this type and ``Content-Disposition``. Empty: nowhere, they get it
        from us.
        """
        ...

    async def delete(self, key: ObjectKey) -> None:
        """Remove the object if it is there."""
        ...

    async def probe(self) -> None:
        """Raise ``Unavailable`` if the store cannot be written; used by readiness."""
        ...
