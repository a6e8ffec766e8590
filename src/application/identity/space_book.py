"""What workspaces have of their own, known in every process without asking."""

from collections.abc import Collection, Mapping
from typing import Final

from application.shared.background import Background
from domain.identity.repository import IdentityStore
from domain.identity.value import SpaceSettings
from domain.shared.capacity.space_limits import NONE_OF_ITS_OWN, SpaceLimits

_INTERVAL_S: Final = 5.0
"""How late another process knows of a change: one small read, whatever the traffic."""

_AS_DEPLOYED: Final = SpaceSettings()


class SpaceBook:
    """Limits and defaults of workspaces; few have some, and every run asks for them.

    Implements the contract ``SpaceDefaults``.
    """

    def __init__(self, store: IdentityStore) -> None:
        self._store = store
        self._known: Mapping[int, SpaceSettings] = {}
        self._loop = Background(self.read, name="settings of workspaces", interval_s=_INTERVAL_S)

    async def start(self) -> None:
        await self.read()
        await self._loop.start()

    async def aclose(self) -> None:
        await self._loop.aclose()

    def limits(self, space_id: int) -> SpaceLimits:
        """Return the limits of a workspace; most have none of their own."""
        return self._of(space_id).limits

    def limited(self) -> Collection[int]:
        """Return the workspaces with limits of their own."""
        return [key for key, own in self._known.items() if own.limits != NONE_OF_ITS_OWN]

    def model(self, space_id: int) -> str:
        return self._of(space_id).default_model

    def language(self, space_id: int) -> str:
        return self._of(space_id).language

    async def read(self) -> None:
        """Read them anew."""
        async with self._store.snapshot() as uow:
            self._known = await uow.all_spaces.settings()

    def _of(self, space_id: int) -> SpaceSettings:
        return self._known.get(space_id, _AS_DEPLOYED)
