"""What a call costs: points by token counts, in tiers of the input's size."""

from decimal import Decimal
from typing import Final

import msgspec

from domain.shared.chat import Usage
from domain.shared.error import InvalidRequest

ZERO: Final = Decimal(0)
_QUANTUM: Final = Decimal("0.00000001")
_MAX_PRICE: Final = Decimal(1_000_000_000)


class PriceTier(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Points per unit for inputs of at most ``upto_input`` tokens; None has no upper end."""

    upto_input: int | None = None
    input: Decimal = ZERO
    output: Decimal = ZERO
    cached_input: Decimal | None = None
    """None charges cached input like any other."""


class PriceTable(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Tiers in ascending order, open on the left and closed on the right; none means free.

    The tier is chosen by the input tokens of the call and prices the whole call. An input beyond
    the last tier pays the last tier's price.
    """

    unit: int = 1_000_000
    """Tokens that one price buys."""
    tiers: tuple[PriceTier, ...] = ()

    def check(self) -> None:
        """Raise ``InvalidRequest`` unless unit, order and amounts make sense."""
        if self.unit < 1:
            raise InvalidRequest("prices.unit: at least 1 token.", field="prices.unit")
        lower = 0
        for position, tier in enumerate(self.tiers):
            field = f"prices.tiers[{position}]"
            amounts = (tier.input, tier.output, tier.cached_input or ZERO)
            if not all(amount.is_finite() and ZERO <= amount < _MAX_PRICE for amount in amounts):
                raise InvalidRequest(
                    f"{field}: prices are between 0 and {_MAX_PRICE}.", field=field
                )
            if tier.upto_input is None:
                if position != len(self.tiers) - 1:
                    raise InvalidRequest(
                        f"{field}: only the last tier may be without upto_input.", field=field
                    )
            elif tier.upto_input <= lower:
                raise InvalidRequest(f"{field}: upto_input must grow.", field=field)
            else:
                lower = tier.upto_input

    def cost(self, usage: Usage) -> Decimal:
        """Return the points of one call, to eight digits."""
        tier = self._tier(usage.input_tokens)
        if tier is None:
            return ZERO
        cached = min(usage.cached_tokens, usage.input_tokens)
        cached_price = tier.input if tier.cached_input is None else tier.cached_input
        points = (
            (usage.input_tokens - cached) * tier.input
            + cached * cached_price
            + usage.output_tokens * tier.output
        )
        return (points / self.unit).quantize(_QUANTUM)

    def _tier(self, input_tokens: int) -> PriceTier | None:
        for tier in self.tiers:
            if tier.upto_input is None or input_tokens <= tier.upto_input:
                return tier
        return self.tiers[-1] if self.tiers else None
