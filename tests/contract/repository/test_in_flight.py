"""Calls in flight on SQLite and PostgreSQL: what dies with its process is accounted for, once."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from functools import partial
from itertools import count
from random import Random
from zoneinfo import ZoneInfo

import msgspec
import pytest
import sqlalchemy as sa

from application.usage.gate import BudgetGate
from application.usage.in_flight import LANDING_S, LOST_S, CallRegister
from domain.shared.access import TenantScope
from domain.shared.account import Account, Origin
from domain.shared.chat import ModelCall, Usage
from domain.shared.id_generator import IdGenerator
from domain.shared.ids import BudgetId, RunId, SpaceId, UserId
from domain.usage.budget import Budget
from domain.usage.value import (
    BudgetPeriod,
    BudgetRules,
    BudgetSubject,
    BudgetUnit,
    Dimension,
    Sums,
    UsageQuery,
)
from infra.impl.repository.sql.engine.database import Database
from infra.impl.repository.sql.engine.unit_of_work import SqlUnitOfWork
from infra.impl.repository.sql.ledger.in_flight import in_flight_calls
from infra.impl.repository.sql.ledger.usage import SqlUsageStore
from infra.impl.repository.sql.model.call import SqlModelCallLedger
from tests.support.clock import FrozenClock

NOW = datetime(2026, 11, 25, 15, 30, tzinfo=UTC)
SPACE = SpaceId(9)
MOST = 1000
GROUPINGS = [(each,) for each in Dimension] + [(Dimension.AGENT, Dimension.MODEL)]


def entry(tokens: int, model: str = "m") -> ModelCall:
    return ModelCall(
        model=model,
        provider="p",
        attempt=1,
        purpose="chat",
        usage=Usage(input_tokens=tokens),
        outcome="ok",
        ended_at=NOW,
        cost=str(tokens),
        has_points=True,
    )


def most(model: str = "m") -> ModelCall:
    return msgspec.structs.replace(entry(MOST, model), outcome="unsettled")


@dataclass
class Deployment:
    """Processes on one database; who is left out of ``alive`` was killed."""

    database: Database
    time_s: float = 0.0
    clock: FrozenClock = field(default_factory=lambda: FrozenClock(NOW))
    runs: Iterator[int] = field(default_factory=lambda: count(1))

    def __post_init__(self) -> None:
        self.store = SqlUsageStore(self.database)
        self.ids = IdGenerator(clock=self.clock, node=1)

    def process(self, owner: str, *, begins_alone: bool = False) -> CallRegister:
        gate = BudgetGate(store=self.store, clock=self.clock, owner=owner, currency="USD")
        return CallRegister(
            store=self.store,
            budgets=gate,
            ids=self.ids,
            clock=self.clock,
            owner=owner,
            begins_alone=begins_alone,
            monotonic=lambda: self.time_s,
        )

    def pass_time(self, seconds: float) -> None:
        self.time_s += seconds
        self.clock.advance(seconds=seconds)

    async def store_entry(self, call: ModelCall, account: Account) -> None:
        async with self.database.transaction(SqlUnitOfWork)() as uow:
            ledger = SqlModelCallLedger(uow)
            await ledger.append(SPACE, RunId(next(self.runs)), 1, [call], account)
            await uow.commit()

    async def rows(self) -> int:
        async with self.database.read() as connection:
            query = sa.select(sa.func.count()).select_from(in_flight_calls)
            return int(await connection.scalar(query) or 0)

    async def sums(self, group_by: tuple[Dimension, ...] = ()) -> Sums:
        query = UsageQuery(
            space_ids=frozenset({SPACE}),
            since=NOW - timedelta(days=1),
            until=NOW + timedelta(days=1),
            zone=ZoneInfo("UTC"),
            group_by=group_by,
        )
        async with self.store.snapshot() as uow:
            return Sums.total((await uow.ledger.sums(query)).values())


@pytest.fixture
def deployment(database: Database) -> Deployment:
    return Deployment(database)


async def test_a_row_comes_late_and_goes_with_the_entry(deployment: Deployment) -> None:
    process, account = deployment.process("one"), Account(agent_id=2)
    quick = process.begin(SPACE, account, most)
    assert quick.settled(entry(5)) == entry(5), "it never had a row"
    slow, refused = process.begin(SPACE, account, most), process.begin(SPACE, account, most)
    await process.step()
    assert await deployment.rows() == 2

    landed = slow.settled(entry(7))
    refused.release()
    await process.step()
    assert await deployment.rows() == 1, "nobody has stored the entry yet"
    await deployment.store_entry(landed, account)

    assert await deployment.rows() == 0
    assert (await deployment.sums()).unsettled_calls == 0


async def test_a_row_whose_entry_never_comes_goes_in_the_end(deployment: Deployment) -> None:
    process = deployment.process("one")
    flight = process.begin(SPACE, Account(), most)
    await process.step()
    flight.settled(entry(7))
    deployment.pass_time(LANDING_S)

    await process.step()

    assert await deployment.rows() == 0


async def test_long_calls_of_the_living_stay_theirs(deployment: Deployment) -> None:
    process, other = deployment.process("one"), deployment.process("two")
    process.begin(SPACE, Account(), most)
    for _ in range(10):
        await process.step()
        await other.step()
        deployment.pass_time(LOST_S / 3)

    assert await deployment.rows() == 1
    assert (await deployment.sums()).unsettled_calls == 0


async def test_budgets_count_what_a_lost_call_took_at_most(deployment: Deployment) -> None:
    budget = Budget.create(
        id=BudgetId(1),
        space_id=SPACE,
        subject_type=BudgetSubject.WORKSPACE,
        subject_id="",
        unit=BudgetUnit.TOKENS,
        period=BudgetPeriod.DAY,
        zone="UTC",
        rules=BudgetRules(amount=Decimal(MOST // 2)),
        actor_id=UserId(6),
        now=NOW,
    )
    async with deployment.store.transaction() as uow:
        await uow.budgets.save(TenantScope(UserId(6), frozenset({SPACE})), budget)
        await uow.commit()
    killed = deployment.process("killed")
    killed.begin(SPACE, Account(), most)
    await killed.step()

    assert await deployment.process("next", begins_alone=True).settle_lost(but="next") == 1

    async with deployment.store.snapshot() as uow:
        standing = await uow.counters.period_usage(budget.id, budget.window(NOW).begins_at)
    assert standing is not None
    assert (standing.spent, standing.held) == (MOST, 0), "beyond the limit, which came too late"


async def test_the_ledger_is_the_sum_of_the_provider_but_for_what_died(
    deployment: Deployment,
) -> None:
    """Arrived and stored: exactly. Begun and lost with a process: unsettled, an upper bound."""
    draw = Random(11)  # noqa: S311 - no secret
    survivor = deployment.process("survivor")
    told = told_tokens = lost = lost_tokens = 0
    for life in range(12):
        process = deployment.process(f"life {life}")
        open_calls = []
        for _ in range(125):
            account = Account(
                origin=Origin(token_id=draw.randrange(3)),
                agent_id=draw.randrange(3),
                end_user_id=draw.choice(["", "ada", "bob"]),
            )
            model = draw.choice(["m", "n"])
            flight = process.begin(SPACE, account, partial(most, model))
            open_calls.append((flight, account, model))
            if draw.random() < 0.05:
                await process.step()
            while len(open_calls) > 20:
                flight, account, model = open_calls.pop(draw.randrange(len(open_calls)))
                tokens = draw.randrange(MOST)
                fate = draw.random()
                if fate < 0.1:
                    flight.release()
                    continue
                told, told_tokens = told + 1, told_tokens + tokens
                await deployment.store_entry(flight.settled(entry(tokens, model)), account)
        await process.step()
        for flight, _, model in open_calls:  # some had their answer, and nobody stored it
            tokens = draw.randrange(MOST)
            if draw.random() < 0.5:
                flight.settled(entry(tokens, model))
            lost, lost_tokens = lost + 1, lost_tokens + tokens
    deployment.pass_time(LOST_S + 1)

    await survivor.step()
    await deployment.process("late").settle_lost()

    whole = await deployment.sums()
    assert (whole.calls, whole.input_tokens) == (told, told_tokens)
    assert whole.unsettled_calls == lost
    assert lost_tokens <= whole.unsettled_tokens == lost * MOST
    for group_by in GROUPINGS:
        assert await deployment.sums(group_by) == whole, group_by
    while True:
        async with deployment.store.transaction() as uow:
            rolled = await uow.rollups.roll(limit=5000)
            await uow.commit()
        if not rolled:
            break
    for group_by in GROUPINGS:
        assert await deployment.sums(group_by) == whole, f"rolled up, by {group_by}"
    assert await deployment.rows() == 0
