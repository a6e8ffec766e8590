"""Ports of data rights: requests, what workspaces keep, and what is stored of people."""

from collections.abc import Collection, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

from domain.privacy.request import DataRequest
from domain.privacy.retention import Retention
from domain.privacy.value import Aging, DataRequestId, Section, StoreCount, Subject
from domain.shared.access import TenantScope
from domain.shared.aggregate import DomainEvent
from domain.shared.ids import SpaceId


class DataRequestRepository(Protocol):
    """Requests of the scope's workspaces."""

    async def get(self, scope: TenantScope, request_id: DataRequestId) -> DataRequest:
        """Return a request; raise ``DataRequestNotFound``."""
        ...

    async def newest(self, scope: TenantScope, *, limit: int) -> Sequence[DataRequest]: ...

    async def count_open(self, scope: TenantScope) -> int:
        """Count those that are not over."""
        ...

    async def save(self, scope: TenantScope, request: DataRequest) -> None:
        """Insert or update; raise ``StaleRevision``."""
        ...


class RetentionRepository(Protocol):
    """What workspaces say of how long they keep things."""

    async def get(self, scope: TenantScope, space_id: SpaceId) -> Retention:
        """Return what a workspace says; nothing, if it never said anything."""
        ...

    async def save(self, scope: TenantScope, retention: Retention) -> None: ...


class PrivacyJobs(Protocol):
    """What is to be done in all workspaces; for jobs, which answer to nobody's scope."""

    async def waiting(self, *, limit: int) -> Sequence[DataRequest]:
        """Return requests of all workspaces that are not over, oldest first."""
        ...

    async def archived(
        self, *, digest: str | None = None, expired_at: datetime | None = None, limit: int
    ) -> Sequence[DataRequest]:
        """Return requests with a file: of somebody, or whose time is over."""
        ...

    async def all(self) -> Sequence[Retention]:
        """Return what all workspaces say; for jobs."""
        ...

    async def is_held(self, space_id: SpaceId) -> bool: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """Rows to be found: of somebody, with files that only they have to do with; or old ones."""

    space_id: SpaceId
    subject: Subject | None = None
    aging: Aging | None = None
    ids: frozenset[int] = frozenset()
    """Of files where somebody is selected, else of what is old."""


class PersonalRows(Protocol):
    """Rows of people in all tables, which are registered beside their definitions."""

    async def stop(self, subject: Subject, *, now: datetime) -> Sequence[tuple[str, int]]:
        """Ask what runs for somebody to end; return what has not yet, by table and id."""
        ...

    async def of(self, subject: Subject) -> Selection:
        """Select somebody: with the files that they sent, and nobody else or nothing else uses."""
        ...

    async def aged(
        self, space_id: SpaceId, aging: Aging, *, before: datetime, limit: int
    ) -> Selection | None:
        """Select old things of a workspace, some at a time; None if there are none."""
        ...

    async def count(self, selection: Selection) -> Sequence[StoreCount]:
        """Count what is found in each table, those without anything included."""
        ...

    async def objects(self, selection: Selection) -> Collection[str]:
        """Return the keys of objects that go with the rows."""
        ...

    def stores(self) -> Sequence[tuple[str, Section]]:
        """Return the tables that are handed over, with their sections."""
        ...

    async def page(
        self, selection: Selection, store: str, *, after: Sequence[Any] | None, limit: int
    ) -> tuple[Sequence[Mapping[str, Any]], Sequence[Any] | None]:
        """Return rows of a table as plain values, and the place to go on from."""
        ...

    async def forget(self, selection: Selection) -> Mapping[str, int]:
        """Remove or disown all rows, what belongs to others first; return how many by table."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class SpacePage:
    """Some rows of a table that belong to a workspace, and the objects that go with them."""

    keys: Sequence[Sequence[Any]]
    objects: Sequence[str]
    after: Sequence[Any] | None
    """The place to go on from; None: these were the last."""


class SpaceRows(Protocol):
    """Rows of workspaces that are gone, in all tables."""

    async def ended(self, *, now: datetime, limit: int) -> Sequence[SpaceId]:
        """Return workspaces for whose return it is too late, unless a legal hold is on them."""
        ...

    def stores(self) -> Sequence[str]:
        """Return the tables that something goes from, what belongs to others first."""
        ...

    async def page(
        self, space_id: SpaceId, store: str, *, after: Sequence[Any] | None, limit: int
    ) -> SpacePage:
        """Find rows of a table; there may be none, and more after them."""
        ...

    async def remove(self, store: str, keys: Sequence[Sequence[Any]]) -> int:
        """Remove rows by their primary keys; return how many that were."""
        ...

    async def users(self, space_id: SpaceId, *, limit: int) -> Sequence[str]:
        """Return end users whom entries of usage name."""
        ...

    async def disown(self, space_id: SpaceId, name: str) -> None:
        """Leave the entries of an end user without the name, and the sums with them."""
        ...

    async def end(self, space_id: SpaceId) -> str | None:
        """Remove the row of the workspace itself; return its name, None if it was gone."""
        ...


class PrivacyUnitOfWork(Protocol):
    """One transaction."""

    @property
    def requests(self) -> DataRequestRepository: ...

    @property
    def retention(self) -> RetentionRepository: ...

    @property
    def jobs(self) -> PrivacyJobs: ...

    @property
    def people(self) -> PersonalRows: ...

    @property
    def space_rows(self) -> SpaceRows: ...

    async def serialise(self, what: str) -> None: ...

    def collect(self, *events: DomainEvent) -> None:
        """Take facts that no aggregate records; each says when it was."""
        ...

    async def commit(self) -> None: ...


class PrivacyStore(Protocol):
    """Opens transactions on data rights."""

    def transaction(self) -> AbstractAsyncContextManager[PrivacyUnitOfWork]: ...

    def snapshot(self) -> AbstractAsyncContextManager[PrivacyUnitOfWork]: ...
