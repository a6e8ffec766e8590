"""Prices of models on the admin surface."""

from litestar import Controller, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody

from application.model.price import PricePage, PriceService, PriceTable, PriceView
from domain.shared.access import Principal


class PriceController(Controller):
    """Prices that models have and had."""

    path = "/admin/v1/models/{model_id:str}/prices"

    @get("", operation_id="admin.prices.list")
    async def list_prices(
        self,
        model_id: FromPath[str],
        principal: NamedDependency[Principal],
        prices: NamedDependency[PriceService],
    ) -> PricePage:
        """List the prices that a model has and had, newest first."""
        return await prices.list(principal, model_id)

    @post("", operation_id="admin.prices.create")
    async def create_prices(
        self,
        model_id: FromPath[str],
        data: JSONBody[PriceTable],
        principal: NamedDependency[Principal],
        prices: NamedDependency[PriceService],
    ) -> PriceView:
        """Set the prices of a stored model from now on; calls of before keep what they cost."""
        return await prices.set(principal, model_id, data)
