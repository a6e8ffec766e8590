"""Contract of data rights: what must not be removed, and what is kept of people beside the rows."""

from collections.abc import AsyncIterator, Mapping
from typing import Any, Protocol

from domain.shared.ids import SpaceId


class LegalHolds(Protocol):
    """Knows of which workspaces nothing may be removed for now."""

    async def held(self) -> frozenset[SpaceId]: ...


class PersonalRecords(Protocol):
    """Rows of people that tenants' own tables hold, apart from the platform's database."""

    async def count(self, space_id: SpaceId, person: str) -> int: ...

    def export(self, space_id: SpaceId, person: str) -> AsyncIterator[Mapping[str, Any]]:
        """Yield the rows with the names of their tables and columns."""
        ...

    async def remove(self, space_id: SpaceId, person: str) -> int:
        """Remove the rows; return how many."""
        ...
