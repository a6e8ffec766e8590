"""What the memory context needs from a store; implemented in ``infra.impl.repository``."""

from collections.abc import Collection, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from datetime import datetime
from typing import Protocol

from domain.memory.database import DatabaseId, DatabaseTable, ImportId, ImportJob
from domain.memory.end_user import EndUserRepository
from domain.memory.recollection import Recollection, RecollectionId
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

    async def agents_of(
        self, scope: TenantScope, database_ids: Collection[DatabaseId]
    ) -> Mapping[DatabaseId, Sequence[AgentId]]:
        """Return the agents that tables are bound to, by table; tables without one are left out."""
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

    async def lock(
        self,
        scope: TenantScope,
        space_id: SpaceId,
        holder: Holder,
        keyword: str,
        *,
        default: str,
        now: datetime,
    ) -> str:
        """Return a value, or ``default``; nobody else changes it until the transaction ends."""
        ...

    async def remove(
        self, scope: TenantScope, holder: Holder, keywords: Collection[str] | None
    ) -> None:
        """Forget values, so that the defaults hold again; None forgets all."""
        ...


class RecollectionRepository(Protocol):
    """What agents remember of end users, those of one holder at a time."""

    async def list(self, scope: TenantScope, holder: Holder) -> Sequence[Recollection]:
        """Return everything of a holder, also what was superseded, oldest first."""
        ...

    async def get(
        self, scope: TenantScope, holder: Holder, item_id: RecollectionId
    ) -> Recollection:
        """Return one that is active; raise ``RecollectionNotFound``."""
        ...

    async def put(self, scope: TenantScope, items: Sequence[Recollection]) -> None:
        """Insert or overwrite."""
        ...

    async def remove(
        self, scope: TenantScope, holder: Holder, item_ids: Collection[RecollectionId] | None
    ) -> int:
        """Forget some, None forgets all; return how many there were."""
        ...

    async def is_opted_out(self, scope: TenantScope, holder: Holder) -> bool:
        """Tell whether the end user does not want to be remembered."""
        ...

    async def opt_out(
        self, scope: TenantScope, space_id: SpaceId, holder: Holder, *, now: datetime
    ) -> None:
        """Note that the end user does not want to be remembered."""
        ...

    async def opt_in(self, scope: TenantScope, holder: Holder) -> None:
        """Undo that."""
        ...


class RecollectionCleanup(Protocol):
    """System port: what goes with something deleted, in whatever space it was remembered."""

    async def forget_episodes(self, conversation_id: int) -> int:
        """Remove the rounds of a conversation; return how many there were."""
        ...

    async def forget_message(self, conversation_id: int, message_id: int) -> int:
        """Remove whatever a message taught; return how much that was."""
        ...

    async def forget_agent(self, agent_id: AgentId) -> None:
        """Remove all that an agent remembers, and who did not want to be remembered."""
        ...


class MemoryUnitOfWork(Protocol):
    """One transaction of the memory context."""

    @property
    def databases(self) -> DatabaseRepository: ...

    @property
    def imports(self) -> ImportRepository: ...

    @property
    def variables(self) -> VariableRepository: ...

    @property
    def end_users(self) -> EndUserRepository: ...

    @property
    def recollections(self) -> RecollectionRepository: ...

    @property
    def cleanup(self) -> RecollectionCleanup: ...

    async def serialise(self, what: str) -> None:
        """Go on alone among the transactions that name the same, until this one ends."""
        ...

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
