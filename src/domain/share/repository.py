"""What share links need from a store; implemented in ``infra.impl.repository``."""

from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from datetime import datetime
from typing import Protocol

from domain.share.hook import HookNotice
from domain.share.link import ShareLink, ShareLinkId
from domain.share.visitor import Visit
from domain.shared.access import TenantScope
from domain.shared.ids import RunId


class ShareLinkRepository(Protocol):
    """Links of workspaces; one that was revoked is not found."""

    async def get(self, scope: TenantScope, link_id: ShareLinkId) -> ShareLink:
        """Return the link; raise ``ShareLinkNotFound``."""
        ...

    async def all(self, scope: TenantScope) -> Sequence[ShareLink]:
        """Return those of the scope, newest first."""
        ...

    async def save(self, scope: TenantScope, link: ShareLink) -> None:
        """Insert or update; raise ``StaleRevision``, or ``ShareLinkNotFound`` elsewhere."""
        ...


class ShareDirectory(Protocol):
    """System port of visitors, who answer to no scope."""

    async def find(self, code: str) -> ShareLink | None:
        """Return the link with this code, unless it was revoked."""
        ...

    async def of(self, link_id: ShareLinkId) -> ShareLink | None:
        """Return the link, unless it was revoked."""
        ...

    async def visit(self, digest: bytes) -> Visit | None:
        """Return the session whose token has this digest, whatever its state."""
        ...

    async def add(self, visit: Visit) -> None:
        """Keep a new session."""
        ...

    async def forget(self, *, before: datetime, limit: int) -> int:
        """Remove sessions that ended before some time; return how many those were."""
        ...


class HookNotices(Protocol):
    """What hooks are still to be told."""

    async def add(self, notice: HookNotice) -> None:
        """Keep a notice; one for the same run that is there already stays as it is."""
        ...

    async def due(self, *, now: datetime, limit: int) -> Sequence[HookNotice]:
        """Return those whose time has come, the oldest first."""
        ...

    async def put_off(self, notice: HookNotice) -> None:
        """Keep when it is due again, if it is still there."""
        ...

    async def remove(self, run_id: RunId) -> None:
        """Forget the one of a run."""
        ...


class ShareUnitOfWork(Protocol):
    """One transaction: committed by ``commit``, rolled back by leaving the block without it."""

    @property
    def links(self) -> ShareLinkRepository: ...

    @property
    def directory(self) -> ShareDirectory: ...

    @property
    def notices(self) -> HookNotices: ...

    async def serialise(self, name: str) -> None:
        """Wait until no other transaction has this name, and keep it to the end."""
        ...

    async def commit(self) -> None: ...


class ShareStore(Protocol):
    """Opens transactions."""

    def transaction(self) -> AbstractAsyncContextManager[ShareUnitOfWork]:
        """Open a transaction for writing."""
        ...

    def snapshot(self) -> AbstractAsyncContextManager[ShareUnitOfWork]:
        """Open a transaction for reading only."""
        ...
