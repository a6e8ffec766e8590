"""Port: one file that holds named streams of bytes, complete or not there at all."""

from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from typing import Protocol

Append = Callable[[bytes], Awaitable[None]]


class ArchiveWriter(Protocol):
    """Takes entries one after the other."""

    def entry(self, name: str, *, is_packed: bool) -> AbstractAsyncContextManager[Append]:
        """Open an entry; ``is_packed`` says that compressing it gains nothing."""
        ...


class ArchiveReader(Protocol):
    """Reads entries in any order; each is checked against its checksum on the way.

    Raises ``ArchiveUnreadable``.
    """

    async def names(self) -> list[tuple[str, int]]:
        """Names and sizes of all entries, sorted."""
        ...

    def read(self, name: str) -> AsyncGenerator[bytes, None]: ...
