"""Budgets: what a workspace, or something in it, may use in a span of time."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from functools import partial
from operator import attrgetter
from typing import Any, Final, Self
from zoneinfo import ZoneInfo

from domain.shared.account import Account
from domain.shared.aggregate import Aggregate, DomainEvent
from domain.shared.amount import E8
from domain.shared.chat import ModelCall
from domain.shared.error import Conflict, NotFound
from domain.shared.ids import BudgetId, SpaceId, UserId, parse_id
from domain.usage.value import (
    BudgetPeriod,
    BudgetRules,
    BudgetSubject,
    BudgetUnit,
    Dimension,
    InvalidBudget,
    Sums,
)

_SUBJECT_CHARS: Final = 256
_WHOLE: Final = 100
_WEEK: Final = timedelta(days=7)


class BudgetNotFound(NotFound):
    """No such budget in a workspace that the caller may see."""


class BudgetSubjectNotFound(NotFound):
    """The workspace has nothing of this id that could be limited."""


class TooManyBudgets(Conflict):
    """The workspace has as many budgets as it may."""


class BudgetCreated(DomainEvent, frozen=True, kw_only=True, tag="budget.created"):
    """A workspace has another budget."""

    name: str


class BudgetChanged(DomainEvent, frozen=True, kw_only=True, tag="budget.changed"):
    """A budget has other limits."""

    name: str


class BudgetDeleted(DomainEvent, frozen=True, kw_only=True, tag="budget.deleted"):
    """A budget is gone; what it limited is not limited by it any more."""

    name: str


class BudgetReached(DomainEvent, frozen=True, kw_only=True, tag="budget.reached"):
    """So much of a budget is used as its owners wanted to be told at; 100 is all of it."""

    name: str
    percent: int
    used: str
    amount: str
    unit: str
    resets_at: int | None


@dataclass(frozen=True, slots=True)
class Window:
    """A span that a budget holds for; ``ends_at`` None: for good."""

    begins_at: datetime
    ends_at: datetime | None

    def holds(self, now: datetime) -> bool:
        """Tell whether a moment is before its end."""
        return self.ends_at is None or now < self.ends_at


@dataclass(kw_only=True, eq=False)
class Budget(Aggregate):
    """What calls of one kind may amount to per period; counts in whole units (``quanta``)."""

    id: BudgetId
    space_id: SpaceId
    creator_id: UserId
    subject_type: BudgetSubject
    subject_id: str
    """Spelt as ids are; that of the end user as the application gave it."""
    unit: BudgetUnit
    period: BudgetPeriod
    zone: str
    """Name of the time zone in which days begin."""
    rules: BudgetRules
    created_at: datetime
    updated_at: datetime

    @classmethod
    def create(
        cls,
        *,
        id: BudgetId,  # noqa: A002 - the field's name
        space_id: SpaceId,
        subject_type: BudgetSubject,
        subject_id: str,
        unit: BudgetUnit,
        period: BudgetPeriod,
        zone: str,
        rules: BudgetRules,
        actor_id: UserId,
        now: datetime,
    ) -> Self:
        """Limit something; raise ``InvalidBudget``."""
        rules.check(unit)
        budget = cls(
            id=id,
            space_id=space_id,
            creator_id=actor_id,
            subject_type=subject_type,
            subject_id=_subject(subject_type, subject_id, space_id),
            unit=unit,
            period=period,
            zone=zone,
            rules=rules,
            created_at=now,
            updated_at=now,
        )
        budget.record(BudgetCreated(name=budget.title), at=now, by=int(actor_id))
        return budget

    @property
    def title(self) -> str:
        """Its name, or what it is for."""
        return self.rules.name or f"{self.subject_type.value} {self.subject_id}"

    @property
    def limit(self) -> int:
        """The amount in quanta: tokens, or hundred-millionths of a point or of the currency."""
        return int(self.rules.amount * self._quantum)

    def spell(self, quanta: int) -> Decimal:
        """Return an amount in the unit of the budget."""
        return Decimal(quanta) / self._quantum

    @property
    def _quantum(self) -> int:
        return 1 if self.unit is BudgetUnit.TOKENS else E8

    @property
    def key(self) -> int | str:
        """The subject as calls are counted for it."""
        return (
            self.subject_id if self.subject_type is BudgetSubject.END_USER else int(self.subject_id)
        )

    @property
    def is_of_workspace(self) -> bool:
        """Tell whether all calls of its workspace count."""
        return self.subject_type is BudgetSubject.WORKSPACE

    @property
    def dimension(self) -> Dimension:
        """What the ledger groups by to find its calls."""
        return Dimension(self.subject_type.value)

    def applies(self, account: Account) -> bool:
        """Tell whether calls of an account in its workspace count."""
        return self.is_of_workspace or _SUBJECT_OF[self.subject_type](account) == self.key

    def cost(self, call: ModelCall) -> int:
        """Return what a call takes, in quanta; 0 where nobody knows its price."""
        usage = call.usage
        return self.quanta(
            tokens=usage.input_tokens + usage.output_tokens,
            points=call.cost if call.has_points else None,
            money=call.money or None,
        )

    def quanta(self, *, tokens: int, points: str | None, money: str | None) -> int:
        """Return what counts of an amount, rounded up."""
        if self.unit is BudgetUnit.TOKENS:
            return tokens
        text = points if self.unit is BudgetUnit.POINTS else money
        return 0 if text is None else int((Decimal(text) * E8).to_integral_value())

    def counted(self, sums: Sums, currency: str) -> int:
        """Return what counts of sums, with what got lost at its most."""
        match self.unit:
            case BudgetUnit.TOKENS:
                return sums.input_tokens + sums.output_tokens + sums.unsettled_tokens
            case BudgetUnit.POINTS:
                return sums.points_e8 + sums.unsettled_points_e8
            case BudgetUnit.MONEY:
                amounts = sums.money_e8, sums.unsettled_money_e8
                return sum(each.get(currency, 0) for each in amounts)

    def window(self, now: datetime) -> Window:
        """Return the span that a moment lies in."""
        if self.period is BudgetPeriod.FOREVER:
            return Window(self.created_at, None)
        zone = ZoneInfo(self.zone)
        local = now.astimezone(zone)
        day = local.replace(hour=0, minute=0, second=0, microsecond=0, fold=0)
        begin, end = _SPANS[self.period](day)
        return Window(begin.astimezone(UTC), end.astimezone(UTC))

    def reached(self, spent: int, warned: int) -> int:
        """Return the highest percentage to tell of that was not told; 0 if there is none."""
        marks = (*self.rules.soft_limits, _WHOLE)
        return max((m for m in marks if m > warned and spent * _WHOLE >= self.limit * m), default=0)

    def tell(self, percent: int, *, spent: int, window: Window, now: datetime) -> BudgetReached:
        """Return the fact that a percentage is reached."""
        ends_at = window.ends_at
        return BudgetReached(
            occurred_at=now,
            space_id=self.space_id,
            aggregate_id=self.id,
            name=self.title,
            percent=percent,
            used=f"{self.spell(spent):f}",
            amount=f"{self.rules.amount:f}",
            unit=self.unit.value,
            resets_at=int(ends_at.timestamp()) if ends_at else None,
        )

    def change(self, rules: BudgetRules, *, actor_id: UserId, now: datetime) -> None:
        """Set other limits; what was used stays used. Raise ``InvalidBudget``."""
        rules.check(self.unit)
        self.rules, self.updated_at = rules, now
        self.record(BudgetChanged(name=self.title), at=now, by=int(actor_id))

    def delete(self, *, actor_id: UserId, now: datetime) -> None:
        """Note that it is to be gone."""
        self.record(BudgetDeleted(name=self.title), at=now, by=int(actor_id))


def _subject(kind: BudgetSubject, given: str, space_id: SpaceId) -> str:
    """Return the subject as it is kept; raise ``InvalidBudget``."""
    if kind is BudgetSubject.WORKSPACE:
        if given not in {"", str(space_id)}:
            raise InvalidBudget(
                "subject_id: of a workspace its own id, or none.", field="subject_id"
            )
        return str(space_id)
    if kind is BudgetSubject.END_USER:
        if not 0 < len(given) <= _SUBJECT_CHARS or not given.isprintable():
            raise InvalidBudget(
                f"subject_id: 1 to {_SUBJECT_CHARS} printable characters.", field="subject_id"
            )
        return given
    return str(parse_id(given, field="subject_id"))


def _days(count: int, day: datetime) -> tuple[datetime, datetime]:
    return day, _midnight(day + timedelta(days=count))


def _week(day: datetime) -> tuple[datetime, datetime]:
    monday = _midnight(day - timedelta(days=day.weekday()))
    return monday, _midnight(monday + _WEEK)


def _month(day: datetime) -> tuple[datetime, datetime]:
    first = day.replace(day=1)
    is_last = first.month == 12  # noqa: PLR2004 - December
    return first, first.replace(year=first.year + is_last, month=1 if is_last else first.month + 1)


def _midnight(moment: datetime) -> datetime:
    return moment.replace(hour=0, fold=0)


_SPANS: Final[Mapping[BudgetPeriod, Callable[[datetime], tuple[datetime, datetime]]]] = {
    BudgetPeriod.DAY: partial(_days, 1),
    BudgetPeriod.WEEK: _week,
    BudgetPeriod.MONTH: _month,
}
_SUBJECT_OF: Final[Mapping[BudgetSubject, Callable[[Account], Any]]] = {
    BudgetSubject.AGENT: attrgetter("agent_id"),
    BudgetSubject.APP: attrgetter("app_id"),
    BudgetSubject.TOKEN: attrgetter("origin.token_id"),
    BudgetSubject.SHARE_LINK: attrgetter("origin.share_link_id"),
    BudgetSubject.MEMBER: attrgetter("member_id"),
    BudgetSubject.END_USER: attrgetter("end_user_id"),
}
