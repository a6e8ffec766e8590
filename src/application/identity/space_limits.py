"""Which workspaces have limits of their own, known in every process without asking."""

from collections.abc import Collection, Mapping
from typing import Final

from application.shared.background import Background
from domain.identity.repository import IdentityStore
from domain.shared.capacity.space_limits import NONE_OF_ITS_OWN, SpaceLimits

_INTERVAL_S: Final = 5.0
"""How late another process knows of a change: one small read, whatever the traffic."""


class SpaceLimitBook:
    """All workspaces with limits of their own; they are few, and are asked for with every run."""

    def __init__(self, store: IdentityStore) -> None:
        self._store = store
        self._known: Mapping[int, SpaceLimits] = {}
        self._loop = Background(self.read, name="limits of workspaces", interval_s=_INTERVAL_S)

    async def start(self) -> None:
        await self.read()
        await self._loop.start()

    async def aclose(self) -> None:
        await self._loop.aclose()

    def of(self, space_id: int) -> SpaceLimits:
        """Return the limits of a workspace; most have none of their own."""
        return self._known.get(space_id, NONE_OF_ITS_OWN)

    def limited(self) -> Collection[int]:
        """Return the workspaces with limits of their own."""
        return self._known.keys()

    async def read(self) -> None:
        """Read them anew."""
        async with self._store.snapshot() as uow:
            self._known = await uow.all_spaces.limits()
