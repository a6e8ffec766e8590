"""Answers other contexts about accounts from the identity context."""

from collections.abc import Collection

from domain.identity.error import SpaceNotFound
from domain.identity.repository import IdentityStore
from domain.shared.access import TenantScope
from domain.shared.ids import SpaceId, UserId


class DomainPeople:
    """Reads from the identity store."""

    def __init__(self, store: IdentityStore) -> None:
        self._store = store

    async def names(self, user_ids: Collection[int]) -> dict[int, str]:
        wanted = [UserId(each) for each in dict.fromkeys(user_ids)]
        if not wanted:
            return {}
        async with self._store.snapshot() as uow:
            found = await uow.users.get_many(wanted)
            rest = [each for each in wanted if each not in found]
            services = await uow.services.names(rest) if rest else {}
        return services | {id_: user.nickname or user.name for id_, user in found.items()}

    async def is_disabled(self, user_id: int) -> bool:
        async with self._store.snapshot() as uow:
            found = await uow.users.get_many([UserId(user_id)])
        return any(user.is_disabled for user in found.values())

    async def are_all_administrators(self, space_id: int) -> bool:
        here = TenantScope(principal_id=UserId(0), space_ids=frozenset({SpaceId(space_id)}))
        async with self._store.snapshot() as uow:
            try:
                members = list((await uow.spaces.get(here, SpaceId(space_id))).members)
            except SpaceNotFound:
                return False
            found = await uow.users.get_many(members)
        return bool(members) and all(each in found and found[each].is_admin for each in members)


class DomainGroups:
    """Reads from the identity store, each time: who left a group is out with the next call."""

    def __init__(self, store: IdentityStore) -> None:
        self._store = store

    async def include(
        self, group_ids: Collection[int], *, user_id: int, space_ids: Collection[int]
    ) -> bool:
        async with self._store.snapshot() as uow:
            if await uow.group_memberships.hold(group_ids, UserId(user_id)):
                return True
            if await uow.users.get_many([UserId(user_id)]):
                return False
            places = await uow.group_memberships.places(group_ids)
        return not set(places.values()).isdisjoint(space_ids)

    async def unknown(self, group_ids: Collection[int], *, space_id: int = 0) -> frozenset[int]:
        async with self._store.snapshot() as uow:
            places = await uow.group_memberships.places(group_ids)
        near = {SpaceId(0), SpaceId(space_id)}
        return frozenset(
            each
            for each in group_ids
            if each not in places or (space_id and places[each] not in near)
        )
