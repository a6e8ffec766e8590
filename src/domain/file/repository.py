"""Where files are kept."""

from collections.abc import Collection, Sequence
from contextlib import AbstractAsyncContextManager
from datetime import datetime
from typing import Protocol

from domain.file.entity import File
from domain.file.value import FileQuery
from domain.shared.access import TenantScope
from domain.shared.capacity.quota import UsageCounter
from domain.shared.ids import FileId, SpaceId
from infra.contract.storage.object_store import ObjectKey


class FileRepository(Protocol):
    """Files of tenants; a file of another space, not ready or expired is not found.

    A scope narrowed to an end user sees only what that person uploaded.
    """

    async def get(self, scope: TenantScope, file_id: FileId) -> File:
        """Return a ready file; raise ``FileNotFound``."""
        ...

    async def get_by_key(self, scope: TenantScope, key: ObjectKey) -> File:
        """Return the ready file whose object has this key; raise ``FileNotFound``."""
        ...

    async def get_many(self, scope: TenantScope, file_ids: Sequence[FileId]) -> dict[FileId, File]:
        """Return the ready ones among ``file_ids``."""
        ...

    async def of_creator(
        self, scope: TenantScope, space_id: SpaceId, query: FileQuery
    ) -> list[File]:
        """Return the principal's own ready files of one space, one page of them."""
        ...

    async def save(self, scope: TenantScope, file: File) -> None:
        """Insert or update; raise ``StaleRevision``."""
        ...

    async def remove(self, scope: TenantScope, file_id: FileId) -> None:
        """Forget an upload that did not complete."""
        ...


class UploadKeyRepository(Protocol):
    """Idempotency keys of uploads, each for one principal."""

    async def claim(
        self, scope: TenantScope, key: str, file_id: FileId, *, now: datetime, since: datetime
    ) -> FileId:
        """Bind ``key`` to ``file_id`` unless it was bound since; return the file it belongs to."""
        ...


class FileJanitor(Protocol):
    """Files of all spaces, for the system jobs that answer to nobody's scope."""

    async def find_dead(
        self,
        *,
        deleted_before: datetime,
        begun_before: datetime,
        limit: int,
        but: Collection[SpaceId] = (),
    ) -> list[File]:
        """Return deleted files and uploads that never completed, oldest first.

        Those of the spaces ``but`` stay.
        """
        ...

    async def find_expired(self, *, now: datetime, limit: int) -> list[File]:
        """Return ready files whose time is over."""
        ...

    async def forget(self, file: File) -> None:
        """Remove the row of a file whose bytes are gone."""
        ...

    async def forget_upload_keys(self, *, before: datetime) -> None:
        """Remove idempotency keys that expired."""
        ...


class FileUnitOfWork(Protocol):
    """One transaction on files."""

    @property
    def files(self) -> FileRepository: ...

    @property
    def upload_keys(self) -> UploadKeyRepository: ...

    @property
    def janitor(self) -> FileJanitor: ...

    @property
    def usage(self) -> UsageCounter: ...

    async def serialise(self, what: str) -> None:
        """Go on alone among the transactions that name the same, until this one ends."""
        ...

    async def commit(self) -> None: ...


class FileStore(Protocol):
    """Opens transactions."""

    def transaction(self) -> AbstractAsyncContextManager[FileUnitOfWork]:
        """A transaction for writing; leaving without commit changes nothing."""
        ...

    def snapshot(self) -> AbstractAsyncContextManager[FileUnitOfWork]:
        """A transaction for reading only."""
        ...
