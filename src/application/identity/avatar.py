"""Pictures of people: kept in their own workspace, shown to whoever has the address."""

import secrets
from collections.abc import AsyncIterable
from typing import Final

from application.identity.account import AccountService, AccountView
from crossdomain.file.contract import FileContent, Pictures
from domain.identity.repository import IdentityStore
from domain.shared.access import Principal, TenantScope
from domain.shared.error import NotFound
from domain.shared.ids import FileId, UserId
from domain.shared.limits import Limits

_PATH: Final = "/avatars/"
_RANDOM_BYTES: Final = 16


class AvatarService:
    """Sets and shows pictures of accounts.

    The address holds 128 random bits: pages of other hosts and chat clients show it without a
    sign-in, and nobody finds it by trying. A new picture has a new address, the former one ends.
    """

    def __init__(
        self,
        *,
        store: IdentityStore,
        account: AccountService,
        pictures: Pictures,
        external_url: str,
        limits: Limits,
    ) -> None:
        self._store = store
        self._account = account
        self._pictures = pictures
        self._base = external_url.rstrip("/")
        self._limits = limits

    async def set(self, principal: Principal, chunks: AsyncIterable[bytes]) -> AccountView:
        """Show another picture of the caller.

        Raises:
            RequestTooLarge: it has too many bytes.
            ImageRefused: it is no image that browsers show, or a damaged one.
            QuotaExceeded: the personal workspace has as much as it may have.
        """
        former = (await self._account.me(principal)).avatar_url
        file_id = await self._pictures.keep(
            principal, chunks, name="avatar", max_bytes=self._limits.avatar_bytes
        )
        key = f"{file_id}-{secrets.token_hex(_RANDOM_BYTES)}"
        address = f"{self._base}{_PATH}{principal.user_id}/{key}"
        account = await self._account.describe(principal, avatar_url=address)
        await self._remove(principal, former)
        return account

    async def clear(self, principal: Principal) -> AccountView:
        """Show no picture of the caller any more."""
        former = (await self._account.me(principal)).avatar_url
        account = await self._account.describe(principal, avatar_url="")
        await self._remove(principal, former)
        return account

    async def open(self, user_id: int, key: str) -> FileContent:
        """Hand out the picture of an account; raise ``NotFound`` for all but the present one."""
        async with self._store.snapshot() as uow:
            user = await uow.users.get(UserId(user_id))
        file_id = _file_of(user.avatar_url)
        if file_id is None or not user.avatar_url.endswith(f"{_PATH}{user_id}/{key}"):
            raise NotFound("There is no such picture.")
        scope = TenantScope(user.id, frozenset({user.personal_space_id}))
        return await self._pictures.open(scope, file_id)

    async def _remove(self, principal: Principal, address: str) -> None:
        if (file_id := _file_of(address)) is not None:
            await self._pictures.remove(principal, file_id)


def _file_of(address: str) -> FileId | None:
    """Return which file an address shows; None for none, and for pictures of other hosts."""
    number, dash, _ = address.rpartition("/")[2].partition("-")
    is_ours = _PATH in address and bool(dash) and number.isascii() and number.isdecimal()
    return FileId(int(number)) if is_ours else None
