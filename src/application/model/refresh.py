"""Keeps the registry of this process current when another one changes stored models."""

from typing import Final

from domain.model.catalog import ModelCatalog
from infra.contract.event_bus import Delivery


class RegistryRefresh:
    """Consumer of ``model.changed``; subscribe it under ``name`` to ``topics``."""

    name: Final = "model.registry_refresh"
    topics: Final = frozenset({"model.changed"})

    def __init__(self, catalog: ModelCatalog) -> None:
        self._catalog = catalog

    async def handle(self, _: Delivery) -> None:
        """Forget what was read; idempotent by nature."""
        self._catalog.invalidate()
