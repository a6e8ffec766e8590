"""Pictures of people and workspaces: kept in a workspace, shown to whoever has the address."""

import secrets
from collections.abc import AsyncGenerator, AsyncIterable
from contextlib import asynccontextmanager
from typing import Final

from application.identity.account import AccountService, AccountView
from application.identity.dto import SpaceView, UpdateSpace
from application.identity.space import SpaceService
from crossdomain.file.contract import FileContent, Pictures
from domain.identity.error import UserNotFound
from domain.identity.repository import IdentityStore, IdentityUnitOfWork
from domain.shared.access import Permission, Principal, TenantScope
from domain.shared.error import Conflict, NotFound
from domain.shared.ids import FileId, SpaceId, UserId
from domain.shared.limits import Limits

_PATH: Final = "/avatars/"
_RANDOM_BYTES: Final = 16


class AvatarService:
    """Sets and shows pictures of accounts, and icons of workspaces.

    The address holds 128 random bits: pages of other hosts and chat clients show it without a
    sign-in, and nobody finds it by trying. A new picture has a new address, the former one ends.
    """

    def __init__(
        self,
        *,
        store: IdentityStore,
        account: AccountService,
        spaces: SpaceService,
        pictures: Pictures,
        external_url: str,
        limits: Limits,
    ) -> None:
        self._store = store
        self._account = account
        self._spaces = spaces
        self._pictures = pictures
        self._base = external_url.rstrip("/")
        self._limits = limits

    async def set(self, principal: Principal, chunks: AsyncIterable[bytes]) -> AccountView:
        """Show another picture of the caller.

        Raises:
            RequestTooLarge: it has too many bytes.
            ImageRefused: it is no image that browsers show, or a damaged one.
            QuotaExceeded: the personal workspace has as much as it may have.
            StaleRevision: the account changed meanwhile.
        """
        principal.require_unlimited()
        space_id, owner_id = principal.personal_space_id, principal.user_id
        async with self._kept(principal, chunks, owner_id=owner_id, space_id=space_id) as address:
            account, former = await self._account.show_with(principal, address)
        await self._remove(principal, space_id, former)
        return account

    async def clear(self, principal: Principal) -> AccountView:
        """Show no picture of the caller any more."""
        account, former = await self._account.show_with(principal, "")
        await self._remove(principal, principal.personal_space_id, former)
        return account

    async def set_icon(
        self, principal: Principal, space_id: int, chunks: AsyncIterable[bytes]
    ) -> SpaceView:
        """Show another icon of a workspace, which has its file.

        Raises:
            RequestTooLarge: it has too many bytes.
            ImageRefused: it is no image that browsers show, or a damaged one.
            QuotaExceeded: the workspace has as much as it may have.
            StaleRevision: the workspace changed meanwhile.
        """
        id_ = SpaceId(space_id)
        principal.require(Permission.SPACE_WRITE, id_)
        async with self._kept(principal, chunks, owner_id=id_, space_id=id_) as address:
            command = UpdateSpace(space_id=id_, icon_url=address)
            space, former = await self._spaces.update(principal, command)
        await self._remove(principal, id_, former)
        return space

    async def update_space(self, principal: Principal, command: UpdateSpace) -> SpaceView:
        """Change what a workspace is called and shown with; an icon that is replaced is removed."""
        space, former = await self._spaces.update(principal, command)
        if space.icon_url != former:
            await self._remove(principal, SpaceId(command.space_id), former)
        return space

    async def open(self, owner_id: int, key: str) -> FileContent:
        """Hand out the picture of an account or a workspace; raise ``NotFound`` for former ones."""
        async with self._store.snapshot() as uow:
            address, space_id = await _shown(uow, owner_id)
        file_id = _file_of(address)
        if file_id is None or not address.endswith(f"{_PATH}{owner_id}/{key}"):
            raise NotFound("There is no such picture.")
        return await self._pictures.open(_inside(UserId(owner_id), space_id), file_id)

    @asynccontextmanager
    async def _kept(
        self,
        principal: Principal,
        chunks: AsyncIterable[bytes],
        *,
        owner_id: int,
        space_id: SpaceId,
    ) -> AsyncGenerator[str, None]:
        """Store a picture; yield the address that shows it once its owner has taken it.

        Of two at one moment one owner is stale: that picture goes, for no address leads to it.
        """
        file_id = await self._pictures.keep(
            principal, space_id, chunks, name="avatar", max_bytes=self._limits.avatar_bytes
        )
        key = f"{file_id}-{secrets.token_hex(_RANDOM_BYTES)}"
        address = f"{self._base}{_PATH}{owner_id}/{key}"
        try:
            yield address
        except (Conflict, NotFound):
            await self._remove(principal, space_id, address)
            raise

    async def _remove(self, principal: Principal, space_id: SpaceId, address: str) -> None:
        # Addresses of icons are given by hand, too: no file of elsewhere goes for what one says.
        if (file_id := _file_of(address)) is not None:
            await self._pictures.remove(_inside(principal.user_id, space_id), file_id)


async def _shown(uow: IdentityUnitOfWork, owner_id: int) -> tuple[str, SpaceId]:
    """Return the address of somebody's picture, and the workspace that has the file."""
    try:
        user = await uow.users.get(UserId(owner_id))
    except UserNotFound:
        space = await uow.all_spaces.get(SpaceId(owner_id))
        space.require_there()
        return space.icon_url, space.id
    return user.avatar_url, user.personal_space_id


def _inside(user_id: UserId, space_id: SpaceId) -> TenantScope:
    return TenantScope(user_id, frozenset({space_id}))


def _file_of(address: str) -> FileId | None:
    """Return which file an address shows; None for none, and for pictures of other hosts."""
    number, dash, _ = address.rpartition("/")[2].partition("-")
    is_ours = _PATH in address and bool(dash) and number.isascii() and number.isdecimal()
    return FileId(int(number)) if is_ours else None
