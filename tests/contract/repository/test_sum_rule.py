"""Sum rule at the port of chat models: thousands of calls, on SQLite and PostgreSQL.

The rule over whole servers is in ``tests/integration/usage/test_sum_rule.py``, with fewer calls.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from datetime import timedelta
from itertools import count
from random import Random
from zoneinfo import ZoneInfo

import pytest

from application.usage.gate import BudgetGate
from application.usage.in_flight import LOST_S, CallRegister
from domain.model.breaker import BreakerPolicy
from domain.model.catalog import ModelCatalog
from domain.model.service import ModelService, RetryPolicy
from domain.model.value import ModelSpec
from domain.shared.access import TenantScope
from domain.shared.account import SOURCES, Account, Origin
from domain.shared.call import CallContext
from domain.shared.chat import (
    ChatRequest,
    FinishReason,
    ModelCall,
    ModelEvent,
    ReplyFinished,
    ReplyStarted,
    TextDelta,
    Usage,
    UsageReported,
)
from domain.shared.id_generator import IdGenerator
from domain.shared.ids import RunId, SpaceId, UserId
from domain.shared.limits import Limits
from domain.usage.value import Dimension, Sums, UsageQuery
from infra.contract.model.chat_model import ChatModel, ModelCallFailed, ModelEndpoint, ModelFailure
from infra.impl.repository.sql.engine.database import Database
from infra.impl.repository.sql.engine.unit_of_work import SqlUnitOfWork
from infra.impl.repository.sql.ledger.usage import SqlUsageStore
from infra.impl.repository.sql.model.call import SqlModelCallLedger
from tests.support.clock import FrozenClock
from tests.support.model.double import (
    NOW,
    MemoryFiles,
    MemoryModels,
    UnitEmbedders,
    UnitRerankers,
    configured,
    question,
)

SPACE = SpaceId(2)
RUNS_AT_ONCE = 50
"""Whose calls one transaction stores."""
OPEN_AT_DEATH = 7
"""Calls of which a process hears nothing more, or the answer, before it dies."""
TOKENS = ("input_tokens", "output_tokens", "cached_tokens", "reasoning_tokens")
GROUPINGS = [(), (Dimension.AGENT,), (Dimension.END_USER,), (Dimension.MODEL, Dimension.SOURCE)]


@dataclass
class Provider:
    """Draws what becomes of a call and how many tokens it takes, and keeps its own count."""

    draw: Random
    counted: Counter[str] = field(default_factory=Counter)
    holds: bool = False
    """Whether calls wait from now on."""
    waiting: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(0))
    """One more for each call that does."""

    def kinds(self) -> tuple[str, ...]:
        return ("openai",)

    def open(self, endpoint: ModelEndpoint) -> ChatModel:
        return self

    async def stream(self, request: ChatRequest) -> AsyncGenerator[ModelEvent, None]:
        fate = self.draw.random()
        if self.holds or fate < 0.02:
            self.counted["unheard"] += 1
            self.waiting.release()
            await asyncio.Event().wait()
        if fate < 0.06:
            self.counted["refused"] += 1
            raise ModelCallFailed("Too many calls.", failure=ModelFailure.RATE_LIMITED)
        yield ReplyStarted("r", request.model)
        yield TextDelta("Yes, ")
        if fate < 0.08:
            self.counted["broken"] += 1
            raise ModelCallFailed("It broke off.", failure=ModelFailure.INTERRUPTED)
        usage = self._usage()
        self.counted["answered"] += 1
        for name in TOKENS:
            self.counted[name] += getattr(usage, name)
        yield TextDelta("indeed.")
        yield UsageReported(usage)
        yield ReplyFinished(FinishReason.STOP)

    def _usage(self) -> Usage:
        read, written = self.draw.randint(1, 5000), self.draw.randint(1, 400)
        return Usage(
            input_tokens=read,
            output_tokens=written,
            cached_tokens=self.draw.choice((0, self.draw.randint(0, read))),
            reasoning_tokens=self.draw.choice((0, self.draw.randint(0, written))),
        )


@dataclass
class Deployment:
    """Processes one after another, each of which is killed in the end."""

    database: Database
    provider: Provider
    draw: Random
    clock: FrozenClock = field(default_factory=lambda: FrozenClock(NOW))
    run_ids: "count[int]" = field(default_factory=lambda: count(1))
    time_s: float = 0.0

    def __post_init__(self) -> None:
        self.store = SqlUsageStore(self.database)
        self.ids = IdGenerator(clock=self.clock, node=1)

    def register(self, owner: str) -> CallRegister:
        return CallRegister(
            store=self.store,
            budgets=BudgetGate(store=self.store, clock=self.clock, owner=owner, currency="USD"),
            ids=self.ids,
            clock=self.clock,
            owner=owner,
            begins_alone=False,
            monotonic=lambda: self.time_s,
        )

    async def live(self, owner: str, runs: int) -> None:
        """Start a process, have it store what it does, and kill it with calls under way."""
        register = self.register(owner)
        models = self._models(register)
        for begin in range(0, runs, RUNS_AT_ONCE):
            done = [await self._run(models) for _ in range(min(RUNS_AT_ONCE, runs - begin))]
            async with self.database.transaction(SqlUnitOfWork)() as uow:
                ledger = SqlModelCallLedger(uow)
                for account, calls in done:
                    await ledger.append(SPACE, RunId(next(self.run_ids)), 1, calls, account)
                await uow.commit()
        await self._die(models, register)

    async def _run(self, models: ModelService) -> tuple[Account, Sequence[ModelCall]]:
        """Ask three times; a call of which nothing is heard is given up."""
        account, calls = self._account(), list[ModelCall]()
        for _ in range(3):
            asked = asyncio.create_task(_ask(models, account, calls))
            unheard = asyncio.create_task(self.provider.waiting.acquire())
            await asyncio.wait((asked, unheard), return_when=asyncio.FIRST_COMPLETED)
            for task in (asked, unheard):
                task.cancel()
            await asyncio.gather(asked, unheard, return_exceptions=True)
        return account, calls

    async def _die(self, models: ModelService, register: CallRegister) -> None:
        self.provider.holds = True
        lost = [
            asyncio.create_task(_ask(models, self._account(), [])) for _ in range(OPEN_AT_DEATH)
        ]
        for _ in lost:
            await self.provider.waiting.acquire()
        await register.step()
        for task in lost:  # what they record now is in the memory of a dead process
            task.cancel()
        await asyncio.gather(*lost, return_exceptions=True)
        self.provider.counted["unheard"] -= len(lost)
        self.provider.counted["lost"] += len(lost)
        self.provider.holds = False

    def _models(self, register: CallRegister) -> ModelService:
        address = "https://models.test/v1"
        main = ModelSpec(name="main", base_url=address, fallbacks=("spare",))
        return ModelService(
            catalog=ModelCatalog(
                static=[configured("main", spec=main), configured("spare")], store=MemoryModels()
            ),
            chat_models=self.provider,
            embedders=UnitEmbedders(),
            rerankers=UnitRerankers(),
            files=MemoryFiles(),
            limits=Limits(),
            clock=self.clock,
            retry=RetryPolicy(attempts=2, base_s=0.0),
            breaker=BreakerPolicy(failure_share=1.0),
            in_flight=register,
            monotonic=lambda: self.time_s,
        )

    def _account(self) -> Account:
        return Account(
            origin=Origin(source=self.draw.choice(SOURCES), token_id=self.draw.randrange(3)),
            agent_id=self.draw.randrange(3),
            end_user_id=self.draw.choice(["", "ada", "bob"]),
        )

    async def report(self, group_by: tuple[Dimension, ...]) -> Sums:
        """Sum up what a report of these groups says."""
        query = UsageQuery(
            space_ids=frozenset({SPACE}),
            since=NOW - timedelta(days=1),
            until=NOW + timedelta(days=1),
            zone=ZoneInfo("UTC"),
            group_by=group_by,
        )
        async with self.store.snapshot() as uow:
            return Sums.total((await uow.ledger.sums(query)).values())

    async def roll(self) -> None:
        rolled = 1
        while rolled:
            async with self.store.transaction() as uow:
                rolled = await uow.rollups.roll(limit=2000)
                await uow.commit()


async def _ask(models: ModelService, account: Account, calls: list[ModelCall]) -> None:
    context = CallContext(
        scope=TenantScope(UserId(1), frozenset({SPACE})),
        space_id=SPACE,
        connector_id=1024,
        record_call=calls.append,
        account=account,
    )
    try:
        async with aclosing(models.stream(context, question())) as events:
            async for _ in events:
                pass
    except ModelCallFailed:
        assert calls, "what failed has an entry too"


@pytest.mark.parametrize(
    "most", [3000, pytest.param(100_000, marks=pytest.mark.long)], ids=["some", "many"]
)
async def test_the_ledger_is_what_the_provider_counted(database: Database, most: int) -> None:
    """Retries, stand-ins, cancelled and broken replies, and processes killed with open calls."""
    draw = Random(most)  # noqa: S311 - no secret
    provider = Provider(draw)
    deployment = Deployment(database, provider, draw)
    counted = provider.counted
    for life in count():
        await deployment.live(f"life {life}", runs=most // 12)
        if counted["answered"] >= most:
            break
    deployment.time_s += LOST_S + 1
    deployment.clock.advance(seconds=LOST_S + 1)
    await deployment.register("survivor").settle_lost()

    fresh = [await deployment.report(group_by) for group_by in GROUPINGS]
    await deployment.roll()
    rolled = [await deployment.report(group_by) for group_by in GROUPINGS]

    whole = fresh[0]
    assert all(sums == whole for sums in (*fresh, *rolled))
    assert min(counted[name] for name in ("refused", "broken", "unheard", "lost")) > 0
    assert whole.calls == sum(counted[n] for n in ("answered", "refused", "broken", "unheard"))
    assert whole.failed_calls == whole.calls - counted["answered"]
    assert whole.unsettled_calls == counted["lost"]
    assert whole.unsettled_tokens >= counted["lost"], "an upper bound of each"
    assert whole.cached_tokens == counted["cached_tokens"]
    assert whole.reasoning_tokens == counted["reasoning_tokens"]
    assert await _told(database) == {name: counted[name] for name in ("answered", *TOKENS)}


async def _told(database: Database) -> dict[str, int]:
    """Sum up what the provider said of its answers; the rest is estimated."""
    found: Counter[str] = Counter()
    after = None
    store = SqlUsageStore(database)
    query = UsageQuery(
        space_ids=frozenset({SPACE}),
        since=NOW - timedelta(days=1),
        until=NOW + timedelta(days=1),
        zone=ZoneInfo("UTC"),
    )
    while True:
        async with store.snapshot() as uow:
            page = await uow.ledger.entries(query, after=after, is_newest_first=False, limit=5000)
        if not page:
            return dict(found)
        for entry in page:
            assert entry.call.ended_at
            after = entry.call.ended_at, entry.run_id, entry.call_no
            if entry.call.outcome == "ok":
                assert not entry.call.usage.estimated
                found["answered"] += 1
                for name in TOKENS:
                    found[name] += getattr(entry.call.usage, name)
