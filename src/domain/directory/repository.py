"""What the directory needs from a store; implemented in ``infra.impl.repository``."""

from collections.abc import Collection, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from datetime import datetime
from typing import Protocol

from domain.directory.value import Counts, Entry, EntryType, Waiting
from domain.shared.access import TenantScope
from domain.shared.ids import SpaceId, UserId


class DirectoryRepository(Protocol):
    """Reads across contexts; scopes say per type what may be seen."""

    async def find(
        self, scopes: Mapping[EntryType, TenantScope], text: str, *, limit: int
    ) -> Sequence[Entry]:
        """Return what has the text in its name: per type, names that begin with it first."""
        ...

    async def by_id(self, scopes: Mapping[EntryType, TenantScope], id_: int) -> Sequence[Entry]:
        """Return what has this id."""
        ...

    async def by_log_id(self, scope: TenantScope, log_id: str) -> Sequence[Entry]:
        """Return the runs that a request with this log id began."""
        ...

    async def tokens(self, scope: TenantScope, last4: str) -> Sequence[Entry]:
        """Return the caller's own personal tokens that end with these characters."""
        ...

    async def opened(
        self,
        scopes: Mapping[EntryType, TenantScope],
        user_id: UserId,
        space_id: SpaceId,
        *,
        limit: int,
    ) -> Sequence[Entry]:
        """Return what the account opened last, newest first, as far as it is still there."""
        ...

    async def made(
        self, scopes: Mapping[EntryType, TenantScope], user_id: UserId, *, limit: int
    ) -> Sequence[Entry]:
        """Return what the account made and somebody changed last, newest first."""
        ...

    async def open(
        self, scope: TenantScope, space_id: SpaceId, type_: EntryType, id_: int, *, now: datetime
    ) -> None:
        """Remember that the caller opened something; only the newest are kept."""
        ...

    async def runs_waiting(self, scope: TenantScope, *, limit: int) -> Sequence[Waiting]:
        """Return the caller's own runs that stand still for an answer, newest first."""
        ...

    async def documents_failed(
        self, scope: TenantScope, *, since: datetime, limit: int
    ) -> Sequence[Waiting]:
        """Return documents that could not be read, newest first."""
        ...

    async def tokens_ending(
        self, scope: TenantScope, *, after: datetime, before: datetime
    ) -> Sequence[Waiting]:
        """Return the caller's own tokens that end between two times, the next one first."""
        ...

    async def counts(self, scope: TenantScope, types: Collection[EntryType]) -> Counts:
        """Count what there is of some types."""
        ...


class DirectoryUnitOfWork(Protocol):
    """One transaction: committed by ``commit``, rolled back by leaving the block without it."""

    @property
    def directory(self) -> DirectoryRepository: ...

    async def commit(self) -> None: ...


class DirectoryStore(Protocol):
    """Opens transactions."""

    def transaction(self) -> AbstractAsyncContextManager[DirectoryUnitOfWork]:
        """Open a transaction for writing."""
        ...

    def snapshot(self) -> AbstractAsyncContextManager[DirectoryUnitOfWork]:
        """Open a transaction for reading only."""
        ...
