"""The event log of runs has no gap, whatever becomes of the transactions that write it."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import aclosing, asynccontextmanager
from datetime import UTC, datetime
from functools import cached_property
from itertools import count

import pytest

from application.conversation.run.event import (
    MessageDelta,
    RunCompleted,
    RunFailed,
    RunRecord,
    RunRequiresAction,
)
from crossdomain.agent.contract import AgentOutcome, AgentTurn, EmitAgentEvent, OpenQuestion
from domain.conversation.run_repository import EventBatch
from domain.conversation.value import RunStatus
from domain.shared.access import Principal
from domain.shared.call import CallContext
from domain.shared.chat import FinishReason, ToolCall
from domain.shared.error import Unavailable
from domain.shared.ids import RunId
from domain.shared.limits import Limits
from infra.impl.repository.sql.conversation.repository import (
    SqlConversationStore,
    SqlConversationUnitOfWork,
)
from infra.impl.repository.sql.conversation.run import SqlRunEventLog
from infra.impl.repository.sql.engine.database import Database
from tests.support.clock import FrozenClock
from tests.support.conversation.harness import (
    SPACE,
    USAGE,
    Process,
    ScriptedAgents,
    answers,
    model_call,
    names,
    question,
    say,
)

BY_HAND = Limits(checkpoint_interval_s=3600, partial_interval_s=0)
"""Checkpoints are written when a test says so, and then everything is due."""
ATTEMPTS = 20
DONE = AgentOutcome(finish_reason=FinishReason.STOP, usage=USAGE)


async def _nothing() -> None:
    pass


class Faults:
    """What goes wrong with transactions: those of runs, and the test's own."""

    def __init__(self) -> None:
        self.task = asyncio.current_task()
        self.before: Callable[[], Awaitable[None]] = _nothing
        """What happens before a commit of a run."""
        self.after: Callable[[], Awaitable[None]] = _nothing
        """What happens after a transaction of a run."""
        self.after_own: Callable[[], Awaitable[None]] = _nothing
        self.broken: set[int] = set()
        """Runs whose events cannot be written by a defect."""

    @property
    def is_own(self) -> bool:
        return asyncio.current_task() is self.task


class FaultyLog(SqlRunEventLog):
    """An event log with a defect."""

    faults: Faults

    async def append(self, batches: Sequence[EventBatch], *, now: datetime) -> None:
        if any(batch.run_id in self.faults.broken for batch in batches):
            raise RuntimeError("These events cannot be written.")
        await super().append(batches, now=now)


class FaultyUnitOfWork(SqlConversationUnitOfWork):
    """A real transaction with faults."""

    faults: Faults

    @cached_property
    def events(self) -> SqlRunEventLog:
        log = FaultyLog(self.connection)
        log.faults = self.faults
        return log

    async def commit(self) -> None:
        if not self.faults.is_own:
            await self.faults.before()
        await super().commit()


class FaultyStore(SqlConversationStore):
    """Conversations whose transactions have faults."""

    def __init__(self, database: Database, faults: Faults) -> None:
        super().__init__(database)
        self._faults = faults
        self._open = database.transaction(FaultyUnitOfWork)

    @asynccontextmanager
    async def transaction(self) -> AsyncGenerator[FaultyUnitOfWork, None]:
        async with self._open() as uow:
            uow.faults = self._faults
            yield uow
        await (self._faults.after_own if self._faults.is_own else self._faults.after)()


def lost(times: int, *, after: int = 0) -> Callable[[], Awaitable[None]]:
    """The answer to so many commits is lost, after some that go well."""
    passed = count()

    async def lose() -> None:
        if after <= next(passed) < after + times:
            raise Unavailable("The connection was lost.")

    return lose


@pytest.fixture
async def faults() -> Faults:
    return Faults()


async def logged(process: Process, who: Principal, run_id: int) -> list[RunRecord]:
    """Return what the log alone has of a run."""
    records: list[RunRecord] = []
    replay = process.runs._replay
    async with aclosing(replay.logged(who.scope, RunId(run_id), after=0)) as batches:
        async for batch in batches:
            records += batch
    return records


def numbers(records: Sequence[RunRecord]) -> list[int]:
    return [record.seq for record in records]


async def calls(process: Process, run_id: int) -> int:
    async with process.store.snapshot() as uow:
        return len(await uow.model_calls.of_run(SPACE, RunId(run_id)))


class Halves:
    """Says a half, and the other one when it is let go on."""

    def __init__(self, *, completes: bool = False) -> None:
        self._said, self.gate = asyncio.Event(), asyncio.Event()
        self._completes = completes

    async def has_said(self) -> None:
        """Wait for the first half."""
        async with asyncio.timeout(60):
            await self._said.wait()

    async def __call__(
        self, context: CallContext, turn: AgentTurn, emit: EmitAgentEvent
    ) -> AgentOutcome:
        context.record_call(model_call())
        await say(emit, "one ", "half", is_interim=not self._completes, complete=True)
        self._said.set()
        await self.gate.wait()
        if not self._completes:
            context.record_call(model_call())
            await say(emit, "the ", "other")
        return DONE


async def test_a_log_that_is_late_at_a_slow_end_is_whole(
    sqlite_database: Database, agents: ScriptedAgents, who: Principal, faults: Faults
) -> None:
    clock = FrozenClock(datetime.now(UTC))
    store = FaultyStore(sqlite_database, faults)
    process = Process(sqlite_database, agents, limits=BY_HAND, clock=clock, store=store)

    async def dawdle() -> None:
        """The end is stored, and its own process does not know for a while."""
        faults.after = _nothing
        clock.advance(seconds=5)
        await process.writer.write_due()

    async def answer(context: CallContext, turn: AgentTurn, emit: EmitAgentEvent) -> AgentOutcome:
        faults.after = dawdle
        await say(emit, "all ", "of it", is_last=True)
        return DONE

    agents.script = answer
    async with process.running():
        told = await process.ask(who, "hi")
        await process.writer.write_due()
        await process.writer.write_due()

        assert isinstance(told[-1].event, RunCompleted)
        run_id = told[-1].event.run.id
        assert numbers(await logged(process, who, run_id)) == numbers(told)


async def test_commits_that_only_seemed_to_fail_change_nothing(
    sqlite_database: Database, agents: ScriptedAgents, who: Principal, faults: Faults
) -> None:
    agents.script = halves = Halves()
    store = FaultyStore(sqlite_database, faults)
    async with Process(sqlite_database, agents, limits=BY_HAND, store=store).running() as process:
        faults.after = lost(1, after=1)  # it is accepted
        run = await process.runs.start(who, question("hi"))
        await halves.has_said()
        faults.after = lost(1)
        halves.gate.set()
        told = await process.events(who, run.id)
        await process.writer.write_due()

        assert isinstance(told[-1].event, RunCompleted)
        assert answers(told) == ["one half", "the other"]
        assert numbers(await logged(process, who, run.id)) == numbers(told)
        assert [m.text for m in await process.shown(who, run.conversation_id)][1:3] == answers(told)
        assert await calls(process, run.id) == 2


async def test_a_batch_that_only_seemed_to_be_lost_is_not_told_twice(
    sqlite_database: Database, agents: ScriptedAgents, who: Principal, faults: Faults
) -> None:
    agents.script = halves = Halves()
    store = FaultyStore(sqlite_database, faults)
    async with Process(sqlite_database, agents, limits=BY_HAND, store=store).running() as process:
        run = await process.runs.start(who, question("hi"))
        await halves.has_said()
        faults.after_own = lost(1)
        await process.writer.write_due()
        before = await logged(process, who, run.id)
        halves.gate.set()
        told = await process.events(who, run.id)
        await process.writer.write_due()
        assert await logged(process, who, run.id) == before
        await process.writer.write_due()

        found = await logged(process, who, run.id)
        assert len(before) > 1
        assert found == told
        assert await calls(process, run.id) == 2


async def test_a_process_that_ends_writes_the_whole_log(
    sqlite_database: Database, agents: ScriptedAgents, who: Principal, faults: Faults
) -> None:
    agents.script = halves = Halves()
    store = FaultyStore(sqlite_database, faults)
    async with Process(sqlite_database, agents, limits=BY_HAND, store=store).running() as process:
        run = await process.runs.start(who, question("hi"))
        await halves.has_said()
        faults.after_own = lost(1)
        await process.writer.write_due()
        halves.gate.set()
        told = await process.events(who, run.id)

    assert await logged(process, who, run.id) == told


async def test_a_defect_of_one_run_costs_no_other_its_log(
    sqlite_database: Database, agents: ScriptedAgents, who: Principal, faults: Faults
) -> None:
    store = FaultyStore(sqlite_database, faults)
    async with Process(sqlite_database, agents, limits=BY_HAND, store=store).running() as process:
        halves = [Halves(), Halves(), Halves()]
        runs = []
        for each in halves:
            agents.script = each
            runs.append(await process.runs.start(who, question("hi")))
            await each.has_said()
        await process.writer.write_due()
        fine, passing, lasting = (run.id for run in runs)
        begun = await logged(process, who, lasting)
        faults.broken = {passing, lasting}
        for each in halves:
            each.gate.set()
        told = [await process.events(who, run.id) for run in runs]
        for _ in range(ATTEMPTS - 1):
            await process.writer.write_due()
        assert await logged(process, who, fine) == told[0]
        faults.broken = {lasting}
        for _ in range(2):
            await process.writer.write_due()
        faults.broken = set()
        await process.writer.write_due()

        assert await logged(process, who, passing) == told[1]
        assert await logged(process, who, lasting) == begun, "given up, and not gone on with later"
        other = Process(sqlite_database, agents, owner="other", node=1, is_alone=False)
        async with other.running():
            story = await other.events(who, lasting)
    assert numbers(story) == list(range(1, len(story) + 1))
    assert isinstance(story[-1].event, RunCompleted)
    assert answers(story) == ["one half", "the other"]


async def test_an_end_that_was_not_stored_is_not_logged(
    sqlite_database: Database, agents: ScriptedAgents, who: Principal, faults: Faults
) -> None:
    agents.script = halves = Halves(completes=True)
    store = FaultyStore(sqlite_database, faults)
    limits = Limits(checkpoint_interval_s=3600, partial_interval_s=0, run_lease_s=0)
    one = Process(sqlite_database, agents, owner="one", limits=limits, store=store)
    two = Process(sqlite_database, agents, owner="two", node=1, is_alone=False)
    async with one.running():
        run = await one.runs.start(who, question("hi"))
        await halves.has_said()
        await one.writer.write_due()
        faults.before = lost(ATTEMPTS)
        halves.gate.set()
        told = await one.events(who, run.id)
        await one.writer.write_due()
    assert isinstance(told[-1].event, RunFailed)

    assert await two.recovery.recover_expired() == 1
    async with two.running():
        story = await two.events(who, run.id)
    assert numbers(story) == list(range(1, len(story) + 1))
    assert names(story)[-1] == "RunCompleted"
    assert "RunFailed" not in names(story)


async def test_what_was_told_before_a_run_waited_is_logged_when_another_has_ended_it(
    sqlite_database: Database, agents: ScriptedAgents, who: Principal, faults: Faults
) -> None:
    call = ToolCall(id="c", name="look", arguments="{}")

    async def ask(context: CallContext, turn: AgentTurn, emit: EmitAgentEvent) -> AgentOutcome:
        await say(emit, "let me ", "see", is_interim=True)
        asked = OpenQuestion(workflow_run_id=0, question_id="", kind=1, state="s", calls=(call,))
        return AgentOutcome(finish_reason=FinishReason.STOP, usage=USAGE, question=asked)

    agents.script = ask
    clock = FrozenClock(datetime.now(UTC))
    one = Process(sqlite_database, agents, limits=BY_HAND, clock=clock)
    two = Process(sqlite_database, agents, owner="two", node=1, is_alone=False)
    async with one.running():
        run = await one.runs.start(who, question("hi"))
        waiting = await one.runs.wait(who, run.id)
        assert waiting.status is RunStatus.REQUIRES_ACTION
        await two.conversations.clear(who, run.conversation_id)
        clock.advance(seconds=5)
        await one.writer.write_due()

        found = await logged(one, who, run.id)
    assert numbers(found) == list(range(1, len(found) + 1))
    assert "".join(r.event.text for r in found if isinstance(r.event, MessageDelta)) == "let me see"
    assert isinstance(found[-1].event, RunRequiresAction)
