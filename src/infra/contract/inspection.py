"""Port: questions about the database that no use case asks, for the check of a deployment."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol


@dataclass(frozen=True, slots=True, kw_only=True)
class Oddity:
    """Rows that should not be like this: how many, and the keys of some."""

    what: str
    count: int
    examples: tuple[str, ...] = ()


class Inspection(Protocol):
    """Reads all spaces; changes nothing."""

    async def revision(self) -> str | None:
        """The revision of the schema; None for an empty database."""
        ...

    async def damage(self) -> Sequence[str]:
        """What the engine itself finds wrong with its files."""
        ...

    async def dangling(self) -> Sequence[Oddity]:
        """Rows that name a row that is not there."""
        ...

    async def overdue(self, *, before: datetime) -> Sequence[Oddity]:
        """Work that is not over although nobody has held it since ``before``."""
        ...

    async def gaps(self) -> Sequence[Oddity]:
        """Runs whose numbered events have gaps."""
        ...

    def object_keys(self) -> AsyncIterator[Sequence[str]]:
        """Keys of all objects that rows need, in batches."""
        ...
