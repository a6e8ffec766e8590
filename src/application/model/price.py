"""Prices of models over time: each change is a version, and none ever changes."""

from collections.abc import Sequence
from typing import Self

import msgspec

from application.model.dto import ModelInput
from application.model.service import ModelAdminService
from domain.model.catalog import ModelCatalog
from domain.model.entity import Model
from domain.model.error import ModelNotFound
from domain.model.price import PriceTable, PriceTier, PriceVersion
from domain.model.repository import ModelStore
from domain.model.value import ModelSource
from domain.shared.access import Principal
from infra.contract.clock import Clock

__all__ = ["PricePage", "PriceService", "PriceTable", "PriceView"]


class PriceView(msgspec.Struct, frozen=True, kw_only=True):
    """Prices of a model that are in force from ``created_at`` on, until there are later ones."""

    number: int
    """From 1, by time."""
    version: str
    """Name that entries of the ledger keep; equal prices have equal names. Empty: no prices."""
    currency: str
    """Code (ISO 4217) of the money."""
    unit: int
    """Tokens that one price buys."""
    tiers: tuple[PriceTier, ...]
    """Prices in points."""
    money: tuple[PriceTier, ...]
    """Prices in `currency`."""
    created_at: int
    created_by: str | None
    """The account that set them; null for the configuration."""

    @classmethod
    def of(cls, version: PriceVersion) -> Self:
        """Spell a version."""
        prices = version.prices
        return cls(
            number=version.number,
            version=version.version,
            currency=version.currency,
            unit=prices.unit,
            tiers=prices.tiers,
            money=prices.money,
            created_at=int(version.created_at.timestamp()),
            created_by=str(version.created_by) if version.created_by else None,
        )


class PricePage(msgspec.Struct, frozen=True, kw_only=True):
    """All versions of a model's prices, newest first."""

    items: tuple[PriceView, ...]
    total: int
    next_cursor: None = None


class PriceService:
    """Shows and sets prices; those of the configuration become versions when they change."""

    def __init__(
        self,
        *,
        store: ModelStore,
        catalog: ModelCatalog,
        admin: ModelAdminService,
        configured: Sequence[Model],
        clock: Clock,
        currency: str,
    ) -> None:
        self._store = store
        self._catalog = catalog
        self._admin = admin
        self._configured = [m for m in configured if m.source is ModelSource.CONFIG]
        self._clock = clock
        self._currency = currency

    async def start(self) -> None:
        """Note the prices of the configuration, unless they are the newest of their model."""
        if not self._configured:
            return
        async with self._store.transaction() as uow:
            for model in sorted(self._configured, key=lambda each: each.key):
                await uow.prices.note(
                    model.key,
                    model.spec.prices,
                    currency=self._currency,
                    now=self._clock.now(),
                )
            await uow.commit()

    async def aclose(self) -> None:
        """Nothing is open."""

    async def list(self, principal: Principal, model_id: str) -> PricePage:
        """List the versions of a model that the caller may see; raise ``ModelNotFound``."""
        model = (await self._catalog.knowing(model_id)).find(model_id)
        if model is None or not (model.is_enabled or principal.administers_deployment):
            raise ModelNotFound(f"No model {model_id!r}.", model=model_id)
        async with self._store.snapshot() as uow:
            found = await uow.prices.of(model.key)
        return PricePage(items=tuple(map(PriceView.of, found)), total=len(found))

    async def set(self, principal: Principal, model_id: str, prices: PriceTable) -> PriceView:
        """Set the prices of a stored model.

        Raises:
            InvalidRequest: an amount or the order of the tiers makes no sense.
            ModelIsConfigured, ModelNotFound
        """
        given = ModelInput(prices=msgspec.to_builtins(prices))
        changed = await self._admin.update(principal, model_id, given)
        return (await self.list(principal, changed.id)).items[0]
