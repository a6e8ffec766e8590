"""What the memory context needs from a store; implemented in ``infra.impl.repository``."""

from collections.abc import Collection, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from datetime import datetime
from typing import Protocol

from domain.memory.database import DatabaseId, DatabaseTable, ImportId, ImportJob
from domain.memory.variable import Holder, StoredValue
from domain.shared.access import TenantScope
from domain.shared.aggregate import DomainEvent
from domain.shared.ids import AgentId, SpaceId


class DatabaseRepository(Protocol):
    """Database tables that are not deleted."""

    async def get(self, scope: TenantScope, database_id: DatabaseId) -> DatabaseTable:
        """Return the table; raise ``DatabaseNotFound``."""
        ...

    async def find(
        self, scope: TenantScope, database_ids: Collection[DatabaseId]
    ) -> Sequence[DatabaseTable]:
        """Return those that exist, by id."""
        ...

    async def page(
        self,
        scope: TenantScope,
        *,
        text: str,
        after_id: DatabaseId | None,
        limit: int,
    ) -> tuple[Sequence[DatabaseTable], int]:
        """Return tables, the youngest first, and how many there are."""
        ...

    async def of_agent(self, scope: TenantScope, agent_id: AgentId) -> Sequence[DatabaseTable]:
        """Return the tables bound to an agent, by id."""
        ...

    async def bind(
        self, scope: TenantScope, table: DatabaseTable, agent_id: AgentId, *, now: datetime
    ) -> None:
        """Bind a table to an agent; a binding that exists is no error."""
        ...

    async def unbind(self, scope: TenantScope, table: DatabaseTable, agent_id: AgentId) -> None:
        """Undo a binding; an absent one is no error."""
        ...

    async def agents_of(self, scope: TenantScope, database_id: DatabaseId) -> Sequence[AgentId]:
        """Return the agents a table is bound to."""
        ...

    async def save(self, scope: TenantScope, table: DatabaseTable) -> None:
        """Insert or update; raise ``StaleRevision``, ``DatabaseNameTaken``."""
        ...


class ImportRepository(Protocol):
    """Imports of files."""

    async def put(self, scope: TenantScope, job: ImportJob) -> None:
        """Insert or update."""
        ...

    async def get(
        self, scope: TenantScope, database_id: DatabaseId, import_id: ImportId
    ) -> ImportJob:
        """Return an import; raise ``ImportNotFound``."""
        ...


class VariableRepository(Protocol):
    """Values that were written for end users."""

    async def get(self, scope: TenantScope, holder: Holder) -> Mapping[str, StoredValue]:
        """Return all values of a holder, by keyword."""
        ...

    async def put(
        self,
        scope: TenantScope,
        space_id: SpaceId,
        holder: Holder,
        changed: Mapping[str, str],
        *,
        now: datetime,
    ) -> None:
        """Write values; the last writer of a keyword wins."""
        ...

    async def remove(
        self, scope: TenantScope, holder: Holder, keywords: Collection[str] | None
    ) -> None:
        """Forget values, so that the defaults hold again; None forgets all."""
        ...


class MemoryUnitOfWork(Protocol):
    """One transaction of the memory context."""

    @property
    def databases(self) -> DatabaseRepository: ...

    @property
    def imports(self) -> ImportRepository: ...

    @property
    def variables(self) -> VariableRepository: ...

    def collect(self, *events: DomainEvent) -> None:
        """Have events delivered after the commit."""
        ...

    async def commit(self) -> None:
        """Make everything durable."""
        ...


class MemoryStore(Protocol):
    """Opens transactions."""

    def transaction(self) -> AbstractAsyncContextManager[MemoryUnitOfWork]:
        """Open one for writing; leaving without commit rolls back."""
        ...

    def snapshot(self) -> AbstractAsyncContextManager[MemoryUnitOfWork]:
        """Open one for reading."""
        ...
