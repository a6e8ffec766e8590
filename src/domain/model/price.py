"""What a call costs, in points and in money: by token counts, in tiers of the input's size."""

import hashlib
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Final

import msgspec

from domain.shared.chat import Usage
from domain.shared.error import InvalidRequest

ZERO: Final = Decimal(0)
DEFAULT_CURRENCY: Final = "USD"
_QUANTUM: Final = Decimal("0.00000001")
_MAX_PRICE: Final = Decimal(1_000_000_000)
_VERSION_CHARS: Final = 16


class PriceTier(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Prices per unit for inputs of at most ``upto_input`` tokens; None has no upper end."""

    upto_input: int | None = None
    input: Decimal = ZERO
    output: Decimal = ZERO
    cached_input: Decimal | None = None
    """None charges cached input like any other."""


class PriceTable(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Tiers in ascending order, open on the left and closed on the right.

    The tier is chosen by the input tokens of the call and prices the whole call. An input beyond
    the last tier pays the last tier's price. Without tiers nobody knows what a call costs.
    """

    unit: int = 1_000_000
    """Tokens that one price buys."""
    tiers: tuple[PriceTier, ...] = ()
    """Prices in points."""
    money: tuple[PriceTier, ...] = ()
    """Prices in the currency of the deployment."""

    def check(self) -> None:
        """Raise ``InvalidRequest`` unless unit, order and amounts make sense."""
        if self.unit < 1:
            raise InvalidRequest("prices.unit: at least 1 token.", field="prices.unit")
        for name, tiers in (("tiers", self.tiers), ("money", self.money)):
            _check(name, tiers)

    def cost(self, usage: Usage) -> Decimal:
        """Return the points of one call, to eight digits; 0 if nobody knows."""
        return _cost(self.tiers, self.unit, usage)


@dataclass(frozen=True, slots=True, kw_only=True)
class Charge:
    """What one call costs, as its ledger entry spells it."""

    points: str = "0"
    has_points: bool = False
    money: str = ""
    currency: str = ""
    version: str = ""


class Pricing:
    """Prices that are in force for a model, under the name that entries keep.

    The name follows from the prices and the currency alone, so that every process gives the same
    one without asking, and what an entry names can never change.
    """

    def __init__(self, table: PriceTable, *, currency: str, is_free: bool = False) -> None:
        self._table = table
        self._is_free = is_free
        self.currency = currency
        self.version = price_version(table, currency=currency)

    def charge(self, usage: Usage) -> Charge:
        """Price one call."""
        table, is_free = self._table, self._is_free
        has_money = bool(table.money) or is_free
        money = str(_cost(table.money, table.unit, usage)) if has_money else ""
        return Charge(
            points=str(table.cost(usage)),
            has_points=bool(table.tiers) or is_free,
            money=money,
            currency=self.currency if has_money else "",
            version=self.version,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class PriceVersion:
    """Prices that a model has from ``created_at`` on, until there is a later version.

    ``model`` is its key in the registry; equal prices have equal names, ``number`` tells the times
    apart that they were in force. ``version`` is empty once a model has no prices any more.
    """

    model: str
    number: int
    version: str
    currency: str
    prices: PriceTable
    created_at: datetime
    created_by: int = 0
    """The account that set them; 0 for the configuration."""


def price_version(table: PriceTable, *, currency: str) -> str:
    """Return the name of prices; empty if there are none."""
    if not (table.tiers or table.money):
        return ""
    spelt = msgspec.json.encode((currency if table.money else "", msgspec.to_builtins(table)))
    return hashlib.sha256(spelt).hexdigest()[:_VERSION_CHARS]


def _check(name: str, tiers: tuple[PriceTier, ...]) -> None:
    lower = 0
    for position, tier in enumerate(tiers):
        field = f"prices.{name}[{position}]"
        amounts = (tier.input, tier.output, tier.cached_input or ZERO)
        if not all(amount.is_finite() and ZERO <= amount < _MAX_PRICE for amount in amounts):
            raise InvalidRequest(f"{field}: prices are between 0 and {_MAX_PRICE}.", field=field)
        if tier.upto_input is None:
            if position != len(tiers) - 1:
                raise InvalidRequest(
                    f"{field}: only the last tier may be without upto_input.", field=field
                )
        elif tier.upto_input <= lower:
            raise InvalidRequest(f"{field}: upto_input must grow.", field=field)
        else:
            lower = tier.upto_input


def _cost(tiers: tuple[PriceTier, ...], unit: int, usage: Usage) -> Decimal:
    if not tiers:
        return ZERO
    size = usage.input_tokens
    fits = (tier for tier in tiers if tier.upto_input is None or size <= tier.upto_input)
    tier = next(fits, tiers[-1])
    cached = min(usage.cached_tokens, usage.input_tokens)
    cached_price = tier.input if tier.cached_input is None else tier.cached_input
    whole = (
        (usage.input_tokens - cached) * tier.input
        + cached * cached_price
        + usage.output_tokens * tier.output
    )
    return (whole / unit).quantize(_QUANTUM)
