"""Budgets: whose calls count, how much of them, and when they begin anew."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from zoneinfo import ZoneInfo

import msgspec
import pytest

from domain.shared.account import Account, Origin
from domain.shared.chat import ModelCall, Usage
from domain.shared.error import InvalidRequest
from domain.shared.ids import BudgetId, SpaceId, UserId
from domain.usage.budget import Budget
from domain.usage.value import BudgetPeriod, BudgetRules, BudgetSubject, BudgetUnit, InvalidBudget

NOW = datetime(2026, 11, 25, 15, 30, tzinfo=UTC)  # a Wednesday
SPACE = SpaceId(9)
FULL = Account(
    origin=Origin(token_id=4, share_link_id=5),
    agent_id=2,
    app_id=3,
    member_id=6,
    end_user_id="anna",
)
SUBJECTS = {
    BudgetSubject.WORKSPACE: "9",
    BudgetSubject.AGENT: "2",
    BudgetSubject.APP: "3",
    BudgetSubject.TOKEN: "4",
    BudgetSubject.SHARE_LINK: "5",
    BudgetSubject.MEMBER: "6",
    BudgetSubject.END_USER: "anna",
}
CALL = ModelCall(
    model="m",
    provider="p",
    attempt=1,
    purpose="chat",
    usage=Usage(input_tokens=30, output_tokens=12, cached_tokens=10, reasoning_tokens=5),
    outcome="ok",
    cost="0.12345678",
    has_points=True,
    money="0.00000003",
    currency="USD",
)


def made(
    subject: BudgetSubject = BudgetSubject.WORKSPACE,
    subject_id: str = "",
    *,
    unit: BudgetUnit = BudgetUnit.TOKENS,
    period: BudgetPeriod = BudgetPeriod.MONTH,
    zone: str = "UTC",
    amount: Decimal = Decimal(1000),
    soft_limits: tuple[int, ...] = (80,),
) -> Budget:
    return Budget.create(
        id=BudgetId(1),
        space_id=SPACE,
        subject_type=subject,
        subject_id=subject_id,
        unit=unit,
        period=period,
        zone=zone,
        rules=BudgetRules(amount=amount, soft_limits=soft_limits),
        actor_id=UserId(6),
        now=NOW,
    )


@pytest.mark.parametrize("subject", BudgetSubject)
def test_a_budget_counts_calls_of_its_subject_alone(subject: BudgetSubject) -> None:
    budget = made(subject, SUBJECTS[subject])
    assert budget.applies(FULL)
    assert budget.applies(Account()) is (subject is BudgetSubject.WORKSPACE)
    other = "bea" if subject is BudgetSubject.END_USER else "77"
    if subject is not BudgetSubject.WORKSPACE:
        assert not made(subject, other).applies(FULL)


@pytest.mark.parametrize(
    ("unit", "cost"),
    [(BudgetUnit.TOKENS, 42), (BudgetUnit.POINTS, 12345678), (BudgetUnit.MONEY, 3)],
)
def test_each_unit_counts_its_own(unit: BudgetUnit, cost: int) -> None:
    assert made(unit=unit).cost(CALL) == cost


@pytest.mark.parametrize("unit", [BudgetUnit.POINTS, BudgetUnit.MONEY])
def test_a_call_without_a_price_takes_nothing_of_money_or_points(unit: BudgetUnit) -> None:
    unpriced = msgspec.structs.replace(CALL, cost="0", has_points=False, money="")
    assert made(unit=unit).cost(unpriced) == 0


@pytest.mark.parametrize(
    ("period", "begin", "end"),
    [
        (BudgetPeriod.DAY, datetime(2026, 11, 25), datetime(2026, 11, 26)),  # noqa: DTZ001
        (BudgetPeriod.WEEK, datetime(2026, 11, 23), datetime(2026, 11, 30)),  # noqa: DTZ001
        (BudgetPeriod.MONTH, datetime(2026, 11, 1), datetime(2026, 12, 1)),  # noqa: DTZ001
    ],
)
@pytest.mark.parametrize("zone", ["UTC", "Asia/Kathmandu", "America/Lima"])
def test_a_period_begins_at_midnight_of_its_zone(
    period: BudgetPeriod, begin: datetime, end: datetime, zone: str
) -> None:
    window = made(period=period, zone=zone).window(NOW)
    assert window.begins_at == begin.replace(tzinfo=ZoneInfo(zone))
    assert window.ends_at == end.replace(tzinfo=ZoneInfo(zone))


def test_a_day_on_which_clocks_change_has_another_length() -> None:
    budget = made(period=BudgetPeriod.DAY, zone="Europe/Zurich")
    window = budget.window(datetime(2026, 3, 29, 12, tzinfo=UTC))
    assert window.ends_at is not None
    assert window.ends_at - window.begins_at == timedelta(hours=23)


@pytest.mark.parametrize("period", [p for p in BudgetPeriod if p is not BudgetPeriod.FOREVER])
@pytest.mark.parametrize("zone", ["UTC", "Europe/Zurich", "America/Santiago"])
def test_periods_follow_each_other_without_a_gap(period: BudgetPeriod, zone: str) -> None:
    budget = made(period=period, zone=zone)
    window = budget.window(NOW)
    for _ in range(400):
        assert window.ends_at is not None
        assert not window.holds(window.ends_at)
        following = budget.window(window.ends_at)
        assert following.begins_at == window.ends_at
        window = following


def test_a_budget_for_good_counts_from_its_begin() -> None:
    window = made(period=BudgetPeriod.FOREVER).window(NOW + timedelta(days=9000))
    assert window.begins_at == NOW
    assert window.ends_at is None


@pytest.mark.parametrize(
    ("spent", "warned", "reached"),
    [
        (0, 0, 0),
        (499, 0, 0),
        (500, 0, 50),
        (799, 50, 0),
        (950, 50, 80),
        (1000, 80, 100),
        (5000, 0, 100),
        (5000, 100, 0),
    ],
)
def test_each_percentage_is_told_once(spent: int, warned: int, reached: int) -> None:
    assert made(soft_limits=(50, 80)).reached(spent, warned) == reached


@pytest.mark.parametrize(
    "rules",
    [
        BudgetRules(amount=Decimal(0)),
        BudgetRules(amount=Decimal(-1)),
        BudgetRules(amount=Decimal("nan")),
        BudgetRules(amount=Decimal("inf")),
        BudgetRules(amount=Decimal("1.5")),
        BudgetRules(amount=Decimal(10**11)),
        BudgetRules(amount=Decimal(1), soft_limits=(0,)),
        BudgetRules(amount=Decimal(1), soft_limits=(100,)),
        BudgetRules(amount=Decimal(1), soft_limits=(80, 50)),
        BudgetRules(amount=Decimal(1), soft_limits=(80, 80)),
        BudgetRules(amount=Decimal(1), soft_limits=(1, 2, 3, 4, 5, 6)),
        BudgetRules(amount=Decimal(1), name="x" * 101),
        BudgetRules(amount=Decimal(1), name="a\nb"),
    ],
)
def test_rules_that_make_no_sense_are_refused(rules: BudgetRules) -> None:
    with pytest.raises(InvalidBudget):
        rules.check(BudgetUnit.TOKENS)


@pytest.mark.parametrize("subject", BudgetSubject)
@pytest.mark.parametrize("given", ["0", "-1", "x" * 257, "\n"])
def test_a_subject_that_cannot_be_is_refused(subject: BudgetSubject, given: str) -> None:
    if subject is BudgetSubject.END_USER and given in {"0", "-1"}:
        return  # a name like any other
    with pytest.raises(InvalidRequest):
        made(subject, given)
