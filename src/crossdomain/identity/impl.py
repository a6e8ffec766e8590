"""Answers other contexts about accounts from the identity context."""

from collections.abc import Collection

from domain.identity.repository import IdentityStore
from domain.shared.ids import UserId


class DomainPeople:
    """Reads names from the identity store."""

    def __init__(self, store: IdentityStore) -> None:
        self._store = store

    async def names(self, user_ids: Collection[int]) -> dict[int, str]:
        wanted = [UserId(each) for each in dict.fromkeys(user_ids)]
        if not wanted:
            return {}
        async with self._store.snapshot() as uow:
            found = await uow.users.get_many(wanted)
        return {user_id: user.nickname or user.name for user_id, user in found.items()}
