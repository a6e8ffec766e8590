"""Budgets on SQLite and PostgreSQL: several processes pass no limit, and nothing gets lost."""

import asyncio
from contextlib import AsyncExitStack
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from random import Random

import msgspec
import pytest
import sqlalchemy as sa

from application.usage.gate import IDLE_S, SWEPT_S, BudgetGate
from crossdomain.usage.contract import Bound, BudgetExceeded
from domain.shared.access import TenantScope
from domain.shared.account import Account, Origin
from domain.shared.chat import ModelCall, Usage
from domain.shared.ids import BudgetId, RunId, SpaceId, UserId
from domain.usage.budget import Budget
from domain.usage.value import BudgetPeriod, BudgetRules, BudgetSubject, BudgetUnit
from infra.impl.repository.sql.engine.database import Database
from infra.impl.repository.sql.engine.unit_of_work import SqlUnitOfWork
from infra.impl.repository.sql.ledger.charge import budget_charges, budget_periods
from infra.impl.repository.sql.ledger.usage import SqlUsageStore
from infra.impl.repository.sql.model.call import SqlModelCallLedger
from tests.support.clock import FrozenClock
from tests.support.wait import until_so

NOW = datetime(2026, 11, 25, 15, 30, tzinfo=UTC)
SPACE = SpaceId(9)
SCOPE = TenantScope(UserId(6), frozenset({SPACE}))
ACCOUNT = Account(origin=Origin(token_id=4), agent_id=2, member_id=6, end_user_id="anna")
PATIENCE_S = 0.05


def call_of(tokens: int, *, now: datetime = NOW) -> ModelCall:
    return ModelCall(
        model="m",
        provider="p",
        attempt=1,
        purpose="chat",
        usage=Usage(input_tokens=tokens),
        outcome="ok",
        ended_at=now,
    )


class Processes:
    """Gates of several processes, one clock and one ledger."""

    def __init__(self, database: Database, count: int = 4) -> None:
        self.database = database
        self.clock = FrozenClock(NOW)
        self.time_s = 0.0
        self.store = SqlUsageStore(database)
        self.gates = [self.gate(f"p{number}") for number in range(count)]
        self.runs = 0

    def gate(self, owner: str) -> BudgetGate:
        return BudgetGate(
            store=self.store,
            clock=self.clock,
            owner=owner,
            currency="USD",
            max_wait_s=PATIENCE_S,
            monotonic=lambda: self.time_s + asyncio.get_running_loop().time(),
        )

    async def limit(
        self,
        amount: int,
        *,
        number: int = 1,
        subject: BudgetSubject = BudgetSubject.WORKSPACE,
        subject_id: str = "",
        period: BudgetPeriod = BudgetPeriod.DAY,
        is_hard: bool = True,
    ) -> Budget:
        rules = BudgetRules(amount=Decimal(amount), soft_limits=(50,), is_hard=is_hard)
        budget = Budget.create(
            id=BudgetId(number),
            space_id=SPACE,
            subject_type=subject,
            subject_id=subject_id,
            unit=BudgetUnit.TOKENS,
            period=period,
            zone="UTC",
            rules=rules,
            actor_id=UserId(6),
            now=self.clock.now(),
        )
        async with self.store.transaction() as uow:
            await uow.budgets.save(SCOPE, budget)
            await uow.commit()
        for gate in self.gates:
            gate.forget()
        return budget

    async def store_call(self, call: ModelCall, account: Account = ACCOUNT) -> None:
        self.runs += 1
        run_id = RunId(self.runs)
        async with self.database.transaction(SqlUnitOfWork)() as uow:
            await SqlModelCallLedger(uow).append(SPACE, run_id, 1, [call], account)
            await uow.commit()

    async def call(self, at: int, *, most: int, cost: int, account: Account = ACCOUNT) -> None:
        """Make a call through the gate of one process, and store its entry."""
        hold = await self.gates[at].hold(SPACE, account, lambda: Bound(tokens=most))
        await asyncio.sleep(0)
        call = hold.settled(call_of(cost, now=self.clock.now()))
        hold.release()
        await self.store_call(call, account)

    async def unfolded(self) -> int:
        """Return how many charges no period holds."""
        async with self.database.read() as connection:
            count = sa.select(sa.func.count()).select_from(budget_charges)
            return int(await connection.scalar(count) or 0)

    async def spent(self, budget: Budget) -> tuple[int, int]:
        """Return what the period has spent, and what is held of it."""
        window = budget.window(self.clock.now())
        async with self.store.snapshot() as uow:
            period_usage = await uow.counters.period_usage(budget.id, window.begins_at)
        assert period_usage is not None
        return period_usage.spent, period_usage.held


async def test_four_processes_pass_a_limit_by_a_portion_each_at_most(database: Database) -> None:
    processes = Processes(database)
    budget = await processes.limit(20_000)
    draw, refused, total = Random(4), 0, 0  # noqa: S311 - no secret

    async def work(at: int) -> None:
        nonlocal refused, total
        for _ in range(60):
            cost = draw.randrange(1, 400)
            if cost % 10 == 0:
                await processes.gates[at].tend()
            try:
                await processes.call(at, most=500, cost=cost)
            except BudgetExceeded:
                refused += 1
            else:
                total += cost

    async with asyncio.TaskGroup() as group:
        for at in (0, 1, 2, 3, 0, 1, 2, 3):
            group.create_task(work(at))
    spent, held = await processes.spent(budget)
    assert spent == total, "the ledger and the budget agree"
    assert refused
    portion = 20_000 // 20
    assert 20_000 - 4 * portion - 500 <= spent <= 20_000 + 4 * portion
    for gate in processes.gates:
        await gate.aclose()
    spent, held = await processes.spent(budget)
    assert (spent, held) == (total, 0)


async def test_charges_count_the_same_before_they_are_folded_and_after(database: Database) -> None:
    processes = Processes(database, count=2)
    whole = await processes.limit(2000, number=1)
    own = await processes.limit(1000, number=2, subject=BudgetSubject.END_USER, subject_id="anna")
    soft = await processes.limit(10, number=3, is_hard=False)
    for at in (0, 1, 0):
        await processes.call(at, most=50, cost=7)
    before = [await processes.spent(each) for each in (whole, own, soft)]
    assert await processes.unfolded() == 9

    await asyncio.gather(*(gate.tend() for gate in processes.gates))

    assert [await processes.spent(each) for each in (whole, own, soft)] == before
    assert [spent for spent, _ in before] == [21, 21, 21]
    assert await processes.unfolded() == 0


async def test_an_entry_waits_for_nobody_who_works_on_its_budget(postgres_url: str) -> None:
    database = Database(postgres_url)
    processes = Processes(database, count=1)
    budget = await processes.limit(2000)
    await processes.call(0, most=10, cost=4)
    async with database.write() as connection:
        await connection.execute(sa.select(budget_periods).with_for_update())
        async with asyncio.timeout(2):
            await processes.call(0, most=10, cost=4)
    assert (await processes.spent(budget))[0] == 8
    await database.aclose()


async def test_charges_go_with_their_budget(database: Database) -> None:
    processes = Processes(database, count=1)
    budget = await processes.limit(2000)
    hold = await processes.gates[0].hold(SPACE, ACCOUNT, lambda: Bound(tokens=10))
    await processes.call(0, most=10, cost=4)
    async with processes.store.transaction() as uow:
        await uow.budgets.delete(SCOPE, await uow.budgets.get(SCOPE, budget.id))
        await uow.commit()
    assert await processes.unfolded() == 0

    await processes.store_call(hold.settled(call_of(10)))  # of a call that was under way
    await processes.gates[0].tend()

    assert await processes.unfolded() == 0


async def test_what_the_dead_took_counts_when_their_portion_is_swept(database: Database) -> None:
    processes = Processes(database, count=2)
    budget = await processes.limit(2000)
    await processes.call(0, most=1500, cost=1200)  # and it dies
    await processes.gates[1].hold(SPACE, ACCOUNT, lambda: Bound(tokens=30))
    async with processes.store.transaction() as uow:
        await uow.counters.drop(budget.id, budget.window(NOW).begins_at, owner="p0")
        await uow.commit()

    for _ in range(2):
        spent, held = await processes.spent(budget)
        assert spent == 1200
        assert 30 <= held <= 100, "what the living one holds is held"
        await processes.gates[1].tend()


async def test_one_call_in_each_process_costs_more_than_thought_at_most(
    database: Database,
) -> None:
    processes = Processes(database)
    budget = await processes.limit(1000)
    done = 0
    for at in range(40):
        try:
            await processes.call(at % 4, most=100, cost=130)  # nobody expected that
        except BudgetExceeded:
            continue
        done += 1
    spent, _ = await processes.spent(budget)
    assert spent == done * 130
    assert 900 <= spent <= 1000 + 4 * 130


async def test_a_small_budget_lets_a_call_pass_that_might_cost_more(database: Database) -> None:
    processes = Processes(database, count=1)
    budget = await processes.limit(100)
    await processes.call(0, most=4096, cost=60)
    await processes.call(0, most=4096, cost=60)
    with pytest.raises(BudgetExceeded) as refusal:
        await processes.call(0, most=4096, cost=1)
    assert refusal.value.context["reason"] == "workspace"
    assert refusal.value.context["resets_at"] == int(datetime(2026, 11, 26, tzinfo=UTC).timestamp())
    assert (await processes.spent(budget))[0] == 120


async def test_a_call_waits_for_what_others_hold_and_give_back(database: Database) -> None:
    processes = Processes(database, count=1)
    await processes.limit(100)
    gate = processes.gates[0]
    first = await gate.hold(SPACE, ACCOUNT, lambda: Bound(tokens=100))
    with pytest.raises(BudgetExceeded):  # in vain
        await gate.hold(SPACE, ACCOUNT, lambda: Bound(tokens=50))
    patient = BudgetGate(
        store=processes.store, clock=processes.clock, owner="p9", currency="USD", max_wait_s=60
    )
    await gate.hold(SPACE, Account(), lambda: Bound(tokens=0))
    waiting = asyncio.ensure_future(patient.hold(SPACE, ACCOUNT, lambda: Bound(tokens=50)))
    await asyncio.sleep(0)
    first.release()
    processes.time_s += IDLE_S
    await gate.tend()
    await waiting


async def test_where_no_budget_applies_nothing_is_read(database: Database) -> None:
    processes = Processes(database, count=1)
    await processes.limit(100, subject=BudgetSubject.AGENT, subject_id="77")
    gate = processes.gates[0]
    await gate.hold(SPACE, ACCOUNT, lambda: Bound(tokens=1))
    await database.aclose()  # whatever is read from here on fails
    for space in (SPACE, SpaceId(10)):
        hold = await gate.hold(space, ACCOUNT, lambda: Bound(tokens=1))
        assert hold.settled(call_of(1)) == call_of(1)
    await gate.require(SPACE, ACCOUNT)


async def test_a_call_under_way_counts_in_a_budget_that_is_made_meanwhile(
    database: Database,
) -> None:
    """In the process that made it, and in another; what was held already is charged once."""
    processes = Processes(database, count=2)
    before = await processes.limit(1000, number=1, subject=BudgetSubject.AGENT, subject_id="2")
    async with AsyncExitStack() as stack:
        for gate in processes.gates:
            await gate.start()
            stack.push_async_callback(gate.aclose)
        holds = [
            await gate.hold(SPACE, ACCOUNT, lambda: Bound(tokens=30)) for gate in processes.gates
        ]
        gone = await processes.gates[1].hold(SPACE, ACCOUNT, lambda: Bound(tokens=30))
        gone.release()

        meanwhile = await processes.limit(100, number=2)
        for gate in processes.gates:
            await gate.tend()  # as they do once they hear of it
        for hold in holds:
            await processes.store_call(hold.settled(call_of(20)))
            hold.release()

    await processes.call(0, most=10, cost=10)
    assert (await processes.spent(meanwhile))[0] == 50
    assert (await processes.spent(before))[0] == 50


async def test_who_hears_of_a_budget_looks_at_calls_under_way_at_once(database: Database) -> None:
    processes = Processes(database, count=1)
    (gate,) = processes.gates
    await gate.start()
    await gate.hold(SPACE, ACCOUNT, lambda: Bound(tokens=30))
    budget = await processes.limit(100)

    async def is_open() -> bool:
        async with processes.store.snapshot() as uow:
            begins_at = budget.window(NOW).begins_at
            return await uow.counters.period_usage(budget.id, begins_at) is not None

    await until_so(is_open, "the begin of a period", wait_s=8)  # a step of the loop takes ten
    await gate.aclose()


async def test_what_was_used_before_counts(database: Database) -> None:
    processes = Processes(database, count=1)
    await processes.store_call(call_of(90, now=NOW - timedelta(hours=3)))
    await processes.store_call(call_of(5000, now=NOW - timedelta(days=2)))
    other = Account(agent_id=3)
    await processes.store_call(call_of(700, now=NOW - timedelta(hours=3)), other)
    budget = await processes.limit(100, subject=BudgetSubject.AGENT, subject_id="2")
    await processes.call(0, most=10, cost=10)
    assert (await processes.spent(budget))[0] == 100
    with pytest.raises(BudgetExceeded):
        await processes.gates[0].require(SPACE, ACCOUNT)
    await processes.gates[0].require(SPACE, other)


async def test_a_new_period_begins_with_nothing(database: Database) -> None:
    processes = Processes(database, count=1)
    budget = await processes.limit(100)
    await processes.call(0, most=100, cost=100)
    with pytest.raises(BudgetExceeded):
        await processes.gates[0].require(SPACE, ACCOUNT)
    processes.clock.advance(days=1)
    await processes.gates[0].require(SPACE, ACCOUNT)
    await processes.call(0, most=100, cost=30)
    assert (await processes.spent(budget))[0] == 30


async def test_the_strictest_of_several_budgets_decides(database: Database) -> None:
    processes = Processes(database, count=1)
    whole = await processes.limit(1000, number=1)
    own = await processes.limit(100, number=2, subject=BudgetSubject.END_USER, subject_id="anna")
    await processes.call(0, most=100, cost=100)
    with pytest.raises(BudgetExceeded) as refusal:
        await processes.call(0, most=100, cost=100)
    assert refusal.value.context["reason"] == "end_user"
    await processes.call(0, most=100, cost=70, account=replace(ACCOUNT, end_user_id="bea"))
    assert (await processes.spent(whole))[0] == 170
    assert (await processes.spent(own))[0] == 100


async def test_a_soft_budget_refuses_nothing_and_tells_once(database: Database) -> None:
    processes = Processes(database)
    budget = await processes.limit(100, is_hard=False)
    for at in range(8):
        await processes.call(at % 4, most=100, cost=20)
        await asyncio.gather(*(gate.tend() for gate in processes.gates))
    assert await processes.spent(budget) == (160, 0)
    assert await told(database) == [50, 100]


async def told(database: Database) -> list[int]:
    """Percentages in the outbox."""
    async with database.snapshot(SqlUnitOfWork)() as uow:
        rows = await uow.connection.exec_driver_sql(
            "SELECT payload FROM outbox WHERE topic = 'budget.reached' ORDER BY position"
        )
        return [msgspec.json.decode(payload)["percent"] for (payload,) in rows]


async def test_what_is_not_used_is_given_back(database: Database) -> None:
    processes = Processes(database, count=1)
    budget = await processes.limit(2000)
    await processes.call(0, most=10, cost=4)
    assert await processes.spent(budget) == (4, 96)
    await processes.gates[0].tend()
    assert await processes.spent(budget) == (4, 96)
    processes.time_s += IDLE_S
    await processes.gates[0].tend()
    assert await processes.spent(budget) == (4, 0)


async def test_portions_of_the_dead_are_swept(database: Database) -> None:
    processes = Processes(database, count=2)
    budget = await processes.limit(2000)
    await processes.gates[0].hold(SPACE, ACCOUNT, lambda: Bound(tokens=1500))  # and it dies
    await processes.call(1, most=10, cost=4)
    processes.clock.advance(seconds=SWEPT_S / 2)
    await processes.gates[1].tend()
    assert (await processes.spent(budget))[1] > 1500
    processes.clock.advance(seconds=SWEPT_S)
    await processes.gates[1].tend()
    assert (await processes.spent(budget))[1] < 100


async def test_a_process_that_was_taken_for_dead_begins_anew(database: Database) -> None:
    processes = Processes(database, count=2)
    budget = await processes.limit(2000)
    await processes.call(0, most=10, cost=4)
    await processes.gates[1].hold(SPACE, ACCOUNT, lambda: Bound(tokens=1))
    processes.clock.advance(seconds=2 * SWEPT_S)
    await processes.gates[1].tend()
    await processes.gates[0].tend()
    await processes.call(0, most=10, cost=4)
    _, held = await processes.spent(budget)
    for gate in processes.gates:
        await gate.aclose()
    assert held
    assert (await processes.spent(budget))[0] == 8


async def test_an_entry_that_is_written_twice_is_charged_once(database: Database) -> None:
    processes = Processes(database, count=1)
    budget = await processes.limit(2000)
    hold = await processes.gates[0].hold(SPACE, ACCOUNT, lambda: Bound(tokens=10))
    call = hold.settled(call_of(10))
    for _ in range(3):
        async with database.transaction(SqlUnitOfWork)() as uow:
            await SqlModelCallLedger(uow).put(SPACE, RunId(7), [(1, call)], ACCOUNT)
            await uow.commit()
    assert (await processes.spent(budget))[0] == 10


async def test_a_transaction_that_fails_charges_nothing(database: Database) -> None:
    processes = Processes(database, count=1)
    budget = await processes.limit(2000)
    hold = await processes.gates[0].hold(SPACE, ACCOUNT, lambda: Bound(tokens=10))
    async with database.transaction(SqlUnitOfWork)() as uow:
        await SqlModelCallLedger(uow).append(
            SPACE, RunId(7), 1, [hold.settled(call_of(10))], ACCOUNT
        )
    assert (await processes.spent(budget))[0] == 0


async def test_a_budget_that_changes_holds_at_once(database: Database) -> None:
    processes = Processes(database, count=1)
    budget = await processes.limit(100)
    await processes.call(0, most=100, cost=100)
    with pytest.raises(BudgetExceeded):
        await processes.call(0, most=100, cost=1)
    async with processes.store.transaction() as uow:
        found = await uow.budgets.get(SCOPE, budget.id)
        found.change(BudgetRules(amount=Decimal(200)), actor_id=UserId(6), now=NOW)
        await uow.budgets.save(SCOPE, found)
        await uow.commit()
    processes.gates[0].forget()
    await processes.call(0, most=100, cost=1)
    async with processes.store.transaction() as uow:
        await uow.budgets.delete(SCOPE, found)
        await uow.commit()
    processes.gates[0].forget()
    await processes.call(0, most=10_000, cost=10_000)
