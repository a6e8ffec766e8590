"""Adapters by platform, each made when it is needed first."""

from infra.contract.channel import ChannelAdapter
from infra.impl.channel import PLATFORMS, AdapterParts


class RegisteredAdapters:
    """Finds adapters in the registry."""

    def __init__(self, parts: AdapterParts) -> None:
        self._parts = parts
        self._made: dict[str, ChannelAdapter] = {}

    def names(self) -> tuple[str, ...]:
        return PLATFORMS.names()

    def get(self, platform: str) -> ChannelAdapter:
        found = self._made.get(platform)
        if found is None:
            found = self._made[platform] = PLATFORMS.get(platform)(self._parts)
        return found
