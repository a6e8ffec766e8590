"""Usage as it is asked for: by what, over which time, and what sums consist of."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from typing import Any, Final, Self
from zoneinfo import ZoneInfo

import msgspec

from domain.shared.amount import E8
from domain.shared.error import InvalidRequest
from domain.shared.ids import SpaceId

_WHOLE: Final = 100
_NAME_CHARS: Final = 100
_MOST_SOFT: Final = 5
_LARGEST: Final = Decimal(10_000_000_000)
"""As an integer of 1e-8 it fits into 63 bits."""
MAX_BUCKETS: Final = 10_000
"""A year by the hour is 8,784."""


class Dimension(StrEnum):
    """What usage can be grouped and filtered by."""

    WORKSPACE = "workspace"
    APP = "app"
    AGENT = "agent"
    VERSION = "version"
    WORKFLOW = "workflow"
    BASE = "base"
    MODEL = "model"
    PROVIDER = "provider"
    KIND = "kind"
    SOURCE = "source"
    TOKEN = "token"  # noqa: S105 - no secret
    SHARE_LINK = "share_link"
    END_USER = "end_user"
    MEMBER = "member"


def dimension_of(name: str) -> Dimension:
    """Read a dimension by its name; raise ``InvalidRequest``."""
    try:
        return Dimension(name)
    except ValueError as exc:
        known = ", ".join(each.value for each in Dimension)
        raise InvalidRequest(
            f"group_by: {name[:64]!r} is unknown. Known: {known}.", field="group_by"
        ) from exc


IDS: Final = frozenset(
    {
        Dimension.WORKSPACE,
        Dimension.APP,
        Dimension.AGENT,
        Dimension.WORKFLOW,
        Dimension.BASE,
        Dimension.TOKEN,
        Dimension.SHARE_LINK,
        Dimension.MEMBER,
    }
)
"""Dimensions whose values are ids; those of the others are texts."""

Value = int | str
Group = tuple[Value, ...]
"""Values of the dimensions asked for, in their order."""


class Interval(StrEnum):
    """Length of the steps of a series, in the zone of whoever asks."""

    HOUR = "hour"
    DAY = "day"
    MONTH = "month"


class Sums(msgspec.Struct, frozen=True, gc=False):
    """What some calls were altogether; ``money_e8`` by currency.

    Calls that were under way when their process died are apart, with what they took at most.
    Amounts are integers of 1e-8: a report has tens of thousands, and decimals take longer to make
    and to add than all the rest of it.
    """

    calls: int = 0
    failed_calls: int = 0
    estimated_calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    reasoning_tokens: int = 0
    pages: int = 0
    points_e8: int = 0
    money_e8: dict[str, int] = {}
    calls_without_points: int = 0
    calls_without_money: int = 0
    unsettled_calls: int = 0
    unsettled_tokens: int = 0
    unsettled_points_e8: int = 0
    unsettled_money_e8: dict[str, int] = {}

    @classmethod
    def total(cls, parts: Iterable["Sums"]) -> "Sums":
        """Add up."""
        each = list(parts)
        if len(each) <= 1:
            return each[0] if each else cls()
        columns = zip(*map(msgspec.structs.astuple, each), strict=True)
        return cls(*map(_added, columns))


def _added(parts: Sequence[Any]) -> Any:
    """Add up numbers, or amounts by currency."""
    if isinstance(parts[0], int):
        return sum(parts)
    found: dict[str, int] = {}
    for part in parts:
        for currency, amount in part.items():
            found[currency] = found.get(currency, 0) + amount
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class UsageQuery:
    """Calls that ended from ``since`` until before ``until``; both are taken to whole quarters."""

    space_ids: frozenset[SpaceId] | None
    """None for all there are."""
    since: datetime
    until: datetime
    zone: ZoneInfo
    interval: Interval | None = None
    group_by: tuple[Dimension, ...] = ()
    filters: Mapping[Dimension, frozenset[Value]] = field(default_factory=dict)

    @property
    def dimensions(self) -> frozenset[Dimension]:
        """All that the answer depends on, besides the workspace."""
        return frozenset({*self.group_by, *self.filters}) - {Dimension.WORKSPACE}


class InvalidBudget(InvalidRequest):
    """An attribute of a budget breaks its rule."""


class BudgetSubject(StrEnum):
    """Whose calls a budget counts."""

    WORKSPACE = "workspace"
    AGENT = "agent"
    APP = "app"
    TOKEN = "token"  # noqa: S105 - no secret
    SHARE_LINK = "share_link"
    MEMBER = "member"
    END_USER = "end_user"


class BudgetUnit(StrEnum):
    """What a budget counts; money is that of the deployment."""

    MONEY = "money"
    POINTS = "points"
    TOKENS = "tokens"


class BudgetPeriod(StrEnum):
    """When a budget begins anew."""

    DAY = "day"
    WEEK = "week"
    MONTH = "month"
    FOREVER = "forever"


class BudgetRules(msgspec.Struct, frozen=True, kw_only=True):
    """What may be changed of a budget."""

    name: str = ""
    amount: Decimal
    """In the unit of the budget."""
    soft_limits: tuple[int, ...] = (80,)
    """Percentages at which the owners are told."""
    is_hard: bool = True
    """Nothing new begins once the amount is used."""

    def warning_at(self, percentages: Sequence[int] | None) -> Self:
        """Tell the owners at these; None keeps those of before."""
        if percentages is None:
            return self
        return msgspec.structs.replace(self, soft_limits=tuple(percentages))

    def check(self, unit: BudgetUnit) -> None:
        """Raise ``InvalidBudget``."""
        if len(self.name) > _NAME_CHARS or not self.name.isprintable():
            raise InvalidBudget(f"name: at most {_NAME_CHARS} printable characters.", field="name")
        amount = self.amount
        if not (amount.is_finite() and 0 < amount <= _LARGEST):
            raise InvalidBudget(f"amount: above 0, {_LARGEST} at most.", field="amount")
        if unit is BudgetUnit.TOKENS and amount != amount.to_integral_value():
            raise InvalidBudget("amount: a whole number of tokens.", field="amount")
        if unit is not BudgetUnit.TOKENS and amount * E8 != (amount * E8).to_integral_value():
            raise InvalidBudget("amount: at most eight digits behind the point.", field="amount")
        soft = self.soft_limits
        if len(soft) > _MOST_SOFT or list(soft) != sorted(set(soft)):
            raise InvalidBudget(
                f"soft_limits: at most {_MOST_SOFT}, each once, in ascending order.",
                field="soft_limits",
            )
        if not all(0 < each < _WHOLE for each in soft):
            raise InvalidBudget("soft_limits: percentages from 1 to 99.", field="soft_limits")
