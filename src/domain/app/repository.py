"""What the app context needs from a store; implemented in ``infra.impl.repository``."""

from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Protocol

from domain.app.entity import App, AppVersion
from domain.app.value import AppId
from domain.shared.access import TenantScope


@dataclass(frozen=True, slots=True, kw_only=True)
class AppQuery:
    """A page of apps, newest change first.

    ``is_published`` None shows all. ``connector_id`` keeps those published there. ``text`` is
    searched in names.
    """

    limit: int
    offset: int = 0
    is_published: bool | None = None
    connector_id: int | None = None
    text: str = ""


class AppRepository(Protocol):
    """Apps that are not deleted."""

    async def get(self, scope: TenantScope, app_id: AppId) -> App:
        """Return the app; raise ``AppNotFound``."""
        ...

    async def search(self, scope: TenantScope, query: AppQuery) -> tuple[Sequence[App], int]:
        """Return one page and the number of all matches."""
        ...

    async def save(self, scope: TenantScope, app: App) -> None:
        """Insert or update; raise ``StaleRevision``, or ``AppNotFound`` for a foreign space."""
        ...


class AppVersionRepository(Protocol):
    """Immutable versions of apps that are not deleted."""

    async def add(self, scope: TenantScope, version: AppVersion) -> None: ...

    async def get(self, scope: TenantScope, app_id: AppId, label: str) -> AppVersion:
        """Return a version; raise ``AppVersionNotFound``."""
        ...

    async def page(
        self, scope: TenantScope, app_id: AppId, *, offset: int, limit: int
    ) -> tuple[Sequence[AppVersion], int]:
        """Newest first, with the number of all."""
        ...


class AppUnitOfWork(Protocol):
    """One transaction: committed by ``commit``, rolled back by leaving the block without it."""

    @property
    def apps(self) -> AppRepository: ...

    @property
    def versions(self) -> AppVersionRepository: ...

    async def commit(self) -> None: ...


class AppStore(Protocol):
    """Opens transactions."""

    def transaction(self) -> AbstractAsyncContextManager[AppUnitOfWork]:
        """Open a transaction for writing."""
        ...

    def snapshot(self) -> AbstractAsyncContextManager[AppUnitOfWork]:
        """Open a transaction for reading only."""
        ...
